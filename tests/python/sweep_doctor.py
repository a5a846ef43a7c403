"""Random Pfaffian systems of which it is known, by how they are made, which rows are holonomic: does `check` say so?

A sample runs with the other tests; how to run more is in `sweep.py`.

Differentials, contact forms and chains (Engel, Cartan's 2, 3, 5) in variables of their own are mixed by matrices of functions, get multiples of rows of
positions and of what these hold at zero, so that some are integrable on their surface alone, and are written in other coordinates that may depend on
time. What can be reached is computed a second time, by Taylor polynomials (`taylor.py`).
"""

import json
import random
from collections import Counter

import numpy as np
import sympy as sp
from sweep import command, main
from taylor import Space, Taylor, reached

T = sp.Symbol("t")
BRACKETS = 3  # of brackets in brackets, which is what the blocks need


class Pfaffian:
    """Rows of a seed: forms in the coordinates `q`, drifts, and whether they are holonomic; what rows of positions hold at zero."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.old = []
        kinds = [self.random.choice(["one", "two", "contact", "Engel", "Cartan", "free", "one", "contact"])]
        kinds += [self.random.choice(["one", "free", "contact"])] * (self.random.random() < 0.6)
        holonomic, others = [], []
        for kind in kinds + ["one"] * all(kind == "free" for kind in kinds):
            is_holonomic, forms = self.block(kind)
            (holonomic if is_holonomic else others).extend(forms)
        self.integrals = len(holonomic)
        held = self.positions()
        holonomic, others = self.mixed(holonomic), self.mixed(others)
        if holonomic and others and self.random.random() < 0.5:
            others[0] = self.sum([others[0], self.random.choice(holonomic)], [1, self.function()])
        rows = [(self.beside(form, held), True) for form in holonomic] + [(self.beside(form, held), False) for form in others]
        self.in_other_coordinates(held, rows)

    def fresh(self, count):
        symbols = [sp.Symbol(f"s{len(self.old) + k}") for k in range(count)]
        self.old += symbols
        return symbols

    def block(self, kind):
        if kind == "one":
            x, *rest = self.fresh(self.random.randint(2, 4))
            function = x
            for y in rest:
                function += self.random.choice([y, y**2, sp.sin(y), function * y, y * x])
            return True, [self.differential(function)]
        if kind == "two":
            x, y, z = self.fresh(3)
            return True, [self.differential(x + y * z), self.differential(y + sp.sin(z) * x)]
        if kind == "contact":
            z, *pairs = self.fresh(2 * self.random.randint(1, 2) + 1)
            return False, [{z: sp.Integer(1)} | {x: -p for x, p in zip(pairs[::2], pairs[1::2], strict=True)}]
        if kind == "Engel":
            x, y, z, u = self.fresh(4)
            return False, [{y: sp.Integer(1), x: -z}, {z: sp.Integer(1), x: -u}]
        if kind == "Cartan":
            x, y, u, w, z = self.fresh(5)
            return False, [{y: sp.Integer(1), x: -u}, {u: sp.Integer(1), x: -w}, {z: sp.Integer(1), x: -(w**2)}]
        self.fresh(1)
        return False, []

    def differential(self, function):
        slopes = {x: sp.diff(function, x) for x in self.old}
        return {x: slope for x, slope in slopes.items() if slope != 0}

    def function(self):
        """Of a variable, without a zero near the start."""
        x = self.random.choice(self.old)
        return self.random.choice([1 + x**2, sp.exp(sp.Rational(3, 10) * x), 2 + sp.cos(x), sp.Rational(3, 2) - x / 3, x + 2])

    @staticmethod
    def sum(forms, factors):
        whole = {}
        for form, factor in zip(forms, factors, strict=True):
            for x, entry in form.items():
                whole[x] = whole.get(x, 0) + factor * entry
        return whole

    def mixed(self, rows):
        if self.random.random() < 0.3:
            return rows
        rows = [self.sum([row], [self.function()]) for row in rows]
        for k in range(1, len(rows)):
            rows[k] = self.sum([rows[k], rows[k - 1]], [1, self.function()])
        for k in reversed(range(len(rows) - 1)):
            rows[k] = self.sum([rows[k], rows[k + 1]], [1, self.function()])
        return rows

    def positions(self):
        held = []
        for _ in range(self.random.choice([0, 0, 1, 1, 2])):
            a, b = self.random.choice(self.old), self.random.choice(self.old)
            value = self.random.choice([a * b, sp.sin(a), a**2, a + b, a / 2])
            [x] = self.fresh(1)
            held.append(x - value - sp.sin(T) * int(self.random.random() < 0.3))
        return held

    def beside(self, form, held):
        """The form with multiples of what is zero on the surface."""
        if not held or self.random.random() < 0.2:
            return form
        residual = self.random.choice(held)
        if not residual.has(T):
            form = self.sum([form, self.differential(residual)], [1, self.function()])
        if self.random.random() < 0.6:
            form = self.sum([form, {self.random.choice(self.old): residual}], [1, self.function()])
        return form

    def in_other_coordinates(self, held, rows):
        """s = q + a function of those that come later, which can be solved for q."""
        self.q = [sp.Symbol(f"q{k}") for k in range(len(self.old))]
        order = self.random.sample(range(len(self.q)), len(self.q))
        new = dict(zip(self.old, self.q, strict=True))
        for i, k in enumerate(order[:-1]):
            if self.random.random() < 0.4:
                a, b = (self.q[self.random.choice(order[i + 1 :])] for _ in range(2))
                factor = sp.Rational(self.random.randint(1, 4), 10)
                new[self.old[k]] += factor * self.random.choice([a * b, sp.sin(a), sp.cos(b), a**2])
        if self.random.random() < 0.35:
            new[self.random.choice(self.old)] += self.random.choice([sp.sin(T), T, T * self.random.choice(self.q)])
        put_in = lambda of: sp.sympify(of).subs(new, simultaneous=True)
        self.held = [put_in(residual) for residual in held]
        self.rows = []
        for form, is_holonomic in rows:
            along = lambda symbol, form=form: sum(put_in(entry) * sp.diff(new[x], symbol) for x, entry in form.items())
            self.rows.append(([along(q) for q in self.q], along(T), is_holonomic))

    def model(self):
        self.values = [round(self.random.uniform(0.2, 0.9), 3) for _ in self.q]
        text = lambda expression: str(expression).replace("**", "^")
        lines = ["dalembert = 1", "[coordinates]"]
        priority = "guess" if self.held else "must"
        lines += [f'{q} = {{ value = {value}, priority = "{priority}" }}' for q, value in zip(self.q, self.values, strict=True)]
        lines += ["[energy]", 'kinetic = "' + " + ".join(f"{q}'^2/2" for q in self.q) + '"']
        for k, residual in enumerate(self.held):
            lines += [f"[constraint.p{k}]", f'holds = "{text(residual)} = 0"']
        for k, (entries, drift, _) in enumerate(self.rows):
            terms = [f"({text(entry)})*{q}'" for q, entry in zip(self.q, entries, strict=True) if entry != 0]
            lines += [f"[constraint.v{k}]", f'holds = "{" + ".join([*terms, f"({text(drift)})"])} = 0"']
        return "\n".join(lines) + "\n"

    def point(self, t):
        """A point beside the start on the rows of positions."""
        x = np.array(self.values) * (1 + 0.1 * np.array([self.random.uniform(-1, 1) for _ in self.values]))
        if self.held:
            residual, slopes = (sp.lambdify([self.q, T], it) for it in (self.held, sp.Matrix(self.held).jacobian(self.q)))
            for _ in range(60):
                x = x - np.linalg.lstsq(np.array(slopes(x, t), float), np.array(residual(x, t), float), rcond=None)[0]
        return x

    def reached(self, t=0.37):
        """Growth, rows that vanish on what is reached, and whether all rows are independent; time is a variable that goes its own way."""
        variables = [*self.q, T]
        rows = [[sp.diff(residual, x) for x in variables] for residual in self.held]
        rows += [[*entries, drift] for entries, drift, _ in self.rows]
        space = Space(len(variables), BRACKETS)
        functions = {name: getattr(Taylor, name) for name in ("sin", "cos", "exp")}
        at = sp.lambdify([variables], rows, modules=[functions], cse=True)
        found = at([space.variable(k, value) for k, value in enumerate([*self.point(t), t])])
        rows = [[entry if isinstance(entry, Taylor) else space.constant(float(entry)) for entry in row] for row in found]
        growth, basis, rank = reached(rows, space)
        number = lambda row: np.array([entry.terms[0] for entry in row])
        vanishes = [np.abs(basis @ number(row)).max() < 1e-6 * np.linalg.norm(number(row)) for row in rows[len(self.held) :]]
        return [n - 1 for n in growth], vanishes, rank == len(rows)


class Seen:
    def __init__(self, seed, folder):
        system = Pfaffian(seed)
        self.found, self.tally, self.models = [], Counter(), {"model": system.model()}
        growth, vanishes, independent = system.reached()
        known = [is_holonomic for *_, is_holonomic in system.rows]
        if not independent:
            self.tally["rows that depend on each other"] += 1
            return
        freedoms = len(system.q) - len(system.held) - system.integrals
        if vanishes != known or growth[-1] != freedoms:
            self.found.append(f"made to be {known} of {freedoms}, computed as {vanishes} of {growth}")
        path = f"{folder}/{seed}.toml"
        with open(path, "w") as file:
            file.write(self.models["model"])
        result, _ = command("check", path, "--json")
        if result.returncode:
            self.found.append(result.stderr[:300])
            return
        report = json.loads(result.stdout)
        said = [row["holonomic"] for row in report["constraints"] if row["level"] == "velocity"]
        for row, (is_said, is_known) in enumerate(zip(said, known, strict=True)):
            self.tally["rows not decided" if is_said is None else "rows decided"] += 1
            if is_said is not None and is_said != is_known:
                self.found.append(f"row {row} is said to be {is_said}")
        proved = report["counts"].get("position_freedoms")
        if proved is not None and (proved != freedoms or report["growth"] != growth):
            self.found.append(f"{proved} freedoms of {report['growth']}, not {freedoms} of {growth}")


def look(seed, folder):
    return Seen(seed, folder)


if __name__ == "__main__":
    main(look)
