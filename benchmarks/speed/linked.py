"""A hundred bilingual topics for a pair of Bibles, the same each time, and where the Bibles are.

The words of topic k are the 10 words of each language that stand at its places among those of 20 to
600 chapters, by frequency: nothing holds them together, which costs as much to find out.
"""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from pathlib import Path

from benchmarks.folders import data_folder
from benchmarks.speed.texts import FILES as FOLDER

TOPICS, WORDS = 100, 10
FILES = {"en": "eng_web", "es": "spa_rv1909"}
_FEWEST, _MOST = 20, 600
_WORD = re.compile(r"[^\W\d_]+")


def bible(language: str) -> Path:
    """Return the file of verses of a language."""
    return data_folder() / "bible" / f"{FILES[language]}.tsv.gz"


def chapters(language: str) -> dict[str, set[str]]:
    """Return the words of each chapter."""
    words_of: dict[str, set[str]] = {}
    with gzip.open(bible(language), "rt", encoding="utf-8") as lines:
        for line in lines:
            reference, _, text = line.rstrip("\n").partition("\t")
            words = _WORD.findall(text.lower())
            words_of.setdefault(reference.partition(":")[0], set()).update(words)
    return words_of


def make_linked() -> Path:
    """Write the topics where they are not there yet."""
    target = FOLDER / "linked.json"
    if not target.exists():
        sides = {language: _topics(chapters(language)) for language in FILES}
        FOLDER.mkdir(parents=True, exist_ok=True)
        target.write_text(json.dumps({"languages": sides}), encoding="utf-8")
    return target


def _topics(held: dict[str, set[str]]) -> list[list[str]]:
    frequency = Counter(word for words in held.values() for word in words)
    usual = sorted(
        (word for word, count in frequency.items() if _FEWEST <= count <= _MOST),
        key=lambda word: (-frequency[word], word),
    )
    step = max(1, len(usual) // (TOPICS * WORDS))
    chosen = usual[::step][: TOPICS * WORDS]
    return [chosen[k::TOPICS] for k in range(TOPICS)]
