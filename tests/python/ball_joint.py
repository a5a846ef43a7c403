"""Prints the numbers of `a_ball_joint_and_a_plane_agree_with_a_second_derivation` (crates/dalembert-mechanics, reactions.rs).

A body on a ball joint whose tip slides on a plane: pivot force and plane force, by Lagrange in three angles.

The ball joint is built into the coordinates, the plane has a multiplier; the pivot force then follows from
Newton's law of the mass centre. Nothing is shared with the program: the rotation matrix is a product of elementary
ones, the angular velocity comes from R' R^T.
"""
import casadi as ca
import numpy as np

m, g = 1.7, 9.81
I = np.array([[0.9, 0.1, -0.05], [0.1, 1.1, 0.2], [-0.05, 0.2, 0.6]])
p = np.array([0.1, -0.2, -0.7])   # pivot, from the mass centre, body axes
s = np.array([0.3, 0.4, 0.5])     # the point that slides, body axes

q, v = ca.SX.sym("q", 3), ca.SX.sym("v", 3)
def rx(a): return ca.vertcat(ca.horzcat(1, 0, 0), ca.horzcat(0, ca.cos(a), -ca.sin(a)), ca.horzcat(0, ca.sin(a), ca.cos(a)))
def ry(a): return ca.vertcat(ca.horzcat(ca.cos(a), 0, ca.sin(a)), ca.horzcat(0, 1, 0), ca.horzcat(-ca.sin(a), 0, ca.cos(a)))
def rz(a): return ca.vertcat(ca.horzcat(ca.cos(a), -ca.sin(a), 0), ca.horzcat(ca.sin(a), ca.cos(a), 0), ca.horzcat(0, 0, 1))
R = rz(q[0]) @ rx(q[1]) @ ry(q[2])
dR = ca.jtimes(ca.vec(R), q, v).reshape((3, 3))
W = R.T @ dR                      # body axes
w = ca.vertcat(W[2, 1], W[0, 2], W[1, 0])
c = -R @ p                        # pivot at the origin
vc = ca.jtimes(c, q, v)
T = m / 2 * ca.dot(vc, vc) + ca.dot(w, ca.mtimes(I, w)) / 2
V = m * g * c[2]
phi = (c + R @ s)[0] - 0.1        # the point stays at x = 0.1
L = T - V
Lv = ca.gradient(L, v)
M = ca.jacobian(Lv, v)
h = ca.gradient(L, q) - ca.jtimes(Lv, q, v)
A = ca.jacobian(phi, q)
b = -ca.jtimes(ca.jtimes(phi, q, v), q, v)
K = ca.vertcat(ca.horzcat(M, -A.T), ca.horzcat(A, 0))
x = ca.solve(K, ca.vertcat(h, b))
a, mu = x[:3], x[3]
ac = ca.jtimes(vc, q, v) + ca.jacobian(vc, v) @ a
F = m * ac + ca.vertcat(0, 0, m * g) - ca.vertcat(mu, 0, 0)
f = ca.Function("f", [q, v], [a, mu, F, phi, ca.jtimes(phi, q, v), c, vc])
# A state on the plane: solve phi = 0 for the second angle, and the rate for it.
q0 = np.array([0.4, 0.0, -0.3])
find = lambda th: float(f(np.array([q0[0], th, q0[2]]), np.zeros(3))[3])
th = np.linspace(-1.5, 1.5, 301)
vals = [find(t) for t in th]
k = next(i for i in range(300) if vals[i] * vals[i + 1] < 0)
lo, hi = th[k], th[k + 1]
for _ in range(200):
    mid = (lo + hi) / 2
    lo, hi = (mid, hi) if find(mid) * find(lo) > 0 else (lo, mid)
q0[1] = mid
A0 = np.array(ca.Function("A", [q], [A])(q0)).ravel()
v0 = np.array([1.2, 0.0, 0.8]); v0[1] = -(A0[0] * v0[0] + A0[2] * v0[2]) / A0[1]
out = f(q0, v0)
np.set_printoptions(precision=17)
print("angles", q0.tolist()); print("rates", v0.tolist())
for name, value in zip(["a", "mu", "F", "phi", "phi'", "c", "vc"], out): print(name, np.array(value).ravel().tolist())
