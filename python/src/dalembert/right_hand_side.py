"""The equations of motion as a function, for integrators of others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dalembert import _native

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


class RightHandSide:
    """``f(t, q, v)`` are the rates of the speeds v: accelerations, or those of quasi-velocities where the model has such.

    All arguments may have leading axes, which are broadcast: ``f(0.0, q, v)`` of arrays of shape (1000, n) is one of that shape.

    >>> import dalembert as da
    >>> import numpy as np
    >>> f = da.gallery("double-pendulum").compile()
    >>> f(0.0, np.zeros((1000, 2)), np.ones((1000, 2))).shape
    (1000, 2)
    """

    def __init__(self, native: _native.RightHandSide) -> None:
        self._native = native
        self.coordinates: int = native.coordinates
        """Number of coordinates n."""

    def __call__(self, t: ArrayLike, q: ArrayLike, v: ArrayLike) -> NDArray[np.float64]:
        """v'."""
        return self.both(t, q, v)[1]

    def both(self, t: ArrayLike, q: ArrayLike, v: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """q' and v'."""
        n = self.coordinates
        positions, speeds = np.asarray(q, dtype=np.float64), np.asarray(v, dtype=np.float64)
        if positions.ndim == 0 or speeds.ndim == 0 or positions.shape[-1] != n or speeds.shape[-1] != n:
            raise ValueError(f"the last axis of q and v has one entry for each of the {n} coordinates")
        times = np.asarray(t, dtype=np.float64)
        shape = np.broadcast_shapes(times.shape, positions.shape[:-1], speeds.shape[:-1])
        given = [np.broadcast_to(times, shape), *(np.broadcast_to(it, (*shape, n)) for it in (positions, speeds))]
        found: NDArray[np.float64] = np.asarray(self._native.at(*(it.tobytes() for it in given)))
        both = found.reshape((*shape, 2, n))
        return both[..., 0, :], both[..., 1, :]

    def ode(self, t: float, y: ArrayLike) -> NDArray[np.float64]:
        """y' of y = (q, v), as ``scipy.integrate.solve_ivp`` wants it, of several states too, each a column (``vectorized=True``).

        Nothing keeps constraints met: they drift as integrators err.
        """
        state, n = np.asarray(y, dtype=np.float64), self.coordinates
        if state.ndim == 0 or state.shape[0] != 2 * n:
            raise ValueError(f"y has one entry for each of the {n} coordinates, then one for each of the {n} speeds")
        rates, accelerations = self.both(t, state[:n].T, state[n:].T)
        return np.concatenate([rates.T, accelerations.T])
