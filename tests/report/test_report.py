"""Reports of runs and of their files, and what stands at their top."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from tealeaves import demo
from tealeaves.errors import InputError
from tealeaves.judgments import Judgments, compare_judgments
from tealeaves.metrics.scores import Score, Scores
from tealeaves.report import Run, make_run, report_html, run_of, save_figures, save_report, save_run
from tealeaves.report.report import make_page
from tealeaves.report.run import merge_runs, open_runs
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


def test_judgments_are_correlated_for_the_report(scored: Run, tmp_path: Path) -> None:
    people = demo.judgments()
    made = make_run(demo.models(), demo.corpus(), "npmi@10", judgments=people)
    both = [
        report_html(run, judgments=judgments)
        for run, judgments in ((scored, people), (_with_origins_of(made, scored), None))
    ]
    assert both[0] == both[1]
    save_run(scored, tmp_path / "a.run")
    save_report([tmp_path / "a.run"], tmp_path / "a.html", judgments=people)
    assert (tmp_path / "a.html").read_text(encoding="utf-8") == both[0]


def _with_origins_of(run: Run, other: Run) -> Run:
    return msgspec.structs.replace(run, origins=other.origins)


def test_a_table_of_several_data_sets_is_correlated_in_each(tmp_path: Path) -> None:
    judged = [(dataset, topic) for dataset in ("news", "wiki") for topic in range(6)]
    rows = [f"{dataset},lda,{topic},{topic / 10}" for dataset, topic in judged]
    (tmp_path / "two.csv").write_text("\n".join(["dataset,model,topic,npmi", *rows, ""]))
    columns = ("dataset", "model", "topic", "annotator", "answer")
    answers = [
        dict(zip(columns, (dataset, "lda", topic, who, topic % 5), strict=True))
        for dataset, topic in judged
        for who in "ab"
    ]
    run = open_runs(tmp_path / "two.csv", Judgments.of(answers))
    assert [part.dataset for part in run.correlations[0].parts] == ["news", "wiki"]


def test_figures_are_written_beside_a_report_or_alone(scored: Run, tmp_path: Path) -> None:
    written = save_report(scored, tmp_path / "a.html", figures=tmp_path / "a")
    assert written[0] == tmp_path / "a.html"
    alone = save_figures(scored, tmp_path / "b")
    assert [path.name for path in alone] == [path.name for path in written[1:]]
    assert [path.read_bytes() for path in alone] == [path.read_bytes() for path in written[1:]]
    assert (tmp_path / "b/comparison.svg") in alone


def test_figures_that_cannot_be_written_are_refused_before_the_page(
    scored: Run, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="file: not a folder, and figures are to be put there"):
        save_report(scored, tmp_path / "a.html", figures=tmp_path / "file")
    with pytest.raises(InputError, match="figures are written as svg, pdf, png, not as 'gif'"):
        save_figures(scored, tmp_path / "b", "gif")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_command_is_shown_unless_that_of_the_run_writes_the_same_report(scored: Run) -> None:
    command = ["tealeaves", "report", "a.run"]
    [origin] = scored.origins
    of_score = msgspec.structs.replace(origin, command=["tealeaves", "score"])
    run = msgspec.structs.replace(scored, origins=[of_score])

    def is_shown(*runs: Run, **options: Any) -> bool:
        return "tealeaves report a.run" in report_html(runs, command=command, **options)

    assert is_shown(scored)
    assert not is_shown(run)
    assert is_shown(run, title="A title")
    assert is_shown(run, judgments=demo.judgments())
    assert is_shown(run, run)


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
