"""The command under test: the binary that DALEMBERT names, or else the release build.

DALEMBERT_THOROUGH=1 makes the random sweeps long: minutes to hours in place of seconds.
"""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TARGET = ROOT / os.environ.get("CARGO_TARGET_DIR", "target")
DALEMBERT = Path(os.environ.get("DALEMBERT") or TARGET / "release" / "dalembert").absolute()
THOROUGH = os.environ.get("DALEMBERT_THOROUGH", "") not in ("", "0")


def pytest_sessionstart():
    if not os.access(DALEMBERT, os.X_OK):
        pytest.exit(f"{DALEMBERT} is missing: run `cargo build --release`, or name the binary by DALEMBERT", 1)
