"""Models that are built in Python: the text of a model file, table by table, with the Python line that each came from."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from dalembert.symbols import Coordinate, Expression, Operand, Symbol, Vector, expression, plain, text

_PACKAGE = str(Path(__file__).parent)
_BARE = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")


class Body(Symbol):
    """A body or a frame: its axes, mass centre and points.

    >>> import dalembert as da
    >>> m = da.Model("Link", planar=True)
    >>> link = m.body("link", mass=1, shape={"rod": {"length": 1, "axis": "x"}}, point={"tip": [0.5, 0, 0]})
    >>> link.point("tip"), link.coordinate("x").dot
    (link.tip, link.x')
    """

    @property
    def center(self) -> Expression:
        """The mass centre."""
        return Expression(f"{self}.center")

    @property
    def ex(self) -> Expression:
        """The first axis."""
        return Expression(f"{self}.ex")

    @property
    def ey(self) -> Expression:
        """The second axis."""
        return Expression(f"{self}.ey")

    @property
    def ez(self) -> Expression:
        """The third axis."""
        return Expression(f"{self}.ez")

    def point(self, name: str) -> Expression:
        """A named point."""
        return Expression(f"{self}.{name}")

    def coordinate(self, name: str) -> Coordinate:
        """A coordinate of a free body: ``link.coordinate("x")``."""
        return Coordinate(f"{self}.{name}")


class Builder:
    """Tables of a model, in the order in which they were written."""

    def __init__(self) -> None:
        self.top: dict[str, Any] = {"dalembert": 1}
        self.tables: dict[str, dict[str, Any]] = {}
        self._places: dict[tuple[str, str | None], tuple[str, int]] = {}

    def put(self, table: str, key: str, value: Any) -> None:
        """Writes a value under a key; each is written once."""
        known = self.tables.setdefault(table, {})
        if key in known:
            raise ValueError(f"[{table}] has {key} already")
        known[key] = value
        self._places[table, key] = _caller()

    def put_table(self, kind: str, name: str, keys: Mapping[str, Any]) -> None:
        """Writes a table of its own."""
        table = f"{kind}.{_key(name)}"
        if table in self.tables:
            raise ValueError(f"there is a [{table}] already")
        self.tables[table] = {key.rstrip("_"): value for key, value in keys.items() if value is not None}
        self._places[table, None] = _caller()

    def written(self) -> tuple[str, dict[int, tuple[str, int]]]:
        """The text of the file, and for each line of it the Python line that it came from."""
        lines: list[str] = []
        places: dict[int, tuple[str, int]] = {}
        for key, value in self.top.items():
            lines.append(f"{key} = {_value(value)}")
        for table, keys in self.tables.items():
            lines += ["", f"[{table}]"]
            whole = self._places.get((table, None))
            if whole is not None:
                places[len(lines)] = whole
            for key, value in keys.items():
                lines.append(f"{_key(key)} = {_value(value)}")
                place = self._places.get((table, key), whole)
                if place is not None:
                    places[len(lines)] = place
        return "\n".join(lines) + "\n", places


def _caller() -> tuple[str, int]:
    """The line outside of this package that asked."""
    frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno


def _key(name: str) -> str:
    return name if name and set(name) <= _BARE else json.dumps(name, ensure_ascii=False)


def _value(value: Any) -> str:
    """A value as TOML; expressions are texts."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, (int, float)) or (not isinstance(value, Expression) and isinstance(plain(value), (int, float))):
        return str(expression(value))
    if isinstance(value, Mapping):
        entries = cast("Mapping[Any, Any]", value)
        inner = ", ".join(f"{_key(str(key).rstrip('_'))} = {_value(it)}" for key, it in entries.items())
        return f"{{ {inner} }}"
    if len(getattr(value, "shape", None) or ()) > 0:
        value = list(cast("Sequence[Any]", value))
    if isinstance(value, (list, tuple)):
        each = cast("Sequence[Any]", value)
        return "[" + ", ".join(_value(it) for it in each) + "]"
    return json.dumps(text(value), ensure_ascii=False)


class Buildable:
    r"""The part of a model that writes tables.

    >>> import dalembert as da
    >>> m = da.Model("Bead on a wire that turns")
    >>> mass, w = m.parameter("m", "0.1 kg"), m.parameter("w", "5 rad/s")
    >>> s = m.coordinate("s", "0.2 m")
    >>> m.energy(kinetic=mass*(s.dot**2 + (w*s)**2)/2)
    >>> m.prove("s'' = w^2*s").equivalent
    True
    >>> print(m.text)
    dalembert = 1
    title = "Bead on a wire that turns"
    <BLANKLINE>
    [parameters]
    m = "0.1 kg"
    w = "5 rad/s"
    <BLANKLINE>
    [coordinates]
    s = "0.2 m"
    <BLANKLINE>
    [energy]
    kinetic = "m*(s'^2 + (w*s)^2)/2"
    <BLANKLINE>
    """

    _builder: Builder | None

    def _write(self) -> Builder:
        raise NotImplementedError

    def parameter(self, name: str, value: Operand) -> Symbol:
        """A constant: a number, a text with a unit, or an expression of other parameters."""
        self._write().put("parameters", name, value)
        return Symbol(name)

    def input(self, name: str, value: Operand = 0) -> Symbol:
        """A value that is set from outside while the model moves."""
        self._write().put("inputs", name, value)
        return Symbol(name)

    def definition(self, name: str, value: Operand) -> Symbol:
        """A named expression."""
        self._write().put("definitions", name, value)
        return Symbol(name)

    def coordinate(self, name: str, start: Operand = 0, *, guess: bool = False) -> Coordinate:
        """A coordinate with its value at the start; "?" is found from the constraints."""
        value = {"value": start, "priority": "guess"} if guess else start
        self._write().put("coordinates", name, value)
        return Coordinate(name)

    def start(self, what: Operand, value: Operand, *, guess: bool = False) -> None:
        """The value of a rate or speed at the start: ``m.start(theta.dot, "2 rad/s")``."""
        self._write().put("start", text(what), {"value": value, "priority": "guess"} if guess else value)

    def speed(self, name: str, value: Operand) -> Symbol:
        """A quasi-velocity, affine in the rates."""
        self._write().put("speeds", name, value)
        return Symbol(name)

    def gravity(self, vector: Vector) -> None:
        """The acceleration of gravity, a vector; acts on every particle and body."""
        self._write().top["gravity"] = text(vector)

    def particle(self, name: str, mass: Operand, position: Vector) -> Symbol:
        """A point mass."""
        self._write().put_table("particle", name, {"mass": mass, "position": text(position)})
        return Symbol(name)

    def frame(self, name: str, attitude: Operand) -> Body:
        """A frame of reference."""
        self._write().put_table("frame", name, {"attitude": attitude})
        return Body(name)

    def body(self, name: str, **keys: Any) -> Body:
        """A rigid body: ``mass``, ``inertia``, ``shape``, ``center``, ``attitude``, ``point``, ``start``; free without the two in the middle."""
        for key in ("center", "attitude"):
            if key in keys:
                keys[key] = text(keys[key])
        for key in ("point", "start"):
            if key in keys:
                keys[key] = {own: text(value) for own, value in keys[key].items()}
        self._write().put_table("body", name, keys)
        return Body(name)

    def energy(self, *, kinetic: Operand | None = None, potential: Operand | None = None, dissipation: Operand | None = None) -> None:
        """A system, or a part of it, by its energies."""
        builder = self._write()
        for key, value in {"kinetic": kinetic, "potential": potential, "dissipation": dissipation}.items():
            if value is not None:
                builder.put("energy", key, value)

    def force(self, name: str, **keys: Any) -> Symbol:
        """A given force: ``generalized={theta: tau}``, or ``on``, ``at``, ``vector``, ``torque``, ``in_``, or ``along`` and ``size``."""
        return self._load("force", name, keys)

    def spring(self, name: str, **keys: Any) -> Symbol:
        """A spring or damper: ``between`` or ``on``, ``stiffness``, ``length``, ``damping``, ``dry``."""
        return self._load("spring", name, keys)

    def constraint(self, name: str, holds: Operand | Sequence[Operand], **keys: Any) -> Symbol:
        """What holds: an equation ``Eq(left, right)``, a contact ``left >= right``, a text, or a list of such."""
        if isinstance(holds, bool):
            raise TypeError(f"an equation is Eq(left, right): == compares in Python, and is {holds} here")
        if isinstance(holds, (list, tuple)):
            several = cast("Sequence[Operand]", holds)
            return self._load("constraint", name, {"holds": [text(it) for it in several], **keys})
        said = text(holds)
        return self._load("constraint", name, {"holds": said, **keys})

    def joint(self, name: str, type: str, between: Sequence[Operand], **keys: Any) -> Symbol:
        """A joint between points of bodies."""
        return self._load("joint", name, {"type": type, "between": [text(it) for it in between], **keys})

    def contact(self, name: str, between: Sequence[Operand], **keys: Any) -> Symbol:
        """A contact by shape."""
        return self._load("contact", name, {"between": [text(it) for it in between], **keys})

    def event(self, name: str, when: Operand, **keys: Any) -> Symbol:
        """What happens when a condition becomes true: ``stop``, ``impact``, ``engage``, ``release``, ``impulse``, ``set``."""
        return self._load("event", name, {"when": text(when), **keys})

    def run_settings(self, **keys: Any) -> None:
        """How to run it: ``span``, ``samples``, ``rtol``, ``until``, ``record`` …"""
        builder = self._write()
        for key, value in keys.items():
            builder.put("run", key.rstrip("_"), value)

    def table(self, kind: str, name: str, **keys: Any) -> None:
        """Any other table of a model file: ``m.table("draw", "bob", point="[x, y, 0]")``."""
        self._write().put_table(kind, name, keys)

    def _load(self, kind: str, name: str, keys: dict[str, Any]) -> Symbol:
        for key in ("vector", "torque", "at"):
            if key in keys:
                keys[key] = text(keys[key])
        self._write().put_table(kind, name, keys)
        return Symbol(name)
