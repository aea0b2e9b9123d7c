"""Granting: which wishes of metrics come true."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from tealeaves.evidence.embeddings.opening import Choice
from tealeaves.evidence.embeddings.request import EmbeddingRequest
from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.request import Request
from tealeaves.evidence.wish import Wish

if TYPE_CHECKING:
    from tealeaves.metrics.base import Need


def with_granted(needs: Iterable[Need], choice: Choice, *, read: bool) -> list[Need]:
    """Return what is needed, and what is to be gathered of what is only wished for.

    Counts are gathered where texts are there to be ``read``. Relevance is at hand already or is
    done without, and a reference is asked by itself.
    """
    found: list[Need] = []
    for need in needs:
        if not isinstance(need, Wish):
            found.append(need)
        elif isinstance(need.request, EmbeddingRequest):
            found += choice.granted(need.request)
        elif isinstance(need.request, Request) and read and not need.reference:
            found.append(need.request)
    return found


def wished_counts(needs: Iterable[Need], *, reference: bool) -> list[Request]:
    """Return the counts that are wished for, of the corpus or of the reference."""
    return [
        need.request
        for need in needs
        if isinstance(need, Wish)
        and need.reference is reference
        and isinstance(need.request, Request)
    ]


def not_counted(requests: Sequence[Request], evidence: Evidence, whose: str) -> list[str]:
    """Say which wishes were not granted, as counts that are given do not hold them."""
    lacking = dict.fromkeys(str(one.unit) for one in requests if not evidence.has(one))
    if not lacking:
        return []
    return [f"not counted for these words in {whose}, and done without: {', '.join(lacking)}"]
