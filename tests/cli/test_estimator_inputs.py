"""Input of ``tealeaves estimator``: it is not overwritten, and its fields can be named."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tealeaves.cli.estimator.fit import command as fit_command
from tealeaves.estimator.estimators import open_estimators
from tealeaves.estimator.fitting import fit
from tealeaves.estimator.table import FeatureTable
from tealeaves.learners.catalogue import DEFAULT_LEARNER, LEARNERS

Run = Callable[..., Any]

WORDS = {"en": [["king", "crown"], ["sea", "ship"]], "es": [["rey", "corona"], ["mar", "barco"]]}
TEXTS = ("-c", "en=en.jsonl", "-c", "es=es.jsonl")
FEW = ("cnpmi", "mta", "twc_pivot")


def _table(languages: Sequence[str] = ("ro", "sv", "tr"), **changes: Any) -> FeatureTable:
    """Four topics of each of two models in each language, with targets from -1 to 1."""
    size = 8 * len(languages)
    values = np.random.default_rng(0).uniform(0, 0.6, size=(size, 3))
    table = FeatureTable(
        pivots=("en",) * size,
        languages=tuple(np.repeat(languages, 8).tolist()),
        models=(*"aaaabbbb",) * len(languages),
        topics=tuple(range(4)) * (size // 4),
        cardinalities=np.array([5, 10] * (size // 2)),
        names=FEW,
        values=values,
        target=values @ [0.5, 0.5, 0.1],
    )
    return replace(table, **changes)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Topics and texts in two languages, whose field is ``body``, and an estimator."""
    monkeypatch.chdir(tmp_path)
    Path("both.json").write_text(json.dumps({"languages": WORDS}))
    for language, topics in WORDS.items():
        _texts(f"{language}.jsonl", [" ".join(topics[n % 2]) for n in range(12)])
    fit(_table()).estimators.save("mine.json")
    return tmp_path


def _texts(path: str, texts: list[str], field: str = "body") -> None:
    rows = [{"id": str(number), field: text} for number, text in enumerate(texts)]
    Path(path).write_text("".join(json.dumps(row) + "\n" for row in rows))


def _refused(done: Any, message: str) -> None:
    assert done.code == 2
    assert message in done.err
    assert len(done.err.splitlines()) == 1, done.err


# ---------------------------------------------------------------------- files that stay


@pytest.mark.parametrize(
    "arguments",
    [
        ("score", "both.json", *TEXTS, "--text-field", "body", "-o", "mine.json"),
        ("count", "both.json", *TEXTS, "--text-field", "body", "-o", "mine.json"),
        ("compare", "both.json", "both.json", *TEXTS, "--text-field", "body", "-o", "mine.json"),
        ("correlate", "--human", "people.csv", "-c", "en.jsonl", "-o", "mine.json"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_an_estimator_that_a_metric_reads_is_not_overwritten(
    run: Run, folder: Path, arguments: tuple[str, ...]
) -> None:
    before = (folder / "mine.json").read_bytes()
    done = run(*arguments, "-m", "cnpmi@2 cnpmi_estimated(estimator=mine.json)@2")
    of_counts = "mine.json exists and holds no counts"
    other = "mine.json: it is an input and would be overwritten"
    _refused(done, of_counts if arguments[0] == "count" else other)
    assert (folder / "mine.json").read_bytes() == before


def test_counts_are_not_overwritten(run: Run, folder: Path) -> None:
    (folder / "all.json").write_text("{}")
    done = run("score", "both.json", "--counts", "all.json", "-o", "all.json")
    _refused(done, "all.json: it is an input and would be overwritten")


def test_other_files_are_written(run: Run, folder: Path) -> None:
    metric = "cnpmi_estimated(estimator=mine.json)@2"
    given = ("both.json", *TEXTS, "--text-field", "body", "-m", metric)
    assert run("score", *given, "-o", "scores.json").code == 0
    assert (folder / "scores.json").exists()


# ---------------------------------------------------------------------- fields of modern texts


@pytest.mark.parametrize("step", ["score", "predict", "build"])
def test_modern_texts_have_the_same_text_field(run: Run, folder: Path, step: str) -> None:
    _texts("modern.jsonl", ["king crown", "sea ship"] * 6)
    given = ("both.json", *TEXTS, "--modern", "modern.jsonl")
    commands: dict[str, tuple[str, ...]] = {
        "score": ("score", *given, "-m", "cnpmi_estimated(estimator=mine.json)@2"),
        "predict": ("estimator", "predict", *given, "--estimator", "mine.json", "--top", "2"),
        "build": ("estimator", "build", *given, "--tops", "2", "-o", "table.csv"),
    }
    done = run(*commands[step], "--text-field", "body", "--id-field", "id")
    assert done.code == 0, done.err
    if step == "build":
        table = FeatureTable.open(folder / "table.csv")
        assert table.column("drift_mean").tolist() == [1.0, 1.0]  # the same neighbours


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ([], "modern.jsonl: no modern texts, there are no documents"),
        (["", " "], "modern.jsonl: no modern texts, all documents are blank"),
        (["kung krona"] * 9, "modern.jsonl, modern texts of en: no word occurs 5 times in both"),
    ],
)
def test_modern_texts_without_the_words(
    run: Run, folder: Path, texts: list[str], message: str
) -> None:
    _texts("modern.jsonl", texts)
    given = ("both.json", *TEXTS, "--text-field", "body", "--modern", "modern.jsonl")
    _refused(run("estimator", "predict", *given, "--estimator", "mine.json"), message)


def test_years_without_a_column_of_years(run: Run, folder: Path) -> None:
    (folder / "years.jsonl").write_text('{"word": "king", "since": 900}\n')
    given = ("both.json", *TEXTS, "--text-field", "body", "--years", "years.jsonl")
    done = run("estimator", "predict", *given, "--estimator", "mine.json")
    _refused(done, "no column is called year (there are word, since); rename one, or in Python")


# ---------------------------------------------------------------------- fitting


def test_the_command_line_knows_all_learners() -> None:
    [option] = [one for one in fit_command.params if one.name == "learner"]
    assert set(option.type.choices) == set(LEARNERS)  # type: ignore[attr-defined]
    assert option.default == DEFAULT_LEARNER


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["good.csv", "--without", "nope"], "no feature or group nope in the table"),
        (
            ["good.csv", "--learner", "adaboost", "--seed", "4294967296"],
            "seed must be from 0 to 4294967295 for adaboost, not 4294967296",
        ),
        (["one.csv"], "one language only (sv): without it nothing is left to learn from"),
        (["pivots.csv"], "the tables have several pivots (en, fr): fit each"),
        (["unknown.csv"], "none of 24 rows has a target and a CNPMI"),
        (["equal.csv"], "the target is 0.2 in all 24 rows with it"),
        (["large.csv"], "the target of ro, model a, topic 0 is 7: a CNPMI lies between -1 and 1"),
        (["bad.csv"], "column bad is neither a feature nor a metric that can be one: leave it out"),
    ],
)
def test_errors_come_before_the_summary(
    run: Run, folder: Path, arguments: list[str], message: str
) -> None:
    good = _table()
    size = len(good)
    tables = {
        "good": good,
        "one": _table(["sv"]),
        "pivots": _table(pivots=("en", "fr") * (size // 2)),
        "unknown": _table(target=np.full(size, np.nan)),
        "equal": _table(target=np.full(size, 0.2)),
        "large": _table(target=np.full(size, 7.0)),
        "bad": _table(names=(*FEW, "bad"), values=np.column_stack([good.values, good.target])),
    }
    name = arguments[0].removesuffix(".csv")
    tables[name].save(folder / arguments[0])
    _refused(run("estimator", "fit", *arguments, "-o", "new.json"), message)
    assert not (folder / "new.json").exists()


def test_a_single_estimator(run: Run, folder: Path) -> None:
    _table().save(folder / "good.csv")
    done = run("estimator", "fit", "good.csv", "-o", "new.json", "--draws", "0", "--single")
    assert done.code == 0, done.err
    assert done.err.splitlines()[-1] == "1 estimator: new.json"
    assert open_estimators("new.json").learner == "ridge"
    done = run("estimator", "fit", "good.csv", "-o", "new.json", "--draws", "0")
    assert done.err.splitlines()[-1] == "2 estimators: new.json"
