"""Passages read from any texts that a corpus can read: verses, sentences, lines."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import msgspec

from tealeaves.errors import InputError, MissingExtraError
from tealeaves.lexicon import analysers
from tealeaves.lexicon.analysers import Analyser, FormAnalyser, Forms
from tealeaves.lexicon.bitext import Passages
from tealeaves.lexicon.tagged_files import is_tagged, read_tagged
from tealeaves.lexicon.words import Words
from tealeaves.text.corpus import Corpus
from tealeaves.text.paired.corpus import PairedCorpus
from tealeaves.text.paired.links import NoDocumentsError
from tealeaves.text.pipeline import Pipeline, default_pipeline
from tealeaves.text.readers.records import HeaderError

if TYPE_CHECKING:
    from tealeaves.text.document import Document, Fields

    Texts = str | os.PathLike[str] | Corpus


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
    advance: Callable[[int], None] = lambda _: None,
) -> Passages:
    """Read the passages of a language.

    Parameters
    ----------
    texts
        What :meth:`Corpus.open` takes, or a corpus: a Bible, JSONL, a table, one passage per line.
        Or a file of tagged passages, which is recognised by its content and has its own words.
    language
        The name of the language.
    pipeline
        How texts become tokens, and whether words are in lower case; by default
        :func:`default_pipeline` of the language. Digits are no words unless the pipeline says so.
    analyser
        How forms become words: ``forms``, ``simplemma``, ``hanta``; see
        :func:`tealeaves.lexicon.analysers.analyser`.
    unit, reader, fields, links
        As in :meth:`PairedCorpus.open`; with ``verse``, passages are those of the file.
    keep_texts
        Whether passages are also kept as they are written, for people to read.
    advance
        Called with the number of passages that were read since the last call.
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
    """Open the texts of one language; the parameters are those of :func:`read_passages`."""
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
    advance: Callable[[int], None] = lambda _: None,
) -> Passages:
    """Return the passages of a language of paired texts; passages without a key are left out.

    Parameters
    ----------
    paired
        The texts.
    language
        The language.
    pipeline
        How texts become tokens.
    analyser
        How forms become words: ``forms``, ``simplemma`` or ``hanta``.
    keep_texts
        Keep the texts beside their tokens.
    advance
        Called with the number of passages that are done, for a progress bar.

    >>> paired = PairedCorpus.of([{"en": "His Hands.", "fi": "Kätensä"}, {"en": "a foot"}])
    >>> passages = passages_of(paired, "en")
    >>> passages.keys, list(passages.forms), list(passages.words)
    (('1', '2'), [['His', 'Hands'], ['a', 'foot']], [['his', 'hands'], ['a', 'foot']])
    """
    tokens = pipeline_of(language, pipeline)
    how = analyser_of(analyser, language, tokens)
    by_form = isinstance(how, FormAnalyser)
    keys: list[str] = []
    texts: list[str] = []
    analysed: list[list[str]] = []

    def all_forms() -> Iterator[list[str]]:
        for key, forms, text in tokenised(paired, language, tokens, advance):
            keys.append(key)
            if keep_texts:
                texts.append(text)
            if not by_form:
                analysed.append(how.words(forms, text))
            yield forms

    forms = Words.of(all_forms())
    words = forms.mapped(how.word) if isinstance(how, FormAnalyser) else Words.of(analysed)
    name = paired.side(language).name
    return Passages(language, tuple(keys), forms, words, name, tuple(texts))


def pipeline_of(language: str, pipeline: str | Pipeline | None = None) -> Pipeline:
    """Return the pipeline of a language; raise for one that would change passages."""
    chosen = Pipeline.parse(default_pipeline(language) if pipeline is None else pipeline)
    if chosen.lemmas or chosen.min_tokens:
        raise InputError(
            f"{chosen}: tokens of passages must be complete and as they are written: leave out "
            "lemmas and min_tokens (for lemmas: --words simplemma or hanta, in Python analyser=)"
        )
    return chosen


def analyser_of(analyser: str | Analyser, language: str, pipeline: Pipeline) -> Analyser:
    """Return an analyser; plain forms have the case of the pipeline."""
    if analyser == "forms":
        return Forms(lower=pipeline.lower)
    return analysers.analyser(analyser, language) if isinstance(analyser, str) else analyser


def tokenised(
    paired: PairedCorpus,
    language: str,
    pipeline: Pipeline,
    advance: Callable[[int], None] = lambda _: None,
) -> Iterator[tuple[str, list[str], str]]:
    """Yield the key of each passage that has one, its forms as they are written, and its text."""
    tokenize = _tokenizer(language, pipeline)
    for key, document in keyed(paired, language):
        if key:
            yield key, tokenize(document.text), document.text
        advance(1)


def _tokenizer(language: str, pipeline: Pipeline) -> Callable[[str], list[str]]:
    try:
        return msgspec.structs.replace(pipeline, lower=False).tokenizer()
    except MissingExtraError as error:
        if pipeline.kind != "icu":
            raise
        raise MissingExtraError(
            f"{language} is written without spaces: {error}; or take each character for a word: "
            f"--tokens {language}=characters"
        ) from error


def keyed(paired: PairedCorpus, language: str) -> Iterator[tuple[str, Document]]:
    """Yield the texts of a language with their keys; errors speak of passages."""
    try:
        yield from paired.keyed_documents(language)
    except HeaderError as error:
        raise InputError(
            f"{error}; a table needs a header line with id and text, or verses written GEN 1:1 TAB "
            "text"
        ) from error
    except NoDocumentsError as error:
        raise InputError(f"{paired.side(language).name}: no passages") from error
