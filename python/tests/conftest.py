"""Models that the tests use."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest

import dalembert as da

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"

# They have no types.
sympy: Any = importlib.import_module("sympy")
solve_ivp: Any = importlib.import_module("scipy.integrate").solve_ivp

PENDULUM = """\
dalembert = 1
title = "Driven pendulum"
[parameters]
m = "2 kg"
l = "1 m"
g = "9.81 m/s^2"
[inputs]
u = "0 N*m"
[coordinates]
theta = "0.5 rad"
[energy]
kinetic = "m*l^2*theta'^2/2"
potential = "-m*g*l*cos(theta)"
[force.motor]
generalized = { theta = "u" }
[run]
span = 2
"""


@pytest.fixture
def disk() -> da.Model:
    """The rolling disk of the gallery."""
    return da.load(EXAMPLES / "rolling-disk.toml")


@pytest.fixture
def pendulum() -> da.Model:
    """A pendulum with a motor."""
    return da.read(PENDULUM)
