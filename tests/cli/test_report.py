"""``tealeaves report``, and ``--report`` and ``--run`` of other commands."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tealeaves import demo

Run = Callable[..., Any]
THREE = [f"topics/en/{quality}.json" for quality in demo.QUALITIES]
DEMO = [*THREE, "-c", "en.jsonl"]


@pytest.fixture
def folder(playground: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(playground)
    return playground


def titles(page: Path) -> list[str]:
    """Return the headings of the sections of a report."""
    text = page.read_text(encoding="utf-8").partition("<script")[0]
    return re.findall(r"<h2[^>]*>\s*(?:<[^>]+>)*([^<]+)", text)


def test_score_writes_a_report_and_a_run(run: Run, folder: Path) -> None:
    done = run("score", *DEMO, "-m", "npmi@10 c_v@10", "--report", "a.html", "--run", "a.run", "-q")
    assert (done.code, done.err) == (0, "")
    assert titles(folder / "a.html") == [
        "Verdict",
        "Every topic",
        "Best and worst topics",
        "Terms and topics",
        "Do the metrics agree?",
        "What this rests on",
    ]
    saved = json.loads((folder / "a.run").read_text())["run"]
    assert saved["origins"][0]["command"][:2] == ["tealeaves", "score"]
    assert saved["explanations"]["rows"]


def test_a_report_does_not_change_the_numbers(run: Run, folder: Path) -> None:
    plain = run("score", *DEMO, "-m", "npmi@10", "--format", "csv", "-q")
    saved = run("score", *DEMO, "-m", "npmi@10", "--format", "csv", "-q", "--run", "b.run")
    assert saved.out == plain.out


def test_the_report_of_a_saved_run_is_the_same(run: Run, folder: Path) -> None:
    run("score", *DEMO, "-m", "npmi@10", "--report", "once.html", "--run", "once.run", "-q")
    done = run("report", "once.run", "-o", "again.html")
    assert (done.code, done.out) == (0, "again.html\n")
    assert (folder / "again.html").read_bytes() == (folder / "once.html").read_bytes()


def test_several_runs_in_one_report(run: Run, folder: Path) -> None:
    for quality in ("good", "shuffled"):
        topics = f"topics/en/{quality}.json"
        run("score", topics, "-c", "en.jsonl", "-m", "npmi@10", "--run", f"{quality}.run", "-q")
    done = run("report", "good.run", "shuffled.run", "-o", "both.html", "--title", "A <b> title")
    assert done.code == 0
    page = (folder / "both.html").read_text(encoding="utf-8")
    assert re.search(r"“good” is best by npmi@10 \(.*\): 0.591 \(0.532 to", page)
    assert "It differs significantly from all others" in page
    assert "A &lt;b&gt; title" in page
    assert "<b> title" not in page


def test_runs_that_contradict_each_other_are_refused(run: Run, folder: Path) -> None:
    run("score", *DEMO, "-m", "npmi@10", "--run", "one.run", "-q")
    tokens = ("--tokens", "words(min_length=5)")
    run("score", *DEMO, "-m", "npmi@10", "--run", "two.run", "-q", *tokens)
    done = run("report", "one.run", "two.run", "-o", "no.html")
    assert done.code == 2
    assert "different scores of npmi@10 for good" in done.err
    assert not (folder / "no.html").exists()


def test_several_data_sets_and_people(run: Run, folder: Path) -> None:
    rows = ["dataset,model,topic,npmi"]
    rows += [f"{name},lda,{n},{0.1 * n}" for name in ("news", "wiki") for n in range(6)]
    (folder / "two.csv").write_text("\n".join(rows) + "\n")
    answers = ["dataset,model,topic,annotator,answer"]
    answers += [
        f"{name},lda,{n},{who},{n % 5}"
        for name in ("news", "wiki")
        for n in range(6)
        for who in "ab"
    ]
    (folder / "two_people.csv").write_text("\n".join(answers) + "\n")
    done = run("report", "two.csv", "--human", "two_people.csv", "-o", "two.html")
    assert done.code == 0, done.err
    page = (folder / "two.html").read_text(encoding="utf-8")
    assert "lda of news" in page
    assert re.search(r"news[^<]*: npmi agrees best", page)


def test_two_outputs_in_the_same_file_are_refused(run: Run, folder: Path) -> None:
    files = ("--plot", "one.html", "--report", "./one.html")
    done = run("compare", *DEMO, "-m", "npmi@10", *files)
    assert done.code == 2
    assert "two things would be written there" in done.err


def test_a_comparison_keeps_its_design(run: Run, folder: Path) -> None:
    options = ("--test", "wilcoxon", "--correction", "bh", "--report", "c.html", "--run", "c.run")
    done = run("compare", *DEMO, "-m", "npmi@10", "-q", *options)
    assert done.code == 0
    page = (folder / "c.html").read_text(encoding="utf-8")
    assert "signed rank test" in page
    assert "Benjamini and Hochberg" in page
    saved = json.loads((folder / "c.run").read_text())["run"]["comparison"]
    assert saved["design"]["test"] == "wilcoxon"


def test_models_are_compared_by_judgments(run: Run, folder: Path) -> None:
    done = run("compare", "--human", "invented_judgments.csv", "-q", "--report", "h.html")
    assert done.code == 0
    assert titles(folder / "h.html") == ["What people say of the models", "What this rests on"]
    page = (folder / "h.html").read_text(encoding="utf-8")
    assert "In the task rating, people put “good” first, with 2.469." in page
    assert "<title>Judged topics of middling, good and shuffled</title>" in page
    facts = re.findall(r"<dt><bdi>(.*?)</bdi></dt><dd><bdi>(.*?)</bdi></dd>", page)
    assert facts == [("Models", "3"), ("Judged topics", "24"), ("Tasks", "rating and intrusion")]


def test_the_report_of_correlate_has_people_and_the_ceiling(run: Run, folder: Path) -> None:
    judged = ("--human", "invented_judgments.csv", "-c", "en.jsonl", "-m", "npmi@10 c_v@10")
    done = run("correlate", *judged, "-q", "--report", "p.html", "--run", "p.run")
    assert done.code == 0
    assert "Metrics against people" in titles(folder / "p.html")
    page = (folder / "p.html").read_text(encoding="utf-8")
    assert "Between one person and the others it is 0.77" in page
    # of a run and of judgments the same is found
    run("score", *DEMO, "-m", "npmi@10 c_v@10", "--run", "s.run", "-q")
    done = run("report", "s.run", "--human", "invented_judgments.csv", "-o", "p2.html")
    assert done.code == 0
    again = (folder / "p2.html").read_text(encoding="utf-8")
    said = [re.findall(r"rating: [^<]*? others it is [\d.]+", text)[0] for text in (page, again)]
    assert said[0] == said[1]


def test_the_same_run_twice_is_shown_once(run: Run, folder: Path) -> None:
    run("score", *DEMO, "-m", "npmi@10", "-o", "twice.csv", "-q")
    people = ("--human", "invented_judgments.csv", "--task", "rating")
    run("correlate", "twice.csv", *people, "-q", "--run", "twice.run")
    figures = []
    for name, runs in (("once", ["twice.run"]), ("twice", ["twice.run", "twice.run"])):
        done = run("report", *runs, "-o", f"{name}.html", "--figures", name)
        assert done.code == 0, done.err
        figures.append(sorted(path.name for path in (folder / name).iterdir()))
    assert figures[0] == figures[1]


def test_correlate_of_saved_scores(run: Run, folder: Path) -> None:
    run("score", *DEMO, "-m", "npmi@10 c_v@10", "-o", "scores.jsonl", "-q")
    judged = ("--human", "invented_judgments.csv", "--task", "rating")
    done = run("correlate", "scores.jsonl", *judged, "-q", "--report", "q.html")
    assert done.code == 0
    assert {"Verdict", "Every topic", "Metrics against people"} <= set(titles(folder / "q.html"))


def test_the_report_of_select_has_the_number_of_topics(run: Run, folder: Path) -> None:
    grid = ("--model", "lda_vb", "-k", "2,4", "--runs", "2", "-o", "selected")
    done = run("select", *grid, "-c", "en.jsonl", "-q", "--report", "k.html", "--run", "k.run")
    assert done.code == 0, done.err
    assert titles(folder / "k.html")[:2] == ["How many topics?", "The best runs"]
    saved = json.loads((folder / "k.run").read_text())["run"]
    assert len(saved["models"]) == 2
    assert len(saved["selections"][0]["candidates"]) == 2


def test_languages_are_shown_side_by_side(run: Run, folder: Path) -> None:
    topics = ("en=topics/en/good.json", "es=topics/es/good.json")
    texts = ("-c", "en=en.jsonl", "-c", "es=es.jsonl")
    done = run("score", *topics, *texts, "-m", "cnpmi@10", "-q", "--report", "x.html")
    assert done.code == 0
    assert "Across languages" in titles(folder / "x.html")
    page = (folder / "x.html").read_text(encoding="utf-8")
    assert "coverage of cnpmi@10" in page
    assert "astrónomos" in page


def test_a_report_of_saved_scores(run: Run, folder: Path) -> None:
    run("score", *DEMO, "-m", "npmi@10", "-o", "rows.csv", "-q")
    done = run("report", "rows.csv", "-o", "rows.html")
    assert done.code == 0
    page = (folder / "rows.html").read_text(encoding="utf-8")
    assert "There are no reasons, because this run has no consensus." in page
    assert "tealeaves report rows.csv -o rows.html" in page  # there is no other command


@pytest.mark.parametrize(
    ("kind", "start"), [("svg", b"<svg"), ("pdf", b"%PDF"), ("png", b"\x89PNG")]
)
def test_figures_are_saved_as_files(run: Run, folder: Path, kind: str, start: bytes) -> None:
    run("score", *DEMO, "-m", "npmi@10", "--run", "f.run", "-q")
    figures = f"figures-{kind}"
    done = run("report", "f.run", "-o", "f.html", "--figures", figures, "--figure-format", kind)
    assert done.code == 0
    files = sorted((folder / figures).iterdir())
    assert [file.stem for file in files] == [
        "comparison",
        "strip-npmi-10",
        "terms-of-good",
        "terms-of-middling",
        "terms-of-shuffled",
    ]
    assert all(file.read_bytes().startswith(start) for file in files)
    assert set(done.out.splitlines()) == {"f.html", *(f"{figures}/{file.name}" for file in files)}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("report", "nothing.run"), "error: nothing.run: no such file\n"),
        (("report", "en.jsonl", "-o", "r.html"), "en.jsonl"),
        (("report", "a.html", "-o", "r.html"), "not read back"),
        (("report", "topics/en/good.json", "-o", "r.html"), "good.json"),
        (("report", "x.run", "-o", "r.txt"), "written as .html"),
        (("report", "x.run", "-o", "no/r.html"), "no: no such folder: make it first"),
        (("report", "x.run", "-o", "en.jsonl/r.html"), "en.jsonl: a file, not a folder"),
        (("report", "x.run", "--task", "rating"), "go with --human"),
        (("report", "x.run", "--figures", "en.jsonl"), "en.jsonl: not a folder"),
        (("report", "lda.topics"), "a model, not scores of it"),
        (("score", *DEMO, "--report", "r.pdf"), "written as .html"),
        (("score", *DEMO, "--run", "r.json"), "saved as .run"),
        (("score", *DEMO, "--report", "r.html", "-o", "r.html"), "r.html"),
        (("score", *DEMO, "--report", "en.jsonl"), "written as .html"),
        (("compare", *DEMO, "--report", "r.html", "--plot", "r.html"), "two things"),
        (("select", "-k", "2", "-c", "en.jsonl", "--report", "r.md"), "written as .html"),
    ],
)
def test_bad_input_is_one_line(
    run: Run, folder: Path, arguments: tuple[str, ...], said: str
) -> None:
    before = sorted(folder.iterdir())
    done = run(*arguments)
    assert done.code == 2
    assert said in done.err
    assert done.err.count("\n") == 1
    assert sorted(folder.iterdir()) == before


def test_other_commands_say_what_reads_a_run(run: Run, folder: Path) -> None:
    people = "invented_judgments.csv"
    assert run("compare", "--human", people, "-q", "--run", "a.run").code == 0
    for arguments in (
        ("score", "a.run", "-c", "en.jsonl"),
        ("score", THREE[0], "-c", "a.run"),
        ("compare", "a.run", THREE[0], "-c", "en.jsonl"),
        ("correlate", "a.run", "--human", people),
        ("compare", "--human", "a.run"),
        ("agreement", "a.run"),
        ("consensus", "a.run", "-c", "en.jsonl"),
    ):
        done = run(*arguments)
        assert done.code == 2
        said = "a.run: a saved run, which only `tealeaves report` reads"
        assert done.err == f"tealeaves: error: {said}\n"


def test_a_table_may_be_called_run(run: Run, folder: Path) -> None:
    (folder / "topics.run").write_text("tea cup pot\nrain wind cloud\n", encoding="utf-8")
    assert run("score", "topics.run", "-c", "en.jsonl", "-q").code == 0


def test_the_demo_writes_a_report(run: Run, tmp_path: Path) -> None:
    done = run("demo", "-m", "npmi@10 umass@10", "--report", tmp_path / "r.html")
    assert done.code == 0
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "invented for show" in page
    assert "Metrics against people" in titles(tmp_path / "r.html")
