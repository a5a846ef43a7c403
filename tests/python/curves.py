"""Motions along a parameter that runs through nodes and change points smoothly: beads on plane curves, linkages."""

import math
import random

import sympy
from scipy.integrate import solve_ivp


class Lost(Exception):
    """No motion here to compare with."""


# -- motions on plane curves: (row, x(s), y(s), s at the start, singular parameters: nodes are passed, corners are not)

S = sympy.Symbol("s", real=True)


def curves(r):
    """Curves F(x, y) = 0 with a parameter s that runs through everything smoothly."""
    a, b = (round(r.uniform(0.6, 1.8), 2) for _ in range(2))
    q = lambda v: sympy.Rational(str(v))
    return {
        "ellipse": (f"x^2/{a}^2 + y^2/{b}^2 = 1", q(a) * sympy.cos(S), q(b) * sympy.sin(S), None),
        "parabola": (f"y = {a}*x^2", S, q(a) * S**2, None),
        "wave": (f"y = {a}*sin({b}*x)", S, q(a) * sympy.sin(q(b) * S), None),
        "tanh": (f"y = {a}*tanh({b}*x)", S, q(a) * sympy.tanh(q(b) * S), None),
        "bent": (f"y = {a}*x*abs(x)", S, q(a) * S * sympy.Abs(S), None),
        "lemniscate": (
            f"(x^2 + y^2)^2 = {a}^2*(x^2 - y^2)",
            q(a) * sympy.cos(S) / (1 + sympy.sin(S) ** 2),
            q(a) * sympy.sin(S) * sympy.cos(S) / (1 + sympy.sin(S) ** 2),
            "node",
        ),
        "figure eight": (f"x^4 = {a}^2*(x^2 - y^2)", q(a) * sympy.sin(S), q(a) * sympy.sin(S) * sympy.cos(S), "node"),
        "nodal cubic": (f"y^2 = x^2*(x + {a})", S**2 - q(a), S * (S**2 - q(a)), "node"),
        "cross": ("x*y = 0", S, sympy.Integer(0), "node"),
        "two lines": (f"(y - {a}*x)*(y + {b}*x) = 0", S, q(a) * S, "node"),
        "tacnode": (f"y*(y - {a}*x^2) = 0", S, sympy.Integer(0), "node"),
        "close": ("x*y = 1e-6", sympy.exp(S), sympy.Rational("1e-6") * sympy.exp(-S), "sharp"),
        "corner": (f"{a}*abs(x) = y", S, q(a) * sympy.Abs(S), "corner"),
        "root": ("sqrt(x^2) = y", S, sympy.Abs(S), "corner"),
        "diamond": ("abs(x) + abs(y) = 1", S, 1 - sympy.Abs(S), "corner"),
        "step": (f"max(x, 0)*{a} = y", S, q(a) * sympy.Max(S, 0), "corner"),
    }


class Curve:
    """A bead on a plane curve, by its parameter."""

    def __init__(self, seed):
        r = self.random = random.Random(seed)
        family = curves(r)
        self.name = r.choice(list(family))
        self.row, self.x, self.y, self.singular = family[self.name]
        s0 = round(r.choice([-1, 1]) * r.uniform(0.4, 1.0), 3)
        rate = round(-math.copysign(r.uniform(0.8, 3.0), s0) * r.choice([1, 1, 1, -1]), 3)
        if self.name == "close":
            s0, rate = round(r.uniform(-1, 0), 3), round(-r.uniform(1, 3), 3)
        self.span = round(r.uniform(0.5, 3), 2)
        gravity = r.choice(["0", "0", "9.81", "2"])
        self.fx, self.fy = sympy.lambdify(S, self.x), sympy.lambdify(S, self.y)
        dx, dy = (sympy.diff(e, S) for e in (self.x, self.y))
        dx, dy = (e.replace(sympy.Heaviside, lambda u, *_: (1 + sympy.sign(u)) / 2) for e in (dx, dy))
        self.dx, self.dy = sympy.lambdify(S, dx), sympy.lambdify(S, dy)
        flat = lambda e: sympy.diff(e, S).replace(sympy.DiracDelta, lambda *_: sympy.Integer(0))
        self.ddx, self.ddy = sympy.lambdify(S, flat(dx)), sympy.lambdify(S, flat(dy))
        self.g, self.s0, self.rate = float(gravity), s0, rate
        x, y = float(self.fx(s0)), float(self.fy(s0))
        guess = lambda v: f'{{ value = {v!r}, priority = "guess" }}'
        self.text = f"""dalembert = 1
title = "a bead on a curve: {self.name}, {seed}"
{f'gravity = "[0, -{gravity}, 0]"' if gravity != "0" else ""}
[coordinates]
x = {guess(x)}
y = {guess(y)}
[start]
"x'" = {guess(float(self.dx(s0) * rate))}
"y'" = {guess(float(self.dy(s0) * rate))}
[particle.P]
mass = 1
position = "[x, y, 0]"
[constraint.curve]
holds = "{self.row}"
[run]
span = {self.span}
samples = 51
"""

    def model(self):
        return self.text

    def reference(self, start):
        def rhs(t, z):
            s, v = z
            dx, dy = self.dx(s), self.dy(s)
            return [v, -((dx * self.ddx(s) + dy * self.ddy(s)) * v * v + self.g * dy) / (dx * dx + dy * dy)]

        corner = lambda t, z: z[0]
        if self.name == "diamond":
            corner = lambda t, z: z[0] * (1 - abs(z[0]))
        corner.terminal = self.singular == "corner"
        end = solve_ivp(
            rhs, (0, self.span), [self.s0, self.rate], "DOP853", rtol=1e-12, atol=1e-13, events=corner, max_step=self.span / 50, dense_output=True
        )
        if not end.success:
            raise Lost(end.message)

        def at(t):
            s, v = end.sol(min(t, end.t[-1]))
            a = rhs(t, (s, v))[1]
            state = {"x": self.fx(s), "y": self.fy(s), "x'": self.dx(s) * v, "y'": self.dy(s) * v}
            state |= {"x''": self.dx(s) * a + self.ddx(s) * v * v, "y''": self.dy(s) * a + self.ddy(s) * v * v}
            return {name: float(value) for name, value in state.items()}

        T = 0.5 * (self.dx(self.s0) ** 2 + self.dy(self.s0) ** 2) * self.rate**2
        heights = [float(self.fy(s)) for s in end.y[0]]
        speeds = [0.5 * (float(self.dx(s)) ** 2 + float(self.dy(s)) ** 2) * v * v for s, v in end.y.T]
        scale = max(speeds + [T]) + self.g * (max(heights) - min(heights))
        return Reference(
            at,
            self.span,
            regular=self.singular is None,
            ends_early=bool(corner.terminal and len(end.t_events[0])),
            crosses=bool(self.singular == "node" and self.crossed(end.y[0])),
            scale=scale,
            error=1e-8,
        )

    def crossed(self, s):
        """Did the motion pass a node?"""
        at = {"lemniscate": math.cos, "nodal cubic": self.fx}.get(self.name, math.sin if self.name == "figure eight" else float)
        values = [at(v) for v in s]
        return any(a * b <= 0 for a, b in zip(values, values[1:]))


class Linkage:
    """A linkage of one freedom that passes change points: all coordinates as functions of s on the branch of the start."""

    def __init__(self, seed):
        r = self.random = random.Random(seed)
        a, d, m = (round(r.uniform(0.5, 1.8), 2) for _ in range(3))
        g = r.choice([0, 9.81])
        q = lambda v: sympy.Rational(str(v))
        cos, sin = sympy.cos(S), sympy.sin(S)
        angles = "[energy]\nkinetic = \"0.1*p'^2 + 0.2*q'^2 + 0.1*u'^2\"\n"
        points = lambda **places: "".join(f'[particle.{name}]\nmass = {m}\nposition = "{place}"\n' for name, place in places.items())
        self.name, on_branch, system, rows, kinetic, height = r.choice(
            [
                (
                    "parallelogram in angles",
                    {"p": S, "q": sympy.Integer(0), "u": S},
                    angles + points(A=f"[{a}*cos(p), {a}*sin(p), 0]"),
                    [f"{a}*cos(p) + {d}*cos(q) = {d} + {a}*cos(u)", f"{a}*sin(p) + {d}*sin(q) = {a}*sin(u)"],
                    q("0.2") + q(m) * q(a) ** 2 / 2,
                    q(a) * sin,
                ),
                (
                    "parallelogram in points",
                    {"x": q(a) * cos, "y": q(a) * sin, "z": q(d) + q(a) * cos, "w": q(a) * sin},
                    points(A="[x, y, 0]", B="[z, w, 0]"),
                    [f"x^2 + y^2 = {a}^2", f"(z - {d})^2 + w^2 = {a}^2", f"(z - x)^2 + (w - y)^2 = {d}^2"],
                    q(m) * q(a) ** 2,
                    2 * q(a) * sin,
                ),
                (
                    "slider-crank with equal rods",
                    {"p": S, "q": -S, "x": 2 * q(a) * cos},
                    "[energy]\nkinetic = \"0.1*p'^2 + 0.2*q'^2\"\n" + points(A="[x, 0, 0]"),
                    [f"x = {a}*cos(p) + {a}*cos(q)", f"0 = {a}*sin(p) + {a}*sin(q)"],
                    q("0.3") + 2 * q(m) * q(a) ** 2 * sin**2,
                    sympy.Integer(0),
                ),
                (
                    "trammel",
                    {"x": q(a) * cos, "y": q(a) * sin, "p": S},
                    '[energy]\nkinetic = "0.3*p\'^2"\n' + points(A="[x, 0, 0]", B="[0, y, 0]"),
                    [f"x = {a}*cos(p)", f"y = {a}*sin(p)", f"x^2 + y^2 = {a}^2"],
                    q("0.3") + q(m) * q(a) ** 2 / 2,
                    q(a) * sin,
                ),
            ]
        )
        self.singular = None if self.name == "trammel" else "node"
        self.s0, self.rate = round(r.uniform(0.2, 1.3), 2), round(r.choice([-1, 1]) * r.uniform(2, 9), 2)
        self.span = round(r.uniform(0.3, 2), 2)
        self.places = {name: [sympy.lambdify(S, sympy.diff(f, S, k)) for k in range(3)] for name, f in on_branch.items()}
        self.energy = sympy.lambdify(S, [kinetic, q(m) * q(g) * height])
        # K s'^2 + V: 2 K s'' + K' s'^2 + V' = 0
        self.acceleration = sympy.lambdify(
            [S, sympy.Symbol("v")], -(sympy.diff(kinetic, S) * sympy.Symbol("v") ** 2 + q(m) * q(g) * sympy.diff(height, S)) / (2 * kinetic)
        )
        guess = lambda v: f'{{ value = {float(v)!r}, priority = "guess" }}'
        lines = ["dalembert = 1", f'title = "{self.name}, {seed}"']
        if g:
            lines.append(f'gravity = "[0, -{g}, 0]"')
        lines.append("[coordinates]")
        lines += [f"{name} = {guess(f[0](self.s0))}" for name, f in self.places.items()]
        lines.append("[start]")
        lines += [f'"{name}\'" = {guess(f[1](self.s0) * self.rate)}' for name, f in self.places.items()]
        lines.append(system)
        for i, row in enumerate(rows):
            lines += [f"[constraint.c{i}]", f'holds = "{row}"']
        lines += ["[run]", f"span = {self.span}", "samples = 51"]
        self.text = "\n".join(lines) + "\n"

    def model(self):
        return self.text

    def reference(self, start):
        rhs = lambda t, z: [z[1], self.acceleration(*z)]
        end = solve_ivp(rhs, (0, self.span), [self.s0, self.rate], "DOP853", rtol=1e-12, atol=1e-13, dense_output=True)

        def at(t):
            s, v = end.sol(t)
            a = self.acceleration(s, v)
            state = {}
            for name, (f, f1, f2) in self.places.items():
                state |= {name: f(s), f"{name}'": f1(s) * v, f"{name}''": f1(s) * a + f2(s) * v * v}
            return {name: float(value) for name, value in state.items()}

        kinetic = [self.energy(s)[0] * v * v for s, v in end.y.T]
        potential = [float(self.energy(s)[1]) for s in end.y[0]]
        quarter = [math.sin(2 * s) if self.name.startswith("slider") else math.sin(s) for s in end.y[0]]
        crosses = any(a * b <= 0 for a, b in zip(quarter, quarter[1:]))
        scale = float(max(kinetic)) + max(potential) - min(potential)
        return Reference(at, self.span, self.singular is None or not crosses, scale, 1e-8, crosses=crosses)


class Reference:
    """A motion known otherwise: its end, and `at` any time its state with accelerations."""

    def __init__(self, at, span, regular, scale, error, ends_early=False, crosses=False, smallest=1.0):
        self.at, self.end, self.regular, self.scale, self.error = at, at(span), regular, scale, error
        self.ends_early, self.crosses, self.smallest = ends_early, crosses, smallest
