"""Random mechanisms in space, trees and loops of bodies and joints, against MuJoCo: accelerations of all bodies at a random state.

MuJoCo has the coordinates of the joints, its own recursions for the mass matrix M and the bias c, and Jacobians of points. Loops are closed by rows
J q'' = -J' q' with multipliers, in its numbers: its own loops are soft. The command has coordinates for each body and a row for each joint, or those of
the joints (`coordinates = "relative"`).
"""

from collections import Counter
from pathlib import Path

import mujoco
import numpy as np
from sweep import code, dalembert, main

GRAVITY = np.array([0.3, -0.7, -9.81])
TOLERANCE = 1e-9
KINDS = {"hinge": "revolute", "slide": "prismatic", "ball": "spherical", "weld": "weld"}


def numbers(values):
    return " ".join(repr(float(value)) for value in values)


def vector(values):
    return "[" + ", ".join(repr(float(value)) for value in values) + "]"


def matrix(quaternion):
    """Rows of the rotation matrix of a unit quaternion, scalar first."""
    found = np.zeros(9)
    mujoco.mju_quat2Mat(found, quaternion)
    return found.reshape(3, 3)


def unit(random, count):
    found = random.normal(size=count)
    return found / np.linalg.norm(found)


class Body:
    def __init__(self, random, index, parents, long):
        self.name = f"B{index}"
        # Rather chains than bushes: loops need freedoms.
        self.parent = parents[-1] if random.random() < 0.7 else parents[random.integers(len(parents))]
        self.kind = random.choice(list(KINDS), p=[0.6, 0.3, 0, 0.1] if long else [0.5, 0.2, 0.2, 0.1])
        self.mass = random.uniform(0.5, 3)
        spread = random.normal(size=(3, 3)) * 0.2
        second = self.mass * (spread @ spread.T + 0.01 * np.eye(3))
        self.inertia = np.trace(second) * np.eye(3) - second
        # In the axes of MuJoCo's body: the mass centre, and where the joint is; then how those axes stand in the parent's.
        self.center, self.at = random.normal(size=3) * 0.4, random.normal(size=3) * 0.4
        self.place, self.turn = random.normal(size=3) * 0.6, unit(random, 4)
        self.axis = unit(random, 3)

    def xml(self, bodies):
        inner = "".join(body.xml(bodies) for body in bodies if body.parent is self)
        i = self.inertia
        entries = [i[0, 0], i[1, 1], i[2, 2], i[0, 1], i[0, 2], i[1, 2]]
        joint = "" if self.kind == "weld" else f'<joint name="J{self.name}" type="{self.kind}" pos="{numbers(self.at)}" axis="{numbers(self.axis)}"/>'
        return (
            f'<body name="{self.name}" pos="{numbers(self.place)}" quat="{numbers(self.turn)}">{joint}'
            f'<inertial pos="{numbers(self.center)}" mass="{self.mass!r}" fullinertia="{numbers(entries)}"/>{inner}</body>'
        )

    def toml(self, model, data):
        """The body with its pose and velocity, and its joint."""
        body = model.body(self.name).id
        velocity, quaternion = np.zeros(6), np.zeros(4)
        jacobian = np.zeros((2, 3, model.nv))
        mujoco.mj_jacBodyCom(model, data, jacobian[0], jacobian[1], body)
        velocity = jacobian @ data.qvel
        mujoco.mju_copy(quaternion, data.xquat[body])
        lines = [
            f"[body.{self.name}]\nmass = {self.mass!r}\ninertia = [{', '.join(f'[{numbers(row)}]'.replace(' ', ', ') for row in self.inertia)}]",
            f'start = {{ center = "{vector(data.xipos[body])}", attitude = "quat({vector(quaternion)[1:-1]})", '
            f'velocity = "{vector(velocity[0])}", omega = "{vector(velocity[1])}" }}',
        ]
        mine = f"point({self.name}, {vector(self.at - self.center)})"
        turn = matrix(self.turn)
        where = self.place + turn @ self.at
        theirs = f"point(ground, {vector(where)})" if self.parent is None else f"point({self.parent.name}, {vector(where - self.parent.center)})"
        joint = [f'[joint.J{self.name}]\ntype = "{KINDS[self.kind]}"\nbetween = ["{theirs}", "{mine}"]']
        if self.kind in ("hinge", "slide"):
            joint.append(f'axis = "{vector(turn @ self.axis)}"')
        if self.kind != "ball":
            joint.append(f'attitude = "quat({vector(self.turn)[1:-1]})"')
        return "\n".join(lines + joint) + "\n"


class Loop:
    """A ball between a point of one body and one of another, or of the ground."""

    def __init__(self, random, bodies):
        self.first, self.second = random.choice(len(bodies) + 1, 2, replace=False)
        self.place = random.normal(size=3) * 0.5

    def row(self, model, data, bodies):
        """J and J' q' of the points' difference."""
        total, rate = np.zeros((3, model.nv)), np.zeros((3, model.nv))
        for sign, index in ((1, self.first), (-1, self.second)):
            if index == len(bodies):
                continue
            body = model.body(bodies[index].name).id
            own, moving = np.zeros((3, model.nv)), np.zeros((3, model.nv))
            mujoco.mj_jac(model, data, own, None, self.place, body)
            mujoco.mj_jacDot(model, data, moving, None, self.place, body)
            total += sign * own
            rate += sign * moving
        return total, rate @ data.qvel

    def toml(self, index, model, data, bodies):
        ends = []
        for body in (self.first, self.second):
            if body == len(bodies):
                ends.append(f"point(ground, {vector(self.place)})")
                continue
            name = bodies[body].name
            number = model.body(name).id
            local = data.xmat[number].reshape(3, 3).T @ (self.place - data.xipos[number])
            ends.append(f"point({name}, {vector(local)})")
        return f'[joint.L{index}]\ntype = "spherical"\nbetween = ["{ends[0]}", "{ends[1]}"]\n'


class Look:
    def __init__(self):
        self.found, self.tally, self.models = [], Counter(), {}


def look(seed, folder):
    seen = Look()
    random = np.random.default_rng(seed)
    bodies = []
    # Long trees have the inertia of their bodies left link by link, in coordinates of joints; balls have none, nor have loops.
    long = seed % 5 == 4
    for index in range(random.integers(12, 25) if long else random.integers(1, 7)):
        bodies.append(Body(random, index, [None, *bodies], long))
    inner = "".join(body.xml(bodies) for body in bodies if body.parent is None)
    text = f'<mujoco><option gravity="{numbers(GRAVITY)}"/><compiler boundmass="0" balanceinertia="false"/><worldbody>{inner}</worldbody></mujoco>'
    model = mujoco.MjModel.from_xml_string(text)
    if model.nv == 0:
        return seen
    data = mujoco.MjData(model)
    data.qpos[:] = random.uniform(-1, 1, model.nq)
    mujoco.mj_normalizeQuat(model, data.qpos)
    data.qvel[:] = random.normal(size=model.nv)
    mujoco.mj_forward(model, data)
    loops = [Loop(random, bodies)] if not long and random.random() < 0.7 and model.nv > 3 else []
    jacobian = np.zeros((0, model.nv))
    if loops:
        jacobian = loops[0].row(model, data, bodies)[0]
        if np.linalg.svd(jacobian, compute_uv=False)[-1] < 1e-2:
            loops, jacobian = [], jacobian[:0]
    # Velocities that keep the loops closed.
    data.qvel -= np.linalg.pinv(jacobian) @ (jacobian @ data.qvel)
    mujoco.mj_forward(model, data)
    mass = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, mass)
    force = -data.qfrc_bias
    if loops:
        jacobian, bias = loops[0].row(model, data, bodies)
        whole = np.block([[mass, jacobian.T], [jacobian, np.zeros((3, 3))]])
        accelerations = np.linalg.solve(whole, np.concatenate([force, -bias]))[: model.nv]
    else:
        accelerations = np.linalg.solve(mass, force)
    head = f'dalembert = 1\ngravity = "{vector(GRAVITY)}"\n'
    tables = "".join(body.toml(model, data) for body in bodies)
    tables += "".join(loop.toml(i, model, data, bodies) for i, loop in enumerate(loops))
    seen.models = {"absolute": head + tables, "relative": head + 'coordinates = "relative"\n' + tables}
    seen.tally["mechanisms"] += 1
    seen.tally["long trees"] += int(long)
    seen.tally["loops"] += len(loops)
    for name, text in seen.models.items():
        file = Path(folder) / f"{seed}-{name}.toml"
        file.write_text(text)
        answer, said = dalembert("eval", file, "--json")
        if answer is None:
            seen.found.append(f"{name}: {code(said)} {said[:600]}")
            continue
        pairs = list(compared(model, data, bodies, accelerations, answer))
        size = max(1.0, max(abs(wanted) for _, _, wanted in pairs))
        seen.tally[f"{name} numbers"] += len(pairs)
        wrong = [(what, found, wanted) for what, found, wanted in pairs if not abs(found - wanted) <= TOLERANCE * size]
        seen.found.extend(f"{name}: {what} is {found} and not {wanted}" for what, found, wanted in wrong[:4])
    return seen


def compared(model, data, bodies, accelerations, answer):
    """Accelerations by name: found by the command, and wanted."""
    for body in bodies:
        number = model.body(body.name).id
        if body.kind in ("hinge", "slide"):
            member = "angle" if body.kind == "hinge" else "distance"
            name = f"J{body.name}.{member}"
            if name in answer["accelerations"]:
                place = model.joint(f"J{body.name}").dofadr[0]
                yield name, answer["accelerations"][name], accelerations[place]
        if f"{body.name}.x" not in answer["accelerations"]:
            continue
        jacobians, rates = np.zeros((2, 3, model.nv)), np.zeros((2, 3, model.nv))
        mujoco.mj_jacBodyCom(model, data, jacobians[0], jacobians[1], number)
        mujoco.mj_jacDot(model, data, rates[0], rates[1], data.xipos[number], number)
        linear, angular = jacobians @ accelerations + rates @ data.qvel
        own = data.xmat[number].reshape(3, 3).T @ angular
        for k, axis in enumerate("xyz"):
            yield f"{body.name}.{axis}''", answer["accelerations"][f"{body.name}.{axis}"], linear[k]
            yield f"{body.name}.w{axis}'", answer["speed_rates"][f"{body.name}.w{axis}"], own[k]


if __name__ == "__main__":
    main(look)
