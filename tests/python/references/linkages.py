"""Pendulums and linkages."""

import json

import casadi as ca
import numpy as np
from papers import agrees
from scipy.linalg import expm
from witness import FOLDER, System, model, of_reduced, of_system, reference, state, symbols


def e(angle):
    return ca.vertcat(ca.cos(angle), ca.sin(angle))


def rod(m, length, center, angle, q, u):
    """Kinetic energy of a uniform rod in the plane."""
    return m / 2 * ca.sumsqr(ca.jtimes(center, q, u)) + m * length**2 / 24 * ca.jtimes(angle, q, u) ** 2


@model("four-bar")
def four_bar(name):
    l1, l2, l3, l0, m1, m2, m3, g, torque = 0.3, 0.8, 0.7, 0.9, 0.6, 1.6, 1.4, 9.81, 0.5
    q, u = symbols(1)
    # The pin between coupler and rocker is the upper meeting point of two circles.
    pin = l1 * e(q)
    between = ca.vertcat(l0, 0) - pin
    distance = ca.norm_2(between)
    along = (distance**2 + l2**2 - l3**2) / (2 * distance)
    across = ca.sqrt(l2**2 - along**2)
    unit = between / distance
    top = pin + along * unit + across * ca.vertcat(-unit[1], unit[0])
    q2, q3 = ca.atan2(top[1] - pin[1], top[0] - pin[0]), ca.atan2(top[1], top[0] - l0)
    centers = [pin / 2, (pin + top) / 2, (top + ca.vertcat(l0, 0)) / 2]
    T = sum(rod(m, d, c, a, q, u) for m, d, c, a in zip([m1, m2, m3], [l1, l2, l3], centers, [q, q2, q3]))
    V = g * (m1 * centers[0][1] + m2 * centers[1][1] + m3 * centers[2][1])
    system = System(q, u, T, V, Q=ca.SX(torque))
    start, later = of_reduced(system, q, u, ca.vertcat(q, q2, q3), ["q1", "q2", "q3"], [np.pi / 3], [4], [0.5, 1, 2])
    # The loop's forces from the moments of coupler and rocker about their pivots, linear in the two unknowns.
    q1, q2v, q3v = start["coordinates"].values()
    w1, w2, w3 = start["rates"].values()
    a1, a2, a3 = start["accelerations"].values()
    s, c = np.sin, np.cos
    acc = lambda length, q, w, a: length * np.array([-s(q) * a - c(q) * w**2, c(q) * a - s(q) * w**2])
    a_c = acc(l1, q1, w1, a1) + acc(l2 / 2, q2v, w2, a2) + [0, g]
    coupler = m2 * l2**2 / 12 * a2 + m2 * l2 / 2 * (c(q2v) * a_c[1] - s(q2v) * a_c[0])
    a_r = acc(l3 / 2, q3v, w3, a3) + [0, g]
    rocker = m3 * l3**2 / 12 * a3 + m3 * l3 / 2 * (c(q3v) * a_r[1] - s(q3v) * a_r[0])
    K = np.array([[-l2 * s(q2v), l2 * c(q2v)], [l3 * s(q3v), -l3 * c(q3v)]])
    x, y = np.linalg.solve(K, [coupler, rocker])
    start["multipliers"] = {"loop_x": x, "loop_y": y}
    how = "one coordinate, the loop closed by the meeting point of two circles; the pin's force by the moments of coupler and rocker"
    return reference(name, "Four-bar linkage", "textbook; numbers of this project", how, start, later)


@model("slider-crank")
def slider_crank(name):
    r, length, J, mr, ms, F, damping, g = 0.1, 0.35, 0.02, 0.5, 0.4, 30, 2, 9.81
    q, u = symbols(1)
    b = -ca.asin(r / length * ca.sin(q))
    s = r * ca.cos(q) + length * ca.cos(b)
    center = r * e(q) + length / 2 * e(b)
    T = J / 2 * u**2 + rod(mr, length, center, b, q, u) + ms / 2 * ca.jtimes(s, q, u) ** 2
    Q = ca.jacobian(s, q).T * (-F - damping * ca.jtimes(s, q, u))
    system = System(q, u, T, mr * g * center[1], Q=Q)
    start, later = of_reduced(system, q, u, ca.vertcat(q, b, s), ["a", "b", "s"], [np.pi / 6], [40], [0.25, 0.5, 1])
    # Newton on the slider, then the rod's moment about the crank's pin.
    sd, sdd = start["rates"]["s"], start["accelerations"]["s"]
    x = -(ms * sdd + F + damping * sd)
    acceleration = slider_crank_center(center, q, u)(np.pi / 6, 40, start["accelerations"]["a"])
    ax, ay = np.array(acceleration).ravel() + [0, g]
    bv, bdd = start["coordinates"]["b"], start["accelerations"]["b"]
    moment = mr * length**2 / 12 * bdd + mr * length / 2 * (np.cos(bv) * ay - np.sin(bv) * ax)
    y = (moment + length * np.sin(bv) * x) / (length * np.cos(bv))
    start["multipliers"] = {"pin_x": x, "pin_y": y}
    how = "one coordinate, the rod's angle by asin; the pin's force by Newton on the slider and the rod's moment"
    return reference(name, "Slider-crank", "textbook; numbers of this project", how, start, later)


def slider_crank_center(center, q, u):
    a = ca.SX.sym("a")
    first = ca.jtimes(center, q, u)
    return ca.Function("center", [q, u, a], [ca.jtimes(first, q, u) + ca.jtimes(first, u, a)])


def squeezer(p):
    """Andrews' mechanism by its published mass matrix; the pin that closes the loops."""
    q, u = symbols(7)
    B, Th, Ga, Ph, De, Om, Ep = ca.vertsplit(q)
    s, c = ca.sin, ca.cos
    M = ca.SX(7, 7)
    e4, f6 = p["e"] - p["ea"], p["zf"] - p["fa"]
    M[0, 0] = p["m1"] * p["ra"] ** 2 + p["m2"] * (p["rr"] ** 2 - 2 * p["da"] * p["rr"] * c(Th) + p["da"] ** 2) + p["i1"] + p["i2"]
    M[1, 0] = M[0, 1] = p["m2"] * (p["da"] ** 2 - p["da"] * p["rr"] * c(Th)) + p["i2"]
    M[1, 1] = p["m2"] * p["da"] ** 2 + p["i2"]
    M[2, 2] = p["m3"] * (p["sa"] ** 2 + p["sb"] ** 2) + p["i3"]
    M[3, 3] = p["m4"] * e4**2 + p["i4"]
    M[4, 3] = M[3, 4] = p["m4"] * (e4**2 + p["zt"] * e4 * s(Ph)) + p["i4"]
    M[4, 4] = p["m4"] * (p["zt"] ** 2 + 2 * p["zt"] * e4 * s(Ph) + e4**2) + p["m5"] * (p["ta"] ** 2 + p["tb"] ** 2) + p["i4"] + p["i5"]
    M[5, 5] = p["m6"] * f6**2 + p["i6"]
    M[6, 5] = M[5, 6] = p["m6"] * (f6**2 - p["u"] * f6 * s(Om)) + p["i6"]
    M[6, 6] = p["m6"] * (f6**2 - 2 * p["u"] * f6 * s(Om) + p["u"] ** 2) + p["m7"] * (p["ua"] ** 2 + p["ub"] ** 2) + p["i6"] + p["i7"]
    xd = p["sd"] * c(Ga) + p["sc"] * s(Ga) + p["xb"] - p["xc"]
    yd = p["sd"] * s(Ga) - p["sc"] * c(Ga) + p["yb"] - p["yc"]
    V = p["c0"] / 2 * (ca.sqrt(xd**2 + yd**2) - p["l0"]) ** 2
    pin_x, pin_y = p["rr"] * c(B) - p["d"] * c(B + Th), p["rr"] * s(B) - p["d"] * s(B + Th)
    rows = [
        pin_x - p["ss"] * s(Ga) - p["xb"],
        pin_y + p["ss"] * c(Ga) - p["yb"],
        pin_x - p["e"] * s(Ph + De) - p["zt"] * c(De) - p["xa"],
        pin_y + p["e"] * c(Ph + De) - p["zt"] * s(De) - p["ya"],
        pin_x - p["zf"] * c(Om + Ep) - p["u"] * s(Ep) - p["xa"],
        pin_y - p["zf"] * s(Om + Ep) + p["u"] * c(Ep) - p["ya"],
    ]
    system = System(q, u, ca.bilin(M, u, u) / 2, V, ca.vertcat(p["mom"], ca.SX(6, 1)), ca.vertcat(*rows))
    return system, ca.Function("pin", [q], [ca.vertcat(pin_x, pin_y)])


@model("andrews-squeezer")
def andrews(name):
    data = json.loads((FOLDER / "ivp_andrews.json").read_text())
    system, _ = squeezer(data["parameters"])
    start = [float(x) for x in data["initial"]["q"]]
    names = ["beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon"]
    rows = ["loop3_x", "loop3_y", "loop5_x", "loop5_y", "loop7_x", "loop7_y"]
    start, _ = of_system(system, names, rows, start, np.zeros(7), [1e-4])
    agrees([start["accelerations"][k] for k in names], data["initial"]["qdd_published"], 1e-12)
    agrees([-start["multipliers"][k] for k in rows], data["initial"]["lambda_published"], 1e-12)
    later = []
    for at, key in ((0.03, "t003"), (0.05, "t005")):
        values = [float(x) for x in data[key]]
        later.append(state(names, values[:7], values[7:14], time=at))
    found = system.motion(list(start["coordinates"].values()), np.zeros(7), [0.03])[0]
    agrees(found[0], list(later[0]["coordinates"].values()), 1e-11)
    agrees(later[0]["coordinates"]["beta"], data["published_t003"][0], 2e-10)
    source = "E. Hairer, G. Wanner, Solving ODEs II, VII.7; IVP Test Set, Andrews"
    how = (
        "the published mass matrix and spring by Lagrange; accelerations and multipliers (with the other sign) as published; later states from "
        "ivp_andrews.json, 80-bit extrapolation. The values published for t = 0.03 are good to ten digits in q only: 1.1e-9 off in beta"
    )
    return reference(name, "Andrews' squeezing mechanism", source, how, start, later, {"start": 1e-10, "later": 1e-9})


@model("double-pendulum")
def double_pendulum(name):
    m, lengths, g = [1, 0.5], [1, 0.7], 9.81
    q, u = symbols(2)
    first = lengths[0] * ca.vertcat(ca.sin(q[0]), -ca.cos(q[0]))
    second = first + lengths[1] * ca.vertcat(ca.sin(q[1]), -ca.cos(q[1]))
    T = sum(mass / 2 * ca.sumsqr(ca.jtimes(p, q, u)) for mass, p in zip(m, (first, second)))
    system = System(q, u, T, g * (m[0] * first[1] + m[1] * second[1]))
    start, later = of_system(system, ["a", "b"], [], np.radians([120, -10]), [0, 1], [1, 2])
    how = "two particles by Lagrange; it is chaotic, so only early states are kept"
    return reference(name, "Double pendulum", "L. D. Landau, E. M. Lifshitz, Mechanics, section 5, problem 1", how, start, later)


@model("pendulum")
def pendulum(name):
    q, u = symbols(1)
    place = ca.vertcat(ca.sin(q), -ca.cos(q))
    system = System(q, u, ca.sumsqr(ca.jtimes(place, q, u)) / 2, 9.81 * place[1])
    start, later = of_reduced(system, q, u, place, ["x", "y"], [np.pi / 6], [0], [1, 2, 5])
    # Pull m g cos(phi) at rest, along the gradient (2x, 2y) of the row.
    start["multipliers"] = {"rod": -9.81 * np.cos(np.pi / 6) / 2}
    how = "one angle by Lagrange; the pull at rest is m g cos(30 deg)"
    return reference(name, "Pendulum in x and y", "textbook", how, start, later)


@model("spherical-pendulum")
def spherical(name):
    m, length, g = 0.7, 1.2, 9.81
    q, u = symbols(2)
    place = length * ca.vertcat(ca.sin(q[0]) * ca.cos(q[1]), ca.sin(q[0]) * ca.sin(q[1]), -ca.cos(q[0]))
    system = System(q, u, m / 2 * ca.sumsqr(ca.jtimes(place, q, u)), m * g * place[2])
    angle = np.radians(50)
    start, later = of_reduced(
        system, q, u, place, ["x", "y", "z"], [angle, 0], [0, 1.5 / (length * np.sin(angle))], [1, 2.5, 5]
    )
    start["multipliers"] = {"rod": -m * (1.5**2 + g * length * np.cos(angle)) / (2 * length**2)}
    how = "two angles by Lagrange; the rod's pull m (v^2 - g z)/l"
    return reference(name, "Spherical pendulum", "E. T. Whittaker, Analytical Dynamics, chapter IV", how, start, later)


@model("spring-damper")
def spring_damper(name):
    m1, m2, k1, k2, c, F, l1, l2 = 2, 0.5, 80, 15, 1.5, 3, 0.3, 0.2
    A = np.array([[0, 0, 1, 0], [0, 0, 0, 1], [-(k1 + k2) / m1, k2 / m1, -c / m1, 0], [k2 / m2, -k2 / m2, 0, 0]])
    # Deviations from rest, x1 = l1 + F/k1, x2 = x1 + l2.
    rest = np.array([l1 + F / k1, l1 + F / k1 + l2, 0, 0])
    y0 = np.array([0.35, 0.55, 0, 0]) - rest
    names = ["x1", "x2"]
    at = lambda time: rest + expm(A * time) @ y0
    start = state(names, at(0)[:2], at(0)[2:], (A @ y0)[2:])
    later = [state(names, at(x)[:2], at(x)[2:], time=x) for x in (1, 2.5, 5)]
    return reference(name, "Two masses with springs and a damper", "linear", "matrix exponential", start, later)
