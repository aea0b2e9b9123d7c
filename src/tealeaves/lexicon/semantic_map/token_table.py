"""``TokenTable``: the tokens of lemmas, and how each of several languages expresses them."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from tealeaves.errors import InputError, did_you_mean
from tealeaves.lexicon.extraction.extracted import Extraction, Token

_NAMED = 10  # lemmas in a message


class Occurrence(NamedTuple):
    """Where a token stands: its lemma, the key of its passage, its place there."""

    lemma: str
    key: str
    place: int


@dataclass(frozen=True, eq=False)
class TokenTable:
    """Tokens by languages.

    Parameters
    ----------
    source
        The language of the lemmas.
    lemmas
        Those that were found.
    occurrences
        The tokens, in the order of the text.
    extracted
        For each language how it expresses each token; None where it has no such passage.
    passages
        The forms of each passage in the source language, by its key.
    translations
        The same in each language.
    models, signatures
        The model of each language, and all that changes what it found.
    available
        How many tokens there are, before some were drawn.
    least
        Tokens of a language that its model is less sure of count as without expression.
    doubted
        For each language which tokens had an expression that was left out for that.
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
        """Count the tokens whose expression in a language is less sure than this."""
        return len(_doubted(self.extracted[language], below))

    def form(self, occurrence: Occurrence) -> str:
        """Return a token as it stands in the source text."""
        return self.passages[occurrence.key][occurrence.place]


def tabulate_tokens(
    extractions: Iterable[Extraction],
    lemmas: Sequence[str],
    *,
    model: str | None = None,
    most: int | None = None,
    seed: int = 0,
    least: float = 0.0,
) -> TokenTable:
    """Lay the tokens of lemmas side by side over languages.

    Parameters
    ----------
    extractions
        One for each language; of a language that several models extracted, ``model`` says which.
    lemmas
        ``hand`` finds ``hand/N`` and ``hand/V`` too.
    most
        Of more tokens than this some are drawn, with ``seed``.
    least
        How sure a model must be of an expression; one that does not say is believed.
    """
    if not 0 <= least <= 1:
        raise InputError(f"least {least:g}: how sure a model is lies between 0 and 1")
    chosen = _one_a_language(list(extractions), model)
    tokens = {one.target: _tokens_of(one, lemmas) for one in chosen}
    every = list(dict.fromkeys(where for found in tokens.values() for where in found))
    _check_found(every, lemmas, chosen)
    passages = _source_passages(chosen, every)
    drawn = _drawn(_in_order(every, passages), most, seed)
    keys = {where.key for where in drawn}
    extracted = {target: tuple(map(found.get, drawn)) for target, found in tokens.items()}
    doubted = {target: _doubted(found, least) for target, found in extracted.items()}
    return TokenTable(
        chosen[0].source,
        _as_asked({where.lemma for where in every}, lemmas),
        tuple(drawn),
        {target: _without(found, doubted[target]) for target, found in extracted.items()},
        {key: forms for key, forms in passages.items() if key in keys},
        {one.target: {k: one.passages[k][1] for k in keys & one.passages.keys()} for one in chosen},
        {one.target: one.model for one in chosen},
        {one.target: one.signature for one in chosen},
        len(every),
        least,
        doubted,
    )


def _doubted(tokens: Sequence[Token | None], least: float) -> frozenset[int]:
    return frozenset(
        row
        for row, token in enumerate(tokens)
        if token is not None and token.expressions and token.confidence < least
    )


def _without(tokens: Sequence[Token | None], doubted: frozenset[int]) -> tuple[Token | None, ...]:
    """Return tokens, those that are doubted without expressions; how sure they are stays."""
    return tuple(
        replace(token, expressions=frozenset(), words=()) if token and row in doubted else token
        for row, token in enumerate(tokens)
    )


def _one_a_language(extractions: list[Extraction], model: str | None) -> list[Extraction]:
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


def _as_asked(found: set[str], lemmas: Sequence[str]) -> tuple[str, ...]:
    """Return lemmas in the order in which they were asked for, parts of speech by the alphabet."""
    rank = {lemma: number for number, lemma in reversed(list(enumerate(lemmas)))}

    def place(lemma: str) -> int:
        return min(rank.get(name, len(rank)) for name in (lemma, lemma.rpartition("/")[0]))

    return tuple(sorted(sorted(found), key=place))


def _check_found(every: list[Occurrence], lemmas: Sequence[str], chosen: list[Extraction]) -> None:
    found = {name for where in every for name in (where.lemma, where.lemma.rpartition("/")[0])}
    for lemma in lemmas:
        if lemma not in found:
            known = sorted({token.lemma for one in chosen for token in one.tokens})
            hint = did_you_mean(lemma, known)
            listed = ", ".join([*known[:_NAMED], *["…"] * (len(known) > _NAMED)])
            raise InputError(f"{lemma!r} was not extracted{hint} (there are: {listed})")
    if not every:
        raise InputError("no lemma is given")


def _source_passages(chosen: list[Extraction], every: list[Occurrence]) -> dict[str, list[str]]:
    """Return the passages that tokens stand in, the same whichever extraction has them."""
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
    """Return the keys of several texts in one order; what only a later text has follows its own.

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
