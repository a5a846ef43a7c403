"""Writes src/dalembert/reports.py: the classes of the reports, from the JSON Schema that the library has of them.

    python generate_reports.py          writes the file
    python generate_reports.py --check  says whether it is current
"""

from __future__ import annotations

import json
import sys
import textwrap
from pathlib import Path
from typing import Any

from dalembert import _native

COMMANDS = ["check", "eval", "derive", "impulse", "prove", "run", "sweep-report", "error"]
# What Python users call it; the others have the name of the library's struct.
RENAMED = {"Derived": "DeriveReport", "DerivedImpulse": "ImpulseReport", "Error": "ErrorReport", "Entry": "Diagnostic"}
FILE = Path(__file__).parent / "src" / "dalembert" / "reports.py"

HEAD = '''"""The reports of the library, with the names of ``--json``.

Written by ``generate_reports.py`` from the library's JSON Schema: do not edit.
"""

# ruff: noqa
from __future__ import annotations

from typing import Any

from dalembert._report import Report

'''

Schema = dict[str, Any]


class Classes:
    """All classes, each after those that it uses."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.schemas: dict[str, Schema] = {}

    def add(self, name: str, schema: Schema, definitions: dict[str, Schema]) -> None:
        known = self.schemas.get(name)
        if known is not None:
            if known != schema:
                raise SystemExit(f"two schemas are called {name}")
            return
        self.schemas[name] = schema
        if "anyOf" in schema:
            self.texts[name] = self.union(name, schema, definitions)
            return
        lines = [f"class {name}(Report):", doc(schema, 4), ""]
        reads: list[str] = []
        required = schema.get("required", [])
        fields = sorted(schema["properties"].items(), key=lambda it: it[0] not in required)
        for field, of in fields:
            kind, read, empty = self.kind(of, definitions)
            if field in required:
                lines.append(f"    {field}: {kind}")
                reads.append(f"{field}={read(f'data[{field!r}]')},")
            else:
                lines.append(f"    {field}: {kind}")
                reads.append(f"{field}=({read(f'data[{field!r}]')}) if {field!r} in data else {empty},")
            lines += [doc(of, 4)]
        lines += ["", "    @classmethod", f"    def _of(cls, data: dict[str, Any]) -> {name}:", "        return cls._made("]
        lines += [f"            {read}" for read in reads]
        lines += ["        )", ""]
        self.texts[name] = "\n".join(lines) + "\n"

    def union(self, name: str, schema: Schema, definitions: dict[str, Schema]) -> str:
        kinds: list[str] = []
        tests: list[str] = []
        for of in schema["anyOf"]:
            if "$ref" in of:
                kind = self.reference(of, definitions)
                needed = definitions[of["$ref"].rsplit("/", 1)[1]]["required"]
            else:
                kind = "".join(word.title() for word in of["required"])
                self.add(kind, of, definitions)
                needed = of["required"]
            kinds.append(kind)
            keys = ", ".join(repr(key) for key in needed)
            tests.append(f"    if {{{keys}}} <= data.keys():\n        return {kind}.read(data)")
        lines = [f"{name} = {' | '.join(kinds)}", doc(schema, 0), "", "", f"def read_{name.lower()}(data: Any) -> {name}:"]
        lines += tests
        lines += ["    raise ValueError(f\"unexpected document: {data}\")", "", ""]
        return "\n".join(lines)

    def reference(self, of: Schema, definitions: dict[str, Schema]) -> str:
        key = of["$ref"].rsplit("/", 1)[1]
        name = RENAMED.get(key, key)
        self.add(name, definitions[key], definitions)
        return name

    def kind(self, of: Schema, definitions: dict[str, Schema]) -> tuple[str, Any, str]:
        """The type of a field, how it is read, and what it is where it is left out."""
        if "$ref" in of:
            name = self.reference(of, definitions)
            is_union = "anyOf" in self.schemas[name]
            reader = f"read_{name.lower()}" if is_union else f"{name}.read"
            return name, (lambda it: f"{reader}({it})"), "None"
        if "anyOf" in of:
            given = [it for it in of["anyOf"] if it != {"type": "null"}]
            kind, read, _ = self.kind(given[0], definitions)
            return f"{kind} | None", (lambda it: f"None if {it} is None else {read(it)}"), "None"
        types = of["type"] if isinstance(of["type"], list) else [of["type"]]
        nullable = "null" in types
        (type_,) = [it for it in types if it != "null"]
        plain = {"string": ("str", '""'), "number": ("float", "0.0"), "integer": ("int", "0"), "boolean": ("bool", "False")}
        if type_ in plain:
            kind, empty = plain[type_]
            if nullable:
                return f"{kind} | None", (lambda it: it), "None"
            # What is left out holds as a rule: a row is active, unless it says otherwise.
            return kind, (lambda it: it), "True" if of.get("description", "").startswith("Whether it holds") else empty
        if type_ == "array":
            kind, read, _ = self.kind(of["items"], definitions)
            found = f"list[{kind}]", (lambda it: it if read("it") == "it" else f"[{read('it')} for it in {it}]"), "[]"
        else:
            kind, read, _ = self.kind(of["additionalProperties"], definitions)
            found = (
                f"dict[str, {kind}]",
                (lambda it: it if read("it") == "it" else f"{{name: {read('it')} for name, it in {it}.items()}}"),
                "{}",
            )
        if nullable:
            inner = found[1]
            return f"{found[0]} | None", (lambda it: it if inner(it) == it else f"None if {it} is None else {inner(it)}"), "None"
        return found


def doc(schema: Schema, indent: int) -> str:
    text = " ".join(schema.get("description", "").split()).replace("\\", "\\\\")
    if text.endswith('"'):
        text += " "
    return textwrap.indent(f'"""{text}"""', " " * indent)


def written() -> str:
    classes = Classes()
    tops: list[str] = []
    for command in COMMANDS:
        schema: Schema = json.loads(_native.report_schema(command))
        definitions = schema.pop("$defs", {})
        schema.pop("$schema")
        title = schema.pop("title")
        name = RENAMED.get(title, title)
        tops.append(name)
        classes.add(name, schema, definitions)
    body = "\n".join(classes.texts.values())
    names = ", ".join(f"{it!r}" for it in classes.texts)
    return HEAD + f"__all__ = [{names}]\n\n\n" + body.rstrip() + "\n"


def main() -> int:
    text = written()
    if "--check" in sys.argv:
        return int(not FILE.exists() or FILE.read_text(encoding="utf-8") != text)
    FILE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
