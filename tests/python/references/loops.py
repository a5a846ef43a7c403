"""Loops with redundant rows, and with places where rows vanish."""

import casadi as ca
import json

import numpy as np
from papers import agrees
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
