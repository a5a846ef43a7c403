"""What is refused has a name, a place and a cure."""

from __future__ import annotations

from pathlib import Path

import pytest

import dalembert as da


def test_mistakes_have_places(tmp_path: Path) -> None:
    path = tmp_path / "broken.toml"
    path.write_text('dalembert = 1\n[coordinates]\nx = 0\n[energy]\nkinetic = "x\'^2/2"\npotential = "k*x^2"\n')
    with pytest.raises(da.ModelError) as refused:
        da.load(path).check()
    error = refused.value
    assert (error.line, error.column) == (6, 14)
    assert error.file is not None
    assert error.file.endswith("broken.toml")
    assert error.code is not None
    assert error.code.startswith("E0")
    assert "`k`" in error.message
    assert error.code in str(error)
    assert da.explain(error.code)


def test_all_mistakes_are_told_at_once() -> None:
    with pytest.raises(da.ModelError) as refused:
        da.read('dalembert = 1\n[coordinate]\nx = 0\n[energy]\nkinetik = "1"\n')
    assert len(refused.value.diagnostics) >= 2


def test_contradictory_constraints_have_a_name_of_their_own() -> None:
    text = 'dalembert = 1\n[coordinates]\nx = 0\n[energy]\nkinetic = "x\'^2/2"\n[constraint.one]\nholds = "x = 1"\n[constraint.two]\nholds = "x = 2"\n'
    with pytest.raises(da.ContradictoryConstraints):
        da.read(text).check()
    with pytest.raises(da.StartError):
        da.read(text).check()


def test_values_are_set_by_name(pendulum: da.Model) -> None:
    assert pendulum.set(l="2 m").parameters["l"] == 2
    assert pendulum.set({"theta'": 1}).eval().rates["theta"] == 1
    with pytest.raises(da.ModelError, match="no parameter"):
        pendulum.set(mass=1)
    with pytest.raises(da.ModelError):
        pendulum.set(m=-1).check()


def test_senseless_options_are_refused(pendulum: da.Model) -> None:
    with pytest.raises(ValueError, match="auto, dop853, dopri5 and radau"):
        pendulum.run(integrator="euler")
    with pytest.raises(ValueError, match="formulation"):
        pendulum.run(formulation="newton")
    with pytest.raises(ValueError, match="give a list"):
        pendulum.run(record="energy")
    with pytest.raises(da.ModelError):
        pendulum.run(record=["speed of light"])
    with pytest.raises(da.ModelError):
        pendulum.run(span=-1)


def test_a_missing_file_is_told() -> None:
    with pytest.raises(da.ModelError, match="cannot read"):
        da.load("nowhere.toml")
    with pytest.raises(da.ModelError, match="rolling-disk"):
        da.gallery("roling-disk")
