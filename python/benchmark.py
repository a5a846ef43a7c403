"""What the Python package costs: import, reports, steps, and 10 000 double pendulums beside SciPy and MuJoCo.

    python benchmark.py [--count 10000] [--scipy 200]

SciPy runs as many variants as are asked for, and is extrapolated; MuJoCo (if it is installed) runs all of them by `rollout`. Each peer gets the
coarsest tolerance or step that keeps the largest error of all angles at the end below 1e-4, on a sample of the variants.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import dalembert as da

ERROR = 1e-4
SPAN = 10.0
M1, M2, L1, L2, G = 1.0, 0.5, 1.0, 0.7, 9.81


def best(work: Callable[[], object], repeat: int) -> float:
    """Seconds of the quickest of several calls."""
    times: list[float] = []
    for _ in range(repeat):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return min(times)


def report(what: str, value: str) -> None:
    print(f"{what:<60} {value}", flush=True)


def importing() -> None:
    """The import, beside NumPy's."""

    def spent(module: str) -> float:
        code = f"import time; t = time.perf_counter(); import {module}; print(time.perf_counter() - t)"
        return min(float(subprocess.check_output([sys.executable, "-c", code])) for _ in range(5))

    report("import dalembert (of which NumPy)", f"{1e3 * spent('dalembert'):.0f} ms ({1e3 * spent('numpy'):.0f} ms)")


def reports() -> None:
    """Load, check and derive of the disk."""

    def work() -> None:
        model = da.gallery("rolling-disk")
        model.check()
        model.derive()

    report("load + check + derive of the rolling disk", f"{1e3 * best(work, 10):.1f} ms")


def steps() -> None:
    """A step, beside the same time in one call."""
    model = da.gallery("double-pendulum").set({"a": 0.3, "b": 0.2, "b'": 0.0})
    sim = model.simulator(rtol=1e-6)
    sim.step(0.1)
    count, dt = 20000, 1e-3

    def single() -> None:
        step = sim.step
        for _ in range(count):
            step(dt)

    native = sim._native  # pyright: ignore[reportPrivateUsage]

    def inside() -> None:
        native.steps(dt, count)

    each, alone = best(single, 5) / count, best(inside, 5) / count
    report("sim.step of the double pendulum (integration alone)", f"{1e6 * each:.2f} µs ({1e6 * alone:.2f} µs)")
    empty = best(lambda: [native.t for _ in range(count)], 5) / count
    report("a call into the package that does nothing", f"{1e6 * empty:.2f} µs")


def by_scipy(starts: np.ndarray, rtol: float, method: str) -> np.ndarray:
    """The ends of variants, one after the other; as few operations in Python as there can be."""
    from math import cos, sin

    from scipy.integrate import solve_ivp

    def f(t: float, y: Any) -> list[float]:
        a, b, u, v = y
        s, c = sin(a - b), cos(a - b)
        p = -M2 * L1 * L2 * v * v * s - (M1 + M2) * G * L1 * sin(a)
        q = M2 * L1 * L2 * u * u * s - M2 * G * L2 * sin(b)
        m11, m12, m22 = (M1 + M2) * L1 * L1, M2 * L1 * L2 * c, M2 * L2 * L2
        d = m11 * m22 - m12 * m12
        return [u, v, (m22 * p - m12 * q) / d, (m11 * q - m12 * p) / d]

    ends = [solve_ivp(f, (0, SPAN), [a, b, 0.0, 0.0], method=method, rtol=rtol, atol=rtol, t_eval=[SPAN]).y[:, -1] for a, b in starts]
    return np.array(ends)


MUJOCO = f"""
<mujoco><option gravity="0 0 -{G}" timestep="DT" integrator="RK4"/>
<worldbody><body><joint name="a" type="hinge" axis="0 -1 0"/><inertial pos="0 0 -{L1}" mass="{M1}" diaginertia="1e-12 1e-12 1e-12"/>
<body pos="0 0 -{L1}"><joint name="b" type="hinge" axis="0 -1 0"/><inertial pos="0 0 -{L2}" mass="{M2}" diaginertia="1e-12 1e-12 1e-12"/></body>
</body></worldbody></mujoco>
"""


def by_mujoco(starts: np.ndarray, dt: float) -> np.ndarray:
    """The ends of all variants by `rollout`, on all cores."""
    import mujoco
    from mujoco import rollout

    model = mujoco.MjModel.from_xml_string(MUJOCO.replace("DT", repr(dt)))
    data = [mujoco.MjData(model) for _ in range(os.cpu_count() or 1)]
    size = mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    initial = np.zeros((len(starts), size))
    initial[:, 1], initial[:, 2] = starts[:, 0], starts[:, 1] - starts[:, 0]
    count = round(SPAN / dt)
    found, _ = rollout.rollout(model, data, initial, nstep=count)
    end = found[:, -1]
    return np.stack([end[:, 1], end[:, 1] + end[:, 2]], axis=1)


def batch(count: int, scipy_count: int) -> None:
    """10 000 variants over ten seconds."""
    starts = np.random.default_rng(1).uniform(-0.5, 0.5, (count, 2))
    model = da.gallery("double-pendulum").set({"b'": 0.0})
    some = starts[:: max(1, count // 200)]

    def ours(of: np.ndarray, rtol: float) -> da.Many:
        return model.run_many(start={"a": of[:, 0], "b": of[:, 1]}, span=SPAN, rtol=rtol, progress=False)

    exact = ours(some, 1e-11).y[:, -1, :2]

    def coarsest(what: Callable[[float], np.ndarray], choices: list[float]) -> float:
        for choice in choices:
            if np.abs(what(choice)[:, :2] - exact).max() < ERROR:
                return choice
        raise SystemExit("no setting is accurate enough")

    tolerances = [10.0 ** (-k / 2) for k in range(6, 22)]
    rtol = coarsest(lambda rtol: ours(some, rtol).y[:, -1, :2], tolerances)
    spent = best(lambda: ours(starts, rtol), 3)
    many = ours(starts, rtol)
    assert many.success.all()
    report(f"{count} double pendulums, run_many, rtol {rtol:.0e}", f"{spent:.3f} s ({many.in_lanes} in lanes)")
    times: dict[str, float] = {}
    few = some[:scipy_count]
    for method in ("DOP853", "RK45", "LSODA"):
        chosen = coarsest(lambda rtol, method=method: _padded(by_scipy(some[:50], rtol, method), exact), tolerances)
        times[f"{method}, tolerance {chosen:.0e}"] = best(lambda c=chosen, m=method: by_scipy(few, c, m), 1) * count / len(few)
    name = min(times, key=lambda it: times[it])
    report(f"the same by SciPy, {name}, from {len(few)}", f"{times[name]:.1f} s: {times[name] / spent:.0f} times as long")
    try:
        import mujoco  # noqa: F401
    except ImportError:
        report("MuJoCo", "not installed")
        return
    dt = coarsest(lambda dt: by_mujoco(some, dt), [0.05, 0.04, 0.025, 0.02, 0.0125, 0.01, 0.005, 0.0025, 0.002, 0.001])
    peer = best(lambda: by_mujoco(starts, dt), 2)
    report(f"the same by MuJoCo's rollout, RK4, step {dt:g}", f"{peer:.2f} s: {peer / spent:.1f} times as long")


def _padded(found: np.ndarray, exact: np.ndarray) -> np.ndarray:
    """As many rows as there are exact ones, so that what was not run counts as right."""
    whole = exact.copy()
    whole[: len(found)] = found[:, :2]
    return whole


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=10000)
    parser.add_argument("--scipy", type=int, default=200)
    options = parser.parse_args()
    importing()
    reports()
    steps()
    batch(options.count, options.scipy)


if __name__ == "__main__":
    main()
