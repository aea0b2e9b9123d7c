"""What the package and the project declare: dependencies, licences, files, versions, addresses."""

from __future__ import annotations

import ast
import importlib
import os
import re
import runpy
import sys
import tomllib
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

import tealeaves
from tealeaves import kernels

ROOT = Path(__file__).parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CORE = [re.split(r"[<>=]", r)[0] for r in PYPROJECT["project"]["dependencies"]]
ADDRESS = PYPROJECT["project"]["urls"]["Source"]


def workflow(name: str) -> dict[str, Any]:
    yaml = pytest.importorskip("yaml")
    text = (ROOT / ".github" / "workflows" / f"{name}.yml").read_text(encoding="utf-8")
    loaded: dict[str, Any] = yaml.safe_load(text)
    return loaded


def test_kernels_are_compiled_where_they_are_required() -> None:
    if not os.environ.get("TEALEAVES_REQUIRE_KERNELS"):
        pytest.skip("TEALEAVES_REQUIRE_KERNELS is not set")
    assert kernels.are_compiled()


def test_the_package_holds_its_files_that_are_not_python() -> None:
    source = ROOT / "src"
    listed = set()
    for package, patterns in PYPROJECT["tool"]["setuptools"]["package-data"].items():
        for pattern in patterns:
            found = set((source / package.replace(".", "/")).glob(pattern))
            assert found, f"{package} has no {pattern}"
            listed |= found
    files = {path for path in (source / "tealeaves").rglob("*") if path.is_file()}
    made = {path for path in files if "__pycache__" in path.parts or path.suffix in {".so", ".pyd"}}
    assert files - made - set((source / "tealeaves").rglob("*.py")) == listed


@pytest.fixture
def setup_arguments(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What setup.py gives to setuptools."""
    setuptools = pytest.importorskip("setuptools")
    given: dict[str, Any] = {}
    monkeypatch.setattr(setuptools, "setup", lambda **arguments: given.update(arguments))
    monkeypatch.chdir(ROOT)
    runpy.run_path("setup.py")
    return given


def test_links_of_the_page_work_outside_the_repository(setup_arguments: dict[str, Any]) -> None:
    links = re.findall(r"\]\(([^)]+)\)", setup_arguments["long_description"])
    assert len(links) > 40
    for link in links:
        assert link.startswith(("https://", "#")), link
        path = re.fullmatch(rf"{ADDRESS}/(?:raw|blob)/main/([^#]+)(#.*)?", link)
        assert path is None or (ROOT / path[1]).is_file(), link
    assert f"]({ADDRESS}/raw/main/docs/report.png)" in setup_arguments["long_description"]


def test_all_sources_in_c_are_compiled(setup_arguments: dict[str, Any]) -> None:
    (library,) = setup_arguments["ext_modules"]
    assert library.name == "tealeaves._native"
    sources = {path.name for path in (ROOT / "src" / "native").glob("*.c")}
    assert {Path(path).name for path in library.sources} == sources
    flags = runpy.run_path(str(ROOT / "setup.py"))["GCC_FLAGS"]
    assert "-O3" in flags
    assert "-ffp-contract=off" in flags
    assert not any("march" in flag or "fast-math" in flag for flag in flags)


@pytest.mark.parametrize("required", [True, False])
def test_kernels_are_optional_unless_they_are_required(
    required: bool, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEALEAVES_REQUIRE_KERNELS", "1" if required else "")
    (library,) = request.getfixturevalue("setup_arguments")["ext_modules"]
    assert library.optional is not required


def test_versions_of_python_are_those_that_are_tested() -> None:
    named = [c.rpartition(" ")[2] for c in PYPROJECT["project"]["classifiers"]]
    declared = [name for name in named if re.fullmatch(r"3\.\d+", name)]
    assert PYPROJECT["project"]["requires-python"] == f">={declared[0]}"
    assert workflow("tests")["jobs"]["fast"]["strategy"]["matrix"]["python"] == declared
    built = PYPROJECT["tool"]["cibuildwheel"]["build"]
    assert built == [f"cp{v.replace('.', '')}-*" for v in (declared[0], declared[-1])]


@pytest.mark.parametrize("name", ["docs", "release", "tests"])
def test_workflows_have_limits_and_few_rights(name: str) -> None:
    loaded = workflow(name)
    assert loaded["permissions"] == {"contents": "read"}
    assert loaded["concurrency"]
    for job in loaded["jobs"].values():
        called = job.get("uses", "")  # another workflow, which has limits of its own
        assert called.startswith("./.github/workflows/") or job["timeout-minutes"] <= 60
    rights = {job: loaded["jobs"][job].get("permissions") for job in loaded["jobs"]}
    allowed = {"deploy": {"id-token": "write", "pages": "write"}, "publish": {"id-token": "write"}}
    assert rights == {job: allowed.get(job) for job in rights}


def test_nothing_is_published_that_was_not_tested() -> None:
    jobs = workflow("release")["jobs"]
    assert jobs["tests"]["uses"] == "./.github/workflows/tests.yml"
    assert set(jobs["publish"]["needs"]) == set(jobs) - {"publish"}


def test_files_name_the_same_version() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {tealeaves.__version__}\n" in citation


def test_files_name_the_same_address() -> None:
    found = 0
    for name in ("CITATION.cff", "CHANGELOG.md", "pyproject.toml"):
        text = (ROOT / name).read_text(encoding="utf-8")
        for address in re.findall(r"https://github\.com/tealeaves[\w./-]*", text):
            assert (address + "/").startswith(f"{ADDRESS}/"), f"{name}: {address}"
            found += 1
    assert found >= 5


def test_every_dependency_has_a_lowest_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT)
    pythons = importlib.import_module("tools.test_pythons")
    dependencies = PYPROJECT["project"]["dependencies"]
    pins = pythons.lowest_versions(dependencies)
    assert len(pins) == len(dependencies)
    assert all(re.fullmatch(r"[\w.-]+==[\d.]+", pin) for pin in pins)
    with pytest.raises(ValueError, match="numpy<3 has no lowest version"):
        pythons.lowest_versions(["numpy<3"])
    assert pythons.minimum_python() <= sys.version_info[:2]


def test_dependencies_are_ranges_and_constraints_are_pins() -> None:
    project = PYPROJECT["project"]
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
    from importlib.metadata import PackageNotFoundError, distribution

    project = PYPROJECT["project"]
    groups = {k: v for k, v in project["optional-dependencies"].items() if k != "test"}
    wanted = [*project["dependencies"], *(r for group in groups.values() for r in group)]
    for requirement in wanted:
        name = re.split(r"[<>=\[;, ]", requirement)[0]
        if name == "tealeaves":
            continue
        try:
            meta = distribution(name).metadata
        except PackageNotFoundError:  # an extra that is not installed
            assert name not in CORE
            continue
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
