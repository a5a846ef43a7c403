"""Random constrained systems: what `derive` prints and `eval` computes against a derivation in Python.

A sample runs with the other tests; DALEMBERT_THOROUGH=1, or `python sweep_derive.py FIRST COUNT`, runs the long sweep.

For each system, at two consistent states found in fifty digits: every printed equation, dependent speed, multiplier and
matrix, by every formulation, must hold for the accelerations and multipliers of `mechanics.py`; the printed equations must
determine the accelerations, and `independent` must have as many as the rank says; `eval` must give the same accelerations,
and the same multipliers where they are unique.
"""

import json
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import numpy
from conftest import DALEMBERT, THOROUGH
from formulas import Undefined, value
from mechanics import Equations, Row, System, independent_rows
from mpmath import mp, mpf

FORMS = ["multipliers", "udwadia-kalaba", "projection", "complement", "independent", "lagrange"]
ZERO = mpf(10) ** -28  # of residuals, where all numbers are of the order of one
SECONDS = 60 if THOROUGH else 8  # of the processor, for one command

# Two spellings of one thing, for every u but perhaps 0.
IDENTITIES = [
    ("cos(atan({u}))", "1/sqrt(1 + ({u})^2)"),
    ("sin(atan({u}))", "({u})/sqrt(1 + ({u})^2)"),
    ("sqrt(({u})^2)", "abs({u})"),
    ("abs({u})*sign({u})", "({u})"),
    ("exp(log(1 + ({u})^2))", "(1 + ({u})^2)"),
    ("log(exp({u}))", "({u})"),
    ("cos(acos(tanh({u})))", "tanh({u})"),
    ("tan(asin(sin({u})/2))", "sin({u})/sqrt(4 - sin({u})^2)"),
    ("sin(2*({u}))", "2*sin({u})*cos({u})"),
    ("tan(({u})/2)", "sin({u})/(1 + cos({u}))"),
    ("cos({u})", "(1 - 2*sin(({u})/2)^2)"),
    ("tanh({u})", "(exp(2*({u})) - 1)/(exp(2*({u})) + 1)"),
    ("sinh({u})", "(exp({u}) - exp(-({u})))/2"),
    ("max({u}, -({u}))", "abs({u})"),
    ("max({u}, 0)", "(abs({u}) + ({u}))/2"),
    ("exp(2*log(abs({u})))", "({u})^2"),
    ("sqrt(exp({u}))", "exp(({u})/2)"),
    ("sqrt(1 - sin({u})^2)", "abs(cos({u}))"),
    ("({u})/abs({u})", "sign({u})"),
    ("atan(sinh({u}))", "2*atan(tanh(({u})/2))"),
    ("cosh(log(2 + ({u})^2))", "((2 + ({u})^2) + 1/(2 + ({u})^2))/2"),
    ("sin(3*({u}))", "(3*sin({u}) - 4*sin({u})^3)"),
    ("1", "(sin({u})^2 + cos({u})^2)"),
    ("min({u}, 1 + ({u})^2)", "({u})"),
    ("sign({u})*sign({u})", "1"),
]
# Functions of one argument, defined everywhere.
SHAPES = ["sin({u})", "cos({u})", "({u})^2", "tanh({u})", "exp(-({u})^2)", "atan({u})", "sqrt(1 + ({u})^2)", "({u})", "1/(2 + cos({u}))"]
JUMPS = ["abs({u})", "sign({u})", "max({u}, 0)", "min({u}, 0.3)", "({u})*abs({u})", "smooth_sign({u}, 0.1)"]


class Maker:
    """One random system from a seed."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.seed = seed

    def number(self, low=0.3, high=2.0):
        return f"{self.random.uniform(low, high):.2f}"

    def signed(self):
        return self.random.choice(["", "-"]) + self.number()

    def pick(self, items, count=1):
        return self.random.sample(list(items), count)

    def chance(self, p):
        return self.random.random() < p

    def argument(self, coordinates):
        """Something simple of the coordinates."""
        r = self.random
        a = r.choice(coordinates)
        if self.chance(0.6) or len(coordinates) == 1:
            return a if self.chance(0.7) else f"{self.number()}*{a}"
        b = r.choice([c for c in coordinates if c != a])
        return f"{a} {r.choice('+-')} {b}"

    def factor(self, coordinates, jumps=0.1):
        shapes = JUMPS if self.chance(jumps) else SHAPES
        return self.random.choice(shapes).format(u=self.argument(coordinates))

    def system(self):
        r = self.random
        n = r.choice([2, 3, 3, 3, 4, 4, 5])
        names = r.sample(["x", "y", "z", "u", "th", "psi"], n)
        parameters = {"m": self.number(), "k": self.number(), "l": self.number(0.8, 1.5), "g": "9.81"}
        s = System(
            f"random system {self.seed}",
            parameters,
            {name: self.signed() for name in names},
            {name: self.signed() for name in names},
        )
        self.masses(s, names)
        self.loads(s, names)
        self.constraints(s, names)
        self.spell(s)
        if self.chance(0.15) and not any(row.enforced_by or row.friction for row in s.rows):
            self.quasi(s, names)
        return s

    def masses(self, s, names):
        r = self.random
        heavy = set()
        style = r.choice(["particle", "particle", "body", "energy", "mixed", "pendulum"])
        if style in ("particle", "mixed"):
            place = (names + ["0"])[:3]
            s.particles["P"] = ("m", tuple(place))
            heavy |= set(place)
        if style == "pendulum":
            a, b = names[0], names[-1]
            s.particles["P"] = ("m", (a, "0", "0"))
            s.particles["Q"] = ("k", (f"{a} + l*sin({b})", f"-l*cos({b})", "0"))
            heavy |= {a, b}
        if style == "body":
            turns = [("z", names[-1])]
            heavy |= {names[-1]}
            if len(names) >= 3 and self.chance(0.5):
                turns.append(("x", names[-2]))
                heavy |= {names[-2]}
            rest = [name for name in names if name not in heavy]
            place = (rest + ["0", "0", "0"])[:3]
            heavy |= set(place)
            s.bodies["B"] = ("m", (self.number(0.8, 1.5), self.number(0.8, 1.5), self.number(0.8, 1.5)), tuple(place), turns)
        if s.particles or s.bodies:
            s.gravity = "g" if self.chance(0.6) else None
        light = [name for name in names if name not in heavy]
        terms = [f"{self.number()}/2*{name}'^2" for name in light]
        if style in ("energy", "mixed") and len(names) > 1:
            a, b = self.pick(names, 2)
            terms += [f"{self.number()}*{a}'^2", f"{self.number()}*{b}'^2", f"0.2*cos({self.argument(names)})*{a}'*{b}'"]
        s.kinetic = " + ".join(terms) or None

    def loads(self, s, names):
        r = self.random
        potentials = []
        for name in names:
            if self.chance(0.4):
                potentials.append(r.choice(["k/2*{u}^2", "-g*cos({u})", "k*{u}", "{u}^4/4"]).format(u=name))
        s.potential = " + ".join(potentials) or None
        if self.chance(0.2):
            s.dissipation = f"{self.number()}/2*{r.choice(names)}'^2"
        if self.chance(0.4):
            a, b = r.choice(names), r.choice(names)
            push = r.choice(
                ["-{c}*{b}'", "{c}*sin(t)", "{c}*{b}", "-{c}*smooth_sign({b}', 0.1)", "-{c}*sign({b}')", "{c}*abs({b})*{b}'", "max({b}, 0)"]
            )
            s.forces["push"] = {a: push.format(c=self.number(), b=b)}
        if "P" in s.particles and self.chance(0.2):
            s.springs["S"] = ("P", ("3", "2", "1"), "k", "l")
        if "P" in s.particles and self.chance(0.2):
            s.pushes["wind"] = ("P", (self.signed(), f"{self.number()}*{r.choice(names)}", "0"))

    def constraints(self, s, names):
        r = self.random
        count = r.randint(1, len(names) - 1)
        for i in range(count):
            s.rows.append(self.row(s, f"c{i}", names))
        if self.chance(0.65):
            for i in range(r.choice([1, 1, 2])):
                copy = self.copy(s, f"d{i}", names)
                if copy:
                    s.rows.append(copy)
        r.shuffle(s.rows)
        if self.chance(0.15) and "P" in s.particles and set(s.particles["P"][1]) - {"0"} == set(names):
            # friction of the particle on a surface that it touches
            plain = [row for row in s.rows if row.level == 0 and row.name.startswith("c")]
            if plain and len(s.rows) == 1:
                plain[0].friction = (self.number(0.05, 0.2), "P")
        elif self.chance(0.1):
            row = r.choice(s.rows)
            if row.name.startswith("c") and not any(other.name.startswith("d") for other in s.rows):
                s.forces["motor"] = {r.choice(names): "1", r.choice(names): r.choice(["1", "2"])}
                row.enforced_by = "motor"
        elif self.chance(0.1):
            row = r.choice(s.rows)
            row.nonideal = {r.choice(names): f"-{self.number()}*{r.choice(names)}'"}

    def spell(self, s):
        """Some rows speak of the particle's place and velocity in place of its coordinates."""
        if "P" not in s.particles:
            return
        place = s.particles["P"][1]
        for row in s.rows:
            if row.level < 2 and self.chance(0.3):
                row.spelled = " = ".join((row.left, row.right))
                for component, name in zip("xyz", place):
                    if name in s.coordinates:
                        row.spelled = re.sub(rf"\b{name}'(?!')", f"vel(P).{component}", row.spelled)
                        row.spelled = re.sub(rf"(?<![\w.]){name}\b(?!')", f"pos(P).{component}", row.spelled)

    def row(self, s, name, names):
        """A row, with another spelling of it for copies."""
        r = self.random
        kind = r.choices(["curve", "line", "circle", "pfaff", "knife", "affine", "nonlinear", "acceleration"], [3, 1, 2, 5, 2, 2, 1, 1])[0]
        if len(names) == 2 and kind == "knife":
            kind = "pfaff"
        first, second = IDENTITIES[r.randrange(len(IDENTITIES))]
        argument = self.argument(names)
        e1, e2 = first.format(u=argument), second.format(u=argument)
        if self.chance(0.5):
            e1, e2 = e2, e1
        clock = r.choice(["", "", "", " + 0.3*sin(t)", " - 0.2*t"])
        if kind == "curve":
            a, b = self.pick(names, 2)
            argument = r.choice([a, f"{self.number()}*{a}"])
            e1, e2 = first.format(u=argument), second.format(u=argument)
            row = Row(name, b, f"{e1}{clock}", 0)
            row.twin = (b, f"{e2}{clock}")
        elif kind == "line":
            a, b = self.pick(names, 2)
            row = Row(name, f"{self.signed()}*{a} + {self.signed()}*{b}", f"l{clock}", 0)
            row.twin = (row.left, row.right)
        elif kind == "circle":
            a, b = self.pick(names, 2)
            row = Row(name, f"{a}^2 + {b}^2", "l^2", 0)
            row.twin = (f"sqrt({a}^2 + {b}^2)", "l")
        elif kind == "pfaff":
            a, b = self.pick(names, 2)
            row = Row(name, f"{b}'", f"{e1}*{a}'", 1)
            row.twin = (f"{b}'", f"{e2}*{a}'")
        elif kind == "knife":
            a, b, c = self.pick(names, 3)
            row = Row(name, f"{a}'*sin({c}) - {b}'*cos({c})", "0", 1)
            row.twin = (f"2*{a}'*sin({c}/2)*cos({c}/2) - {b}'*(2*cos({c}/2)^2 - 1)", "0")
        elif kind == "affine":
            a, b = self.pick(names, 2)
            row = Row(name, f"{e1}*{a}' + {self.number()}*{b}'", f"{self.number()}{clock}", 1)
            row.twin = (f"{row.left.replace(e1, e2, 1)}", row.right)
        elif kind == "nonlinear":
            a, b = self.pick(names, 2)
            row = Row(name, f"{a}'^2 + {b}'^2", f"l^2*({self.factor(names, 0)})^2 + 1", 1)
            row.twin = (f"sqrt({a}'^2 + {b}'^2)", f"sqrt({row.right})")
        else:
            a, b = self.pick(names, 2)
            row = Row(name, f"{a}'' + {self.factor(names)}*{b}''", f"{self.signed()}*{a}'{clock}", 2)
            row.twin = (row.left, row.right)
        return row

    def copy(self, s, name, names):
        """A row that follows from those there."""
        r = self.random
        row = r.choice(s.rows)
        if not hasattr(row, "twin"):
            return None
        left, right = row.twin
        way = r.choice(["twin", "factor", "divided", "sum", "rate"])
        if way == "sum":
            others = [o for o in s.rows if o.level == row.level and o is not row]
            if others:
                other = r.choice(others)
                times = self.number()
                return Row(name, f"({left}) - {times}*({other.left})", f"({right}) - {times}*({other.right})", row.level)
            way = "factor"
        if way == "rate" and row.right == "l^2":  # of a circle
            a, b = [part.split("^")[0] for part in row.left.split(" + ")]
            return Row(name, f"{a}*{a}' + {b}*{b}'", "0", 1)
        if way == "factor":
            f, g = IDENTITIES[r.randrange(len(IDENTITIES))]
            argument = self.argument(names)
            f, g = f"(3 + sin({f.format(u=argument)}))", f"(3 + sin({g.format(u=argument)}))"
            return Row(name, f"{f}*({left})", f"{g}*({right})", row.level)
        if way == "divided":
            f = r.choice(["exp({u})", "(2 + cos({u}))", "sqrt(1 + ({u})^2)", "cosh({u})"]).format(u=self.argument(names))
            return Row(name, f"({left})/{f}", f"({right})/{f}", row.level)
        return Row(name, left, right, row.level)

    def quasi(self, s, names):
        """Speeds in place of rates: affine and invertible."""
        s.speeds = {}
        for i, name in enumerate(names):
            text = f"{name}'"
            if i and self.chance(0.7):
                text += f" + {self.factor(names, 0)}*{names[i - 1]}'"
            if self.chance(0.15):
                text += " + 0.3*cos(t)"
            s.speeds[f"w{i + 1}"] = text


# -- what the program says ------------------------------------------------------------------------------------------


def dalembert(*words, seconds=SECONDS):
    """The answer, or None and what was said instead."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    result = subprocess.run([DALEMBERT, *map(str, words)], capture_output=True, text=True, check=False, preexec_fn=limit)
    if result.returncode < 0:
        return None, "timeout" if result.returncode == -signal.SIGXCPU or result.returncode == -signal.SIGKILL else f"signal {-result.returncode}"
    try:
        return (json.loads(result.stdout) if result.returncode == 0 and result.stdout else None), result.stderr
    except json.JSONDecodeError:
        return None, result.stderr


def code(message):
    """The code of a refusal."""
    if "panicked" in message:
        return "panic"
    found = re.search(r"E\d{4}", message)
    return found[0] if found else message.strip()[:80]


class Check:
    """Contradictions of one system."""

    def __init__(self, system, folder):
        self.system, self.folder = system, folder
        self.found, self.refused, self.tally = [], [], Counter()
        self.path = Path(folder) / "model.toml"

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
        self.path.write_text(self.system.model())
        now, message = dalembert("eval", self.path, "--json")
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
            page, message = dalembert("derive", self.path, "--json", "--formulation", form)
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
        report, message = dalembert("check", self.path, "--json")
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


def sweep(first, count, extra=2, forms=FORMS, report=None):
    """Contradictions by seed, and what happened how often."""
    found, tally = {}, Counter()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, first + count):
            check = Check(Maker(seed).system(), folder).run(extra, forms)
            if check.found:
                # pages of very large powers need more digits to be read
                with mp.workdps(150):
                    check = Check(Maker(seed).system(), folder).run(extra, forms)
            tally.update(check.tally)
            tally["systems"] += 1
            if check.found:
                found[seed] = check.found
            if report and (check.found or check.refused):
                report(seed, check)
    return found, tally


if __name__ == "__main__":
    out = Path(sys.argv[3]) if len(sys.argv) > 3 else None

    def report(seed, check):
        print(f"-- seed {seed}")
        for line in check.found[:6] + check.refused:
            print("   ", line)
        sys.stdout.flush()
        if out:
            out.mkdir(parents=True, exist_ok=True)
            (out / f"derive-{seed}.toml").write_text(check.system.model())

    found, tally = sweep(int(sys.argv[1]), int(sys.argv[2]), report=report)
    print(f"{len(found)} systems of {sys.argv[2]} with contradictions")
    for key, times in sorted(tally.items()):
        print(f"{times:6d} {key}")
