from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tealeaves.evidence.attention.relevance import Relevance

Run = Callable[..., tuple[int, str, str]]
QUICK = ("--draws", "5", "--task", "rating", "--by", "topic")


@pytest.fixture(scope="module")
def folder(playground: Path, demo_relevance: Relevance) -> Path:
    """The demo's files, and relevance of made-up numbers for its topics."""
    demo_relevance.save(playground / "demo.relevance")
    return playground


def rows_of(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_judged_topics_give_a_curve_of_all_metrics(folder: Path, run: Run) -> None:
    code, out, err = run(
        "relevance", "curve", folder / "demo.relevance", "--human",
        folder / "invented_judgments.csv", *QUICK,
    )  # fmt: skip
    assert code == 0, err
    rows = rows_of(out)
    assert [row["texts"] for row in rows[:4]] == [25, 50, 100, 128]
    assert list(dict.fromkeys(row["metric"] for row in rows)) == [
        "attention_sum@10",
        "lrp_sum@10",
        "improved_lrp_sum@10",
        "relevance_count@10",
        "cooccurrence@10",
    ]
    assert "note: relevance: toy read 128 texts" in err


def test_the_curve_ends_at_the_value_of_correlate(folder: Path, run: Run) -> None:
    human = folder / "invented_judgments.csv"
    models = sorted((folder / "topics" / "en").glob("*.json"))
    code, out, err = run(
        "relevance", "curve", folder / "demo.relevance", *models, "--human", human,
        "-m", "lrp_sum@10 cooccurrence@10", "--sizes", "64, 128", "--coefficient", "spearman",
        *QUICK,
    )  # fmt: skip
    assert code == 0, err
    curve = {(row["metric"], row["texts"]): row["value"] for row in rows_of(out)}
    assert len(curve) == 4
    code, out, err = run(
        "correlate", "--human", human, "--relevance", folder / "demo.relevance", "--task", "rating",
        "-m", "lrp_sum@10 cooccurrence@10", "--coefficient", "spearman", "--draws", "100",
        "--permutations", "19",
    )  # fmt: skip
    assert code == 0, err
    for row in rows_of(out):
        assert curve[row["metric"], 128] == pytest.approx(row["value"])


def test_table_files_and_chart(folder: Path, run: Run, tmp_path: Path) -> None:
    pytest.importorskip("altair")
    pytest.importorskip("vl_convert")
    code, out, err = run(
        "relevance", "curve", folder / "demo.relevance", "--human",
        folder / "invented_judgments.csv", "-m", "lrp_sum@10", "--format", "table",
        "-o", tmp_path / "curve.csv", "--plot", tmp_path / "curve.svg", "-q", *QUICK,
    )  # fmt: skip
    assert code == 0, err
    assert out.splitlines()[0].split() == ["task", "texts", "lrp_sum@10", "n"]
    assert "mean over 5 random subsets of the 128 texts" in out
    assert err == ""
    saved = (tmp_path / "curve.csv").read_text().splitlines()
    assert saved[0] == "dataset,task,by,metric,coefficient,texts,value,low,high,n,draws"
    assert len(saved) == 5
    assert "Pearson, topic by topic" in (tmp_path / "curve.svg").read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-m", "npmi@10"], "npmi@10 is not computed from relevance"),
        (["-m", "lrp_sum(heads=2)@10"], "text by text only the sums of the heads that were fixed"),
        (["--sizes", "many"], "--sizes many: give whole numbers"),
        (["--sizes", "500"], "500 texts: the relevance is of 128"),
        (["--level", "95"], "level must be a share above 0.5 and below 1, such as 0.95, not 95.0"),
        (["-o", "curve.xls"], "curve.xls: results are saved as"),
        (["-o", "{h}"], "would be overwritten"),
        (["--task", "naming"], "no task naming"),
        (["--by", "model"], "3 models: correlations need at least 4; try by topic (--by topic)"),
    ],
)
def test_errors_are_one_line(folder: Path, run: Run, arguments: list[str], said: str) -> None:
    human = str(folder / "invented_judgments.csv")
    code, out, err = run(
        "relevance", "curve", folder / "demo.relevance", "--human", human,
        *(argument.format(h=human) for argument in arguments),
    )  # fmt: skip
    assert code != 0
    assert out == ""
    assert said in err
    assert "Traceback" not in err


def test_default_metrics_are_those_that_were_gathered(
    folder: Path, run: Run, demo_relevance: Relevance
) -> None:
    stamp = msgspec.structs.replace(demo_relevance.stamp, improved=False)
    replace(demo_relevance, stamp=stamp).save(folder / "plain.relevance")
    given = (
        folder / "plain.relevance",
        "--human",
        folder / "invented_judgments.csv",
        *QUICK,
    )
    code, out, err = run("relevance", "curve", *given)
    assert code == 0, err
    assert len({row["metric"] for row in rows_of(out)}) == 4
    code, _, err = run("relevance", "curve", *given, "-m", "improved_lrp_sum@10")
    assert code != 0
    assert "the relevance was gathered without Improved LRP" in err


def test_a_file_without_relevance_is_named(folder: Path, run: Run) -> None:
    human = folder / "invented_judgments.csv"
    for path in (human, folder / "missing.relevance"):
        code, _, err = run("relevance", "curve", path, "--human", human)
        assert code != 0
        assert path.name in err
        assert len(err.strip().splitlines()) == 1


# ---------------------------------------------------------------------- separation


def correlated(folder: Path, run: Run, *more: object) -> tuple[int, str, str]:
    return run(
        "correlate", "--human", folder / "invented_judgments.csv", "--relevance",
        folder / "demo.relevance", "-m", "lrp_sum@10 cooccurrence@10", "--draws", "100",
        "--permutations", "19", "--coefficient", "pearson", *more,
    )  # fmt: skip


def test_separation_is_shown_below_the_coefficients(folder: Path, run: Run) -> None:
    code, out, err = correlated(folder, run, "--separation", "halves", "--format", "table")
    assert code == 0, err
    assert out.index("pearson") < out.index("AUC") < out.index("upper and lower halves")


def test_separation_is_written_in_place_of_the_coefficients(folder: Path, run: Run) -> None:
    code, out, err = correlated(folder, run, "--separation", "thirds", "--task", "rating")
    assert code == 0, err
    rows = rows_of(out)
    assert [row["metric"] for row in rows] == ["lrp_sum@10", "cooccurrence@10"]
    assert all(row["n_high"] >= 8 and 0 <= row["auc"] <= 1 for row in rows)
    code, out, err = correlated(folder, run, "--separation", "thirds", "--format", "json")
    assert len(json.loads(out)["separations"]) == len(json.loads(out)["rows"]) == 4


@pytest.mark.parametrize("split", [(), ("--separation", "halves")])
def test_separation_is_drawn(
    folder: Path, run: Run, tmp_path: Path, split: tuple[str, ...]
) -> None:
    pytest.importorskip("altair")
    pytest.importorskip("vl_convert")
    chart = tmp_path / "separation.svg"
    code, out, err = correlated(folder, run, "--plot", chart, "--chart", "separation", *split)
    assert code == 0, err
    drawn = chart.read_text()
    assert ("lower halves" if split else "lower thirds") in drawn
    # the chart alone does not change what is written
    assert ("auc" in rows_of(out)[0]) == bool(split)


def test_incompatible_options_are_refused(folder: Path, run: Run) -> None:
    code, _, err = correlated(folder, run, "--separation", "thirds", "--pairs")
    assert code == 2
    assert "give either --separation or --pairs, not both" in err
    code, _, err = run(
        "correlate", "--human", folder / "invented_judgments.csv", "--relevance",
        folder / "demo.relevance", "-m", "npmi@10",
    )  # fmt: skip
    assert code == 2
    assert "relevance (--relevance) is for metrics such as lrp_sum@10" in err
