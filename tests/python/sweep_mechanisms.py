"""Random mechanisms in the plane, trees and loops of bodies and joints, against a second derivation in joint coordinates.

There a body moves as its parent carries it, by the angles and distances of the joints: velocities and accelerations go out along the
tree, loops are closed by rows with multipliers, and forces in the joints come back from the leaves by Newton and Euler. The
command has coordinates for each body, and a row for each joint.
"""

from collections import Counter
from pathlib import Path

import numpy as np
from sweep import code, dalembert, main


def turned(angle, vector):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([c * vector[0] - s * vector[1], s * vector[0] + c * vector[1]])


def across(vector):
    return np.array([-vector[1], vector[0]])


def cross(a, b):
    return a[0] * b[1] - a[1] * b[0]


class Point:
    """Place and velocity; the acceleration is J q'' + bias."""

    def __init__(self, place, velocity, jacobian, bias):
        self.place, self.velocity, self.jacobian, self.bias = place, velocity, jacobian, bias


class Frame:
    """A body at its mass centre, or the ground."""

    def __init__(self, name, count):
        self.name = name
        self.angle, self.rate, self.turning = 0.0, 0.0, np.zeros(count)
        self.center = Point(np.zeros(2), np.zeros(2), np.zeros((2, count)), np.zeros(2))
        self.mass = self.inertia = 0.0

    def point(self, local):
        arm = turned(self.angle, local)
        center = self.center
        return Point(
            center.place + arm,
            center.velocity + self.rate * across(arm),
            center.jacobian + np.outer(across(arm), self.turning),
            center.bias - self.rate**2 * arm,
        )

    def carry(self, point, local):
        """Puts the point of the body with these coordinates at `point`."""
        arm = turned(self.angle, local)
        self.center = Point(
            point.place - arm,
            point.velocity - self.rate * across(arm),
            point.jacobian - np.outer(across(arm), self.turning),
            point.bias + self.rate**2 * arm,
        )

    def written(self, local):
        """A point as the model file writes it."""
        return f"point({self.name}, [{local[0]!r}, {local[1]!r}, 0])"


def along(frame, point, axis, distance, rate, column):
    """A point on a line of a body, so far from a point of it."""
    line = turned(frame.angle, axis)
    jacobian = point.jacobian + distance * np.outer(across(line), frame.turning)
    jacobian[:, column] += line
    return Point(
        point.place + distance * line,
        point.velocity + rate * line + distance * frame.rate * across(line),
        jacobian,
        point.bias + 2 * rate * frame.rate * across(line) - distance * frame.rate**2 * line,
    )


COORDINATES = {"revolute": 1, "prismatic": 1, "point-on-line": 2, "weld": 0}


class Look:
    def __init__(self, seed, folder):
        self.found, self.tally, self.models = [], Counter(), {}
        self.random = np.random.default_rng(seed)
        self.draw()
        text = self.model()
        self.models["mechanism"] = text
        path = Path(folder) / "mechanism.toml"
        path.write_text(text)
        answer, said = dalembert("eval", path, "--json")
        if answer is None:
            self.found.append(f"refused: {code(said)} {said[:400]}")
            return
        self.compare(answer)

    def vector(self):
        return [float(x) for x in self.random.uniform(-1, 1, 2).round(3)]

    def axis(self):
        angle = self.random.uniform(0, 2 * np.pi)
        return [float(np.cos(angle)), float(np.sin(angle))]

    def draw(self):
        """Which bodies hang on which, and by what; then loops."""
        random = self.random
        self.size = int(random.integers(1, 7))
        kinds = [str(random.choice(["revolute", "revolute", "prismatic", "point-on-line", "weld"])) for _ in range(self.size)]
        if not any(COORDINATES[kind] for kind in kinds):
            kinds[0] = "revolute"
        self.count = sum(COORDINATES[kind] for kind in kinds)
        self.q, self.rates = random.uniform(-2, 2, self.count), random.uniform(-2, 2, self.count)
        self.tree = []
        next_coordinate = 0
        for i, kind in enumerate(kinds):
            joint = {"kind": kind, "parent": int(random.integers(-1, i)), "first": self.vector(), "second": self.vector()}
            joint |= {"axis": self.axis(), "angle": round(float(random.uniform(-2, 2)), 3), "at": next_coordinate}
            joint |= {"mass": round(float(random.uniform(0.2, 3)), 3), "inertia": round(float(random.uniform(0.05, 1)), 3)}
            next_coordinate += COORDINATES[kind]
            self.tree.append(joint)
        self.loops = []
        self.move()
        for _ in range(int(random.integers(0, 4))):
            self.draw_loop()
        if self.loops:
            rows, _ = self.rows()
            self.rates = self.rates - np.linalg.pinv(rows) @ rows @ self.rates
            self.move()
        hinges = [i for i, joint in enumerate(self.tree) if joint["kind"] == "revolute"]
        self.drive = int(random.choice(hinges)) if hinges else None
        self.torque, self.damping = round(float(random.uniform(-3, 3)), 3), round(float(random.uniform(0, 2)), 3)

    def draw_loop(self):
        random = self.random
        if self.size < 2:
            return
        one, two = (int(x) for x in random.choice(self.size, 2, replace=False))
        if random.random() < 0.3:
            one = -1
        loop = {"kind": str(random.choice(["distance", "revolute", "point-on-line"])), "one": one, "two": two}
        loop |= {"first": self.vector(), "axis": self.axis(), "distance": float(random.uniform(0.2, 1))}
        first, second = self.frame(one), self.frame(two)
        place = first.point(loop["first"]).place
        if loop["kind"] == "point-on-line":
            place = place + loop["distance"] * turned(first.angle, loop["axis"])
        back = turned(-second.angle, place - second.center.place)
        loop["second"] = self.vector() if loop["kind"] == "distance" else [float(x) for x in back]
        between = second.point(loop["second"]).place - first.point(loop["first"]).place
        loop["length"] = float(np.hypot(*between))
        if loop["length"] < 0.1 and loop["kind"] == "distance":
            return
        self.loops.append(loop)
        rows, _ = self.rows()
        sizes = np.linalg.svd(rows, compute_uv=False)
        if len(rows) >= self.count or sizes.min() < 1e-2:
            self.loops.pop()

    def frame(self, index):
        return self.ground if index < 0 else self.bodies[index]

    def move(self):
        """Bodies out along the tree."""
        self.ground, self.bodies = Frame("ground", self.count), []
        for i, joint in enumerate(self.tree):
            parent, body = self.frame(joint["parent"]), Frame(f"b{i}", self.count)
            body.mass, body.inertia = joint["mass"], joint["inertia"]
            point, at = parent.point(joint["first"]), joint["at"]
            body.angle, body.rate, body.turning = parent.angle, parent.rate, parent.turning.copy()
            if joint["kind"] in ("prismatic", "point-on-line"):
                point = along(parent, point, joint["axis"], self.q[at], self.rates[at], at)
                at += 1
            if joint["kind"] in ("revolute", "point-on-line"):
                body.angle, body.rate = body.angle + self.q[at], body.rate + self.rates[at]
                body.turning[at] += 1
            else:
                body.angle += joint["angle"]
            body.carry(point, joint["second"])
            self.bodies.append(body)

    def rows(self):
        """A and b of the loops, A q'' = b."""
        rows, right = [np.zeros((0, self.count))], [np.zeros(0)]
        for loop in self.loops:
            frame = self.frame(loop["one"])
            first, second = frame.point(loop["first"]), self.frame(loop["two"]).point(loop["second"])
            apart, speed = second.place - first.place, second.velocity - first.velocity
            jacobian, bias = second.jacobian - first.jacobian, second.bias - first.bias
            if loop["kind"] == "distance":
                way = apart / loop["length"]
                row = way @ jacobian
                bend = (speed @ speed - (way @ speed) ** 2) / loop["length"]
                rows.append(row[None]), right.append(np.array([-(way @ bias) - bend]))
            elif loop["kind"] == "revolute":
                rows.append(jacobian), right.append(-bias)
            else:
                line = turned(frame.angle, loop["axis"])
                normal = across(line)
                row = normal @ jacobian - (line @ apart) * frame.turning
                moved = normal @ bias - 2 * frame.rate * (line @ speed) - frame.rate**2 * (normal @ apart)
                rows.append(row[None]), right.append(np.array([-moved]))
        return np.vstack(rows), np.concatenate(right)

    def given(self):
        """Weight of each body, and the torques of the drive, on body and parent."""
        torques = np.zeros(self.size)
        if self.drive is not None:
            joint = self.tree[self.drive]
            torque = self.torque - self.damping * self.rates[joint["at"]]
            torques[self.drive] += torque
            if joint["parent"] >= 0:
                torques[joint["parent"]] -= torque
        return [np.array([0, -9.81 * body.mass]) for body in self.bodies], torques

    def solved(self):
        weights, torques = self.given()
        mass, force = np.zeros((self.count, self.count)), np.zeros(self.count)
        for body, weight, torque in zip(self.bodies, weights, torques):
            jacobian = body.center.jacobian
            mass += body.mass * jacobian.T @ jacobian + body.inertia * np.outer(body.turning, body.turning)
            force += jacobian.T @ (weight - body.mass * body.center.bias) + body.turning * torque
        rows, right = self.rows()
        zero = np.zeros((len(rows), len(rows)))
        found = np.linalg.solve(np.block([[mass, -rows.T], [rows, zero]]), np.concatenate([force, right]))
        return found[: self.count], found[self.count :]

    def wrenches(self, accelerations, multipliers):
        """Force and moment about the mass centre that each joint has on each body."""
        weights, torques = self.given()
        left = []
        for body, weight, torque in zip(self.bodies, weights, torques):
            force = body.mass * (body.center.jacobian @ accelerations + body.center.bias) - weight
            left.append([force, body.inertia * (body.turning @ accelerations) - torque])
        found, at = {}, 0
        for k, loop in enumerate(self.loops):
            frame, two = self.frame(loop["one"]), self.bodies[loop["two"]]
            place = two.point(loop["second"]).place
            if loop["kind"] == "revolute":
                force = multipliers[at : at + 2]
                at += 2
            else:
                way = place - frame.point(loop["first"]).place
                way = way / loop["length"] if loop["kind"] == "distance" else across(turned(frame.angle, loop["axis"]))
                force = multipliers[at] * way
                at += 1
            for index, push in ((loop["two"], force), (loop["one"], -force)):
                if index >= 0:
                    moment = cross(place - self.bodies[index].center.place, push)
                    found[f"L{k}", f"b{index}"] = (push, moment)
                    left[index] = [left[index][0] - push, left[index][1] - moment]
        for i in reversed(range(self.size)):
            force, moment = left[i]
            parent = self.tree[i]["parent"]
            found[f"J{i}", f"b{i}"] = (force, moment)
            if parent >= 0:
                arm = self.bodies[i].center.place - self.bodies[parent].center.place
                back = (-force, -moment - cross(arm, force))
                found[f"J{i}", f"b{parent}"] = back
                left[parent] = [left[parent][0] - back[0], left[parent][1] - back[1]]
        return found

    def model(self):
        lines = ["dalembert = 1", "planar = true", 'gravity = "[0, -9.81, 0]"']
        for body in self.bodies:
            (x, y), (u, v) = body.center.place.tolist(), body.center.velocity.tolist()
            lines += [f"[body.{body.name}]", f"mass = {body.mass}", f"inertia = [0, 0, {body.inertia}]"]
            start = f'center = "[{x!r}, {y!r}, 0]", attitude = "Rz({float(body.angle)!r})"'
            lines.append(f'start = {{ {start}, velocity = "[{u!r}, {v!r}, 0]", omega = "[0, 0, {float(body.rate)!r}]" }}')
        for i, joint in enumerate(self.tree):
            ends = self.frame(joint["parent"]).written(joint["first"]), self.bodies[i].written(joint["second"])
            lines += [f"[joint.J{i}]", f'type = "{joint["kind"]}"', f'between = ["{ends[0]}", "{ends[1]}"]']
            if joint["kind"] in ("prismatic", "point-on-line"):
                lines.append(f'axis = "[{joint["axis"][0]!r}, {joint["axis"][1]!r}, 0]"')
            if joint["kind"] in ("prismatic", "weld"):
                lines.append(f'angle = {joint["angle"]}')
        for k, loop in enumerate(self.loops):
            ends = self.frame(loop["one"]).written(loop["first"]), self.bodies[loop["two"]].written(loop["second"])
            lines += [f"[joint.L{k}]", f'type = "{loop["kind"]}"', f'between = ["{ends[0]}", "{ends[1]}"]']
            if loop["kind"] == "distance":
                lines.append(f'length = {loop["length"]!r}')
            if loop["kind"] == "point-on-line":
                lines.append(f'axis = "[{loop["axis"][0]!r}, {loop["axis"][1]!r}, 0]"')
        if self.drive is not None:
            name = f"J{self.drive}"
            lines += ["[force.drive]", f'along = "{name}.angle"', f'size = "{self.torque} - {self.damping}*{name}.rate"']
        return "\n".join(lines) + "\n"

    def compare(self, answer):
        accelerations, multipliers = self.solved()
        self.tally["mechanisms"] += 1
        self.tally["loops"] += len(self.loops)
        found = answer["accelerations"]
        for body in self.bodies:
            x, y = body.center.jacobian @ accelerations + body.center.bias
            for member, wanted in (("x", x), ("y", y), ("angle", body.turning @ accelerations)):
                self.close(f"{body.name}.{member}''", found[f"{body.name}.{member}"], wanted)
        for (joint, body), (force, moment) in self.wrenches(accelerations, multipliers).items():
            told = answer["reactions"][joint]["bodies"][body]
            for what, got, wanted in zip(("x", "y", "z"), (*told["force"][:2], told["moment"][2]), (*force, moment)):
                self.close(f"{joint} on {body}, {what}", got, wanted)

    def close(self, what, found, wanted):
        self.tally["numbers"] += 1
        if not abs(found - wanted) <= 1e-8 * max(abs(wanted), 10.0):
            self.found.append(f"{what}: {found}, and not {wanted}")


def look(seed, folder):
    return Look(seed, folder)


if __name__ == "__main__":
    main(look)
