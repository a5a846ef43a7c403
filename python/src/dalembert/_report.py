"""What every report has: the document that it was read from, a text, and its forms in notebooks."""

from __future__ import annotations

import copy
import html
from typing import Any, TypeVar

Document = dict[str, Any]

_R = TypeVar("_R", bound="Report")


class Report:
    """What the library says, as attributes with the names of ``--json``.

    ``dict()`` is the document itself, ``print`` shows the same for people.
    """

    _document: Document
    _text: str | None = None
    _notes: tuple[str, ...] = ()

    @classmethod
    def _of(cls: type[_R], data: Document) -> _R:
        raise NotImplementedError

    @classmethod
    def _made(cls: type[_R], **fields: Any) -> _R:
        made = cls.__new__(cls)
        made.__dict__.update(fields)
        return made

    def _fields(self) -> Document:
        return {name: value for name, value in self.__dict__.items() if not name.startswith("_")}

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a report does not change: {name} cannot be set")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, Report) and self._fields() == other._fields()

    __hash__ = None  # pyright: ignore[reportAssignmentType]

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in self._fields().items())
        return f"{type(self).__name__}({fields})"

    @classmethod
    def read(cls: type[_R], data: Document, text: str | None = None, notes: list[str] | None = None) -> _R:
        """A report of a JSON document, with its text for people and what the reader should know besides."""
        made = cls._of(data)
        object.__setattr__(made, "_document", data)
        if text is not None:
            object.__setattr__(made, "_text", text)
        if notes:
            object.__setattr__(made, "_notes", tuple(notes))
        return made

    def dict(self) -> Document:
        """The JSON document."""
        return copy.deepcopy(self._document)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What the reader should know besides, each as the command line would show it."""
        return self._notes

    def __str__(self) -> str:
        if self._text is None:
            return repr(self)
        return self._text

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text("…" if cycle else str(self))

    def _repr_html_(self) -> str:
        shown = [str(self), *self._notes]
        return "\n".join(f"<pre>{html.escape(text)}</pre>" for text in shown)
