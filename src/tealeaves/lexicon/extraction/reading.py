"""``Reading``: how the texts of source and target languages become passages."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tealeaves.errors import InputError
from tealeaves.lexicon.analysers import Analyser
from tealeaves.lexicon.bitext import Bitext, Passages
from tealeaves.lexicon.passages import passages_of, pipeline_of, read_passages
from tealeaves.text.languages import same_language
from tealeaves.text.paired.corpus import PairedCorpus

if TYPE_CHECKING:
    from tealeaves.lexicon.passages import Texts
    from tealeaves.text.document import Fields

    #: The texts of several languages, by name; or files that name their language.
    Sides = Mapping[str, Texts | Passages] | Iterable[str | os.PathLike[str] | Passages]


@dataclass(frozen=True)
class Reading:
    """How texts are read.

    Parameters
    ----------
    tokens, reader
        The pipeline of tokens and the reader, for all languages or by language; "" stands for all
        languages that are not named.
    unit, fields, links
        As in :func:`tealeaves.lexicon.passages.read_passages`.
    """

    tokens: str | Mapping[str, str] | None = None
    reader: str | Mapping[str, str] | None = None
    unit: str = "verse"
    fields: Fields | None = None
    links: str | None = None

    def check(self, languages: Sequence[str]) -> None:
        """Raise for settings of languages that are not read, and for unknown pipelines.

        >>> Reading(tokens={"zo": "characters"}).check(["en", "zho"])
        Traceback (most recent call last):
        tealeaves.errors.InputError: tokens for zo, but the texts are in en, zho
        """
        for name, value in (("tokens", self.tokens), ("reader", self.reader)):
            named = [one for one in value if one] if isinstance(value, Mapping) else []
            stray = [one for one in named if not any(same_language(one, of) for of in languages)]
            if stray:
                raise InputError(
                    f"{name} for {', '.join(stray)}, but the texts are in {', '.join(languages)}"
                )
        for language in languages:
            pipeline_of(language, for_language(self.tokens, language))

    def passages(
        self,
        texts: Texts | Passages | PairedCorpus,
        language: str,
        *,
        words: str | Analyser = "forms",
        keep_texts: bool = False,
        advance: Callable[[int], None] = lambda _: None,
    ) -> Passages:
        """Read the passages of a language, unless they are read already."""
        if isinstance(texts, Passages):
            return texts
        pipeline = for_language(self.tokens, language)
        if isinstance(texts, PairedCorpus):
            return passages_of(texts, language, pipeline=pipeline, analyser=words, advance=advance)
        return read_passages(
            texts,
            language,
            pipeline=pipeline,
            analyser=words,
            unit=self.unit,
            reader=for_language(self.reader, language),
            fields=self.fields,
            links=self.links,
            keep_texts=keep_texts,
            advance=advance,
        )

    def side_by_side(self, source: Passages, target: Passages) -> Bitext:
        """Return the passages that both have; linked by line, both must have the same number."""
        by_line = self.links in (None, "line") and self.unit == "verse"
        if by_line and len(source) != len(target) and _numbered(source) and _numbered(target):
            raise InputError(
                f"{source.name or source.language} has {len(source)} passages, "
                f"{target.name or target.language} {len(target)}: linked by their numbers there "
                "must be as many (if the numbers are ids, say so: --links id, in Python links='id')"
            )
        return Bitext.of(source, target)


def for_language(value: str | Mapping[str, str] | None, language: str) -> str | None:
    """Return the value of a setting for a language; its exact name comes first.

    >>> for_language({"zh": "characters", "": "words"}, "zho_cuv"), for_language("tokens", "fi")
    ('characters', 'tokens')
    >>> for_language({"zh": "characters"}, "fi") is None
    True
    """
    if not isinstance(value, Mapping):
        return value
    if language and language in value:
        return value[language]
    alike = [one for name, one in value.items() if name and same_language(name, language)]
    return alike[0] if alike else value.get("")


def language_of_file(path: str | os.PathLike[str]) -> str:
    """Return the language that a file is named after: its name up to the first dot.

    >>> language_of_file("bibles/fin_1938.tsv.gz")
    'fin_1938'
    """
    name = Path(path).name.partition(".")[0]
    if not name:
        raise InputError(f"{os.fspath(path)}: say the language: fin={os.fspath(path)}")
    return name


def source_language(source: Texts | Passages, language: str | None) -> str:
    """Return the language of a source text: as given, or by the name of its file."""
    if isinstance(source, Passages):
        return source.language
    if language:
        return language
    if not isinstance(source, str | os.PathLike):
        raise InputError("say the language of the source, as in language='en'")
    return language_of_file(source)


def target_texts(targets: Sides | str | os.PathLike[str] | None) -> dict[str, Texts | Passages]:
    """Return the texts of the targets by language; each language stands for one text."""
    if isinstance(targets, str | os.PathLike):
        targets = [targets]
    if not targets:
        raise InputError("no target language: name at least one text")
    if isinstance(targets, Mapping):
        return dict(targets)
    by_language: dict[str, Texts | Passages] = {}
    for texts in targets:
        name = texts.language if isinstance(texts, Passages) else language_of_file(texts)
        if name in by_language:
            raise InputError(f"two targets are called {name}: name them, as in {{'{name}2': …}}")
        by_language[name] = texts
    return by_language


def check_exist(texts: Iterable[object]) -> None:
    """Raise, before anything is read, for files that do not exist."""
    paths = [os.fspath(one) for one in texts if isinstance(one, str | os.PathLike)]
    missing = [
        path
        for path in paths
        if path != "-" and not Path(path).expanduser().exists() and not glob.has_magic(path)
    ]
    if missing:
        more = f" (and {len(missing) - 1} more of the texts)" if len(missing) > 1 else ""
        raise InputError(f"{missing[0]}: no such file or folder{more}")


def _numbered(passages: Passages) -> bool:
    """Tell whether the keys are the numbers of the passages."""
    return all(key == str(number) for number, key in enumerate(passages.keys, 1))
