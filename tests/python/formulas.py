"""Formulas of model files in Python, by a road of their own: text to numbers of fifty digits, or to jets.

Nothing here comes from the program under test: the grammar is read again, values are mpmath's, and derivatives are those
of jets (value, gradient, Hessian), so that a mistake of the program's calculus cannot hide behind the same mistake here.
"""

import re

import mpmath
import numpy
from mpmath import mp, mpf

mp.dps = 50
TOKEN = re.compile(r"\s*(?:(\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+)|((?:lambda|reaction)\([\w.]+\))|([A-Za-z_][\w.]*'*)|(\*\*|[-+*/^(),=]))")
CACHE = {}


class Undefined(Exception):
    """The formula has no real value at this state."""


def python(text):
    """The formula as a Python expression over N, F and v."""
    parts, at = [], 0
    text = text.strip()
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            raise ValueError(f"cannot read {text[at:]!r} in {text!r}")
        number, multiplier, name, sign = match.groups()
        at = match.end()
        if number:
            parts.append(f'N("{number}")')
        elif multiplier:
            parts.append(f'v["{multiplier}"]')
        elif name:
            function = at < len(text) and text[at:].lstrip().startswith("(")
            parts.append(f"F.{name}" if function else f'v["{name}"]')
        else:
            parts.append("**" if sign == "^" else sign)
    return "".join(parts)


def value(text, values):
    """A formula's value; `values` holds mpf or jets."""
    code = CACHE.get(text)
    if code is None:
        code = CACHE[text] = compile(python(text), text[:60], "eval")
    try:
        result = eval(code, {"N": mpf, "F": Functions, "v": values})
    except (ZeroDivisionError, OverflowError) as error:
        raise Undefined(f"{error}: {text[:200]}") from error
    if isinstance(result, mpmath.mpc) or (isinstance(result, mpf) and not mpmath.isfinite(result)):
        raise Undefined(f"no real value: {text[:200]}")
    return result


class Jet:
    """A value with its gradient and, where asked for, its Hessian by the independent quantities; a constant has neither.

    Arrays stand first in products: mpmath would write them out to see whether they are numbers.
    """

    __slots__ = ("v", "g", "h")

    def __init__(self, v, g=None, h=None):
        self.v, self.g, self.h = v, g, h

    def chain(self, f, f1, f2):
        if self.g is None:
            return Jet(f)
        return Jet(f, self.g * f1, None if self.h is None else self.h * f1 + numpy.outer(self.g, self.g) * f2)

    def times(self, factor):
        return Jet(self.v * factor, None if self.g is None else self.g * factor, None if self.h is None else self.h * factor)

    def __neg__(self):
        return self.times(mpf(-1))

    def __pos__(self):
        return self

    def __add__(self, other):
        other = jet(other)
        if self.g is None or other.g is None:
            one = other if self.g is None else self
            return Jet(self.v + other.v, one.g, one.h)
        return Jet(self.v + other.v, self.g + other.g, None if self.h is None else self.h + other.h)

    def __sub__(self, other):
        return self + -jet(other)

    def __rsub__(self, other):
        return jet(other) + -self

    def __mul__(self, other):
        other = jet(other)
        if other.g is None:
            return self.times(other.v)
        if self.g is None:
            return other.times(self.v)
        g = other.g * self.v + self.g * other.v
        if self.h is None:
            return Jet(self.v * other.v, g)
        mixed = numpy.outer(self.g, other.g)
        return Jet(self.v * other.v, g, other.h * self.v + self.h * other.v + mixed + mixed.T)

    def __truediv__(self, other):
        other = jet(other)
        return self * other.chain(1 / other.v, -1 / other.v**2, 2 / other.v**3)

    def __rtruediv__(self, other):
        return jet(other) / self

    def __pow__(self, other):
        other = jet(other)
        if other.g is None:
            n, u = other.v, self.v
            if n == 0:
                return Jet(mpf(1))
            if n == 1:
                return self
            return self.chain(real(u**n), n * real(u ** (n - 1)), n * (n - 1) * real(u ** (n - 2)) if n != 2 else mpf(2))
        return Functions.exp(other * Functions.log(self))

    def __rpow__(self, other):
        return jet(other) ** self

    __radd__, __rmul__ = __add__, __mul__


def real(value):
    if isinstance(value, mpmath.mpc):
        raise Undefined("no real value")
    return value


def jet(value):
    return value if isinstance(value, Jet) else Jet(mpf(value))


def variables(values, second=True):
    """Independent quantities as jets."""
    names = list(values)
    n = len(names)
    jets = {}
    for i, name in enumerate(names):
        gradient = numpy.array([mpf(int(i == j)) for j in range(n)], dtype=object)
        jets[name] = Jet(mpf(values[name]), gradient, numpy.full((n, n), mpf(0), dtype=object) if second else None)
    return jets


def lifted(f, derivatives):
    def function(u):
        if isinstance(u, Jet):
            return u.chain(real(f(u.v)), *(map(real, derivatives(u.v)) if u.g is not None else (0, 0)))
        return real(f(mpf(u)))

    return staticmethod(function)


def sign(u):
    return mpf((u > 0) - (u < 0))


class Functions:
    sin = lifted(mpmath.sin, lambda u: (mpmath.cos(u), -mpmath.sin(u)))
    cos = lifted(mpmath.cos, lambda u: (-mpmath.sin(u), -mpmath.cos(u)))
    tan = lifted(mpmath.tan, lambda u: (1 / mpmath.cos(u) ** 2, 2 * mpmath.tan(u) / mpmath.cos(u) ** 2))
    asin = lifted(mpmath.asin, lambda u: (1 / mpmath.sqrt(1 - u * u), u / mpmath.sqrt(1 - u * u) ** 3))
    acos = lifted(mpmath.acos, lambda u: (-1 / mpmath.sqrt(1 - u * u), -u / mpmath.sqrt(1 - u * u) ** 3))
    atan = lifted(mpmath.atan, lambda u: (1 / (1 + u * u), -2 * u / (1 + u * u) ** 2))
    sinh = lifted(mpmath.sinh, lambda u: (mpmath.cosh(u), mpmath.sinh(u)))
    cosh = lifted(mpmath.cosh, lambda u: (mpmath.sinh(u), mpmath.cosh(u)))
    tanh = lifted(mpmath.tanh, lambda u: (1 / mpmath.cosh(u) ** 2, -2 * mpmath.tanh(u) / mpmath.cosh(u) ** 2))
    exp = lifted(mpmath.exp, lambda u: (mpmath.exp(u), mpmath.exp(u)))
    log = lifted(mpmath.log, lambda u: (1 / u, -1 / u**2))
    sqrt = lifted(mpmath.sqrt, lambda u: (1 / (2 * mpmath.sqrt(u)), -1 / (4 * mpmath.sqrt(u) ** 3)))
    abs = lifted(abs, lambda u: (sign(u), mpf(0)))
    sign = lifted(sign, lambda u: (mpf(0), mpf(0)))

    @staticmethod
    def smooth_sign(u, width):
        return Functions.tanh(u / width)

    @staticmethod
    def atan2(y, x):
        if not isinstance(y, Jet) and not isinstance(x, Jet):
            return mpmath.atan2(y, x)
        y, x = jet(y), jet(x)
        shape = Functions.atan(y / x) if abs(x.v) > abs(y.v) else -Functions.atan(x / y)
        return Jet(mpmath.atan2(y.v, x.v), shape.g, shape.h)

    @staticmethod
    def max(*terms):
        return max(terms, key=lambda term: term.v if isinstance(term, Jet) else term)

    @staticmethod
    def min(*terms):
        return min(terms, key=lambda term: term.v if isinstance(term, Jet) else term)
