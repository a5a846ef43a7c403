"""Edges, wheels and vehicles."""

import json

import casadi as ca
import numpy as np
from papers import agrees
from scipy.integrate import quad
from scipy.linalg import expm
from scipy.optimize import brentq
from witness import FOLDER, System, model, of_reduced, of_system, reference, state, symbols, t

BLOCH = "A. M. Bloch, Nonholonomic Mechanics and Control (2003), chapter 1"


@model("chaplygin-sleigh")
def sleigh(name):
    m, J, a, u0, w0 = 2, 0.3, 0.2, -1, 0.5
    k = np.sqrt((J + m * a**2) / m)
    U = np.hypot(u0, k * w0)
    s0 = np.arctanh(u0 / U)
    s = lambda time: s0 + a * U * time / k**2
    speed = lambda time: U * np.tanh(s(time))
    turn = lambda time: U / k / np.cosh(s(time))
    gd = lambda x: 2 * np.arctan(np.tanh(x / 2))
    heading = lambda time: k / a * (gd(s(time)) - gd(s0))
    names = ["x", "y", "theta"]

    def at(time, *more):
        path = [
            quad(lambda x: speed(x) * f(heading(x)), 0, time, epsabs=1e-13, epsrel=1e-13, limit=500)[0]
            for f in (np.cos, np.sin)
        ]
        u, w, angle = speed(time), turn(time), heading(time)
        v = [u * np.cos(angle), u * np.sin(angle), w]
        return state(names, [*path, angle], v, *more, **({} if more else {"time": time}))

    # u' = a w^2, w' = -a u w/k^2; sideways m (a w' + u w) at the edge.
    du, dw = a * w0**2, -a * u0 * w0 / k**2
    start = at(0, [du, u0 * w0, dw], {"edge": m * (a * dw + u0 * w0)})
    how = "closed form: u = U tanh(s), theta' = U/k sech(s); the path by quadrature"
    return reference(name, "Chaplygin's sleigh", BLOCH, how, start, [at(1), at(5), at(10)])


@model("knife-edge")
def knife_edge(name):
    m, g, alpha, w = 1, 9.81, np.radians(20), 1.5
    c = g * np.sin(alpha) / (2 * w**2)
    names = ["x", "y", "phi"]

    def at(time, *more):
        p = w * time
        q = [c * np.sin(p) ** 2, c * (p - np.sin(2 * p) / 2), p]
        u = [c * w * np.sin(2 * p), c * w * (1 - np.cos(2 * p)), w]
        return state(names, q, u, *more, **({} if more else {"time": time}))

    start = at(0, [2 * c * w**2, 0, 0], {"edge": 0.0})
    return reference(name, "Knife edge on an inclined plane", BLOCH, "closed form, a cycloid", start, [at(1), at(5), at(10)])


@model("wheelset")
def wheelset(name):
    m, I, b, r0, con, f11, f22, ky, kp = 1250, 700, 0.75, 0.45, 0.1, 6.5e6, 6.2e6, 2.4e5, 5e5

    def matrix(V):
        return np.array(
            [
                [0, 0, 1, 0],
                [0, 0, 0, 1],
                [-ky / m, 2 * f22 / m, -2 * f22 / (V * m), 0],
                [-2 * f11 * b * con / (r0 * I), -kp / I, 0, -2 * f11 * b**2 / (V * I)],
            ]
        )

    A, y0, names = matrix(50), np.array([0.005, 0, 0, 0]), ["y", "psi"]
    growth = lambda V: np.linalg.eigvals(matrix(V)).real.max()
    start = state(names, y0[:2], y0[2:], (A @ y0)[2:])
    later = []
    for time in (0.5, 1, 2):
        y = expm(A * time) @ y0
        later.append(state(names, y[:2], y[2:], time=time))
    source = "A. H. Wickens, Fundamentals of Rail Vehicle Dynamics (2003) (numbers of this project)"
    more = {"critical_speed": brentq(growth, 5, 400, xtol=1e-12), "growth_at_50": growth(50)}
    return reference(name, "Hunting wheelset", source, "matrix exponential", start, later, **more)


@model("tractor-trailer")
def tractor(name):
    l, b, h, d, e, m1, J1, m2, J2, Js = 2.8, 1.1, 0.6, 4, 0.7, 4000, 5200, 6000, 14000, 12
    F, c, amp, nu = 9000, 300, 0.45, 0.8
    q, u = symbols(5)
    x, y, psi, chi, delta = ca.vertsplit(q)
    ahead = lambda angle: ca.vertcat(ca.cos(angle), ca.sin(angle))
    left = lambda angle: ca.vertcat(-ca.sin(angle), ca.cos(angle))
    rear = ca.vertcat(x, y)
    axle = rear - h * ahead(psi) - d * ahead(chi)
    v = lambda place: ca.jtimes(place, q, u)
    T = m1 / 2 * ca.sumsqr(v(rear + b * ahead(psi))) + m2 / 2 * ca.sumsqr(v(axle + e * ahead(chi)))
    T += J1 / 2 * u[2] ** 2 + J2 / 2 * u[3] ** 2 + Js / 2 * (u[2] + u[4]) ** 2
    Q = (F - c * ca.dot(u[:2], ahead(psi))) * ca.vertcat(ahead(psi), 0, 0, 0)
    rows = [ca.dot(u[:2], left(psi)), ca.dot(v(rear + l * ahead(psi)), left(psi + delta)), ca.dot(v(axle), left(chi))]
    system = System(q, u, T, 0, Q, delta - amp * ca.sin(nu * t), ca.vertcat(*rows))
    names, labels = ["x", "y", "psi", "chi", "delta"], ["driver", "rear", "front", "axle"]
    start, later = of_system(system, names, labels, np.zeros(5), [4, 0, 0, 0, amp * nu], [1, 5, 10])
    for there in later:
        # One speed and the kinematics say the same.
        q, r = there["coordinates"], there["rates"]
        speed = np.hypot(r["x"], r["y"])
        agrees(r["psi"], speed * np.tan(q["delta"]) / l)
        turn = q["psi"] - q["chi"]
        agrees(r["chi"], (speed * np.sin(turn) - h * r["psi"] * np.cos(turn)) / d)
    how = "Lagrange with multipliers in the plane; the rates satisfy psi' = u tan(delta)/l and the trailer's equation"
    return reference(name, "Tractor with steering and a trailer", "textbook; numbers of this project", how, start, later)


@model("rolling-disk")
def rolling_disk(name):
    m, r, g = 2, 0.5, 9.81
    J = m * r**2 / 4
    q, u = symbols(5)
    x, y, psi, theta, phi = ca.vertsplit(q)
    s, c = ca.sin, ca.cos
    heading = ca.vertcat(c(psi), s(psi), 0)
    up = ca.vertcat(s(theta) * s(psi), -s(theta) * c(psi), c(theta))
    axle = ca.cross(up, heading)
    center = ca.vertcat(x, y, r * c(theta))
    omega = ca.vertcat(0, 0, u[2]) + u[3] * heading + u[4] * axle
    v = ca.jtimes(center, q, u)
    spin = [ca.dot(omega, k) for k in (heading, axle, up)]
    T = m / 2 * ca.sumsqr(v) + J / 2 * (spin[0] ** 2 + 2 * spin[1] ** 2 + spin[2] ** 2)
    system = System(q, u, T, m * g * center[2], psi=(v - r * ca.cross(omega, up))[:2])
    q0 = np.array([0, 0, 0, np.radians(10), 0])
    u0 = system.velocities(q0, np.array([0, 0, 0, 0, 8]), [2, 3, 4])
    names = ["x", "y", "z", "psi", "theta", "phi"]
    start, later = of_reduced(system, q, u, ca.vertcat(center, q[2:]), names, q0, u0, [1, 2, 5])
    force = system.solve(0, q0, u0)[1]
    normal = m * (g + start["accelerations"]["z"])
    start["multipliers"] = {"contact.0": force[0], "contact.1": force[1], "contact.2": normal}
    how = "five coordinates, the height built in, by Lagrange with multipliers; the normal force is m (g + z'')"
    return reference(name, "Thin disk rolling on a horizontal plane", "textbook; see blajer-disk", how, start, later)


BENCHMARK = json.loads((FOLDER / "whipple_bicycle.json").read_text())


class Bicycle:
    """The Whipple bicycle by its rear point of contact: x, y, yaw, roll, pitch, steer, rear and front wheel.

    In the benchmark's own axes, z down: another frame, other signs and other constraints than in the model.
    """

    def __init__(self):
        p = {k: np.pi / 10 if k == "lam" else float(x) for k, x in BENCHMARK["parameters"].items()}
        self.q, self.u = q, u = symbols(8)
        X, Y, Z = (ca.SX(x) for x in ([1, 0, 0], [0, 1, 0], [0, 0, 1]))

        def turn(axis, angle):
            K = ca.skew(axis)
            return ca.SX.eye(3) + ca.sin(angle) * K + (1 - ca.cos(angle)) * K @ K

        lean = turn(Z, q[2]) @ turn(X, q[3])
        frame = lean @ turn(Y, q[4])
        steering = ca.SX([np.sin(p["lam"]), 0, np.cos(p["lam"])])
        fork = frame @ turn(steering, q[5])
        w_frame = u[2] * Z + u[3] * turn(Z, q[2]) @ X + u[4] * lean @ Y
        w_fork = w_frame + u[5] * frame @ steering
        w_rear, w_front = w_frame + u[6] * frame @ Y, w_fork + u[7] * fork @ Y
        self.rear = rear = ca.vertcat(q[0], q[1], 0) - p["rR"] * lean @ Z
        # A point of the steering axis: where it meets the ground of the upright bicycle.
        head = rear + frame @ ca.SX([p["w"] + p["c"], 0, p["rR"]])
        rider = rear + frame @ ca.SX([p["xB"], 0, p["zB"] + p["rR"]])
        bar = head + fork @ ca.SX([p["xH"] - p["w"] - p["c"], 0, p["zH"]])
        front = head + fork @ ca.SX([-p["c"], 0, -p["rF"]])
        axle = fork @ Y
        down = Z - axle[2] * axle
        touch = front + p["rF"] * down / ca.norm_2(down)
        v = lambda place: ca.jtimes(place, q, u)

        def energy(m, center, attitude, omega, moments):
            w = attitude.T @ omega
            xx, yy, zz, xz = moments
            return m / 2 * ca.sumsqr(v(center)) + (xx * w[0] ** 2 + yy * w[1] ** 2 + zz * w[2] ** 2) / 2 + xz * w[0] * w[2]

        T = energy(p["mR"], rear, frame, w_rear, (p["IRxx"], p["IRyy"], p["IRxx"], 0))
        T += energy(p["mB"], rider, frame, w_frame, (p["IBxx"], p["IByy"], p["IBzz"], p["IBxz"]))
        T += energy(p["mH"], bar, fork, w_fork, (p["IHxx"], p["IHyy"], p["IHzz"], p["IHxz"]))
        T += energy(p["mF"], front, fork, w_front, (p["IFxx"], p["IFyy"], p["IFxx"], 0))
        self.masses = list(zip([p["mR"], p["mB"], p["mH"], p["mF"]], [rear, rider, bar, front]))
        V = -p["g"] * sum(m * center[2] for m, center in self.masses)
        rolling = [v(rear) + ca.cross(w_rear, p["rR"] * lean @ Z), v(front) + ca.cross(w_front, touch - front)]
        self.g, self.p = p["g"], p
        self.system = System(q, u, T, V, phi=touch[2], psi=ca.vertcat(rolling[0][:2], rolling[1][:2]))

    def start(self, v, roll=0.0, steer=0.0, roll_rate=0.0, steer_rate=0.0):
        """A state that rolls; the pitch that keeps the front wheel on the ground is of second order and left out."""
        q = np.array([0, 0, 0, roll, 0, steer, 0, 0], float)
        u = np.zeros(8)
        u[[3, 5, 6]] = [roll_rate, steer_rate, -v / self.p["rR"]]
        return q, self.system.velocities(q, u, [3, 5, 6])

    def linear(self, v, h=1e-3):
        """d(roll'', steer'')/d(roll, steer, roll', steer') by differences of order six."""
        columns = []
        for i in range(4):

            def f(x):
                values = np.zeros(4)
                values[i] = x
                return self.system.solve(0, *self.start(v, *values))[0][[3, 5]]

            d = lambda k: (f(k * h) - f(-k * h)) / (2 * k * h)
            columns.append((15 * d(1) - 6 * d(2) + d(3)) / 10)
        return np.array(columns).T


@model("whipple-bicycle")
def whipple(name):
    bicycle = Bicycle()
    M, C1, K0, K2 = (np.array(BENCHMARK[k], float) for k in ("M", "C1", "K0", "K2"))
    for v in (0.5, 3, 4.6, 8):
        wanted = -np.linalg.solve(M, np.hstack([9.81 * K0 + v**2 * K2, v * C1]))
        agrees(bicycle.linear(v), wanted, 1e-9)
    q0, u0 = bicycle.start(4.6, roll_rate=0.5)
    q, u = bicycle.q, bicycle.u
    names = ["x", "y", "z", "psi", "phi", "theta", "delta", "spin_R", "spin_F"]
    # The model has y to the left and z up: those components, and turns about them, change sign.
    place = ca.vertcat(bicycle.rear[0], -bicycle.rear[1], -bicycle.rear[2], -q[2], q[3], -q[4], q[5], -q[6], -q[7])
    start, later = of_reduced(bicycle.system, q, u, place, names, q0, u0, [0.5, 1, 2, 5])
    # The ground's forces: rows in order height of the front wheel, rear x, y, front x, y; the rear's weight by Newton.
    a, force = bicycle.system.solve(0, q0, u0)
    acc = ca.SX.sym("a", 8)
    total = 0
    for m, center in bicycle.masses:
        first = ca.jtimes(center, q, u)
        total += m * (ca.jtimes(first, q, u) + ca.jtimes(first, u, acc) - ca.SX([0, 0, bicycle.g]))
    whole = np.array(ca.Function("whole", [q, u, acc], [total])(q0, u0, a)).ravel()
    start["multipliers"] = {
        "rear_contact.0": force[1],
        "rear_contact.1": -force[2],
        "rear_contact.2": -(whole[2] - force[0]),
        "front_contact.0": force[3],
        "front_contact.1": -force[4],
        "front_contact.2": -force[0],
    }
    agrees(whole[0], force[1] + force[3])
    agrees(whole[1], force[2] + force[4])
    source = "J. P. Meijaard, J. M. Papadopoulos, A. Ruina, A. L. Schwab, Proc. R. Soc. A 463 (2007) 1955-1982"
    how = (
        "eight coordinates in the benchmark's axes by Lagrange with multipliers; its linearization about upright riding agrees to 1e-9 "
        "with the published M, C1, K0, K2 at four speeds; vertical forces by Newton"
    )
    return reference(name, "Whipple bicycle", source, how, start, later)
