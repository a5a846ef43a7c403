"""Many variants at once."""

from __future__ import annotations

import os
import signal
import threading
import time

import numpy as np
import pytest

import dalembert as da

LENGTHS = np.linspace(0.5, 2.0, 40)


def test_each_variant_is_its_run(pendulum: da.Model) -> None:
    angles = np.linspace(-1.0, 1.0, 40)
    many = pendulum.run_many(parameters={"l": LENGTHS}, start={"theta": angles}, span=2.0, samples=5, rtol=1e-10)
    assert many.success.all()
    assert many.in_lanes == 40
    for index in (0, 7, 39):
        exact = pendulum.set(l=LENGTHS[index], theta=angles[index]).run(span=2.0, samples=5, rtol=1e-12)
        assert np.abs(many.y[index].T - exact.y).max() < 1e-7
    assert np.array_equal(many["theta"], many.y[..., 0])


def test_variants_depend_on_nothing_else(pendulum: da.Model) -> None:
    both = pendulum.run_many(parameters={"l": LENGTHS}, span=2.0, threads=2)
    alone = pendulum.run_many(parameters={"l": LENGTHS}, span=2.0, threads=1)
    assert np.array_equal(both.y, alone.y)
    some = pendulum.run_many(parameters={"l": LENGTHS[13:16]}, span=2.0)
    assert np.array_equal(some.y, both.y[13:16])


def test_constrained_variants_run_one_by_one() -> None:
    model = da.gallery("four-bar")
    torques = np.array([0.0, 0.5, 1.0])
    many = model.run_many(parameters={"M": torques}, span=0.5, samples=3, rtol=1e-10)
    assert many.success.all()
    assert many.in_lanes == 0
    for index, torque in enumerate(torques):
        exact = model.set(M=torque).run(span=0.5, samples=3, rtol=1e-12)
        assert np.abs(many.y[index].T - exact.y).max() < 1e-7
    again = model.run_many(parameters={"M": torques[::-1]}, span=0.5, samples=3, rtol=1e-10, threads=1)
    assert np.array_equal(again.y[::-1], many.y)


def test_failures_say_why(pendulum: da.Model) -> None:
    many = pendulum.run_many(parameters={"m": [1.0, -1.0, 2.0], "l": [1.0, 1.0, float("nan")]}, span=1.0)
    assert list(many.status) == ["done", "refused", "refused"] or list(many.status) == ["done", "error", "refused"]
    assert set(many.reasons) == {1, 2}
    assert np.isnan(many.y[1, -1]).all()
    assert np.isfinite(many.y[0]).all()
    assert many.samples[0] == 2


def test_arrays_are_broadcast(pendulum: da.Model) -> None:
    many = pendulum.run_many(parameters={"l": LENGTHS[:3, None]}, start={"theta'": np.zeros(4)}, span=0.1)
    assert many.y.shape == (3, 4, 2, 2)
    assert many.status.shape == (3, 4)


def test_senseless_batches_are_refused(pendulum: da.Model) -> None:
    with pytest.raises(ValueError, match="nothing differs"):
        pendulum.run_many(span=1.0)
    with pytest.raises(ValueError, match="empty"):
        pendulum.run_many(parameters={"l": []}, span=1.0)
    with pytest.raises(ValueError, match="twice"):
        pendulum.run_many(parameters={"theta": [1]}, start={"theta": [1]}, span=1.0)
    with pytest.raises(da.ModelError, match="no parameter, coordinate, rate or speed"):
        pendulum.run_many(parameters={"length": [1.0]}, span=1.0)


@pytest.mark.parametrize("name", ["double-pendulum", "four-bar"])
def test_control_c_stops_all(name: str) -> None:
    model = da.gallery(name)
    parameter = next(iter(model.parameters))
    values = model.parameters[parameter] * np.linspace(0.9, 1.1, 32)
    thread = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    began = time.monotonic()
    thread.start()
    many = model.run_many({parameter: values}, span=1e5, samples=100_001)
    thread.join()
    assert time.monotonic() - began < 10
    assert set(many.status) == {"interrupted"}
    assert not many.success.any()
    for index, samples in enumerate(many.samples):
        assert np.isfinite(many.y[index, :samples]).all()
        assert np.isnan(many.y[index, samples:]).all()
