"""What can go wrong, by name."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from dalembert import _native
from dalembert.reports import Diagnostic, ErrorReport

if TYPE_CHECKING:
    from dalembert.solution import Solution

_P = ParamSpec("_P")
_T = TypeVar("_T")


class DalembertError(Exception):
    """Something was refused. ``diagnostics`` has all that is wrong; the attributes beside it are those of the first.

    >>> import dalembert as da
    >>> try:
    ...     da.gallery("pendulum").set(m="2 m").check()
    ... except da.ModelError as error:
    ...     print(error.code, error.line, error.message)
    E0450 17 m is m, but a mass is kg
    """

    def __init__(self, report: ErrorReport, text: str) -> None:
        super().__init__(text)
        self.report = report
        self.text = text
        self.python_file: str | None = None
        """Where a model that was built in Python wrote what is wrong."""
        self.python_line: int | None = None

    def locate(self, places: dict[int, tuple[str, int]]) -> None:
        """Adds the Python lines that wrote what is wrong, by the lines of the model's text."""
        found = [places[it.line] for it in self.diagnostics if it.file == "model" and it.line in places]
        if found and self.python_line is None:
            self.python_file, self.python_line = found[0]
            lines = "\n".join(f"  written in Python at {file}:{line}" for file, line in dict.fromkeys(found))
            self.args = (f"{self.text}\n{lines}",)

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """All that is wrong, at once."""
        return self.report.diagnostics

    @property
    def code(self) -> str | None:
        """What ``dalembert.explain`` knows it by."""
        return self.diagnostics[0].code

    @property
    def message(self) -> str:
        """What is wrong."""
        return self.diagnostics[0].message

    @property
    def help(self) -> str | None:
        """How to put it right."""
        return self.diagnostics[0].help

    @property
    def file(self) -> str | None:
        """The file, or the argument that a text was given as."""
        return self.diagnostics[0].file

    @property
    def line(self) -> int | None:
        """Its line, from 1."""
        return self.diagnostics[0].line

    @property
    def column(self) -> int | None:
        """Its column, from 1."""
        return self.diagnostics[0].column


class ModelError(DalembertError):
    """The model has mistakes, or what was asked of it has no answer."""


class StartError(ModelError):
    """There is no start that meets the constraints and the values given, or no motion there."""


class ContradictoryConstraints(StartError):
    """Constraints, or constraints and values that must be met, exclude each other."""


class RunError(DalembertError):
    """A run stopped on its way; ``solution`` has what it reached, and can be relied on."""

    def __init__(self, report: ErrorReport, text: str, solution: Solution) -> None:
        super().__init__(report, text)
        self.solution = solution


# Diagnostics of values and rows that exclude each other, and of others about the start (`dalembert explain CODE`).
_CONTRADICTORY = {"E0432", "E0504", "E0506", "E0509", "E0511", "E0604"}
_START = {f"E05{number:02}" for number in range(1, 20)}


def raised(failure: _native.Failure, model: _native.Model | None = None) -> DalembertError:
    """The named exception of a refusal."""
    document, text, so_far = failure.args
    report = ErrorReport.read(json.loads(document), text)
    codes = {it.code for it in report.diagnostics}
    if so_far is not None and model is not None:
        from dalembert.solution import Solution

        return RunError(report, text, Solution(model, so_far))
    if codes & _CONTRADICTORY:
        return ContradictoryConstraints(report, text)
    if codes & _START:
        return StartError(report, text)
    return ModelError(report, text)


def asked(model: _native.Model | None, question: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
    """Asks the library, and raises what it refuses by its name."""
    try:
        return question(*args, **kwargs)
    except _native.Failure as failure:
        raise raised(failure, model) from None
