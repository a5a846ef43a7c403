"""Writes benches/references/<problem>.csv anew: what `dalembert bench simulate` measures errors by. Needs requirements.txt of this folder.

Motions by roads that know nothing of dalembert: closed forms, fewer coordinates by hand, or Lagrange with multipliers, by SciPy at the limit of
double precision; held against the published values that examples/reference has.
"""

import json
import sys

import casadi as ca
import numpy as np
from benchmarks import flyball
from linkages import e, rod, squeezer
from loops import crank
from papers import agrees
from scipy.integrate import solve_ivp
from scipy.special import ellipj, ellipk
from witness import FOLDER, System, symbols

TABLES = FOLDER.parents[1] / "benches" / "references"
G = 9.81


def known(name):
    return json.loads((FOLDER / f"{name}.json").read_text())


def series(name, columns):
    """Times and some columns of a file of examples/reference."""
    rows = np.array([[float(x) for x in row] for row in known(name)["series"]])
    return rows[:, 0], rows[:, columns]


def meets(times, values, name, columns, tolerance):
    at, wanted = series(name, columns)
    agrees(values[np.searchsorted(times, at - 1e-9)], wanted, tolerance)


def pendulum():
    times = np.linspace(0, 10, 101)
    sn, cn, dn, _ = ellipj(ellipk(0.5) + np.sqrt(G) * times, 0.5)
    angle = -2 * np.arcsin(sn / np.sqrt(2))
    values = np.stack([np.sin(angle), -np.cos(angle)], 1)
    meets(times, values, "iftomm_a01", [1, 2], 1e-13)
    return "closed form, an elliptic function", "t,x,y", times, values


def four_bars(count):
    """Direction of the first and of the last crank."""
    times = np.linspace(0, 10, 101)
    theta, _ = crank(count, times)
    x, y = np.sin(theta), np.cos(theta)
    values = np.stack([x, y, x, y], 1)
    if count == 2:
        meets(times, values[:, :2], "iftomm_a02", [1, 2], 1e-12)
    else:
        variant = known("iftomm_a02")["N40_variant"]
        for at in (1, 10):
            agrees(values[10 * at, :2], [float(x) for x in variant[f"B0_at_{at}s"][:2]], 1e-12)
    return "closed form of the parallelogram branch, elliptic functions", "t,x0,y0,xn,yn", times, values


def andrews():
    data = known("ivp_andrews")
    system, pin = squeezer(data["parameters"])
    start = [float(x) for x in data["initial"]["q"]]
    times = np.linspace(0, 0.05, 51)
    motion = system.motion(start, np.zeros(7), times)
    for at, key in ((30, "t003"), (50, "t005")):
        agrees(motion[at][0], [float(x) for x in data[key][:7]], 1e-10)
    values = np.array([np.array(pin(q)).ravel() for q, _ in motion])
    return "published mass matrix, DOP853 at 2e-14; meets ivp_andrews.json to 1e-10", "t,x,y", times, values


def bricard():
    times, values = series("iftomm_a04", [1, 2, 3])
    return "iftomm_a04.json: one freedom", "t,P3x,P3y,P3z", times[::2], values[::2]


def governor():
    system, _, _ = flyball()
    times = np.linspace(0, 10, 101)
    motion = system.motion([0, 0.5, np.pi / 6], [2 * np.pi, 0, 0], times)
    values = np.array([[q[1]] for q, _ in motion])
    meets(times, values, "iftomm_a05", [1], 1e-9)
    return "three coordinates by Lagrange, DOP853 at 2e-14; meets iftomm_a05.json to 1e-9", "t,s", times, values


def disk():
    """Heading psi, lean theta of the plane against the floor and turn phi of a thin disk that rolls: Neimark, Fufaev, Dynamics of Nonholonomic Systems."""
    m, r = 1, 0.5
    A, C = m * r**2 / 4, m * r**2 / 2

    def f(_, y):
        _, _, psi, theta, dpsi, dtheta, dphi = y
        s, c = np.sin(theta), np.cos(theta)
        spin = dphi + dpsi * c
        ddtheta = (A * dpsi**2 * s * c - (C + m * r**2) * dpsi * s * spin - m * G * r * c) / (A + m * r**2)
        ddpsi = (C * spin * dtheta - 2 * A * dtheta * dpsi * c) / (A * s)
        dspin = m * r**2 * dtheta * dpsi * s / (C + m * r**2)
        ddphi = dspin - ddpsi * c + dpsi * dtheta * s
        return [-r * dphi * np.cos(psi), -r * dphi * np.sin(psi), dpsi, dtheta, ddpsi, ddtheta, ddphi]

    times = np.linspace(0, 10, 101)
    run = solve_ivp(f, (0, 10), [0, 0, 0, np.radians(70), 0.5, 0, 6], "DOP853", times, rtol=2.3e-14, atol=1e-15)
    x, y, psi, theta = run.y[:4]
    values = np.stack([x - r * np.sin(psi) * np.cos(theta), y + r * np.cos(psi) * np.cos(theta), r * np.sin(theta)], 1)
    return "three Euler angles of a rolling disk by hand, DOP853 at 2e-14", "t,x,y,z", times, values


def five_bar():
    """Two cranks of 1 m on pivots 1 m apart, two rods of 1.5 m that meet."""
    angles = np.radians([125, 60])
    left, right = np.array([np.cos(angles), np.sin(angles)]).T + [[0, 0], [1, 0]]
    between = right - left
    distance = np.hypot(*between)
    meet = (left + right) / 2 + np.sqrt(1.5**2 - distance**2 / 4) * np.array([-between[1], between[0]]) / distance
    q, u = symbols(4)
    a1, a2, b1, b2 = ca.vertsplit(q)
    base = ca.vertcat(1, 0)
    centers = [e(a1) / 2, base + e(a2) / 2, e(a1) + 0.75 * e(b1), base + e(a2) + 0.75 * e(b2)]
    masses = [1, 1, 1.5, 1.5]
    T = sum(rod(m, m, c, a, q, u) for m, c, a in zip(masses, centers, ca.vertsplit(q)))
    V = sum(m * G * c[1] for m, c in zip(masses, centers))
    system = System(q, u, T, V, phi=e(a1) + 1.5 * e(b1) - base - e(a2) - 1.5 * e(b2))
    directions = [np.arctan2(*(meet - pin)[::-1]) for pin in (left, right)]
    times = np.linspace(0, 2, 41)
    motion = system.motion([*angles, *directions], np.zeros(4), times)
    values = np.array([[np.cos(x[0]) + 1.5 * np.cos(x[2]), np.sin(x[0]) + 1.5 * np.sin(x[2])] for x, _ in motion])
    return "four angles by Lagrange with two rows, DOP853 at 2e-14", "t,x,y", times, values


PROBLEMS = {
    "a01": pendulum,
    "a02-2": lambda: four_bars(2),
    "a02-40": lambda: four_bars(40),
    "a03": andrews,
    "a04": bricard,
    "a05": governor,
    "disk": disk,
    "five-bar": five_bar,
}

for name in sys.argv[1:] or PROBLEMS:
    source, head, times, values = PROBLEMS[name]()
    lines = [f"# {source}", head]
    lines += [",".join([f"{time:.12g}", *(f"{x:.13f}" for x in row)]) for time, row in zip(times, values)]
    (TABLES / f"{name}.csv").write_text("\n".join(lines) + "\n")
    print(name, flush=True)
