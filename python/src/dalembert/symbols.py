"""Symbols and expressions, as those of SymPy: operators build the text of the model."""

from __future__ import annotations

import importlib
import re
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Union

if TYPE_CHECKING:
    import sympy

# How tightly what was written last binds.
_COMPARISON, _SUM, _PRODUCT, _SIGN, _POWER, _ATOM = range(6)

Number = Union[int, float, Fraction]
Operand = Union["Expression", int, float, Fraction, str, "sympy.Basic"]
"""What stands beside an expression: another, a number, a text of the model's language, or SymPy's."""


class Expression:
    """An expression in the model's language. ``str`` is its text, ``to_sympy`` gives it to SymPy."""

    def __init__(self, text: str, binds: int = _ATOM) -> None:
        self._text = text
        self._binds = binds

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return self._text

    def _within(self, binds: int) -> str:
        return self._text if self._binds >= binds else f"({self._text})"

    def _both(self, sign: str, left: Expression, right: Expression, binds: int) -> Expression:
        # What stands on the right of - or / binds more tightly.
        text = f"{left._within(binds)}{sign}{right._within(binds + 1)}"
        return Expression(text, binds)

    def __add__(self, other: Operand) -> Expression:
        return self._both(" + ", self, expression(other), _SUM)

    def __radd__(self, other: Operand) -> Expression:
        return self._both(" + ", expression(other), self, _SUM)

    def __sub__(self, other: Operand) -> Expression:
        return self._both(" - ", self, expression(other), _SUM)

    def __rsub__(self, other: Operand) -> Expression:
        return self._both(" - ", expression(other), self, _SUM)

    def __mul__(self, other: Operand) -> Expression:
        return self._both("*", self, expression(other), _PRODUCT)

    def __rmul__(self, other: Operand) -> Expression:
        return self._both("*", expression(other), self, _PRODUCT)

    def __truediv__(self, other: Operand) -> Expression:
        return self._both("/", self, expression(other), _PRODUCT)

    def __rtruediv__(self, other: Operand) -> Expression:
        return self._both("/", expression(other), self, _PRODUCT)

    def __pow__(self, other: Operand) -> Expression:
        exponent = expression(other)
        return Expression(f"{self._within(_ATOM)}^{exponent._within(_ATOM)}", _POWER)

    def __rpow__(self, other: Operand) -> Expression:
        return expression(other).__pow__(self)

    def __neg__(self) -> Expression:
        return Expression(f"-{self._within(_POWER)}", _SUM)

    def __pos__(self) -> Expression:
        return self

    def __lt__(self, other: Operand) -> Expression:
        return self._compared(" < ", other)

    def __le__(self, other: Operand) -> Expression:
        return self._compared(" <= ", other)

    def __gt__(self, other: Operand) -> Expression:
        return self._compared(" > ", other)

    def __ge__(self, other: Operand) -> Expression:
        return self._compared(" >= ", other)

    def _compared(self, sign: str, other: Operand) -> Expression:
        return Expression(f"{self._within(_SUM)}{sign}{expression(other)._within(_SUM)}", _COMPARISON)

    def __bool__(self) -> bool:
        if self._binds == _COMPARISON:
            raise TypeError("a condition of a model has no truth value in Python: hand it to the model")
        return True

    @property
    def x(self) -> Expression:
        """The first component of a vector."""
        return Expression(f"{self._within(_ATOM)}.x")

    @property
    def y(self) -> Expression:
        """The second component of a vector."""
        return Expression(f"{self._within(_ATOM)}.y")

    @property
    def z(self) -> Expression:
        """The third component of a vector."""
        return Expression(f"{self._within(_ATOM)}.z")

    def to_sympy(self) -> Any:
        """The same as SymPy's: parameters are symbols, what moves is a function of t."""
        return to_sympy(self._text)


class Symbol(Expression):
    """A name of the model."""


class Coordinate(Symbol):
    """A coordinate: ``theta.dot`` is its rate, ``theta.ddot`` its acceleration."""

    @property
    def dot(self) -> Expression:
        """Its rate."""
        return Expression(f"{self}'")

    @property
    def ddot(self) -> Expression:
        """Its acceleration."""
        return Expression(f"{self}''")


def expression(value: Operand) -> Expression:
    """An expression of a number, a text, SymPy's, or of what is one already."""
    if isinstance(value, Expression):
        return value
    if isinstance(value, bool):
        raise TypeError(f"{value} is no number of a model")
    if isinstance(value, str):
        return Expression(value, _ATOM if re.fullmatch(r"[\w.']+|\d[\d.eE+-]*", value) else -1)
    if isinstance(value, Fraction):
        return Expression(str(value), _PRODUCT)
    if isinstance(value, (int, float)):
        if value != value or value in (float("inf"), float("-inf")):
            raise ValueError(f"{value} is no number of a model")
        return Expression(repr(value), _ATOM if value >= 0 else _SUM)
    return Expression(from_sympy(value), -1)


def vector(x: Operand, y: Operand, z: Operand = 0) -> Expression:
    """A vector of three components, in world axes."""
    return Expression("[" + ", ".join(str(expression(it)) for it in (x, y, z)) + "]")


def text(value: Operand | Sequence[Operand]) -> str:
    """The text of a value; a list of three is a vector."""
    if isinstance(value, (list, tuple)):
        return str(vector(*value))
    return str(expression(value))  # pyright: ignore[reportArgumentType]


def equal(left: Operand | Sequence[Operand], right: Operand | Sequence[Operand]) -> Expression:
    """An equation: ``Eq(x**2 + y**2, l**2)``."""
    return Expression(f"{text(left)} = {text(right)}", _COMPARISON)


def _function(name: str) -> Any:
    def call(*arguments: Operand) -> Expression:
        return Expression(f"{name}({', '.join(str(expression(it)) for it in arguments)})")

    call.__name__ = name
    call.__doc__ = f"``{name}`` of the model's language."
    return call


sin, cos, tan = _function("sin"), _function("cos"), _function("tan")
asin, acos, atan, atan2 = _function("asin"), _function("acos"), _function("atan"), _function("atan2")
sinh, cosh, tanh = _function("sinh"), _function("cosh"), _function("tanh")
exp, log, sqrt = _function("exp"), _function("log"), _function("sqrt")
sign, minimum, maximum = _function("sign"), _function("min"), _function("max")
absolute = _function("abs")
dot, cross, norm = _function("dot"), _function("cross"), _function("norm")
pos, vel, acc, omega = _function("pos"), _function("vel"), _function("acc"), _function("omega")
point = _function("point")
Rx, Ry, Rz = _function("Rx"), _function("Ry"), _function("Rz")

t = Symbol("t")
"""Time."""
pi = Symbol("pi")
"""π."""


def _sympy() -> Any:
    """SymPy, which has no types."""
    return importlib.import_module("sympy")


def from_sympy(value: Any) -> str:
    """The text of SymPy's expression or equation: functions of t are coordinates, derivatives by t their rates."""
    sympy = _sympy()
    AppliedUndef, StrPrinter = sympy.core.function.AppliedUndef, importlib.import_module("sympy.printing.str").StrPrinter
    if not isinstance(value, sympy.Basic):
        raise TypeError(f"{value!r} is neither a number, a text, nor an expression")

    class Printer(StrPrinter):
        def _print_Derivative(self, expr: Any) -> str:
            of, *by = expr.args
            order = sum(count for _, count in by)
            if not isinstance(of, AppliedUndef) or len(by) != 1 or str(by[0][0]) != "t" or order > 2:
                raise ValueError(f"{expr} is no rate of a coordinate")
            return f"{of.func.__name__}{chr(39) * int(order)}"

        def _print_Function(self, expr: Any) -> str:
            if isinstance(expr, AppliedUndef):
                if [str(it) for it in expr.args] != ["t"]:
                    raise ValueError(f"{expr} is no coordinate: coordinates are functions of t")
                return str(expr.func.__name__)
            names = {"Abs": "abs", "Min": "min", "Max": "max"}
            name = names.get(expr.func.__name__, expr.func.__name__)
            return f"{name}({', '.join(self._print(it) for it in expr.args)})"

        _print_Abs = _print_Min = _print_Max = _print_Function

        def _print_Pow(self, expr: Any, rational: bool = False) -> str:
            base, exponent = expr.as_base_exp()
            if exponent == sympy.Rational(1, 2):
                return f"sqrt({self._print(base)})"
            return str(StrPrinter._print_Pow(self, expr, rational)).replace("**", "^")

        def _print_Relational(self, expr: Any) -> str:
            sign = "=" if expr.rel_op == "==" else expr.rel_op
            return f"{self._print(expr.lhs)} {sign} {self._print(expr.rhs)}"

    return str(Printer({"order": None}).doprint(value)).replace("**", "^")


_NAME = re.compile(r"(?P<name>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)(?P<primes>'*)(?P<call>\s*\()?")


def to_sympy(written: str, coordinates: Sequence[str] | None = None) -> Any:
    """SymPy's expression of a text of the model's language.

    Names with primes, and those among ``coordinates``, are functions of t; all others are real symbols.
    """
    sympy = _sympy()
    time = sympy.Symbol("t", real=True)
    moving = set(coordinates or ())
    moving |= {found["name"] for found in _NAME.finditer(written) if found["primes"]}
    names: dict[str, Any] = {"t": time}
    functions = {"abs": sympy.Abs, "min": sympy.Min, "max": sympy.Max}

    def put(found: re.Match[str]) -> str:
        name, primes = found["name"], len(found["primes"])
        if found["call"]:
            names[name] = functions.get(name, getattr(sympy, name, None))
            if names[name] is None:
                raise ValueError(f"SymPy has no function {name}")
            return f"{name}("
        if name == "pi":
            names[name] = sympy.pi
            return name
        key = f"{name.replace('.', '_')}_{primes}_"
        if name == "t":
            return name
        if name in moving:
            function = sympy.Function(name, real=True)(time)
            names[key] = function if primes == 0 else sympy.Derivative(function, (time, primes))
        else:
            names[key] = sympy.Symbol(name, real=True)
        return key

    sides = written.split("=") if not re.search(r"[<>]=", written) else [written]
    read = [sympy.sympify(_NAME.sub(put, side).replace("^", "**"), locals=names, rational=True) for side in sides]
    return sympy.Eq(*read, evaluate=False) if len(read) == 2 else read[0]
