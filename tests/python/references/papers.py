"""The worked examples of the papers."""

import json

import casadi as ca
import numpy as np
from scipy.integrate import solve_ivp
from witness import FOLDER, System, model, of_reduced, of_system, reference, state, symbols

ANGELES = "J. Angeles, Lagrangian Dynamics of Mechanical Systems, UNAM D-43 (1983)"
BLAJER = "W. Blajer, A generalized projection method for the dynamic analysis of constrained mechanical systems (1992), section 6"
PHONG = "Dinh Van Phong, An algorithm for deriving equations of motion of constrained mechanical system, Vietnam J. Mech. 21 (1999) 36-44"
SEEDS = json.loads((FOLDER / "seed_examples.json").read_text())["examples"]


def agrees(found, wanted, tolerance=1e-10):
    """Asserts two lists equal, by their largest entry."""
    found, wanted = np.array(found, float), np.array(wanted, float)
    assert np.abs(found - wanted).max() <= tolerance * max(1, np.abs(wanted).max()), (found, wanted)


def disk(place):
    """A thin disk by its contact point, heading, lean and roll, as a rigid body: (xP, yP, phi, theta, psi)."""
    m, r, g = 2, 0.5, 9.81
    J = m * r**2 / 4
    q, u = symbols(5)
    x, y, phi, theta, psi = ca.vertsplit(q)
    s, c = ca.sin, ca.cos
    xi = ca.vertcat(c(phi), s(phi), 0)
    eta = ca.vertcat(-s(theta) * s(phi), s(theta) * c(phi), c(theta))
    zeta = ca.cross(xi, eta)
    center = ca.vertcat(x, y, 0) + r * eta
    omega = ca.vertcat(0, 0, u[2]) - u[3] * xi + u[4] * zeta
    velocity = ca.jtimes(center, q, u)
    spin = [ca.dot(omega, axis) for axis in (xi, eta, zeta)]
    T = m / 2 * ca.sumsqr(velocity) + J / 2 * (spin[0] ** 2 + spin[1] ** 2 + 2 * spin[2] ** 2)
    rows = (velocity + ca.cross(omega, -r * eta))[:2]
    system = System(q, u, T, m * g * center[2], psi=rows)
    start = [0.1, -0.2, 0.3, 0.4, 0.2]
    rates = system.velocities(start, np.array([0, 0, 0.7, -0.3, 5]), [2, 3, 4])
    seeds = SEEDS["blajer_rolling_disk"]
    a, force = system.solve(0, start, rates)
    agrees(a, [seeds["acceleration"][k] for k in ("xPdd", "yPdd", "phidd", "thetadd", "psidd")])
    agrees(force, seeds["contact_force_inertial"][:2])
    times = [0.5, 1, 2]
    for (x, v), later in zip(system.motion(start, rates, times), seeds["later_states"]):
        agrees(np.concatenate([x, v[2:]]), later["y"])
    names, of = place
    looked = of_reduced(system, q, u, of(q, eta, r), names, start, rates, times)
    return looked, force


@model("blajer-disk")
def blajer(name):
    names = ["xP", "yP", "zP", "phi", "theta", "psi"]
    (start, later), _ = disk((names, lambda q, eta, r: ca.vertcat(q[:2], 0 * q[0], q[2:])))
    start["multipliers"] = dict(zip(["along", "across", "floor"], map(float, SEEDS["blajer_rolling_disk"]["contact_force_inertial"])))
    how = "rigid body by Lagrange with multipliers, the floor built in; agrees to 1e-10 with seed_examples.json, whence the contact force"
    return reference(name, "Rolling disk in Blajer's quasi-velocities", BLAJER, how, start, later)


@model("blajer-disk-contact")
def blajer_contact(name):
    (start, later), force = disk((["xP", "yP", "phi", "theta", "psi"], lambda q, eta, r: q))
    start["multipliers"] = dict(zip(["along", "across"], force))
    how = "rigid body by Lagrange with multipliers; agrees to 1e-10 with seed_examples.json, which was derived and integrated in two other ways"
    return reference(name, "Rolling disk in its contact coordinates", BLAJER, how, start, later)


@model("blajer-disk-reduced")
def blajer_reduced(name):
    names = ["phi", "theta", "psi", "xP", "yP"]
    (start, later), _ = disk((names, lambda q, eta, r: ca.vertcat(q[2:], q[:2])))
    start["multipliers"] = {"along": 0.0, "across": 0.0}
    how = "rigid body by Lagrange with multipliers, no reduction; agrees to 1e-10 with seed_examples.json"
    return reference(name, "Rolling disk by explicit reduction", BLAJER, how, start, later)


@model("angeles-disk")
def angeles_disk(name):
    names = ["theta", "phi", "psi", "x", "y"]
    of = lambda q, eta, r: ca.vertcat(q[3], q[2], q[4], q[:2] + r * eta[:2])
    (start, later), force = disk((names, of))
    start["multipliers"] = dict(zip(["along_x", "along_y"], force))
    theta, (fd, td, pd) = start["coordinates"]["theta"], [start["rates"][k] for k in ("phi", "theta", "psi")]
    f2, t2, p2 = [start["accelerations"][k] for k in ("phi", "theta", "psi")]
    s, c = np.sin(theta), np.cos(theta)
    agrees(5 * t2, 5 * s * c * fd**2 + 6 * c * fd * pd + 4 * 9.81 * s / 0.5)
    agrees(c * f2, -2 * pd * td)
    agrees(3 * s * f2 + 3 * p2, -5 * c * td * fd)
    how = "rigid body by Lagrange with multipliers; the accelerations satisfy the printed (a), (b') and (c)"
    return reference(name, "Angeles' rolling disk", ANGELES + ", examples 2.2.2 and 2.6.1", how, start, later)


@model("angeles-gear-train")
def gear(name):
    a, b, mA, mB, tau = 0.3, 0.1, 2, 0.5, [1.2, -0.4, 0.7]
    # Two coordinates, disk B as a body: its centre a from the axis.
    q, u = symbols(2)
    u3, u4 = a / (2 * b) * (u[1] - u[0]), (u[0] + u[1]) / 2
    T = mA * a**2 / 4 * ca.sumsqr(u) + mB * b**2 / 4 * u3**2 + (mB * a**2 + mB * b**2 / 4) / 2 * u4**2
    system = System(q, u, T, Q=ca.vertcat(tau[0] + tau[2] / 2, tau[1] + tau[2] / 2))
    place = ca.vertcat(q, a / (2 * b) * (q[1] - q[0]), (q[0] + q[1]) / 2)
    names = ["theta1", "theta2", "theta3", "theta4"]
    start, later = of_reduced(system, q, u, place, names, [0, 0], [0, 0], [1, 2])
    alpha = start["accelerations"]
    # The teeth: each disk A by itself, m_A a^2/2 theta'' = tau - a lambda.
    tooth = lambda i: (tau[i] - mA * a**2 / 2 * alpha[names[i]]) / a
    start["multipliers"] = {"upper": tooth(0), "lower": tooth(1)}
    agrees(list(alpha.values()), [14.531068822044880977, -1.2714003137575881591, -23.703703703703703704, 6.6298342541436464088])
    agrees([tooth(0), tooth(1)], [-0.35932064661346429302, -0.95191323920605688561])
    how = "two coordinates by Lagrange, the teeth's forces by Newton on each disk A; agrees with the corrected equations of the paper"
    printed = {"theta1''": 25.131313131313131, "theta2''": -3.3131313131313131}
    return reference(name, "Angeles' differential gear", ANGELES + ", examples 2.2.1 and 2.3.1", how, start, later, printed_wrong=printed)


def bar(name, title, source, tau, wanted):
    m, a, k, g = 1.2, 0.9, 2.5, 9.81
    q, u = symbols(2)
    along = ca.vertcat(-ca.sin(q[1]) * ca.cos(q[0]), -ca.sin(q[1]) * ca.sin(q[0]), -ca.cos(q[1]))
    # Gauss's two points carry a uniform rod exactly.
    points = [a / 2 * (1 - 3**-0.5), a / 2 * (1 + 3**-0.5)]
    T = sum(m / 4 * ca.sumsqr(ca.jtimes(x * along, q, u)) for x in points)
    V = sum(m / 2 * g * x * along[2] for x in points) + k / 2 * q[1] ** 2
    system = System(q, u, T, V, Q=ca.vertcat(tau, 0))
    start, later = of_system(system, ["theta", "phi"], [], [0.2, 0.8], [3, 0.1], [0.5, 1, 2])
    last = later[-1]
    agrees([last["coordinates"]["theta"], last["coordinates"]["phi"], last["rates"]["theta"], last["rates"]["phi"]], wanted)
    how = "a rod of two Gauss points by Lagrange; the later states agree to 1e-10 with a run in 80 bits by other hands"
    return reference(name, title, ANGELES + source, how, start, later)


@model("angeles-bar")
def bar_free(name):
    wanted = [1.0877930120764191636e01, 7.9924224610471716115e-01, 3.0044222551180817550e00, -1.7404592688341167207e-01]
    return bar(name, "Angeles' spring-pivoted bar", ", example 2.4.1", 0, wanted)


@model("angeles-bar-torque")
def bar_driven(name):
    wanted = [1.2205650426692836840e01, 1.1968796256503776203e00, 5.3430824437642160246e00, -5.4181238467263607751e-02]
    return bar(name, "Angeles' bar, driven", ", example 2.5.1", 0.5, wanted)


@model("angeles-axle")
def axle(name):
    m, a, length, u3, u4 = 1, 0.25, 0.6, 4, 5
    turn, speed = a / length * (u4 - u3), a / 2 * (u3 + u4)
    radius = speed / turn
    names = ["q1", "q2", "q3", "q4", "q5"]

    def at(time, *more):
        s, c = np.sin(turn * time), np.cos(turn * time)
        q = [-radius * s, radius * (1 - c), u3 * time, u4 * time, turn * time]
        u = [-speed * c, speed * s, u3, u4, turn]
        a = [speed * turn * s, speed * turn * c, 0, 0, 0]
        return state(names, q, u, *([a] if more else []), **({} if more else {"time": time}))

    start = at(0, True)
    # Sideways 2 m v Omega along q2, by the row 2 q2' - ... = 0.
    start["multipliers"] = {"along_1": 0.0, "along_2": 2 * m * speed * turn / 2, "yaw": 0.0}
    how = f"closed form: a circle of radius l/2 (q3' + q4')/(q4' - q3') = {radius:.12g} m"
    return reference(name, "Angeles' two-wheel axle", ANGELES + ", example 2.6.2", how, start, [at(1), at(2)])


@model("angeles-manipulator")
def manipulator(name):
    lengths, masses, g, tau = [0.5, 0.4, 0.2], [1.5, 1, 0.4], 9.81, 6
    q, u = symbols(3)
    angle, points, end = 0, [], ca.SX(2, 1)
    for i, length in enumerate(lengths):
        angle = angle + q[i]
        end = end + length * ca.vertcat(ca.cos(angle), ca.sin(angle))
        points.append(end)
    T = sum(m / 2 * ca.sumsqr(ca.jtimes(p, q, u)) for m, p in zip(masses, points))
    V = sum(m * g * p[1] for m, p in zip(masses, points))
    system = System(q, u, T, V, Q=ca.vertcat(tau, 0, 0))
    names = ["x_B", "y_B", "x_C", "y_C", "theta1", "theta2", "theta3"]
    place = ca.vertcat(points[0], points[1], q)
    start, later = of_reduced(system, q, u, place, names, np.radians([40, -70, 30]), [1, -0.5, 2], [0.25, 0.5, 1])
    # The links' pull by Newton: on C and D together, then on B.
    a = start["accelerations"]
    first = ca.jtimes(points[2], q, u)
    acc = ca.SX.sym("a", 3)
    see = ca.Function("see", [q, u, acc], [ca.jtimes(first, q, u) + ca.jtimes(first, u, acc)])
    angles = [start["coordinates"][k] for k in names[4:]]
    aD = np.array(see(angles, [1, -0.5, 2], [a[k] for k in names[4:]])).ravel()
    aB, aC = np.array([a["x_B"], a["y_B"]]), np.array([a["x_C"], a["y_C"]])
    down = np.array([0, g])
    second = masses[1] * (aC + down) + masses[2] * (aD + down)
    first = masses[0] * (aB + down) + second
    start["multipliers"] = {"link1_x": first[0], "link1_y": first[1], "link2_x": second[0], "link2_y": second[1]}
    how = "three angles by Lagrange; the links' forces by Newton on the particles"
    return reference(name, "Angeles' three-link manipulator", ANGELES + ", section 1.5 (masses and numbers of this project)", how, start, later)


@model("appell-hamel")
def appell_hamel(name):
    alpha, a0, given = 0.3, 0.1, np.array([0.5, 0.2, -1])
    seeds = SEEDS["uk2002_appell_hamel_nonideal"]

    def motion(time, x, v):
        """Eq. (42) for unit mass: tangential part of the given and the resisting force, and b along the row."""
        A = np.array([v[0], v[1], -v[2]])
        gradient = np.array([2 * x[0], x[2], x[1]])
        b = alpha * (gradient @ v - np.sin(time))
        C = -a0 * np.linalg.norm(v) * v
        return given + C + A * (b - A @ (given + C)) / (A @ A), (b - A @ (given + C)) / (A @ A)

    x0, v0 = np.array(seeds["state0"]["pos"], float), np.array(seeds["state0"]["vel"], float)
    a, multiplier = motion(0, x0, v0)
    agrees(a, seeds["acceleration"], 1e-14)
    times = [later["t"] for later in seeds["later_states"]]
    f = lambda time, y: np.concatenate([y[3:], motion(time, y[:3], y[3:])[0]])
    run = solve_ivp(f, (0, times[-1]), np.concatenate([x0, v0]), "DOP853", times, rtol=2.3e-14, atol=1e-16)
    names = ["x", "y", "z"]
    for y, wanted in zip(run.y.T, seeds["later_states"]):
        agrees(y, wanted["y"], 1e-12)
    # The model's row is twice A.
    start = state(names, x0, v0, a, {"cone": multiplier / 2})
    later = [state(names, y[:3], y[3:], time=at) for at, y in zip(times, run.y.T)]
    source = "F. E. Udwadia, R. E. Kalaba, On the foundations of analytical dynamics, Int. J. Non-Linear Mech. 37 (2002) 1079-1090, eqs (39')-(42)"
    return reference(name, "Appell-Hamel particle, non-ideal", source, "the paper's (42) for one particle; agrees to 1e-12 with seed_examples.json", start, later)


@model("ukf-line")
def ukf_line(name):
    k, g = 2, 9.81
    a = (-g * k + 1 + 2 * k) / (k * k + 1)

    def at(time, *more):
        x, v = 0.3 + time + a * time**2 / 2, 1 + a * time
        return state(["x1", "x2"], [x, k * x], [v, k * v], *more, **({} if more else {"time": time}))

    start = at(0, [a, k * a], {"line": -g / (k * k + 1)})
    agrees(a, SEEDS["ukf2005_particle_on_line"]["acceleration"][0], 1e-14)
    source = "F. E. Udwadia, R. E. Kalaba, H.-C. Fan, Is analytical dynamics a theoretical or an experimental science?, Nonlinear Analysis 63 (2005) 692-698, eqs (22)-(32)"
    return reference(name, "Particle on a line, non-ideal", source, "closed form: constant acceleration (28)-(32)", start, [at(0.5), at(1)])


@model("phong-disk")
def phong_disk(name):
    m, r, J, g = 3, 0.4, 0.24, 9.81
    mass = m + J / r**2

    def at(time, *more):
        s = 0.1 - 0.2 * time + (time**2 / 2 + 2 / 3 * time - 2 / 9 * np.sin(3 * time)) / mass
        v = -0.2 + (time + 2 / 3 * (1 - np.cos(3 * time))) / mass
        return state(["s", "u", "phi"], [s, r, -s / r], [v, 0, -v / r], *more, **({} if more else {"time": time}))

    a = 1 / mass
    start = at(0, [a, 0, -a / r], {"support": m * g, "rolling": m * a - 1})
    source = PHONG + ", example 1"
    return reference(name, "Disk rolling along a line", source, "closed form of s'' = f(t)/(m + J/r^2)", start, [at(1), at(2)])


@model("phong-pendulum")
def phong_pendulum(name):
    m, length, J, g = 1.5, 0.8, 0.05, 9.81
    q, u = symbols(1)
    place = length * ca.vertcat(ca.sin(q), -ca.cos(q))
    system = System(q, u, (J + m * length**2) / 2 * u**2, m * g * place[1])
    start, later = of_reduced(system, q, u, ca.vertcat(place, q), ["x", "y", "phi"], [1], [0.5], [1, 2, 5])
    a = start["accelerations"]
    start["multipliers"] = {"across": m * a["x"], "along": m * (a["y"] + g)}
    agrees(list(start["multipliers"].values()), SEEDS["phong_ex2_pendulum"]["lambdas"], 1e-12)
    source = PHONG + ", example 2"
    return reference(name, "Physical pendulum", source, "eq. (3.16) for one angle; the bearing's force by Newton", start, later)


@model("pendulum-iftomm-a01")
def iftomm_a01(name):
    series = json.loads((FOLDER / "iftomm_a01.json").read_text())["series"]
    at = {float(row[0]): [float(x) for x in row[1:]] for row in series}
    start = state(["x", "y"], [-1, 0], [0, 0], [0, -9.81], {"bar": 0.0})
    later = [state(["x", "y"], at[x][:2], at[x][2:], time=x) for x in (1.0, 5.0, 10.0)]
    source = "IFToMM library of computational benchmark problems, A01"
    how = "closed form: phi = -2 asin(sn(K(1/2) + sqrt(g/l) t | 1/2)/sqrt(2)), to 18 digits"
    return reference(name, "IFToMM A01, simple pendulum", source, how, start, later, {"start": 1e-10, "later": 1e-8})
