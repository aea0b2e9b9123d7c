"""What the package declares: dependencies, pins and licences."""

from __future__ import annotations

import ast
import re
import tomllib
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_dependencies_are_ranges_and_constraints_are_pins() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [r for group in project["optional-dependencies"].values() for r in group]
    for requirement in [*project["dependencies"], *extras]:
        assert "==" not in requirement
    pins = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    for pin in pins[1:]:
        assert re.fullmatch(r"[\w.-]+==[\w.]+", pin), pin
    pinned = {re.split(r"==", pin)[0].lower().replace("_", "-") for pin in pins if "==" in pin}
    names = {re.split(r"[<>=\[;, ]", r)[0].lower() for r in [*project["dependencies"], *extras]}
    assert names - {"tealeaves"} <= pinned


def test_no_dependency_is_gpl() -> None:
    from importlib.metadata import distribution

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = {k: v for k, v in project["optional-dependencies"].items() if k != "test"}
    wanted = [*project["dependencies"], *(r for group in groups.values() for r in group)]
    for requirement in wanted:
        name = re.split(r"[<>=\[;, ]", requirement)[0]
        if name == "tealeaves":
            continue
        meta = distribution(name).metadata
        # the field License may hold the texts of bundled libraries too
        expressions = meta.get_all("License-Expression") or []
        text = " ".join([*expressions, *(meta.get_all("Classifier") or [])])
        text = text.replace("GPL-3.0-or-later WITH GCC-exception-3.1", "")  # permits any use
        assert not re.search(r"(?<!L)GPL|(?<!Lesser )General Public", text), name


def test_every_command_is_in_the_documentation() -> None:
    from tealeaves.cli.main import COMMANDS

    text = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    for command in COMMANDS:
        assert f"tealeaves {command}" in text


def test_every_package_is_in_the_architecture() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    packages = [
        p.name for p in (ROOT / "src" / "tealeaves").iterdir() if (p / "__init__.py").exists()
    ]
    assert len(packages) >= 6
    for package in packages:
        assert f"`{package}`" in text


def test_every_module_in_the_architecture_exists() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    modules = {path.as_posix() for path in (ROOT / "src").rglob("*.py")}
    named = re.findall(r"`([\w/]+\.py)`", text)
    assert len(named) > 80
    missing = [name for name in named if not any(path.endswith(f"/{name}") for path in modules)]
    assert missing == []


def test_class_names_are_unique() -> None:
    """A name that two modules give to different classes misleads readers; private ones too."""
    places: dict[str, list[str]] = defaultdict(list)
    for path in sorted((ROOT / "src" / "tealeaves").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert len(places) > 100
    assert {name: found for name, found in places.items() if len(found) > 1} == {}
