"""``DictionaryRequest``: what metrics want translated."""

from __future__ import annotations

from dataclasses import dataclass

Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class DictionaryRequest:
    """Asks for dictionaries of the pairs of languages of each model, one of them at least."""

    models: frozenset[Pairs]

    def __or__(self, other: DictionaryRequest) -> DictionaryRequest:
        return DictionaryRequest(self.models | other.models)
