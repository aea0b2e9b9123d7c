"""Passages of any texts that a corpus reads: verses, sentences, lines."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from tealeaves.errors import InputError, MissingExtraError
from tealeaves.lexicon import analysing
from tealeaves.lexicon.analysing import Analyser, Forms, OfForm
from tealeaves.lexicon.bitext import Passages
from tealeaves.lexicon.tagged import is_tagged, read_tagged
from tealeaves.lexicon.words import Words
from tealeaves.text.corpus import Corpus
from tealeaves.text.paired.corpus import PairedCorpus
from tealeaves.text.paired.links import NoDocumentsError
from tealeaves.text.pipeline import Pipeline, default_pipeline
from tealeaves.text.readers.records import HeaderError

if TYPE_CHECKING:
    from tealeaves.text.document import Document, Fields

    Texts = str | os.PathLike[str] | Corpus

Advance = Callable[[int], None]


def read_passages(
    texts: Texts,
    language: str,
    *,
    pipeline: str | Pipeline | None = None,
    analyser: str | Analyser = "forms",
    unit: str = "verse",
    reader: str | None = None,
    fields: Fields | None = None,
    links: str | None = None,
    keep_texts: bool = False,
    advance: Advance = lambda _: None,
) -> Passages:
    """Read the passages of a language.

    Parameters
    ----------
    texts
        What :meth:`Corpus.open` takes, or a corpus: a Bible, JSONL, a table, one passage a line.
        Or a file of tagged passages, which is told by its content and says itself what its words
        are.
    language
        How the language is called.
    pipeline
        How texts become tokens; by default :func:`default_pipeline` of the language. Digits are no
        words unless it says so. Whether words are in lower case is its say too.
    analyser
        How forms become words: ``forms``, ``simplemma``, ``hanta``; see
        :func:`tealeaves.lexicon.analysing.analyser`.
    unit, reader, fields, links
        As in :meth:`PairedCorpus.open`; passages are ``verse`` as they are read, or joined.
    keep_texts
        Whether passages are kept as they are written, too, for people to read.
    advance
        Called with the number of passages that were read since it was called last.
    """
    if not isinstance(texts, Corpus) and is_tagged(texts):
        return read_tagged(texts, language)
    paired = open_texts(texts, language, unit=unit, reader=reader, fields=fields, links=links)
    return passages_of(
        paired,
        language,
        pipeline=pipeline,
        analyser=analyser,
        keep_texts=keep_texts,
        advance=advance,
    )


def open_texts(
    texts: Texts,
    language: str,
    *,
    unit: str = "verse",
    reader: str | None = None,
    fields: Fields | None = None,
    links: str | None = None,
) -> PairedCorpus:
    """Open the texts of one language, as :func:`read_passages` does."""
    if isinstance(texts, Corpus):
        return PairedCorpus({language: texts.group(unit)})
    return PairedCorpus.open(
        {language: texts}, unit=unit, reader=reader, fields=fields, links=links
    )


def passages_of(
    paired: PairedCorpus,
    language: str,
    *,
    pipeline: str | Pipeline | None = None,
    analyser: str | Analyser = "forms",
    keep_texts: bool = False,
    advance: Advance = lambda _: None,
) -> Passages:
    """Return the passages of a language of paired texts; a passage without a link is left out.

    >>> paired = PairedCorpus.of([{"en": "His Hands.", "fi": "Kätensä"}, {"en": "a foot"}])
    >>> passages = passages_of(paired, "en")
    >>> passages.keys, list(passages.forms), list(passages.words)
    (('1', '2'), [['His', 'Hands'], ['a', 'foot']], [['his', 'hands'], ['a', 'foot']])
    """
    chosen = pipeline_of(language, pipeline)
    how = analyser_of(analyser, language, chosen)
    keys: list[str] = []
    texts: list[str] = []

    def pieces() -> Iterator[tuple[list[str], str]]:
        for key, tokens, text in tokenised(paired, language, chosen, advance):
            keys.append(key)
            if keep_texts:
                texts.append(text)
            yield tokens, text

    if isinstance(how, OfForm):
        forms = Words.of(tokens for tokens, _ in pieces())
        found = with_words(forms, how.word)
    else:
        forms, found = _both(pieces(), how)
    name = paired.side(language).name
    return Passages(language, tuple(keys), forms, found, name, tuple(texts))


def pipeline_of(language: str, pipeline: str | Pipeline | None = None) -> Pipeline:
    """Return how texts of a language become tokens, in the case in which they are written."""
    chosen = Pipeline.parse(default_pipeline(language) if pipeline is None else pipeline)
    if chosen.lemmas or chosen.min_tokens:
        raise InputError(
            f"{chosen}: passages are read as they stand: leave out lemmas and min_tokens (words "
            "become lemmas by simplemma or hanta)"
        )
    return chosen


def analyser_of(how: str | Analyser, language: str, pipeline: Pipeline) -> Analyser:
    """Return what makes words; plain forms are as the pipeline has them."""
    if how == "forms":
        return Forms(lower=pipeline.lower)
    return analysing.analyser(how, language) if isinstance(how, str) else how


def tokenizer_of(language: str, pipeline: Pipeline) -> Callable[[str], list[str]]:
    """Return the function from a text to its forms."""
    try:
        return msgspec.structs.replace(pipeline, lower=False).tokenizer()
    except MissingExtraError as error:
        if pipeline.kind != "icu":
            raise
        raise MissingExtraError(
            f"{language} is written without spaces: {error}; or take each character for a word: "
            f"--tokens {language}=characters"
        ) from error


def with_words(forms: Words, word: Callable[[str], str]) -> Words:
    """Return the same texts with another word in the place of each form.

    >>> words = with_words(Words.of([["A", "Cat"], ["a"]]), str.lower)
    >>> words.vocabulary, words.numbers.tolist()
    (('a', 'cat'), [0, 1, 0])
    """
    known: dict[str, int] = {}
    numbers = [known.setdefault(word(form), len(known)) for form in forms.vocabulary]
    return Words(tuple(known), np.array(numbers, np.int32)[forms.numbers], forms.starts)


def tokenised(
    paired: PairedCorpus, language: str, pipeline: Pipeline, advance: Advance = lambda _: None
) -> Iterator[tuple[str, list[str], str]]:
    """Yield the key of each passage that has one, its forms and its text."""
    tokenize = tokenizer_of(language, pipeline)
    for key, document in keyed(paired, language):
        if key:
            yield key, tokenize(document.text), document.text
        advance(1)


def keyed(paired: PairedCorpus, language: str) -> Iterator[tuple[str, Document]]:
    """Read the texts of a language with their keys; what is wrong is said of passages."""
    try:
        yield from paired.keyed_documents(language)
    except HeaderError as error:
        raise InputError(
            f"{error}; a table needs a header line with id and text, or verses written GEN 1:1 TAB "
            "text"
        ) from error
    except NoDocumentsError as error:
        raise InputError(f"{paired.side(language).name}: no passages") from error


def _both(pieces: Iterable[tuple[list[str], str]], how: Analyser) -> tuple[Words, Words]:
    forms: list[list[str]] = []
    words: list[list[str]] = []
    for tokens, text in pieces:
        forms.append(tokens)
        words.append(how.words(tokens, text))
    return Words.of(forms), Words.of(words)
