"""A bar that shows how far a run has come."""

from __future__ import annotations

import sys
import time
from types import TracebackType

_WIDTH = 40


class Bar:
    """A bar on the terminal, of one line; away when the work is done."""

    def __init__(self, shown: bool) -> None:
        self._shown = shown
        self._began = time.monotonic()
        self._drawn = False

    def __enter__(self) -> Bar:
        return self

    def show(self, fraction: float) -> None:
        """Shows the fraction that is done."""
        if not self._shown:
            return
        part = min(max(fraction, 0.0), 1.0)
        full = int(_WIDTH * part)
        spent = time.monotonic() - self._began
        left = f"{spent * (1 / part - 1):.0f} s left" if part > 0 else ""
        sys.stderr.write(f"\r{part:4.0%}|{'█' * full}{' ' * (_WIDTH - full)}| {spent:.0f} s, {left}   ")
        sys.stderr.flush()
        self._drawn = True

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._drawn:
            sys.stderr.write("\r" + " " * (_WIDTH + 40) + "\r")
            sys.stderr.flush()
