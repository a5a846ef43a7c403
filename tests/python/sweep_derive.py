"""Random constrained systems: what `derive` prints and `eval` computes against a derivation in Python.

A sample runs with the other tests; how to run more is in `sweep.py`.

For each system, at two consistent states found in fifty digits: every printed equation, dependent speed, multiplier and
matrix, by every formulation, must hold for the accelerations and multipliers of `mechanics.py`; the printed equations must
determine the accelerations, and `independent` must have as many as the rank says; `eval` must give the same accelerations,
and the same multipliers where they are unique.
"""

from collections import Counter
from pathlib import Path

import numpy
from conftest import THOROUGH
from formulas import Undefined, value
from mechanics import Equations, independent_rows
from mpmath import mp, mpf
from sweep import code, dalembert, main
from systems import Maker

FORMS = ["multipliers", "udwadia-kalaba", "projection", "complement", "independent", "lagrange"]
ZERO = mpf(10) ** -28  # of residuals, where all numbers are of the order of one
SECONDS = 60 if THOROUGH else 8  # of the processor, for one command


class Check:
    """Contradictions of one system."""

    def __init__(self, system, folder):
        self.system, self.folder = system, folder
        self.found, self.refused, self.tally = [], [], Counter()
        self.path = Path(folder) / "model.toml"
        self.models = {"derive": system.model()}

    def contradiction(self, what, *details):
        self.found.append(f"{what}: " + "; ".join(map(str, details)))

    def states(self, extra):
        """Consistent states in fifty digits: near the start, and elsewhere."""
        states = []
        for k in range(1 + extra):
            sign = lambda name: -1 if (k and hash_of(name, k) % 2) else 1
            shift = mpf(k) / 7
            q = {name: sign(name) * mpf(v) + shift for name, v in self.system.coordinates.items()}
            qd = {name: sign(name + "'") * mpf(v) - shift for name, v in self.system.rates.items()}
            try:
                state = self.system.settle(q, qd)
                if state and not self.kink(*state):
                    states.append(self.system.equations(*state))
            except (Undefined, ZeroDivisionError):
                pass
        return states

    def run(self, extra=2, forms=FORMS):
        self.path.write_text(self.models["derive"])
        now, message = dalembert("eval", self.path, "--json", seconds=SECONDS)
        if now is None:
            self.tally[f"eval refused {code(message)}"] += 1
            if code(message) == "panic":
                self.contradiction("eval", message[-300:])
            if code(message) == "E0509":
                start = self.states(0)
                if start:
                    where = {name: mp.nstr(v, 8) for name, v in (start[0].q | {f"{a}'": v for a, v in start[0].qd.items()}).items()}
                    self.contradiction("eval finds no start", message[:200], "there is one", where)
            return self
        start = self.start(now)
        if start is None:
            return self
        self.counts(start)
        states = [start] + self.states(extra)[1:]
        for form in forms:
            page, message = dalembert("derive", self.path, "--json", "--formulation", form, seconds=SECONDS)
            if page is None:
                self.tally[f"{form} refused {code(message)}"] += 1
                if code(message) == "panic":
                    self.contradiction(f"derive {form}", message[-300:])
                if code(message) == "E0608":  # its own numbers contradict it: nothing false is printed, but nothing else either
                    self.refused.append(f"{form}: {message.splitlines()[0]}")
                continue
            self.tally[form] += 1
            self.page(form, page, states, start)
        return self

    def kink(self, q, qd):
        """Where a jump may be at its place, there is no derivative to speak of."""
        jumps = any(word in self.path.read_text() for word in ("abs(", "sign(", "max(", "min("))
        return jumps and any(v == 0 for v in (q | {f"{a}'": v for a, v in qd.items()}).values())

    def counts(self, start):
        """The rank by `check`."""
        report, message = dalembert("check", self.path, "--json", seconds=SECONDS)
        if report is None:
            self.tally[f"check refused {code(message)}"] += 1
            if code(message) == "panic":
                self.contradiction("check", message[-300:])
            return
        self.tally["check"] += 1
        if report["counts"]["rank"] != start.rank:
            self.contradiction("check: rank", report["counts"]["rank"], "is", start.rank)

    def start(self, now):
        """`eval` against the derivation here; the state of the start."""
        q = {name: mpf(v) for name, v in now["coordinates"].items()}
        qd = {name: mpf(v) for name, v in now["rates"].items()}
        t = mpf(now["t"])
        try:
            state = self.system.settle(q, qd, t)
            if state is None:
                self.tally["start not found here"] += 1
                return None
            if self.kink(*state):
                self.tally["start at a kink"] += 1
                return None
            moved = max(abs(state[0][name] - q[name]) + abs(state[1][name] - qd[name]) for name in q)
            equations = self.system.equations(*state, t)
            acceleration, multipliers = equations.motion()
        except (Undefined, ZeroDivisionError, ValueError) as error:
            self.tally[f"no motion here: {error}"[:60]] += 1
            self.contradiction("eval has an answer where there is none", error)
            return None
        if moved > 1e-9:
            self.contradiction("eval's state is off the rows", mp.nstr(moved, 5))
        size = 1 + max(abs(a) for a in acceleration)
        # Doubles at a badly conditioned state are as good as the condition lets them be.
        loose = 1e-9 * (1 + condition(equations))
        for i, name in enumerate(q):
            if abs(acceleration[i] - mpf(now["accelerations"][name])) > loose * size:
                self.contradiction(f"eval: {name}''", now["accelerations"][name], "is", mp.nstr(acceleration[i], 15))
        unique = self.unique(equations)
        size = 1 + max((abs(x) for x in multipliers), default=mpf(0))
        told = set((now.get("not_unique") or {}).get("rows", []))
        for i, row in enumerate(self.system.rows):
            said = now["multipliers"].get(row.name)
            if unique[i] and said is not None and abs(multipliers[i] - mpf(said)) > loose * size:
                self.contradiction(f"eval: lambda({row.name})", said, "is", mp.nstr(multipliers[i], 15))
            if unique[i] == (row.name in told) and not row.enforced_by:
                self.contradiction(f"eval: lambda({row.name}) unique" if not unique[i] else f"eval: lambda({row.name}) not unique", told)
        self.tally["eval"] += 1
        return equations

    @staticmethod
    def unique(equations):
        """Which multipliers are determined: row i adds to the rank of the others."""
        unique = []
        for i in range(len(equations.b)):
            others = [row for j, row in enumerate(equations.A) if j != i]
            unique.append(len(independent_rows(others)) < equations.rank)
        return unique

    def page(self, form, page, states, start):
        proved = form in page.get("proved", [])
        label = f"derive {form}{' (proved)' if proved else ''}"
        for number, equations in enumerate(states):
            at = "the start" if equations is start else f"state {number}"
            try:
                acceleration, multipliers = equations.motion()
            except (ValueError, ZeroDivisionError):
                self.tally["state without motion"] += 1
                continue
            values = equations.values(acceleration, multipliers)
            try:
                for name, text in page["shorthands"].items():
                    values[name] = value(text, values)
                self.dependents(label, at, page, values)
                self.hold(label, at, page, values)
                if equations.rank == start.rank and number in (0, len(states) - 1):
                    self.freedoms(label, at, form, page, values, equations)
                self.multipliers(label, at, page, values, equations, multipliers)
                self.matrices(label, at, page, values, equations, start)
            except Undefined as error:
                if equations is start:
                    self.contradiction(f"{label}: undefined at {at}", error, "nonzero:", page["nonzero"])
                else:
                    self.tally["undefined elsewhere"] += 1
            except KeyError as error:
                self.contradiction(f"{label}: unknown name", error)
                break
            except RecursionError:  # Python reads no sum of ten thousand terms
                self.tally["too long to be read"] += 1
                break

    def dependents(self, label, at, page, values):
        chosen = page.get("independent") or {}
        for name, text in (chosen.get("dependent") or {}).items():
            if isinstance(text, dict):
                text = text.get("expr")
            if text is None:
                continue
            says = value(text, values)
            if name in values and abs(says - values[name]) > ZERO * (1 + abs(says)):
                self.contradiction(f"{label}: {name} = {text[:80]} at {at}", mp.nstr(says, 8), "is", mp.nstr(values[name], 8))

    def hold(self, label, at, page, values):
        for equation in page["equations"]:
            left, right = value(equation["left"], values), value(equation["right"], values)
            if abs(left - right) > ZERO * (1 + abs(left) + abs(right)):
                self.contradiction(f"{label}: {equation['left'][:90]} = {equation['right'][:90]} at {at}", mp.nstr(left, 10), mp.nstr(right, 10))

    def freedoms(self, label, at, form, page, values, equations):
        """The equations must determine the motion: their derivatives by accelerations and multipliers, or for a row that is
        printed as it stands by rates or coordinates, leave no acceleration open."""
        if any(c is not None for c in equations.c):
            return
        names = list(equations.q)
        free = len(names) - equations.rank
        if form == "independent":
            picked = (page.get("independent") or {}).get("speeds") or []
            if len(page["equations"]) != free or len(picked) != free:
                self.contradiction(f"{label}: {len(page['equations'])} equations, independent {picked} at {at}", f"{free} freedoms")
        step = mpf(10) ** -20
        acceleration = numpy.array([values[f"{name}''"] for name in names], dtype=object)
        multipliers = [values[f"lambda({row.name})"] for row in self.system.rows]

        def residuals(level, i, size):
            q, qd, qdd, forces = dict(equations.q), dict(equations.qd), acceleration.copy(), list(multipliers)
            if level == 0:
                q[names[i]] += size
            elif level == 1:
                qd[names[i]] += size
            elif level == 2:
                qdd[i] += size
            else:
                forces[i] += size
            moved = Equations(self.system, q, qd, equations.t, *equations.parts()).values(qdd, forces)
            for short, text in page["shorthands"].items():
                moved[short] = value(text, moved)
            return [value(e["left"], moved) - value(e["right"], moved) for e in page["equations"]]

        def derivatives(level, count):
            columns = []
            for i in range(count):
                if level >= 2:  # linear
                    columns.append(residuals(level, i, mpf(1)))
                    continue
                up, down = residuals(level, i, step), residuals(level, i, -step)
                columns.append([(a - b) / (2 * step) for a, b in zip(up, down)])
            return columns

        tiny = mpf(10) ** -18
        by_acceleration, by_multiplier = derivatives(2, len(names)), derivatives(3, len(multipliers))
        for level in (1, 0):
            plain = [k for k in range(len(page["equations"])) if all(abs(c[k]) < tiny for c in by_acceleration + by_multiplier)]
            if plain:
                for i, column in enumerate(derivatives(level, len(names))):
                    for k in plain:
                        by_acceleration[i][k] = column[k]
        if form == "independent":  # the rest is said by the dependent speeds
            for row in equations.A:
                for i in range(len(names)):
                    by_acceleration[i].append(row[i])
                for column in by_multiplier:
                    column.append(mpf(0))
        count = len(by_acceleration[0])
        sizes = [max(abs(c[k]) for c in by_acceleration + by_multiplier) or mpf(1) for k in range(count)]
        rank = lambda columns: len(independent_rows([[c[k] / sizes[k] for k in range(count)] for c in columns], tiny))
        determined = rank(by_acceleration + by_multiplier) - (rank(by_multiplier) if by_multiplier else 0)
        if determined != len(names):
            self.contradiction(f"{label}: equations determine {determined} of {len(names)} accelerations at {at}")

    def multipliers(self, label, at, page, values, equations, multipliers):
        given = {}
        for name, entry in (page.get("multipliers") or {}).items():
            text = entry if isinstance(entry, str) or entry is None else entry.get("expr")
            if text is not None:
                given[name] = value(text, values)
        unique = self.unique(equations)
        for i, row in enumerate(self.system.rows):
            if row.name in given and unique[i] and abs(given[row.name] - multipliers[i]) > ZERO * (1 + abs(multipliers[i])):
                self.contradiction(f"{label}: lambda({row.name}) at {at}", mp.nstr(given[row.name], 10), "is", mp.nstr(multipliers[i], 10))
        if len(given) == len(self.system.rows) and given:
            says = sum(equations.E[i] * given[row.name] for i, row in enumerate(self.system.rows))
            right = sum(equations.E[i] * multipliers[i] for i in range(len(self.system.rows)))
            if max(abs(e) for e in says - right) > ZERO * (1 + max(abs(e) for e in right)):
                self.contradiction(f"{label}: printed multipliers give another force at {at}", {k: mp.nstr(v, 8) for k, v in given.items()})

    def matrices(self, label, at, page, values, equations, start):
        """A D = 0 with as many columns as freedoms; M and A as here where speeds are rates."""
        matrices = page.get("matrices") or {}
        D = matrices.get("D")
        if D is not None and equations.rank == start.rank and not self.system.speeds:
            D = numpy.array([[value(text, values) for text in row] for row in D], dtype=object)
            free = len(equations.h) - equations.rank
            columns = D.shape[1] if D.ndim == 2 else 0
            if columns != free:
                self.contradiction(f"{label}: D has {columns} columns at {at}", f"{free} freedoms")
            elif free:
                worst = max(abs(e) for e in (equations.A @ D).flatten()) if len(equations.A) else 0
                if worst > ZERO * (1 + max(abs(e) for e in D.flatten())):
                    self.contradiction(f"{label}: A D is not 0 at {at}", mp.nstr(worst, 5))
                if len(independent_rows(D.T)) != free:
                    self.contradiction(f"{label}: columns of D depend on each other at {at}")
        if self.system.speeds:
            return
        for name, right in (("M", equations.M), ("A", equations.A)):
            texts = matrices.get(name)
            if not texts or len(texts) != len(right):
                continue
            for i, row in enumerate(texts):
                for j, text in enumerate(row):
                    says = value(text, values)
                    if abs(says - right[i][j]) > ZERO * (1 + abs(says)):
                        self.contradiction(f"{label}: {name}[{i}][{j}] = {text[:80]} at {at}", mp.nstr(says, 10), "is", mp.nstr(right[i][j], 10))


def condition(equations):
    """How much rounding grows: a bound by the entries of the inverse of the bordered matrix, roughly."""
    A = numpy.array([[float(e) for e in equations.A[i]] for i in equations.independent], dtype=float).reshape(equations.rank, len(equations.h))
    E = numpy.array([[float(e) for e in equations.E[i]] for i in equations.independent], dtype=float).reshape(equations.rank, len(equations.h))
    M = numpy.array([[float(e) for e in row] for row in equations.M], dtype=float)
    K = numpy.block([[M, -E.T], [A, numpy.zeros((equations.rank, equations.rank))]])
    return 1e-4 * numpy.linalg.cond(K)


def hash_of(name, k):
    return sum(ord(c) * (i + 1) for i, c in enumerate(name)) * (2 * k + 1) // 3


def look(seed, folder):
    check = Check(Maker(seed).system(), folder).run()
    if check.found:
        # pages of very large powers need more digits to be read
        with mp.workdps(150):
            check = Check(Maker(seed).system(), folder).run()
    return check


if __name__ == "__main__":
    main(look)
