"""``SidesRequest``: what metrics want to see of the documents themselves."""

from __future__ import annotations

from dataclasses import dataclass

from tealeaves.evidence.terms import Term


@dataclass(frozen=True)
class SidesRequest:
    """Asks for the documents of each language, with keys and labels, and for these terms in them.

    Each term says its language; ``languages`` are asked for even where no term is.
    """

    languages: frozenset[str]
    terms: frozenset[Term] = frozenset()

    def __or__(self, other: SidesRequest) -> SidesRequest:
        return SidesRequest(self.languages | other.languages, self.terms | other.terms)
