"""Reports of runs and of their files, and what stands at their top."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tealeaves import demo
from tealeaves.errors import InputError
from tealeaves.judgments import Judgments, compare_judgments
from tealeaves.metrics.scores import Score, Scores
from tealeaves.report import Run, make_run, report_html, run_of, save_report, save_run
from tealeaves.report.report import make_page
from tealeaves.report.run import merge_runs
from tealeaves.report.run.results import run_of_table


@pytest.fixture(scope="module")
def scored() -> Run:
    return make_run(demo.models(), demo.corpus(), "npmi@10")


def test_a_report_of_a_file_is_that_of_the_run(scored: Run, tmp_path: Path) -> None:
    save_run(scored, tmp_path / "a.run")
    save_report(tmp_path / "a.run", tmp_path / "a.html")
    page = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert page == report_html(scored) == report_html([str(tmp_path / "a.run")])


def test_files_name_the_runs(tmp_path: Path) -> None:
    for folder, value in (("a", 0.25), ("b", 0.5)):
        (tmp_path / folder).mkdir()
        score = Score("lda", None, "npmi", value, 1.0, "")
        save_run(run_of_table(Scores([score])), tmp_path / folder / f"{folder}.run")
        save_run(run_of_table(Scores([score])), tmp_path / folder / "same.run")
    with pytest.raises(InputError, match=r"0\.25 in a, 0\.5 in b;"):
        report_html([tmp_path / "a/a.run", tmp_path / "b/b.run"])
    with pytest.raises(InputError, match=r"0\.25 in .*a/same\.run, 0\.5 in .*b/same\.run;"):
        report_html([tmp_path / "a/same.run", tmp_path / "b/same.run"])


@pytest.mark.parametrize("wrong", [None, 3, [None], {"a": 1}.values()])
def test_what_is_no_run_is_refused(wrong: Any, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a report is on runs, or on files of runs, not on"):
        save_report(wrong, tmp_path / "a.html")


@pytest.mark.parametrize("name", ["a.txt", "a", "a.pdf"])
def test_a_report_is_a_page(name: str, scored: Run, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"a page is written as \.html or \.htm"):
        save_report(scored, tmp_path / name)
    assert not list(tmp_path.iterdir())


# ---------------------------------------------------------------------- the top of the page


def facts(run: Run) -> dict[str, str]:
    return dict(make_page(merge_runs([run])).facts)


def test_the_top_says_what_was_scored(scored: Run) -> None:
    assert facts(scored) == {"Models": "3", "Topics": "24", "Metrics": "1"}
    assert make_page(scored).title == "Topics of good, middling and shuffled"


def test_the_top_says_what_people_judged() -> None:
    run = run_of(compare_judgments(Judgments.of(demo.judgments())))
    page = make_page(merge_runs([run]))
    assert page.title == "Judged topics of middling, good and shuffled"
    assert dict(page.facts) == {
        "Models": "3",
        "Judged topics": "24",
        "Tasks": "rating and intrusion",
    }
    assert "people" in page.subtitle


def test_judgments_stand_beside_scores() -> None:
    run = make_run(demo.models(), demo.corpus(), "npmi@10", judgments=demo.judgments())
    found = facts(run)
    assert found["Topics"] == found["Judged topics"] == "24"
    assert found["Tasks"] == "rating and intrusion"


def test_models_without_topics_have_no_number_of_topics() -> None:
    run = run_of_table(Scores([Score("lda", None, "npmi", 0.5, 1.0, "")]))
    assert facts(run) == {"Models": "1", "Metrics": "1"}
