"""What the documents show runs: snippets, notebooks, types, and the stub."""

from __future__ import annotations

import doctest
import importlib
import os
import pkgutil
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import dalembert

from conftest import EXAMPLES, ROOT

PYTHON = ROOT / "python"


def test_the_snippets_of_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    snippets = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(snippets) >= 8
    for name in ("appell-hamel", "double-pendulum", "four-bar", "pendulum"):
        shutil.copy(EXAMPLES / f"{name}.toml", tmp_path)
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for number, snippet in enumerate(snippets):
        exec(compile(snippet, f"snippet {number} of docs/python.md", "exec"), names)


def test_the_snippet_of_the_front_page_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    snippets = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert len(snippets) == 1
    monkeypatch.chdir(EXAMPLES)
    exec(compile(snippets[0], "README.md", "exec"), {})


def test_the_examples_of_the_docstrings_run() -> None:
    attempted = 0
    for found in pkgutil.iter_modules(dalembert.__path__):
        module = importlib.import_module(f"dalembert.{found.name}")
        failed, tried = doctest.testmod(module)
        assert failed == 0, found.name
        attempted += tried
    assert attempted > 80
    # Questions that a user may put have one each.
    asked = ["check", "eval", "derive", "derive_impulse", "prove", "run", "run_many", "compile", "simulator", "view", "set"]
    for name in asked:
        assert ">>>" in (getattr(dalembert.Model, name).__doc__ or ""), name


def test_the_snippets_on_sweeps_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (ROOT / "docs" / "sweeps.md").read_text(encoding="utf-8")
    plan = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    snippets = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert (len(plan), len(snippets)) == (1, 2)
    shutil.copy(EXAMPLES / "pendulum.toml", tmp_path)
    (tmp_path / "plan.toml").write_text(plan[0], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    import dalembert as da

    assert da.load("pendulum.toml").sweep("plan.toml", "lengths", progress=False).report.ended == {"done": 48}
    for number, snippet in enumerate(snippets):
        exec(compile(snippet, f"snippet {number} of docs/sweeps.md", "exec"), {})


@pytest.mark.parametrize("name", ["coming-from-sympy", "coming-from-mujoco"])
def test_notebooks_run(name: str) -> None:
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(PYTHON / "examples" / f"{name}.ipynb", as_version=4)  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(EXAMPLES)}}).execute()  # pyright: ignore[reportUnknownArgumentType]


def test_the_environment_of_gymnasium_runs() -> None:
    ran = subprocess.run([sys.executable, PYTHON / "examples" / "environment.py"], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


def test_the_stub_is_that_of_the_module() -> None:
    command = [sys.executable, "-m", "mypy.stubtest", "dalembert._native", "--ignore-missing-stub"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, cwd=PYTHON / "tests")
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_types_hold_strictly() -> None:
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "-p", str(PYTHON)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | {"PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"})
    assert ran.returncode == 0, ran.stdout[-4000:] + ran.stderr[-1000:]
