"""Equations of motion in symbols."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from dalembert import _native
from dalembert.reports import DeriveReport

if TYPE_CHECKING:
    import sympy


class Equations(DeriveReport):
    """What ``derive`` says: the attributes of ``derive --json``, and the page in every notation."""

    _derivation: _native.Derivation

    @staticmethod
    def of(derivation: _native.Derivation) -> Equations:
        """The equations of a derivation."""
        made = Equations.read(json.loads(derivation.json()), derivation.page("text"), derivation.notes())
        object.__setattr__(made, "_derivation", derivation)
        return made

    @classmethod
    def _of(cls, data: dict[str, Any]) -> Equations:
        return cls._made(**DeriveReport._of(data).__dict__)

    @property
    def mass_matrix(self) -> list[list[str]]:
        """M, row by row, in the model's own syntax."""
        return self.matrices.M

    def page(self, style: str = "text") -> str:
        """The page in a notation: ``text``, ``latex``, ``typst``, ``html``, ``markdown`` or ``sympy``."""
        return self._derivation.page(style)

    def latex(self) -> str:
        """The page in LaTeX."""
        return self.page("latex")

    def to_sympy(self) -> Sympy:
        """The same as SymPy's objects: ``equations``, ``reactions``, and every name by its own."""
        names: dict[str, Any] = {}
        exec(compile(self.page("sympy"), "<equations of dalembert>", "exec"), names)
        own = {name: value for name, value in names.items() if not name.startswith("__")}
        library: dict[str, Any] = {}
        exec("from sympy import *", library)
        own = {name: value for name, value in own.items() if library.get(name) is not value}
        own.setdefault("reactions", [])
        return Sympy(**own)

    def _repr_latex_(self) -> str:
        lines = [it.latex for it in self.equations]
        body = r" \\ ".join(line.replace(" = ", " &= ", 1) for line in lines)
        return rf"$\displaystyle \begin{{aligned}} {body} \end{{aligned}}$"

    def _repr_html_(self) -> str:
        return self.page("html")


class Sympy(SimpleNamespace):
    """Equations as SymPy's: ``equations`` and ``reactions`` are lists of ``Eq``, ``t`` is time, and coordinates are functions."""

    equations: list[sympy.Eq]
    reactions: list[sympy.Eq]
    t: sympy.Symbol
