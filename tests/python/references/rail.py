"""The wheelset of the test set for IVP solvers, component by component as it is printed there (II-22)."""

import casadi as ca
import numpy as np
from papers import agrees
from scipy.integrate import solve_ivp
from witness import model, reference, state

M, G, V, I1, I2, CX, CZ, XL = 16.08, 9.81, 30.0, 0.0605, 0.366, 6400.0, 6400.0, 0.19
DELTA, RHO0, A0, RHO1, MU, SHEAR, SIGMA = 0.0262, 0.1, 0.1506, 0.06, 0.12, 7.92e10, 0.28
C11, C22, C23, RATIO, ELLIPTIC = 4.72772197, 4.27526987, 1.97203505, 0.7115218, 1.3537956
OMEGA, TAN = V / RHO0, np.tan(DELTA)


def side(p, v, beta, psi, xi, lam, sign):
    """Rows, creep force and its moments about the axes of the axle of the wheel at xi > 0 (sign 1) or xi < 0."""
    x, y, _, th, ph = (p[i] for i in range(5))
    dx, dy, dz, dth, dph = (v[i] for i in range(5))
    st, ct, sp, cp, ss, cs = ca.sin(th), ca.cos(th), ca.sin(ph), ca.cos(ph), ca.sin(psi), ca.cos(psi)
    R, dR = RHO0 + TAN * (A0 - sign * xi), -sign * TAN
    place = x + xi * ct * cp + R * (ct * sp * cs - st * ss)
    off = sign * place - A0 - RHO1 * np.sin(DELTA)
    depth = ca.sqrt(RHO1**2 - off**2)
    rail, slope = depth - RHO0 - RHO1 * np.cos(DELTA), -sign * off / depth
    touch = rail - y - xi * sp + R * cp * cs
    normals = [slope * (dR * sp + cp * cs) + dR * ct * cp - ct * sp * cs + st * ss, dR * st * cp - st * sp * cs - ct * ss]
    # Of the contact plane; N from the multiplier of a row with the gradient (slope, -1).
    D = ca.atan(slope)
    N = -lam * ca.sqrt(1 + slope**2)
    sD, cD, sT, cT, spin = ca.sin(D), ca.cos(D), ca.sin(th / ca.cos(D)), ca.cos(th / ca.cos(D)), OMEGA + beta
    v1 = dx - dth * (R * (sT * sp * cs + cT * ss) + xi * sT * cp) - dph * cT * (xi * sp - R * cp * cs) - spin * R * (sT * cs + sp * cT * ss)
    v2 = dy + dph * (xi * cp + R * sp * cs) + spin * R * cp * ss
    v3 = dz + V - dth * (xi * cT * cp + R * (cT * sp * cs - sT * ss)) + dph * sT * (xi * sp - R * cp * cs) + spin * R * (sT * sp * ss - cT * cs)
    roll = ca.sqrt((v1 - 2 * dx) ** 2 + (v2 - 2 * dy) ** 2 + (v3 - 2 * dz - 2 * V) ** 2) / 2
    nu1, nu2 = (sT * v1 + cT * v3) / roll, (cT * cD * v1 + sD * v2 - sT * cD * v3) / roll
    phi3 = (-sD * spin + cD * dth) / roll
    curvature = 1 / (2 * R * np.sqrt(1 + TAN**2)) + 1 / (2 * RHO1)
    c = (3 * N * (1 - SIGMA) * ELLIPTIC / (2 * np.pi * curvature * SHEAR * np.sqrt(RATIO))) ** (1 / 3)
    T1 = -MU * N * ca.tanh(SHEAR * C11 * c**2 * nu1 / (MU * N))
    T2 = -MU * N * ca.tanh(SHEAR * (C22 * c**2 * nu2 + C23 * c**3 * phi3) / (MU * N))
    size = ca.sqrt(T1**2 + T2**2)
    cut = ca.if_else(size > MU * N, MU * N / size, 1)
    T1, T2 = cut * T1, cut * T2
    F1, F2, F3 = sT * T1 + cT * cD * T2, sD * T2, cT * T1 - sT * cD * T2
    yaw = -(xi * st + R * ss * ct * cp) * F1 - R * ss * sp * F2 + (-xi * ct + R * ss * st * cp) * F3
    roll = -(xi * ct * sp - R * cs * ct * cp) * F1 + (xi * cp + R * cs * sp) * F2 + (xi * st * sp - R * cs * st * cp) * F3
    pitch = -R * (cs * st + ss * ct * sp) * F1 + R * ss * cp * F2 - R * (cs * ct - ss * st * sp) * F3
    return touch, normals, ca.vertcat(F1, F2, F3, yaw, roll, pitch)


class Wheelset:
    """y = (p, v, beta); q = (psi, xi) left and right from the normals, the multipliers from the rows differentiated twice."""

    def __init__(self):
        p, v, beta, q, lam = (ca.SX.sym(name, n) for name, n in [("p", 5), ("v", 5), ("beta", 1), ("q", 4), ("lam", 2)])
        left, right = side(p, v, beta, q[0], q[1], lam[0], 1), side(p, v, beta, q[2], q[3], lam[1], -1)
        g1, g2 = ca.vertcat(left[0], right[0]), ca.vertcat(*left[1], *right[1])
        J, force, yaw = ca.jacobian(g1, p), left[2] + right[2], -2 * CZ * XL**2 * p[3]
        held, sp, cp = ca.mtimes(J.T, lam), ca.sin(p[4]), ca.cos(p[4])
        dth, dph, spin = v[3], v[4], OMEGA + beta
        a = [(force[0] - 2 * CX * p[0] + held[0]) / M, (force[1] + held[1]) / M - G, (force[2] - 2 * CZ * p[2] + held[2]) / M]
        # The moment of the normal forces has no part about the axle: held[3] is its part across it times cos(phi).
        turn = I2 * dth * dph * sp - I1 * spin * dph - (I1 - I2) * dth * dph * sp + force[3] + cp * yaw + held[3] / cp
        lean = I1 * spin * dth * cp + (I1 - I2) * dth**2 * sp * cp + force[4] + held[4]
        a += [turn / (I2 * cp), lean / I2]
        dbeta = (-I1 * dth * dph * cp + force[5] + sp * yaw) / I1 - a[3] * sp
        a = ca.vertcat(*a)
        dq = -ca.solve(ca.jacobian(g2, q), ca.mtimes(ca.jacobian(g2, p), v))
        first = ca.mtimes(J, v)
        row = ca.mtimes(J, a) + ca.jtimes(first, p, v) + ca.jtimes(first, q, dq)
        self.contact = ca.Function("contact", [p, q], [g1, g2, ca.jacobian(g2, q)])
        self.motion = ca.Function("motion", [p, v, beta, q, lam], [a, dbeta, dq, row, ca.jacobian(row, lam)])
        both, unknown = ca.vertcat(g1, g2), ca.vertcat(p[1], p[4], q)
        self.assembly = ca.Function("assembly", [p, q], [both, ca.jacobian(both, unknown)])
        self.q, self.lam = None, np.array([-80.0, -80.0])

    def start(self, p, q):
        """y, phi and the contact points, so that the wheels touch."""
        for _ in range(20):
            value, slope = (np.array(x) for x in self.assembly(p, q))
            step = np.linalg.solve(slope, value.ravel())
            p[[1, 4]] -= step[:2]
            q -= step[2:]
        self.q = q
        return p

    def solve(self, y):
        """Accelerations with beta', the rates of q, q and the multipliers."""
        p, v, beta = y[:5], y[5:10], y[10]
        for _ in range(20):
            _, value, slope = (np.array(x) for x in self.contact(p, self.q))
            step = np.linalg.solve(slope, value.ravel())
            self.q = self.q - step
            if np.abs(step).max() < 1e-15:
                break
        for _ in range(50):
            a, dbeta, dq, row, slope = (np.array(x) for x in self.motion(p, v, beta, self.q, self.lam))
            step = np.linalg.solve(slope, row.ravel())
            self.lam = self.lam - step
            if np.abs(step).max() < 1e-11:
                break
        return np.append(a.ravel(), dbeta), dq.ravel(), self.q, self.lam

    def rate(self, _, y):
        a = self.solve(y)[0]
        return np.concatenate([y[5:10], a])


@model("wheelset-ivp")
def wheelset_ivp(name):
    wheelset = Wheelset()
    p = np.array([1.4941e-3, 4.0089e-7, 1.1241e-6, -2.8573e-4, 2.6459e-4])
    q = np.array([7.563440639517294e-6, 0.1490635714733819, -7.4122380357667139e-6, -0.1521364296121248])
    y = np.concatenate([wheelset.start(p, q), np.zeros(6)])
    # Without chi, whose hundreds would hide all else.
    names = ["x", "y", "z", "theta", "phi", "psi_l", "xi_l", "psi_r", "xi_r"]
    place = lambda y, q, dq: (np.concatenate([y[:5], q]), np.concatenate([y[5:10], dq]))
    a, dq, q, lam = wheelset.solve(y)
    # Published with multipliers rounded to five digits.
    agrees(a, [-1.975258894011285, -1.0898297102811276e-3, 7.8855083626142589e-2, -5.533362821731549, -0.3487021489546511, -2.132968724380927], 3e-3)
    agrees(lam, [-83.593, -74.144], 1e-4)
    start = state(names, *place(y, q, dq), a[:5], {"left": -lam[0], "right": -lam[1]})
    times = [0.25, 1, 10]
    run = solve_ivp(wheelset.rate, (0, times[-1]), y, "DOP853", times, rtol=1e-12, atol=1e-15)
    later = []
    for at, y in zip(times, run.y.T):
        _, dq, q, lam = wheelset.solve(y)
        later.append(state(names, *place(y, q, dq), time=at))
    published = {
        "x": 0.86355386965811e-2, "y": 0.13038281022727e-4, "z": -0.93635784016818e-4, "theta": -0.13642299804033e-1, "phi": 0.15292895005422e-2,
        "x'": -0.76985374142666e-1, "y'": -0.25151106429207e-3, "z'": 0.20541188079539e-2, "theta'": -0.23904837703692, "phi'": -0.13633468454173e-1,
        "beta": -0.24421377661131, "psi_l": 0.37839614386969e-3, "xi_l": 0.14173214964613, "psi_r": -0.33666751972196e-3, "xi_r": -0.15949425684022,
        "lambda(left)": 0.10124044903201e3, "lambda(right)": 0.56285630573753e2,
    }  # fmt: skip
    values = list(published.values())
    agrees(y[:5], values[:5], 1e-5)
    agrees(y[5:11], values[5:11], 1e-5)
    agrees(q, values[11:15], 1e-5)
    agrees(-lam, values[15:], 1e-5)
    end = later.pop()
    source = "B. Simeon, C. Führer, P. Rentrop, Surv. Math. Ind. 1 (1991); F. Mazzia, C. Magherini, Test Set for IVP Solvers 2.4, II-22 and its program wheel.f"
    how = "the printed equations component by component, contact points and multipliers by Newton's method; the published state at t = 10, DASSL's, is met to 6e-6"
    return reference(name, "Wheelset of the IVP test set", source, how, start, later, {"start": 1e-10, "later": 1e-9}, end=end, published=published)
