"""Truncated Taylor polynomials in several variables, and what moving along vector fields in turn reaches (Chow 1939), in doubles.

Shares nothing with the program: derivatives are coefficients of polynomials, spans are orthogonal bases.
"""

import math

import numpy as np

SAME = 1e-7  # part of a vector that a span leaves, if it is not in it


class Space:
    """Polynomials in so many variables, up to a degree."""

    def __init__(self, size, degree):
        self.size, self.degree = size, degree
        self.powers = [p for k in range(degree + 1) for p in self._powers(size, k)]
        place = {p: i for i, p in enumerate(self.powers)}
        total = [sum(p) for p in self.powers]
        pairs = [(i, j) for i in range(len(total)) for j in range(len(total)) if total[i] + total[j] <= degree]
        self.left, self.right = (np.array(side) for side in zip(*pairs, strict=True))
        self.product = np.array([place[tuple(map(sum, zip(self.powers[i], self.powers[j], strict=True)))] for i, j in pairs])
        self.slopes = []
        for v in range(size):
            lower = lambda p: (*p[:v], p[v] - 1, *p[v + 1 :])
            table = [(i, place[lower(p)], p[v]) for i, p in enumerate(self.powers) if p[v]]
            self.slopes.append(tuple(np.array(column, dtype=int) for column in zip(*table, strict=True)))

    @classmethod
    def _powers(cls, size, degree):
        if size == 1:
            yield (degree,)
            return
        for first in range(degree, -1, -1):
            for rest in cls._powers(size - 1, degree - first):
                yield (first, *rest)

    def constant(self, value):
        terms = np.zeros(len(self.powers))
        terms[0] = value
        return Taylor(self, terms)

    def variable(self, k, value):
        result = self.constant(value)
        result.terms[self.powers.index(tuple(int(i == k) for i in range(self.size)))] = 1
        return result


class Taylor:
    """A polynomial beside a point."""

    def __init__(self, space, terms):
        self.space, self.terms = space, terms

    def _taken(self, other):
        return other if isinstance(other, Taylor) else self.space.constant(float(other))

    def __add__(self, other):
        return Taylor(self.space, self.terms + self._taken(other).terms)

    __radd__ = __add__

    def __neg__(self):
        return Taylor(self.space, -self.terms)

    def __sub__(self, other):
        return self + -self._taken(other)

    def __rsub__(self, other):
        return -self + other

    def __mul__(self, other):
        space, other = self.space, self._taken(other)
        weights = self.terms[space.left] * other.terms[space.right]
        return Taylor(space, np.bincount(space.product, weights=weights, minlength=len(space.powers)))

    __rmul__ = __mul__

    def of(self, derivatives):
        """f(self), from the derivatives of f at the point."""
        rest = Taylor(self.space, self.terms.copy())
        rest.terms[0] = 0
        result = self.space.constant(0.0)
        for k in range(self.space.degree, -1, -1):
            result = result * rest + derivatives[k] / math.factorial(k)
        return result

    def _orders(self):
        return range(self.space.degree + 1)

    def inverse(self):
        x = self.terms[0]
        return self.of([(-1) ** k * math.factorial(k) / x ** (k + 1) for k in self._orders()])

    def __truediv__(self, other):
        return self * self._taken(other).inverse()

    def __rtruediv__(self, other):
        return self.inverse() * other

    def __pow__(self, power):
        result = self.space.constant(1.0)
        for _ in range(abs(power)):
            result = result * self
        return result.inverse() if power < 0 else result

    def sin(self):
        return self.of([math.sin(self.terms[0] + k * math.pi / 2) for k in self._orders()])

    def cos(self):
        return self.of([math.cos(self.terms[0] + k * math.pi / 2) for k in self._orders()])

    def exp(self):
        return self.of([math.exp(self.terms[0])] * (self.space.degree + 1))

    def slope(self, k):
        source, to, factor = self.space.slopes[k]
        terms = np.zeros_like(self.terms)
        terms[to] = self.terms[source] * factor
        return Taylor(self.space, terms)


def free_directions(rows, space):
    """Fields along which all rows vanish, and the rank of the rows."""
    rows, left, solved = [list(row) for row in rows], list(range(len(rows))), {}
    while left:
        open_entries = [(abs(rows[i][k].terms[0]), i, k) for i in left for k in range(space.size) if k not in solved]
        size, i, k = max(open_entries, default=(0, 0, 0))
        if size < SAME:
            break
        pivot = rows[i][k].inverse()
        rows[i] = [x * pivot for x in rows[i]]
        for j in range(len(rows)):
            if j != i:
                factor = rows[j][k]
                rows[j] = [a - factor * b for a, b in zip(rows[j], rows[i], strict=True)]
        solved[k] = i
        left.remove(i)
    fields = []
    for free in (k for k in range(space.size) if k not in solved):
        part = lambda k: -rows[solved[k]][free] if k in solved else space.constant(float(k == free))
        fields.append([part(k) for k in range(space.size)])
    return fields, len(solved)


def bracket(x, y, space):
    """[X, Y] = X(Y) − Y(X)."""
    total = lambda c: sum((x[k] * y[c].slope(k) - y[k] * x[c].slope(k) for k in range(space.size)), space.constant(0.0))
    return [total(c) for c in range(space.size)]


def reached(rows, space):
    """Dimensions with brackets of one, two, … directions, a basis of what they span, and the rank of the rows."""
    fields, rank = free_directions(rows, space)
    basis, growth, newest = np.zeros((0, space.size)), [], fields
    for _ in range(space.degree + 1):
        fresh = []
        for field in newest:
            vector = np.array([part.terms[0] for part in field])
            size = np.linalg.norm(vector)
            rest = vector / size if size > SAME else 0 * vector
            for _ in range(2):
                rest = rest - basis.T @ (basis @ rest)
            if np.linalg.norm(rest) > SAME:
                basis = np.vstack([basis, rest / np.linalg.norm(rest)])
                fresh.append(field)
        if growth and len(basis) == growth[-1]:
            break
        growth.append(len(basis))
        newest = [bracket(x, y, space) for y in fresh for x in fields]
    return growth, basis, rank
