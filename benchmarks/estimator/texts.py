"""The texts of the study: halves of the same documents train topics and judge them."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from typing import NamedTuple

from benchmarks.crosslingual.texts import RUN, LinkedTexts, news, rows_of, sentences
from tealeaves import Document
from tealeaves.text.paired.corpus import PairedCorpus
from tealeaves.text.pipeline import default_pipeline

# the files' names, and codes as dictionaries have them; Serbian is left out: its texts are in two
# scripts
LANGUAGES = {
    "amh": "am", "arb": "ar", "ces": "cs", "deu": "de", "fas": "fa", "fin": "fi", "fra": "fr",
    "hau": "ha", "heb": "he", "hrv": "hr", "ita": "it", "jpn": "ja", "kor": "ko", "por": "pt",
    "ron": "ro", "rus": "ru", "spa": "es", "swe": "sv", "swh": "sw", "tgl": "tl", "tur": "tr",
    "vie": "vi", "zho": "zh",
}  # fmt: skip
ENGLISH = "eng_web"
# the vowels of the Arabic Bible are written, those of the news are not
_POINTED = ("ar", "fa", "he")


class Half(NamedTuple):
    """Documents of NTREX-128, and numbers of sentences of SIB-200."""

    documents: list[str]
    sentences: list[str]


def halves(data: Path, number: int) -> tuple[Half, Half]:
    """Deal the texts for a round: the half that trains, and the half that judges.

    Two rounds share a deal and exchange the halves. Sentences of one article follow each other, so
    neighbours stay together.
    """
    documents = sorted(news(data, "eng"))
    lines = sorted(sentences(data, "eng"), key=int)
    runs = [lines[start : start + RUN] for start in range(0, len(lines), RUN)]
    draw = random.Random(number // 2)
    draw.shuffle(documents)
    draw.shuffle(runs)
    cut, middle = len(documents) // 2, len(runs) // 2
    dealt = [
        Half(documents[:cut], [line for run in runs[:middle] for line in run]),
        Half(documents[cut:], [line for run in runs[middle:] for line in run]),
    ]
    return (dealt[0], dealt[1]) if number % 2 == 0 else (dealt[1], dealt[0])


def texts_of(number: int, rounds: int) -> str:
    """Name the parts of the texts that train the topics of a round.

    Each deal halves all texts; a part is what lies in the same halves of all deals. So two rounds
    share no part if they are the two halves of one deal, and else they do.
    """
    deals = (rounds + 1) // 2
    parts = ("".join(halves) for halves in product("01", repeat=deals))
    return "+".join(part for part in parts if part[number // 2] == str(number % 2))


def tuples(data: Path, language: str, half: Half) -> Iterator[LinkedTexts]:
    """Yield the linked texts of a half: blocks of four sentences, and single sentences."""
    sides = {"en": "eng", LANGUAGES[language]: language}
    blocks = {name: news(data, file) for name, file in sides.items()}
    labelled = {name: sentences(data, file) for name, file in sides.items()}
    for document in half.documents:
        for block in blocks["en"][document]:
            yield {name: blocks[name][document][block] for name in sides}
    for line in half.sentences:
        yield {name: labelled[name][line] for name in sides}


def articles(data: Path, language: str) -> Iterator[LinkedTexts]:
    """Yield the articles of the Declaration of Human Rights, which train nothing."""
    sides = {"en": "eng", LANGUAGES[language]: language}
    texts = {
        name: dict(rows_of(data / "paired_udhr" / f"{file}.tsv.gz")) for name, file in sides.items()
    }
    for number in texts["en"]:
        if all(number in texts[name] for name in sides):
            yield {name: Document(texts[name][number], id=f"udhr/{number}") for name in sides}


def rich_reference(data: Path, language: str, number: int) -> list[LinkedTexts]:
    """Return the linked texts that judge the topics of a round."""
    _, judging = halves(data, number)
    return [*tuples(data, language, judging), *articles(data, language)]


def bible(data: Path, language: str) -> PairedCorpus:
    """Return the chapters that the Bibles of English and another language have."""
    [file] = (data / "bible").glob(f"{language}_*.tsv.gz")
    paths = {"en": data / "bible" / f"{ENGLISH}.tsv.gz", LANGUAGES[language]: file}
    return PairedCorpus.open(paths, unit="chapter")


def dictionaries(data: Path, language: str) -> list[Path]:
    """Return the dictionaries there are of a language: MUSE's, and Wiktionary's."""
    code = LANGUAGES[language]
    named: Iterable[Path] = (
        data / "dictionaries_muse" / f"en-{code}.txt.gz",
        data / "dictionaries_wiktionary_omw" / f"en-{code}.tsv.gz",
    )
    return [path for path in named if path.exists()]


def tokens(language: str) -> dict[str, str]:
    """Return the tokens of English and of another language."""
    code = LANGUAGES[language]
    return {
        "en": "words",
        code: "words(marks=false)" if code in _POINTED else default_pipeline(code),
    }
