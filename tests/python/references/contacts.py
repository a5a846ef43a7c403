"""Contacts that open and close: closed forms, and motions between impacts that are found by Newton's rule at known places."""

from math import atan, atan2, cos, pi, radians, sin, sqrt

from witness import model, reference, state

G = 9.81
TOLERANCE = {"start": 1e-10, "later": 1e-7}
SOURCE = "textbook; numbers of this project"
STEP = 1e-4


def forward(right, y, h):
    """One step of Runge and Kutta's classical method."""
    add = lambda a, b, s: [p + s * q for p, q in zip(a, b)]
    k1 = right(y)
    k2 = right(add(y, k1, h / 2))
    k3 = right(add(y, k2, h / 2))
    k4 = right(add(y, k3, h))
    return [p + h / 6 * (a + 2 * b + 2 * c + d) for p, a, b, c, d in zip(y, k1, k2, k3, k4)]


def until(right, y, t, end, event=None):
    """The state at the end, or where event(y) becomes positive before it."""
    while t < end - 1e-14:
        h = min(STEP, end - t)
        new = forward(right, y, h)
        if event and event(new) > 0:
            low, high = 0.0, h
            for _ in range(100):
                middle = (low + high) / 2
                low, high = (low, middle) if event(forward(right, y, middle)) > 0 else (middle, high)
            return t + high, forward(right, y, high), True
        t, y = t + h, new
    return end, y, False


@model("bouncing-ball")
def bouncing_ball(name):
    h, e = 1, 0.8
    first = sqrt(2 * h / G)
    over = first * (1 + e) / (1 - e)

    def place(at):
        if at >= over:
            return [0], [0]
        if at < first:
            return [h - G * at**2 / 2], [-G * at]
        t, v = first, e * G * first
        while at >= t + 2 * v / G:
            t, v = t + 2 * v / G, e * v
        return [v * (at - t) - G * (at - t) ** 2 / 2], [v - G * (at - t)]

    start = state("y", *place(0), [-G], {"floor": 0})
    later = [state("y", *place(at), time=at) for at in (1, 2, 3.5, 5)]
    how = f"closed form: falls of sqrt(2 h/g) times 2 e^k; all impacts are over at t = {over:.12f}"
    return reference(name, "Bouncing ball", SOURCE, how, start, later, TOLERANCE)


@model("ladder")
def ladder(name):
    l, m, p = 2, 3, 0.3

    def on_both(y):
        return [y[1], 3 * G / (2 * l) * sin(y[0])]

    def on_floor(y):
        # y_c = l/2 cos a; Newton along y and about the centre.
        a, w = y[0], y[1]
        inertia = m * l**2 / 12 + m * l**2 / 4 * sin(a) ** 2
        return [w, (m * G * l / 2 * sin(a) - m * l**2 / 4 * sin(a) * cos(a) * w**2) / inertia, y[3], 0]

    leaves, y, _ = until(on_both, [p, 0], 0, 2, lambda y: 2 / 3 * cos(p) - cos(y[0]))
    x = [l / 2 * sin(y[0]), l / 2 * cos(y[0]) * y[1]]

    def place(at):
        if at <= leaves:
            _, (a, w), _ = until(on_both, [p, 0], 0, at)
            c = [l / 2 * sin(a), l / 2 * cos(a) * w]
        else:
            _, (a, w, *c), _ = until(on_floor, [*y, *x], leaves, at)
        return [c[0], l / 2 * cos(a), a], [c[1], -l / 2 * sin(a) * w, w]

    a2 = 3 * G / (2 * l) * sin(p)
    wall = m * l / 2 * cos(p) * a2
    floor = m * (G - l / 2 * sin(p) * a2)
    acceleration = [wall / m, floor / m - G, a2]
    start = state("xya", *place(0), acceleration, {"wall": wall, "floor": floor})
    later = [state("xya", *place(at), time=at) for at in (0.5, 0.7, 0.8)]
    how = f"one angle by Newton, on wall and floor, then on the floor alone; leaves the wall where cos a = 2/3 cos a0, at t = {leaves:.10f}"
    return reference(name, "Ladder that slides down a wall", SOURCE, how, start, later, TOLERANCE)


@model("rocking-block")
def rocking_block(name):
    m, b, h, p = 2, 0.2, 0.8, 0.1
    r = sqrt(b**2 + h**2) / 2
    loss = 1 - 3 / 2 * b**2 / (b**2 + h**2)

    def right(side):
        # About a corner: the centre is at (-side b/2, h/2) in body axes from it, J = 4/3 m r^2.
        return lambda y: [y[1], -3 * G / (4 * r**2) * (h / 2 * -sin(y[0]) - side * b / 2 * cos(y[0]))]

    def centre(side, a, w):
        # The right corner, side = 1, rests at 0, the left one at -b.
        foot = 0 if side > 0 else -b
        c = [-side * b / 2, h / 2]
        x, y = c[0] * cos(a) - c[1] * sin(a), c[0] * sin(a) + c[1] * cos(a)
        return [foot + x, y, a], [-y * w, x * w, w]

    def place(at):
        t, y, side = 0, [-p, 0], 1
        while True:
            t, y, lands = until(right(side), y, t, at, lambda y, s=side: s * y[0])
            if not lands:
                return centre(side, *y)
            y, side = [0, loss * y[1]], -side

    q, u = centre(1, -p, 0)
    a2 = right(1)([-p, 0])[1]
    acceleration = [-q[1] * a2, q[0] * a2, a2]
    start = state("xya", q, u, acceleration, {"left": 0, "right": m * (G + acceleration[1])})
    later = [state("xya", *place(at), time=at) for at in (0.2, 0.5, 1)]
    how = "one angle about the corner that stands; at each landing a' is times 1 - 3/2 sin^2 alpha, tan alpha = b/h"
    return reference(name, "Rocking block", SOURCE, how, start, later, TOLERANCE)


@model("cradle")
def cradle(name):
    v, gap = 1, 0.01
    first, second = gap / v, 2 * gap / v

    def place(at):
        a = v * min(at, first)
        b = v * min(max(at - first, 0), second - first)
        c = v * max(at - second, 0)
        moving = [at < first, first <= at < second, at >= second]
        return [a, 0.1 + gap + b, 0.2 + 2 * gap + c], [v * x for x in moving]

    names = ["x1", "x2", "x3"]
    start = state(names, *place(0), [0, 0, 0], {"AB": 0, "BC": 0})
    later = [state(names, *place(at), time=at) for at in (0.005, 0.015, 0.5)]
    how = "closed form: equal balls exchange their speeds, one pair after the other"
    return reference(name, "Three balls in a row", SOURCE, how, start, later, TOLERANCE)


@model("billiard-ball")
def billiard_ball(name):
    m, r, mu, v = 0.17, 0.0286, 0.2, 2
    rolls = 2 * v / (7 * mu * G)

    def place(at):
        s = min(at, rolls)
        u, w = v - mu * G * s, 5 / 2 * mu * G * s / r
        x, a = v * s - mu * G * s**2 / 2, 5 / 4 * mu * G * s**2 / r
        return [x + u * (at - s), r, a + w * (at - s)], [u, 0, w]

    start = state("xza", *place(0), [-mu * G, 0, 5 / 2 * mu * G / r], {"cloth": m * G})
    later = [state("xza", *place(at), time=at) for at in (0.1, 0.5, 1)]
    how = f"closed form: slides until t = 2 v/(7 mu g) = {rolls:.12f}, then rolls with 5/7 v"
    return reference(name, "Billiard ball", SOURCE, how, start, later, TOLERANCE)


@model("string")
def string(name):
    l, d, v = 1, 0.6, 2
    taut = sqrt(l**2 - d**2) / v
    turn = v * d / l**2

    def place(at):
        if at < taut:
            return [d, v * at], [0, v]
        p = atan2(sqrt(l**2 - d**2), d) + turn * (at - taut)
        return [l * cos(p), l * sin(p)], [-l * turn * sin(p), l * turn * cos(p)]

    start = state("xy", *place(0), [0, 0], {"string": 0})
    later = [state("xy", *place(at), time=at) for at in (0.3, 0.5, 1, 2)]
    how = f"closed form: taut at t = {taut:.12f}, then a circle at the speed v d/l = {v * d / l:.12f}"
    return reference(name, "A string goes taut", SOURCE, how, start, later, TOLERANCE)


@model("clutch")
def clutch(name):
    j, k, torque, w, engaged = 2, 3, 4, 5, 1

    def place(at):
        s = min(at, engaged)
        a, b = w * s + torque / j * s**2 / 2, 0
        u = w + torque / j * s
        if at < engaged:
            return [a, b], [u, 0]
        s, u, up = at - engaged, j * u / (j + k), torque / (j + k)
        way = u * s + up * s**2 / 2
        return [a + way, b + way], [u + up * s] * 2

    start = state("ab", *place(0), [torque / j, 0], {"clutch": 0})
    later = [state("ab", *place(at), time=at) for at in (0.5, 1.5, 3)]
    lost = j * k / (j + k) * (w + torque / j * engaged) ** 2 / 2
    how = f"closed form: the angular momentum of the motor's disk is shared; the clutch takes {lost:.12g} J"
    return reference(name, "Clutch", SOURCE, how, start, later, TOLERANCE)


@model("caught-rod")
def caught_rod(name):
    l, h = 1, 0.5
    caught = sqrt(2 * h / G)
    swing = lambda y: [y[1], -3 * G / (2 * l) * cos(y[0])]

    def place(at):
        if at < caught:
            return [l / 2, h - G * at**2 / 2, 0], [0, -G * at, 0]
        # The angular momentum about the hinge is kept.
        _, (a, w), _ = until(swing, [0, -3 * G * caught / (2 * l)], caught, at)
        return [l / 2 * cos(a), l / 2 * sin(a), a], [-l / 2 * sin(a) * w, l / 2 * cos(a) * w, w]

    start = state("xya", *place(0), [0, -G, 0], {"hinge.0": 0, "hinge.1": 0})
    later = [state("xya", *place(at), time=at) for at in (0.2, 0.4, 0.7, 1)]
    how = f"one angle about the hinge from t = {caught:.12f} on, where it begins with w = 3 v/(2 l)"
    return reference(name, "Falling rod, caught at one end", SOURCE, how, start, later, TOLERANCE)


@model("stuck-block")
def stuck_block(name):
    m, mu, alpha, v = 2, 0.4, radians(20), 3
    slows = G * (sin(alpha) + mu * cos(alpha))
    rests = v / slows

    def place(at):
        s = min(at, rests)
        way, speed = v * s - slows * s**2 / 2, v - slows * s
        return [way * cos(alpha), way * sin(alpha)], [speed * cos(alpha), speed * sin(alpha)]

    acceleration = [-slows * cos(alpha), -slows * sin(alpha)]
    start = state("xy", *place(0), acceleration, {"slope": m * G * cos(alpha)})
    later = [state("xy", *place(at), time=at) for at in (0.2, 0.5, 1)]
    how = f"closed form: it slows down evenly until t = {rests:.12f}, and stays"
    return reference(name, "Block that sticks on a slope", SOURCE, how, start, later, TOLERANCE)


@model("rough-wedge")
def rough_wedge(name):
    M, m, mu1, mu2, alpha = 3, 2, 0.05, 0.2, radians(30)
    s, c = sin(alpha), cos(alpha)
    # The wedge goes back: M X'' = -N2 (s - mu2 c) + mu1 N1, N1 = M g + N2 (c + mu2 s), N2 = m (g c + X'' s).
    share = -(s - mu2 * c) + mu1 * (c + mu2 * s)
    wedge = (share * m * G * c + mu1 * M * G) / (M - share * m * s)
    slope = m * (G * c + wedge * s)
    floor = M * G + slope * (c + mu2 * s)
    block = [slope / m * (s - mu2 * c), slope / m * (c + mu2 * s) - G]
    acceleration = [wedge, 0, *block]
    assert wedge < 0 and (block[0] - wedge) * c - block[1] * s > 0
    place = lambda at: ([a * at**2 / 2 + 0.0 for a in acceleration], [a * at + 0.0 for a in acceleration])
    start = state("XYxy", *place(0), acceleration, {"floor": floor, "slope": slope})
    later = [state("XYxy", *place(at), time=at) for at in (0.2, 0.5, 1)]
    how = "closed form: two normal forces and three constant accelerations by Newton's law"
    return reference(name, "Block on a wedge, both rough", SOURCE, how, start, later, TOLERANCE)


@model("stick-slip")
def stick_slip(name):
    m, k, mu, mu_s, v = 1, 50, 0.25, 0.4, 0.5
    w = sqrt(k / m)
    rest, most = mu * m * G / k, mu_s * m * G / k
    a = most - rest
    slips, rides = (2 * pi - 2 * atan(a * w / v)) / w, 2 * a / v

    def place(at):
        # u is how long the spring is.
        first = most / v
        s = (at - first) % (slips + rides)
        if at < first:
            u, rate = v * at, v
        elif s < slips:
            u = rest + a * cos(w * s) + v / w * sin(w * s)
            rate = v * cos(w * s) - a * w * sin(w * s)
        else:
            u, rate = rest - a + v * (s - slips), v
        return [v * at - u, 0], [v - rate, 0]

    start = state("xy", *place(0), [0, 0], {"floor": m * G})
    later = [state("xy", *place(at), time=at) for at in (0.1, 0.5, 1, 2, 3)]
    how = f"closed form: sticks and slips in turn, with a period of {slips + rides:.12f} s"
    return reference(name, "Stick and slip", SOURCE, how, start, later, TOLERANCE)


@model("sphere")
def sphere(name):
    m, r, p = 1, 1, radians(20)
    slide = lambda y: [y[1], G / r * sin(y[0])]
    leaves, (b, w), _ = until(slide, [p, 0], 0, 2, lambda y: 2 / 3 * cos(p) - cos(y[0]))

    def place(at):
        if at <= leaves:
            _, (a, u), _ = until(slide, [p, 0], 0, at)
            return [r * sin(a), r * cos(a)], [r * u * cos(a), -r * u * sin(a)]
        s, v = at - leaves, [r * w * cos(b), -r * w * sin(b)]
        return [r * sin(b) + v[0] * s, r * cos(b) + v[1] * s - G * s**2 / 2], [v[0], v[1] - G * s]

    a2 = G * sin(p)
    start = state("xy", *place(0), [a2 * cos(p), -a2 * sin(p)], {"sphere": m * G * cos(p)})
    later = [state("xy", *place(at), time=at) for at in (0.3, 0.6, 0.8)]
    how = f"one angle by Newton until cos a = 2/3 cos p, at t = {leaves:.10f}, then a parabola"
    return reference(name, "A particle leaves a sphere", SOURCE, how, start, later, TOLERANCE)
