"""Sweeps: one model, many runs by a plan, on all cores or on a cluster."""

from __future__ import annotations

import functools
import importlib
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from dalembert import _native
from dalembert.errors import asked
from dalembert.progress import Bar
from dalembert.reports import SweepReport

if TYPE_CHECKING:
    import pandas
    from numpy.typing import NDArray

Plan = str | os.PathLike[str] | Mapping[str, Any]
"""The path of a plan, its text, or its tables as dictionaries."""

_AHEAD = 4
"""Parts that are under way for each worker: enough to keep it busy, few enough for the memory of who collects them."""

_TRIES = 3
"""How often a part is tried again whose worker has died."""


def make_part(job: str, index: int) -> bytes:
    """The bytes of the file of a part. It depends on nothing but the job and the number: whoever makes it, and however often, it is the same."""
    return _of_job(job).part(index)


@functools.lru_cache(maxsize=4)
def _of_job(job: str) -> _native.Sweep:
    return _native.Sweep.of_job(job)


class Dataset:
    """The results of a sweep: a folder with ``manifest.json`` and a Parquet file for each part.

    ``dataset["swing"]`` is a column over all runs that are there; pandas, polars and DuckDB read ``dataset.files`` as they are.
    """

    def __init__(self, path: str | os.PathLike[str], report: SweepReport | None = None) -> None:
        self.path = Path(path)
        """The folder."""
        self.manifest: dict[str, Any] = json.loads(_native.sweep_manifest(os.fspath(path)))
        """What it is of: model, plan, columns with their units."""
        self._report = report

    @property
    def report(self) -> SweepReport:
        """How many runs there are, how they ended, and what failed."""
        if self._report is None:
            document, text = asked(None, _native.sweep_report, os.fspath(self.path))
            self._report = SweepReport.read(json.loads(document), text)
        return self._report

    @property
    def files(self) -> list[Path]:
        """The files of the parts that are there, in order."""
        return sorted(self.path.glob("part-*.parquet"))

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return [it["name"] for it in self.manifest["columns"]]

    @property
    def units(self) -> dict[str, str]:
        """Units of the columns that have one."""
        return {it["name"]: it["unit"] for it in self.manifest["columns"] if it["unit"] is not None}

    @property
    def t(self) -> NDArray[np.float64]:
        """Times of the samples of series."""
        return np.array(self.manifest["series_t"])

    def __getitem__(self, name: str) -> NDArray[Any]:
        """A column: numbers, not a number where a run has none; texts; a series as rows, which end early where runs do."""
        if name not in self.columns:
            raise KeyError(f"there is no column {name!r}: {', '.join(self.columns)}")
        kind = next(it["kind"] for it in self.manifest["columns"] if it["name"] == name)
        values: list[Any] = [value for part in _native.sweep_column(os.fspath(self.path), name) for value in part]
        if kind != "series":
            return np.array(values)
        rows = np.full((len(values), len(self.t)), np.nan)
        for row, series in zip(rows, values, strict=True):
            row[: len(series)] = series
        return rows

    def __len__(self) -> int:
        return self.report.there

    def to_pandas(self) -> pandas.DataFrame:
        """All of it as a frame of pandas, which needs pyarrow to read it."""
        pandas: Any = importlib.import_module("pandas")
        return pandas.concat([pandas.read_parquet(file) for file in self.files], ignore_index=True)

    def __repr__(self) -> str:
        return f"<{self.report.there} of {self.report.runs} runs in {self.path}>"

    def __str__(self) -> str:
        return str(self.report)


def merge(folders: Sequence[str | os.PathLike[str]], out: str | os.PathLike[str]) -> Dataset:
    """Joins the data sets of shares in one folder, and sees that no part is missing."""
    document, text = asked(None, _native.sweep_merge, [os.fspath(it) for it in folders], os.fspath(out))
    return Dataset(out, SweepReport.read(json.loads(document), text))


def prepared(model: _native.Model, plan: Plan) -> _native.Sweep:
    """The sweep of a model by a plan."""
    if isinstance(plan, Mapping):
        return asked(None, _native.Sweep, model, "plan", to_toml(plan))
    is_text = isinstance(plan, str) and "\n" in plan
    if is_text:
        return asked(None, _native.Sweep, model, "plan", str(plan))
    path = Path(os.fspath(plan))
    return asked(None, _native.Sweep, model, os.fspath(plan), path.read_text(encoding="utf-8"), os.fspath(path.parent))


def swept(
    model: _native.Model,
    plan: Plan,
    out: str | os.PathLike[str],
    *,
    executor: str | Executor | object | None,
    shard: str | None,
    threads: int | None,
    progress: bool | None,
) -> Dataset:
    """Makes what is missing of a sweep in a folder, here or by an executor."""
    sweep = prepared(model, plan)
    folder = os.fspath(out)
    shown = sys.stderr.isatty() if progress is None else progress
    with Bar(shown) as bar:
        if executor is None:
            (document, text), raised = asked(
                None,
                sweep.run,
                folder,
                shard=shard,
                threads=threads or os.cpu_count() or 1,
                progress=bar.show if shown else None,
            )
            if raised is not None and not isinstance(raised, KeyboardInterrupt):
                raise raised
            return Dataset(out, SweepReport.read(json.loads(document), text))
        missing = asked(None, sweep.missing, folder, shard)
        submit, workers = _engine(executor, sweep.job())
        for done, (index, part) in enumerate(_made(submit, missing, _AHEAD * workers)):
            asked(None, sweep.write, folder, index, part)
            bar.show((done + 1) / len(missing))
    return Dataset(out)


Submit = Callable[[int], "Future[bytes]"]


def _made(submit: Submit, missing: Sequence[int], ahead: int) -> Iterator[tuple[int, bytes]]:
    """Parts as they come, with some of them under way at a time."""
    left = iter(missing)
    under_way: dict[Future[bytes], int] = {}
    try:
        while True:
            while len(under_way) < ahead and (index := next(left, None)) is not None:
                under_way[submit(index)] = index
            if not under_way:
                return
            done, _ = wait(under_way, return_when=FIRST_COMPLETED)
            for future in done:
                yield under_way.pop(future), future.result()
    finally:
        for future in under_way:
            future.cancel()


def _engine(executor: str | Executor | object, job: str) -> tuple[Submit, int]:
    """How parts are made elsewhere, and by how many."""
    if executor == "ray":
        return _ray(job)
    if executor == "dask":
        distributed: Any = importlib.import_module("distributed")
        try:
            executor = distributed.get_client()
        except ValueError:
            executor = distributed.Client()
    if isinstance(executor, str):
        raise ValueError(f'executor = "{executor}": there are "dask", "ray", a client of Dask, and executors of concurrent.futures')
    if hasattr(executor, "scatter") and hasattr(executor, "get_executor"):
        return _dask(executor, job)
    if not hasattr(executor, "submit"):
        raise TypeError(f"{executor!r} is no executor: it has no `submit`")
    pool: Any = executor
    workers = getattr(pool, "_max_workers", None) or os.cpu_count() or 1
    return lambda index: pool.submit(make_part, job, index), int(workers)


def _dask(client: Any, job: str) -> tuple[Submit, int]:
    pool = client.get_executor(pure=False, retries=_TRIES)
    workers = sum(client.nthreads().values()) or 1
    return lambda index: pool.submit(make_part, job, index), workers


def _ray(job: str) -> tuple[Submit, int]:
    ray: Any = importlib.import_module("ray")
    if not ray.is_initialized():
        ray.init(log_to_driver=False)
    remote = ray.remote(max_retries=_TRIES)(make_part)
    shared = ray.put(job)
    workers = int(ray.cluster_resources().get("CPU", 1))
    return lambda index: remote.remote(shared, index).future(), workers


def to_toml(plan: Mapping[str, Any]) -> str:
    """A plan of dictionaries as the text of its file."""
    lines = [] if "dalembert" in plan else ["dalembert = 1"]
    tables: list[str] = []
    for key, value in plan.items():
        (tables if isinstance(value, Mapping) else lines).append(f"{key} = {_toml(value)}")
    return "\n".join(lines + tables) + "\n"


def _toml(value: Any) -> str:
    as_list: Any = getattr(value, "tolist", None)
    it: Any = as_list() if as_list else value
    if isinstance(it, Mapping):
        table = cast("Mapping[str, Any]", it)
        return "{ " + ", ".join(f"{json.dumps(str(key))} = {_toml(table[key])}" for key in table) + " }"
    if isinstance(it, str):
        return json.dumps(it, ensure_ascii=False)
    if isinstance(it, bool):
        return "true" if it else "false"
    if isinstance(it, (list, tuple)):
        return "[" + ", ".join(_toml(one) for one in cast("list[Any]", it)) + "]"
    return str(it) if isinstance(it, int) else repr(float(it))
