"""Reports: the same names as ``--json``, attributes, documents and forms for notebooks."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

import dalembert as da

from conftest import sympy


def test_the_classes_are_those_of_the_schema(monkeypatch: pytest.MonkeyPatch) -> None:
    script = Path(__file__).parents[1] / "generate_reports.py"
    monkeypatch.setattr(sys, "argv", [str(script), "--check"])
    with pytest.raises(SystemExit) as done:
        runpy.run_path(str(script), run_name="__main__")
    assert done.value.code == 0, "run python/generate_reports.py"


def test_check_has_the_names_of_the_command(disk: da.Model) -> None:
    report = disk.check()
    assert report.counts.coordinates == 6
    assert report.counts.velocity_freedoms == 3
    assert [row.name for row in report.constraints] == ["contact.0", "contact.1", "contact.2"]
    document = report.dict()
    assert document["counts"]["rank"] == report.counts.rank
    assert document.keys() >= {"title", "coordinates", "speeds", "constraints", "start", "verified"}
    assert "coordinates" in str(report)
    assert report._repr_html_().startswith("<pre>")  # pyright: ignore[reportPrivateUsage]


def test_a_document_is_a_copy(disk: da.Model) -> None:
    report = disk.check()
    report.dict()["counts"]["rank"] = 99
    assert report.dict()["counts"]["rank"] == 3


def test_eval_has_numbers_at_the_start_and_at_states(pendulum: da.Model) -> None:
    report = pendulum.eval()
    import math

    found = report.accelerations["theta"]
    assert found is not None
    assert math.isclose(found, -9.81 * math.sin(0.5), rel_tol=1e-14)
    found = pendulum.eval(state={"theta": "90 deg", "theta'": 1}).accelerations["theta"]
    assert found is not None
    assert math.isclose(found, -9.81, rel_tol=1e-14)


def test_wrenches_and_reasons_are_told_apart() -> None:
    report = da.gallery("four-bar").eval()
    for reaction in report.reactions.values():
        assert reaction.bodies is not None or reaction.undetermined is not None


def test_prove_takes_texts_and_sympy(pendulum: da.Model) -> None:
    assert pendulum.prove("m*l^2*theta'' = u - m*g*l*sin(theta)").equivalent
    wrong = pendulum.prove("m*l^2*theta'' = u + m*g*l*sin(theta)")
    assert wrong.equations[0].verdict == "refuted"
    assert wrong.equations[0].counterexample is not None

    t, m, l, g, u = sympy.symbols("t m l g u")
    theta = sympy.Function("theta")(t)
    equation = sympy.Eq(m * l**2 * theta.diff(t, 2), u - m * g * l * sympy.sin(theta))
    assert pendulum.prove(equation).equivalent


def test_blows_in_symbols() -> None:
    report = da.gallery("caught-rod").derive_impulse("caught")
    assert report.event == "caught"
