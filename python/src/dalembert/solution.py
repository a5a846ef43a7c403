"""What a run gives: samples as arrays, and the state at every time."""

from __future__ import annotations

import html
import json
import os
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from dalembert import _native
from dalembert.reports import Event, RunReport

if TYPE_CHECKING:
    import pandas
    import xarray
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]

_STATUS = {"done": 0, "until": 1, "event": 1, "rest": 1, "interrupted": -1, "error": -1}
_MESSAGES = {
    "done": "the end of the span was reached",
    "until": "the condition `until` became true",
    "event": "an event ended the run",
    "rest": "infinitely many impacts, or other events, are over",
    "interrupted": "the run was interrupted",
}


class Solution(Mapping[str, "Array"]):
    """A run. ``t``, ``y``, ``t_events``, ``status``, ``message`` and ``success`` are as in SciPy's ``solve_ivp``; ``sol["theta"]`` is a column.

    Arrays look at the numbers of the run without copying them, and cannot be written to.

    >>> import dalembert as da
    >>> m = da.gallery("pendulum")
    >>> sol = m.run(span=1.0, samples=3, record=["energy"])
    >>> sol.names, sol.y.shape, sol.success
    (['x', 'y', "x'", "y'"], (4, 3), True)
    >>> sol["x"].round(3)
    array([ 0.5  ,  0.017, -0.499])
    """

    def __init__(
        self,
        model: _native.Model,
        run: _native.Run,
        *,
        by: tuple[str | None, str | None] = (None, None),
        is_dense: bool = False,
        has_all: bool = False,
    ) -> None:
        self._model = model
        self._run = run
        self._by = by
        self._is_dense = is_dense
        self._has_all = has_all
        self.report: RunReport = RunReport.read(json.loads(run.json()), run.text(), run.notes())
        """What the run says of itself, with the names of ``run --json``."""
        self._block: Array = np.asarray(run)
        self._heads = run.columns()
        self._places = {name: place for place, (name, _) in enumerate(self._heads)}
        self._count = len(model.coordinates())

    @property
    def t(self) -> Array:
        """Times of the samples."""
        return self._block[0]

    @property
    def y(self) -> Array:
        """Coordinates, then rates, one row for each."""
        return self._block[1 : 1 + 2 * self._count]

    @property
    def names(self) -> list[str]:
        """What the rows of ``y`` are: coordinates, then rates."""
        return [name for name, _ in self._heads[1 : 1 + 2 * self._count]]

    @property
    def units(self) -> dict[str, str]:
        """Units of the columns that have one."""
        return {name: unit for name, unit in self._heads if unit is not None}

    @property
    def status(self) -> int:
        """0 at the end of the span, 1 where a condition or an event ended the run, -1 where it stopped or was interrupted."""
        return _STATUS[self.report.status]

    @property
    def success(self) -> bool:
        """Whether it came to an end as it was meant to."""
        return self.status >= 0

    @property
    def message(self) -> str:
        """How it ended."""
        if self.report.status == "error":
            return self.report.diagnostics[0].message
        return _MESSAGES[self.report.status]

    @property
    def nfev(self) -> int:
        """Evaluations of the right-hand side."""
        return self.report.rhs_evaluations

    @property
    def events(self) -> list[Event]:
        """What happened on the way, in the order of time."""
        return self.report.events

    @property
    def t_events(self) -> dict[str, Array]:
        """Times of what happened on the way, by its name."""
        times: dict[str, list[float]] = {}
        for event in self.report.events:
            times.setdefault(event.name, []).append(float("nan") if event.t is None else event.t)
        return {name: np.array(found) for name, found in times.items()}

    def __call__(self, t: ArrayLike) -> Array:
        """Coordinates, then rates at any times of the run: of the shape of ``t`` behind one axis for the names.

        The polynomials are those of the integrator. At times of samples constraints are met to rounding, between them to the tolerance
        of the run.

        >>> import dalembert as da
        >>> m = da.gallery("pendulum")
        >>> m.run(span=1.0)(0.25).shape
        (4,)
        """
        times = np.asarray(t, dtype=np.float64)
        found: Array = np.asarray(self._trail.at(times.tobytes()))
        return found.reshape((found.shape[0], *times.shape))

    @property
    def sol(self) -> Solution:
        """The solution as a function of time, as in SciPy: ``sol.sol(t)``."""
        return self

    @cached_property
    def _trail(self) -> _native.Run:
        """The run with its state at every time: made when it is first asked for, step by step as it was."""
        return self._run if self._is_dense else self._again(dense=True)

    @cached_property
    def _all(self) -> _native.Run:
        """The run with all reactions: made when one is first asked for that was not recorded."""
        return self._run if self._has_all else self._again(record_all=True)

    def _again(self, *, dense: bool = False, record_all: bool = False) -> _native.Run:
        from dalembert.errors import RunError, asked

        # Where it stopped on its way, or was stopped, it stops there again.
        model = self._model
        far = self._run.far() if self.report.status == "interrupted" else None
        try:
            run, raised = asked(model, model.run, self._by, kept=(record_all, dense), as_far_as=far)
        except RunError as stopped:
            return stopped.solution._run
        if raised is not None:
            raise raised
        return run

    def __getitem__(self, name: str) -> Array:
        place = self._places.get(name)
        if place is not None:
            return self._block[place]
        rest = self._all
        places = {head: place for place, (head, _) in enumerate(rest.columns())}
        if name not in places:
            known = ", ".join(list(self._places)[:12])
            raise KeyError(f"there is no column {name}; there are {known}, …: `sol.all_names()` lists all")
        block: Array = np.asarray(rest)
        return block[places[name]]

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    # Runs are compared by what they are, not number by number.
    __eq__ = object.__eq__
    __hash__ = object.__hash__  # pyright: ignore[reportAssignmentType]

    def __copy__(self) -> Solution:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Solution:
        # It does not change.
        return self

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError("a solution is not pickled: hand on its arrays, write() its samples to a file, or pickle its model and run that again")

    def all_names(self) -> list[str]:
        """All columns that can be asked for, those that were not recorded too."""
        return [name for name, _ in self._all.columns()]

    def reaction(self, constraint: str) -> Reaction:
        """What a constraint exerts; found when it is asked for, if it was not recorded.

        >>> import dalembert as da
        >>> m = da.gallery("pendulum")
        >>> rod = m.run(span=1.0, samples=3).reaction("rod")
        >>> rod, list(rod.multipliers)
        (reaction of rod by x, y, ['lambda(rod)'])
        """
        return Reaction(self, constraint)

    def to_pandas(self) -> pandas.DataFrame:
        """The samples as a data frame, the time as its index; ``attrs["units"]`` has the units."""
        import pandas

        frame = pandas.DataFrame({name: self[name] for name in list(self)[1:]}, index=pandas.Index(self.t, name="t"))
        frame.attrs["units"] = self.units
        return frame

    def to_xarray(self) -> xarray.Dataset:
        """The samples as a data set over ``t``, each variable with its unit."""
        import xarray

        units = self.units
        variables = {name: ("t", self[name], {"units": units[name]} if name in units else {}) for name in list(self)[1:]}
        return xarray.Dataset(variables, coords={"t": ("t", self.t, {"units": "s"})})

    @property
    def coordinates(self) -> list[str]:
        """Names of the coordinates."""
        return self.names[: self._count]

    def split(self, constraint: str) -> Array | None:
        """The reaction of a constraint: ideal part and rest, by coordinate, over the samples; none where constraints come and go."""
        from dalembert.errors import asked

        found = asked(None, self._model.split, self._run, constraint)
        return None if found is None else np.asarray(found)

    def page(self) -> str:
        """The text of the page that shows it."""
        from dalembert.errors import asked

        return asked(None, self._model.page, self._all)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the samples to a file, Parquet or CSV by its name."""
        self._run.write(os.fspath(path))

    def __repr__(self) -> str:
        return str(self.report)

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self.report))}</pre>"


class Reaction(Mapping[str, "Array"]):
    """What a constraint exerts over time, by coordinate: ``reaction["x"]``."""

    def __init__(self, solution: Solution, constraint: str) -> None:
        self._solution = solution
        self.constraint = constraint
        head = f"reaction({constraint})."
        names = [name for name in solution.all_names() if name.startswith(head)]
        self._generalized = {name[len(head) :]: name for name in names if "force." not in name and "moment." not in name}
        rows = [f"lambda({constraint})"]
        rows += [name for name in solution.all_names() if name.startswith(f"lambda({constraint}.")]
        self._rows = [name for name in rows if name in solution.all_names()]
        if not self._generalized and not self._rows:
            raise KeyError(f"there is no constraint {constraint}")

    def __getitem__(self, coordinate: str) -> Array:
        return self._solution[self._generalized[coordinate]]

    def __iter__(self) -> Iterator[str]:
        return iter(self._generalized)

    def __len__(self) -> int:
        return len(self._generalized)

    @property
    def multipliers(self) -> dict[str, Array]:
        """λ of each row."""
        return {name: self._solution[name] for name in self._rows}

    @property
    def force(self) -> Array:
        """The force on the particle or body that it acts on, three components in world axes."""
        return self._vector("force")

    @property
    def moment(self) -> Array:
        """The moment on the body that it acts on, about its mass centre, in world axes."""
        return self._vector("moment")

    def _vector(self, what: str) -> Array:
        names = [f"reaction({self.constraint}).{what}.{axis}" for axis in "xyz"]
        if names[0] not in self._solution.all_names():
            raise KeyError(f"the {what} of {self.constraint} is not determined, or acts on several bodies: see sol.all_names()")
        return np.stack([self._solution[name] for name in names])

    @cached_property
    def _split(self) -> Array:
        found = self._solution.split(self.constraint)
        if found is None:
            raise ValueError("constraints of this model come and go: the ideal part is told by `eval` at a state")
        return found

    @property
    def ideal(self) -> dict[str, Array]:
        """What it would exert if all constraints were ideal, by coordinate."""
        return {name: self._split[0, i] for i, name in enumerate(self._solution.coordinates)}

    @property
    def nonideal(self) -> dict[str, Array]:
        """What is not ideal about it, by coordinate: the reaction is the sum of both."""
        return {name: self._split[1, i] for i, name in enumerate(self._solution.coordinates)}

    @property
    def power(self) -> Array:
        """Its power."""
        return self._solution[f"power({self.constraint})"]

    def __repr__(self) -> str:
        return f"reaction of {self.constraint} by {', '.join(self)}"
