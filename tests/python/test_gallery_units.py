"""The gallery in other units: every number that has a unit is multiplied by what it is of length, mass and time.

`check` counts and chooses alike, `eval` has the same forces on bodies, momenta and energies, `derive` prints the same equations, or others that
the same motion meets, and `prove` gives the same verdicts on these. (Coordinates, multipliers and runs: `crates/dalembert/tests/gallery/units.rs`.)
"""

import json
import re
import subprocess
from decimal import Decimal

import pytest
from conftest import DALEMBERT, ROOT, THOROUGH
from formulas import value
from mpmath import mpf

# Models with lengths, masses or rates that are bare numbers: these are no other model in other units.
BARE = {
    "angeles-disk", "angeles-euler-angles", "appell-hamel", "blajer-disk", "blajer-disk-contact", "blajer-disk-reduced", "governor-iftomm-a05",
    "phong-disk", "servo-pendulum", "slider-crank-flexible", "ukf-line",
}
EXAMPLES = [path for path in sorted((ROOT / "examples").glob("*.toml")) if path.stem not in BARE]
# powers of length, mass and time
UNITS = {
    "m": (1, 0, 0), "mm": (1, 0, 0), "cm": (1, 0, 0), "km": (1, 0, 0), "kg": (0, 1, 0), "g": (0, 1, 0), "s": (0, 0, 1), "ms": (0, 0, 1),
    "N": (1, 1, -2), "kN": (1, 1, -2), "J": (2, 1, -2), "W": (2, 1, -3), "Pa": (-1, 1, -2), "GPa": (-1, 1, -2), "Hz": (0, 0, -1),
    "rad": (0, 0, 0), "deg": (0, 0, 0), "rpm": (0, 0, -1),
}
CHANGES = [(6, 0, 0), (-6, 0, 0), (0, 6, 0), (0, -6, 0), (0, 0, 6), (0, 0, -6), (-3, 5, -6), (4, -6, 2)]
NAME = "|".join(sorted(UNITS, key=len, reverse=True))
QUANTITY = re.compile(rf"(?<![\w.^])(\d+(?:\.\d*)?(?:[eE][-+]?\d+)?) ((?:{NAME})(?:\^-?\d+)?(?:[*/](?:{NAME})(?:\^-?\d+)?)*)(?![\w^])")


def dimension(unit):
    powers = [0, 0, 0]
    for sign, name, power in re.findall(r"(^|[*/])([A-Za-z]+)(?:\^(-?\d+))?", unit):
        times = int(power or 1) * (-1 if sign == "/" else 1)
        powers = [p + times * d for p, d in zip(powers, UNITS[name])]
    return powers


def in_other_units(text, change):
    def scaled(quantity):
        power = sum(c * d for c, d in zip(change, dimension(quantity[2])))
        return f"{Decimal(quantity[1]).scaleb(power)} {quantity[2]}"

    lines = [line if line.lstrip().startswith("#") else QUANTITY.sub(scaled, line) for line in text.splitlines()]
    return "\n".join(lines) + "\n"


def ask(command, path, *words):
    result = subprocess.run([DALEMBERT, command, path, "--json", *words], capture_output=True, text=True, check=False)
    return json.loads(result.stdout) if result.stdout else result.stderr


def numbers(found, powers, path=""):
    """What has a dimension whatever the coordinates are, as (name, value, powers); None where nothing is determined."""
    of = {"force": (1, 1, -2), "moment": (2, 1, -2), "linear": (1, 1, -1), "angular": (2, 1, -1), "kinetic": (2, 1, -2), "potential": (2, 1, -2)}
    if isinstance(found, dict):
        for key, value in found.items():
            if key not in ("generalized", "speeds"):
                yield from numbers(value, of.get(key, powers), f"{path}.{key}")
    elif isinstance(found, list):
        for i, value in enumerate(found):
            yield from numbers(value, powers, f"{path}.{i}")
    else:
        yield path, found, powers


def differences(plain, other, change):
    keys = ("reactions", "resultants", "total_momentum", "energy")
    parts = lambda found: numbers({key: found[key] for key in keys}, None)
    pairs = list(zip(parts(plain), parts(other), strict=True))
    # given forces, by which reactions may be rounding
    kinds = {(1, 1, -2): max(map(abs, plain["forces"]["given"].values()), default=0.0)}
    for (_, value, powers), _ in pairs:
        if isinstance(value, float):
            kinds[powers] = max(kinds.get(powers, 0.0), abs(value))
    for (name, value, powers), (_, there, _) in pairs:
        if not (isinstance(value, float) and isinstance(there, float)):
            if value != there:
                yield f"{name}: {value}, then {there}"
            continue
        back = there / 10.0 ** sum(c * d for c, d in zip(change, powers))
        if abs(value - back) > 1e-8 * kinds[powers]:
            yield f"{name}: {value}, then {back}"


def holds(page, found):
    """Whether the equations of a page hold for the motion that `eval` finds, beside what a part of 1e-8 of each number would change."""
    values = {"t": mpf(found["t"])}
    marks = {"parameters": "", "coordinates": "", "rates": "'", "speeds": "", "accelerations": "''", "speed_rates": "'"}
    for key, mark in marks.items():
        # What is zero but for rounding is zero: a part of it says nothing of what it may be off.
        largest = max(map(abs, found[key].values()), default=0.0)
        values |= {name + mark: mpf(number if abs(number) > 1e-20 * largest else 0) for name, number in found[key].items()}
    values |= {f"lambda({name})": mpf(number or 0) for name, number in found["multipliers"].items()}

    def residuals(values):
        for name, text in page["shorthands"].items():
            values[name] = value(text, values)
        return [value(e["left"], values) - value(e["right"], values) for e in page["equations"]]

    left = residuals(dict(values))
    allowed = [mpf(10) ** -300] * len(left)
    for name, number in values.items():
        moved = residuals(values | {name: number * (1 + mpf(10) ** -8)})
        allowed = [a + abs(m - r) for a, m, r in zip(allowed, moved, left)]
    return bool(left) and all(abs(r) <= a for r, a in zip(left, allowed))


def gist(answer):
    """What a page or a list of verdicts says, or the codes of a refusal."""
    if answer.get("status") == "error":
        return [it["code"] for it in answer["diagnostics"]]
    return [e.get("verdict") or (e["left"], e["right"]) for e in answer["equations"]]


@pytest.mark.parametrize("path", EXAMPLES if THOROUGH else EXAMPLES[::5], ids=lambda path: path.stem)
def test_units_decide_nothing(path, tmp_path):
    text = path.read_text()
    changes = CHANGES if THOROUGH else [CHANGES[EXAMPLES.index(path) % len(CHANGES)]]
    equations = tmp_path / "equations.txt"
    page = ask("derive", path)
    # Pages with names for long parts are no input of `prove`; that they are refused is an answer, too.
    equations.write_text("".join(f"{e['left']} = {e['right']}\n" for e in page.get("equations", [])) or "0 = 1\n")
    commands = [("check",), ("eval",), ("derive",), ("prove", "--equations", equations)]
    every = lambda path: {words[0]: ask(words[0], path, *words[1:]) for words in commands}
    plain = every(path)
    found = []
    for change in changes:
        file = tmp_path / "other.toml"
        file.write_text(in_other_units(text, change))
        other = every(file)
        for key in ("counts", "independent", "constraints"):
            if plain["check"][key] != other["check"].get(key):
                found.append(f"{change} check {key}: {plain['check'][key]}, then {other['check'].get(key)}")
        found += [f"{change} eval {line}" for line in differences(plain["eval"], other["eval"], change)]
        if gist(plain["prove"]) != gist(other["prove"]):
            found.append(f"{change} prove: {gist(plain['prove'])}, then {gist(other['prove'])}")
        # Another form of a page must say the same.
        if gist(plain["derive"]) != gist(other["derive"]) and not all(holds(it["derive"], it["eval"]) for it in (plain, other)):
            found.append(f"{change} derive: {gist(plain['derive'])}, then {gist(other['derive'])}")
    assert not found, "\n".join(line[:600] for line in found)
