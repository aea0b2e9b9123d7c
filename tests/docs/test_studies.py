"""Benchmarks and studies: they are listed, and a study that was stopped goes on where it was."""

from __future__ import annotations

import importlib
import json
import re
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from .blocks import ROOT

FOLDER = ROOT / "benchmarks"

pytestmark = pytest.mark.skipif(not FOLDER.exists(), reason="the benchmarks are not there")


@pytest.fixture(scope="module")
def benchmarks() -> Iterator[Any]:
    names = ("__main__", "checkpoints", "markdown", "options", "processes")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT))
        modules = {name: importlib.import_module(f"benchmarks.{name}") for name in names}
        yield SimpleNamespace(studies=modules.pop("__main__").STUDIES, **modules)


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "benchmarks", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def test_every_folder_is_a_study_that_is_listed(benchmarks: Any) -> None:
    names = [study.name for study in benchmarks.studies]
    assert sorted(names) == sorted(path.parent.name for path in FOLDER.glob("*/study.py"))
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)` \|", readme, re.MULTILINE) == names
    done = run("--list")
    assert done.returncode == 0
    assert re.findall(r"^  (\w+) ", done.stdout, re.MULTILINE) == names


def study_module(name: str) -> Any:
    try:
        return importlib.import_module(f"benchmarks.{name}.study")
    except ModuleNotFoundError as error:
        pytest.skip(str(error))


STUDIES = sorted(path.parent.name for path in FOLDER.glob("*/study.py"))


@pytest.mark.parametrize("name", STUDIES)
@pytest.mark.usefixtures("benchmarks")
def test_every_option_is_explained(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module = study_module(name)
    helps: dict[str, str | None] = {}
    add = ArgumentParser.add_argument

    def noted(self: ArgumentParser, *names: str, **options: Any) -> Any:
        helps[names[-1]] = options.get("help")
        return add(self, *names, **options)

    monkeypatch.setattr(ArgumentParser, "add_argument", noted)
    with pytest.raises(SystemExit):
        module.main(["--help"])
    assert len(helps) > 2
    assert [option for option, said in helps.items() if not said] == []


@pytest.mark.parametrize("name", STUDIES)
def test_the_results_of_every_study_are_beside_it_and_on_the_site(name: str) -> None:
    page = f"benchmarks/{name}/RESULTS.md"
    assert (ROOT / page).read_text(encoding="utf-8").startswith("# ")
    assert f"({name}/RESULTS.md)" in (FOLDER / "README.md").read_text(encoding="utf-8")
    assert f'"{page}": "benchmarks/{name}.md"' in (ROOT / "website" / "repository.py").read_text()


def test_the_page_of_a_short_run_is_not_the_page_of_results(
    benchmarks: Any, tmp_path: Path
) -> None:
    parser = benchmarks.options.study_parser("consensus", "What it shows.")
    parser.add_argument("--rounds", type=int, default=5)

    def output(*arguments: str) -> Path:
        options = parser.parse_args([*arguments, "--work", str(tmp_path)])
        found: Path = benchmarks.options.output_of(parser, options, "rounds")
        return found

    assert output() == output("--rounds", "5") == FOLDER / "consensus" / "RESULTS.md"
    assert output("--rounds", "1") == tmp_path / "RESULTS.md"
    assert output("--rounds", "1", "-o", "mine.md") == Path("mine.md")


@pytest.mark.usefixtures("benchmarks")
def test_cases_of_speed_that_are_done_are_not_measured_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = study_module("speed")
    case = importlib.import_module("benchmarks.speed.case")
    processes = importlib.import_module("benchmarks.processes")
    cases = [
        case.SpeedCase(name, "whole", (case.Contender("tealeaves", ("x",), 2),)) for name in "ab"
    ]
    measured: list[str] = []

    def carry_out(one: Any) -> Any:
        if one.name == "b" and not measured[1:]:
            measured.append("stopped")
            raise KeyboardInterrupt
        measured.append(one.name)
        runs = [processes.FinishedProcess(0.1 + 0.2, 0.25, 80.0, "printed")] * 2
        return case.Outcome(
            one, {"tealeaves": runs}, {"tealeaves": [case.Output([1.5], [], [0.5])] * 2}, 1e-12
        )

    monkeypatch.setattr(study, "carry_out", carry_out)
    path = tmp_path / "outcomes.jsonl"
    with pytest.raises(KeyboardInterrupt):
        study.KeptOutcomes(path, {"code": "1"}).all_of(cases)
    kept = study.KeptOutcomes(path, {"code": "1"})
    first, second = kept.all_of(cases)
    assert measured == ["a", "stopped", "b"]
    for outcome in (first, second):
        assert outcome.wall("tealeaves").values == (0.1 + 0.2, 0.1 + 0.2)
        assert outcome.cpu("tealeaves", inside=True).values == (0.5, 0.5)
        assert (outcome.peak("tealeaves"), outcome.mean("tealeaves")) == (80.0, 1.5)
        assert outcome.difference == 1e-12
    study.KeptOutcomes(path, {"code": "2"}).all_of(cases)
    assert measured[3:] == ["a", "b"]
    kept.remove()
    assert not path.exists()


def test_a_fresh_run_has_empty_caches_and_a_package_without_bytecode(
    benchmarks: Any, tmp_path: Path
) -> None:
    package = tmp_path / "tealeaves"
    (package / "__pycache__").mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "__pycache__" / "kernel.obj").touch()
    code = (
        "import json, os, tealeaves; folder = tealeaves.__path__[0]; "
        "caches = [os.environ[name] for name in ('TEALEAVES_CACHE', 'XDG_CACHE_HOME')]; "
        "print(json.dumps([folder, os.listdir(folder), list(map(os.path.exists, caches))]))"
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(tmp_path))
        patch.setenv("PYTHONDONTWRITEBYTECODE", "1")
        finished = benchmarks.processes.run([sys.executable, "-c", code], fresh=True)
    folder, files, caches = json.loads(finished.output)
    assert Path(folder) != package
    assert not Path(folder).exists()
    assert (files, caches) == (["__init__.py"], [False, False])


@pytest.mark.usefixtures("benchmarks")
def test_versions_are_compared_by_ratios_of_medians() -> None:
    names = ("case", "tables", "versions")
    case, tables, versions = (importlib.import_module(f"benchmarks.speed.{one}") for one in names)
    processes = importlib.import_module("benchmarks.processes")
    this, other = versions.THIS, versions.OTHER
    goals = (case.Goal(this, other, most=1.05, cpu=True), case.Goal(this, most=0.5))
    contenders = tuple(case.Contender(name, ("x",), 2) for name in (this, other))
    compared = case.SpeedCase("score", "versions", contenders, goals)

    def runs(*walls: float, cpu: float, megabytes: float) -> list[Any]:
        return [processes.FinishedProcess(wall, cpu, megabytes, "") for wall in walls]

    outcome = case.Outcome(
        compared,
        {
            this: runs(0.3, 0.5, cpu=0.6, megabytes=90),
            other: runs(1.5, 1.7, cpu=0.5, megabytes=120),
        },
        {this: [], other: []},
        0.0,
    )
    row = tables.version_table([outcome], this, other).splitlines()[-1]
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    # medians: 0.4 and 1.6 s of wall time, 0.6 and 0.5 s of CPU time
    assert [cells[place] for place in (4, 7, 10)] == ["0.25x", "1.20x", "0.75x"]
    assert "goal (CPU) at most 1.05x: 1.20x: MISSED" in cells[-1]
    assert "goal < 0.5 s: 0.40 s: met" in cells[-1]


def test_an_unknown_study_is_an_error_that_lists_them() -> None:
    done = run("sugar")
    assert done.returncode == 2
    assert "no study sugar" in done.stderr
    assert "consensus" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_result_is_computed_once(benchmarks: Any, tmp_path: Path) -> None:
    calls: list[int] = []

    def compute() -> list[tuple[str, float]]:
        calls.append(1)
        return [("a", 0.1 + 0.2)]

    path = tmp_path / "result.json"
    first = benchmarks.checkpoints.stored(path, {"seed": 1}, compute)
    again = benchmarks.checkpoints.stored(path, {"seed": 1}, compute)
    assert first == again == [["a", 0.1 + 0.2]]
    assert len(calls) == 1
    benchmarks.checkpoints.stored(path, {"seed": 2}, compute)
    assert len(calls) == 2


def test_a_line_that_was_cut_off_is_left_out_and_replaced(benchmarks: Any, tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    assert benchmarks.checkpoints.read_rows(path) == []
    benchmarks.checkpoints.append_rows(path, [{"task": "ä"}, {"task": "b"}])
    with path.open("a", encoding="utf-8") as stream:
        stream.write('{"task": "c", "val')  # the study was killed here
    assert [row["task"] for row in benchmarks.checkpoints.read_rows(path)] == ["ä", "b"]
    benchmarks.checkpoints.append_rows(path, [{"task": "c"}])
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["task"] for line in lines] == ["ä", "b", "c"]


def test_the_digest_of_code_changes_with_the_code(benchmarks: Any, tmp_path: Path) -> None:
    digest = benchmarks.checkpoints.code_digest
    (tmp_path / "a.py").write_text("x = 1\n")
    (tmp_path / "notes.md").write_text("a")
    before = digest(tmp_path)
    (tmp_path / "notes.md").write_text("b")
    assert digest(tmp_path) == before
    (tmp_path / "a.py").write_text("x = 2\n")
    assert digest(tmp_path) != before


def test_tables_of_markdown(benchmarks: Any) -> None:
    table = benchmarks.markdown.table
    assert table(["a", "b"], [["1", "2"]]) == "| a | b |\n|---|---|\n| 1 | 2 |"
    assert table(["a", "b"], [], spaced=True) == "| a | b |\n| --- | --- |"
