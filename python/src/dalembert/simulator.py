"""A model that moves when it is told to: for control and learning."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from dalembert import _native
from dalembert.errors import asked

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dalembert.model import Model


class Simulator:
    """``sim.step(dt, inputs={"u": 2.0})`` goes on by a time; inputs stay as they are until they are set again.

    >>> import dalembert as da
    >>> cart = da.Model("Cart")
    >>> u, x = cart.input("u"), cart.coordinate("x")
    >>> cart.energy(kinetic=x.dot**2/2)
    >>> push = cart.force("push", generalized={x: u})
    >>> sim = cart.simulator()
    >>> sim.step(1.0, inputs={"u": 2.0})
    >>> {name: round(value, 9) for name, value in sim.state.items()}
    {'x': 1.0, "x'": 2.0}
    """

    def __init__(self, model: Model, native: _native.Simulator) -> None:
        self.model = model
        """The model that moves."""
        self._native = native
        self._step = native.step
        self.names: list[str] = [*native.coordinates(), *(f"{name}'" for name in native.coordinates())]
        """What the entries of ``y`` are: coordinates, then rates."""

    @property
    def t(self) -> float:
        """Time."""
        return self._native.t

    @property
    def y(self) -> NDArray[np.float64]:
        """Coordinates, then rates."""
        return np.array(self._native.state())

    @property
    def state(self) -> dict[str, float]:
        """Coordinates and rates by name."""
        return dict(zip(self.names, self._native.state(), strict=True))

    @property
    def inputs(self) -> dict[str, float]:
        """The inputs as they are."""
        return dict(self._native.inputs())

    def set(self, values: Mapping[str, float] | None = None, /, **more: float) -> None:
        """Sets coordinates, rates, inputs and parameters: ``sim.set({"theta'": 1.0}, u=2.0)``.

        A state that does not meet the constraints is moved to the nearest that does.
        """
        given = {**(values or {}), **more}
        asked(None, self._native.set, [(name, float(value)) for name, value in given.items()])

    def step(self, dt: float, inputs: dict[str, float] | None = None) -> None:
        """Goes on by a time, with inputs that are constant during it; those not mentioned keep their values."""
        try:
            self._step(dt, inputs)
        except _native.Failure as failure:
            from dalembert.errors import raised

            raise raised(failure) from None

    def reset(self) -> None:
        """Goes back to the start; inputs and parameters keep their values."""
        asked(None, self._native.reset)

    def __repr__(self) -> str:
        return f"<simulator of {self.model.title} at t = {self.t:g}>"
