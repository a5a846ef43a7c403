"""Constraints held by chosen forces in place of their own reactions."""

import casadi as ca
import numpy as np
from papers import agrees
from scipy.integrate import solve_ivp
from witness import model, reference, state


@model("servo-pendulum")
def servo_pendulum(name):
    M, m, length, g = 3, 0.5, 0.8, 9.81

    def program(at):
        phase = 3 * at + 0.5
        return 0.4 * np.sin(phase), 1.2 * np.cos(phase), -3.6 * np.sin(phase)

    # The pendulum's own equation gives the cart, the cart's the motor.
    def cart(at):
        theta, _, accelerated = program(at)
        return -(length * accelerated + g * np.sin(theta)) / np.cos(theta)

    def motor(at):
        theta, rate, accelerated = program(at)
        return (M + m) * cart(at) + m * length * (accelerated * np.cos(theta) - rate**2 * np.sin(theta))

    times = [0.5, 1, 3]
    run = solve_ivp(lambda at, y: [y[1], cart(at)], (0, 3), [0, 0], "DOP853", times, rtol=2.3e-14, atol=1e-16)
    names = ["x", "theta"]
    theta, rate, accelerated = program(0)
    start = state(names, [0, theta], [0, rate], [cart(0), accelerated])
    start["multipliers"] = {"program": motor(0)}
    later = [state(names, [x, program(at)[0]], [v, program(at)[1]], time=at) for at, (x, v) in zip(times, run.y.T)]

    # Again by Lagrange in x, y of both masses, rod and rail as constraints, the motor unknown beside their reactions.
    p, v, at = ca.SX.sym("p", 4), ca.SX.sym("v", 4), ca.SX.sym("t")
    angle = ca.atan2(p[2] - p[0], p[1] - p[3])
    rows = ca.vertcat(p[1], ca.sumsqr(p[2:] - p[:2]) - length**2, angle - 0.4 * ca.sin(3 * at + 0.5))
    A = ca.jacobian(rows, p)
    rates = A @ v + ca.jacobian(rows, at)
    b = -(ca.jacobian(rates, p) @ v + ca.jacobian(rates, at))
    directions = ca.horzcat(A[0, :].T, A[1, :].T, ca.DM([1, 0, 0, 0]))
    mass = ca.diag(ca.DM([M, M, m, m]))
    matrix = ca.blockcat([[mass, -directions], [A, ca.DM.zeros(3, 3)]])
    right = ca.vertcat(ca.DM([0, -M * g, 0, -m * g]), b)
    solved = ca.Function("solved", [at, p, v], [ca.solve(matrix, right)])

    def places(at, x, speed):
        theta, rate, _ = program(at)
        bob = [x + length * np.sin(theta), -length * np.cos(theta)]
        bob_rate = [speed + length * np.cos(theta) * rate, length * np.sin(theta) * rate]
        return [x, 0, *bob], [speed, 0, *bob_rate]

    for at, (x, speed) in zip([0, *times], [(0, 0), *run.y.T]):
        found = np.array(solved(at, *places(at, x, speed))).ravel()
        agrees([found[0], found[6]], [cart(at), motor(at)], 1e-11)
    again = solve_ivp(
        lambda at, y: [y[1], float(solved(at, *places(at, *y))[0])], (0, 3), [0, 0], "DOP853", times, rtol=1e-12, atol=1e-13
    )
    agrees(again.y, run.y, 1e-10)
    source = "textbook, in the manner of Dinh Van Phong 1999, end of section 2; numbers of this project"
    how = "the pendulum's own equation gives the cart by quadrature, the cart's the motor; again in x and y of both masses, with reactions"
    force = {str(at): motor(at) for at in times}
    return reference(name, "Servo pendulum", source, how, start, later, motor=force)
