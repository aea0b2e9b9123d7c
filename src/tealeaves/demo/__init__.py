"""The demo corpus: 128 short texts on eight themes in English and Spanish, and topics for them.

Text n of ``en.jsonl`` and text n of ``es.jsonl`` are translations and have the same id. The topics
have three qualities: ``good`` (words of one theme), ``middling`` (half of them mixed with everyday
words or words of a second theme) and ``shuffled`` (the good words in random topics).

The judgments of the English topics are INVENTED. They were drawn at random to look like those of
eight people who rate each topic from 1 to 3 and look for the intruder among six words. One of the
eight, a6, does not read the words. The judgments are only for trying out commands.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from tealeaves.errors import InputError
from tealeaves.files import atomic_writes
from tealeaves.system import sorted_paths
from tealeaves.tables.rows import read_rows
from tealeaves.text.corpus import Corpus
from tealeaves.topics.multilingual import MultilingualTopics
from tealeaves.topics.reading import read_topics
from tealeaves.topics.topics import Topics

__all__ = [
    "LANGUAGES",
    "METRICS",
    "QUALITIES",
    "copy_to",
    "corpus",
    "judgments",
    "models",
    "multilingual_models",
]

LANGUAGES = ("en", "es")
QUALITIES = ("good", "middling", "shuffled")
#: The metrics of ``tealeaves demo``.
METRICS = "npmi@10 c_v@10 c_p@10 umass@10"
_HERE = Path(__file__).parent
_JUDGMENTS = _HERE / "invented_judgments.csv"


def corpus(language: str = "en") -> Corpus:
    """Return the texts of one language.

    Parameters
    ----------
    language
        ``en`` or ``es``.

    >>> len(list(corpus("es")))
    128
    """
    return Corpus.open(_HERE / f"{_check_language(language)}.jsonl")


def models(language: str = "en") -> list[Topics]:
    """Return the good, middling and shuffled topics of one language.

    Parameters
    ----------
    language
        ``en`` or ``es``.
    """
    folder = _HERE / "topics" / _check_language(language)
    return [read_topics(folder / f"{quality}.json") for quality in QUALITIES]


def multilingual_models() -> list[MultilingualTopics]:
    """Return the good, middling and shuffled topics of both languages, aligned.

    >>> multilingual_models()[0]
    MultilingualTopics(good: 8 topics in en, es)
    """
    by_language = [models(language) for language in LANGUAGES]
    return [
        MultilingualTopics.of_languages(
            dict(zip(LANGUAGES, sides, strict=True)), model=sides[0].model
        )
        for sides in zip(*by_language, strict=True)
    ]


def judgments() -> list[dict[str, Any]]:
    """Return the rows of the invented judgments, for ``Judgments.of``.

    >>> len(judgments())
    416
    """
    return [row.values for row in read_rows(_JUDGMENTS)]


def copy_to(folder: str | os.PathLike[str]) -> list[Path]:
    """Copy all files to a folder and return their paths; existing files are not overwritten.

    After an error, such as a full disk, none is left.

    Parameters
    ----------
    folder
        The folder; it is made if it is missing.
    """
    target = Path(folder)
    sources = sorted_paths([_JUDGMENTS, *_HERE.glob("*.jsonl"), *_HERE.glob("topics/*/*.json")])
    copies = [target / source.relative_to(_HERE) for source in sources]
    for copy in copies:
        if copy.exists():
            raise InputError(f"{copy} exists already: name another folder")
    with atomic_writes() as write:
        for source, copy in zip(sources, copies, strict=True):
            write(copy, source.read_bytes())
    return copies


def _check_language(language: str) -> str:
    if language not in LANGUAGES:
        raise InputError(f"the demo is in {' and '.join(LANGUAGES)}, not in {language}")
    return language
