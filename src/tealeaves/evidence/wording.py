"""Wording: how the words of topics are looked for in texts, in one language or in several."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence

import numpy as np

from tealeaves.errors import InputError, TealeavesWarning
from tealeaves.evidence.requests import Term, TermNumbers, TermPairs
from tealeaves.memo import Memo
from tealeaves.text.pipeline import Pipeline
from tealeaves.topics.topics import Topics

_MOST_REPEATS = 10  # words of a topic that a warning names


class Wording:
    """Puts topic words through the token pipeline of the texts, so that they can be found there.

    A word may become several tokens (``don't``, ``new york``): it is then found as a sequence.
    A word of which the pipeline leaves nothing is a term without tokens, which is never found. Two
    words of a topic that become the same term count once, with a warning. The words of a model
    that was made with the same pipeline are tokens already: a lemma need not be its own lemma.
    Terms have a ``language`` if the topics are in several. A ``reference`` has its own pipeline,
    and so its own wording; None if there is no reference.

    >>> wording = Wording(Pipeline.parse("words"))
    >>> wording.terms(Topics.of([["Cat", "new york"]])) == [(Term(("cat",)), Term(("new", "york")))]
    True
    """

    reference: Wording | None = None

    def __init__(
        self,
        pipeline: Pipeline,
        language: str = "",
        *,
        reference: Wording | None = None,
        text: str = "this text",
    ) -> None:
        self._tokenize = pipeline.tokenizer()
        self._text = text  # what warnings call it; "" for none, and no warnings
        self.tokens = repr(pipeline)
        self.language = language
        self.reference = reference
        self._known: dict[str, Term] = {}
        #: What metrics keep for others that score the same models with the same texts.
        self.memo = Memo(self)

    def term_of(self, model: Topics, word: str) -> Term:
        """Return the term for a word of a model."""
        if model.tokens == self.tokens:
            return Term((word,), self.language)
        return self.term(word)

    def term(self, word: str) -> Term:
        """Return the term for a word."""
        if word not in self._known:
            self._known[word] = Term(tuple(self._tokenize(word)), self.language)
        return self._known[word]

    def terms(self, topics: Topics) -> list[tuple[Term, ...]]:
        """Return the distinct terms of each topic, in the order of its words."""
        return [tuple(terms.values()) for terms in self.memo.once(self._terms_by_word, topics)]

    def lists(self, models: Sequence[Topics]) -> list[tuple[Term, ...]]:
        """Return the terms of all topics of all models; the same list for the same models."""
        return self.memo.once(self._lists, models)

    def _lists(self, models: Sequence[Topics]) -> list[tuple[Term, ...]]:
        return [terms for model in models for terms in self.terms(model)]

    def numbers(self, models: Sequence[Topics]) -> TermNumbers:
        """Return the terms of all topics of all models as numbers."""
        return self.memo.once(self._numbers, models)

    def _numbers(self, models: Sequence[Topics]) -> TermNumbers:
        return TermNumbers.of(self.lists(models))

    def words(self, topics: Topics) -> list[tuple[str, ...]]:
        """Return how the topics themselves write these terms."""
        return [tuple(terms) for terms in self.memo.once(self._terms_by_word, topics)]

    def _terms_by_word(self, topics: Topics) -> list[dict[str, Term]]:
        return [self._distinct(topics, number) for number in range(len(topics))]

    def pairs(self, models: Sequence[Topics], top: int | None) -> tuple[frozenset[Term], TermPairs]:
        """Return the terms of all topics' first words, and the pairs within each topic.

        Metrics that ask for the same are answered with the same sets.
        """
        return self.memo.once(self._pairs, models, top)

    def _pairs(
        self, models: Sequence[Topics], top: int | None
    ) -> tuple[frozenset[Term], TermPairs]:
        numbers = self.numbers(models)
        found = np.array([bool(term.tokens) for term in numbers.terms])[numbers.numbers]
        first = found if top is None else found & (numbers.ranks < top)
        return numbers.only(first).terms_and_pairs()

    def _distinct(self, topics: Topics, number: int) -> dict[str, Term]:
        topic = topics[number]
        words = topic.words
        if topics.tokens == self.tokens:
            known = [self.term_of(topics, word) for word in words]
        else:
            known = [self._known.get(word) or self.term(word) for word in words]
        if len(set(known)) == len(known):  # true of most topics, and fast
            return dict(zip(words, known, strict=True))
        first: dict[Term, str] = {}
        terms: dict[str, Term] = {}
        repeats: list[tuple[str, Term]] = []
        for word, term in zip(words, known, strict=True):
            if term in first:
                repeats.append((word, term))
                continue
            if term.tokens:
                first[term] = word
            terms[word] = term
        if self._text:
            self._warn_of_repeats(f"{topics.model}: topic {topic.id}", repeats, first)
        return terms

    def _warn_of_repeats(
        self, where: str, repeats: Sequence[tuple[str, Term]], first: Mapping[Term, str]
    ) -> None:
        """Say which words are those that came before; of many, how many more there are."""
        for word, term in repeats[:_MOST_REPEATS]:
            warnings.warn(
                f"{where}: {first[term]!r} and {word!r} are the same word in {self._text} "
                f"({str(term)!r}); it counts once",
                TealeavesWarning,
                stacklevel=2,
            )
        if len(repeats) > _MOST_REPEATS:
            warnings.warn(
                f"{where}: {len(repeats) - _MOST_REPEATS} more words are the same as others in "
                f"{self._text}; each counts once",
                TealeavesWarning,
                stacklevel=2,
            )


class Wordings(Wording):
    """The wording of each language; ``king`` of English and of Swedish are two terms.

    >>> wordings = Wordings({"en": Pipeline.parse("words"), "sv": Pipeline.parse("words")})
    >>> wordings.of("sv").term("Kung")
    Term(tokens=('kung',), language='sv')
    """

    def __init__(self, pipelines: Mapping[str, Pipeline]) -> None:
        self.pipelines = dict(pipelines)
        self._of: dict[str, Wording] = {}  # made when needed: a tokenizer may need a package
        self.tokens = " ".join(f"{name}={pipeline!r}" for name, pipeline in pipelines.items())
        self.language = ""
        self.memo = Memo(self)

    def of(self, language: str) -> Wording:
        """Return the wording of a language."""
        if language not in self.pipelines:
            raise InputError(f"no texts of {language}: there are {', '.join(self.pipelines)}")
        if language not in self._of:
            self._of[language] = Wording(self.pipelines[language], language)
        return self._of[language]

    def term(self, word: str) -> Term:
        """Refuse a word without a language."""
        raise InputError(f"the language of {word!r} is not known: use wordings.of(language).term")

    def terms(self, topics: Topics) -> list[tuple[Term, ...]]:
        """Return the distinct terms of topics in one of the languages."""
        return self.of(topics.language).terms(topics)


def wordings_of(wording: Wording) -> Wordings:
    """Return the wordings that crosslingual metrics are given."""
    if not isinstance(wording, Wordings):
        raise InputError("topics in several languages are scored with texts of each of them")
    return wording
