"""Stepping, and inputs."""

from __future__ import annotations

import os
import signal
import threading
import time

import numpy as np
import pytest

import dalembert as da

from conftest import PENDULUM


def test_steps_are_the_run(pendulum: da.Model) -> None:
    exact = pendulum.run(span=1.0, samples=101, rtol=1e-12)
    sim = pendulum.simulator()
    for _ in range(100):
        sim.step(0.01)
    assert sim.t == pytest.approx(1.0)
    assert np.abs(sim.y - exact.y[:, -1]).max() < 1e-8
    assert sim.state == dict(zip(["theta", "theta'"], sim.y, strict=True))


def test_inputs_are_constant_between_steps(pendulum: da.Model) -> None:
    sim = pendulum.simulator(rtol=1e-11)
    assert sim.inputs == {"u": 0.0}
    sim.step(0.5, inputs={"u": 3.0})
    sim.step(0.5)
    assert sim.inputs == {"u": 3.0}
    sim.step(0.5, inputs={"u": -1.0})
    first = pendulum.set(u=3).run(span=1.0, rtol=1e-12)
    middle = {name: float(first[name][-1]) for name in first.names}
    last = pendulum.set({**middle, "u": -1}).run(span=0.5, rtol=1e-12)
    assert np.abs(sim.y - last.y[:, -1]).max() < 1e-8
    sim.reset()
    assert sim.t == 0
    assert sim.state["theta"] == 0.5


def test_states_are_set_and_meet_the_constraints() -> None:
    sim = da.gallery("four-bar").simulator()
    sim.set({"q1": 1.2})
    state = sim.state
    fresh = da.gallery("four-bar").set(q1=state["q1"]).eval(raw=False)
    for name, value in fresh.coordinates.items():
        assert state[name] == pytest.approx(value, abs=1e-9)
    sim.step(0.01)


def test_a_velocity_follows_its_input() -> None:
    model = da.read(
        'dalembert = 1\n[inputs]\nv = 1\n[coordinates]\nx = 0\ny = 0\n[energy]\nkinetic = "(x\'^2 + y\'^2)/2"\n'
        '[constraint.belt]\nholds = "x\' = v"\n[start]\n"x\'" = 1\n'
    )
    sim = model.simulator()
    sim.step(1.0)
    assert sim.state["x"] == pytest.approx(1.0)
    sim.step(0.5, inputs={"v": -2.0})
    assert sim.state["x"] == pytest.approx(0.0, abs=1e-9)
    assert sim.state["x'"] == pytest.approx(-2.0)


def test_contacts_are_stepped_by_runs() -> None:
    text = (
        'dalembert = 1\ngravity = "[0, -9.81, 0]"\n[coordinates]\nx = 0\ny = 1\n[particle.ball]\nmass = 1\nposition = "[x, y, 0]"\n'
        '[constraint.floor]\nholds = "y >= 0"\nrestitution = 0.5\n[run]\nspan = 1\n'
    )
    model = da.read(text)
    sim = model.simulator()
    for _ in range(10):
        sim.step(0.1)
    assert np.abs(sim.y - model.run(span=1.0).y[:, -1]).max() < 1e-7


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("[run]", '[constraint.arm]\nholds = "theta = u"\n[run]'), "position constraint `arm` uses the input `u`"),
        (('l = "1 m"', 'l = "1 m"\nk = "2*u"'), "parameter `k` uses the input `u`"),
        (("m*l^2*theta'^2/2", "u*l^2*theta'^2/2"), "depends on the input `u`"),
    ],
)
def test_inputs_stand_only_where_their_rates_are_not_needed(change: tuple[str, str], message: str) -> None:
    with pytest.raises(da.ModelError, match=message.replace("`", ".")) as refused:
        da.read(PENDULUM.replace(*change)).check()
    assert refused.value.code == "E0498"


def test_senseless_steps_are_refused(pendulum: da.Model) -> None:
    sim = pendulum.simulator()
    with pytest.raises(da.ModelError, match="a step of 0"):
        sim.step(0.0)
    with pytest.raises(da.ModelError, match="there is no input `w`"):
        sim.step(0.1, inputs={"w": 1.0})
    with pytest.raises(da.ModelError, match="the input `u` is NaN"):
        sim.step(0.1, inputs={"u": float("nan")})
    with pytest.raises(da.ModelError, match="no coordinate, rate, input or parameter"):
        sim.set(phi=1.0)
    assert sim.t == 0
    with pytest.raises(da.ModelError, match="events"):
        da.gallery("caught-rod").simulator()


@pytest.mark.parametrize("name", ["pendulum", "bead-on-rough-hoop"])
def test_control_c_leaves_the_state_before_the_step(name: str) -> None:
    text = da.gallery(name).text
    sim = da.read(text.replace('mu = 0.2', 'mu = 0')).simulator(rtol=1e-12)
    sim.step(0.1)
    before = (sim.t, sim.state)
    thread = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    began = time.monotonic()
    thread.start()
    # The other thread gets its turn, though a step is made without giving the interpreter away.
    with pytest.raises(KeyboardInterrupt):
        sim.step(1e6)
    thread.join()
    assert time.monotonic() - began < 5
    assert (sim.t, sim.state) == before
    sim.step(0.1)
    assert sim.t == pytest.approx(0.2)
