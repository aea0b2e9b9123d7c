"""``DictionaryRequest``: what metrics want translated."""

from __future__ import annotations

from dataclasses import dataclass

Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class DictionaryRequest:
    """Asks for dictionaries of the pairs of languages of each model, one of them at least.

    Where it is ``optional``, a dictionary is used if there is one.
    """

    models: frozenset[Pairs]
    optional: bool = False

    def __or__(self, other: DictionaryRequest) -> DictionaryRequest:
        return DictionaryRequest(self.models | other.models, self.optional and other.optional)
