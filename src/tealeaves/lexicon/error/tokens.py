"""Tokens by name: what a model extracted, and what people annotated, in one target language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tealeaves.errors import InputError
from tealeaves.lexicon.dataset.annotation import Annotation
from tealeaves.lexicon.extraction.extracted import Extraction
from tealeaves.lexicon.extraction.registry import paper_name


class TokenKey(NamedTuple):
    """A token of a lemma: its passage, and its place there.

    >>> str(TokenKey("hand/N", "EXO 3:2", 4)), TokenKey("hand/N", "EXO 3:2", 4).bare.lemma
    ('hand/N, token 4 of EXO 3:2', 'hand')
    """

    lemma: str
    key: str
    place: int

    def __str__(self) -> str:
        return f"{self.lemma}, token {self.place} of {self.key}"

    @property
    def bare(self) -> TokenKey:
        """The same without part of speech."""
        return self._replace(lemma=self.lemma.rpartition("/")[0] or self.lemma)


@dataclass(frozen=True)
class ExtractedTokens:
    """What one model extracted in one target language.

    ``model`` is named as papers name it. ``passages`` are the forms of target passages. A lemma is
    found with its part of speech or without: ``hand`` has the tokens of ``hand/N``.
    """

    model: str
    target: str
    tokens: Mapping[TokenKey, frozenset[str]]
    bare: Mapping[TokenKey, TokenKey]
    passages: Mapping[str, Sequence[str]]

    @classmethod
    def of(cls, extractions: Sequence[Extraction]) -> ExtractedTokens:
        """Take together what one model extracted for different lemmas."""
        model, target = paper_name(extractions[0].model), extractions[0].target
        tokens: dict[TokenKey, frozenset[str]] = {}
        for one in (token for extraction in extractions for token in extraction.tokens):
            token = TokenKey(one.lemma, one.key, one.place)
            if tokens.setdefault(token, one.expressions) != one.expressions:
                raise InputError(
                    f"{model} in {target}: {token} is extracted twice, not alike: keep one"
                )
        passages = {key: forms for one in extractions for key, (_, forms) in one.passages.items()}
        return cls(model, target, tokens, {token.bare: token for token in tokens}, passages)

    def find(self, token: TokenKey) -> TokenKey | None:
        """Return the token as it is named here; None where it is not extracted."""
        if token in self.tokens:
            return token
        return token.bare if token.bare in self.tokens else self.bare.get(token)


@dataclass(frozen=True)
class AnnotatedTokens:
    """What people annotated in one target language; ``blank`` counts what they did not yet."""

    tokens: Mapping[TokenKey, Annotation]
    blank: int

    @classmethod
    def of(cls, annotations: Iterable[Annotation]) -> AnnotatedTokens:
        """Take the tokens that are annotated; refuse one that is so twice, but not alike."""
        tokens: dict[TokenKey, Annotation] = {}
        blank = 0
        for one in annotations:
            if one.expressions is None:
                blank += 1
                continue
            token = TokenKey(one.lemma, one.key, one.place)
            if tokens.setdefault(token, one).expressions != one.expressions:
                raise InputError(
                    f"{token} is annotated twice, not alike: give the sheet of one annotator"
                )
        return cls(tokens, blank)

    def by_lemma(self) -> Iterator[tuple[str, list[TokenKey]]]:
        """Yield each lemma with its tokens."""
        found: dict[str, list[TokenKey]] = {}
        for token in self.tokens:
            found.setdefault(token.lemma, []).append(token)
        yield from found.items()
