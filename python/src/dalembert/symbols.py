"""Symbols and expressions, as those of SymPy: operators build the text of the model."""

from __future__ import annotations

import importlib
import numbers
import re
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Union, cast

if TYPE_CHECKING:
    import numpy as np
    import sympy
    from numpy.typing import NDArray

# How tightly what was written last binds.
_COMPARISON, _SUM, _PRODUCT, _SIGN, _POWER, _ATOM = range(6)

Number = Union[int, float, Fraction]
Operand = Union["Expression", int, float, Fraction, str, "np.number[Any]", "sympy.Basic"]
"""What stands beside an expression: another, a number, a text of the model's language, or SymPy's."""

Vector = Union[Operand, Sequence[Operand], "NDArray[Any]"]
"""A vector: a list of its components, an array or a matrix, or an expression."""


class Expression:
    """An expression in the model's language. ``str`` is its text, ``to_sympy`` gives it to SymPy.

    >>> import dalembert as da
    >>> from dalembert.symbols import cos
    >>> m, theta = da.Symbol("m"), da.Coordinate("theta")
    >>> m*theta.dot**2/2 - cos(theta)
    m*theta'^2/2 - cos(theta)
    """

    def __init__(self, text: str, binds: int = _ATOM, moving: frozenset[str] = frozenset()) -> None:
        self._text = text
        self._binds = binds
        self._moving = moving
        """Names in it that are known to be coordinates."""

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return self._text

    def _within(self, binds: int) -> str:
        return self._text if self._binds >= binds else f"({self._text})"

    def _both(self, sign: str, left: Expression, right: Expression, binds: int) -> Expression:
        # What stands on the right of - or / binds more tightly.
        text = f"{left._within(binds)}{sign}{right._within(binds + 1)}"
        return Expression(text, binds, left._moving | right._moving)

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
        return Expression(f"{self._within(_ATOM)}^{exponent._within(_ATOM)}", _POWER, self._moving | exponent._moving)

    def __rpow__(self, other: Operand) -> Expression:
        return expression(other).__pow__(self)

    def __neg__(self) -> Expression:
        return Expression(f"-{self._within(_POWER)}", _SUM, self._moving)

    def __abs__(self) -> Expression:
        return Expression(f"abs({self})", _ATOM, self._moving)

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
        right = expression(other)
        return Expression(f"{self._within(_SUM)}{sign}{right._within(_SUM)}", _COMPARISON, self._moving | right._moving)

    def __bool__(self) -> bool:
        if self._binds == _COMPARISON:
            raise TypeError("a condition of a model has no truth value in Python: hand it to the model")
        return True

    @property
    def x(self) -> Expression:
        """The first component of a vector."""
        return Expression(f"{self._within(_ATOM)}.x", _ATOM, self._moving)

    @property
    def y(self) -> Expression:
        """The second component of a vector."""
        return Expression(f"{self._within(_ATOM)}.y", _ATOM, self._moving)

    @property
    def z(self) -> Expression:
        """The third component of a vector."""
        return Expression(f"{self._within(_ATOM)}.z", _ATOM, self._moving)

    def to_sympy(self) -> Any:
        """The same as SymPy's: parameters are symbols, what moves is a function of t."""
        return to_sympy(self._text, sorted(self._moving))

    def _sympy_(self) -> Any:
        """What SymPy's own functions and operators take it for."""
        try:
            return self.to_sympy()
        except (TypeError, ValueError) as error:
            raise _sympy().SympifyError(str(self), error) from None


class Symbol(Expression):
    """A name of the model."""


class Coordinate(Symbol):
    """A coordinate: ``theta.dot`` is its rate, ``theta.ddot`` its acceleration.

    >>> import dalembert as da
    >>> theta = da.Coordinate("theta")
    >>> theta.dot, theta.ddot.to_sympy()
    (theta', Derivative(theta(t), (t, 2)))
    """

    def __init__(self, text: str) -> None:
        super().__init__(text, _ATOM, frozenset({text}))

    @property
    def dot(self) -> Expression:
        """Its rate."""
        return Expression(f"{self}'", _ATOM, self._moving)

    @property
    def ddot(self) -> Expression:
        """Its acceleration."""
        return Expression(f"{self}''", _ATOM, self._moving)


def plain(value: object) -> int | float | Fraction | None:
    """Python's number of a number of any library, such as NumPy and SymPy; none of what is no number."""
    if isinstance(value, (bool, str)):
        return None
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    if isinstance(value, numbers.Real):
        return float(value)
    # An array without axes, as NumPy's functions give.
    if getattr(value, "shape", None) == ():
        return plain(getattr(value, "item", lambda: None)())
    return None


def expression(value: Operand) -> Expression:
    """An expression of a number, a text, SymPy's, or of what is one already."""
    if isinstance(value, Expression):
        return value
    if isinstance(value, bool):
        raise TypeError(f"{value} is no number of a model")
    if isinstance(value, str):
        return Expression(value, _ATOM if re.fullmatch(r"[\w.']+|\d[\d.eE+-]*", value) else -1)
    number = plain(value)
    if isinstance(number, Fraction):
        return Expression(str(number), _PRODUCT if number >= 0 else _SUM)
    if number is not None:
        if number != number or number in (float("inf"), float("-inf")):
            raise ValueError(f"{number} is no number of a model")
        return Expression(repr(number), _ATOM if number >= 0 else _SUM)
    written = from_sympy(value)
    functions = cast("Any", value).atoms(_sympy().core.function.AppliedUndef)
    moving = frozenset(str(it.func.__name__) for it in functions)
    return Expression(written, _ATOM if re.fullmatch(r"[A-Za-z_][\w.]*'*", written) else -1, moving)


def vector(x: Operand, y: Operand, z: Operand = 0) -> Expression:
    """A vector of three components, in world axes.

    >>> import dalembert as da
    >>> da.vector(da.Symbol("l"), 0)
    [l, 0, 0]
    """
    parts = [expression(it) for it in (x, y, z)]
    return Expression("[" + ", ".join(str(it) for it in parts) + "]", _ATOM, _all_moving(parts))


def _all_moving(parts: Sequence[Expression]) -> frozenset[str]:
    return frozenset[str]().union(*(it._moving for it in parts))  # pyright: ignore[reportPrivateUsage]


def _whole(value: Vector) -> Expression:
    """An expression of a value; a list, an array or a matrix of three is a vector."""
    given: Any = value
    if not isinstance(given, (list, tuple)) and len(getattr(given, "shape", None) or ()) > 0:
        given = list(given)
    if isinstance(given, (list, tuple)):
        several = cast("Sequence[Operand]", given)
        if len(several) not in (2, 3):
            raise ValueError(f"a vector has three components, or two in the plane; {value!r} has {len(several)}")
        return vector(*several)
    return expression(given)


def text(value: Vector) -> str:
    """The text of a value; a list of three is a vector."""
    return str(_whole(value))


def equal(left: Vector, right: Vector) -> Expression:
    """An equation: ``Eq(x**2 + y**2, l**2)``.

    >>> import dalembert as da
    >>> x, l = da.Coordinate("x"), da.Symbol("l")
    >>> da.Eq(x**2, l**2)
    x^2 = l^2
    """
    sides = [_whole(left), _whole(right)]
    return Expression(f"{sides[0]} = {sides[1]}", _COMPARISON, _all_moving(sides))


def _function(name: str) -> Any:
    def call(*arguments: Vector) -> Expression:
        given = [_whole(it) for it in arguments]
        return Expression(f"{name}({', '.join(str(it) for it in given)})", _ATOM, _all_moving(given))

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
    """The text of SymPy's expression or equation: functions of t are coordinates, derivatives by t their rates.

    >>> import sympy
    >>> from_sympy(sympy.Symbol("k")*sympy.Function("x")(sympy.Symbol("t")).diff()**2)
    "k*x'^2"
    """
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
            one_over = {"sec": "cos", "csc": "sin", "cot": "tan"}
            if name in one_over:
                return f"(1/{one_over[name]}({self._print(expr.args[0])}))"
            return f"{name}({', '.join(self._print(it) for it in expr.args)})"

        def _print_Float(self, expr: Any) -> str:
            # All digits: what is saved is what was given.
            return repr(float(expr)) if float(expr) == expr else str(expr)

        def _print_Exp1(self, expr: Any) -> str:
            return "exp(1)"

        def _no_number(self, expr: Any) -> str:
            raise ValueError(f"{expr} is no number of a model")

        _print_Infinity = _print_NegativeInfinity = _print_ComplexInfinity = _print_NaN = _print_ImaginaryUnit = _no_number
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


# A name, and not the exponent of a number.
_NAME = re.compile(r"(?<![\w.])(?P<name>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)(?P<primes>'*)(?P<call>\s*\()?")


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
