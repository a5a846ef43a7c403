"""Loops with redundant rows, and with places where rows vanish."""

import casadi as ca
import json

import numpy as np
from linkages import e, rod
from papers import agrees
from scipy.special import ellipj, ellipk
from witness import FOLDER, System, model, reference, state, symbols

LIBRARY = "IFToMM library of computational benchmark problems, {} (http://lim.ii.udc.es/mbsbenchmark, https://www.iftomm-multibody.org/benchmark)"


class Redundant(System):
    """Rows that depend on each other: least multipliers."""

    def solve(self, time, q, u):
        M, h, A, b = (np.array(x) for x in self.parts(time, q, u))
        free = np.linalg.solve(M, h)
        along = np.linalg.solve(M, A.T)
        multipliers = np.linalg.pinv(A @ along, rcond=1e-6) @ (b - A @ free)
        return (free + along @ multipliers).ravel(), multipliers.ravel()


def turn(axis, angle):
    c, s = ca.cos(angle), ca.sin(angle)
    i, j = [(1, 2), (2, 0), (0, 1)][axis]
    R = ca.SX.eye(3)
    R[i, i], R[j, j], R[j, i], R[i, j] = c, c, s, -s
    return R


@model("bricard-iftomm-a04")
def bricard(name):
    g, w, m = 9.81, 0.1, 1
    q, u = symbols(5)
    a1, a2, a3, a6, a5 = (q[i] for i in range(5))
    x, y, z = np.eye(3)
    R1 = turn(1, a1)
    R2 = R1 @ turn(2, a2)
    R3 = R2 @ turn(0, a3)
    R5 = turn(0, a6)
    R4 = R5 @ turn(2, a5)
    P2 = R1 @ x
    P3 = P2 - R2 @ y
    P4 = P3 + R3 @ z
    P5 = z - R5 @ y
    other = P5 + R4 @ x
    # Rods as four lines of mass, two points of Gauss each: a square section w has the radii w/sqrt(12) along both sides.
    T, V = 0, 0
    rods = [(0 * P2, R1, x), (P2, R2, -y), (P3, R3, z), (z + 0 * P2, R5, -y), (P5, R4, x)]
    for foot, R, along in rods:
        sides = [e for e in (x, y, z) if abs(e @ along) < 0.5]
        for s in (0.5 - 1 / np.sqrt(12), 0.5 + 1 / np.sqrt(12)):
            for k in (-1, 1):
                for n in (-1, 1):
                    point = foot + R @ (s * along + w / np.sqrt(12) * (k * sides[0] + n * sides[1]))
                    T += m / 8 * ca.sumsqr(ca.jtimes(point, q, u)) / 2
                    V += m / 8 * g * point[1]
    axis = ca.cross(R3 @ y, R4 @ y)
    system = Redundant(q, u, T, V, phi=ca.vertcat(P4 - other, axis))
    names = ["a1", "a2", "a3", "a6", "a5"]
    zero = np.zeros(5)
    start = state(names, zero, zero, system.solve(0, zero, zero)[0])
    times = [0.5, 1, 2]
    motion = system.motion(zero, zero, times)
    later = [state(names, *at, time=time) for time, at in zip(times, motion)]
    # By one freedom, from elsewhere: the points P2, P3, P4.
    points = ca.Function("points", [q], [ca.vertcat(P3, P2, P4)])
    series = {row[0]: row[1:] for row in json.loads((FOLDER / "iftomm_a04.json").read_text())["series"]}
    for time, (at, _) in zip(times, motion):
        agrees(np.array(points(at)).ravel(), series[time], 1e-9)
    how = "five angles, each rod eight particles, six closing rows by the pseudoinverse; agrees to 1e-9 with iftomm_a04.json, one freedom"
    return reference(name, "IFToMM A04, Bricard's mechanism", LIBRARY.format("A04"), how, start, later)


def crank(count, times):
    """Angle of the cranks of IFToMM's N-four-bar from upright, and its rate: ((N + 1)/3 + N) theta'' = g ((N + 1)/2 + N) sin(theta), theta' = 1."""
    k = 9.81 * ((count + 1) / 2 + count) / ((count + 1) / 3 + count)
    fastest = np.sqrt(1 + 4 * k)
    m = 4 * k / fastest**2
    _, _, dn, half = ellipj(fastest * np.asarray(times, float) / 2 - ellipk(m), m)
    return np.pi + 2 * half, fastest * dn


@model("n-four-bar-iftomm-a02")
def four_bars(name):
    g = 9.81
    q, u = symbols(5)
    a, b = [q[i] for i in range(3)], [q[i] for i in range(3, 5)]
    tops = [ca.vertcat(i, 0) + e(a[i]) for i in range(3)]
    rods = [(ca.vertcat(i, 0) + e(a[i]) / 2, a[i]) for i in range(3)] + [(tops[i] + e(b[i]) / 2, b[i]) for i in range(2)]
    T = sum(rod(1, 1, center, angle, q, u) for center, angle in rods)
    rows = ca.vertcat(*(tops[i] + e(b[i]) - tops[i + 1] for i in range(2)))
    system = System(q, u, T, g * sum(center[1] for center, _ in rods), phi=rows)
    names = ["a0", "a1", "a2", "b0", "b1"]
    at = lambda theta, rate: ([np.pi / 2 - theta] * 3 + [0, 0], [-rate] * 3 + [0, 0])
    q0, u0 = at(0, 1)
    accelerations, multipliers = system.solve(0, q0, u0)
    start = state(names, q0, u0, accelerations, dict(zip(["x0", "y0", "x1", "y1"], multipliers)))
    times = [0.5, 1, 5, 10]
    later = [state(names, *at(*x), time=time) for time, *x in zip(times, *crank(2, times))]
    series = {float(row[0]): row[1:] for row in json.loads((FOLDER / "iftomm_a02.json").read_text())["series"]}
    for found in later:
        angle, rate = found["coordinates"]["a0"], found["rates"]["a0"]
        seen = [np.cos(angle), np.sin(angle), -rate * np.sin(angle), rate * np.cos(angle)]
        agrees(seen, [float(x) for x in series[found["t"]]], 1e-11)
    how = "closed form: all cranks turn alike, an elliptic function; the start's multipliers by Lagrange with four rows"
    title = "IFToMM A02, N-four-bar mechanism with N = 2"
    return reference(name, title, LIBRARY.format("A02"), how, start, later, {"start": 1e-10, "later": 1e-8})
