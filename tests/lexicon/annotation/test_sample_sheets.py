"""Sheets of a sample in a folder: those of an earlier sample are kept, replaced or refused."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tealeaves.errors import InputError
from tealeaves.lexicon import (
    SampledSheets,
    SamplePlan,
    read_sample,
    read_sheets,
    sample_sheets,
    write_sheet,
)
from tealeaves.text.corpus import Corpus


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    lines = [f"GEN 1:{verse}\tHis hand, a foot.\n" for verse in range(1, 9)]
    (tmp_path / "eng.tsv").write_text("".join(lines))
    (tmp_path / "fin.tsv").write_text("".join(line.replace("hand", "käsi") for line in lines))
    return tmp_path


def draw(folder: Path, lemma: str = "hand", **how: object) -> SampledSheets:
    plan = SamplePlan(tokens=5)
    return sample_sheets(
        folder / "eng.tsv", [folder / "fin.tsv"], folder / "sheets", plan, lemmas=[lemma],
        words="forms", **how,  # type: ignore[arg-type]
    )  # fmt: skip


def test_a_sheet_and_the_sample(folder: Path) -> None:
    sample, sheets = draw(folder)
    assert sheets == {folder / "sheets" / "fin.tsv": 5}
    assert read_sample(folder / "sheets" / "sample.json") == sample
    rows = read_sheets([folder / "sheets"])
    assert {row.passage for row in rows} == {"His »hand«, a foot."}
    assert {row.translation for row in rows} == {"His käsi, a foot."}


def test_sheets_are_replaced_on_request(folder: Path) -> None:
    draw(folder)
    with pytest.raises(InputError, match=r"sample\.json is there already: --restart replaces it"):
        draw(folder, "foot")
    draw(folder, "foot", restart=True, suffix=".jsonl")
    assert sorted(file.name for file in (folder / "sheets").iterdir()) == [
        "fin.jsonl", "sample.json",
    ]  # fmt: skip
    sheet = folder / "sheets" / "fin.jsonl"
    rows = read_sheets([sheet])
    write_sheet([msgspec.structs.replace(rows[0], expressions=frozenset())], sheet)
    with pytest.raises(InputError, match="1 token is annotated in it: move it away"):
        draw(folder, restart=True)
    draw(folder, restart=True, discard_annotations=True)
    assert {row.lemma for row in read_sheets([folder / "sheets"])} == {"hand"}


def test_a_text_is_not_overwritten(folder: Path) -> None:
    with pytest.raises(InputError, match=r"fin\.tsv: it is an input and would be overwritten"):
        sample_sheets(folder / "eng.tsv", [folder / "fin.tsv"], folder, restart=True)


def test_texts_in_memory(folder: Path) -> None:
    source = Corpus.open(folder / "eng.tsv", reader="bible")
    with pytest.raises(InputError, match="say the language of the source"):
        sample_sheets(source, [folder / "fin.tsv"], folder / "sheets")
    sample, _ = sample_sheets(
        source, {"suomi": folder / "fin.tsv"}, folder / "sheets", SamplePlan(tokens=3),
        lemmas=["foot"], language="en", words="forms",
    )  # fmt: skip
    assert (sample.source, list(sample.targets)) == ("en", ["suomi"])
