"""Sweeps: on this machine, by executors, Dask and Ray; shares, losses, and what reads the results."""

from __future__ import annotations

import importlib
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dalembert as da

from conftest import EXAMPLES, solve_ivp

PLAN: dict[str, Any] = {
    "design": "sobol",
    "runs": 600,
    "chunk": 32,
    "vary": {
        "a": {"from": -0.5, "to": "30 deg"},
        "b": {"mean": "0.1 rad", "deviation": 0.2},
        "m2": {"from": 0.5, "to": 2, "scale": "log"},
    },
    "run": {"span": 2, "rtol": 1e-8},
    "results": {"top": "max(a)", "swing": "max(b) - min(b)", "end": "b'", "early": "t when b > 0.05", "drift": "max(energy) - min(energy)"},
}


@pytest.fixture
def pendulum2() -> da.Model:
    """The double pendulum of the gallery."""
    return da.load(EXAMPLES / "double-pendulum.toml")


def contents(folder: Path) -> dict[str, bytes]:
    """All files of a data set."""
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir())}


@pytest.fixture
def whole(pendulum2: da.Model, tmp_path: Path) -> Path:
    """What one machine makes."""
    folder = tmp_path / "whole"
    assert pendulum2.sweep(PLAN, folder, progress=False).report.status == "done"
    return folder


def test_each_run_is_a_run(pendulum2: da.Model, tmp_path: Path) -> None:
    """Results against SciPy's integration of the compiled equations."""
    found = pendulum2.sweep({**PLAN, "runs": 40}, tmp_path / "few", progress=False)
    for run in (0, 3, 17, 39):
        values = {name: float(found[name][run]) for name in ("a", "b", "m2")}
        model = pendulum2.set(values)
        f = model.compile()
        rates = model.eval().rates
        start = [values["a"], values["b"], rates["a"], rates["b"]]
        exact = solve_ivp(f.ode, (0, 2), start, method="DOP853", rtol=1e-11, atol=1e-13, dense_output=True)
        t = np.linspace(0, 2, 20001)
        a, b = exact.sol(t)[:2]
        assert abs(found["top"][run] - a.max()) < 2e-7
        assert abs(found["swing"][run] - (b.max() - b.min())) < 4e-7
        assert abs(found["end"][run] - exact.y[3, -1]) < 1e-6
        above = np.flatnonzero(b > 0.05)
        early = found["early"][run]
        assert np.isnan(early) if above.size == 0 else abs(early - t[above[0]]) < 2e-4


def test_it_does_not_matter_who_makes_the_parts(pendulum2: da.Model, whole: Path, tmp_path: Path) -> None:
    one = tmp_path / "one"
    pendulum2.sweep(PLAN, one, threads=1, progress=False)
    assert contents(one) == contents(whole)
    threads = tmp_path / "threads"
    with ThreadPoolExecutor(2) as pool:
        pendulum2.sweep(PLAN, threads, executor=pool, progress=False)
    assert contents(threads) == contents(whole)
    processes = tmp_path / "processes"
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        pendulum2.sweep(PLAN, processes, executor=pool, progress=False)
    assert contents(processes) == contents(whole)


def test_shares_are_joined_bit_for_bit(pendulum2: da.Model, whole: Path, tmp_path: Path) -> None:
    shares = [tmp_path / f"share{k}" for k in (1, 2, 3)]
    for k, share in enumerate(shares[:2]):
        assert pendulum2.sweep(PLAN, share, shard=f"{k + 1}/3", progress=False).report.status == "shard"
    with pytest.raises(da.ModelError, match="missing"):
        da.merge(shares[:2], tmp_path / "all")
    pendulum2.sweep(PLAN, shares[2], shard="3/3", progress=False)
    joined = da.merge(shares, tmp_path / "all")
    assert joined.report.status == "done"
    assert contents(tmp_path / "all") == contents(whole)


def test_another_plan_is_refused(pendulum2: da.Model, whole: Path) -> None:
    before = contents(whole)
    with pytest.raises(da.ModelError, match="the plan is another one"):
        pendulum2.sweep({**PLAN, "seed": 1}, whole, progress=False)
    with pytest.raises(da.ModelError, match="other values are set"):
        pendulum2.set(m1=2).sweep(PLAN, whole, progress=False)
    assert pendulum2.sweep(PLAN, whole, progress=False).report.made == 0
    assert contents(whole) == before


def test_a_killed_sweep_goes_on(pendulum2: da.Model, whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "killed"
    slow = {**PLAN, "runs": 20000, "chunk": 64}
    code = f"import dalembert as da; da.load({str(EXAMPLES / 'double-pendulum.toml')!r}).sweep({slow!r}, {str(folder)!r}, progress=False)"
    process = subprocess.Popen([sys.executable, "-c", code])
    while len(list(folder.glob("part-*"))) < 3:
        assert process.poll() is None, "it ended before it could be killed"
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.wait()
    made = contents(folder)
    parts = [name for name in made if name.startswith("part-")]
    assert 3 <= len(parts) < 313
    report = pendulum2.sweep(slow, folder, progress=False).report
    assert report.status == "done"
    assert report.made <= 20000 - 64 * (len(parts) - 1)
    after = contents(folder)
    assert all(after[name] == made[name] for name in parts)


def test_a_full_disk_loses_nothing(pendulum2: da.Model, whole: Path, tmp_path: Path) -> None:
    """Files may not grow beyond a few bytes: as on a disk that is full."""
    folder = tmp_path / "full"
    code = (
        "import resource, signal, dalembert as da\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        f"m = da.load({str(EXAMPLES / 'double-pendulum.toml')!r})\n"
        f"m.sweep({PLAN!r}, {str(folder)!r}, shard='1/4', progress=False)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))\n"
        "try:\n"
        f"    m.sweep({PLAN!r}, {str(folder)!r}, progress=False)\n"
        "except da.DalembertError as error:\n"
        "    print('refused:', error)\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "refused: " in ran.stdout and "E0911" in ran.stdout, ran.stdout + ran.stderr
    assert len(list(folder.glob("part-*"))) == 5
    assert not list(folder.glob(".dalembert-*"))
    assert pendulum2.sweep(PLAN, folder, progress=False).report.status == "done"
    assert contents(folder) == contents(whole)


def test_failures_are_rows_with_reasons(tmp_path: Path) -> None:
    model = da.load(EXAMPLES / "pendulum.toml")
    plan = {
        "vary": {"l": {"values": ["1 m", "-1 m", "0.2 m", "2 m"]}, "m": {"values": ["1 kg", "0 kg"]}},
        "run": {"span": 1},
        "results": {"low": "min(y)", "odd": "max(sqrt(y + 1.5))"},
    }
    found = model.sweep(plan, tmp_path / "failing", progress=False)
    rows: Any = found.to_pandas()
    assert list(rows["status"]) == ["done", "refused", "done", "refused", "done", "refused", "error", "refused"]
    assert rows["reason"].notna().tolist() == [False, True, False, True, False, True, True, True]
    assert rows["low"].isna().tolist() == [False, True, False, True, False, True, True, True]
    assert rows["reason"][6].startswith("E0631")
    codes = {it.code: (it.count, it.first_run) for it in found.report.failures}
    assert codes == {"E0441": (4, 1), "E0631": (1, 6)}


def test_options_series_models_and_tables(tmp_path: Path) -> None:
    model = da.load(EXAMPLES / "pendulum.toml")
    plan = {
        "vary": {"run.rtol": {"values": [1e-5, 1e-9]}, "run.integrator": {"words": ["dopri5", "radau"]}},
        "run": {"span": 1, "samples": 5},
        "results": {"path": "series(x)", "x1": "x", "pull": "series(lambda(rod))"},
    }
    found = model.sweep(plan, tmp_path / "options", progress=False)
    assert found["path"].shape == (4, 5)
    assert np.array_equal(found["path"][:, -1], found["x1"])
    exact = model.run(span=1, samples=5, rtol=1e-12, record=["lambda(rod)"])
    assert np.abs(found["path"][2:] - exact["x"]).max() < 1e-8
    assert np.abs(found["pull"][2:] - exact["lambda(rod)"]).max() < 1e-6
    assert np.abs(found["path"][0] - exact["x"]).max() > 1e-9
    assert list(found["run.integrator"]) == ["dopri5", "radau"] * 2
    # A table with units, and two models.
    (tmp_path / "heavy.toml").write_text((EXAMPLES / "pendulum.toml").read_text(encoding="utf-8").replace('g = "9.81', 'g = "19.62'), encoding="utf-8")
    (tmp_path / "light.toml").write_text((EXAMPLES / "pendulum.toml").read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "runs.csv").write_text("l [mm],kind\n500,1\n1000,2\n", encoding="utf-8")
    (tmp_path / "plan.toml").write_text('dalembert = 1\ntable = "runs.csv"\n[vary.l]\n[results]\nlow = "min(y)"\n[run]\nspan = 1\n', encoding="utf-8")
    base = da.load(tmp_path / "light.toml")
    table = base.sweep(tmp_path / "plan.toml", tmp_path / "table", progress=False)
    assert list(table["l"]) == [0.5, 1.0]
    assert np.abs(table["low"] - [-0.5, -1.0]).max() < 1e-8
    models = {"vary": {"model": {"files": ["light.toml", "heavy.toml"]}}, "run": {"span": 1}, "results": {"speed": "max(x'^2 + y'^2)"}}
    folder = tmp_path / "models"
    found = base.sweep(models, folder, progress=False)
    assert list(found["model"]) == ["light.toml", "heavy.toml"]
    assert abs(found["speed"][1] / found["speed"][0] - 2) < 1e-6


def test_pandas_polars_and_duckdb_read_it(whole: Path) -> None:
    polars: Any = importlib.import_module("polars")
    duckdb: Any = importlib.import_module("duckdb")
    found = da.Dataset(whole)
    frame: Any = found.to_pandas()
    assert list(frame.columns) == found.columns
    assert frame["run"].tolist() == list(range(600))
    lazy = polars.read_parquet(str(whole / "part-*.parquet"))
    assert lazy.shape == frame.shape
    assert np.array_equal(lazy["swing"].to_numpy(), frame["swing"].to_numpy())
    count, mean = duckdb.sql(f"select count(*), avg(swing) from '{whole}/part-*.parquet' where status = 'done'").fetchall()[0]
    assert count == 600 and abs(mean - frame["swing"].mean()) < 1e-12
    assert np.array_equal(found["top"], frame["top"].to_numpy())


def test_mistakes_in_plans_have_their_places(pendulum2: da.Model, tmp_path: Path) -> None:
    cases = [
        ('[vary.l3]\nvalues = [1]\n', "E0326", 2, "l3"),
        ('[vary.m1]\nvalues = ["1 m"]\n', "E0450", 3, "kg"),
        ('[vary.m1]\nfrom = 1\nto = 2\n', "E0305", 2, "count"),
        ('[vary.m1]\nvalues = [1]\n[results]\ntop = "max(c)"\n', "E0201", 5, "c"),
        ('[vary.m1]\nvalues = [1]\n[results]\nn = "count(hit)"\n', "E0630", 5, "hit"),
        ('[vary.m1]\nvalues = [1]\n[results]\nm1 = "max(a)"\n', "E0309", 5, "m1"),
        ('[vary."run.rtl"]\nvalues = [1]\n', "E0633", 2, "run.rtol"),
        ('[vary.m1]\nfrom = -1\nto = 2\ncount = 3\nscale = "log"\n', "E0632", 3, "logarithm"),
    ]
    for text, code, line, word in cases:
        with pytest.raises(da.ModelError) as refused:
            pendulum2.sweep("dalembert = 1\n" + text, tmp_path / "refused", progress=False)
        found = refused.value.diagnostics[0]
        assert (found.code, found.line) == (code, line), f"{text}: {refused.value}"
        assert word in str(refused.value), f"{text}: {refused.value}"
    assert not (tmp_path / "refused").exists()


@pytest.mark.parametrize("kill", [False, True])
def test_dask(pendulum2: da.Model, whole: Path, tmp_path: Path, kill: bool) -> None:
    """Two worker processes of dask.distributed on this machine; one of them is killed on the way."""
    distributed: Any = importlib.import_module("distributed")
    folder = tmp_path / "dask"
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        if kill:
            import threading

            pids = list(client.run(os.getpid).values())
            threading.Timer(0.15, lambda: os.kill(pids[0], signal.SIGKILL)).start()
        found = pendulum2.sweep(PLAN, folder, executor=client, progress=False)
    assert found.report.ended == {"done": 600}
    assert contents(folder) == contents(whole)


def test_ray(pendulum2: da.Model, whole: Path, tmp_path: Path) -> None:
    """Two worker processes of Ray on this machine; one of them kills itself once."""
    ray: Any = importlib.import_module("ray")
    folder = tmp_path / "ray"
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, _node_ip_address="127.0.0.1")
    try:
        mark = tmp_path / "killed"

        def deadly(job: str, index: int) -> bytes:
            if index == 5 and not mark.exists():
                mark.touch()
                os.kill(os.getpid(), signal.SIGKILL)
            from dalembert.sweep import make_part as made

            return made(job, index)

        from dalembert import sweep

        original = sweep.make_part
        sweep.make_part = deadly
        try:
            found = pendulum2.sweep(PLAN, folder, executor="ray", progress=False)
        finally:
            sweep.make_part = original
        assert mark.exists()
    finally:
        ray.shutdown()
    assert found.report.ended == {"done": 600}
    assert contents(folder) == contents(whole)
