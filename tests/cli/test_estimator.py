"""``tealeaves estimator``: build, fit, predict and explain."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tealeaves.estimator.estimators import open_estimators
from tealeaves.estimator.predictions import explain, predict
from tealeaves.estimator.table import FeatureTable

Run = Callable[..., Any]

# by language: words of the same place belong together
WORDS = {
    "en": [["king", "crown", "throne"], ["sea", "ship", "wind"], ["robot", "laser", "chip"]],
    "es": [["rey", "corona", "trono"], ["mar", "barco", "viento"], ["robot", "laser", "chip"]],
}
TEXTS = ("-c", "en=en.jsonl", "-c", "es=es.jsonl")
RICH = ("--rich", "en=rich.en.jsonl", "--rich", "es=rich.es.jsonl")
MINE = ("both.json", *TEXTS, "--estimator", "mine.json")


def _texts(path: Path, language: str, drawn: list[list[tuple[int, int]]]) -> None:
    rows = [
        {"id": str(number), "text": " ".join(WORDS[language][k][n] for k, n in words)}
        for number, words in enumerate(drawn)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def _table(language: str, seed: int) -> FeatureTable:
    """Ten topics of each of two models, whose target is half of CNPMI and of MTA."""
    rng = np.random.default_rng(seed)
    values = rng.uniform(0, 0.6, size=(20, 3))
    return FeatureTable(
        pivots=("en",) * 20,
        languages=(language,) * 20,
        models=("a",) * 10 + ("b",) * 10,
        topics=tuple(range(10)) * 2,
        cardinalities=np.array([5, 10] * 10),
        names=("cnpmi", "mta", "twc_pivot"),  # and the cardinality, which each table has
        values=values,
        target=0.5 * values[:, 0] + 0.5 * values[:, 1] + 0.01 * rng.normal(size=20),
    )


TABLES = ("ro.jsonl", "sv.csv", "tr.parquet")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Topics, texts, a dictionary, years, modern texts, tables of features and estimators."""
    folder = tmp_path_factory.mktemp("estimator")
    (folder / "both.json").write_text(json.dumps({"languages": WORDS}))
    (folder / "one.json").write_text(json.dumps({"topics": WORDS["en"]}))
    rng = np.random.default_rng(4)
    for name, places, size in (("", 2, 30), ("rich.", 3, 40)):
        topics = rng.integers(places, size=size)
        drawn = [[(int(k), int(n)) for n in rng.integers(3, size=3)] for k in topics]
        for language in WORDS:
            _texts(folder / f"{name}{language}.jsonl", language, drawn)
    (folder / "en-es.txt").write_text("king rey\nsea mar\nship barco\n")
    (folder / "years.tsv").write_text("king\t900\ncrown\t1100\nsea\t1000\nship\t1050\n")
    (folder / "years.csv").write_text("word,year\nking,900\n")
    (folder / "modern.txt").write_text("king crown throne\nsea ship wind\n" * 6)
    for seed, name in enumerate(TABLES):
        _table(name[:2], seed).save(folder / name)
    (folder / "short.json").write_text('{"format": "tealeaves-estimator"')
    return folder


@pytest.fixture(autouse=True)
def inside(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)


@pytest.fixture(autouse=True)
def mine(folder: Path, run: Run) -> None:
    """Estimators that were fitted by the command, once."""
    if not (folder / "mine.json").exists():
        done = run("estimator", "fit", *TABLES, "-o", "mine.json", *FAST, "--quiet")
        assert done.code == 0, done.err


FAST = ("--learner", "ridge", "--draws", "0")


def rows(done: Any) -> list[dict[str, Any]]:
    assert done.code == 0, done.err
    return [json.loads(line) for line in done.out.splitlines()]


# ---------------------------------------------------------------------- help


@pytest.mark.parametrize("step", ["build", "fit", "predict", "explain"])
def test_help_has_examples(run: Run, step: str) -> None:
    done = run("estimator", step, "--help")
    assert done.code == 0
    assert f"  tealeaves estimator {step} " in done.out.partition("Examples:")[2]


def test_the_group_lists_its_commands(run: Run) -> None:
    for arguments in ([], ["--help"]):
        done = run("estimator", *arguments)
        assert done.code == 0
        assert all(f"\n  {step} " in done.out for step in ("build", "fit", "predict", "explain"))


# ---------------------------------------------------------------------- build


def test_a_table_is_made_and_its_features_are_described(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "es.parquet"
    done = run("estimator", "build", "both.json", *TEXTS, *RICH, "--tops", "2 3", "-o", out)
    described = {row["name"]: row for row in rows(done)}
    assert {"cnpmi", "icc", "target"} <= set(described)
    assert "mta" not in described
    # of the topic of robots the reference says nothing, in two rows of six
    assert described["cnpmi"]["coverage"] == pytest.approx(2 / 3)
    assert described["target"]["coverage"] == 1.0
    assert described["cnpmi"]["variance"] > 0
    assert "without dictionary (--dictionary) there is no mta" in done.err
    table = FeatureTable.open(out)
    assert sorted(set(table.cardinalities.tolist())) == [2, 3]
    assert len(table) == 6
    assert set(table.languages) == {"es"}


def test_further_sources_add_features(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "es.jsonl"
    done = run(
        "estimator", "build", "both.json", *TEXTS, "--dictionary", "en-es.txt",
        "--years", "years.tsv", "--modern", "modern.txt", "--feature", "cnpmi(never=-1)",
        "--tops", "3", "-o", out, "--quiet", "--format", "csv",
    )  # fmt: skip
    assert done.code == 0, done.err
    assert done.err == ""
    names = [row["name"] for row in csv.DictReader(io.StringIO(done.out))]
    assert {"mta", "era_mean", "era_sd", "drift_mean", "drift_sd", "cnpmi(never=-1)"} <= set(names)
    table = FeatureTable.open(out)
    assert table.column("mta")[:2] == pytest.approx([1 / 3, 2 / 3])  # king; sea and ship
    assert table.column("era_mean")[:2] == pytest.approx([1000, 1025])
    assert np.isnan(table.target).all()


@pytest.mark.parametrize("suffix", [".parquet", ".jsonl", ".csv", ".json"])
def test_every_table_that_is_saved_can_be_read(run: Run, tmp_path: Path, suffix: str) -> None:
    out = tmp_path / f"es{suffix}"
    assert run("estimator", "build", "both.json", *TEXTS, "--tops", "3", "-o", out).code == 0
    assert len(FeatureTable.open(out)) == 3


def test_another_pivot_and_the_texts_of_the_topics(run: Run, tmp_path: Path) -> None:
    (tmp_path / "years.tsv").write_text("rey\t900\ncorona\t1100\nmar\t1000\n")
    out = tmp_path / "en.csv"
    years = "--years", tmp_path / "years.tsv", "--modern", "es.jsonl"
    given = "--pivot", "es", "--texts", "news+talks", "--tops", "3 9"
    done = run("estimator", "build", "both.json", *TEXTS, *years, *given, "-o", out)
    assert done.code == 0, done.err
    table = FeatureTable.open(out)
    assert set(table.pivots) == {"es"}
    assert set(table.languages) == {"en"}
    assert set(table.texts) == {"news+talks"}
    assert table.column("era_mean")[:2] == pytest.approx([1000, 1000])
    assert "drift_mean" in table.names
    assert "topics of 3 words at most, so without rows of 9" in done.err
    # a language that is said is that of the years
    said = "--years", "en=years.tsv"
    done = run("estimator", "build", "both.json", *TEXTS, *said, *given, "-o", out)
    assert "years (--years) is not of es: there is no era_mean era_sd" in done.err


# ---------------------------------------------------------------------- fit


def test_each_language_is_reported(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "all.json"
    done = run("estimator", "fit", *TABLES, "-o", out, *FAST, "--source", "made up")
    found = rows(done)
    topics = {row["language"]: row for row in found if row["level"] == "topic"}
    assert set(topics) == {"ro", "sv", "tr", "all"}
    assert all(row["estimate"] > 0.95 > row["raw"] for row in topics.values())
    assert "variance" in done.err  # how features vary
    assert f"2 estimators: {out}" in done.err
    fitted = open_estimators(out)
    assert (fitted.source, fitted.learner, fitted.pivot) == ("made up", "ridge", "en")
    assert [one.features for one in fitted.estimators] == [
        ("cardinality", "cnpmi", "mta", "twc_pivot"),
        ("cardinality", "cnpmi", "twc_pivot"),
    ]


def test_fitting_some_features(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "few.json"
    given = "--single", "--without", "twc_pivot", "--cardinality", "10", "--quiet"
    done = run("estimator", "fit", *TABLES, "-o", out, *FAST, *given, "--format", "table")
    assert done.code == 0
    assert done.err == ""
    assert "sv" in done.out
    [one] = open_estimators(out).estimators
    assert one.features == ("cardinality", "cnpmi", "mta")


def test_fitting_again_gives_the_same_file(run: Run, tmp_path: Path) -> None:
    for name, threads in (("one", 1), ("two", 2)):
        out = tmp_path / f"{name}.json"
        fast = (*FAST, "--threads", threads)
        assert run("estimator", "fit", *TABLES, "-o", out, *fast, "--quiet").code == 0
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()
    assert (tmp_path / "one.json").read_bytes() == Path("mine.json").read_bytes()


# ---------------------------------------------------------------------- predict, explain

REFERENCE = {"en": "en.jsonl", "es": "es.jsonl"}


def test_predictions_are_those_of_the_library(run: Run) -> None:
    done = run("estimator", "predict", *MINE, "--level", "0.5")
    expected = predict("both.json", REFERENCE, estimator="mine.json", level=0.5)
    assert done.out == expected.to_jsonl()
    found = rows(done)
    assert [row["topic"] for row in found] == [0, 1, 2, None]
    assert found[0]["low"] < found[0]["estimate"] < found[0]["high"]
    assert found[2]["estimate"] is None
    assert "a better estimator applies with a dictionary (--dictionary)" in done.err


def test_with_a_dictionary_a_better_estimator_is_used(run: Run) -> None:
    found = rows(run("estimator", "predict", *MINE, "--dictionary", "en-es.txt"))
    assert found[0]["features"] == "cardinality cnpmi mta twc_pivot"
    assert (found[0]["low"], found[0]["high"]) == (-1, 1)  # three languages are few


def test_counts_and_texts_give_the_same(run: Run, tmp_path: Path) -> None:
    counts = tmp_path / "some.counts"
    metrics = "-m", "cnpmi@10", "-m", "inpmi@10", "-m", "twc@10"
    assert run("count", "both.json", *TEXTS, *metrics, "-o", counts).code == 0
    plain = run("estimator", "predict", *MINE)
    given = "--counts", counts, "--estimator", "mine.json"
    assert rows(run("estimator", "predict", "both.json", *given)) == rows(plain)


def test_one_file_per_language_is_a_model(run: Run, tmp_path: Path) -> None:
    files = []
    for name, topics in WORDS.items():
        (tmp_path / f"{name}.txt").write_text("".join(" ".join(words) + "\n" for words in topics))
        files.append(f"{name}={tmp_path}/{name}.txt")
    found = rows(run("estimator", "predict", *files, *MINE[1:]))
    plain = rows(run("estimator", "predict", *MINE))
    assert [row["estimate"] for row in found] == [row["estimate"] for row in plain]


def test_explanations_add_up(run: Run) -> None:
    done = run("estimator", "explain", *MINE, "--topic", "1", "--level", "0.5")
    found = rows(done)
    assert {row["feature"] for row in found} == {"cardinality", "cnpmi", "twc_pivot"}
    assert [row["topic"] for row in found] == [1, 1, 1]
    total = found[0]["usual"] + sum(row["contribution"] for row in found)
    assert total == pytest.approx(found[0]["estimate"])
    expected = explain("both.json", REFERENCE, topics=[1], estimator="mine.json", level=0.5)
    assert done.out == expected.to_jsonl()


@pytest.mark.parametrize("step", ["predict", "explain"])
@pytest.mark.parametrize("form", ["table", "json", "csv", "md", "latex"])
def test_formats(run: Run, step: str, form: str) -> None:
    done = run("estimator", step, *MINE, "--format", form, "--quiet")
    assert done.code == 0
    assert done.err == ""
    assert "king" in done.out or step == "explain"
    assert "cnpmi" in done.out.lower()
    if form == "json":
        assert len(json.loads(done.out)["rows"]) == (4 if step == "predict" else 7)


@pytest.mark.parametrize("step", ["predict", "explain"])
def test_rows_are_saved(run: Run, tmp_path: Path, step: str) -> None:
    for suffix in (".jsonl", ".csv", ".parquet", ".md"):
        out = tmp_path / f"rows{suffix}"
        done = run("estimator", step, *MINE, "-o", out)
        assert done.code == 0, done.err
        assert out.stat().st_size > 0
    assert (tmp_path / "rows.jsonl").read_text() == done.out


def test_topics_and_texts_are_enough(run: Run) -> None:
    found = rows(run("estimator", "predict", "both.json", *TEXTS))
    assert all(-1 <= row["estimate"] <= 1 for row in found[:2])
    assert all(row["low"] < row["estimate"] < row["high"] for row in found[:2])
    assert rows(run("estimator", "explain", "both.json", *TEXTS, "--topic", "0"))


# ---------------------------------------------------------------------- what cannot be

READING: list[tuple[list[str], str]] = [
    (["both.json"], "texts are needed: give linked texts of each language"),
    (["nowhere.json", *TEXTS], "nowhere.json"),
    (["one.json", *TEXTS], "topics in one language"),
    (["both.json", "-c", "en=en.jsonl"], "no texts of es"),
    (["both.json", *TEXTS, "-c", "sv=es.jsonl"], "no topics in sv"),
    (["both.json", "-c", "en.jsonl"], "give --corpus en=PATH --corpus es=PATH"),
    (["both.json", "-c", "en=nowhere.jsonl", "-c", "es=es.jsonl"], "nowhere.jsonl"),
    (["both.json", *TEXTS, "--dictionary", "nowhere-en-es.txt"], "nowhere-en-es.txt"),
    (["both.json", *TEXTS, "--dictionary", "fr-de=en-es.txt"], "fr"),
    (["both.json", *TEXTS, "--years", "nowhere.tsv"], "nowhere.tsv"),
    (["both.json", *TEXTS, "--years", "sv=years.tsv"], "years of words of sv"),
    (["both.json", *TEXTS, "--modern", "nowhere.txt"], "nowhere.txt"),
    (["both.json", *TEXTS, "--modern", "sv=modern.txt"], "modern texts of sv"),
    (["both.json", "--counts", "nowhere.counts"], "nowhere.counts"),
    (["both.json", *TEXTS, "--counts", "some.counts"], "either --corpus or --counts"),
    (["both.json", *TEXTS, "--tokens", "sv=words"], "tokens for sv"),
]
BUILDING: list[tuple[list[str], str]] = [
    ([*TEXTS, "-o", "es.txt"], "es.txt: a table is saved as"),
    ([*TEXTS, "-o", "nowhere/es.csv"], "nowhere"),
    ([*TEXTS, "-o", "en.jsonl"], "en.jsonl: it is an input"),
    ([*TEXTS, "-o", "both.json"], "both.json: it is an input"),
    (
        [*TEXTS, *RICH, "-o", "rich.es.jsonl"],
        "rich.es.jsonl: it is an input",
    ),
    (
        [*TEXTS, "--tops", "few", "-o", "es.csv"],
        "--tops few: give whole numbers",
    ),
    ([*TEXTS, "--tops", "0 5", "-o", "es.csv"], "--tops 0 5: give whole numbers of at least 1"),
    ([*TEXTS, "--rich", "en.jsonl", "-o", "es.csv"], "--rich: say the language of each"),
    ([*TEXTS, *RICH[:2], "-o", "es.csv"], "no texts of es"),
    ([*TEXTS, "--rich", "en=none.jsonl", *RICH[2:], "-o", "es.csv"], "none.jsonl"),
    ([*TEXTS, "--rich-unit", "verse", "-o", "es.csv"], "--rich-unit has no effect without --rich"),
    ([*TEXTS, "--pivot", "fr", "-o", "es.csv"], "no topics in fr, the pivot: they are in en, es"),
    ([*TEXTS, "--tops", "8", "-o", "es.csv"], "no topic has 8 words, but 3 at most"),
    ([*TEXTS, "--feature", "cnpmi_estimated", "-o", "es.csv"], "an estimate cannot be a feature"),
    ([*TEXTS, "--feature", "npmi", "-o", "es.csv"], "npmi"),
    ([*TEXTS, "--feature", "wisdom", "-o", "es.csv"], "wisdom"),
    ([*TEXTS], "--output"),
]
FITTING: list[tuple[list[str], str]] = [
    ([*TABLES, "-o", "new.pkl"], "new.pkl: estimators are saved as .json"),
    ([*TABLES, "-o", "nowhere/new.json"], "nowhere"),
    (["nowhere.csv", "-o", "new.json"], "nowhere.csv"),
    (["both.json", "-o", "both.json"], "both.json: it is an input"),
    (["years.tsv", "-o", "new.json"], "years.tsv"),
    (["en.jsonl", "-o", "new.json"], "en.jsonl"),
    (["sv.csv", "-o", "new.json"], "one language only (sv)"),
    (["sv.csv", "ro.jsonl", "-o", "new.json"], "two languages only (ro, sv)"),
    ([*TABLES, "sv.csv", "-o", "new.json"], "sv.csv"),
    ([*TABLES, "--without", "mat", "-o", "new.json"], "did you mean mta?"),
    ([*TABLES, "--without", "base", "-o", "new.json"], "no feature is left"),
    ([*TABLES, "--cardinality", "7", "-o", "new.json"], "no rows of cardinality 7"),
    ([*TABLES, "--draws", "3", "-o", "new.json"], "draws must be at least 20, or 0"),
    ([*TABLES, "--learner", "oracle", "-o", "new.json"], "oracle"),
    ([*TABLES, "-o", "new.json", "--plot", "new.txt"], "new.txt"),
]
JUDGING: list[tuple[list[str], str]] = [
    ([*MINE[:-1], "nowhere.json"], "nowhere.json: no such file of estimators"),
    ([*MINE[:-1], "both.json"], "both.json: not a file of estimators"),
    ([*MINE[:-1], "short.json"], "short.json: not a complete file of estimators"),
    ([*MINE, "-o", "rows.txt"], "rows.txt"),
    ([*MINE, "-o", "mine.json"], "mine.json: it is an input"),
    (
        [*MINE, "--years", "en=years.csv", "-o", "years.csv"],
        "years.csv: it is an input",
    ),
    (
        [*MINE, "--modern", "en=en.jsonl", "-o", "en.jsonl"],
        "en.jsonl: it is an input",
    ),
    (
        [*MINE, "--dictionary", "en-es=es.csv", "-o", "es.csv"],
        "es.csv: it is an input",
    ),
    ([*MINE, "-o", "x.html", "--plot", "x.html"], "x.html"),
    ([*MINE, "-o", "x.csv", "--plot", "x.txt"], "x.txt"),
    ([*MINE, "--level", "1"], "--level"),
    ([*MINE, "--top", "0"], "--top"),
]


def _refused(run: Run, folder: Path, arguments: list[str], message: str) -> None:
    """A line, the exit code of a wrong command, and nothing that was written."""
    before = {file: file.stat().st_mtime_ns for file in folder.iterdir()}
    done = run("estimator", *arguments)
    assert done.code == 2, done
    assert message in done.err
    assert done.out == ""
    assert len(done.err.splitlines()) == 1, done.err
    assert {file: file.stat().st_mtime_ns for file in folder.iterdir()} == before


@pytest.mark.parametrize("step", ["predict", "explain", "build"])
@pytest.mark.parametrize(("arguments", "message"), READING)
def test_unreadable_input_is_refused(
    run: Run, folder: Path, step: str, arguments: list[str], message: str
) -> None:
    more = ["-o", "new.csv"] if step == "build" else ["--estimator", "mine.json"]
    _refused(run, folder, [step, *arguments, *more], message)


@pytest.mark.parametrize(("arguments", "message"), BUILDING)
def test_invalid_builds_are_refused(
    run: Run, folder: Path, arguments: list[str], message: str
) -> None:
    _refused(run, folder, ["build", "both.json", *arguments], message)


@pytest.mark.parametrize(("arguments", "message"), FITTING)
def test_invalid_fits_are_refused(
    run: Run, folder: Path, arguments: list[str], message: str
) -> None:
    _refused(run, folder, ["fit", *arguments, "--quiet"], message)


@pytest.mark.parametrize("step", ["predict", "explain"])
@pytest.mark.parametrize(("arguments", "message"), JUDGING)
def test_invalid_predictions_are_refused(
    run: Run, folder: Path, step: str, arguments: list[str], message: str
) -> None:
    _refused(run, folder, [step, *arguments], message)


def test_an_unknown_topic(run: Run, folder: Path) -> None:
    _refused(run, folder, ["explain", *MINE, "--topic", "9"], "no topic 9 (there are 0, 1, 2)")


def test_a_constant_feature(run: Run, folder: Path, tmp_path: Path) -> None:
    for seed, name in enumerate(("ro", "sv", "tr")):
        table = _table(name, seed)
        table.values[:, 2] = 1.0
        table.save(tmp_path / f"{name}.csv")
    files = [str(file) for file in sorted(tmp_path.iterdir())]
    out = ["-o", str(tmp_path / "new.json"), "--quiet"]
    message = "twc_pivot is 1 in all 60 rows: leave it out (--without twc_pivot)"
    _refused(run, folder, ["fit", *files, *out], message)
    assert not (tmp_path / "new.json").exists()
    assert run("estimator", "fit", *files, *out, *FAST, "--without", "twc_pivot").code == 0


# ---------------------------------------------------------------------- charts


@pytest.mark.parametrize("step", ["predict", "explain", "fit"])
def test_charts_are_written(run: Run, tmp_path: Path, step: str) -> None:
    chart = tmp_path / "chart.html"
    given = [*TABLES, "-o", tmp_path / "x.json", *FAST] if step == "fit" else MINE
    done = run("estimator", step, *given, "--plot", chart, "--quiet")
    assert done.code == 0, done.err
    assert "<html" in chart.read_text().lower()
