"""Other people's benchmarks: IFToMM's library and the test set for IVP solvers."""

import json

import casadi as ca
import numpy as np
from papers import agrees
from scipy.optimize import brentq
from witness import FOLDER, System, model, of_reduced, of_system, reference, symbols, t


def flyball():
    """The governor by symmetry, with its coordinates and their rates."""
    shaft, arm, slider, ball, k, c, g = 0.3, 0.3, 3, 5, 8e5, 4e4, 9.81
    # Symmetric: turn of the shaft, slider's height, angle of both arms below the horizontal. One half plane, twice.
    q, u = symbols(3)
    s, a = q[1], q[2]
    out, height = lambda x: 0.05 + x * ca.cos(a), lambda x: 1 - x * ca.sin(a)
    thin, long = 0.01**2 / 12, 1 / 12
    about = arm * ((thin + thin) * ca.sin(a) ** 2 + (thin + long) * ca.cos(a) ** 2 + out(0.5) ** 2) + ball * out(1) ** 2
    about = 2 * about + shaft * 2 * thin + slider * 0.1**2 / 6
    T = about * u[0] ** 2 / 2 + slider * u[1] ** 2 / 2 + (arm * (thin + long + 0.25) + ball) * u[2] ** 2
    V = g * (slider * s + 2 * arm * height(0.5) + 2 * ball * height(1))
    length = ca.sqrt((out(0.5) - 0.05) ** 2 + (height(0.5) - s) ** 2)
    V += 2 * k / 2 * (length - 0.5) ** 2
    Q = -2 * c * ca.jtimes(length, q, u) * ca.jacobian(length, q).T
    return System(q, u, T, V, Q), q, u


@model("governor-iftomm-a05")
def governor(name):
    data = json.loads((FOLDER / "iftomm_a05.json").read_text())
    system, q, u = flyball()
    names, times = ["phi", "s", "a1", "a2"], [0.5, 1, 2]
    place = ca.vertcat(q, q[2])
    start, later = of_reduced(system, q, u, place, names, [0, 0.5, np.pi / 6], [2 * np.pi, 0, 0], times)
    agrees([start["accelerations"][key] for key in ("s", "a1")], [-9.81, -9.51227927563072], 1e-12)
    for found in later:
        row = next(row for row in data["series"] if abs(row[0] - found["t"]) < 1e-9)
        agrees([found["coordinates"]["s"], found["coordinates"]["a1"], found["rates"]["phi"]], row[1:], 1e-10)
    how = "three coordinates by Lagrange, by hand; agrees to 1e-10 with iftomm_a05.json, two other derivations"
    return reference(name, "IFToMM A05, stiff flyball governor", data["source"], how, start, later)


@model("four-bar-iftomm")
def four_bar_iftomm(name):
    m, k, c, g = 1, 25, 1, 9.81
    q, u = symbols(1)
    # The rhombus stays one: left and right bar turn together, the coupler does not.
    T = (2 * m / 3 + m) / 2 * u**2
    length = 2 * ca.cos(q / 2)
    V = 2 * m * g * ca.sin(q) + k / 2 * (length - np.sqrt(2)) ** 2
    system = System(q, u, T, V, -c * ca.sin(q / 2) ** 2 * u)
    place = ca.vertcat(q, 0 * q, q)
    start, later = of_reduced(system, q, u, place, ["q1", "q2", "q3"], [np.radians(110)], [0], [1, 2, 5])
    slope = ca.Function("slope", [q], [ca.gradient(V, q)])
    rest = brentq(lambda x: float(slope(x)), 2, 2.5, xtol=1e-15)
    agrees(rest, 2.23433101898, 1e-10)
    agrees(rest, 2.2343310190175859114, 1e-14)
    source = "IFToMM benchmark problems, four-bar linkage with diagonal spring"
    how = "one angle; the equilibrium is published to eleven digits, 2.23433101898 (exact: 2.23433101902)"
    return reference(name, "IFToMM four-bar with a diagonal spring", source, how, start, later, equilibrium=rest)


@model("slider-crank-flexible")
def flexible(name):
    M2, M3, J1, J2, L1, L2, E, B, H, rho, omega, pi = 0.151104, 0.075552, 0.002727, 0.0045339259, 0.15, 0.3, 2e11, 0.008, 0.008, 7870, 150, 3.1415927
    fm, fk, fb = rho * B * H * L2, E * B * H / L2, B * H * L2
    MQ = fm * np.array([[0.5, 0, 0, 0], [0, 0.5, 0, 0], [0, 0, 8, 1], [0, 0, 1, 2]])
    bend = (H / L2) ** 2
    KQ = fk * np.array([[pi**4 / 24 * bend, 0, 0, 0], [0, 2 * pi**4 / 3 * bend, 0, 0], [0, 0, 16 / 3, -8 / 3], [0, 0, -8 / 3, 7 / 3]])
    BQ = np.zeros((4, 4))
    BQ[0, 2], BQ[0, 3], BQ[1, 3] = -16 / pi**3, 8 / pi**3 - 1 / pi, 0.5 / pi
    BQ = fb * (BQ - BQ.T)
    c1, c2 = fb * np.array([0, 0, 2 / 3, 1 / 6]), fb * np.array([2 / pi, 0, 0, 0])
    c12, c21 = L2 * fb * np.array([0, 0, 1 / 3, 1 / 6]), L2 * fb * np.array([1 / pi, -0.5 / pi, 0, 0])
    c1, c2, c12, c21 = (ca.DM(x) for x in (c1, c2, c12, c21))
    y, v = symbols(7)
    q, qd, p1, p2 = y[3:], v[3:], v[0], v[1]
    s, c = ca.sin(y[0] - y[1]), ca.cos(y[0] - y[1])
    M, F = ca.SX(7, 7), ca.SX(7, 1)
    M[0, 0] = J1 + M2 * L1**2
    M[0, 1] = M[1, 0] = L1 * L2 * M2 / 2 * c + rho * L1 * (s * ca.dot(c2, q) + c * ca.dot(c1, q))
    M[1, 1] = J2 + ca.bilin(MQ, q, q) + 2 * rho * ca.dot(c12, q)
    M[2, 2] = M3
    M[0, 3:] = (rho * L1 * (c * c2 - s * c1)).T
    M[1, 3:] = (rho * c21 + rho * ca.mtimes(BQ.T, q)).T
    M[3:, :2] = M[:2, 3:].T
    M[3:, 3:] = MQ
    F[0] = -L1 * L2 * M2 / 2 * p2**2 * s + rho * L1 * p2**2 * (c * ca.dot(c2, q) - s * ca.dot(c1, q)) - 2 * rho * L1 * p2 * (c * ca.dot(c1, qd) + s * ca.dot(c2, qd))
    F[1] = L1 * L2 * M2 / 2 * p1**2 * s + rho * L1 * p1**2 * (s * ca.dot(c1, q) - c * ca.dot(c2, q)) - 2 * rho * p2 * ca.dot(c12, qd)
    F[1] += -2 * p2 * ca.bilin(MQ, qd, q) - rho * ca.bilin(BQ, qd, qd)
    F[3:] = p2**2 * ca.mtimes(MQ, q) + rho * (p2**2 * c12 + L1 * p1**2 * (c * c1 + s * c2) + 2 * p2 * ca.mtimes(BQ, qd)) - ca.mtimes(KQ, q)
    rod = L2 + y[6]
    rows = [L1 * ca.sin(y[0]) + rod * ca.sin(y[1]), y[2] - L1 * ca.cos(y[0]) - rod * ca.cos(y[1]), y[0] - omega * t]
    system = System(y, v, None, phi=ca.vertcat(*rows), given=(M, F))
    q4, u4 = 1.69327969e-5, -2.68938672e-6
    start = [0, 0, L1 + L2 + q4, 0, 0, 1.03339863e-5, q4]
    rates = [150, -150 * L1 / (L2 + q4), u4, 0.444896105, 4.63434311e-3, -1.78591076e-6, u4]
    names, labels = ["phi1", "phi2", "x3", "q_1", "q_2", "q_3", "q_4"], ["line", "pin", "motor"]
    start, later = of_system(system, names, labels, start, rates, [0.01, 0.1])
    published = [15.00000000000104, -0.331173498825626, 0.169737332842786, 0.0001893192899613509, 2.375751249879174e-05, -5.323896770569702e-06, -8.363313279112129e-06]
    agrees(list(later[-1]["coordinates"].values()), published, 1e-9)
    source = "B. Simeon (1996); IVP Test Set, problem crank"
    how = "the published mass matrix and forces; the published state at t = 0.1 is met to 2e-10, an error of its rounded start data"
    tolerance = {"start": 1e-9, "later": 1e-7}
    return reference(name, "Flexible slider-crank", source, how, start, later, tolerance, published_t01=published)
