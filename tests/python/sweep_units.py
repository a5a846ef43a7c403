"""The same system in other units, and with its rows multiplied: everything the program says must be the same.

A sample runs with the other tests; how to run more is in `sweep.py`.

Every number of a model has a dimension; the same model with lengths, masses and times in units that differ by 1e-6 to 1e6 must be
checked, evaluated, derived, proved and run alike, to rounding of what each command claims.
"""

import json
import random
from collections import Counter
from decimal import Decimal
from pathlib import Path

from sweep import code, main
from sweep import command as asked

NONE, LENGTH, RATE = (0, 0, 0), (1, 0, 0), (0, 0, -1)  # powers of length, mass and time
ACCELERATION, MASS, INERTIA, FORCE, STIFFNESS = (1, 0, -2), (0, 1, 0), (2, 1, 0), (1, 1, -2), (0, 1, -2)
CURVATURE, DAMPING = (-1, 0, 0), (0, 1, -1)


class Case:
    """A family: parameters and coordinates with dimensions, and texts in these names."""

    def __init__(self, name, parameters, coordinates, texts, rows, equations=(), span=1.0):
        self.name, self.parameters, self.coordinates = name, parameters, coordinates
        self.texts, self.rows, self.equations, self.span = texts, rows, equations, span

    def model(self, scale, factors):
        """In units smaller by powers of ten; each row multiplied by its power of ten."""
        size = lambda v, dimension: str(Decimal(str(v)).scaleb(sum(p * d for p, d in zip(scale, dimension))))
        lines = ["dalembert = 1", f'title = "{self.name}"', self.texts.get("gravity", ""), "[parameters]"]
        lines += [f"{name} = {size(v, dimension)}" for name, (v, dimension) in self.parameters.items()]
        lines.append("[coordinates]")
        lines += [f'{name} = {{ value = {size(v, dimension)}, priority = "guess" }}' for name, (v, _, dimension) in self.coordinates.items()]
        lines.append("[start]")
        for name, (_, rate, dimension) in self.coordinates.items():
            rate = size(rate, (dimension[0], dimension[1], dimension[2] - 1))
            lines.append(f'"{name}\'" = {{ value = {rate}, priority = "guess" }}')
        lines.append(self.texts["system"])
        for i, ((left, right, more), factor) in enumerate(zip(self.rows, factors)):
            times = lambda side: f"1e{factor}*({side})" if factor else side
            lines += [f"[constraint.c{i}]", f'holds = "{times(left)} = {times(right)}"', more]
        lines += ["[run]", f"span = {size(self.span, (0, 0, 1))}", "samples = 21"]
        return "\n".join(lines) + "\n"


def family(seed):
    r = random.Random(seed)
    u = lambda low=0.5, high=1.5: round(r.uniform(low, high), 3)
    s = lambda: round(r.choice([-1, 1]) * r.uniform(0.3, 1.5), 3)
    particle = lambda name, place: f'[particle.{name}]\nmass = "m"\nposition = "{place}"\n'
    g = ("g", (9.81, ACCELERATION))
    down = 'gravity = "[0, -g, 0]"'
    l1, l2 = u(), u()
    point = {"x": (u() * 0.9, u(), LENGTH), "y": (-u(), s(), LENGTH)}
    pendulum = ["m*x*y'' - m*y*x'' = -m*g*x", "x*x'' + y*y'' = -x'^2 - y'^2", "m*x*y'' - m*y*x'' = -m*g*x*1.001"]
    cases = [
        Case(
            "pendulum",
            dict([("m", (u(), MASS)), ("l", (l1, LENGTH)), g]),
            point,
            {"gravity": down, "system": particle("P", "[x, y, 0]")},
            [("x^2 + y^2", "l^2", "")],
            pendulum,
            u(0.5, 2),
        ),
        Case(
            "two spellings",
            dict([("m", (u(), MASS)), ("l", (l1, LENGTH)), g]),
            point,
            {"gravity": down, "system": particle("P", "[x, y, 0]")},
            [("x^2 + y^2", "l^2", ""), ("sqrt(x^2 + y^2)", "l", "")],
            pendulum,
            u(0.5, 2),
        ),
        Case(
            "chain",
            dict([("m", (u(), MASS)), ("la", (l1, LENGTH)), ("lb", (l2, LENGTH)), g]),
            {"x": (l1 * 0.6, s(), LENGTH), "y": (-l1 * 0.8, s(), LENGTH), "u": (l1 * 0.6 + l2, s(), LENGTH), "w": (-l1 * 0.8, s(), LENGTH)},
            {"gravity": down, "system": particle("P", "[x, y, 0]") + particle("Q", "[u, w, 0]")},
            [("x^2 + y^2", "la^2", ""), ("(x - u)^2 + (y - w)^2", "lb^2", "")],
            ["x*x' + y*y' = 0", "(x - u)*(x' - u') = -(y - w)*(y' - w')"],
            u(0.5, 1.5),
        ),
        Case(
            "rough track",
            dict([("m", (u(), MASS)), ("a", (u(0.1, 0.4), CURVATURE)), ("mu", (u(0.02, 0.2), NONE)), g]),
            {"x": (s(), r.choice([-1, 1]) * u(3, 5), LENGTH), "y": (0.2, 0.0, LENGTH)},
            {"gravity": down, "system": particle("P", "[x, y, 0]")},
            [("y", "a*x^2", 'friction = { coefficient = "mu" }')],
            ["y'' = 2*a*x'^2 + 2*a*x*x''"],
            u(0.1, 0.3),
        ),
        Case(
            "shaken pivot",
            dict([("m", (u(), MASS)), ("l", (l1, LENGTH)), ("A", (u(0.1, 0.3), LENGTH)), ("W", (u(1, 5), RATE)), g]),
            point,
            {"gravity": down, "system": particle("P", "[x, y, 0]")},
            [("(x - A*sin(W*t))^2 + y^2", "l^2", "")],
            ["(x - A*sin(W*t))*(x' - A*W*cos(W*t)) = -y*y'"],
            u(0.5, 2),
        ),
        Case(
            "sleigh",
            dict([("m", (u(), MASS)), ("J", (u(), INERTIA)), ("b", (u(0.2, 0.8), LENGTH)), ("F", (s(), FORCE))]),
            {"x": (s(), s(), LENGTH), "y": (s(), s(), LENGTH), "th": (s(), s(), NONE)},
            {"system": '[energy]\nkinetic = "m/2*(x\'^2 + y\'^2) + J/2*th\'^2"\n[force.f]\ngeneralized = { x = "F" }\n'},
            [("x'*sin(th) - y'*cos(th)", "b*th'", "")],
            ["m*cos(th)*x'' + m*sin(th)*y'' = F*cos(th)", "m*b*x'' + sin(th)*J*th'' = b*F", "m*b*x'' + sin(th)*J*th'' = b*F*1.0001"],
            u(0.5, 3),
        ),
        Case(
            "cart",
            dict([("m", (u(), MASS)), ("M", (u(1, 3), MASS)), ("l", (l1, LENGTH)), ("k", (u(1, 9), STIFFNESS)), ("c", (u(0.1, 0.5), DAMPING)), g]),
            {"x": (s(), s(), LENGTH), "th": (s(), s(), NONE)},
            {
                "gravity": down,
                "system": particle("Q", "[x + l*sin(th), -l*cos(th), 0]")
                + '[energy]\nkinetic = "M/2*x\'^2"\npotential = "k/2*x^2"\ndissipation = "c/2*x\'^2"\n',
            },
            [],
            [
                "l*th'' + cos(th)*x'' = -g*sin(th)",
                "(M + m)*x'' + m*l*cos(th)*th'' = m*l*sin(th)*th'^2 - k*x - c*x'",
                "l*th'' + cos(th)*x'' = g*sin(th)",
            ],
            u(0.5, 3),
        ),
        Case(
            "servo",
            dict([("m", (u(), MASS)), ("M", (u(1, 3), MASS)), ("l", (l1, LENGTH)), ("a", (u(0.2, 0.5), NONE)), ("W", (u(1, 3), RATE)), g]),
            {"x": (s(), s(), LENGTH), "th": (0.1, 0.1, NONE)},
            {
                "gravity": down,
                "system": particle("Q", "[x + l*sin(th), -l*cos(th), 0]")
                + '[energy]\nkinetic = "M/2*x\'^2"\n[force.motor]\ngeneralized = { x = 1 }\n',
            },
            [("th", "a*sin(W*t)", 'enforced_by = ["motor"]')],
            ["l*th'' + cos(th)*x'' = -g*sin(th)"],
            u(0.3, 1),
        ),
        Case(
            "four-bar",
            dict(
                [
                    ("m", (u(), MASS)),
                    ("J", (u(0.1, 0.4), INERTIA)),
                    ("a", (0.7, LENGTH)),
                    ("b", (1.6, LENGTH)),
                    ("c", (1.3, LENGTH)),
                    ("d", (1.5, LENGTH)),
                    g,
                ]
            ),
            {"p": (u(0.5, 2.5), u(1, 4), NONE), "q": (0.5, 0.0, NONE), "s": (1.6, 0.0, NONE)},
            {
                "gravity": down,
                "system": particle("P", "[a*cos(p) + b*cos(q), a*sin(p) + b*sin(q), 0]") + "[energy]\nkinetic = \"J/2*p'^2 + J/2*q'^2 + J/2*s'^2\"\n",
            },
            [("a*cos(p) + b*cos(q)", "d + c*cos(s)", ""), ("a*sin(p) + b*sin(q)", "c*sin(s)", "")],
            ["a*sin(p)*p' + b*sin(q)*q' = c*sin(s)*s'"],
            u(0.5, 2),
        ),
        Case(
            "lemniscate",
            dict([("m", (u(), MASS)), ("a", (u(), LENGTH))]),
            {"x": (0.5, -1.0, LENGTH), "y": (0.3, -0.5, LENGTH)},
            {"system": particle("P", "[x, y, 0]")},
            [("(x^2 + y^2)^2", "a^2*(x^2 - y^2)", "")],
            [],
            u(0.5, 2),
        ),
        Case(
            "rigid rod on two rails",
            dict([("m", (u(), MASS)), ("J", (u(), INERTIA)), ("l", (l1, LENGTH)), ("k", (u(), STIFFNESS)), g]),
            {"x": (l1 / 2, s(), LENGTH), "y": (l1 / 2, s(), LENGTH), "th": (0.8, s(), NONE)},
            {
                "gravity": down,
                "system": '[body.B]\nmass = "m"\ninertia = ["J", "J", "J"]\ncenter = "[x, y, 0]"\nattitude = "Rz(th)"\n[energy]\npotential = "k/2*x^2"\n',
            },
            [("x", "l*cos(th)", ""), ("y", "l*sin(th)", "")],
            ["x' = -l*sin(th)*th'", "(J + m*l^2)*th'' = -m*g*l*cos(th) + k*l^2*sin(th)*cos(th)"],
            u(0.3, 1),
        ),
    ]
    return r, r.choice(cases)


def ask(path, *words):
    result, late = asked(words[0], path, *words[1:], "--json")
    if late:
        return None, "timeout"
    try:
        answer = json.loads(result.stdout) if result.stdout else None
    except json.JSONDecodeError:
        answer = None
    return answer, code(result.stderr) if result.returncode else ""


class Check:
    def __init__(self, seed, folder):
        self.seed, self.folder = seed, Path(folder)
        self.found, self.tally = [], Counter()
        r, self.case = family(seed)
        pick = lambda: r.randint(-6, 6)
        self.scale = (pick(), pick(), pick()) if r.random() < 0.8 else (0, 0, 0)
        self.factors = [pick() if r.random() < 0.5 else 0 for _ in self.case.rows]

    def run(self):
        case = self.case
        self.models = {"plain": case.model((0, 0, 0), [0] * len(case.rows)), "scaled": case.model(self.scale, self.factors)}
        paths = []
        for name, text in self.models.items():
            paths.append(self.folder / f"{name}.toml")
            paths[-1].write_text(text)
        for command, compare in (
            ("check", self.counts),
            ("eval", self.numbers),
            ("run", self.ends),
            ("prove", self.verdicts),
            ("derive", self.pages),
        ):
            words = [command]
            if command == "run":
                words.append("--quiet")
            if command == "prove":
                if not case.equations:
                    continue
                file = self.folder / "equations.txt"
                file.write_text("\n".join(case.equations) + "\n")
                words += ["--equations", str(file)]
            plain, scaled = (ask(path, *words) for path in paths)
            self.tally[f"{command} {plain[1]}".strip()] += 1
            if command == "run" and case.name == "lemniscate" and (plain[1] or scaled[1]):
                # rounding decides whether a node is stepped over; either is right
                self.tally["run, refused at a node"] += 1
            elif command != "prove" and plain[1] != scaled[1]:
                self.differ(command, plain[1] or "done", scaled[1] or "done")
            elif plain[0] and scaled[0]:
                compare(plain[0], scaled[0])
        return self

    def differ(self, what, plain, scaled):
        self.found.append(f"{self.case.name} {what}: {plain}; in units of 1e-{self.scale} with rows times 1e{self.factors}: {scaled}")

    def unit(self, name, order):
        dimension = self.case.coordinates[name][2]
        return 10.0 ** (sum(p * d for p, d in zip(self.scale, dimension)) - order * self.scale[2])

    def counts(self, plain, scaled):
        if plain["counts"] != scaled["counts"]:
            self.differ("check", plain["counts"], scaled["counts"])
        if plain["independent"] != scaled["independent"]:
            self.differ("check", plain["independent"], scaled["independent"])

    def numbers(self, plain, scaled):
        for order, key in enumerate(("coordinates", "rates", "accelerations")):
            # of coordinates of one dimension the largest is the measure
            largest = {}
            for name in plain[key]:
                dimension = self.case.coordinates[name][2]
                largest[dimension] = max(largest.get(dimension, 0), abs(plain[key][name]))
            for name, v in plain[key].items():
                other = scaled[key][name] / self.unit(name, order)
                # every plain system is of order one: less than 1e-14 is the rounding of what it is the difference of
                if abs(v - other) > 1e-8 * largest[self.case.coordinates[name][2]] + 1e-14:
                    self.differ(f"eval {key} {name}", v, other)

    def ends(self, plain, scaled):
        size = {}
        for name, v in plain["end"].items():
            coordinate = name.rstrip("'")
            key = (self.case.coordinates[coordinate][2], name.count("'"))
            size[key] = max(size.get(key, 0), abs(v))
        for name, v in plain["end"].items():
            coordinate, order = name.rstrip("'"), name.count("'")
            other = scaled["end"][name] / self.unit(coordinate, order)
            if abs(v - other) > 2e-6 * max(size[self.case.coordinates[coordinate][2], order], 0.1):
                self.differ(f"run {name}", v, other)
        if not 1 / 3 < scaled["steps"] / plain["steps"] < 3:
            self.differ("run, steps", plain["steps"], scaled["steps"])

    def verdicts(self, plain, scaled):
        said = [[e["verdict"] for e in answer["equations"]] for answer in (plain, scaled)]
        if said[0] != said[1]:
            self.differ("prove", said[0], said[1])

    def pages(self, plain, scaled):
        if any(self.factors):
            # rows as written are in the equations with multipliers
            if plain["formulation"] == scaled["formulation"] and len(plain["equations"]) != len(scaled["equations"]):
                self.differ("derive", len(plain["equations"]), len(scaled["equations"]))
            return
        said = [[(e["left"], e["right"]) for e in answer["equations"]] for answer in (plain, scaled)]
        if said[0] != said[1]:
            self.differ("derive", said[0], said[1])


def look(seed, folder):
    return Check(seed, folder).run()


if __name__ == "__main__":
    main(look)
