"""Runs: arrays, dense output, reactions, files, progress, and what stops them."""

from __future__ import annotations

import math
import os
import signal
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import dalembert as da

from conftest import EXAMPLES, solve_ivp


def test_arrays_are_views_that_cannot_be_written(pendulum: da.Model) -> None:
    solution = pendulum.run(span=1.0, samples=11)
    assert solution.t.shape == (11,)
    assert solution.y.shape == (2, 11)
    assert solution.names == ["theta", "theta'"]
    assert np.shares_memory(solution["theta"], solution.y)
    assert not solution.y.flags.writeable
    theta = solution["theta"]
    del solution
    assert theta[0] == 0.5


def test_it_is_what_scipy_finds(pendulum: da.Model) -> None:
    solution = pendulum.run(span=2.0, rtol=1e-11)

    def motion(t: float, y: list[float]) -> list[float]:
        return [y[1], -9.81 * math.sin(y[0])]

    peer = solve_ivp(motion, (0, 2), [0.5, 0], rtol=1e-11, atol=1e-12, t_eval=solution.t)
    assert np.abs(solution.y - np.asarray(peer.y)).max() < 1e-9
    assert solution.status == 0
    assert solution.success


@pytest.mark.parametrize("integrator", ["dop853", "dopri5", "radau"])
def test_dense_output_is_the_motion(pendulum: da.Model, integrator: str) -> None:
    solution = pendulum.run(span=2.0, rtol=1e-10, integrator=integrator)
    exact = pendulum.run(span=2.0, rtol=1e-12, samples=3001)
    assert np.abs(solution(exact.t) - exact.y).max() < 1e-7
    assert solution(0.7).shape == (2,)
    assert solution.sol(np.zeros((2, 3))).shape == (2, 2, 3)
    assert np.array_equal(solution(solution.t[0]), solution.y[:, 0])
    with pytest.raises(ValueError, match="not a time of the run"):
        solution(2.5)


def test_dense_output_knows_both_sides_of_a_jump() -> None:
    ball = da.gallery("bouncing-ball")
    solution = ball.run(span=2.0, dense=True)
    hits = next(iter(solution.t_events.values()))
    rate = solution.names.index("y'") if "y'" in solution.names else len(solution.names) // 2
    before, after = solution(hits[0] - 1e-9), solution(hits[0])
    assert before[rate] < 0 < after[rate]


def test_what_was_not_recorded_is_found_when_it_is_asked_for(disk: da.Model) -> None:
    solution = disk.run(span=0.5, samples=6, record=[])
    assert "energy" not in list(solution)
    energy = solution["energy"]
    assert np.ptp(energy) < 1e-8 * abs(energy[0])
    reaction = solution.reaction("contact")
    recorded = disk.run(span=0.5, samples=6, record=["reaction(contact)"])
    assert np.array_equal(recorded["reaction(contact).z"], reaction["z"])
    assert set(reaction.multipliers) == {"lambda(contact.0)", "lambda(contact.1)", "lambda(contact.2)"}
    assert np.allclose(reaction.ideal["z"], reaction["z"], rtol=1e-12)
    with pytest.raises(KeyError):
        solution.reaction("floor")
    with pytest.raises(KeyError, match="there is no column"):
        solution["speed"]


def test_the_ideal_part_is_apart_from_the_rest() -> None:
    wire = da.load(EXAMPLES / "bead-on-wire.toml")
    solution = wire.run(span=0.3, samples=4)
    name = wire.check().constraints[0].name
    reaction = solution.reaction(name)
    state = {key: float(solution[key][2]) for key in solution.names}
    told = wire.eval(float(solution.t[2]), state=state).forces
    for coordinate in reaction.ideal:
        assert reaction.ideal[coordinate][2] == pytest.approx(told.ideal[coordinate + "'"], rel=1e-9)
        assert reaction.nonideal[coordinate][2] == pytest.approx(told.nonideal[coordinate + "'"], rel=1e-9, abs=1e-12)


def test_frames_and_data_sets(pendulum: da.Model) -> None:
    solution = pendulum.run(span=1.0, samples=11, record=["energy"])
    frame = solution.to_pandas()
    assert list(frame.columns) == ["theta", "theta'", "energy"]
    assert frame.attrs["units"]["energy"] == "J"
    data = solution.to_xarray()
    assert data["theta'"].attrs["units"] == "rad/s"
    assert np.array_equal(data["theta"].values, solution["theta"])


def test_files(pendulum: da.Model, tmp_path: Path) -> None:
    solution = pendulum.run(span=1.0, samples=11)
    solution.write(tmp_path / "run.csv")
    head = (tmp_path / "run.csv").read_text().splitlines()[0]
    assert head == "t,theta,theta'"
    with pytest.raises(OSError, match="unknown extension"):
        solution.write(tmp_path / "run.txt")


def test_a_run_that_stops_has_what_it_reached() -> None:
    model = da.read(
        "dalembert = 1\n[coordinates]\nx = 1\n[start]\n\"x'\" = -1\n[energy]\nkinetic = \"x'^2/2\"\npotential = \"-1/x\"\n[run]\nspan = 5\n"
    )
    with pytest.raises(da.RunError) as stopped:
        model.run()
    solution = stopped.value.solution
    assert solution.status == -1
    assert 0 < solution.t[-1] < 1
    assert solution.message == stopped.value.message


def test_until_and_events_end_a_run(pendulum: da.Model) -> None:
    solution = pendulum.run(span=5, until="theta < 0")
    assert solution.status == 1
    assert abs(solution["theta"][-1]) < 1e-9
    assert solution.report.status == "until"


def test_control_c_gives_what_was_reached(pendulum: da.Model) -> None:
    def interrupt() -> None:
        time.sleep(0.3)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    began = time.monotonic()
    solution = pendulum.run(span=1e6, samples=2, max_steps=10**12, rtol=1e-12)
    thread.join()
    assert time.monotonic() - began < 20
    assert solution.report.status == "interrupted"
    assert solution.status == -1
    assert 0 < (solution.report.t_end or 0) < 1e6


def interrupted_after(seconds: float) -> threading.Thread:
    thread = threading.Timer(seconds, lambda: os.kill(os.getpid(), signal.SIGINT))
    thread.start()
    return thread


def test_what_was_stopped_is_found_as_far_as_it_came() -> None:
    model = da.gallery("pendulum")
    thread = interrupted_after(0.3)
    solution = model.run(span=1e6, samples=1_000_001)
    thread.join()
    assert solution.report.status == "interrupted"
    assert 1 < len(solution.t) < 1_000_001
    force = solution["lambda(rod)"]
    assert force.shape == solution.t.shape
    assert solution.reaction("rod")["y"].shape == solution.t.shape
    assert force[3] == pytest.approx(model.run(span=3.0, samples=4)["lambda(rod)"][3], rel=1e-8)
    assert np.abs(solution(solution.t[-1]) - solution.y[:, -1]).max() < 1e-9


def test_control_c_stops_what_is_found_again() -> None:
    solution = da.gallery("pendulum").run(span=5000.0, samples=11)
    thread = interrupted_after(0.1)
    with pytest.raises(KeyboardInterrupt):
        solution["lambda(rod)"]
        time.sleep(5)
    thread.join()
    assert solution["lambda(rod)"].shape == solution.t.shape


def test_others_run_meanwhile(pendulum: da.Model) -> None:
    counted = 0
    done = threading.Event()

    def run() -> None:
        try:
            pendulum.run(span=2000.0, samples=2, rtol=1e-12)
        finally:
            done.set()

    thread = threading.Thread(target=run)
    thread.start()
    while not done.is_set():
        counted += 1
        time.sleep(0.001)
    thread.join()
    assert counted > 3


def test_progress_goes_to_the_terminal_only(pendulum: da.Model, capsys: pytest.CaptureFixture[str]) -> None:
    pendulum.run(span=200.0, samples=2)
    assert capsys.readouterr().err == ""
    pendulum.run(span=5000.0, samples=2, rtol=1e-12, progress=True)
    assert "%|" in capsys.readouterr().err


def test_the_page_is_one_file(pendulum: da.Model, tmp_path: Path) -> None:
    page = pendulum.view(pendulum.run(span=1.0), out=tmp_path / "pendulum.html")
    assert (tmp_path / "pendulum.html").read_text().startswith("<!doctype html>")
    assert page._repr_html_().startswith("<iframe")  # pyright: ignore[reportPrivateUsage]


def test_the_right_hand_side_is_a_function(pendulum: da.Model) -> None:
    f = pendulum.compile()
    assert f(0.0, [0.5], [0.0])[0] == pytest.approx(-9.81 * np.sin(0.5), rel=1e-14)
    angles = np.linspace(-1, 1, 12).reshape(3, 4, 1)
    found = f(0.0, angles, np.zeros_like(angles))
    assert np.allclose(found, -9.81 * np.sin(angles), rtol=1e-13)
    exact = pendulum.run(span=1.0, rtol=1e-12)
    peer = solve_ivp(f.ode, (0, 1), [0.5, 0.0], rtol=1e-10, atol=1e-10)
    assert np.abs(np.asarray(peer.y)[:, -1] - exact.y[:, -1]).max() < 1e-8
    with pytest.raises(ValueError, match="coordinates"):
        f(0.0, [0.5, 1.0], [0.0])
