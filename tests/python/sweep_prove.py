"""Random equations, true and false: what `prove` says of them.

A sample runs with the other tests; how to run more is in `sweep.py`.

Equations are derived by SymPy (Lagrange with multipliers), combined and rewritten; false ones differ by as little as 1e-20 of
one term, or only beyond a jump, or belong to another branch. The truth is known by construction and confirmed in fifty digits at
states of many signs and sizes. A false equation must never be proved, a true one never be refuted, and the state
that refutes must refute; "not proved" is allowed, and counted.
"""

import json
import re
from collections import Counter
from pathlib import Path

import sympy
from formulas import Undefined, python, value
from mechanics import System
from mpmath import mp, mpf
from sweep import code, command, main
from systems import Maker

PER_MODEL = 10


class Symbols:
    """Texts of a system as SymPy expressions: x, x' and x'' are plain symbols."""

    class F:
        sin, cos, tan, asin, acos, atan = sympy.sin, sympy.cos, sympy.tan, sympy.asin, sympy.acos, sympy.atan
        sinh, cosh, tanh, exp, log, sqrt = sympy.sinh, sympy.cosh, sympy.tanh, sympy.exp, sympy.log, sympy.sqrt
        abs, sign, max, min, atan2 = sympy.Abs, sympy.sign, sympy.Max, sympy.Min, sympy.atan2

        @staticmethod
        def smooth_sign(u, width):
            return sympy.tanh(u / width)

    def __init__(self, system):
        self.system = system
        real = lambda name: sympy.Symbol(name, real=True)
        self.names = list(system.coordinates)
        self.v = {"t": real("t"), "pi": sympy.pi}
        self.v |= {name: sympy.Symbol(name, positive=True) for name in system.parameters}
        for name in self.names:
            for primes, ending in (("", ""), ("'", "_1"), ("''", "_2")):
                self.v[name + primes] = real(name + ending)
        self.q = [self.v[name] for name in self.names]
        self.qd = [self.v[f"{name}'"] for name in self.names]
        self.qdd = [self.v[f"{name}''"] for name in self.names]
        self.multipliers = [real(f"lambda_{row.name}") for row in system.rows]

    def read(self, text):
        return eval(python(text), {"N": lambda text: sympy.Rational(text), "F": self.F, "v": self.v})

    def diff(self, expression, symbol):
        """Jumps have no derivative where they are."""
        return (
            sympy.diff(expression, symbol)
            .replace(sympy.DiracDelta, lambda *_: sympy.Integer(0))
            .replace(sympy.Heaviside, lambda u, *_: (1 + sympy.sign(u)) / 2)
        )

    def rate(self, expression):
        chain = sum((self.diff(expression, a) * b for a, b in zip(self.q + self.qd, self.qd + self.qdd)), sympy.Integer(0))
        return chain + self.diff(expression, self.v["t"])

    def text(self, expression):
        """In the language of models."""
        text = sympy.sstr(expression)
        text = re.sub(r"lambda_(\w+)", r"lambda(\1)", text)
        text = re.sub(r"\b([a-z]+)_2\b", r"\1''", text)
        text = re.sub(r"\b([a-z]+)_1\b", r"\1'", text)
        return text.replace("**", "^").replace("Abs(", "abs(").replace("Max(", "max(").replace("Min(", "min(")

    def derive(self):
        """Equations of motion with multipliers, sides apart: expressions that vanish."""
        s = self.system
        T, V, force = sympy.Integer(0), sympy.Integer(0), [sympy.Integer(0)] * len(self.q)
        for mass, place in s.particles.values():
            place = [self.read(text) for text in place]
            T += self.read(mass) / 2 * sum(self.rate(p) ** 2 for p in place)
            if s.gravity:
                V += self.read(mass) * self.read(s.gravity) * place[1]
        if s.kinetic:
            T += self.read(s.kinetic)
        if s.potential:
            V += self.read(s.potential)
        for terms in s.forces.values():
            for name, text in terms.items():
                force[self.names.index(name)] += self.read(text)
        if s.dissipation:
            force = [f - self.diff(self.read(s.dissipation), v) for f, v in zip(force, self.qd)]
        self.T, self.V, self.force = T, V, force
        free = [self.rate(self.diff(T, v)) - self.diff(T - V, x) - f for x, v, f in zip(self.q, self.qd, force)]
        self.rows, self.A, self.b = [], [], []
        for row in s.rows:
            r = self.read(row.left) - self.read(row.right)
            self.rows.append(r)
            first = self.rate(r) if row.level == 0 else r
            self.A.append([self.diff(first, v) for v in self.qd])
        self.free = free
        self.bound = [e - sum((self.A[i][j] * self.multipliers[i] for i in range(len(self.A))), sympy.Integer(0)) for j, e in enumerate(free)]


class ProveMaker(Maker):
    """Smaller systems, whose equations SymPy derives in no time."""

    def system(self):
        r = self.random
        n = r.choice([1, 2, 2, 3])
        names = r.sample(["x", "y", "z", "th"], n)
        parameters = {"m": self.number(), "k": self.number(), "l": self.number(0.8, 1.5), "g": "9.81"}
        s = System(f"random system {self.seed}", parameters, {a: self.signed() for a in names}, {a: self.signed() for a in names})
        style = r.choice(["particle", "energy", "pendulum"]) if n > 1 else r.choice(["energy", "bead"])
        if style == "particle":
            s.particles["P"] = ("m", tuple((names + ["0", "0"])[:3]))
        elif style == "bead":
            s.particles["P"] = ("m", (f"l*cos({names[0]})", f"l*sin({names[0]})", f"{names[0]}"))
        elif style == "pendulum":
            s.particles["P"] = ("m", (names[0], "0", "0"))
            s.particles["Q"] = ("k", (f"{names[0]} + l*sin({names[1]})", f"-l*cos({names[1]})", "0"))
            s.kinetic = " + ".join(f"m/2*{a}'^2" for a in names[2:]) or None
        else:
            s.kinetic = " + ".join(f"{self.number()}*m/2*{a}'^2" for a in names)
            if n > 1:
                s.kinetic += f" + 0.1*m*cos({names[0]})*{names[0]}'*{names[1]}'"
        if s.particles and self.chance(0.6):
            s.gravity = "g"
        self.loads(s, names)
        s.springs, s.pushes = {}, {}
        for i in range(r.randint(0, n - 1)):
            s.rows.append(self.row(s, f"c{i}", names))
        return s

    def row(self, s, name, names):
        while True:
            row = super().row(s, name, names)
            if row.level < 2 and "l^2*(" not in row.right:
                return row


class Prove:
    """Equations of one system and the verdicts."""

    def __init__(self, seed, folder):
        self.maker = ProveMaker(seed)
        self.random = self.maker.random
        self.system = self.maker.system()
        self.folder = Path(folder)
        self.found, self.tally, self.models = [], Counter(), {"prove": self.system.model()}

    def states(self):
        """Consistent states of many signs and sizes."""
        states = []
        names = list(self.system.coordinates)
        for k in range(16):
            size, speed = [(1, 1), (1, 1), (3, 1), (1, 30), (400, 3), (2, 400), (2000, 100), (1, 2)][k % 8]
            try:
                time = mpf(0 if k < 4 else self.random.uniform(0, size))
                state = self.system.settle(
                    {a: mpf(self.random.uniform(-size, size)) for a in names}, {a: mpf(self.random.uniform(-speed, speed)) for a in names}, time
                )
                if state is None:
                    continue
                equations = self.system.equations(*state, time)
                if equations.rank < len(self.system.rows):
                    continue
                values = equations.values(*equations.motion())
                if max(abs(v) for v in values.values()) < 1e9:
                    states.append(values)
            except (Undefined, ZeroDivisionError, ValueError):
                continue
        return states

    def equations(self, symbols):
        """(text of an equation, true or false by construction)."""
        r = self.random
        symbols.derive()
        true = [e for e in symbols.bound]
        for row, e in zip(self.system.rows, symbols.rows):
            true.append(e)
            true.append(symbols.rate(e))
            if row.level == 0:
                true.append(symbols.rate(symbols.rate(e)))
        if len(symbols.rows) == 1 and len(symbols.q) > 1:
            i, j = r.sample(range(len(symbols.q)), 2)
            true.append(symbols.A[0][j] * symbols.free[i] - symbols.A[0][i] * symbols.free[j])
        if not symbols.rows:
            M = sympy.Matrix([[sympy.diff(e, a) for a in symbols.qdd] for e in symbols.free])
            rest = sympy.Matrix([e.subs({a: 0 for a in symbols.qdd}) for e in symbols.free])
            solved = M.LUsolve(-rest)
            true += [a - s for a, s in zip(symbols.qdd, solved)]
            i = r.randrange(len(symbols.qdd))
            true.append(sympy.sign(symbols.qdd[i]) - sympy.sign(solved[i]))
            true.append(sympy.Abs(symbols.qdd[i]) - sympy.sign(solved[i]) * solved[i])
        for _ in range(3):
            a, b = r.choice(true), r.choice(true)
            factor = symbols.read(self.maker.factor(list(self.system.coordinates), 0.3))
            true.append(a * factor + b * r.choice([symbols.q, symbols.qd])[0])
        chosen = []
        for _ in range(PER_MODEL):
            e = r.choice(true)
            e = self.rewrite(e)
            if self.maker.chance(0.5):
                chosen.append((self.sides(symbols, e), True))
            else:
                chosen.append((self.sides(symbols, self.spoil(symbols, e)), False))
        return chosen

    def rewrite(self, e):
        way = self.random.choice(["none", "expand", "together", "trig", "half", "factor"])
        if e.count_ops() > 150:
            return e
        if way == "expand":
            return sympy.expand(e)
        if way == "together":
            return sympy.together(e)
        if way == "trig":
            return sympy.expand(e).replace(
                lambda u: u.is_Pow and u.exp == 2 and isinstance(u.base, sympy.sin), lambda u: 1 - sympy.cos(u.base.args[0]) ** 2
            )
        if way == "half":
            return e.replace(sympy.sin, lambda u: 2 * sympy.sin(u / 2) * sympy.cos(u / 2))
        if way == "factor":
            return sympy.factor_terms(e)
        return e

    def spoil(self, symbols, e):
        """A term more that is not zero everywhere on the motions."""
        r = self.random
        pick = lambda: r.choice([symbols.q, symbols.qd, symbols.qdd, symbols.multipliers or symbols.qdd, [symbols.v["t"]]])
        a = r.choice(pick())
        size = sympy.Rational(10) ** -r.choice([0, 1, 3, 6, 9, 12, 15, 17, 18, 19, 20])
        way = r.choice(["small", "small", "small", "jump", "jump", "corner", "term"])
        if way == "term":
            terms = sympy.Add.make_args(sympy.expand(e)) if e.count_ops() < 100 else sympy.Add.make_args(e)
            return e + size * r.choice(terms)
        if way == "small":
            return e + size * r.choice([a, a**2, sympy.cos(a), sympy.Integer(1)])
        if way == "jump":
            place = sympy.Rational(r.choice(["1000", "100", "5", "-5", "-300"]))
            other = sympy.sign(a - place) + (1 if place > 0 else -1)
            return e + other * r.choice([sympy.Integer(1), size, a])
        return e + size * r.choice([sympy.Abs(a) - a, sympy.Max(a - 50, 0), sympy.Min(a + 50, 0), sympy.Abs(a) + a])

    def sides(self, symbols, e):
        """left = right, a few terms on each side."""
        terms = list(sympy.Add.make_args(e))
        self.random.shuffle(terms)
        cut = self.random.randint(0, len(terms))
        left, right = sympy.Add(*terms[:cut]), sympy.Add(*[-term for term in terms[cut:]])
        return f"{symbols.text(left)} = {symbols.text(right)}"

    def contradiction(self, what, *details):
        self.found.append(f"{what}: " + "; ".join(map(str, details)))

    def run(self):
        states = self.states()
        if len(states) < 3:
            self.tally["no states"] += 1
            return self
        try:
            equations = self.equations(Symbols(self.system))
        except (TypeError, ValueError, ZeroDivisionError) as error:
            self.tally[f"not derived: {type(error).__name__}"] += 1
            return self
        checked = []
        for text, true in equations:
            wrong = self.fails(text, states)
            if wrong is None or (true and wrong):
                # not defined, or the derivation here is not to be trusted there
                self.tally["equation without a truth"] += 1
                if wrong:
                    self.tally["derivations disagree"] += 1
                continue
            checked.append((text, true, wrong))
        if checked:
            self.ask(checked)
        return self

    def fails(self, text, states):
        """A state at which the equation fails; False where it holds at all, None where it has no value."""
        left, right = text.split(" = ")
        defined = 0
        for values in states:
            try:
                a, b = value(left, values), value(right, values)
                defined += 1
            except (Undefined, KeyError):
                continue
            if abs(a - b) > mpf(10) ** -30 * (1 + abs(a) + abs(b)):
                return values
        return False if defined else None

    def ask(self, checked):
        model, file = self.folder / "model.toml", self.folder / "equations.txt"
        model.write_text(self.models["prove"])
        file.write_text("".join(f"{text}\n" for text, _, _ in checked))
        result, late = command("prove", model, "--equations", file, "--json")
        if late:
            self.tally["timeout"] += 1
            self.contradiction("prove", "timeout")
            return
        if not result.stdout:
            self.tally[f"refused {code(result.stderr)}"] += 1
            if code(result.stderr) == "panic":
                self.contradiction("prove", result.stderr[-300:])
            return
        for (text, true, wrong), said in zip(checked, json.loads(result.stdout)["equations"]):
            verdict = said["verdict"]
            # what was to be false may be true, as where an acceleration is always zero
            kind = "true" if true else "false" if wrong else "not known"
            self.tally[f"{kind}: {verdict}"] += 1
            if verdict == "proved" and wrong:
                self.contradiction("false proof", text, "at", {name: mp.nstr(v, 6) for name, v in wrong.items()})
            if verdict == "refuted":
                if true:
                    self.contradiction("false refutation", text, json.dumps(said["counterexample"]))
                else:
                    self.counterexample(text, said)

    def counterexample(self, text, said):
        """The state shown must refute the equation."""
        shown = said.get("counterexample")
        if not shown:
            return
        try:
            t = mpf(shown["t"])
            state = self.system.settle(shown["coordinates"], shown["rates"], t)
            moved = max(abs(state[0][a] - mpf(shown["coordinates"][a])) for a in state[0])
            if moved > 1e-9 * (1 + max(abs(v) for v in state[0].values())):
                self.contradiction("counterexample off the rows", text, mp.nstr(moved, 5))
                return
            equations = self.system.equations(*state, t)
            values = equations.values(*equations.motion())
            left, right = (value(side, values) for side in text.split(" = "))
        except (Undefined, ZeroDivisionError, ValueError, TypeError) as error:
            self.tally[f"counterexample not checked: {type(error).__name__}"] += 1
            return
        difference = mpf(shown["difference"])
        # A double's place of the state moves the difference by its own part only.
        if abs(left - right - difference) > 1e-5 * abs(difference) + mpf(10) ** -26 * (abs(left) + abs(right)):
            self.contradiction(
                "counterexample does not refute as it says", text, "differs by", mp.nstr(left - right, 10), "says", shown["difference"]
            )
        else:
            self.tally["counterexamples confirmed"] += 1


# Rows whose set has several branches: equations of the start's own branch, and of another.
BRANCHES = [
    # rows, start (x, y, x', y'), true on the branch, false on it
    ("x*y = 0", (0, 1, 0, 1), ["x = 0", "x' = 0", "x'' = 0"], ["y = 0", "y' = 0", "y'' = 0", "x' + y' = 0"]),
    ("x*y = 0", (-2, 0, 1, 0), ["y = 0", "y' = 0", "y'' = 0"], ["x = 0", "x' = 0", "x = -2"]),
    ("(x - 1)*(y + x) = 0", (1, 2, 0, 1), ["x = 1", "x' = 0"], ["x + y = 0", "y' = -x'", "y'' = 0"]),
    ("(x - 1)*(y + x) = 0", (3, -3, 1, -1), ["x + y = 0", "y' = -x'"], ["x = 1", "x' = 0", "x'' = 0"]),
    ("x*y' = 0", (0, 0, 0, 1), [], ["y' = 0", "y'' = 0", "y = 0"]),
    ("x*y' = 0", (1, 0, 1, 0), ["y' = 0", "y'' = 0"], ["x = 0", "x' = 0"]),
    ("x'*y' = 0", (0, 0, 1, 0), ["y' = 0"], ["x' = 0", "x'' = 0"]),
    ("x^2 = y^2", (1, 1, 1, 1), ["x = y", "x' = y'"], ["x = -y", "x' = -y'"]),
    ("x^2 = y^2", (1, -1, 1, -1), ["x = -y", "x'' = -y''"], ["x = y", "x'' = y''"]),
    ("abs(x) = abs(y)", (1, -1, 1, -1), ["x = -y"], ["x = y", "x' = y'"]),
    ("sqrt(x^2) = y", (-1, 1, 1, -1), ["x^2 = y^2"], ["x = y", "x' = y'"]),
    ("y*(y - x^2) = 0", (1, 1, 1, 2), ["y = x^2"], ["y = 0", "y' = 0"]),
    ("y*(y - x^2) = 0", (1, 0, 1, 0), ["y = 0", "y' = 0"], ["y = x^2"]),
]


def branches(folder):
    """False proofs and false refutations on rows with branches."""
    found, tally = [], Counter()
    for potential in ("3*x + y", "x^2/2 + y^2", "sin(x) + 2*y"):
        for row, (x, y, xd, yd), true, false in BRANCHES:
            model = f"""dalembert = 1
[coordinates]
x = {x}
y = {y}
[start]
"x'" = {xd}
"y'" = {yd}
[particle.P]
mass = 1
position = "[x, y, 0]"
[energy]
potential = "{potential}"
[constraint.c]
holds = "{row}"
[run]
span = 1
"""
            path, file = Path(folder) / "branch.toml", Path(folder) / "branch.txt"
            path.write_text(model)
            file.write_text("\n".join(true + false) + "\n")
            result, _ = command("prove", path, "--equations", file, "--json")
            if not result.stdout:
                tally[f"branch refused {code(result.stderr)}"] += 1
                continue
            for text, said in zip(true + false, json.loads(result.stdout)["equations"]):
                kind = "true" if text in true else "false"
                tally[f"branch {kind}: {said['verdict']}"] += 1
                if kind == "false" and said["verdict"] == "proved":
                    found.append(f"false proof: {text} of {row} from {(x, y, xd, yd)} with V = {potential}")
                if kind == "true" and said["verdict"] == "refuted":
                    found.append(f"false refutation: {text} of {row} from {(x, y, xd, yd)} with V = {potential}: {said['counterexample']}")
    return found, tally


def look(seed, folder):
    """About ten equations of one system."""
    return Prove(seed, folder).run()


if __name__ == "__main__":
    main(look)
