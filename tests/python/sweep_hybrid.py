"""Random models in which something happens on the way, against event-driven integration by SciPy.

A sample runs with the other tests; how to run more is in `sweep.py`.

Each family is written twice: as a model, and as modes with right-hand sides, conditions and jumps by hand, in coordinates of its own where that is
natural (an angle for the string that is taut). What happened, when, and the state at the end must be the same.
"""

import math
import random
from collections import Counter
from pathlib import Path

import numpy as np
from scipy.integrate import solve_ivp
from sweep import code, dalembert, main

CLOSE_TIME, CLOSE_END = 1e-7, 1e-6


class Mode:
    """A right-hand side, and what ends it: (condition, direction of its change of sign, what then happens)."""

    def __init__(self, rhs, watched):
        self.rhs, self.watched = rhs, watched


def integrate(modes, mode, state, span):
    """The state at the end, and what happened: each time the next mode, the state there and a name. Steps are short, so that nothing is missed:
    also beside the time since the last event, as what has just struck may strike again within a step, from below zero to below zero."""
    t, y, happened, longest = 0.0, np.array(state, dtype=float), [], 0.01
    while True:
        events = []
        for condition, direction, _ in modes[mode].watched:
            watch = lambda t, y, condition=condition: condition(t, y)
            watch.terminal, watch.direction = True, direction
            events.append(watch)
        run = solve_ivp(modes[mode].rhs, (t, span), y, method="DOP853", rtol=1e-12, atol=1e-13, max_step=longest, events=events or None)
        if run.status != 1:
            return run.y[:, -1], happened, mode
        which = next(k for k, times in enumerate(run.t_events) if len(times))
        longest = min(0.01, max(1e-4, (run.t_events[which][-1] - t) / 8))
        t, y = run.t_events[which][-1], run.y_events[which][-1]
        mode, y, name = modes[mode].watched[which][2](t, np.array(y))
        happened.append((name, t))
        if len(happened) > 500:
            raise OverflowError("too much happens")


class Case:
    """A model, the names of what it ends with, and how SciPy finds the same."""

    def __init__(self, name, text, names, solve, span, kinds=("event", "impact")):
        self.name, self.text, self.names, self.solve, self.span, self.kinds = name, text, names, solve, span, kinds


def thrown(m, h, v):
    """The model of a particle of mass m that sets out at the height h, across with v."""
    return f"""dalembert = 1
gravity = "[0, -9.81, 0]"
[coordinates]
x = 0
y = {h}
[start]
"x'" = {v}
[particle.P]
mass = {m}
position = "[x, y, 0]"
"""


def ball(r, u):
    """A ball over a table that shakes."""
    m, h, e, a, w, v = u(0.5, 2), u(0.5, 1.5), u(0.6, 1.0), u(0.01, 0.1), u(2, 9), u(-1, 1)
    span = u(1.0, 2.0)
    text = thrown(m, h, v) + f"""[event.hit]
when = "y < {a}*sin({w}*t)"
impact = {{ on = "y - {a}*sin({w}*t)", restitution = {e} }}
[run]
span = {span}
"""
    wall = lambda t: a * w * math.cos(w * t)
    hit = lambda t, y: ("free", np.array([y[0], y[1], y[2], wall(t) - e * (y[3] - wall(t))]), "hit")
    rhs = lambda t, y: [y[2], y[3], 0.0, -9.81]
    modes = {"free": Mode(rhs, [(lambda t, y: y[1] - a * math.sin(w * t), -1, hit)])}
    return Case("ball", text, ["x", "y", "x'", "y'"], lambda: integrate(modes, "free", [0, h, v, 0], span), span)


def buffers(r, u):
    """Two masses on springs, which meet."""
    m1, m2, k1, k2, e = u(0.5, 2), u(0.5, 2), u(2, 9), u(2, 9), u(0.2, 1.0)
    v1, v2, span = u(0.5, 2), u(-2, -0.5), u(2, 4)
    text = f"""dalembert = 1
[coordinates]
x1 = -0.5
x2 = 0.5
[start]
"x1'" = {v1}
"x2'" = {v2}
[particle.P]
mass = {m1}
position = "[x1, 0, 0]"
[particle.Q]
mass = {m2}
position = "[x2, 0, 0]"
[spring.S]
on = "x1"
stiffness = {k1}
length = -0.5
[spring.R]
on = "x2"
stiffness = {k2}
length = 0.5
[event.meet]
when = "x1 > x2"
impact = {{ on = "x2 - x1", restitution = {e} }}
[run]
span = {span}
"""

    def meet(t, y):
        mean = (m1 * y[2] + m2 * y[3]) / (m1 + m2)
        closing = y[2] - y[3]
        return "free", np.array([y[0], y[1], mean - e * closing * m2 / (m1 + m2), mean + e * closing * m1 / (m1 + m2)]), "meet"

    rhs = lambda t, y: [y[2], y[3], -k1 / m1 * (y[0] + 0.5), -k2 / m2 * (y[1] - 0.5)]
    modes = {"free": Mode(rhs, [(lambda t, y: y[1] - y[0], -1, meet)])}
    return Case("buffers", text, ["x1", "x2", "x1'", "x2'"], lambda: integrate(modes, "free", [-0.5, 0.5, v1, v2], span), span)


def string(r, u):
    """A bob on a string that goes taut, and slack where it would have to push."""
    m, x, v, span = u(0.5, 2), u(0.2, 0.8), u(-1, 2), u(1.0, 2.5)
    g = 9.81
    text = f"""dalembert = 1
gravity = "[0, -{g}, 0]"
[coordinates]
x = {x}
y = 0
[start]
"x'" = {v}
[particle.bob]
mass = {m}
position = "[x, y, 0]"
[constraint.string]
holds = "x^2 + y^2 = 1"
active = false
[event.taut]
when = "x^2 + y^2 > 1"
engage = "string"
[event.slack]
when = "lambda(string) > 0"
release = "string"
[run]
span = {span}
"""

    def taut(t, y):
        # Only the velocity along the circle is left; phi from the vertical below.
        phi = math.atan2(y[0], -y[1])
        return "taut", np.array([phi, y[2] * math.cos(phi) + y[3] * math.sin(phi), 0, 0]), "taut"

    def free(y):
        phi, rate = y[0], y[1]
        return np.array([math.sin(phi), -math.cos(phi), rate * math.cos(phi), rate * math.sin(phi)])

    slack = lambda t, y: ("free", free(y), "slack")
    modes = {
        "free": Mode(lambda t, y: [y[2], y[3], 0.0, -g], [(lambda t, y: y[0] ** 2 + y[1] ** 2 - 1, 1, taut)]),
        "taut": Mode(lambda t, y: [y[1], -g * math.sin(y[0]), 0, 0], [(lambda t, y: y[1] ** 2 + g * math.cos(y[0]), -1, slack)]),
    }

    def solve():
        y, happened, mode = integrate(modes, "free", [x, 0, v, 0], span)
        return (y if mode == "free" else free(y)), happened, mode

    return Case("string", text, ["x", "y", "x'", "y'"], solve, span)


def rough(r, u):
    """A block on a rough table, on a spring, shaken: it sticks and slips."""
    m, k, size, drive, w = u(0.5, 2), u(5, 20), u(0.5, 1.5), u(1, 4), u(2, 6)
    x, span = u(0.3, 1.0), u(2, 5)
    text = f"""dalembert = 1
[coordinates]
x = {x}
[particle.P]
mass = {m}
position = "[x, 0, 0]"
[spring.S]
on = "x"
stiffness = {k}
dry = {size}
[force.shaker]
generalized = {{ x = "{drive}*cos({w}*t)" }}
[run]
span = {span}
"""
    applied = lambda t, x: drive * math.cos(w * t) - k * x

    def rests(t, y):
        force = applied(t, y[0])
        if abs(force) <= size:
            return "stuck", np.array([y[0], 0.0]), "stick"
        return ("forward" if force > 0 else "back"), np.array([y[0], 0.0]), "slip"

    begin = lambda way: lambda t, y: (way, y, "slip")
    slide = lambda sign: lambda t, y: [y[1], (applied(t, y[0]) - sign * size) / m]
    modes = {
        "forward": Mode(slide(1), [(lambda t, y: y[1], -1, rests)]),
        "back": Mode(slide(-1), [(lambda t, y: y[1], 1, rests)]),
        "stuck": Mode(
            lambda t, y: [0.0, 0.0],
            [(lambda t, y: applied(t, y[0]) - size, 1, begin("forward")), (lambda t, y: applied(t, y[0]) + size, -1, begin("back"))],
        ),
    }
    first = applied(0, x)
    mode = "stuck" if abs(first) <= size else "forward" if first > 0 else "back"
    return Case("rough", text, ["x", "x'"], lambda: integrate(modes, mode, [x, 0], span), span, kinds=("stick", "slip"))


def clutch(r, u):
    """Two flywheels, one driven and one braked, coupled for a while."""
    j1, j2, torque, c = u(0.5, 2), u(0.5, 2), u(0.5, 3), u(0.1, 1)
    on, off, span = u(0.3, 0.8), u(1.0, 1.6), u(2, 3)
    w1, w2 = u(2, 5), u(-2, 1)
    text = f"""dalembert = 1
[coordinates]
a = 0
b = 0
[start]
"a'" = {w1}
"b'" = {w2}
[energy]
kinetic = "{j1}/2*a'^2 + {j2}/2*b'^2"
dissipation = "{c}/2*b'^2"
[force.motor]
generalized = {{ a = {torque} }}
[constraint.clutch]
holds = "a' = b'"
active = false
[event.on]
when = "t > {on} and a' > b'"
engage = "clutch"
[event.off]
when = "t > {off}"
release = "clutch"
[run]
span = {span}
"""

    def engage(t, y):
        common = (j1 * y[2] + j2 * y[3]) / (j1 + j2)
        return "coupled", np.array([y[0], y[1], common, common]), "on"

    def together(t, y):
        rate = (torque - c * y[2]) / (j1 + j2)
        return [y[2], y[3], rate, rate]

    apart = lambda t, y: [y[2], y[3], torque / j1, -c / j2 * y[3]]
    modes = {
        "before": Mode(apart, [(lambda t, y: t - on, 1, engage)]),
        "coupled": Mode(together, [(lambda t, y: t - off, 1, lambda t, y: ("after", y, "off"))]),
        "after": Mode(apart, []),
    }
    return Case("clutch", text, ["a", "b", "a'", "b'"], lambda: integrate(modes, "before", [0, 0, w1, w2], span), span)


def struck(r, u):
    """A double pendulum that is hit by a given impulse, and whose upper arm meets a stop."""
    m1, m2, l1, l2, p, when = u(0.5, 2), u(0.5, 2), u(0.5, 1), u(0.5, 1), u(-1, 1), u(0.2, 0.5)
    e, stop, g = u(0.2, 1.0), u(0.2, 0.6), 9.81
    a0, b0, span = u(-1.0, -0.3), u(-0.5, 0.5), u(0.8, 1.2)
    text = f"""dalembert = 1
gravity = "[0, -{g}, 0]"
[coordinates]
a = {a0}
b = {b0}
[particle.P]
mass = {m1}
position = "[{l1}*sin(a), -{l1}*cos(a), 0]"
[particle.Q]
mass = {m2}
position = "pos(P) + [{l2}*sin(b), -{l2}*cos(b), 0]"
[event.kick]
when = "t > {when}"
impulse = {{ on = "Q", vector = "[{p}, 0, 0]" }}
[event.stop]
when = "a > {stop}"
impact = {{ on = "{stop} - a", restitution = {e} }}
[run]
span = {span}
"""
    coupling = lambda y: m2 * l1 * l2 * math.cos(y[0] - y[1])
    inertia = lambda y: np.array([[(m1 + m2) * l1**2, coupling(y)], [coupling(y), m2 * l2**2]])

    def rhs(t, y):
        bend = m2 * l1 * l2 * math.sin(y[0] - y[1])
        force = [-bend * y[3] ** 2 - (m1 + m2) * g * l1 * math.sin(y[0]), bend * y[2] ** 2 - m2 * g * l2 * math.sin(y[1])]
        return [y[2], y[3], *np.linalg.solve(inertia(y), force)]

    def kick(t, y):
        jump = np.linalg.solve(inertia(y), [p * l1 * math.cos(y[0]), p * l2 * math.cos(y[1])])
        return "after", y + np.array([0, 0, *jump]), "kick"

    def meets(mode):
        def jump(t, y):
            along = np.linalg.solve(inertia(y), [1.0, 0.0])
            return mode, y + np.array([0, 0, *(-(1 + e) * y[2] / along[0] * along)]), "stop"

        return (lambda t, y: y[0] - stop, 1, jump)

    modes = {"before": Mode(rhs, [(lambda t, y: t - when, 1, kick), meets("before")]), "after": Mode(rhs, [meets("after")])}
    return Case("struck", text, ["a", "b", "a'", "b'"], lambda: integrate(modes, "before", [a0, b0, 0, 0], span), span)


def lands(r, u):
    """A particle thrown on a rough table that shakes, a contact: friction has impulses up to mu times those that press."""
    m, h, e, a, w, v, mu = u(0.5, 2), u(0.5, 1.5), u(0.6, 1.0), u(0.01, 0.1), u(2, 9), u(-2, 2), u(0.05, 0.4)
    span = u(1.0, 2.0)
    text = thrown(m, h, v) + f"""[constraint.table]
holds = "y >= {a}*sin({w}*t)"
restitution = {e}
friction = {{ coefficient = {mu} }}
[run]
span = {span}
"""

    def hit(t, y):
        wall = a * w * math.cos(w * t)
        rub = mu * (1 + e) * (wall - y[3])
        along = y[2] - math.copysign(min(abs(y[2]), rub), y[2])
        return "free", np.array([y[0], y[1], along, wall - e * (y[3] - wall)]), "table"

    rhs = lambda t, y: [y[2], y[3], 0.0, -9.81]
    modes = {"free": Mode(rhs, [(lambda t, y: y[1] - a * math.sin(w * t), -1, hit)])}
    return Case("lands", text, ["x", "y", "x'", "y'"], lambda: integrate(modes, "free", [0, h, v, 0], span), span)


def walled(r, u):
    """A block with dry friction on a spring, shaken, with a wall that it meets: a contact beside friction that sticks."""
    m, k, size, drive, w, e = u(0.5, 2), u(5, 20), u(0.5, 1.5), u(2, 5), u(2, 6), u(0.3, 0.9)
    x, wall, span = u(-1.0, -0.3), u(0.1, 0.3), u(2, 4)
    text = f"""dalembert = 1
[coordinates]
x = {x}
[particle.P]
mass = {m}
position = "[x, 0, 0]"
[spring.S]
on = "x"
stiffness = {k}
dry = {size}
[force.shaker]
generalized = {{ x = "{drive}*cos({w}*t)" }}
[constraint.wall]
holds = "x <= {wall}"
restitution = {e}
[run]
span = {span}
"""
    applied = lambda t, x: drive * math.cos(w * t) - k * x

    def rests(t, y):
        force = applied(t, y[0])
        if abs(force) <= size:
            return "stuck", np.array([y[0], 0.0]), "stick"
        return ("forward" if force > 0 else "back"), np.array([y[0], 0.0]), "slip"

    begin = lambda way: lambda t, y: (way, y, "slip")
    slide = lambda sign: lambda t, y: [y[1], (applied(t, y[0]) - sign * size) / m]
    meets = lambda t, y: ("back", np.array([y[0], -e * y[1]]), "wall")
    modes = {
        "forward": Mode(slide(1), [(lambda t, y: y[1], -1, rests), (lambda t, y: y[0] - wall, 1, meets)]),
        "back": Mode(slide(-1), [(lambda t, y: y[1], 1, rests)]),
        "stuck": Mode(
            lambda t, y: [0.0, 0.0],
            [(lambda t, y: applied(t, y[0]) - size, 1, begin("forward")), (lambda t, y: applied(t, y[0]) + size, -1, begin("back"))],
        ),
    }
    first = applied(0, x)
    mode = "stuck" if abs(first) <= size else "forward" if first > 0 else "back"
    return Case("walled", text, ["x", "x'"], lambda: integrate(modes, mode, [x, 0], span), span, kinds=("stick", "slip", "impact"))


def leaves(r, u):
    """A particle slides down a rough cylinder, and leaves it where nothing presses any more."""
    m, radius, mu, phi, g = u(0.5, 2), u(0.5, 2), u(0.0, 0.3), u(0.3, 0.6), 9.81
    rate, span = u(0.5, 1.2), u(0.8, 1.2)
    text = f"""dalembert = 1
gravity = "[0, -{g}, 0]"
[coordinates]
x = "{radius}*sin({phi})"
y = "{radius}*cos({phi})"
[start]
"x'" = "{radius}*{rate}*cos({phi})"
"y'" = "-{radius}*{rate}*sin({phi})"
[particle.P]
mass = {m}
position = "[x, y, 0]"
[constraint.drum]
holds = "norm(pos(P)) >= {radius}"
friction = {{ coefficient = {mu} }}
[run]
span = {span}
"""
    press = lambda y: g * math.cos(y[0]) - radius * y[1] ** 2

    def free(y):
        place, along = radius * np.array([math.sin(y[0]), math.cos(y[0])]), np.array([math.cos(y[0]), -math.sin(y[0])])
        return np.array([*place, *(radius * y[1] * along)])

    modes = {
        "slides": Mode(
            lambda t, y: [y[1], (g * math.sin(y[0]) - mu * math.copysign(press(y), y[1])) / radius, 0, 0],
            [(lambda t, y: press(y), -1, lambda t, y: ("free", free(y), "drum"))],
        ),
        "free": Mode(lambda t, y: [y[2], y[3], 0.0, -g], []),
    }

    def solve():
        y, happened, mode = integrate(modes, "slides", [phi, rate, 0, 0], span)
        return (y if mode == "free" else free(y)), happened, mode

    return Case("leaves", text, ["x", "y", "x'", "y'"], solve, span, kinds=("open",))


FAMILIES = [ball, buffers, string, rough, clutch, struck, lands, walled, leaves]


class Seen:
    def __init__(self):
        self.found, self.tally, self.models = [], Counter(), {}


def look(seed, folder):
    """One model of a family, run by both."""
    r = random.Random(seed)
    case = FAMILIES[seed % len(FAMILIES)](r, lambda low, high: round(r.uniform(low, high), 4))
    seen = Seen()
    seen.models[case.name] = case.text
    path = Path(folder) / f"{seed}.toml"
    path.write_text(case.text)
    answer, said = dalembert("run", path, "--json")
    if answer is None:
        seen.found.append(f"{case.name}: refused, {code(said)}: {said}")
        return seen
    # Impacts that follow each other ever faster are infinitely many: SciPy goes through as many as it can.
    over = answer["status"] == "rest" or "W0565" in said
    try:
        end, happened, _ = case.solve()
    except OverflowError:
        if not over:
            seen.found.append(f"{case.name}: SciPy finds too many events, and nothing is said of that")
        seen.tally["over"] += 1
        return seen
    told = [it for it in answer["events"] if it["kind"] in case.kinds]
    ours = [(it["kind"] if it["kind"] in ("stick", "slip") else it["name"], it["t"]) for it in told]
    # What sticks at the start is said at the start.
    ours = [it for it in ours if it[1] > 0]
    seen.tally[case.name] += 1
    seen.tally["events"] += len(happened)
    if over:
        # What is before the last of them is the same; how long each side follows them is not.
        seen.tally["over"] += 1
        both = min(len(ours) - 2, len(happened) - 2)
        ours, happened, end = ours[:both], happened[:both], []
    if [name for name, _ in ours] != [name for name, _ in happened]:
        seen.found.append(f"{case.name}: other events: {ours} {happened}")
        return seen
    for (name, t), (_, theirs) in zip(ours, happened):
        if abs(t - theirs) > CLOSE_TIME * case.span:
            seen.found.append(f"{case.name}: {name} at {t}, not {theirs}")
    size = max([1.0, *(abs(value) for value in end)])
    for name, value in zip(case.names, end):
        if abs(answer["end"][name] - value) > CLOSE_END * size:
            seen.found.append(f"{case.name}: {name} = {answer['end'][name]}, not {value}")
    return seen


if __name__ == "__main__":
    main(look)
