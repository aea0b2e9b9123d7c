"""The texts of the crosslingual study: NTREX-128, SIB-200 and Bibles, linked across languages."""

from __future__ import annotations

import gzip
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from tealeaves import Document
from tealeaves.text.paired.corpus import PairedCorpus

LANGUAGES = {"ron": "ro", "swe": "sv", "amh": "am", "tgl": "tl", "tur": "tr", "zho": "zh"}
BIBLES = {
    "eng": "eng_web",
    "ron": "ron_lsb_NT",
    "swe": "swe_1917",
    "amh": "amh_wordproject",
    "tgl": "tgl_angbiblia1905",
    "tur": "tur_ytc",
    "zho": "zho_cuv_hans",
}
BLOCK, RUN = 4, 12  # sentences that stay together: of the news, of SIB-200

LinkedTexts = dict[str, Document]


def rows_of(path: Path) -> list[list[str]]:
    """Read a headerless table."""
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        return [line.rstrip("\n").split("\t") for line in stream]


def news(data: Path, language: str) -> dict[str, dict[str, Document]]:
    """Return the blocks of each document of NTREX-128, by document and block."""
    blocks_of: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for name, number, text in rows_of(data / "paired_ntrex128" / f"{language}.tsv.gz"):
        blocks_of[name][f"{name}/{(int(number) - 1) // BLOCK}"].append(text)
    return {
        name: {block: Document("\n".join(texts), id=block) for block, texts in blocks.items()}
        for name, blocks in blocks_of.items()
    }


def sentences(data: Path, language: str) -> dict[str, Document]:
    """Return the labelled sentences of SIB-200 by their number."""
    rows = rows_of(data / "paired_sib200" / f"{language}.tsv.gz")
    return {row[0]: Document(row[3], id=f"sib/{row[0]}", label=row[2]) for row in rows}


class Split(NamedTuple):
    """The texts of one round: to train on, to count in, and those of them that have labels."""

    training: list[LinkedTexts]
    reference: list[LinkedTexts]
    labelled: list[LinkedTexts]


def split(data: Path, language: str, number: int) -> Split:
    """Deal documents into two thirds and one third, the same for every language."""
    sides = {"en": "eng", LANGUAGES[language]: language}
    blocks = {name: news(data, file) for name, file in sides.items()}
    labelled = {name: sentences(data, file) for name, file in sides.items()}
    draw = random.Random(number)
    documents, lines = sorted(blocks["en"]), sorted(labelled["en"], key=int)
    # sentences of one article follow each other: neighbours stay together
    runs = [lines[start : start + RUN] for start in range(0, len(lines), RUN)]
    draw.shuffle(documents)
    draw.shuffle(runs)
    cut = [2 * len(listed) // 3 for listed in (documents, runs)]

    def texts(names: Iterable[str]) -> Iterator[LinkedTexts]:
        for name in names:
            for block in blocks["en"][name]:
                yield {side: blocks[side][name][block] for side in sides}

    def labels(names: Iterable[str]) -> list[LinkedTexts]:
        return [{side: labelled[side][name] for side in sides} for name in names]

    held = labels(chain.from_iterable(runs[cut[1] :]))
    return Split(
        [*texts(documents[: cut[0]]), *labels(chain.from_iterable(runs[: cut[1]]))],
        [*texts(documents[cut[0] :]), *held],
        held,
    )


def bible(data: Path, language: str) -> PairedCorpus:
    """Return the chapters that the Bibles of both languages have."""
    folder = data / "bible"
    names = {"en": BIBLES["eng"], LANGUAGES[language]: BIBLES[language]}
    return PairedCorpus.open(
        {side: folder / f"{file}.tsv.gz" for side, file in names.items()}, unit="chapter"
    )


def part_of(corpus: PairedCorpus, size: float, seed: int) -> PairedCorpus:
    """Return a random share of the tuples; of a larger share it is a part."""
    keys = sorted({key for language in corpus.languages for key in corpus.keys(language)})
    random.Random(seed).shuffle(keys)
    return corpus.select(keys[: round(size * len(keys))])
