"""Constrained systems in Python, by a road of their own: M q'' = h + Aᵀ λ + w with A q'' = b, in fifty digits.

A `System` writes its model file and derives itself: particles and bodies by partial velocities of jets, energies by
Lagrange, rows by their Hessians. It shares no line with the program under test.
"""

from dataclasses import dataclass, field

import numpy
from formulas import Functions, Jet, Undefined, jet, value, variables
from mpmath import mp, mpf


@dataclass
class Row:
    """A scalar row `left = right` of a level: 0 coordinates, 1 rates, 2 accelerations."""

    name: str
    left: str
    right: str
    level: int
    friction: tuple = None  # (coefficient, particle)
    enforced_by: str = None  # a generalized force
    nonideal: dict = None  # by coordinate
    spelled: str = None  # in the model file, where other words than left = right are used


@dataclass
class System:
    title: str
    parameters: dict
    coordinates: dict  # name: value to begin the search with
    rates: dict
    particles: dict = field(default_factory=dict)  # name: (mass, (x, y, z))
    bodies: dict = field(default_factory=dict)  # name: (mass, (I1, I2, I3), (x, y, z), [(axis, angle), ...])
    kinetic: str = None
    potential: str = None
    dissipation: str = None
    gravity: str = None  # acceleration along -y
    forces: dict = field(default_factory=dict)  # name: {coordinate: text}
    pushes: dict = field(default_factory=dict)  # name: (particle, (x, y, z))
    springs: dict = field(default_factory=dict)  # name: (particle, (x, y, z) of its foot, stiffness, length)
    speeds: dict = None
    rows: list = field(default_factory=list)
    run: dict = field(default_factory=dict)
    exact: bool = False  # start values are given, not guesses

    def model(self):
        """The model file."""
        q = lambda text: f'"{text}"'
        lines = ["dalembert = 1", f"title = {q(self.title)}"]
        if self.gravity:
            lines.append(f'gravity = "[0, -({self.gravity}), 0]"')
        lines.append("[parameters]")
        lines += [f"{name} = {text}" for name, text in self.parameters.items()]
        lines.append("[coordinates]")
        guess = lambda v: v if self.exact else f'{{ value = {v}, priority = "guess" }}'
        lines += [f"{name} = {guess(v)}" for name, v in self.coordinates.items()]
        if self.rates:
            lines.append("[start]")
            lines += [f'"{name}\'" = {guess(v)}' for name, v in self.rates.items()]
        if self.speeds:
            lines.append("[speeds]")
            lines += [f"{name} = {q(text)}" for name, text in self.speeds.items()]
        for name, (mass, place) in self.particles.items():
            lines += [f"[particle.{name}]", f"mass = {q(mass)}", f'position = "[{", ".join(place)}]"']
        for name, (mass, inertia, place, attitude) in self.bodies.items():
            turns = " ".join(f"R{axis}({angle})" for axis, angle in attitude)
            moments = ", ".join(q(i) for i in inertia)
            lines += [f"[body.{name}]", f"mass = {q(mass)}", f"inertia = [{moments}]", f'center = "[{", ".join(place)}]"', f"attitude = {q(turns)}"]
        if self.kinetic or self.potential or self.dissipation:
            lines.append("[energy]")
            for key in ("kinetic", "potential", "dissipation"):
                if getattr(self, key):
                    lines.append(f"{key} = {q(getattr(self, key))}")
        for name, terms in self.forces.items():
            lines += [f"[force.{name}]", "generalized = { " + ", ".join(f"{c} = {q(text)}" for c, text in terms.items()) + " }"]
        for name, (on, vector) in self.pushes.items():
            lines += [f"[force.{name}]", f"on = {q(on)}", f'vector = "[{", ".join(vector)}]"']
        for name, (on, foot, stiffness, length) in self.springs.items():
            lines += [
                f"[spring.{name}]",
                f'between = ["point(ground, [{", ".join(foot)}])", {q(on)}]',
                f"stiffness = {q(stiffness)}",
                f"length = {q(length)}",
            ]
        for row in self.rows:
            lines += [f"[constraint.{row.name}]", f"holds = {q(row.spelled or row.left + ' = ' + row.right)}"]
            if row.friction:
                lines.append(f"friction = {{ coefficient = {q(row.friction[0])}, at = {q(row.friction[1])} }}")
            if row.enforced_by:
                lines.append(f"enforced_by = [{q(row.enforced_by)}]")
            if row.nonideal:
                lines.append("nonideal = { " + ", ".join(f"{c} = {q(text)}" for c, text in row.nonideal.items()) + " }")
        lines.append("[run]")
        lines += [f"{key} = {text}" for key, text in ({"span": 1} | self.run).items()]
        return "\n".join(lines) + "\n"

    # -- numbers -----------------------------------------------------------------------------------------------------

    def constants(self):
        if not hasattr(self, "known"):
            self.known = {"pi": +mp.pi}
            for name, text in self.parameters.items():
                self.known[name] = value(str(text), self.known)
        return self.known

    def names(self, q, qd, t, order, second=True):
        """Jets of everything a text may speak of: order 0 of (q, t), 1 of (q, q', t), 2 of (q, q', q'', t) with q'' = 0."""
        independent = {name: q[name] for name in q}
        if order >= 1:
            independent |= {f"{name}'": qd[name] for name in q}
        if order >= 2:
            independent |= {f"{name}''": mpf(0) for name in q}
        independent["t"] = t
        names = variables(independent, second) | self.constants()
        if order >= 1 and self.speeds:
            for name, text in self.speeds.items():
                names[name] = value(text, names)
        return names

    def settle(self, q, qd, t=mpf(0)):
        """The state near (q, q') that meets the rows, to all digits; None if the search does not end."""
        q = {name: mpf(v) for name, v in q.items()}
        qd = {name: mpf(v) for name, v in qd.items()}
        order = list(q)
        n = len(order)
        for level, unknown, place in ((0, q, 0), (1, qd, n)):
            for _ in range(60):
                residual, jacobian = [], []
                for row in self.rows:
                    if row.level > level:
                        continue
                    r = self.residual(row, q, qd, t, level)
                    residual.append(r.v)
                    jacobian.append(list(gradient(r, 2 * n + 1 if level else n + 1)[place : place + n]))
                if not residual or max(abs(r) for r in residual) < mpf(10) ** (4 - mp.dps):
                    break
                # rows that say the same on the surface nearly do beside it: far away all of them, damped (Levenberg)
                far = max(abs(r) for r in residual) > 1e-6
                rows = range(len(residual)) if far else independent_rows(jacobian, mpf(10) ** -4)
                jacobian = numpy.array([jacobian[i] for i in rows], dtype=object).reshape(len(rows), n)
                residual = numpy.array([residual[i] for i in rows], dtype=object)
                damping = numpy.array([[residual @ residual / 1000 if i == j and far else mpf(0) for j in rows] for i in rows], dtype=object)
                try:
                    y = solve(jacobian @ jacobian.T + damping, residual)
                except (ZeroDivisionError, ValueError):
                    return None
                change = jacobian.T @ y
                for i, name in enumerate(order):
                    unknown[name] -= change[i]
                    if abs(unknown[name]) > 1e6:
                        return None
            else:
                return None
            for name in order:
                unknown[name] = rounded(unknown[name])
        return q, qd

    def residual(self, row, q, qd, t, level=None):
        """The row as a jet; at level 1 a position row's rate."""
        names = self.names(q, qd, t, row.level, row.level == 0 and level is None)
        r = jet(value(row.left, names)) - jet(value(row.right, names))
        n = len(q)
        if row.level == 0 and level == 1:
            names = self.names(q, qd, t, 1)
            r = jet(value(row.left, names)) - jet(value(row.right, names))
            g, h = gradient(r, 2 * n + 1), hessian(r, 2 * n + 1)
            speeds = [qd[name] for name in q]
            rate = sum((g[i] * speeds[i] for i in range(n)), g[2 * n])
            first = numpy.array([sum((h[i, j] * speeds[i] for i in range(n)), h[2 * n, j]) for j in range(2 * n + 1)], dtype=object)
            first[n : 2 * n] = first[n : 2 * n] + g[:n]
            return Jet(rate, first, None)
        return r

    def equations(self, q, qd, t=mpf(0)):
        """M, h, A, b, E (directions of the forces that hold rows), c with w = |λ| c for rows with friction, w of the rest."""
        order = list(q)
        n = len(order)
        speeds = numpy.array([qd[name] for name in order], dtype=object)
        M = numpy.full((n, n), mpf(0), dtype=object)
        h = numpy.full(n, mpf(0), dtype=object)
        along = numpy.append(speeds, mpf(1))
        place = self.names(q, qd, t, 0)
        motion = self.names(q, qd, t, 1)
        numbers = {name: v.v if isinstance(v, Jet) else v for name, v in motion.items()}
        gravity = value(self.gravity, numbers) if self.gravity else mpf(0)
        jacobians = {}

        def point(texts):
            jets = [jet(value(text, place)) for text in texts]
            J = numpy.array([gradient(p, n + 1)[:n] for p in jets], dtype=object)
            velocity = numpy.array([gradient(p, n + 1) @ along for p in jets], dtype=object)
            rest = numpy.array([along @ hessian(p, n + 1) @ along for p in jets], dtype=object)
            return J, velocity, rest, numpy.array([p.v for p in jets], dtype=object)

        for name, (mass, texts) in self.particles.items():
            m = value(mass, numbers)
            J, velocity, rest, position = point(texts)
            jacobians[name] = (J, velocity, position)
            M = M + J.T @ J * m
            h = h - J.T @ rest * m - J[1] * (m * gravity)
        for name, (mass, inertia, texts, attitude) in self.bodies.items():
            m = value(mass, numbers)
            J, velocity, rest, position = point(texts)
            M = M + J.T @ J * m
            h = h - J.T @ rest * m - J[1] * (m * gravity)
            R = rotation(attitude, place)
            numbers_of = lambda f: numpy.array([[f(R[i][j]) for j in range(3)] for i in range(3)], dtype=object)
            R0 = numbers_of(lambda e: e.v)
            first = [numbers_of(lambda e, k=k: gradient(e, n + 1)[k]) for k in range(n + 1)]
            W = numpy.array([axial(first[k] @ R0.T) for k in range(n)], dtype=object).T
            omega = axial(sum((first[k] * along[k] for k in range(n + 1)), numpy.full((3, 3), mpf(0), dtype=object)) @ R0.T)
            alpha = axial(numbers_of(lambda e: along @ hessian(e, n + 1) @ along) @ R0.T)
            moments = [value(text, numbers) for text in inertia]
            tensor = R0 @ numpy.array([[moments[i] if i == j else mpf(0) for j in range(3)] for i in range(3)], dtype=object) @ R0.T
            M = M + W.T @ tensor @ W
            h = h - W.T @ (tensor @ alpha + cross(omega, tensor @ omega))
        if self.kinetic:
            T = jet(value(self.kinetic, motion))
            g, H = gradient(T, 2 * n + 1), hessian(T, 2 * n + 1)
            M = M + H[n : 2 * n, n : 2 * n]
            h = h + g[:n] - H[n : 2 * n, :n] @ speeds - H[n : 2 * n, 2 * n]
        if self.potential:
            h = h - gradient(jet(value(self.potential, place)), n + 1)[:n]
        if self.dissipation:
            h = h - gradient(jet(value(self.dissipation, motion)), 2 * n + 1)[n : 2 * n]
        for on, foot, stiffness, length in self.springs.values():
            J, _, position = jacobians[on]
            arm = position - numpy.array([value(text, numbers) for text in foot], dtype=object)
            size = mp.sqrt(arm @ arm)
            h = h - J.T @ arm * (value(stiffness, numbers) * (size - value(length, numbers)) / size)
        holding = {row.enforced_by for row in self.rows if row.enforced_by}
        for name, terms in self.forces.items():
            if name not in holding:
                for coordinate, text in terms.items():
                    h[order.index(coordinate)] += value(text, numbers)
        for on, vector in self.pushes.values():
            h = h + jacobians[on][0].T @ numpy.array([value(text, numbers) for text in vector], dtype=object)
        A, b, E, c = [], [], [], []
        w = numpy.full(n, mpf(0), dtype=object)
        for row in self.rows:
            r = self.residual(row, q, qd, t)
            if row.level == 0:
                g, H = gradient(r, n + 1), hessian(r, n + 1)
                A.append(g[:n])
                b.append(-(along @ H @ along))
            elif row.level == 1:
                g = gradient(r, 2 * n + 1)
                A.append(g[n : 2 * n])
                b.append(-(g[:n] @ speeds) - g[2 * n])
            else:
                g = gradient(r, 3 * n + 1)
                A.append(g[2 * n : 3 * n])
                b.append(-r.v)
            if row.enforced_by:
                direction = numpy.full(n, mpf(0), dtype=object)
                for coordinate, text in self.forces[row.enforced_by].items():
                    direction[order.index(coordinate)] += value(text, numbers)
                E.append(direction)
            else:
                E.append(A[-1])
            if row.friction:
                # Coulomb on a particle whose position is coordinates themselves: normal force λ ∇, against the slip
                J, velocity, _ = jacobians[row.friction[1]]
                normal = J @ A[-1]
                size = mp.sqrt(normal @ normal)
                slip = velocity - normal * (normal @ velocity) / size**2
                c.append(J.T @ slip * (-value(row.friction[0], numbers) * size / mp.sqrt(slip @ slip)))
            else:
                c.append(None)
            for coordinate, text in (row.nonideal or {}).items():
                w[order.index(coordinate)] += value(text, numbers)
        return Equations(
            self, q, qd, t, M, h, numpy.array(A, dtype=object).reshape(len(A), n), b, numpy.array(E, dtype=object).reshape(len(E), n), c, w
        )


class Equations:
    """The canonical problem at a state, and its motion."""

    def __init__(self, system, q, qd, t, M, h, A, b, E, c, w):
        self.system, self.q, self.qd, self.t = system, q, qd, t
        self.M, self.h, self.A, self.b, self.E, self.c, self.w = M, h, A, b, E, c, w
        self.independent = independent_rows(A)
        self.rank = len(self.independent)

    def parts(self):
        return self.M, self.h, self.A, self.b, self.E, self.c, self.w

    def motion(self):
        """(q'', λ) with λ = 0 for rows that depend on others; raises ValueError where there is none or no unique one."""
        n, rows = len(self.h), self.independent
        frictional = [i for i in rows if self.c[i] is not None]
        answers = []
        for signs in numpy.ndindex(*[2] * len(frictional)):
            signs = dict(zip(frictional, [1 - 2 * s for s in signs]))
            K = numpy.full((n + self.rank, n + self.rank), mpf(0), dtype=object)
            K[:n, :n] = self.M
            for k, i in enumerate(rows):
                K[:n, n + k] = -self.E[i] - (self.c[i] * signs[i] if i in signs else 0)
                K[n + k, :n] = self.A[i]
            x = solve(K, numpy.append(self.h + self.w, [self.b[i] for i in rows]))
            multipliers = numpy.full(len(self.b), mpf(0), dtype=object)
            for k, i in enumerate(rows):
                multipliers[i] = x[n + k]
            if all(multipliers[i] * s > 0 for i, s in signs.items()):
                answers.append((x[:n], multipliers))
        if len(answers) != 1:
            raise ValueError(f"{len(answers)} solutions")
        acceleration, multipliers = (numpy.array([rounded(x) for x in found], dtype=object) for found in answers[0])
        worst = max((abs(r) for r in self.A @ acceleration - numpy.array(self.b, dtype=object)), default=mpf(0))
        if worst > mpf(10) ** (8 - mp.dps // 2):
            raise ValueError("rows contradict each other")
        return acceleration, multipliers

    def values(self, acceleration, multipliers):
        """Everything that a printed page may speak of."""
        values = self.system.constants() | {"t": self.t}
        for i, name in enumerate(self.q):
            values |= {name: self.q[name], f"{name}'": self.qd[name], f"{name}''": acceleration[i]}
        for row, multiplier in zip(self.system.rows, multipliers):
            values[f"lambda({row.name})"] = values[f"reaction({row.name})"] = multiplier
        if self.system.speeds:
            names = self.system.names(self.q, self.qd, self.t, 1)
            n = len(self.q)
            for name in self.system.speeds:
                g = gradient(names[name], 2 * n + 1)
                values[name] = names[name].v
                values[f"{name}'"] = g[:n] @ numpy.array(list(self.qd.values()), dtype=object) + g[n : 2 * n] @ acceleration + g[2 * n]
        return values


def rounded(x):
    """What is zero but for rounding is zero, also to a sign."""
    return mpf(0) if abs(x) < mpf(10) ** (10 - mp.dps) else x


def gradient(u, n):
    return numpy.full(n, mpf(0), dtype=object) if u.g is None else u.g


def hessian(u, n):
    return numpy.full((n, n), mpf(0), dtype=object) if u.h is None else u.h


def rotation(attitude, names):
    R = [[jet(mpf(int(i == j))) for j in range(3)] for i in range(3)]
    for axis, angle in attitude:
        a = jet(value(angle, names))
        s, c = Functions.sin(a), Functions.cos(a)
        k = "xyz".index(axis)
        i, j = (k + 1) % 3, (k + 2) % 3
        turn = [[jet(mpf(int(p == q))) for q in range(3)] for p in range(3)]
        turn[i][i], turn[i][j], turn[j][i], turn[j][j] = c, -s, s, c
        R = [[sum((R[p][m] * turn[m][q] for m in range(3)), jet(mpf(0))) for q in range(3)] for p in range(3)]
    return R


def axial(S):
    return numpy.array([(S[2, 1] - S[1, 2]) / 2, (S[0, 2] - S[2, 0]) / 2, (S[1, 0] - S[0, 1]) / 2], dtype=object)


def cross(a, b):
    return numpy.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]], dtype=object)


def independent_rows(A, tolerance=None):
    """Rows that span the rest, by elimination with the largest pivot."""
    A = [list(row) for row in A]
    tolerance = tolerance or mpf(10) ** (-mp.dps // 2)
    sizes = [max((abs(e) for e in row), default=mpf(0)) for row in A]
    left = [i for i in range(len(A)) if sizes[i] > tolerance]
    chosen = []
    while left:
        best = max(left, key=lambda i: max(abs(e) for e in A[i]) / sizes[i])
        j = max(range(len(A[best])), key=lambda j: abs(A[best][j]))
        if abs(A[best][j]) <= tolerance * sizes[best]:
            break
        left.remove(best)
        chosen.append(best)
        for i in left:
            f = A[i][j] / A[best][j]
            A[i] = [e - f * p for e, p in zip(A[i], A[best])]
    return sorted(chosen)


def solve(K, r):
    """Gauss with the largest pivot; ValueError where K is singular."""
    n = len(r)
    K = [list(K[i]) + [r[i]] for i in range(n)]
    for j in range(n):
        p = max(range(j, n), key=lambda i: abs(K[i][j]))
        if abs(K[p][j]) < mpf(10) ** (-mp.dps // 2):
            raise ValueError("singular")
        K[j], K[p] = K[p], K[j]
        for i in range(j + 1, n):
            f = K[i][j] / K[j][j]
            if f:
                K[i] = [a - f * b for a, b in zip(K[i], K[j])]
    x = [mpf(0)] * n
    for i in reversed(range(n)):
        x[i] = (K[i][n] - sum(K[i][j] * x[j] for j in range(i + 1, n))) / K[i][i]
    return numpy.array(x, dtype=object)


__all__ = ["Equations", "Row", "System", "Undefined", "gradient", "hessian", "independent_rows", "solve"]
