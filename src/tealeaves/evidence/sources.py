"""``Sources``: everything that topics are judged with, as a user gives it.

Each source may be given in several forms (a path, texts in memory, an object that is already open).
``Sources`` opens each of them once, when it is first needed, and says what is wrong with it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property, reduce
from operator import or_
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError
from tealeaves.evidence.counts import Counts, PipelineStamp, load_counts
from tealeaves.evidence.embeddings.choice import EmbeddingChoice
from tealeaves.evidence.wording import Wording, Wordings
from tealeaves.text.corpus import Corpus
from tealeaves.text.languages import find_language, same_language
from tealeaves.text.pipeline import Pipeline, Tokens, default_pipeline, name_files_of, pipelines_of
from tealeaves.topics.multilingual import languages_of, require_multilingual
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.evidence.attention.relevance import Relevance
    from tealeaves.evidence.dictionaries import Dictionaries
    from tealeaves.evidence.drift import Drift
    from tealeaves.evidence.requests import ContextRequest, DictionaryRequest
    from tealeaves.evidence.years import WordYears
    from tealeaves.text.paired.corpus import PairedCorpus

DEFAULT_TOKENS = "words"
#: The language of years and of modern texts that do not say theirs.
PIVOT = "en"
COUNTS_SUFFIX = ".counts"
RELEVANCE_SUFFIX = ".relevance"
# the models' tokens are no default here: lemmas are looked for in a reference as they are written
_REFERENCE_TOKENS = "words"


@dataclass(frozen=True, eq=False)
class Sources:
    """Everything that topics are judged with; whatever is not given is None.

    Parameters
    ----------
    corpus
        The texts: a corpus, a path, or texts in memory; for topics in several languages a
        ``PairedCorpus``, or a mapping from languages to paths.
    counts
        Counts made before, or their file, instead of a corpus; they know their token pipeline.
    tokens
        The token pipeline, such as ``"words(stopwords=en)"``; by default the one that the models
        were made with, if they say it and agree, else ``"words"``. A mapping has one pipeline for
        each language.
    reference
        A second, larger corpus, such as Wikipedia, for metrics that use one: a corpus, one or
        several paths, texts in memory, or counts made before or their file (``.counts``).
    reference_tokens
        The token pipeline of the reference, by default ``"words"``; counts know theirs.
    embeddings
        What gives words their vectors, for metrics that need them and name no embedding: a name
        (``tealeaves embeddings`` lists them), a file of vectors, a mapping from words, a function,
        anything with ``encode``, or :class:`~tealeaves.evidence.embeddings.Embeddings`. With a
        list, such metrics are computed with each. By default ``minilm``, else ``wordllama``,
        whichever is installed.
    relevance
        Relevance gathered before, or its file, for metrics of attention and relevance; it knows
        its token pipeline and needs no corpus. Otherwise a classifier, which reads the corpus.
    dictionary
        Translations, for ``mta`` and ``cnpmi_estimated``: a file named after its languages
        (``en-sv.txt``), several files, or a mapping from ``"en-sv"`` to a path or to word pairs.
    years
        For ``cnpmi_estimated``: the year since when English has each word, as a table of words and
        years or a mapping (for another language :class:`~tealeaves.evidence.years.WordYears`).
    modern
        For ``cnpmi_estimated``: English texts of our time, in the forms of a corpus
        (``{"fr": path}`` for another language).

    >>> Sources(["a cat", "a dog"], tokens="tokens")
    Sources(corpus, tokens)
    """

    corpus: Any = None
    counts: Any = None
    tokens: Tokens = None
    reference: Any = None
    reference_tokens: str | Pipeline | None = None
    embeddings: Any = None
    relevance: Any = None
    dictionary: Any = None
    years: Any = None
    modern: Any = None

    @classmethod
    def of(cls, corpus: Any, **others: Any) -> Sources:
        """Return sources that are given whole, or those of a corpus and other arguments.

        >>> Sources.of(Sources(["a cat"])), Sources.of(["a cat"], tokens="tokens")
        (Sources(corpus), Sources(corpus, tokens))
        """
        if not isinstance(corpus, Sources):
            return cls(corpus, **others)
        if repeated := [name for name, value in others.items() if value is not None]:
            raise InputError(f"{repeated[0]} belongs to the Sources that are given: give it there")
        return corpus

    def __repr__(self) -> str:
        names = [f.name for f in fields(self) if getattr(self, f.name) is not None]
        return f"Sources({', '.join(names)})"

    # ------------------------------------------------------------------ texts and counts

    @cached_property
    def counts_list(self) -> list[Counts] | None:
        """The counts that are given, or those of the file; None if there are none."""
        if self.counts is None:
            return None
        if self.corpus is not None:
            raise InputError("give either a corpus or counts, not both")
        return _read_counts(self.counts)

    @cached_property
    def open_corpus(self) -> Corpus | None:
        """The corpus of topics in one language; None if none is given."""
        return None if self.corpus is None else open_corpus(self.corpus)

    def paired_corpus(self, models: Sequence[Topics]) -> PairedCorpus | None:
        """Return the corpora of topics in several languages; None if none are given."""
        if self.corpus is None:
            return None
        if not _in_several_languages(self.corpus):
            languages = languages_of(models)
            options = " ".join(f"--corpus {language}=PATH" for language in languages)
            paths = ", ".join(f'"{language}": path' for language in languages)
            raise InputError(
                f"topics in several languages are scored with texts of each: give {options} (in "
                f"Python a PairedCorpus, or a mapping {{{paths}}})"
            )
        _check_languages(models, self._paired.languages)
        return self._paired

    @cached_property
    def _paired(self) -> PairedCorpus:
        from tealeaves.text.paired.corpus import PairedCorpus

        is_open = isinstance(self.corpus, PairedCorpus)
        return self.corpus if is_open else PairedCorpus.open(self.corpus)

    def pipeline(self, models: Sequence[Topics]) -> Pipeline:
        """Return the token pipeline for topics in one language."""
        name_files_of(self.tokens)
        if self.counts_list is not None:
            pipeline = _pipeline_of_counts(self.counts_list)
            self._check_tokens({"": pipeline})
            return pipeline
        if isinstance(self.tokens, Mapping):
            raise InputError("tokens are given for several languages, but the topics are in one")
        return choose_pipeline(models, self.tokens, self.open_relevance)

    def pipelines(self, models: Sequence[Topics]) -> dict[str, Pipeline]:
        """Return the token pipeline of each language of the topics."""
        name_files_of(self.tokens)
        if self.counts_list is not None:
            pipelines = _pipelines_of_counts(self.counts_list, languages_of(models))
            self._check_tokens(pipelines)
            return pipelines
        return pipelines_of_models(models, self.tokens)

    def _check_tokens(self, counted: Mapping[str, Pipeline]) -> None:
        """Raise for tokens that differ from those of the counts."""
        if self.tokens is None:
            return
        for language, pipeline in pipelines_of(counted, self.tokens).items():
            if pipeline.signature != counted[language].signature:
                raise InputError(
                    f"the tokens (--tokens) were decided when the counts were made: they are "
                    f"{counted[language]!r}, not {pipeline!r}"
                )

    # ------------------------------------------------------------------ models of words

    @cached_property
    def embedding_choice(self) -> EmbeddingChoice:
        """The embeddings that the user has chosen; metrics may name others."""
        return EmbeddingChoice(self.embeddings)

    @cached_property
    def open_relevance(self) -> Any:
        """Relevance that was gathered before; or else the classifier, as it was given."""
        return open_relevance_source(self.relevance)

    @property
    def gathered_relevance(self) -> Relevance | None:
        """Relevance that was gathered before; None if a classifier or nothing is given."""
        return _gathered(self.open_relevance)

    # ------------------------------------------------------------------ the reference

    @cached_property
    def reference_source(self) -> ReferenceSource | None:
        """The texts of the reference, or its counts; None if there is none."""
        return _open_reference(self.reference, self.reference_tokens)

    # ------------------------------------------------------------------ several languages

    def dictionaries(
        self, request: DictionaryRequest | None, languages: Sequence[str]
    ) -> Dictionaries | None:
        """Return the dictionaries that metrics ask for; a model needs one for two languages."""
        from tealeaves.evidence.dictionaries import Dictionaries

        if request is None or (self.dictionary is None and request.optional):
            return None
        if self.dictionary is None:
            pair = "-".join(languages[:2])
            raise InputError(f"mta needs a dictionary: give --dictionary {pair}=PATH (dictionary=)")
        dictionaries = Dictionaries.open(self.dictionary, languages)
        dictionaries.check(request)
        return dictionaries

    def word_years(self, languages: Sequence[str]) -> WordYears | None:
        """Return the years of words, of English unless they say otherwise."""
        from tealeaves.evidence.years import WordYears

        if self.years is None:
            return None
        years = WordYears.open(self.years, language=PIVOT)
        _check_language(years.language, languages, "years of words")
        return years

    def drift(
        self,
        requests: Sequence[ContextRequest],
        paired: PairedCorpus | None,
        wording: Wordings,
        *,
        progress: bool,
    ) -> Drift | None:
        """Compare how the corpus and modern texts use words; the modern texts are read once."""
        from tealeaves.evidence.contexts import gather_contexts
        from tealeaves.evidence.drift import Drift

        if self.modern is None or isinstance(self.modern, Drift):
            return self.modern
        stated, modern = _open_modern(self.modern)
        language = _check_language(stated, list(wording.pipelines), "modern texts")
        if paired is None:
            raise InputError("modern texts are compared with those of the corpus: give corpora")
        _check_not_blank(modern)  # before the corpus is read, which takes long
        in_language = [one for one in requests if same_language(one.language, language)]
        names = sorted({request.language for request in in_language})
        if len(names) > 1:
            raise InputError(
                f"the topics call one language {' and '.join(names)}: give it one name"
            )
        request = reduce(or_, in_language)
        pipeline = wording.pipelines[language]
        before = gather_contexts(paired.side(language), pipeline, request, progress=progress)
        words = frozenset(before.vocabulary)
        now = gather_contexts(modern, pipeline, request, vocabulary=words, progress=progress)
        try:
            return Drift.between(before, now)
        except InputError as error:
            raise InputError(f"{modern.name}, modern texts of {language}: {error}") from None


@dataclass(frozen=True)
class ReferenceSource:
    """The texts of a reference, or its counts, and its token pipeline."""

    pipeline: Pipeline
    corpus: Corpus | None = None
    counts: tuple[Counts, ...] = ()

    def wording(self) -> Wording:
        """Return how words are looked for in the reference."""
        return Wording(self.pipeline, text="")


def _open_reference(reference: Any, tokens: Any) -> ReferenceSource | None:
    if reference is None:
        if tokens is not None:
            raise InputError(
                "tokens of a reference (--reference-tokens) are given, but no reference"
            )
        return None
    if _in_several_languages(reference):
        raise InputError("the topics are in one language: give a reference in one, not in several")
    counts = _reference_counts(reference)
    if not counts:
        pipeline = Pipeline.parse(_REFERENCE_TOKENS if tokens is None else tokens)
        if _are_paths(reference):
            return ReferenceSource(pipeline, Corpus.open(*reference))
        return ReferenceSource(pipeline, _as_corpus(reference, name="the reference in memory"))
    if tokens is not None:
        raise InputError(
            "the tokens of the reference were decided when its counts were made: leave them out"
        )
    return ReferenceSource(_pipeline_of_counts(counts), counts=tuple(counts))


def _reference_counts(reference: Any) -> list[Counts]:
    """Return the counts that are given, or those of a file; none if texts are given."""
    several = list(reference) if isinstance(reference, list | tuple) else [reference]
    if several and all(isinstance(one, Counts) for one in several):
        return several
    files = [one for one in several if isinstance(one, str | os.PathLike) and is_counts_file(one)]
    if not files:
        return []
    if len(several) > 1:
        raise InputError(f"{os.fspath(files[0])}: counts are a reference by themselves: give one")
    return _read_counts(files[0])


def is_counts_file(path: str | os.PathLike[str]) -> bool:
    """Tell a file of counts by its name, an unfinished one too."""
    name = os.fspath(path)
    return name.endswith((COUNTS_SUFFIX, f"{COUNTS_SUFFIX}.partial")) and "\n" not in name


# ---------------------------------------------------------------------- one source at a time


def open_corpus(corpus: Any) -> Corpus:
    """Return a corpus: one that is open already, that of a path, or one of texts in memory."""
    if _in_several_languages(corpus):
        raise InputError(
            "texts in one language are needed, and these are in several (en=PATH): give PATH alone"
        )
    if _are_paths(corpus):
        raise InputError("these texts are paths of files: give Corpus.open(path, path, ...)")
    return _as_corpus(corpus)


def _in_several_languages(texts: Any) -> bool:
    """Whether texts are a mapping from languages, or paired."""
    if isinstance(texts, Mapping):
        return True
    if isinstance(texts, Corpus | str | os.PathLike | list | tuple):
        return False
    from tealeaves.text.paired.corpus import PairedCorpus

    return isinstance(texts, PairedCorpus)


def _as_corpus(texts: Any, name: str = "memory") -> Corpus:
    if isinstance(texts, Corpus):
        return texts
    if isinstance(texts, str | os.PathLike):
        return Corpus.open(texts)
    if not isinstance(texts, Iterable):
        raise InputError(f"texts are a corpus, a path or a list of texts, not {texts!r:.40}")
    return Corpus.of(texts, name=name)


def _are_paths(texts: Any) -> bool:
    return isinstance(texts, list | tuple) and bool(texts) and all(map(_is_path, texts))


def _is_path(text: Any) -> bool:
    """Tell the path of an existing file from a text."""
    if isinstance(text, os.PathLike):
        return True
    short = isinstance(text, str) and len(text) < 500 and "\n" not in text
    return short and Path(text).suffix != "" and Path(text).is_file()


def _read_counts(counts: Any) -> list[Counts]:
    """Return counts as a list: those that are given, or those of a file."""
    if not isinstance(counts, str | os.PathLike):
        return [counts] if isinstance(counts, Counts) else list(counts)
    path = os.fspath(counts)
    if path.endswith(".partial") and Path(path).exists():
        raise InputError(f"{path} is unfinished: `tealeaves count --resume` completes it")
    return load_counts(path)


def open_relevance_source(relevance: Any) -> Any:
    """Return relevance, if it is given or in a file; a classifier is returned as it is given."""
    if isinstance(relevance, str | os.PathLike):
        path = Path(relevance)
        if path.suffix == RELEVANCE_SUFFIX or path.is_file():
            from tealeaves.evidence.attention.relevance_file import open_relevance

            return open_relevance(path)
        if not path.expanduser().exists() and "/" not in str(relevance):
            # a typing error: models of the hub are owner/name, so none is downloaded
            raise InputError(f"no such file of relevance or folder of a classifier: {relevance}")
    return relevance


def _check_languages(models: Sequence[Topics], text_languages: Sequence[str]) -> None:
    """Raise if the texts lack a language of the topics, or have one more."""
    for model in models:
        languages = require_multilingual(model).languages
        listed = ", ".join(languages)
        matched = [find_language(language, text_languages) for language in languages]
        if None in matched:
            missing = languages[matched.index(None)]
            raise InputError(
                f"{model.model}: its topics are in {listed}, the texts in "
                f"{', '.join(text_languages)}: there are no texts of {missing}"
            )
        for language in text_languages:
            if language not in matched:
                raise InputError(
                    f"{model.model}: no topics in {language}: its topics are in {listed}"
                )


# ---------------------------------------------------------------------- token pipelines


def choose_pipeline(models: Sequence[Topics], tokens: Any, relevance: Any = None) -> Pipeline:
    """Return the pipeline of these tokens, if any; else that of the relevance or the classifier;
    else the one that all models were made with; else the default.
    """
    if tokens is not None:
        pipeline = Pipeline.parse(tokens)
        check_relevance_tokens(relevance, pipeline, "the tokens asked for are")
        return pipeline
    if (gathered := _gathered(relevance)) is not None:
        return _pipeline_of_stamp(gathered.stamp.pipeline, "relevance was")
    if relevance is not None:
        from tealeaves.evidence.attention.classifiers.record import record_of

        if fitted := record_of(relevance).tokens:
            return Pipeline.stored(fitted, "the classifier")
    stated = {model.tokens: model.model for model in models if model.tokens}
    if len(stated) == 1:
        [(expression, whose)] = stated.items()
        return Pipeline.stored(expression, whose)
    return Pipeline.parse(DEFAULT_TOKENS)


def _gathered(relevance: Any) -> Relevance | None:
    """Return relevance that was gathered before; None for a classifier."""
    if relevance is None:
        return None
    from tealeaves.evidence.attention.relevance import Relevance

    return relevance if isinstance(relevance, Relevance) else None


def _pipeline_of_stamp(stamp: PipelineStamp, what: str) -> Pipeline:
    """Return the pipeline that something was made with, which must be the same today."""
    whose = f"the {what.split(maxsplit=1)[0]}"
    pipeline = Pipeline.stored(stamp.expression, whose, stamp.signature)
    if pipeline.signature != stamp.signature:
        raise InputError(
            f"the {what} made with {stamp.signature}, which today is {pipeline.signature}: bring "
            f"back what has changed since, or make {whose} again"
        )
    return pipeline


def _pipeline_of_counts(counts: Sequence[Counts]) -> Pipeline:
    """Return the one pipeline that counts were made with."""
    stamps = {stamp for one in counts for stamp in one.pipelines.values()}
    if not stamps:
        raise InputError("no counts were given")
    if len(stamps) != 1:
        raise InputError(
            "the counts are of several languages or token pipelines, and the topics are in one "
            "language: give counts of that language"
        )
    return _pipeline_of_stamp(stamps.pop(), "counts were")


def _pipelines_of_counts(counts: Sequence[Counts], languages: Sequence[str]) -> dict[str, Pipeline]:
    """Return the pipeline of each language that counts of linked documents were made with."""
    pipelines = {}
    for language in languages:
        stamps = {one.pipelines[language] for one in counts if language in one.pipelines}
        counted = [name for one in counts for name in one.pipelines]
        if not stamps and (other := find_language(language, counted)):
            raise InputError(f"the counts call {language} {other}: give both the same name")
        if not stamps:
            raise InputError(f"the counts have no words of {language}: count linked texts of it")
        if len(stamps) > 1:
            raise InputError(f"the counts of {language} were made with more than one pipeline")
        pipelines[language] = _pipeline_of_stamp(stamps.pop(), "counts were")
    return pipelines


def pipelines_of_models(models: Sequence[Topics], tokens: Tokens) -> dict[str, Pipeline]:
    """Return the pipeline of each language: of the tokens, else the models', else the default."""

    def stated_or_default(language: str) -> str | Pipeline:
        sides = [require_multilingual(model).by_language.get(language) for model in models]
        stated = {side.tokens for side in sides if side is not None and side.tokens}
        if len(stated) != 1:
            return default_pipeline(language)
        return Pipeline.stored(stated.pop(), f"the topics in {language}")

    return pipelines_of(languages_of(models), tokens, stated_or_default)


def check_relevance_tokens(relevance: Any, pipeline: Pipeline, whose: str) -> None:
    """Raise if relevance was gathered with other tokens than words are looked for with."""
    gathered = _gathered(relevance)
    if gathered is None:
        return
    stamp = gathered.stamp.pipeline
    if _pipeline_of_stamp(stamp, "relevance was").signature != pipeline.signature:
        raise InputError(
            f"the relevance was gathered with the tokens {stamp.expression}, {whose} {pipeline!r}: "
            "they must be the same"
        )


# ---------------------------------------------------------------------- years and modern texts


def _check_language(language: str, languages: Sequence[str], what: str) -> str:
    """Return the name that the topics have for a language, which must be one of theirs."""
    name = find_language(language, languages)
    if name is None:
        raise InputError(f"{what} of {language}, but the topics are in {', '.join(languages)}")
    return name


def _check_not_blank(modern: Corpus) -> None:
    """Raise for modern texts without a word; reading ends at the first text that has one."""
    documents = False
    for document in modern:
        documents = True
        if document.text.strip():
            return
    why = "all documents are blank" if documents else "there are no documents"
    raise InputError(f"{modern.name}: no modern texts, {why}")


def _open_modern(modern: Any) -> tuple[str, Corpus]:
    """Return the language of modern texts, English unless it is stated, and the texts."""
    language = PIVOT
    if isinstance(modern, Mapping):
        if len(modern) != 1:
            raise InputError("modern texts are of one language: give {'en': path}")
        [(language, modern)] = modern.items()
    return language, _as_corpus(modern)
