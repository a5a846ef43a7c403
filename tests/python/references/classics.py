"""Beads, tops and a free body."""

import json

import numpy as np
from papers import agrees
from scipy.integrate import solve_ivp
from witness import FOLDER, model, reference, state


def bead(name, title, names, rows):
    m, omega, s0 = 0.1, 2, 0.5

    def at(time, *a):
        s, v = s0 * np.cosh(omega * time), s0 * omega * np.sinh(omega * time)
        return state(names, [s, omega * time], [v, omega], *a, **({} if a else {"time": time}))

    start = at(0, [omega**2 * s0, 0])
    if rows:
        start["multipliers"] = {"motor": 0.0}
    later = [at(0.5), at(1)]
    return reference(name, title, "textbook", "closed form s = s0 cosh(omega t)", start, later)


@model("bead-on-wire")
def bead_on_wire(name):
    return bead(name, "Bead on a turning wire", ["s", "theta"], True)


@model("bead-on-driven-wire")
def bead_on_driven_wire(name):
    return bead(name, "Bead on a driven wire", ["s"], False)


def quaternion_motion(moments, torque, q0, w0, times):
    """Euler's equations about a fixed point and the turning of the quaternion."""

    def turned(q, w):
        a, v = q[0], q[1:]
        return np.concatenate([[-v @ w], a * w + np.cross(v, w)]) / 2

    def spin(q, w):
        return (torque(q) - np.cross(w, moments * w)) / moments

    def f(_, y):
        return np.concatenate([turned(y[:4], y[4:]), spin(y[:4], y[4:])])

    run = solve_ivp(f, (0, times[-1]), np.concatenate([q0, w0]), "DOP853", times, rtol=2.3e-14, atol=1e-16)
    states = [(np.array(q0, float), np.array(w0, float))] + [(y[:4], y[4:]) for y in run.y.T]
    result = []
    for q, w in states:
        rate = turned(q, w)
        # q'' = q/2 (0, w') + q'/2 (0, w)
        result.append((q, rate, turned(q, spin(q, w)) + turned(rate, w), w))
    return result


@model("rigid-body-quaternion")
def rigid_body(name):
    moments = np.array([1, 2, 2.5])
    times = [2, 5, 10]
    first, *rest = quaternion_motion(moments, lambda q: np.zeros(3), [1, 0, 0, 0], [0.1, 2, 0.1], times)
    names = ["q0", "q1", "q2", "q3"]
    start = state(names, *first[:3])
    later = [state(names, q, rate, time=at) for at, (q, rate, _, _) in zip(times, rest)]
    source = "F. E. Udwadia, A. D. Schutte, J. Appl. Mech. 77 (2010) 044505 (numbers of this project)"
    return reference(name, "Free rigid body in a quaternion", source, "Euler's equations and q' = q (0, omega)/2", start, later)


def rotation(q):
    """The rotation matrix of a unit quaternion, body to world."""
    a, b, c, d = q
    return np.array(
        [
            [a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)],
            [2 * (b * c + a * d), a * a - b * b + c * c - d * d, 2 * (c * d - a * b)],
            [2 * (b * d - a * c), 2 * (c * d + a * b), a * a - b * b - c * c + d * d],
        ]
    )


@model("angeles-euler-angles")
def euler_angles(name):
    moments, angles, w0 = np.array([1, 2, 2.5]), [0.3, 1.1, -0.4], [0.5, 1.5, -0.8]

    def turn(axis, angle):
        return np.concatenate([[np.cos(angle / 2)], np.sin(angle / 2) * np.eye(3)[axis]])

    def times(p, q):
        return np.concatenate([[p[0] * q[0] - p[1:] @ q[1:]], p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:])])

    q0 = times(times(turn(2, angles[0]), turn(1, angles[1])), turn(2, angles[2]))
    dense = [0.01 * k for k in range(1, 201)]
    states = quaternion_motion(moments, lambda q: np.zeros(3), q0, w0, dense)
    matrices = [rotation(q) for q, _, _, _ in states]
    found = np.array([[np.arctan2(R[1, 2], R[0, 2]), np.arccos(R[2, 2]), np.arctan2(R[2, 1], -R[2, 0])] for R in matrices])
    found[:, 0], found[:, 2] = np.unwrap(found[:, 0]), np.unwrap(found[:, 2])
    agrees(found[0], angles, 1e-14)

    def columns(angle):
        """omega in body axes by the three rates."""
        _, b, c = angle
        return np.array([[-np.sin(b) * np.cos(c), np.sin(c), 0], [np.sin(b) * np.sin(c), np.cos(c), 0], [np.cos(b), 0, 1]])

    def look(k, *more):
        w = states[k][3]
        rates = np.linalg.solve(columns(found[k]), w)
        if not more:
            return state(names, found[k], rates, time=dense[k - 1])
        # w' = K' q' + K q'' with K' by the chain rule, differenced to the eighth order
        h, steps = 1e-2, {1: 4 / 5, 2: -1 / 5, 3: 4 / 105, 4: -1 / 280}
        change = sum(c * (columns(found[k] + n * h * rates) - columns(found[k] - n * h * rates)) / h for n, c in steps.items())
        spin = -np.cross(w, moments * w) / moments
        return state(names, found[k], rates, np.linalg.solve(columns(found[k]), spin - change @ rates))

    names = ["phi", "theta", "psi"]
    how = "Euler's equations and a quaternion, from whose rotation matrix the angles are read"
    source = "J. Angeles, Lagrangian Dynamics of Mechanical Systems, UNAM D-43 (1983), section 1.5 (numbers of this project)"
    return reference(name, "Free body in Angeles' Euler angles", source, how, look(0, True), [look(50), look(100), look(200)])


@model("heavy-top")
def heavy_top(name):
    data = json.loads((FOLDER / "heavy_top.json").read_text())
    m, g, axis = 15, 9.81, np.array([0, 1, 0])
    moments = np.array([0.234375, 0.46875, 0.234375]) + m * np.array([1, 0, 1])

    def weight(q):
        return np.cross(axis, rotation(q).T @ [0, 0, -m * g])

    times = [0.2, 0.5, 1, 2]
    first, *rest = quaternion_motion(moments, weight, [1, 0, 0, 0], [0, 150, -4.61538], times)
    names = ["x", "y", "z", "q0", "q1", "q2", "q3"]

    def look(q, rate, second, w, time=None):
        R = rotation(q)
        x, v = R @ axis, R @ np.cross(w, axis)
        whole = [np.concatenate(pair) for pair in ((x, q), (v, rate))]
        if time is not None:
            return state(names, *whole, time=time)
        spin = (weight(q) - np.cross(w, moments * w)) / moments
        a = R @ (np.cross(spin, axis) + np.cross(w, np.cross(w, axis)))
        force = m * a + [0, 0, m * g]
        multipliers = {f"pivot.{i}": x for i, x in enumerate(force)}
        agrees(force, np.array(data["force_of_the_pivot_t0"]) + [0, 0, 0], 1e-12)
        return state(names, *whole, np.concatenate([a, second]), multipliers)

    later = [look(*there, time=at) for at, there in zip(times, rest)]
    for found, wanted in zip(later, data["states"]):
        agrees(list(found["coordinates"].values()), wanted["x"] + wanted["quaternion"], 1e-10)
    how = "Euler's equations about the pivot and q' = q (0, omega)/2; agrees to 1e-10 with heavy_top.json, 80-bit runs in maximal coordinates"
    source = "O. Brüls, A. Cardona, J. Comput. Nonlinear Dynam. 5 (2010) 031002"
    return reference(name, "Heavy top in a quaternion", source, how, look(*first), later)
