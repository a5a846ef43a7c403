"""Splines of tables against SciPy's, and derivatives of conditions against SymPy's."""

import csv
import random
import subprocess

import pytest
from conftest import DALEMBERT
from scipy.interpolate import CubicSpline

MODEL = """
dalembert = 1
[coordinates]
x = "?"
[particle.P]
mass = 2
position = "[x, 0, 0]"
[constraint.motion]
holds = 'x = table("drive.csv", t, kind = "cubic")'
[run]
from = {start!r}
span = {span!r}
samples = 97
record = ["lambda(motion)"]
"""


@pytest.mark.parametrize("count", [2, 3, 4, 5, 40])
def test_a_motion_by_a_table_is_that_of_scipys_spline(count, tmp_path):
    rng = random.Random(count)
    times = [rng.uniform(-2.0, 2.0)]
    for _ in range(count - 1):
        times.append(times[-1] + rng.uniform(0.05, 0.5))
    values = [rng.uniform(-1.0, 1.0) for _ in times]
    rows = "".join(f"{t!r},{v!r}\n" for t, v in zip(times, values, strict=True))
    (tmp_path / "drive.csv").write_text("time [s],place [m]\n" + rows)
    (tmp_path / "model.toml").write_text(MODEL.format(start=times[0], span=times[-1] - times[0]))
    command = [DALEMBERT, "run", "model.toml", "--out", "out.csv"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    spline = CubicSpline(times, values)
    size = max(abs(spline(times, 2))) + 1.0
    with (tmp_path / "out.csv").open() as file:
        table = [{name: float(text) for name, text in row.items()} for row in csv.DictReader(file)]
    assert len(table) > 90
    for row in table:
        t = min(max(row["t"], times[0]), times[-1])
        assert row["x"] == pytest.approx(float(spline(t)), abs=1e-9)
        assert row["x'"] == pytest.approx(float(spline(t, 1)), abs=1e-8 * size)
        # The reaction is m x''.
        assert row["lambda(motion)"] == pytest.approx(2.0 * float(spline(t, 2)), abs=1e-7 * size)
