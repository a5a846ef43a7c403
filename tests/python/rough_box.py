"""The largest push that a box on four rough corners stands, at a distance from its middle: frictions within polygons of 2000 sides, normal forces the least.

A second computation of what `a_box_that_is_pushed_ever_more_off_its_middle_lets_go_and_turns` finds: run by hand, with SciPy.
"""

import numpy as np
from scipy.optimize import linprog

MASS, GRAVITY, MU, RATE = 2, 9.81, 0.3, 20
SIDES = 2000
CORNERS = np.array([[x / 2, 0.3 * y] for x in (-1, 1) for y in (-1, 1)])
HEIGHT = 0.2


def largest_push(aside):
    """Unknown: the push, and friction of each corner along x and y. The push at the height of the middle shifts weight to the corners ahead."""
    balance = np.zeros((3, 9))
    balance[0, 0], balance[0, 1:5] = 1, 1
    balance[1, 5:9] = 1
    balance[2, 0], balance[2, 1:5], balance[2, 5:9] = -aside, -CORNERS[:, 1], CORNERS[:, 0]
    bounds, limits = [], []
    within = MU * np.cos(np.pi / SIDES)
    for angle in 2 * np.pi * (np.arange(SIDES) + 0.5) / SIDES:
        for corner in range(4):
            row = np.zeros(9)
            row[1 + corner], row[5 + corner] = np.cos(angle), np.sin(angle)
            row[0] = -within * np.sign(CORNERS[corner, 0]) * HEIGHT / 2
            bounds.append(row)
            limits.append(within * MASS * GRAVITY / 4)
    free = [(0, None)] + [(None, None)] * 8
    found = linprog(-np.eye(9)[0], A_ub=np.array(bounds), b_ub=limits, A_eq=balance, b_eq=np.zeros(3), bounds=free, method="highs")
    return -found.fun


if __name__ == "__main__":
    for aside in (0.05, 0.1, 0.2):
        print(aside, largest_push(aside) / RATE)
