"""What a model extracts: how each token of a seed is expressed in the target language."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Extracted:
    """How one token is expressed.

    Parameters
    ----------
    expressions
        Strings that stand for what expresses it; none if nothing does. Two tokens are expressed
        alike if these are the same.
    words
        The places of the target words that bear them, in ascending order.
    confidence
        How sure the model is, from 0 to 1; NaN if it does not say.
    """

    expressions: frozenset[str] = frozenset()
    words: tuple[int, ...] = ()
    confidence: float = math.nan


@dataclass(frozen=True)
class Token(Extracted):
    """A token of a lemma, by the key of its passage and its place there."""

    lemma: str = ""
    key: str = ""
    place: int = 0


@dataclass(frozen=True, eq=False, repr=False)
class Extraction:
    """What a model extracted for some lemmas in one target language.

    Parameters
    ----------
    source, target
        The languages.
    model
        The expression of the model.
    signature
        Everything that changes the result.
    tokens
        The tokens, lemma by lemma.
    passages
        The forms of the passages that tokens stand in: those of the source, those of the target.
    shared
        How many passages the two languages share.
    """

    source: str
    target: str
    model: str
    signature: str
    tokens: tuple[Token, ...]
    passages: Mapping[str, tuple[list[str], list[str]]] = field(default_factory=dict)
    shared: int = 0

    def __repr__(self) -> str:
        lemmas = len({token.lemma for token in self.tokens})
        return (
            f"Extraction({self.source} to {self.target} by {self.model}: "
            f"{len(self.tokens)} tokens of {lemmas} lemma{'s' * (lemmas != 1)})"
        )
