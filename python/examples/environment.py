"""A cart and a pole as an environment of Gymnasium."""

import gymnasium
import numpy as np

import dalembert as da

CART = """
dalembert = 1
title = "Cart and pole"
[parameters]
M = "1 kg"
m = "0.1 kg"
l = "0.5 m"
g = "9.81 m/s^2"
[inputs]
u = "0 N"
[coordinates]
x = 0
theta = 0.05
[energy]
kinetic = "(M + m)/2*x'^2 + m*l*x'*theta'*cos(theta) + m*l^2/2*theta'^2"
potential = "m*g*l*cos(theta)"
[force.motor]
generalized = { x = "u" }
"""


class CartAndPole(gymnasium.Env[np.ndarray, np.ndarray]):
    def __init__(self) -> None:
        self.sim = da.read(CART).simulator(rtol=1e-6)
        self.action_space = gymnasium.spaces.Box(-10.0, 10.0, (1,))
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (4,))

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.sim.reset()
        self.sim.set({"theta": self.np_random.uniform(-0.05, 0.05)})
        return self.sim.y.astype(np.float32), {}

    def step(self, action):
        self.sim.step(0.02, inputs={"u": float(action[0])})
        y = self.sim.y
        return y.astype(np.float32), 1.0, bool(abs(y[1]) > 0.2 or abs(y[0]) > 2.4), False, {}


if __name__ == "__main__":
    environment = CartAndPole()
    state, _ = environment.reset(seed=1)
    for count in range(200):
        push = 30 * state[1] + 6 * state[3] + 1 * state[0] + 2 * state[2]
        state, reward, fallen, _, _ = environment.step(np.array([push]))
        assert not fallen, f"fallen after {count} steps"
