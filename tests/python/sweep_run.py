"""Random runs: where `run` ends, against SciPy's integration of equations derived by SymPy.

A sample runs with the other tests; how to run more is in `sweep.py`.

A run that ends as done must end where the motion ends, on its branch, with its ledger in balance; a regular motion must not be
refused. Motions on plane curves are integrated along a parameter of the curve (`curves.py`), so that nodes and change points are no points
at all here; where the motion meets a corner, only an error is right.
"""

import csv
import json
import math
import warnings
from collections import Counter
from pathlib import Path

import numpy
import sympy
from curves import Curve, Linkage, Lost, Reference
from mechanics import Row, System
from scipy.integrate import solve_ivp
from sweep import code, command, dalembert, main
from sweep_prove import Symbols
from systems import Maker

RTOL = 1e-9

# -- systems with equations by SymPy ---------------------------------------------------------------------------------


class Motion:
    """A system of `mechanics.py` as floating-point functions made by SymPy, integrated by SciPy."""

    def __init__(self, system, span):
        self.system, self.span = system, span
        system.run = {"span": span, "samples": 51}

    def model(self):
        return self.system.model()

    def functions(self):
        symbols = Symbols(self.system)
        symbols.derive()
        values = {symbols.v[name]: sympy.Rational(text) for name, text in self.system.parameters.items()}
        n = len(symbols.q)
        zero = {a: 0 for a in symbols.qdd}
        M = [[sympy.diff(e, a) for a in symbols.qdd] for e in symbols.free]
        h = [-e.subs(zero) for e in symbols.free]
        b = []
        for row, e in zip(self.system.rows, symbols.rows):
            second = symbols.rate(symbols.rate(e)) if row.level == 0 else symbols.rate(e)
            b.append(-second.subs(zero))
        power = sum((f * v for f, v in zip(symbols.force, symbols.qd)), sympy.Integer(0))
        everything = [e for row in M for e in row] + h + [e for row in symbols.A for e in row] + b + [symbols.T, symbols.V, power]
        everything = [sympy.sympify(e).subs(values) for e in everything]
        f = sympy.lambdify([symbols.v["t"], symbols.q, symbols.qd], everything, "math", cse=True)
        rows = len(b)

        def parts(t, q, v):
            flat = numpy.array(f(t, q, v), dtype=float)
            at = n * n
            M, h = flat[:at].reshape(n, n), flat[at : at + n]
            at += n
            A, b = flat[at : at + rows * n].reshape(rows, n), flat[at + rows * n : at + rows * n + rows]
            return M, h, A, b, flat[-3:]

        return n, parts

    def reference(self, start):
        n, parts = self.functions()
        names = list(self.system.coordinates)
        smallest = [math.inf]
        rank = [None]
        friction = [(i, float(row.friction[0])) for i, row in enumerate(self.system.rows) if row.friction]

        def accelerations(t, q, v):
            M, h, A, b, _ = parts(t, q, v)
            if not len(A):
                return numpy.linalg.solve(M, h)
            size = numpy.linalg.norm(A, axis=1)
            A, b = A / size[:, None], b / size
            L = numpy.linalg.cholesky(M)
            B = numpy.linalg.solve(L, A.T).T
            U, sigma, V = numpy.linalg.svd(B, full_matrices=False)
            keep = sigma > 1e-9 * sigma[0]
            if rank[0] is None:
                rank[0] = int(keep.sum())
            smallest[0] = min(smallest[0], sigma[rank[0] - 1] / sigma[0])
            # v' = M^-1 h + L^-T B^+ (b - A M^-1 h)
            a = numpy.linalg.solve(M, h)
            if friction:
                return self.sliding(M, h, A * size[:, None], b * size, v, friction[0])
            return a + numpy.linalg.solve(L.T, V[: rank[0]].T @ ((U[:, : rank[0]].T @ (b - A @ a)) / sigma[: rank[0]]))

        asked = [0]

        def rhs(t, z):
            asked[0] += 1
            if asked[0] > 60000:
                raise Lost("too many steps")
            return numpy.concatenate([z[n:], accelerations(t, z[:n], z[n:])])

        z0 = numpy.array([start["coordinates"][a] for a in names] + [start["rates"][a] for a in names])
        t0 = start["t"]
        ends = []
        try:
            for rtol in (1e-12, 1e-9):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    end = solve_ivp(rhs, (t0, t0 + self.span), z0, "DOP853", rtol=rtol, atol=rtol * 1e-3, dense_output=True)
                if not end.success or not numpy.all(numpy.isfinite(end.y)):
                    raise Lost(end.message)
                ends.append(end)
        except (numpy.linalg.LinAlgError, OverflowError, ZeroDivisionError, ValueError, TypeError, IndexError) as error:
            raise Lost(f"{type(error).__name__}: {error}") from error
        best, coarse = ends[0].y[:, -1], ends[1].y[:, -1]
        energies = numpy.array([parts(t, z[:n], z[n:])[4] for t, z in zip(ends[0].t, ends[0].y.T)])
        work = numpy.trapezoid(numpy.abs(energies[:, 2]), ends[0].t)
        scale = energies[:, 0].max() + numpy.ptp(energies[:, 1]) + work
        if friction and self.stops(ends[0], n):
            raise Lost("it stops")

        def at(t):
            z = ends[0].sol(t0 + t)
            asked[0] = 0
            everything = numpy.concatenate([z, rhs(t0 + t, z)[n:]])
            return dict(zip([a + primes for primes in ("", "'", "''") for a in names], map(float, everything)))

        return Reference(at, self.span, smallest[0] > 1e-3, scale, float(numpy.max(numpy.abs(best - coarse))), smallest=smallest[0])

    @staticmethod
    def stops(end, n):
        speeds = numpy.linalg.norm(end.y[n:], axis=0)
        return speeds.min() < 1e-2

    @staticmethod
    def sliding(M, h, A, b, v, friction):
        """A particle whose position is its coordinates, rubbing on its one row."""
        i, mu = friction
        normal = A[i]
        slip = v - normal * (normal @ v) / (normal @ normal)
        c = -mu * numpy.linalg.norm(normal) * slip / numpy.linalg.norm(slip)
        for sign in (1, -1):
            K = numpy.block([[M, -(normal + sign * c)[:, None]], [normal[None, :], numpy.zeros((1, 1))]])
            x = numpy.linalg.solve(K, numpy.append(h, b[i]))
            if x[-1] * sign >= 0:
                return x[:-1]
        raise ValueError("no solution")


class RunMaker(Maker):
    """Systems with smooth rows, and the classics."""

    def blank(self, names):
        parameters = {"m": self.number(), "k": self.number(), "l": self.number(0.8, 1.5), "g": "9.81"}
        return System(f"{self.seed}", parameters, {a: self.signed() for a in names}, {a: self.signed() for a in names})

    def chain(self):
        """A pendulum of one to three rods in x, y."""
        n = self.random.choice([1, 1, 2, 3])
        coordinates, rates = {}, {}
        x = y = 0.0
        lengths = []
        for i in range(n):
            angle, length = self.random.uniform(-3, 3), round(self.random.uniform(0.6, 1.4), 2)
            x, y = x + length * math.sin(angle), y - length * math.cos(angle)
            coordinates |= {f"x{i}": f"{x:.3f}", f"y{i}": f"{y:.3f}"}
            rates |= {f"x{i}": self.signed(), f"y{i}": self.signed()}
            lengths.append(length)
        s = System(f"chain {self.seed}", {"m": self.number(), "g": "9.81"}, coordinates, rates, gravity="g")
        for i in range(n):
            s.particles[f"P{i}"] = ("m", (f"x{i}", f"y{i}", "0"))
            a, b = (f"(x{i} - x{i - 1})", f"(y{i} - y{i - 1})") if i else ("x0", "y0")
            left, right = self.random.choice([(f"{a}^2 + {b}^2", f"{lengths[i]}^2"), (f"sqrt({a}^2 + {b}^2)", f"{lengths[i]}")])
            s.rows.append(Row(f"rod{i}", left, right, 0))
            if self.chance(0.2):
                s.rows.append(Row(f"again{i}", f"3*{a}^2 + 3*{b}^2", f"3*{lengths[i]}^2", 0))
        return Motion(s, round(self.random.uniform(0.5, 2), 2))

    def loop(self):
        """A four-bar in three angles, of random lengths."""
        r = self.random
        while True:
            a, b, c, d = (round(r.uniform(0.4, 2.0), 2) for _ in range(4))
            if (
                max(a, b, c, d) < 0.85 * (a + b + c + d) / 2 * 1.15
                and abs(a + d - b - c) > 0.1
                and abs(a + b - c - d) > 0.1
                and abs(a + c - b - d) > 0.1
            ):
                break
        s = System(
            f"four-bar {self.seed}",
            {"m": self.number(), "g": "9.81"},
            {"qa": f"{r.uniform(0.3, 2.5):.2f}", "qb": f"{r.uniform(-1, 1):.2f}", "qc": f"{r.uniform(0.5, 2.5):.2f}"},
            {"qa": self.signed(), "qb": self.signed(), "qc": self.signed()},
        )
        if self.chance(0.5):
            s.gravity = "g"
        s.particles["A"] = ("m", (f"{a}*cos(qa)", f"{a}*sin(qa)", "0"))
        s.particles["B"] = ("m", (f"{a}*cos(qa) + {b}*cos(qb)", f"{a}*sin(qa) + {b}*sin(qb)", "0"))
        s.kinetic = "0.05*qa'^2 + 0.05*qb'^2 + 0.05*qc'^2"
        s.rows = [
            Row("across", f"{a}*cos(qa) + {b}*cos(qb)", f"{d} + {c}*cos(qc)", 0),
            Row("up", f"{a}*sin(qa) + {b}*sin(qb)", f"{c}*sin(qc)", 0),
        ]
        return Motion(s, round(r.uniform(0.5, 3), 2))

    def rough(self):
        """A particle that slides on a rough curve."""
        r = self.random
        s = self.blank(["x", "y"])
        s.coordinates = {"x": f"{r.uniform(-1, 1):.2f}", "y": "0.5"}
        direction = r.choice([-1, 1])
        s.rates = {"x": f"{direction * r.uniform(2, 4):.2f}", "y": "0"}
        s.particles["P"] = ("m", ("x", "y", "0"))
        s.gravity = "g"
        left, right = r.choice([("y", "0.5*sin(x)"), ("y", "0.3*x^2"), ("2*y", "x"), ("y - 0.2*x", "0"), ("x^2 + y^2", "4")])
        s.rows = [Row("track", left, right, 0, friction=(self.number(0.02, 0.25), "P"))]
        return Motion(s, round(r.uniform(0.1, 0.5), 2))

    def driven(self):
        """A bead on a turning or shaken wire, a pendulum with a shaken pivot."""
        r = self.random
        s = self.blank(["x", "y"])
        s.particles["P"] = ("m", ("x", "y", "0"))
        s.gravity = "g" if self.chance(0.6) else None
        w = self.number(0.5, 3)
        rows = [
            ("y*cos(W*t)", "x*sin(W*t)"),
            ("(x - 0.2*sin(W*t))^2 + y^2", "l^2"),
            ("y", "0.3*x^2 + 0.1*sin(W*t)"),
            ("x^2 + y^2", "(l + 0.1*cos(W*t))^2"),
        ]
        left, right = r.choice(rows)
        s.rows = [Row("wire", left.replace("W", w), right.replace("W", w), 0)]
        return Motion(s, round(r.uniform(0.5, 3), 2))


def smooth(maker):
    """A random system without jumps, bodies, servo and acceleration rows."""
    r = maker.random
    names = r.sample(["x", "y", "z", "th"], r.choice([2, 3, 3, 4]))
    s = System(
        f"random {maker.seed}",
        {"m": maker.number(), "k": maker.number(), "l": maker.number(0.8, 1.5), "g": "9.81"},
        {a: maker.signed() for a in names},
        {a: maker.signed() for a in names},
    )
    maker.masses(s, names)
    while s.bodies:
        s.bodies, s.particles, s.kinetic, s.gravity = {}, {}, None, None
        maker.masses(s, names)
    if maker.chance(0.5):
        s.potential = " + ".join(r.choice(["k/2*{u}^2", "-g*cos({u})", "k*{u}"]).format(u=a) for a in names)
    if maker.chance(0.3):
        s.forces["push"] = {r.choice(names): r.choice(["-0.5*{b}'", "sin(t)", "-0.3*{b}"]).format(b=r.choice(names))}
    for i in range(r.randint(1, len(names) - 1)):
        while True:
            row = maker.row(s, f"c{i}", names)
            if row.level < 2 and not any(word in row.left + row.right + "".join(row.twin) for word in ("abs", "sign", "max", "min")):
                break
        s.rows.append(row)
    if maker.chance(0.4):
        copy = maker.copy(s, "d0", names)
        if copy and not any(word in copy.left + copy.right for word in ("abs", "sign", "max", "min")):
            s.rows.append(copy)
    return Motion(s, round(r.uniform(0.3, 2), 2))


def motion_of(seed):
    maker = RunMaker(seed)
    kind = maker.random.choices(["random", "curve", "linkage", "chain", "loop", "rough", "driven"], [4, 4, 2, 2, 2, 2, 1])[0]
    if kind == "curve":
        return kind, Curve(seed)
    if kind == "linkage":
        return kind, Linkage(seed)
    if kind == "random":
        return kind, smooth(maker)
    return kind, getattr(maker, kind)()


class Check:
    def __init__(self, seed, folder):
        self.seed = seed
        self.kind, self.motion = motion_of(seed)
        self.path, self.table = Path(folder) / "model.toml", Path(folder) / "samples.csv"
        self.found, self.tally, self.models = [], Counter(), {"run": self.motion.model()}
        forms = ["udwadia-kalaba", "projection", "complement", "independent"]
        self.options = ["--formulation", forms[seed // 3 % 4]] if seed % 3 == 0 else []

    def run(self):
        kind = f"{self.kind}, {self.motion.singular or 'smooth'}" if self.kind in ("curve", "linkage") else self.kind
        self.path.write_text(self.models["run"])
        start, message = dalembert("eval", self.path, "--json")
        if start is None:
            self.tally[f"{kind}: eval refused {code(message)}"] += 1
            if self.kind == "curve" and self.motion.singular is None:
                self.found.append(f"a smooth curve is refused by eval: {message[:300]}")
            return self
        try:
            right = self.motion.reference(start)
        except Lost as error:
            self.tally[f"{kind}: no motion here, {str(error)[:40]}"] += 1
            right = None
        result, late = command("run", self.path, "--json", "--quiet", "--record", "all", "--out", self.table, *self.options)
        if late:
            self.tally[f"{kind}: timeout"] += 1
            if right and right.regular:
                self.found.append("a regular motion takes more than a minute of the processor")
            return self
        if "panicked" in result.stderr:
            self.found.append(result.stderr[-300:])
        if result.returncode:
            why = code(result.stderr)
            self.tally[f"{kind}: refused {why} {' '.join(self.options)}"] += 1
            if self.options and why == "E0515":  # no speeds are independent
                return self
            if right and right.regular:
                self.found.append(f"a regular motion is refused (smallest singular value {right.smallest:.2g}): {result.stderr[:400]}")
            return self
        if right is None:
            return self
        said = json.loads(result.stdout)
        self.compare(kind, right, said)
        return self

    def compare(self, kind, right, said):
        tolerance = max(1e-6, 1e3 * right.error)
        ledger = abs(said["energy"]["balance_error"])
        bound = 30 * RTOL * math.sqrt(said["steps"]) * right.scale + 1e-13 * math.sqrt(said["steps"]) * right.scale
        if right.ends_early:
            self.found.append(f"{kind}: done, though the motion meets a corner; out of balance by {said['energy']['balance_error']}")
            return
        off = max(abs(said["end"][name] - v) / (1 + abs(v)) for name, v in right.end.items() if name in said["end"])
        if off > tolerance and right.error < 1e-5:
            self.tally[f"{kind}: wrong"] += 1
            self.found.append(
                f"{kind}: ends off by {off:.2g} (known to {right.error:.1g}; smallest singular value {right.smallest:.2g}): {said['end']} is {right.end}"
            )
        else:
            self.tally[f"{kind}: right" + (" through a node" if right.crosses else "")] += 1
            if right.regular and right.error < 1e-7:
                self.samples(kind, right, tolerance)
        # The work's own error is not shown; ten times the bound is beyond any estimate of it.
        if ledger > 10 * bound:
            self.found.append(f"{kind}: done with a ledger out of balance by {ledger:.2g}, {ledger / right.scale:.2g} of its scale")

    def samples(self, kind, right, tolerance):
        """What was recorded on the way: no holes, and the motion itself."""
        with self.table.open() as file:
            rows = list(csv.DictReader(file))
        begin = float(rows[0]["t"])
        for row in rows[:: max(1, len(rows) // 10)]:
            holes = [name for name, text in row.items() if text.strip().lower() in ("", "nan", "inf", "-inf")]
            if self.redundant():
                holes = [name for name in holes if "(" not in name]
            if holes:
                self.found.append(f"{kind}: no number at t = {row['t']} for {holes}")
                return
            for name, v in right.at(float(row["t"]) - begin).items():
                if name in row and abs(float(row[name]) - v) > 10 * tolerance * (1 + abs(v)):
                    self.found.append(f"{kind}: at t = {row['t']} {name} is recorded as {row[name]}, is {v}")
                    return

    def redundant(self):
        """Multipliers of dependent rows are not determined, and not recorded."""
        return self.kind == "linkage" or any(row.name.startswith(("again", "d")) for row in getattr(getattr(self.motion, "system", None), "rows", []))


def look(seed, folder):
    return Check(seed, folder).run()


if __name__ == "__main__":
    main(look)
