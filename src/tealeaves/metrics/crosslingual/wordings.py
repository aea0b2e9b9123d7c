"""Wordings: how the words of each language are looked for in its texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tealeaves.errors import InputError
from tealeaves.evidence.terms import Term
from tealeaves.metrics.wording import Wording
from tealeaves.text.pipeline import Pipeline
from tealeaves.topics.topics import Topics


class Wordings(Wording):
    """The wording of each language; ``king`` of English and of Swedish are two terms.

    >>> wordings = Wordings({"en": Pipeline.parse("words"), "sv": Pipeline.parse("words")})
    >>> wordings.of("sv").term("Kung")
    Term(tokens=('kung',), language='sv')
    """

    def __init__(self, pipelines: Mapping[str, Pipeline]) -> None:
        self.pipelines = dict(pipelines)
        self._of: dict[str, Wording] = {}  # made when wanted: a tokenizer may need a package
        self.tokens = " ".join(f"{name}={pipeline!r}" for name, pipeline in pipelines.items())
        self.language = ""
        self.kept: dict[Any, Any] = {}

    def of(self, language: str) -> Wording:
        """Return the wording of a language."""
        if language not in self.pipelines:
            raise InputError(f"no texts of {language}: there are {', '.join(self.pipelines)}")
        if language not in self._of:
            self._of[language] = Wording(self.pipelines[language], language)
        return self._of[language]

    def term(self, word: str) -> Term:
        """Refuse a word whose language is not said."""
        raise InputError(f"{word!r}: of which language?")

    def terms(self, topics: Topics) -> list[tuple[Term, ...]]:
        """Return the distinct terms of topics in one of the languages."""
        return self.of(topics.language).terms(topics)


def wordings_of(wording: Wording) -> Wordings:
    """Return the wordings that crosslingual metrics are given."""
    if not isinstance(wording, Wordings):
        raise InputError("topics in several languages are scored with texts of each of them")
    return wording
