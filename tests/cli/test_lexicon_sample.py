"""``tealeaves lexicon sample`` and ``annotations``: sheets are written and read."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tealeaves.lexicon.annotation.sample import read_sample
from tealeaves.lexicon.annotation.sheets import read_sheet, write_sheet

from .relevance_commands import Run, check_error

# every lemma in each verse with a third of chance, so in about 100 of 300
LEMMAS = [f"{stem}{pos}" for stem in ("hand", "foot", "king", "take", "good") for pos in "NAV"]


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tagged source, a Bible to tag, and targets."""
    folder = tmp_path_factory.mktemp("texts")
    draw = random.Random(3)
    rows = []
    for number in range(1, 301):
        words = [f"{w[:-1]}/{w[-1]}" for w in LEMMAS if draw.random() < 1 / 3] or ["the"]
        forms = [word.partition("/")[0] for word in words]
        row = {"id": f"GEN {number}:1", "forms": forms, "words": words, "text": " ".join(forms)}
        rows.append(row)
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "eng.tagged.jsonl").write_text(lines)
    for name, text in (("fin", "Käsi on, {}."), ("zho", "手{}的。"), ("jpn", "手{}の。")):
        lines = "".join(f"GEN {n}:1\t{text.format('字' * (n % 3))}\n" for n in range(1, 301))
        (folder / f"{name}.tsv").write_text(lines, encoding="utf-8")
    (folder / "other.tsv").write_text("EXO 1:1\tmuu\nEXO 1:2\tmuu\n")
    (folder / "empty.tsv").write_text("GEN 1:1\t...\nGEN 2:1\t!\n")
    return folder


def sample(run: Run, texts: Path, output: Path, *more: object, targets: str = "fin") -> Any:
    given = [part for name in targets.split() for part in ("-t", texts / f"{name}.tsv")]
    drawn = () if "--lemmas" in more else ("--per-bin", 2, "--bins", "1000+")
    small = (*drawn, "--per-lemma", 10)
    return run("lexicon", "sample", texts / "eng.tagged.jsonl", *given, "-o", output, *small, *more)


def test_a_sheet_for_each_target(run: Run, texts: Path, tmp_path: Path) -> None:
    folder = tmp_path / "sheets"
    characters = ("--tokens", "zho=characters", "--tokens", "jpn=characters")
    done = sample(run, texts, folder, *characters, targets="fin zho jpn")
    assert (done.code, done.out) == (0, "")
    assert f"{folder / 'fin.tsv'}: 60 tokens to annotate" in done.err
    assert "6 lemmas; 300 of 300 passages are in all targets" in done.err
    drawn = read_sample(folder / "sample.json")
    assert sorted(drawn.targets) == ["fin", "jpn", "zho"]
    sheets = {name: read_sheet(folder / f"{name}.tsv") for name in drawn.targets}
    tokens = {name: [(r.lemma, r.key, r.place) for r in rows] for name, rows in sheets.items()}
    assert tokens["fin"] == tokens["zho"] == tokens["jpn"]
    assert len(tokens["fin"]) == 60
    for row in sheets["zho"]:
        assert row.translation == f"手{'字' * (int(row.key[4:-2]) % 3)}的。"
        assert f"»{row.lemma[:-2]}«" in row.passage
        assert (row.source, row.target, row.pos) == ("eng", "zho", row.lemma[-1])
    again = tmp_path / "again"
    sample(run, texts, again, *characters, targets="fin zho jpn")
    for name in ("fin.tsv", "zho.tsv", "jpn.tsv", "sample.json"):
        assert (again / name).read_bytes() == (folder / name).read_bytes()


def test_existing_sheets_are_not_replaced(run: Run, texts: Path, tmp_path: Path) -> None:
    assert sample(run, texts, tmp_path, "--sheets", "jsonl", "-q").err == ""
    kept = (tmp_path / "fin.jsonl").read_bytes()
    done = sample(run, texts, tmp_path, "--sheets", "jsonl", "--seed", 1)
    check_error(done, f"{tmp_path / 'sample.json'} is there already: --restart replaces it")
    assert (tmp_path / "fin.jsonl").read_bytes() == kept
    assert sample(run, texts, tmp_path, "--sheets", "jsonl", "--seed", 1, "--restart").code == 0
    assert (tmp_path / "fin.jsonl").read_bytes() != kept


def test_sheets_in_another_format_are_removed(run: Run, texts: Path, tmp_path: Path) -> None:
    assert sample(run, texts, tmp_path).code == 0
    notes = tmp_path / "notes.tsv"
    notes.write_text("mine\n")
    done = sample(run, texts, tmp_path, "--sheets", "jsonl", "--seed", 1, "--restart")
    assert done.code == 0, done.err
    names = sorted(file.name for file in tmp_path.iterdir())
    assert names == ["fin.jsonl", "notes.tsv", "sample.json"]
    done = sample(run, texts, tmp_path, "--seed", 2, "--restart")  # and the other way round
    assert done.code == 0, done.err
    names = sorted(file.name for file in tmp_path.iterdir())
    assert names == ["fin.tsv", "notes.tsv", "sample.json"]


@pytest.mark.parametrize("kind", ["tsv", "jsonl"])  # what is written over, and what is removed
def test_annotations_are_not_replaced(run: Run, texts: Path, tmp_path: Path, kind: str) -> None:
    assert sample(run, texts, tmp_path).code == 0
    sheet = tmp_path / "fin.tsv"
    rows = read_sheet(sheet)
    rows[:2] = [
        msgspec.structs.replace(row, expressions=said)
        for row, said in zip(rows, (frozenset(), frozenset({"käsi"})), strict=False)
    ]
    write_sheet(rows, sheet)
    kept = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    more = ("--sheets", kind, "--seed", 1, "--restart")
    message = f"{sheet} would be replaced, but 2 tokens are annotated in it: move it away, or give "
    check_error(sample(run, texts, tmp_path, *more), message + "--discard-annotations to lose them")
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == kept
    assert sample(run, texts, tmp_path, *more, "--discard-annotations").code == 0
    assert not any(row.is_annotated for row in read_sheet(tmp_path / f"fin.{kind}"))
    assert (tmp_path / "sample.json").read_bytes() != kept["sample.json"]


def test_a_sheet_that_cannot_be_read_is_not_replaced(run: Run, texts: Path, tmp_path: Path) -> None:
    """It may be somebody's work, with one mistake."""
    sheet = tmp_path / "fin.tsv"
    sheet.write_text("lemma\tkey\tplace\texpressions\nhand/N\tGEN 1:1\t0\tkäsi | \n")
    done = sample(run, texts, tmp_path, "--restart")
    check_error(done, f"{sheet} would be replaced, but it may hold annotations")
    assert f"{sheet}:2: an expression is empty" in done.err
    assert sample(run, texts, tmp_path, "--restart", "--discard-annotations").code == 0


def test_a_sheet_of_another_sample_is_not_removed(run: Run, texts: Path, tmp_path: Path) -> None:
    assert sample(run, texts, tmp_path / "a", "--lemmas", "hand/N", "--per-lemma", 5).code == 0
    work = (tmp_path / "a" / "fin.tsv").read_bytes()
    message = "fin.tsv is a sheet that would stay beside those of another sample: move it away"
    for folder, earlier in (("b", "foot/N"), ("c", "")):  # of another sample, of none that is there
        sheet = tmp_path / folder / "fin.tsv"
        sheet.parent.mkdir()
        if earlier:
            assert sample(run, texts, sheet.parent, "--lemmas", earlier, "--restart").code == 0
        sheet.write_bytes(work)
        done = sample(run, texts, sheet.parent, "--sheets", "jsonl", "--restart")
        check_error(done, message)
        assert sheet.read_bytes() == work
        assert not (sheet.parent / "fin.jsonl").exists()
    # a target that is none any more
    done = sample(
        run, texts, tmp_path / "a", "--restart", "--tokens", "zho=characters", targets="zho"
    )
    check_error(done, message)
    assert (tmp_path / "a" / "fin.tsv").read_bytes() == work


def test_requested_lemmas(run: Run, texts: Path, tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("foot\n")
    given = ("--lemmas", "hand/N", "--lemmas", f"@{tmp_path / 'words.txt'}")
    done = sample(run, texts, tmp_path / "a", *given, "--dev-targets", "fin")
    assert done.code == 0
    found = read_sheet(tmp_path / "a" / "fin.tsv")
    assert {row.lemma for row in found} == {"hand/N", "foot"}
    assert {row.split for row in found} <= {"dev", "mixed"}


def test_an_untagged_text_is_tagged_first(run: Run, texts: Path, tmp_path: Path) -> None:
    pytest.importorskip("HanTa")
    source = tmp_path / "eng.tsv"
    source.write_text("".join(f"GEN {n}:1\tHe took his hands.\n" for n in range(1, 31)))
    done = run(
        "lexicon", "sample", source, "-t", texts / "fin.tsv", "-o", tmp_path / "a", "--pos", "N,V",
        "--exclude", _listed(tmp_path, "take"),
    )  # fmt: skip
    assert done.code == 0
    found = read_sheet(tmp_path / "a" / "fin.tsv")
    assert {row.lemma for row in found} == {"hand/N"}
    assert {row.passage for row in found} == {"He took his »hands«."}
    assert len(found) == 30


def _listed(folder: Path, *words: str) -> Path:
    path = folder / "excluded.txt"
    path.write_text("\n".join(words))
    return path


@pytest.mark.parametrize(
    ("more", "targets", "message"),
    [
        ([], "other", "share no passage: ids such as 'GEN 1:1' in the first, 'EXO 1:1' in the"),
        ([], "empty", "empty.tsv has no words"),
        ([], "nowhere", "nowhere.tsv: no such file or folder"),
        (["--lemmas", "hnad/N"], "fin", "'hnad/N' never occurs in "),
        (["--lemmas", ","], "fin", "no lemmas: name at least one word of the source"),
        (["--bins", "many"], "fin", "'many' is no frequency bin: write 30-100, or 300+"),
        (["--per-lemma", 500], "fin", "has 500 tokens in the 300 passages that all targets have"),
        (["--dev-targets", "zho"], "fin", "zho is for dev, but no target"),
        (["--tokens", "zh=characters"], "fin", "tokens for zh, but the texts are in eng, fin"),
        (["--reader", "zh=tsv"], "fin", "reader for zh, but the texts are in eng, fin"),
        (["--exclude", "no.txt"], "fin", "no.txt: no such file of stop words"),
    ],
)
def test_bad_input_is_one_line(
    run: Run, texts: Path, tmp_path: Path, more: list[object], targets: str, message: str
) -> None:
    check_error(sample(run, texts, tmp_path / "a", *more, targets=targets), message)
    assert not (tmp_path / "a").exists()


def test_a_target_without_spaces_needs_icu(
    run: Run, texts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "icu4py", None)
    monkeypatch.setitem(sys.modules, "icu4py.breakers", None)
    done = sample(run, texts, tmp_path / "a", targets="zho")
    check_error(done, "zho is written without spaces: the pipeline icu needs the package icu4py")
    assert "--tokens zho=characters" in done.err
    done = sample(run, texts, tmp_path / "a", "--tokens", "zho=characters", targets="zho")
    assert done.code == 0


def test_statistics_of_sheets(run: Run, texts: Path, tmp_path: Path) -> None:
    sample(run, texts, tmp_path / "a", "--lemmas", "hand/N,take/V")
    sheet = tmp_path / "a" / "fin.tsv"
    said = [frozenset({"käsi"}), frozenset(), frozenset({"käsi", "koura"}), None]
    rows = [
        msgspec.structs.replace(row, expressions=said[number % 4])
        for number, row in enumerate(read_sheet(sheet))
    ]
    write_sheet(rows, sheet)
    done = run("lexicon", "annotations", tmp_path / "a", "--format", "jsonl")
    assert done.err == "note: fin: 5 of 20 tokens are not annotated\n"
    found = [json.loads(line) for line in done.out.splitlines()]
    assert [(row["target"], row["pos"], row["expressions"]) for row in found] == [
        ("fin", "all", 2), ("fin", "N", 2), ("fin", "V", 2),
    ]  # fmt: skip
    assert found[0]["zero"] == pytest.approx(5 / 15)
    assert found[0]["multiple"] == pytest.approx(5 / 15)
    saved = tmp_path / "rows.csv"
    done = run("lexicon", "annotations", sheet, "--by", "lemma", "--format", "table", "-o", saved)
    assert done.out.split("\n")[1].split()[:4] == ["fin", "N", "hand/N", "1"]
    assert saved.read_text().startswith("target,pos,lemma,")
    assert len(saved.read_text().splitlines()) == 3
    check_error(
        run("lexicon", "annotations", sheet, "--split", "no"),
        "is in the split 'no', they have dev, test",
    )
    check_error(run("lexicon", "annotations", tmp_path / "no.tsv"), "no.tsv: no such file")
    assert run("lexicon", "annotations", sheet, "-o", sheet).code == 2


@pytest.mark.parametrize("name", ["sample", "annotations", "tag"])
def test_help_has_examples(run: Run, name: str) -> None:
    done = run("lexicon", name, "--help")
    assert done.code == 0
    assert f"tealeaves lexicon {name}" in done.out.split("Examples:")[1]
