"""A second derivation of a model, and where its numbers go.

Lagrange's equations by CasADi's automatic differentiation, multipliers by one dense solve, motion by SciPy's DOP853 at the
limit of double precision. Nothing here knows dalembert; the models are written a second time, mostly in other coordinates.
"""

import json
from pathlib import Path

import casadi as ca
import numpy as np
from scipy.integrate import solve_ivp

FOLDER = Path(__file__).resolve().parents[3] / "examples" / "reference"
MODELS = {}
t = ca.SX.sym("t")


def model(name):
    """Registers a function that returns the reference of one model."""

    def register(function):
        MODELS[name] = function
        return function

    return register


def symbols(count):
    """Coordinates and their rates."""
    return ca.SX.sym("q", count), ca.SX.sym("u", count)


def rate(x, q, u):
    """dx/dt along the motion."""
    return ca.jtimes(x, q, u) + ca.jacobian(x, t)


class System:
    """T, V and forces Q on the coordinates, or M and h given; position rows phi = 0, velocity rows psi = 0, left minus right."""

    def __init__(self, q, u, T, V=0, Q=None, phi=None, psi=None, given=None):
        if given is None:
            momentum = ca.gradient(T, u)
            M = ca.jacobian(momentum, u)
            h = ca.gradient(T - V, q) - ca.jtimes(momentum, q, u) - ca.jacobian(momentum, t)
        else:
            M, h = given
        if Q is not None:
            h += Q
        A, b = ca.SX(0, q.numel()), ca.SX(0, 1)
        if phi is not None:
            first = rate(phi, q, u)
            A = ca.vertcat(A, ca.jacobian(phi, q))
            b = ca.vertcat(b, -(ca.jtimes(first, q, u) + ca.jacobian(first, t)))
        if psi is not None:
            A = ca.vertcat(A, ca.jacobian(psi, u))
            b = ca.vertcat(b, -(ca.jtimes(psi, q, u) + ca.jacobian(psi, t)))
        self.size, self.rows = q.numel(), A.shape[0]
        self.parts = ca.Function("parts", [t, q, u], [ca.densify(x) for x in (M, h, A, b)])

    def solve(self, time, q, u):
        """Accelerations and multipliers, M q'' = h + A^T lambda."""
        M, h, A, b = (np.array(x) for x in self.parts(time, q, u))
        n, m = self.size, self.rows
        K = np.block([[M, -A.T], [A, np.zeros((m, m))]])
        x = np.linalg.solve(K, np.concatenate([h.ravel(), b.ravel()]))
        return x[:n], x[n:]

    def velocities(self, q, u, given, time=0.0):
        """Completes rates on which the rows agree: those in `given` stay."""
        A = np.array(self.parts(time, q, u)[2])
        free = [i for i in range(self.size) if i not in given]
        u = np.array(u, float)
        u[free] = 0
        u[free] = -np.linalg.lstsq(A[:, free], A @ u, rcond=None)[0]
        return u

    def motion(self, q, u, times):
        """States at the times; the rows are not kept, and drift less than they are compared by."""
        n = self.size

        def f(time, y):
            return np.concatenate([y[n:], self.solve(time, y[:n], y[n:])[0]])

        y = np.concatenate([q, u]).astype(float)
        run = solve_ivp(f, (0, times[-1]), y, "DOP853", times, rtol=2.3e-14, atol=1e-16)
        assert run.success, run.message
        return [(x[:n], x[n:]) for x in run.y.T]


def reference(name, title, source, derivation, start, later, tolerance=None, **more):
    """The form of every file in examples/reference: what the model starts from and does, by the model's own names."""
    return {
        "model": name,
        "title": title,
        "source": source,
        "derivation": derivation,
        "tolerance": tolerance or {"start": 1e-10, "later": 1e-9},
        "start": start,
        "later": later,
        **more,
    }


def state(names, q, u, a=None, multipliers=None, time=None):
    """One state by names."""
    values = lambda x: {name: float(value) for name, value in zip(names, x)}
    result = {} if time is None else {"t": float(time)}
    result |= {"coordinates": values(q), "rates": values(u)}
    if a is not None:
        result["accelerations"] = values(a)
    if multipliers:
        result["multipliers"] = {name: float(x) for name, x in multipliers.items()}
    return result


def of_system(system, names, rows, q, u, times):
    """Start and later states of a system in the model's own coordinates."""
    a, multipliers = system.solve(0, q, u)
    start = state(names, q, u, a, dict(zip(rows, multipliers)))
    later = [state(names, x, v, time=at) for at, (x, v) in zip(times, system.motion(q, u, times))]
    return start, later


def of_reduced(system, s, v, place, names, s0, v0, times):
    """The same of a system in fewer coordinates s, with the model's as functions of them."""
    first = rate(place, s, v)
    acceleration = ca.SX.sym("a", s.numel())
    second = ca.jtimes(first, s, v) + ca.jacobian(first, t) + ca.jtimes(first, v, acceleration)
    see = ca.Function("see", [t, s, v, acceleration], [place, first, second])

    def look(time, x, y):
        return [np.array(z).ravel() for z in see(time, x, y, system.solve(time, x, y)[0])]

    start = state(names, *look(0, s0, v0))
    later = []
    for at, (x, y) in zip(times, system.motion(s0, v0, times)):
        q, u, _ = look(at, x, y)
        later.append(state(names, q, u, time=at))
    return start, later


def write(names):
    """Derives the models of these names again, or all, and writes their files."""
    for name in names or MODELS:
        document = MODELS[name](name)
        path = FOLDER / f"{name}.json"
        path.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n")
        print(path.name)
