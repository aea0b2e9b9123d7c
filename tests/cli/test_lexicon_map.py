"""``tealeaves lexicon map``: pages, charts, tables and one-line errors."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tealeaves.lexicon.extraction.result import Extraction, Token, save_extraction

Run = Callable[..., Any]
SAID = {
    "fin": ["käsi", "käsi", "oikea", "käsi", "oikea", ""],
    "rus": ["ruka", "ruka", "desnica", "ruka", "ruka", ""],
    "zho": ["手", "手", "右", "手", "右", ""],
}


def save(folder: Path, target: str, expressions: list[str], model: str = "l") -> Path:
    tokens, passages = [], {}
    for number, one in enumerate(expressions):
        key = f"GEN 1:{number}"
        found = frozenset([one] if one else [])
        tokens.append(Token(found, (0,) if one else (), 0.9, "hand", key, 1))
        tokens.append(Token(found, (0,) if one else (), 0.9, "arm", key, 0))
        passages[key] = (["arm", "hand"], [one or "x", "y"])
    extraction = Extraction("eng", target, model, f"{model}()", tuple(tokens), passages)
    path = folder / f"{target}.{model}.jsonl.gz"
    save_extraction(extraction, path)
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("found")
    for target, expressions in SAID.items():
        save(folder, target, expressions)
    return folder


def test_a_page(run: Run, folder: Path, tmp_path: Path) -> None:
    page = tmp_path / "hand.html"
    done = run("lexicon", "map", "hand", folder, "--show", "rus", "--title", "Hands", "-o", page)
    assert done.code == 0, done.err
    assert done.err.startswith(f"{page}: 6 tokens, 3 languages, 2 groups, stress ")
    assert "; 1 that no language expresses" in done.err
    text = page.read_text()
    assert "<title>Hands – semantic map</title>" in text
    assert '"show":"rus"' in text


def test_stress_is_undefined_if_all_expressions_are_equal(run: Run, tmp_path: Path) -> None:
    alike, page = save(tmp_path, "fin", ["käsi"] * 3), tmp_path / "hand.html"
    done = run("lexicon", "map", "hand", alike, "-o", page)
    assert done.err == f"{page}: 3 tokens, 1 language, 1 group, stress –\n"
    assert "<dt>Stress of the map</dt><dd>–</dd>" in page.read_text()


def test_the_same_page_again(run: Run, folder: Path, tmp_path: Path) -> None:
    pages = [tmp_path / name for name in ("one.html", "two.html")]
    for page in pages:
        arguments = ["hand", folder, "--tokens", 4, "--seed", 3, "-q", "-o", page]
        assert run("lexicon", "map", *arguments).err == ""
    assert pages[0].read_bytes() == pages[1].read_bytes()
    assert "drawn of 6" in pages[0].read_text()


@pytest.mark.parametrize("kind", ["svg", "json"])
def test_a_chart(run: Run, folder: Path, tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"hand.{kind}"
    done = run("lexicon", "map", "hand", folder, "--show", "fin,zho", "-o", path)
    assert done.code == 0, done.err
    text = path.read_text()
    assert "käsi (3)" in text
    assert "ruka (4)" not in text
    if kind == "json":
        assert len(json.loads(text)["concat"]) == 2


def test_a_table_of_some_languages_and_two_lemmas(run: Run, folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "hand.tsv"
    arguments = ["hand,arm", folder, "--languages", "zho,fin", "--tokens", 0, "--groups", 1]
    assert run("lexicon", "map", *arguments, "-o", path).code == 0
    head, *rows = [line.split("\t") for line in path.read_text().splitlines()]
    assert head[8:] == ["zho", "fin"]
    assert len(rows) == 12
    assert {row[0] for row in rows} == {"hand", "arm"}
    assert {row[4] for row in rows} == {"1", ""}


def test_the_first_language_that_is_given_is_shown_first(
    run: Run, folder: Path, tmp_path: Path
) -> None:
    page, files = tmp_path / "hand.html", [folder / f"{name}.l.jsonl.gz" for name in ("zho", "fin")]
    assert run("lexicon", "map", "hand", *files, "-o", page).code == 0
    assert '"show":"zho"' in page.read_text()
    assert run("lexicon", "map", "hand", folder, "--languages", "rus,fin", "-o", page).code == 0
    assert '"show":"rus"' in page.read_text()
    assert run("lexicon", "map", "hand", *files, "--show", "fin", "-o", page).code == 0
    assert '"show":"fin"' in page.read_text()


def test_too_many_groups(run: Run, folder: Path, tmp_path: Path) -> None:
    done = run("lexicon", "map", "hand", folder, "--groups", 9, "-o", tmp_path / "hand.tsv")
    assert "3 groups (no more can be told apart), stress" in done.err


def test_uncertain_tokens_are_left_out(run: Run, folder: Path, tmp_path: Path) -> None:
    arguments = ["lexicon", "map", "hand", folder, "-o", tmp_path / "hand.tsv"]
    assert "less sure" not in run(*arguments, "--least", "0.9").err
    done = run(*arguments, "--least", "0.95")
    assert done.code == 0
    assert done.err.endswith("; 6 that no language expresses; 15 expressions less sure than 0.95\n")
    wrong = run(*arguments, "--least", "1.5")
    assert wrong.code == 2
    assert "--least" in wrong.err


def test_one_of_several_models(run: Run, folder: Path, tmp_path: Path) -> None:
    other = save(tmp_path, "fin", SAID["fin"], model="aligned(links=union)")
    both = ["hand", folder / "fin.l.jsonl.gz", other, "-o", tmp_path / "hand.tsv"]
    assert (
        "fin was extracted by l and by aligned(links=union): choose"
        in run("lexicon", "map", *both).err
    )
    for spec in ("l", "l()", "aligned(links=union)"):
        assert run("lexicon", "map", *both, "--model", spec).code == 0, spec


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["hnd", "."], "'hnd' was not extracted; did you mean hand? (there are: arm, hand)"),
        ([",", "."], "no lemma is given"),
        (["hand", "nowhere"], "nowhere: no such file"),
        ([".", "hand"], "hand: no such file (LEMMA comes before FOUND)"),
        (["hand"], "Missing argument 'FOUND...'"),
        (["hand", ".", "--languages", "fn"], "--languages: fn was not extracted; did you mean fin"),
        (["hand", ".", "--show", "fra"], "--show: fra was not extracted"),
        (["hand", ".", "--model", "t"], "no extraction by t; there are l"),
    ],
)
def test_bad_input_is_one_line(
    run: Run, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    arguments: list[str], message: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(folder)
    done = run("lexicon", "map", *arguments, "-o", tmp_path / "x.html")
    assert done.code == 2
    assert done.err.count("\n") == 1
    assert message in done.err
    assert not (tmp_path / "x.html").exists()


def test_an_unwritable_path_is_refused(run: Run, folder: Path, tmp_path: Path) -> None:
    done = run("lexicon", "map", "hand", folder, "-o", tmp_path / "x.doc")
    assert "a map is written as .html, .svg" in done.err
    done = run("lexicon", "map", "hand", folder, "-o", tmp_path / "no" / "x.html")
    assert "no such folder: make it first" in done.err


def test_help_has_examples(run: Run) -> None:
    done = run("lexicon", "map", "--help")
    assert done.code == 0
    assert "tealeaves lexicon map hand found -o hand.html" in done.out
