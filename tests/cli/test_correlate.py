from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tealeaves import correlate, demo, read_judgments, score

Run = Callable[..., tuple[int, str, str]]
QUICK = ("--draws", "200", "--permutations", "199")


@pytest.fixture(scope="module")
def folder(playground: Path) -> Path:
    """The demo's files, and scores of its topics."""
    scores = score(demo.models(), demo.corpus(), "npmi@10 c_v@10 umass@10")
    for suffix in ("jsonl", "csv", "json", "parquet"):
        scores.save(playground / f"scores.{suffix}")
    return playground


def rows_of(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("suffix", ["jsonl", "csv", "json", "parquet"])
def test_scores_of_every_format_give_the_same(folder: Path, run: Run, suffix: str) -> None:
    human = folder / "invented_judgments.csv"
    code, out, err = run(
        "correlate", folder / f"scores.{suffix}", "--human", human, *QUICK, "--task",
        "rating", "--coefficient", "pearson",
    )  # fmt: skip
    assert code == 0, err
    rows = rows_of(out)
    assert [row["metric"] for row in rows] == ["npmi@10", "c_v@10", "umass@10"]
    assert rows[0]["n"] == 24
    assert rows[0]["value"] == pytest.approx(0.809, abs=0.001)


@pytest.mark.filterwarnings("ignore:phi_K of 24 values says little")
def test_phi_k_is_corrected_for_noise_unless_the_option_says_otherwise(
    folder: Path, run: Run
) -> None:
    def value(*options: str) -> float:
        code, out, err = run(
            "correlate", folder / "scores.jsonl", "--human", folder / "invented_judgments.csv",
            "--task", "rating", "--coefficient", "phik", "-q", *QUICK, *options,
        )  # fmt: skip
        assert code == 0, err
        return float(rows_of(out)[0]["value"])

    scores = score(demo.models(), demo.corpus(), "npmi@10")
    people = read_judgments(folder / "invented_judgments.csv", tasks=["rating"])
    plan: dict[str, Any] = {"coefficients": "phik", "draws": 0, "permutations": 19}
    expected = correlate(scores, people, **plan).rows[0].value
    plain = correlate(scores, people, noise_correction=False, **plan).rows[0].value
    assert plain > expected + 0.1
    assert value() == pytest.approx(expected)
    assert value("--no-noise-correction") == pytest.approx(plain)


def test_judged_topics_are_scored(folder: Path, run: Run) -> None:
    human = folder / "invented_judgments.csv"
    code, out, err = run(
        "correlate", "--human", human, "-c", folder / "en.jsonl", "-m", "npmi@10", *QUICK,
        "--task", "rating", "--coefficient", "pearson spearman",
    )  # fmt: skip
    assert code == 0, err
    assert [row["coefficient"] for row in rows_of(out)] == ["pearson", "spearman"]
    assert rows_of(out)[0]["value"] == pytest.approx(0.809, abs=0.001)


def test_the_table_has_intervals_ceiling_and_pairs(folder: Path, run: Run) -> None:
    code, out, err = run(
        "correlate", folder / "scores.jsonl", "--human", folder / "invented_judgments.csv",
        "--control", "umass@10", "--versus", "npmi@10", "--without-flagged", "--format", "table",
        *QUICK,
    )  # fmt: skip
    assert code == 0, err
    assert "npmi@10 given umass@10" in out
    assert "(one person and the others)" in out
    assert "Williams p" in out
    assert "95% interval, bootstrap over topics, 200 draws" in out
    assert "1 annotator looks careless and is left out, with 52 judgments: a6" in err


def test_a_note_names_the_option_that_tells_who_looks_careless(folder: Path, run: Run) -> None:
    people = folder / "invented_judgments.csv"
    _, _, err = run("correlate", folder / "scores.jsonl", "--human", people, *QUICK)
    assert "`tealeaves agreement --annotators` tells who, --without-flagged leaves them" in err
    code, out, _ = run("agreement", people, "--annotators", "--format", "table")
    assert code == 0
    assert "a6" in out


@pytest.mark.parametrize("form", ["json", "csv", "md", "latex"])
def test_every_format_is_written(folder: Path, run: Run, form: str) -> None:
    code, out, err = run(
        "correlate", folder / "scores.jsonl", "--human", folder / "invented_judgments.csv",
        "--pairs", "--format", form, "--task", "rating", *QUICK,
    )  # fmt: skip
    assert code == 0, err
    starts = {
        "json": "{",
        "csv": "dataset,task,model,by,coefficient,metric_a,metric_b,",
        "md": "| task",
        "latex": "\\begin",
    }
    assert out.startswith(starts[form])
    assert ("Williams" in out) == (form in ("md", "latex"))
    if form == "json":
        content = json.loads(out)
        assert len(content["rows"]) == 9
        assert len(content["pairs"]) == 9


def test_three_models_are_too_few(folder: Path, run: Run) -> None:
    code, out, err = run(
        "correlate", folder / "scores.jsonl", "--human", folder / "invented_judgments.csv",
        "--by", "model", "--task", "rating", *QUICK,
    )  # fmt: skip
    assert code == 0
    assert {row["remark"] for row in rows_of(out)} == {"fewer than 4 models"}
    assert {row["value"] for row in rows_of(out)} == {None}
    assert "nothing can be correlated: fewer than 4 models" in err


def test_charts_and_rows_are_saved(folder: Path, run: Run, tmp_path: Path) -> None:
    code, _, err = run(
        "correlate", folder / "scores.jsonl", "--human", folder / "invented_judgments.csv",
        "--plot", tmp_path / "c.svg", "-o", tmp_path / "c.parquet", *QUICK,
    )  # fmt: skip
    assert code == 0, err
    assert (tmp_path / "c.svg").read_text(encoding="utf-8").startswith("<svg")
    import polars as pl

    assert pl.read_parquet(tmp_path / "c.parquet").height == 18


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{s}", "--human", "nowhere.csv"], "nowhere.csv: no such file"),
        (["nowhere.jsonl", "--human", "{h}"], "nowhere.jsonl: no such file"),
        (["--human", "{h}"], "give SCORES, or metrics"),
        (
            ["{s}", "--human", "{h}", "-c", "{c}"],
            "--corpus is to score judged topics, but",
        ),
        (["{s}", "--human", "{h}", "--control", "npim@10"], "did you mean npmi@10"),
        (["{s}", "--human", "{h}", "--task", "rate"], "no task rate; did you mean rating?"),
        (["{s}", "--human", "{h}", "--where", "gold"], "--where gold: give NAME=VALUE"),
        (["{s}", "--human", "{h}", "--where", "annotator=zz"], "leaves none of 416 judgments"),
        (["{s}", "--human", "{h}", "--coefficient", "r"], "no coefficient r"),
        (["{s}", "--human", "{h}", "--plot", "c.doc"], "a chart is written as"),
        (["{s}", "--human", "{h}", "-o", "c.doc"], "results are saved as"),
        (["{s}", "--human", "{h}", "-o", "{h}"], "would be overwritten"),
        (["{c}", "--human", "{h}"], "en.jsonl"),
        (
            ["{s}", "--human", "{h}", "--level", "95"],
            "level must be a share above 0.5 and below 1, such as 0.95, not 95.0",
        ),
        (
            ["{s}", "--human", "{h}", "--draws", "5"],
            "draws must be 100 or more, or 0 for no intervals, not 5",
        ),
        (
            ["--human", "{h}", "-c", "{c}", "-m", "npmi", "--versus", "c_v"],
            "among the metrics: npmi",
        ),
        (["{s}", "--human", "{s}"], "scores of metrics, not judgments"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    folder: Path, run: Run, arguments: list[str], message: str
) -> None:
    files = {"s": folder / "scores.jsonl", "h": folder / "invented_judgments.csv",
             "c": folder / "en.jsonl"}  # fmt: skip
    code, out, err = run("correlate", *(text.format(**files) for text in arguments))
    assert (code, out) == (2, "")
    assert message in err
    assert err.startswith("tealeaves: error: ")
    assert err.count("\n") == 1


def test_unmatched_topics_are_counted_and_named(folder: Path, run: Run, tmp_path: Path) -> None:
    text = (folder / "invented_judgments.csv").read_text(encoding="utf-8")
    other = tmp_path / "other.csv"
    other.write_text(text.replace("good,music,", "good,lost,"), encoding="utf-8")
    code, out, err = run(
        "correlate", folder / "scores.jsonl", "--human", other, "--task", "rating", *QUICK
    )
    assert code == 0
    assert rows_of(out)[0]["n"] == 23
    assert "1 of 24 judged topics have no score: good lost" in err
    assert "1 scored topics were not judged: good music" in err
    other.write_text(text.replace("good,", "g,").replace("middling,", "m,")
                     .replace("shuffled,", "s,"), encoding="utf-8")  # fmt: skip
    code, _, err = run("correlate", folder / "scores.jsonl", "--human", other, "--task", "rating")
    assert code == 2
    assert "models and topics must bear the same names" in err
