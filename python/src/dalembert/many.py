"""Many variants of a model at once."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from dalembert import _native
from dalembert.reports import ErrorReport

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]


class Many:
    """Many runs, stacked: ``y`` is by variant, sample and name.

    A variant that stopped or was refused says so in ``status`` and ``reasons``; its samples after that are no numbers, and ``samples`` says
    how many it has.

    >>> import dalembert as da
    >>> m = da.gallery("pendulum")
    >>> many = m.run_many({"m": [0.5, 1.0, -1.0]}, span=1.0, samples=5)
    >>> many["x"].shape, many.status.tolist()
    ((3, 5), ['done', 'done', 'refused'])
    """

    def __init__(self, native: _native.Many, varied: dict[str, Array], shape: tuple[int, ...]) -> None:
        self.names: list[str] = native.names()
        """Coordinates, then rates."""
        self.t: Array = np.asarray(native.times())
        """Times of the samples."""
        states: Array = np.asarray(native.states())
        self.y: Array = states.reshape((*shape, *states.shape[1:]))
        """States by variant, sample and name."""
        self.varied = varied
        """What the variants differ by."""
        runs = native.runs()
        self.status = np.array([run[0] for run in runs]).reshape(shape)
        """How each ended: "done", "until", "event", "rest", "error", "refused" or "interrupted"."""
        self.samples = np.array([run[1] for run in runs], dtype=np.int64).reshape(shape)
        """Samples that each has."""
        self.steps = np.array([run[2] for run in runs], dtype=np.int64).reshape(shape)
        """Steps that each took."""
        self.reasons: dict[int, ErrorReport] = {
            index: ErrorReport.read(json.loads(run[3][0]), run[3][1]) for index, run in enumerate(runs) if run[3] is not None
        }
        """Why variants stopped or were refused, by their number."""
        self.in_lanes: int = native.in_lanes()
        """How many ran side by side; the others ran one by one."""

    @property
    def success(self) -> NDArray[np.bool_]:
        """Which came to an end as they were meant to."""
        return np.isin(self.status, ["done", "until", "event", "rest"])

    def __getitem__(self, name: str) -> Array:
        """A coordinate or rate, by variant and sample."""
        return self.y[..., self.names.index(name)]

    def __len__(self) -> int:
        return int(self.status.size)

    def __repr__(self) -> str:
        failed = int((~self.success).sum())
        return f"<{len(self)} runs of {len(self.t)} samples, {failed} failed>"


def stacked(parameters: Mapping[str, ArrayLike], start: Mapping[str, ArrayLike]) -> tuple[dict[str, Array], tuple[int, ...]]:
    """All that differs, broadcast to one shape."""
    twice = parameters.keys() & start.keys()
    if twice:
        raise ValueError(f"{', '.join(sorted(twice))} is given twice")
    given = {name: np.asarray(values, dtype=np.float64) for name, values in {**parameters, **start}.items()}
    if not given:
        raise ValueError("nothing differs: give arrays for parameters or the start")
    shape = np.broadcast_shapes(*(values.shape for values in given.values()))
    return {name: np.broadcast_to(values, shape) for name, values in given.items()}, shape
