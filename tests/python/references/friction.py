"""Coulomb friction by the actual normal force: one angle or length, between the times at which a sign changes."""

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq
from witness import model, reference, state

G = 9.81
TOLERANCE = {"start": 1e-10, "later": 1e-8}


def by_legs(right, signs, y, times):
    """States at the times of y' = right(y, s): s holds the signs of signs(y), and stays until one of them changes."""
    y, at, found, turns = np.array(y, float), 0.0, {}, []
    s = [np.sign(x) for x in signs(y)]
    while True:
        events = []
        for k in range(len(s)):
            event = lambda _, y, k=k: signs(y)[k]
            event.terminal, event.direction = True, -s[k]
            events.append(event)
        run = solve_ivp(
            lambda _, y: right(y, s), (at, times[-1]), y, "DOP853", rtol=2.3e-14, atol=1e-15, events=events, dense_output=True, max_step=0.01
        )
        found |= {time: run.sol(time) for time in times if at <= time <= run.t[-1]}
        at, y = run.t[-1], run.y[:, -1]
        if run.status == 0:
            return [found[time] for time in times], turns
        k = next(k for k in range(len(s)) if len(run.t_events[k]))
        turns.append((k, float(at)))
        s[k] = -s[k]


@model("sliding-block")
def sliding_block(name):
    mu, alpha, v0, m = 0.3, np.pi / 6, 4, 2
    sin, cos = np.sin(alpha), np.cos(alpha)
    up, down = -G * (sin + mu * cos), -G * (sin - mu * cos)
    top = -v0 / up

    def place(at):
        rise = (v0 * at + up * at**2 / 2, v0 + up * at)
        d, v = rise if at <= top else (v0 * top / 2 + down * (at - top) ** 2 / 2, down * (at - top))
        return [d * cos, d * sin], [v * cos, v * sin]

    # The row y - x tan(alpha) has the gradient (-tan, 1), so N = m g cos = lambda/cos.
    start = state("xy", *place(0), [up * cos, up * sin], {"slope": m * G * cos**2})
    later = [state("xy", *place(at), time=at) for at in (0.5, 1, 2)]
    how = f"closed form, -g (sin + mu cos) up and -g (sin - mu cos) down; turns at t = {top:.12f}"
    return reference(name, "Block on a rough slope", "textbook; numbers of this project", how, start, later, TOLERANCE)


@model("bead-on-rough-hoop")
def bead_on_rough_hoop(name):
    a, mu, m = 0.5, 0.2, 0.1

    def push(y):
        return y[1] ** 2 + G / a * np.cos(y[0])

    def right(y, s):
        return [y[1], -G / a * np.sin(y[0]) - mu * s[1] * push(y) * s[0]]

    y0, times = [0, 8], [0.1, 0.25, 0.5, 1, 2]
    found, turns = by_legs(right, lambda y: [y[1], push(y)], y0, times)
    # While neither sign changes theta'^2 obeys a linear equation in theta, which has a closed form; up to the first turn:
    # dw/dtheta + 2 mu w = -2 g/a (sin + mu cos).
    c = 2 * G / a / (1 + 4 * mu**2)
    square = lambda th: c * ((1 - 2 * mu**2) * np.cos(th) - 3 * mu * np.sin(th))
    rest = (64 - square(0))
    w = lambda th: square(th) + rest * np.exp(-2 * mu * th)
    assert all(k == 0 for k, at in turns), turns
    top = by_legs(right, lambda y: [y[1], push(y)], y0, [turns[0][1] - 1e-9])[0][0]
    assert abs(top[0] - brentq(w, 0, 2.5, xtol=1e-15)) < 1e-7, top
    y = found[0]
    assert abs(y[1] ** 2 - w(y[0])) < 1e-11, (y[1] ** 2, w(y[0]))

    def place(y):
        th, rate = y
        return [a * np.sin(th), -a * np.cos(th)], [a * np.cos(th) * rate, a * np.sin(th) * rate]

    second = right(y0, [1, 1])[1]
    # The row x^2 + y^2 - a^2 has a gradient of length 2 a, outwards.
    start = state("xy", *place(y0), [a * second, a * 64], {"hoop": -m * a * push(y0) / (2 * a)})
    later = [state("xy", *place(y), time=at) for at, y in zip(times, found)]
    how = "one angle, theta'' = -g/a sin - mu |theta'^2 + g/a cos| sign(theta'), between the turns at " + ", ".join(f"{at:.9f}" for _, at in turns)
    return reference(name, "Bead on a rough hoop", "textbook; numbers of this project", how, start, later, TOLERANCE)


@model("painleve-rod")
def painleve_rod(name):
    mu, m, half = 1.33, 1.5, 1.0

    def solve(y, s):
        """Normal force and angular acceleration by Newton and Euler; s: signs of slip and of the normal force."""
        _, th, _, rate = y
        sin, cos = np.sin(th), np.cos(th)
        friction = -mu * s[0] * s[1]  # per N
        turning = 3 / (m * half) * (sin * friction - cos)  # m half^2/3 theta'' = half (sin F - cos N)
        # y = half sin(theta), y'' = half (cos theta'' - sin theta'^2) = N/m - g
        normal = (G - half * sin * rate**2) / (1 / m - half * cos * turning)
        return normal, turning * normal, friction * normal / m

    def right(y, s):
        _, second, along = solve(y, s)
        return [y[2], y[3], along, second]

    def signs(y):
        slip = y[2] + half * np.sin(y[1]) * y[3]
        return [slip, G - half * np.sin(y[1]) * y[3] ** 2]  # the normal force has this sign while mu < 4/3

    y0, times = [0, np.arctan(2), -30, 0], [0.005, 0.02, 0.1]
    found, turns = by_legs(right, signs, y0, times)

    def place(y):
        x, th, v, rate = y
        return [x, half * np.sin(th), th], [v, half * np.cos(th) * rate, rate]

    normal, second, along = solve(y0, [-1, 1])
    assert abs(normal - m * G / (1.6 - 1.2 * mu)) < 1e-8
    start = state(["x", "y", "theta"], *place(y0), [along, normal / m - G, second], {"contact": normal})
    later = [state(["x", "y", "theta"], *place(y), time=at) for at, y in zip(times, found)]
    source = "P. Painleve, Lecons sur le frottement, 1895; numbers of this project"
    how = f"Newton and Euler for x and theta, with the signs of slip and normal force; these change at {turns}; critical coefficient (1 + 3 cos^2)/(3 sin cos) = 4/3"
    return reference(name, "Painlevé's rod", source, how, start, later, TOLERANCE)
