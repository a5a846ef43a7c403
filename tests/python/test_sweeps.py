"""Samples of the random sweeps; the whole of them with DALEMBERT_THOROUGH=1."""

import sweep_bodies
import sweep_derive
import sweep_doctor
import sweep_hybrid
import sweep_mechanisms
import sweep_prove
import sweep_run
import sweep_units
from conftest import THOROUGH
from sweep import sweep


def none(found, tally):
    """Fails with what contradicts, and by which seed."""
    lines = [f"seed {seed}: {line}" for seed, lines in found.items() for line in lines]
    assert not lines, "\n".join(lines[:40]) + f"\n{dict(sorted(tally.items()))}"


def test_derive_and_eval_of_random_systems():
    found, tally = sweep(sweep_derive.look, 0, 2000 if THOROUGH else 20)
    none(found, tally)
    assert tally["eval"] > tally["seeds"] / 2, tally


def test_verdicts_on_random_equations():
    found, tally = sweep(sweep_prove.look, 0, 250 if THOROUGH else 10)
    none(found, tally)
    assert sum(tally[f"{kind}: {said}"] for kind in ("true", "false") for said in ("proved", "refuted", "not proved")) >= (2000 if THOROUGH else 50)
    assert tally["true: proved"] > tally["true: not proved"] and tally["false: refuted"] > tally["false: not proved"], tally


def test_verdicts_on_branches(tmp_path):
    found, tally = sweep_prove.branches(tmp_path)
    assert not found, "\n".join(found)
    assert tally["branch true: proved"], tally


def test_ends_of_random_runs():
    found, tally = sweep(sweep_run.look, 0, 500 if THOROUGH else 25)
    none(found, tally)


def test_random_systems_in_other_units():
    found, tally = sweep(sweep_units.look, 0, 300 if THOROUGH else 12)
    none(found, tally)


def test_random_rows_that_are_holonomic_or_not():
    found, tally = sweep(sweep_doctor.look, 0, 500 if THOROUGH else 30)
    none(found, tally)
    assert tally["rows decided"] > 4 * tally["rows not decided"], tally


def test_random_runs_in_which_something_happens():
    found, tally = sweep(sweep_hybrid.look, 0, 300 if THOROUGH else 18)
    none(found, tally)
    assert tally["events"] > tally["seeds"], tally


def test_random_mechanisms_in_the_plane():
    found, tally = sweep(sweep_mechanisms.look, 0, 1500 if THOROUGH else 40)
    none(found, tally)
    assert tally["mechanisms"] == tally["seeds"] and tally["loops"] > tally["seeds"] / 3, tally


def test_random_mechanisms_in_space():
    found, tally = sweep(sweep_bodies.look, 0, 400 if THOROUGH else 20)
    none(found, tally)
    assert tally["mechanisms"] > 0.8 * tally["seeds"] and tally["loops"] > tally["seeds"] / 5, tally
    assert tally["relative numbers"] > 2 * tally["seeds"], tally
