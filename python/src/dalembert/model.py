"""A model, and the questions that the commands put to it."""

from __future__ import annotations

import copy
import html
import importlib
import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, Union

import numpy as np

from dalembert import _native
from dalembert.builder import Buildable, Builder
from dalembert.equations import Equations
from dalembert.errors import DalembertError, asked
from dalembert.many import Many, stacked
from dalembert.progress import Bar
from dalembert.reports import CheckReport, EvalReport, ImpulseReport, ProveReport
from dalembert.right_hand_side import RightHandSide
from dalembert.simulator import Simulator
from dalembert.solution import Solution
from dalembert.sweep import Dataset, Plan, swept
from dalembert.symbols import expression

if TYPE_CHECKING:
    from concurrent.futures import Executor

    import sympy
    from numpy.typing import ArrayLike

_P = ParamSpec("_P")
_T = TypeVar("_T")

Value = Union[str, int, float, "np.number[Any]"]
"""A number, or a text with a unit or an expression: ``"2 kg"``."""


def written(name: str, value: Value) -> str:
    """A value as model files write it."""
    try:
        return value if isinstance(value, str) else str(expression(value))
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name}: {error}") from None


class Model(Buildable):
    """A model with its values.

    ``da.load`` reads one from a file; such a model does not change: ``set`` gives another one. ``da.Model("title")`` is one that is built in
    Python: its methods write the tables of a model file, which is read when it is first asked something.

    >>> import dalembert as da
    >>> m = da.gallery("pendulum")
    >>> m
    <model Pendulum in x and y>
    >>> m.coordinates
    ['x', 'y']
    """

    def __init__(self, title: str | None = None, *, planar: bool = False) -> None:
        self._builder = Builder()
        self._settings: dict[str, Value] = {}
        self._read: tuple[str, _native.Model] | None = None
        if title is not None:
            self._builder.top["title"] = title
        if planar:
            self._builder.top["planar"] = True

    @classmethod
    def of(cls, native: _native.Model) -> Model:
        """A model that was read."""
        made = cls.__new__(cls)
        made._builder = None
        made._settings = {}
        made._read = ("", native)
        return made

    def _write(self) -> Builder:
        if self._builder is None:
            raise TypeError("a model that was read does not change: `set` gives another one, and da.Model() builds one")
        return self._builder

    @property
    def _native(self) -> _native.Model:
        if self._builder is None and self._read is not None:
            return self._read[1]
        text, _ = self._write().written()
        if self._read is None or self._read[0] != text:
            self._read = (text, self._ask(_native.Model.read, "model", text))
        return self._read[1]

    def _ask(self, question: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """Asks the library; what it refuses knows the Python line that wrote it."""
        try:
            return asked(None, question, *args, **kwargs)
        except DalembertError as error:
            if self._builder is not None:
                error.locate(self._builder.written()[1])
            raise

    @property
    def title(self) -> str | None:
        """The title."""
        return self._native.title if self._builder is None else self._builder.top.get("title")

    @property
    def text(self) -> str:
        """The text of the model file."""
        return self._native.text if self._builder is None else self._builder.written()[0]

    @property
    def coordinates(self) -> list[str]:
        """Names of the coordinates."""
        return self._ask(self._native.coordinates)

    @property
    def parameters(self) -> dict[str, float]:
        """Values of the parameters."""
        return dict(self._ask(self._native.parameters))

    def set(self, values: Mapping[str, Value] | None = None, /, **more: Value) -> Model:
        """The same model with other parameters, start values or start rates: ``m.set({"theta'": 2}, g="1.62 m/s^2")``.

        >>> import dalembert as da
        >>> m = da.gallery("pendulum")
        >>> m.set({"y'": 0}, l="2 m").parameters["l"]
        2.0
        """
        given = {**(values or {}), **more}
        settings = [f"{name}={written(name, value)}" for name, value in given.items()]
        made = Model.of(self._ask(self._native.with_values, settings))
        made._settings = {**self._settings, **given}
        return made

    def check(self) -> CheckReport:
        """The constraint doctor: counts, rank, freedoms, redundant rows, start state, agreement of formulations.

        >>> import dalembert as da
        >>> m = da.gallery("pendulum")
        >>> report = m.check()
        >>> report.counts.velocity_freedoms, [row.name for row in report.constraints]
        (1, ['rod'])
        """
        return _said(CheckReport, self._ask(self._native.check))

    def eval(self, at: float | None = None, *, state: Mapping[str, Value] | None = None, raw: bool = False) -> EvalReport:
        """Numbers at the start, at another time, or at a state: accelerations, multipliers, forces, energy, powers.

        ``state`` gives coordinates and rates by name; ``raw`` takes all values as they are, without making them consistent.

        >>> import dalembert as da
        >>> m = da.gallery("pendulum")
        >>> round(m.eval(state={"x": 0.6}).accelerations["x"], 4)
        -4.7088
        """
        model = self.set(state) if state else self
        return _said(EvalReport, model._ask(model._native.eval, at, raw))

    def derive(
        self, formulation: str | None = None, *, independent: Iterable[str] = (), steps: bool = False
    ) -> Equations:
        """Equations of motion and reactions in symbols, proved.

        >>> import dalembert as da
        >>> m = da.gallery("pendulum")
        >>> m.derive("lagrange").equations[0].right
        '2*x*lambda(rod)'
        """
        return Equations.of(self._ask(self._native.derive, formulation, list(independent), steps))

    def derive_impulse(self, event: str) -> ImpulseReport:
        """What an event does to the velocities, in symbols.

        >>> import dalembert as da
        >>> da.gallery("caught-rod").derive_impulse("caught").event
        'caught'
        """
        return _said(ImpulseReport, self._ask(self._native.derive_impulse, event))

    def prove(self, equations: str | sympy.Basic | Iterable[str | sympy.Basic]) -> ProveReport:
        """Whether equations are those of the model: each is proved, or refuted with a counterexample.

        Texts are in the model's own syntax; SymPy's equations and expressions that vanish are taken as they are.

        >>> import dalembert as da
        >>> m = da.gallery("pendulum")
        >>> m.prove("x''*y - y''*x = g*x").equivalent
        True
        """
        several = [equations] if isinstance(equations, str) or not isinstance(equations, Iterable) else list(equations)
        from_sympy = not all(isinstance(it, str) for it in several)
        text = "\n".join(it if isinstance(it, str) else _sympy_text(it) for it in several)
        return _said(ProveReport, self._ask(self._native.prove, text, from_sympy))

    def run(
        self,
        span: Value | None = None,
        *,
        samples: int | None = None,
        step: Value | None = None,
        until: str | None = None,
        rtol: float | None = None,
        atol: float | None = None,
        max_step: Value | None = None,
        max_steps: int | None = None,
        integrator: str | None = None,
        formulation: str | None = None,
        record: Iterable[str] | str | None = None,
        dense: bool = False,
        progress: bool | None = None,
    ) -> Solution:
        """Simulates. What is not said is what the model's ``[run]`` says.

        ``record`` lists what is recorded besides coordinates and rates, or is ``"all"``. Others may run Python meanwhile. Ctrl-C stops
        the run, and gives it back as far as it came, with the status ``"interrupted"``. A bar shows its progress where there is a
        terminal, unless ``progress`` says otherwise.

        >>> import dalembert as da
        >>> m = da.gallery("pendulum")
        >>> sol = m.run(span=1.0, samples=3)
        >>> sol.t
        array([0. , 0.5, 1. ])
        """
        given: dict[str, Value | None] = {
            "--span": span,
            "--samples": samples,
            "--step": step,
            "--until": until,
            "--rtol": rtol,
            "--atol": atol,
            "--max-step": max_step,
            "--max-steps": max_steps,
        }
        options = _options(given)
        everything = record == "all"
        if isinstance(record, str) and not everything:
            raise ValueError(f'record = "{record}": give a list, or "all"')
        listed = None if record is None or everything else list(record)
        native = self._native
        if options or listed is not None:
            native = self._ask(native.with_values, [], options, listed)
        by = (integrator, formulation)
        shown = sys.stderr.isatty() if progress is None else progress
        with Bar(shown) as bar:
            run, raised = asked(
                native, native.run, by, kept=(everything, dense), progress=bar.show if shown else None
            )
        if raised is not None and not isinstance(raised, KeyboardInterrupt):
            raise raised
        return Solution(native, run, by=by, is_dense=dense, has_all=everything)

    def run_many(
        self,
        parameters: Mapping[str, ArrayLike] | None = None,
        start: Mapping[str, ArrayLike] | None = None,
        *,
        span: Value | None = None,
        samples: int | None = None,
        step: Value | None = None,
        rtol: float | None = None,
        atol: float | None = None,
        integrator: str | None = None,
        formulation: str | None = None,
        threads: int | None = None,
        progress: bool | None = None,
    ) -> Many:
        """Runs variants on all cores: arrays of values for parameters, and for coordinates and rates at the start, in SI units.

        Arrays are broadcast. Without ``samples`` or ``step`` only both ends are kept. What a variant gives depends neither on the others nor on
        the number of threads. Ctrl-C stops all, and gives back what there is: what it stopped has the status ``"interrupted"``.

        >>> import dalembert as da
        >>> m = da.gallery("pendulum")
        >>> m.run_many({"l": [0.5, 1.0, 2.0]}, span=1.0)
        <3 runs of 2 samples, 0 failed>
        """
        if threads is not None and threads < 1:
            raise ValueError(f"threads = {threads}: give one or more")
        varied, shape = stacked(parameters or {}, start or {})
        ends = 2 if samples is None and step is None else samples
        given: dict[str, Value | None] = {"--span": span, "--samples": ends, "--step": step, "--rtol": rtol, "--atol": atol}
        options = _options(given)
        native = self._ask(self._native.with_values, [], options, [])
        count = int(np.prod(shape))
        values = np.stack([it.reshape(count) for it in varied.values()], axis=1)
        if count == 0:
            raise ValueError("there are no variants: the arrays are empty")
        shown = sys.stderr.isatty() if progress is None else progress
        with Bar(shown) as bar:
            found, raised = asked(
                None,
                native.run_many,
                (list(varied), values.tobytes(), count),
                by=(integrator, formulation),
                threads=threads or os.cpu_count() or 1,
                progress=bar.show if shown else None,
            )
        if raised is not None and not isinstance(raised, KeyboardInterrupt):
            raise raised
        return Many(found, varied, shape)

    def sweep(
        self,
        plan: Plan,
        out: str | os.PathLike[str],
        *,
        executor: str | Executor | object | None = None,
        shard: str | None = None,
        threads: int | None = None,
        progress: bool | None = None,
    ) -> Dataset:
        """Runs the model many times by a plan, and keeps what it asks for in a folder.

        ``plan`` is the path of a plan, its text, or a dictionary of its tables. Parts that are in the folder already stay: after Ctrl-C, a
        crash or a full disk the same call makes those that are missing, and another plan is refused. All cores of this machine work, or
        whoever ``executor`` names: ``"dask"``, ``"ray"``, a client of Dask, or an executor of ``concurrent.futures``. ``shard="3/16"`` makes
        that share only; ``da.merge`` joins shares.
        """
        return swept(self._native, plan, out, executor=executor, shard=shard, threads=threads, progress=progress)

    def compile(self) -> RightHandSide:
        """v' as a function f(t, q, v), vectorised over leading axes; ``f.ode(t, y)`` is for ``scipy.integrate.solve_ivp``.

        >>> import dalembert as da
        >>> m = da.gallery("pendulum")
        >>> m.compile()(0.0, [0.6, -0.8], [0.0, 0.0]).round(4)
        array([-4.7088, -3.5316])
        """
        return RightHandSide(self._ask(self._native.compile))

    def simulator(self, *, rtol: float | None = None, atol: float | None = None) -> Simulator:
        """The model as something that moves when it is told to, from its start on.

        >>> import dalembert as da
        >>> m = da.gallery("pendulum")
        >>> sim = m.simulator()
        >>> sim.step(0.1)
        >>> sim
        <simulator of Pendulum in x and y at t = 0.1>
        """
        return Simulator(self, self._ask(self._native.simulator, rtol, atol))

    def view(self, solution: Solution | None = None, *, out: str | os.PathLike[str] | None = None) -> View:
        """The page of a motion: animation, equations, plots and reactions, one offline file.

        In a notebook it is shown inline; ``out`` writes it to a file.

        >>> import dalembert as da
        >>> m = da.gallery("pendulum")
        >>> m.view().page[:15]
        '<!doctype html>'
        """
        if solution is None:
            samples = self._ask(self._native.samples_to_see)
            solution = self.run(samples=samples, record="all", progress=False)
        page = View(solution.page())
        if out is not None:
            page.write(out)
        return page

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model file, as it was read or built. Values that were set since are not in its text: such a model is refused."""
        if self._settings:
            values = ", ".join(f"{name} = {value}" for name, value in self._settings.items())
            raise ValueError(f"the text of the model does not have the values that were set ({values}): write them into it, or save the model before")
        Path(path).write_text(self.text, encoding="utf-8")

    def __copy__(self) -> Model:
        return copy.deepcopy(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> Model:
        # What was read does not change.
        return self if self._builder is None else _built(copy.deepcopy(self._builder, memo))

    def __reduce__(self) -> tuple[Any, ...]:
        if self._builder is not None:
            return _built, (self._builder,)
        native = self._native
        folder, files = native.beside()
        where = None if folder is None else os.path.abspath(folder)
        return _read_again, (native.name, native.text, where, files, self._settings)

    def __repr__(self) -> str:
        return f"<model {self.title or 'without a title'}>"

    def __str__(self) -> str:
        return self.text


class View:
    """A page, one file for a browser."""

    def __init__(self, page: str) -> None:
        self.page = page
        """The text of the page."""

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes it to a file."""
        Path(path).write_text(self.page, encoding="utf-8")

    def _repr_html_(self) -> str:
        # A document of its own: neither its style nor its script meets those of the notebook.
        return f'<iframe srcdoc="{html.escape(self.page)}" width="100%" height="640" style="border: 0"></iframe>'

    def __repr__(self) -> str:
        return f"<page of {len(self.page) // 1000} kB: write(path) saves it>"


def load(path: str | os.PathLike[str], *, set: Mapping[str, Value] | None = None) -> Model:
    """Reads a model file, with other values if some are given."""
    model = Model.of(asked(None, _native.Model.load, os.fsdecode(path)))
    return model.set(set) if set else model


def read(text: str, *, name: str = "model", folder: str | os.PathLike[str] | None = None) -> Model:
    """Reads a model from a text; files that it names are in a folder.

    >>> import dalembert as da
    >>> text = da.gallery("pendulum").text
    >>> da.read(text).title
    'Pendulum in x and y'
    """
    where = None if folder is None else os.fspath(folder)
    return Model.of(asked(None, _native.Model.read, name, text, where))


def _built(builder: Builder) -> Model:
    """A model of its tables."""
    made = Model()
    made._builder = builder  # pyright: ignore[reportPrivateUsage]
    return made


def _read_again(name: str, text: str, folder: str | None, files: dict[str, str], settings: dict[str, Value]) -> Model:
    """A model of what it was read from, with the values that were set."""
    model = Model.of(asked(None, _native.Model.read, name, text, folder, files))
    return model.set(settings) if settings else model


def gallery(name: str) -> Model:
    """A model of the gallery: ``gallery("rolling-disk")``.

    >>> import dalembert as da
    >>> da.gallery("rolling-disk").title
    'Thin disk rolling on a horizontal plane'
    """
    return Model.of(asked(None, _native.Model.gallery, name))


def gallery_names() -> dict[str, str]:
    """Names of the models of the gallery, with their titles.

    >>> import dalembert as da
    >>> da.gallery_names()["pendulum"]
    'Pendulum in x and y'
    """
    models = json.loads(_native.gallery_names())["models"]
    return {it["name"]: it["title"] for it in models}


def explain(code: str) -> str:
    """What a diagnostic means: ``explain("E0504")``.

    >>> import dalembert as da
    >>> da.explain("E0504").split(".")[0]
    'E0504: The start values that must be met contradict a constraint'
    """
    return _native.explain(code)


def _said(kind: Any, said: tuple[str, str, list[str]]) -> Any:
    document, text, notes = said
    return kind.read(json.loads(document), text, notes)


def _options(given: Mapping[str, Value | None]) -> list[tuple[str, str]]:
    """Options of a run that are given, as model files write them."""
    return [(name, written(name.strip("-").replace("-", "_"), value)) for name, value in given.items() if value is not None]


def _sympy_text(expression: Any) -> str:
    """What SymPy prints of an equation, or of an expression that vanishes."""
    sympy: Any = importlib.import_module("sympy")
    if not isinstance(expression, sympy.Basic):
        raise TypeError(f"{expression!r} is neither a text nor SymPy's")
    return str(sympy.sstr(expression))
