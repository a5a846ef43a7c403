"""Random constrained systems: rows spelled in several ways, dependent inside and outside what a normal form sees."""

import random
import re

from mechanics import Row, System

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
