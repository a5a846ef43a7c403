"""Values of other libraries, and models and solutions as values of Python."""

from __future__ import annotations

import copy
import math
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dalembert as da
from dalembert.symbols import cos, expression, from_sympy, sin, to_sympy

from conftest import sympy


def test_numbers_of_numpy_are_numbers(pendulum: da.Model) -> None:
    samples: Any = np.int64(11)
    rtol: Any = np.float32(1e-6)
    solution = pendulum.run(span=np.float64(1.0), samples=samples, rtol=rtol, max_step=np.float64(0.1))
    assert solution.t.shape == (11,)
    assert pendulum.set(l=np.float32(0.5), m=np.int64(3)).parameters == {"m": 3.0, "l": 0.5, "g": 9.81, "u": 0.0}
    m = da.Model("Numbers")
    x = m.coordinate("x", np.int64(1))
    m.particle("P", np.float64(2.0), np.array([1.5, 0.0, 0.0]) * 2 + 0)
    m.constraint("c", da.Eq(x * np.int64(2), np.float64(2.0)))
    m.run_settings(span=np.float64(1.0), samples=np.int64(5), record=np.array(["energy"]))
    m.table("draw", "line", line=[np.zeros(3), [x, 0, 0]])
    assert "np." not in m.text
    assert "samples = 5\n" in m.text
    assert 'position = "[3.0, 0.0, 0.0]"' in m.text
    assert str(np.float64(2.0) * x) == "2.0*x"


def test_numbers_are_finite_and_arguments_are_named(pendulum: da.Model) -> None:
    with pytest.raises(ValueError, match="span: nan is no number"):
        pendulum.run(span=math.nan)
    with pytest.raises(ValueError, match="l: inf is no number"):
        pendulum.set(l=math.inf)
    with pytest.raises(TypeError, match="max_step: True"):
        pendulum.run(max_step=True)
    with pytest.raises(TypeError, match=r"span: \(0, 1\)"):
        pendulum.run(span=(0, 1))  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    with pytest.raises(da.ModelError, match="the time is NaN"):
        pendulum.eval(at=math.nan)
    with pytest.raises(ValueError, match="threads"):
        pendulum.run_many({"l": [1.0]}, threads=-1)


def test_vectors_have_two_or_three_components() -> None:
    m = da.Model("Vectors")
    m.particle("P", 1, sympy.Matrix([1, sympy.Symbol("x"), sympy.Rational(1, 3)]))
    assert 'position = "[1, x, 1/3]"' in m.text
    with pytest.raises(ValueError, match="has 4"):
        m.particle("Q", 1, [1, 2, 3, 4])
    with pytest.raises(TypeError, match=r"Eq\(left, right\)"):
        m.constraint("c", da.Symbol("x") ** 2 == 4)  # pyright: ignore[reportUnnecessaryComparison]


def test_sympy_knows_what_moves() -> None:
    theta, link = da.Coordinate("theta"), da.Body("link").coordinate("x")
    time = sympy.Symbol("t", real=True)
    assert cos(theta).to_sympy() == sympy.cos(sympy.Function("theta", real=True)(time))
    assert (2 * link).to_sympy() == 2 * sympy.Function("link.x", real=True)(time)
    assert sympy.sin(theta).diff(time) == (cos(theta) * theta.dot).to_sympy()
    assert str(expression(sympy.Symbol("a") * theta.dot + sympy.Rational(1, 2))) == "a*theta' + 1/2"
    assert str(sin(theta) + sympy.Symbol("a")) == "sin(theta) + a"
    assert to_sympy("1e-3*x + 2.5e+4") == sympy.Symbol("x", real=True) / 1000 + 25000
    assert abs(theta).to_sympy() == sympy.Abs(sympy.Function("theta", real=True)(time))


def test_what_comes_from_sympy_keeps_its_digits() -> None:
    third = 1 / 3
    assert float(from_sympy(sympy.Float(third))) == third
    assert from_sympy(sympy.E * sympy.Symbol("x")) == "exp(1)*x"
    assert from_sympy(sympy.sec(sympy.Symbol("x")) ** 2) == "(1/cos(x))^2"
    for none in (sympy.oo, sympy.nan, sympy.I * sympy.Symbol("x")):
        with pytest.raises(ValueError, match="no number"):
            from_sympy(none)


def test_models_are_copied_and_pickled(pendulum: da.Model, tmp_path: Path) -> None:
    heavy = pendulum.set(m="5 kg").set({"theta'": 1})
    for model in (pickle.loads(pickle.dumps(heavy)), copy.deepcopy(heavy), copy.copy(heavy)):
        assert model.parameters == heavy.parameters
        assert model.eval().rates == {"theta": 1.0}
        with pytest.raises(ValueError, match="m = 5 kg"):
            model.save(tmp_path / "heavy.toml")
    # A model of the gallery takes its table along.
    drive = da.gallery("table-drive")
    assert np.array_equal(pickle.loads(pickle.dumps(drive)).run(span=0.1).y, drive.run(span=0.1).y)
    # A model that is built is another one afterwards.
    built = da.Model("Built")
    x = built.coordinate("x", 1)
    built.energy(kinetic=x.dot**2 / 2)
    assert built.check().counts.coordinates == 1
    for other in (copy.copy(built), copy.deepcopy(built), pickle.loads(pickle.dumps(built))):
        assert other.text == built.text
        other.parameter("k", 1)
        assert "[parameters]" not in built.text


def test_solutions_are_themselves(pendulum: da.Model) -> None:
    one, other = (pendulum.run(span=0.1, samples=2) for _ in range(2))
    assert one == one
    assert one != other
    assert len({one, other}) == 2
    assert copy.deepcopy(one) is one
    with pytest.raises(TypeError, match="not pickled"):
        pickle.dumps(one)


def test_the_right_hand_side_takes_columns(pendulum: da.Model) -> None:
    f = pendulum.compile()
    states = np.array([[0.1, 0.2, 0.3], [1.0, 2.0, 3.0]])
    found = f.ode(0.0, states)
    assert found.shape == (2, 3)
    for k in range(3):
        assert np.array_equal(found[:, k], f.ode(0.0, states[:, k]))
    with pytest.raises(ValueError, match="y has one entry for each of the 1 coordinates"):
        f.ode(0.0, [1.0, 2.0, 3.0])
