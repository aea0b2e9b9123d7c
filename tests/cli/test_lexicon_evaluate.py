"""``tealeaves lexicon evaluate``."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tealeaves.lexicon import (
    Annotation,
    Extraction,
    extraction_error,
    read_sheets,
    save_extraction,
    write_sheet,
)
from tealeaves.lexicon.extraction.result import Token

Run = Callable[..., Any]
LEMMAS = [f"w{number}/{'NV'[number % 2]}" for number in range(12)]
Places = dict[tuple[str, int], frozenset[str]]


def _gold(target: str) -> Places:
    draw = random.Random(target)
    return {
        (lemma, verse): frozenset(draw.choices("xyz", k=draw.choice([0, 1, 1, 1, 2])))
        for lemma in LEMMAS
        for verse in range(6)
    }


def _found(model: str, target: str) -> Places:
    draw = random.Random(model + target)
    wrong = {"l": 0.6, "hybrid": 0.1}[model]
    return {
        token: frozenset(draw.choice("xyz")) if draw.random() < wrong else said
        for token, said in _gold(target).items()
    }


def _extraction(model: str, target: str) -> Extraction:
    tokens = tuple(
        Token(said, lemma=lemma, key=f"GEN 1:{verse}", place=LEMMAS.index(lemma))
        for (lemma, verse), said in _found(model, target).items()
    )
    passages = {f"GEN 1:{verse}": (["a"] * len(LEMMAS), ["b", "C"]) for verse in range(6)}
    return Extraction("en", target, model, model, tokens, passages)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two models in two languages, and a sheet for each language."""
    where = tmp_path_factory.mktemp("evaluate")
    (where / "found").mkdir()
    (where / "sheets").mkdir()
    for target in ("fi", "sv"):
        for model in ("l", "hybrid"):
            save_extraction(
                _extraction(model, target), where / "found" / f"{target}.{model}.jsonl.gz"
            )
        rows = [
            Annotation(
                lemma=lemma, pos=lemma[-1], target=target, key=f"GEN 1:{verse}",
                place=LEMMAS.index(lemma), expressions=said,
                split="test" if LEMMAS.index(lemma) < 8 else "dev",
            )
            for (lemma, verse), said in _gold(target).items()
        ]  # fmt: skip
        write_sheet(rows, where / "sheets" / f"{target}.tsv")
    return where


def _mean_error(model: str, target: str, lemmas: list[str]) -> float:
    found, gold = _found(model, target), _gold(target)
    errors = [
        extraction_error(
            [found[lemma, verse] for verse in range(6)], [gold[lemma, verse] for verse in range(6)]
        )
        for lemma in lemmas
    ]
    return sum(errors) / len(errors)


def test_the_table_has_models_lines_and_a_legend(run: Run, folder: Path) -> None:
    done = run(
        "lexicon", "evaluate", folder / "found", "-a", folder / "sheets", "--format", "table"
    )
    assert done.code == 0, done.err
    lines = done.out.splitlines()
    assert lines[0].split()[:5] == ["model", "E", "↓", "95", "%"]
    rows = {line[: line.index("0.")].strip(): line for line in lines[1:5]}
    assert list(rows) == ["hybrid", "L", "all same", "all different"]
    for model, called in (("hybrid", "hybrid"), ("l", "L")):
        both = [_mean_error(model, target, LEMMAS) for target in ("fi", "sv")]
        assert float(rows[called].split()[1]) == pytest.approx(sum(both) / 2, abs=0.0006)
    assert "share a letter" in done.out
    assert "The total is the mean over languages" in done.out
    assert done.err == ""


def test_piped_rows_are_all_means(run: Run, folder: Path) -> None:
    done = run("lexicon", "evaluate", folder / "found", "-a", folder / "sheets", "--draws", 100)
    rows = [json.loads(line) for line in done.out.splitlines()]
    assert len(rows) == (2 + 2) * (1 + 2) * (1 + 2)  # models and lines, targets, parts of speech
    row = next(row for row in rows if (row["model"], row["target"], row["pos"]) == ("L", "sv", "N"))
    nouns = [lemma for lemma in LEMMAS if lemma.endswith("N")]
    assert row["error"] == pytest.approx(_mean_error("l", "sv", nouns))
    assert (row["lemmas"], row["tokens"]) == (6, 36)


@pytest.mark.parametrize(
    ("options", "rows", "labels"),
    [
        (["--by", "pos"], 3 * 4, "| pos | model |"),
        (["--by", "target"], 3 * 4, "| target | model |"),
        (["--by", "lemma"], 2 * 2 * 12, "| target | lemma | pos | model |"),
        (["--pairs"], 1, "| model a | model b |"),
    ],
)
def test_other_tables(run: Run, folder: Path, options: list[str], rows: int, labels: str) -> None:
    base = ["lexicon", "evaluate", folder / "found", "-a", folder / "sheets", "--draws", 50, "-q"]
    table = run(*base, *options, "--format", "md")
    assert table.out.startswith(labels)
    assert sum(line.startswith("|") for line in table.out.splitlines()) == 2 + rows
    assert len(run(*base, *options).out.splitlines()) == rows


def test_options_of_significance_tests(run: Run, folder: Path) -> None:
    base = ["lexicon", "evaluate", folder / "found", "-a", folder / "sheets", "--format", "json"]
    done = run(*base, "--draws", 60, "--level", 0.8, "--seed", 3, "--correction", "none")
    content = json.loads(done.out)
    assert content["plan"] == {"draws": 60, "level": 0.8, "correction": "none", "seed": 3}
    [pair] = content["differences"]
    assert pair["p"] == pair["p_corrected"]
    assert (pair["model_a"], pair["model_b"]) == ("hybrid", "L")
    assert pair["difference"] < 0


def test_a_split_is_evaluated_alone(run: Run, folder: Path) -> None:
    base = ["lexicon", "evaluate", folder / "found", "-a", folder / "sheets" / "fi.tsv"]
    done = run(*base, "--split", "test")
    rows = [json.loads(line) for line in done.out.splitlines()]
    assert rows[0]["lemmas"] == 8
    assert rows[0]["error"] == pytest.approx(_mean_error("hybrid", "fi", LEMMAS[:8]))
    assert "note: left out, not annotated: sv" in done.err
    assert "note: extracted tokens that are not annotated: hybrid in fi 24 of 72" in done.err
    refused = run(*base, "--split", "tset")
    assert refused.code == 2
    assert "no lemma of the sheets is in the split 'tset', they have dev, test" in refused.err
    assert "did you mean test?" in refused.err


def test_a_split_without_annotations_names_the_annotated_ones(
    run: Run, folder: Path, tmp_path: Path
) -> None:
    rows = [
        msgspec.structs.replace(row, expressions=None) if row.split == "test" else row
        for row in read_sheets([folder / "sheets" / "fi.tsv"])
    ]
    rows[-1] = msgspec.structs.replace(rows[-1], split="mixed")
    write_sheet(rows, tmp_path / "fi.tsv")
    base = ["lexicon", "evaluate", folder / "found", "-a", tmp_path / "fi.tsv"]
    done = run(*base, "--split", "test")
    assert done.code == 2
    assert done.err.splitlines() == [
        "tealeaves: error: none of the 48 tokens in the split 'test' is annotated yet; of all "
        "splits 24 are: 23 in dev, 1 in mixed"
    ]
    assert run(*base, "--split", "dev").code == 0


def test_words_outside_a_passage_are_a_one_line_error(
    run: Run, folder: Path, tmp_path: Path
) -> None:
    rows = read_sheets([folder / "sheets" / "fi.tsv"])
    at = next(number for number, row in enumerate(rows) if row.expressions)
    rows[at] = msgspec.structs.replace(rows[at], words=(99,))
    write_sheet(rows, tmp_path / "fi.tsv")
    done = run("lexicon", "evaluate", folder / "found", "-a", tmp_path)
    assert done.code == 2
    assert len(done.err.splitlines()) == 1
    assert f"{tmp_path / 'fi.tsv'}:{at + 2}: words has 99, counted from 0" in done.err


def test_a_file_and_a_chart(run: Run, folder: Path, tmp_path: Path) -> None:
    files = ["-o", tmp_path / "errors.csv", "--plot", tmp_path / "errors.svg"]
    done = run(
        "lexicon", "evaluate", folder / "found", "-a", folder / "sheets", "--draws", 50, *files
    )
    assert done.code == 0, done.err
    assert (tmp_path / "errors.csv").read_text().startswith("kind,model,target,pos,")
    drawn = (tmp_path / "errors.svg").read_text()
    assert "all different: 0." in drawn
    assert ">L</text>" in drawn


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere", "-a", "sheets"], "nowhere: no such file"),
        (["found", "-a", "nowhere.tsv"], "nowhere.tsv"),
        (["found"], "Missing option '-a'"),
        (["-a", "sheets"], "Missing argument 'EXTRACTION...'"),
        (
            ["found", "-a", "sheets", "--pairs", "--by", "pos"],
            "either --pairs or --by pos",
        ),
        (["found", "-a", "sheets", "-o", "errors.xml"], "results are saved as"),
        (["found", "-a", "sheets", "-o", "sheets/fi.tsv"], "results are saved as"),
        (["sheets/fi.tsv", "-a", "sheets"], "not an extraction"),
        (["found", "-a", "sheets", "--draws", "3"], "3 is not in the range"),
        (["found", "-a", "sheets", "--level", "95"], "95.0 is not in the range"),
    ],
)
def test_bad_input_is_one_line(
    run: Run, folder: Path, arguments: list[str], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    done = run("lexicon", "evaluate", *arguments)
    assert done.code == 2
    assert said in done.err
    assert len(done.err.splitlines()) == 1
    assert done.out == ""


def test_help_has_examples(run: Run) -> None:
    done = run("lexicon", "evaluate", "--help")
    assert done.code == 0
    assert "tealeaves lexicon evaluate found --annotated sheets/fin.tsv" in done.out
