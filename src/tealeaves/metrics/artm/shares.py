"""Whether a model says how large its topics are, and from what that was taken."""

from __future__ import annotations

from tealeaves.topics.distributions import Prior, topic_shares
from tealeaves.topics.topics import Topics


def lack_of_prior(topics: Topics, prior: Prior) -> str:
    """Say what a model lacks to know p(t) in this way; nothing if it is known.

    >>> lack_of_prior(Topics.of([["cat", "dog"]]), "documents")
    'prior=documents needs a document-topic matrix'
    """
    if prior in ("auto", "uniform"):
        return ""
    theta = topics.document_topic is not None and bool(topics.document_topic.any())
    if prior == "documents":
        return "" if theta else "prior=documents needs a document-topic matrix"
    if theta and topics.document_lengths is not None and topics.document_lengths.any():
        return ""
    if topics.assignments is not None and bool((topics.assignments.topics >= 0).any()):
        return ""
    return (
        "prior=tokens needs token assignments, or a document-topic matrix and the documents' "
        "lengths"
    )


def origin_of_prior(topics: Topics, prior: Prior) -> str:
    """Return what p(t) was taken from, for signatures.

    >>> origin_of_prior(Topics.of([["cat", "dog"]]), "auto")
    'prior=uniform'
    """
    return f"prior={topic_shares(topics, prior).origin}"
