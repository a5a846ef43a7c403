"""Drives that are given by points: SciPy's spline of the same file, and the motion from point to point."""

import csv

import numpy as np
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline
from witness import FOLDER, model, reference, state

G = 9.81


@model("table-drive")
def table_drive(name):
    M, m, l = 300, 500, 4
    with (FOLDER.parent / "drive.csv").open() as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["t [s]", "way [mm]", "wind [kN]"]
    t, way, wind = np.array(rows[1:], float).T
    way = CubicSpline(t, way / 1000, bc_type="not-a-knot")
    force = lambda at: float(np.interp(at, t, 1000 * wind))

    def angular(at, a):
        return (-G * np.sin(a) + (force(at) / m - float(way(at, 2))) * np.cos(a)) / l

    def right(at, y):
        return [y[1], angular(at, y[0])]

    def motion(end):
        # Wind and third derivatives of the way jump at the points of the table.
        y, begin = [0.0, 0.0], 0.0
        for stop in [p for p in t if 0 < p < end] + [end]:
            run = solve_ivp(right, (begin, stop), y, "DOP853", rtol=2.3e-14, atol=1e-16)
            assert run.success, run.message
            y, begin = run.y[:, -1], stop
        return y

    def at(time, a, w):
        return [float(way(time)), a], [float(way(time, 1)), w]

    turn, rate = angular(0, 0), float(way(0, 2))
    # The momentum along the rail is changed by the drive and the wind.
    drive = (M + m) * rate + m * l * turn - force(0)
    start = state("xa", *at(0, 0, 0), [rate, turn], {"drive": drive})
    later = [state("xa", *at(time, *motion(time)), time=time) for time in (1, 3, 5.6, 8)]
    how = "SciPy's CubicSpline and interp of the same file, one angle by Newton, by DOP853 from point to point"
    return reference(name, "Crane driven by a table", "numbers of this project", how, start, later)
