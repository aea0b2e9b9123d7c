"""``TokenTable``: the tokens of lemmas, and how each of several languages expresses them."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from tealeaves.errors import InputError, did_you_mean
from tealeaves.lexicon.extraction.registry import extractor
from tealeaves.lexicon.extraction.result import Extraction, Token
from tealeaves.parameters import wrong_value
from tealeaves.tables.numbers import list_text

_MOST_NAMED = 10  # lemmas that a message names


class Occurrence(NamedTuple):
    """A token of the source: its lemma, the key of its passage, its position in it."""

    lemma: str
    key: str
    place: int


@dataclass(frozen=True, eq=False)
class TokenTable:
    """Tokens of the source, and how each language expresses them.

    Parameters
    ----------
    source
        The language of the lemmas.
    lemmas
        The lemmas of the tokens.
    occurrences
        The tokens, in the order of the text.
    extracted
        For each language how it expresses each token; None if it lacks the passage.
    passages
        The forms of each passage in the source language, by key.
    translations
        The forms of the passages in each language, by key.
    models, signatures
        The model of each language, and the signature of its extraction.
    available
        The number of tokens, before some were drawn.
    least
        The least confidence of expressions; others are left out.
    doubted
        For each language the tokens whose expressions were left out for that.
    """

    source: str
    lemmas: tuple[str, ...]
    occurrences: tuple[Occurrence, ...]
    extracted: Mapping[str, tuple[Token | None, ...]]
    passages: Mapping[str, list[str]]
    translations: Mapping[str, Mapping[str, list[str]]]
    models: Mapping[str, str]
    signatures: Mapping[str, str]
    available: int
    least: float
    doubted: Mapping[str, frozenset[int]]

    @property
    def languages(self) -> tuple[str, ...]:
        """The target languages."""
        return tuple(self.extracted)

    @property
    def expressions(self) -> list[list[frozenset[str] | None]]:
        """For each language the expressions of each token."""
        return [
            [None if token is None else token.expressions for token in tokens]
            for tokens in self.extracted.values()
        ]

    def guesses(self, language: str, below: float) -> int:
        """Count the tokens whose expression in a language has less confidence than this."""
        return len(_doubted(self.extracted[language], below))

    def form(self, occurrence: Occurrence) -> str:
        """Return the form of a token in the source text."""
        return self.passages[occurrence.key][occurrence.place]


def tabulate_tokens(
    extractions: Iterable[Extraction],
    lemmas: Sequence[str],
    *,
    model: str | None = None,
    languages: Sequence[str] = (),
    most: int | None = None,
    seed: int = 0,
    least: float = 0.0,
) -> TokenTable:
    """Put the tokens of lemmas into a table, with how each language expresses them.

    Parameters
    ----------
    extractions
        One for each language, or one for each language and model.
    lemmas
        The lemmas; ``hand`` includes ``hand/N`` and ``hand/V``.
    model
        The extraction model, if several models extracted from a language.
    languages
        The target languages, in this order. Default: all.
    most
        The most tokens; of more, some are drawn.
    seed
        The seed of the draw.
    least
        The least confidence of an expression; a model without confidences is trusted.
    """
    if not 0 <= least <= 1:
        raise wrong_value("least", least, "between 0 and 1, as confidences are")
    chosen = _one_per_language(_of_languages(list(extractions), languages), _model_name(model))
    tokens = {one.target: _tokens_of(one, lemmas) for one in chosen}
    every = list(dict.fromkeys(where for known in tokens.values() for where in known))
    _check_lemmas(every, lemmas, chosen)
    passages = _source_passages(chosen, every)
    drawn = _drawn(_in_order(every, passages), most, seed)
    keys = {where.key for where in drawn}
    extracted = {target: tuple(map(known.get, drawn)) for target, known in tokens.items()}
    doubted = {target: _doubted(row, least) for target, row in extracted.items()}
    return TokenTable(
        chosen[0].source,
        _in_order_of(lemmas, {where.lemma for where in every}),
        tuple(drawn),
        {target: _without(row, doubted[target]) for target, row in extracted.items()},
        {key: forms for key, forms in passages.items() if key in keys},
        {one.target: {k: one.passages[k][1] for k in keys & one.passages.keys()} for one in chosen},
        {one.target: one.model for one in chosen},
        {one.target: one.signature for one in chosen},
        len(every),
        least,
        doubted,
    )


def check_languages(names: Iterable[str], known: Iterable[str], option: str) -> None:
    """Raise for languages that were not extracted; ``option`` is what names them, for messages.

    >>> check_languages(["fin"], ["deu", "est"], "--show")
    Traceback (most recent call last):
    ...
    tealeaves.errors.InputError: --show: fin was not extracted (there are deu, est)
    """
    languages = list(known)
    for name in names:
        if name not in languages:
            hint = did_you_mean(name, languages)
            raise InputError(
                f"{option}: {name} was not extracted{hint} (there are {list_text(languages)})"
            )


def _of_languages(extractions: list[Extraction], languages: Sequence[str]) -> list[Extraction]:
    check_languages(languages, sorted({one.target for one in extractions}), "--languages")
    if not languages:
        return extractions
    chosen = [one for one in extractions if one.target in languages]
    return sorted(chosen, key=lambda one: languages.index(one.target))


def _model_name(model: str | None) -> str | None:
    """Return a model as extractions name it, whichever way it is written."""
    if model is None:
        return None
    try:
        return repr(extractor(model))
    except InputError:
        return model  # the model of an extraction may be unknown here


def _doubted(tokens: Sequence[Token | None], least: float) -> frozenset[int]:
    return frozenset(
        row
        for row, token in enumerate(tokens)
        if token is not None and token.expressions and token.confidence < least
    )


def _without(tokens: Sequence[Token | None], doubted: frozenset[int]) -> tuple[Token | None, ...]:
    """Return tokens, the doubted ones without expressions; their confidences stay."""
    return tuple(
        replace(token, expressions=frozenset(), words=()) if token and row in doubted else token
        for row, token in enumerate(tokens)
    )


def _one_per_language(extractions: list[Extraction], model: str | None) -> list[Extraction]:
    known = sorted({one.model for one in extractions})
    chosen = [one for one in extractions if model in (None, one.model)]
    if not chosen:
        hint = f"; there are {', '.join(known)}" if known else ""
        raise InputError(f"no extraction by {model}{hint}" if model else "no extraction is given")
    if len(sources := sorted({one.source for one in chosen})) > 1:
        raise InputError(f"extractions of {' and of '.join(sources)}: a map has one source")
    by_target: dict[str, list[Extraction]] = {}
    for one in chosen:
        by_target.setdefault(one.target, []).append(one)
    for target, several in by_target.items():
        models = [one.model for one in several]
        if len(set(models)) > 1:
            raise InputError(
                f"{target} was extracted by {' and by '.join(models)}: choose a model "
                f"(--model {models[-1]!r}, in Python model={models[-1]!r})"
            )
        if len(models) > 1:
            raise InputError(f"two extractions of {target} by {models[0]}: give one of them")
    return chosen


def _tokens_of(extraction: Extraction, lemmas: Sequence[str]) -> dict[Occurrence, Token]:
    wanted = set(lemmas)
    return {
        Occurrence(token.lemma, token.key, token.place): token
        for token in extraction.tokens
        if token.lemma in wanted or token.lemma.rpartition("/")[0] in wanted
    }


def _in_order_of(lemmas: Sequence[str], words: set[str]) -> tuple[str, ...]:
    """Return words in the order of the lemmas, and parts of speech in alphabetical order."""
    rank = {lemma: number for number, lemma in reversed(list(enumerate(lemmas)))}

    def place(lemma: str) -> int:
        return min(rank.get(name, len(rank)) for name in (lemma, lemma.rpartition("/")[0]))

    return tuple(sorted(sorted(words), key=place))


def _check_lemmas(every: list[Occurrence], lemmas: Sequence[str], chosen: list[Extraction]) -> None:
    extracted = {name for where in every for name in (where.lemma, where.lemma.rpartition("/")[0])}
    for lemma in lemmas:
        if lemma not in extracted:
            known = sorted({token.lemma for one in chosen for token in one.tokens})
            hint = did_you_mean(lemma, known)
            names = ", ".join([*known[:_MOST_NAMED], *["…"] * (len(known) > _MOST_NAMED)])
            raise InputError(f"{lemma!r} was not extracted{hint} (there are: {names})")
    if not every:
        raise InputError("no lemma is given")


def _source_passages(chosen: list[Extraction], every: list[Occurrence]) -> dict[str, list[str]]:
    """Return the passages of tokens, which must be the same in all extractions."""
    wanted = {where.key for where in every}
    passages: dict[str, list[str]] = {}
    for one in chosen:
        for key, (forms, _) in one.passages.items():
            if key in wanted and passages.setdefault(key, forms) != forms:
                raise InputError(
                    f"{key} is another text in the extraction of {one.target} than in that of "
                    f"{chosen[0].target}: extract all from one source"
                )
    for where in every:
        if where.place >= len(passages.get(where.key, ())):
            raise InputError(f"{where.lemma!r} at {where.key}, word {where.place}: no such word")
    order = merged([[key for key in one.passages if key in wanted] for one in chosen])
    return {key: passages[key] for key in order}


def merged(orders: Iterable[Sequence[str]]) -> list[str]:
    """Return the keys of several texts in one order; new keys follow the key before them.

    >>> merged([["1", "2", "4"], ["0", "2", "3", "4"]])
    ['0', '1', '2', '3', '4']
    """
    whole: list[str] = []
    for order in orders:
        known = set(whole)
        after: dict[str | None, list[str]] = {}
        before: str | None = None
        for key in order:
            if key in known:
                before = key
            else:
                after.setdefault(before, []).append(key)
        if after:
            whole = [one for key in (None, *whole) for one in (key, *after.get(key, ())) if one]
    return whole


def _in_order(every: list[Occurrence], passages: Mapping[str, list[str]]) -> list[Occurrence]:
    rank = {key: number for number, key in enumerate(passages)}
    return sorted(every, key=lambda where: (rank[where.key], where.place, where.lemma))


def _drawn(every: list[Occurrence], most: int | None, seed: int) -> list[Occurrence]:
    if most is None or len(every) <= most:
        return every
    rows = random.Random(seed).sample(range(len(every)), most)
    return [every[row] for row in sorted(rows)]
