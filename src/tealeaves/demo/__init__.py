"""The demo corpus: 128 short texts on eight themes in English and Spanish, and topics for them.

Text n of ``en.jsonl`` and of ``es.jsonl`` have the same id and say the same. The topics come in
three qualities: ``good`` (words of one theme), ``middling`` (half of them with everyday words or
words of a second theme) and ``shuffled`` (the good words dealt out anew).
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from tealeaves.errors import InputError
from tealeaves.text.corpus import Corpus
from tealeaves.topics.reading import read_topics
from tealeaves.topics.topics import Topics

LANGUAGES = ("en", "es")
QUALITIES = ("good", "middling", "shuffled")
#: What is shown of them: coherence by counts.
METRICS = "npmi@10 c_v@10 c_npmi@10 c_a@10 c_p@10 c_uci@10 pmi@10 ppmi@10 umass@10 lcp@10"
_HERE = Path(__file__).parent


def corpus(language: str = "en") -> Corpus:
    """Return the texts of one language.

    >>> len(list(corpus("es")))
    128
    """
    return Corpus.open(_HERE / f"{_known(language)}.jsonl")


def models(language: str = "en") -> list[Topics]:
    """Return the good, middling and shuffled topics of one language."""
    folder = _HERE / "topics" / _known(language)
    return [read_topics(folder / f"{quality}.json") for quality in QUALITIES]


def copy_to(folder: str | os.PathLike[str]) -> list[Path]:
    """Copy texts and topics to a folder and return their paths; nothing there is overwritten."""
    target = Path(folder)
    sources = sorted([*_HERE.glob("*.jsonl"), *_HERE.glob("topics/*/*.json")])
    copies = [target / source.relative_to(_HERE) for source in sources]
    for copy in copies:
        if copy.exists():
            raise InputError(f"{copy} exists already: name another folder")
    for source, copy in zip(sources, copies, strict=True):
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, copy)
    return copies


def _known(language: str) -> str:
    if language not in LANGUAGES:
        raise InputError(f"the demo is in {' and '.join(LANGUAGES)}, not in {language}")
    return language
