"""Equations in symbols, and what SymPy says of them."""

from __future__ import annotations

from typing import Any

import dalembert as da

from conftest import sympy


def test_pages_in_every_notation(disk: da.Model) -> None:
    equations = disk.derive()
    assert equations.formulation == "independent"
    assert len(equations.equations) == 3
    assert "\\ddot" in equations.latex()
    assert equations._repr_latex_().startswith("$")  # pyright: ignore[reportPrivateUsage]
    assert "<math" in equations._repr_html_()  # pyright: ignore[reportPrivateUsage]
    assert len(equations.mass_matrix) == 6
    assert set(equations.reactions) == {"contact"}
    assert "ψ" in str(equations)


def test_sympy_proves_the_pendulum(pendulum: da.Model) -> None:

    found = pendulum.derive("lagrange").to_sympy()
    t, theta = found.t, found.theta(found.t)
    m, l, g, u = found.m, found.l, found.g, found.u
    lagrangian = m * l**2 * theta.diff(t) ** 2 / 2 + m * g * l * sympy.cos(theta)
    rate = theta.diff(t)
    expected = lagrangian.diff(rate).diff(t) - lagrangian.diff(theta) - u
    equation: Any = found.equations[0]
    assert len(found.equations) == 1
    assert sympy.simplify(equation.lhs - equation.rhs - expected) == 0


def test_what_sympy_has_can_be_proved_again(disk: da.Model) -> None:
    found = disk.derive().to_sympy()
    assert disk.prove(found.equations).equivalent
