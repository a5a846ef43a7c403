"""What the sweeps share: how the command is asked, the loop over seeds, and the report.

DALEMBERT_THOROUGH=1 makes the tests run the long sweeps; `python sweep_NAME.py FIRST COUNT [FOLDER]` runs a part of one, says a
line for each seed, and leaves the models that something was found in, in FOLDER.
"""

import json
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from conftest import DALEMBERT


def command(*words, seconds=60):
    """What the command does with so many seconds of the processor, however busy the machine is; whether that was too few."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    result = subprocess.run([DALEMBERT, *map(str, words)], capture_output=True, text=True, check=False, preexec_fn=limit)
    return result, result.returncode in (-signal.SIGXCPU, -signal.SIGKILL)


def dalembert(*words, seconds=60):
    """The answer, or None and what was said instead."""
    result, late = command(*words, seconds=seconds)
    if result.returncode < 0:
        return None, "timeout" if late else f"signal {-result.returncode}"
    try:
        return (json.loads(result.stdout) if result.returncode == 0 and result.stdout else None), result.stderr
    except json.JSONDecodeError:
        return None, result.stderr


def code(message):
    """The code of a refusal."""
    if "panicked" in message:
        return "panic"
    found = re.search(r"E\d{4}", message)
    return found[0] if found else message.strip()[:80]


def sweep(look, first, count, report=None):
    """Contradictions by seed, and what happened how often. `look(seed, folder)` has what it `found`, a `tally` and `models`."""
    found, tally = {}, Counter()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, first + count):
            began = time.monotonic()
            seen = look(seed, folder)
            tally.update(seen.tally)
            tally["seeds"] += 1
            if seen.found:
                found[seed] = seen.found
            if report:
                report(seed, seen, time.monotonic() - began)
    return found, tally


def main(look):
    """A part of a sweep, from the command line."""
    first, count = int(sys.argv[1]), int(sys.argv[2])
    out = Path(sys.argv[3]) if len(sys.argv) > 3 else None

    def report(seed, seen, seconds):
        print(f"{seed} {seconds:.1f} s, {len(seen.found)} found, {json.dumps(seen.tally)}")
        lines = seen.found + getattr(seen, "refused", [])
        for line in lines:
            print("   ", line[:900])
        sys.stdout.flush()
        if out and lines:
            out.mkdir(parents=True, exist_ok=True)
            for name, text in seen.models.items():
                (out / f"{seed}-{name}.toml").write_text(text)

    found, tally = sweep(look, first, count, report)
    print(f"{len(found)} of {count} with contradictions")
    for key, times in sorted(tally.items()):
        print(f"{times:6d} {key}")
