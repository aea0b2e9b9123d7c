"""Requests: how they join, and which of them make no sense."""

from __future__ import annotations

import pytest

from tealeaves.errors import InputError
from tealeaves.evidence.requests import (
    ContextRequest,
    CountRequest,
    EmbeddingRequest,
    OptionalRequest,
    Term,
)
from tealeaves.evidence.units import Unit


def context_request(*words: str, window: int = 5) -> ContextRequest:
    return ContextRequest("", frozenset(Term((word,)) for word in words), window)


def test_requests_for_contexts_join() -> None:
    assert context_request("a") | context_request("b") == context_request("a", "b")
    with pytest.raises(ValueError, match="cannot be joined"):
        context_request("a") | context_request("a", window=4)
    with pytest.raises(ValueError, match="cannot be joined"):
        ContextRequest("en", frozenset()) | ContextRequest("sv", frozenset())


def test_a_context_has_a_window_and_one_language() -> None:
    with pytest.raises(InputError, match="at least 1 token, not 0"):
        context_request("a", window=0)
    with pytest.raises(InputError, match="one language: 'mar' is of 'es', not of 'en'"):
        ContextRequest("en", frozenset({Term(("sea",), "en"), Term(("mar",), "es")}))


def test_a_reference_has_only_counts() -> None:
    assert OptionalRequest(CountRequest(Unit()), reference=True).reference
    with pytest.raises(ValueError, match="only counts"):
        OptionalRequest(EmbeddingRequest(), reference=True)
