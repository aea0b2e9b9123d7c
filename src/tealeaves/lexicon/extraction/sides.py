"""``Reading``: how the texts of source and target languages become passages."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tealeaves.errors import InputError
from tealeaves.lexicon.analysers import Analyser
from tealeaves.lexicon.bitext import Bitext, Passages
from tealeaves.lexicon.passages import pipeline_of, read_passages
from tealeaves.text.languages import same_language

if TYPE_CHECKING:
    from tealeaves.lexicon.passages import Texts
    from tealeaves.text.document import Fields


@dataclass(frozen=True)
class Reading:
    """How texts are read.

    Parameters
    ----------
    tokens, reader
        The pipeline of tokens and the reader, for all languages or by language; "" stands for all
        that are not named.
    unit, fields, links
        As in :func:`tealeaves.lexicon.passages.read_passages`.
    """

    tokens: str | Mapping[str, str] | None = None
    reader: str | Mapping[str, str] | None = None
    unit: str = "verse"
    fields: Fields | None = None
    links: str | None = None

    def check(self, languages: Sequence[str]) -> None:
        """Refuse what is said of languages that are not there, and tokens that cannot be made.

        >>> Reading(tokens={"zo": "characters"}).check(["en", "zho"])
        Traceback (most recent call last):
        tealeaves.errors.InputError: tokens for zo, but the texts are in en, zho
        """
        for what, said in (("tokens", self.tokens), ("reader", self.reader)):
            names = [name for name in said if name] if isinstance(said, Mapping) else []
            stray = [one for one in names if not any(same_language(one, of) for of in languages)]
            if stray:
                raise InputError(
                    f"{what} for {', '.join(stray)}, but the texts are in {', '.join(languages)}"
                )
        for language in languages:
            pipeline_of(language, said_of(self.tokens, language))

    def passages(
        self,
        texts: Texts | Passages,
        language: str,
        *,
        words: str | Analyser = "forms",
        advance: Callable[[int], None] = lambda _: None,
    ) -> Passages:
        """Read the passages of a language, unless they are read already."""
        if isinstance(texts, Passages):
            return texts
        return read_passages(
            texts,
            language,
            pipeline=said_of(self.tokens, language),
            analyser=words,
            unit=self.unit,
            reader=said_of(self.reader, language),
            fields=self.fields,
            links=self.links,
            advance=advance,
        )

    def side_by_side(self, source: Passages, target: Passages) -> Bitext:
        """Lay passages side by side; by number, there must be as many."""
        counted = self.links in (None, "line") and self.unit == "verse"
        if counted and len(source) != len(target) and _numbered(source) and _numbered(target):
            raise InputError(
                f"{source.name or source.language} has {len(source)} passages, "
                f"{target.name or target.language} {len(target)}: linked by their numbers there "
                "must be as many (if the numbers are ids, say so: --links id, in Python links='id')"
            )
        return Bitext.of(source, target)


def said_of(said: str | Mapping[str, str] | None, language: str) -> str | None:
    """Return what is said of a language, by its own name first.

    >>> said_of({"zh": "characters", "": "words"}, "zho_cuv"), said_of("tokens", "fi")
    ('characters', 'tokens')
    >>> said_of({"zh": "characters"}, "fi") is None
    True
    """
    if not isinstance(said, Mapping):
        return said
    if language and language in said:
        return said[language]
    alike = [one for name, one in said.items() if name and same_language(name, language)]
    return alike[0] if alike else said.get("")


def name_of(texts: str | os.PathLike[str]) -> str:
    """Name the language of a file: its name up to the first dot.

    >>> name_of("bibles/fin_1938.tsv.gz")
    'fin_1938'
    """
    name = Path(texts).name.partition(".")[0]
    if not name:
        raise InputError(f"{os.fspath(texts)}: say the language: fin={os.fspath(texts)}")
    return name


def _numbered(passages: Passages) -> bool:
    """Tell whether keys are but the numbers of the passages."""
    return all(key == str(number) for number, key in enumerate(passages.keys, 1))
