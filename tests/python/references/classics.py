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


@model("heavy-top")
def heavy_top(name):
    data = json.loads((FOLDER / "heavy_top.json").read_text())
    m, g, axis = 15, 9.81, np.array([0, 1, 0])
    moments = np.array([0.234375, 0.46875, 0.234375]) + m * np.array([1, 0, 1])

    def rotation(q):
        a, b, c, d = q
        return np.array(
            [
                [a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)],
                [2 * (b * c + a * d), a * a - b * b + c * c - d * d, 2 * (c * d - a * b)],
                [2 * (b * d - a * c), 2 * (c * d + a * b), a * a - b * b - c * c + d * d],
            ]
        )

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
