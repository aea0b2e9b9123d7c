"""What a model's matrices say as probabilities: p(w|t), p(t|d), p(t), p(t|w)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from tealeaves.errors import InputError
from tealeaves.topics.matrices import is_distribution
from tealeaves.topics.orientation import divided
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Floats

Part = Literal["phi", "theta", "assignments", "samples"]
_FIELDS: dict[Part, tuple[str, str]] = {
    "phi": ("topic_word", "topic-word matrix"),
    "theta": ("document_topic", "document-topic matrix"),
    "assignments": ("assignments", "token assignments"),
    "samples": ("samples", "samples of one chain"),
}
Prior = Literal["auto", "tokens", "documents", "uniform"]


class Shares(NamedTuple):
    """The topics' probabilities, and what they were taken from."""

    values: Floats
    origin: str


def lack_of(topics: Topics, *parts: Part) -> str:
    """Say which of these parts a model lacks, in a few words; nothing if it has them all.

    >>> lack_of(Topics.of([["cat", "dog"]]), "phi", "theta")
    'no topic-word matrix'
    """
    for part in parts:
        field, name = _FIELDS[part]
        if getattr(topics, field) is None:
            return f"no {name}"
    if "phi" in parts and topics.topic_word is not None and not is_distribution(topics.topic_word):
        return (
            "its topic-word matrix holds weights, not probabilities: a row does not sum to 1 (in "
            "Python, adapt(model, normalize=True) divides each by its sum)"
        )
    return ""


def phi(topics: Topics) -> Floats:
    """Return p(w|t), a row a topic; a model that has none is an error that says so."""
    if topics.topic_word is None or lack_of(topics, "phi"):
        raise InputError(f"{topics.model}: {lack_of(topics, 'phi')}")
    return divided(topics.topic_word)  # what is near 1 in a file sums to 1 here


def theta(topics: Topics) -> Floats:
    """Return p(t|d), a row a document; a document without a topic is a row of zeros."""
    if topics.document_topic is None:
        raise InputError(f"{topics.model}: {lack_of(topics, 'theta')}")
    return divided(topics.document_topic)


def topic_shares(topics: Topics, prior: Prior = "auto") -> Shares:
    """Return p(t): by tokens (θ and the documents' lengths, or token assignments), by documents
    (the mean of θ), or uniform. ``auto`` takes the first of these that the model knows.
    """
    import numpy as np

    if prior in ("auto", "tokens"):
        if topics.assignments is not None:
            tokens = topics.assignments.topics
            counts = np.bincount(tokens[tokens >= 0], minlength=len(topics)).astype(np.float64)
            if counts.sum():
                return Shares(counts / counts.sum(), "tokens")
        if topics.document_topic is not None and topics.document_lengths is not None:
            counts = topics.document_lengths @ theta(topics)
            if counts.sum():
                return Shares(counts / counts.sum(), "tokens")
    if prior in ("auto", "documents") and topics.document_topic is not None:
        counts = theta(topics).sum(axis=0)
        if counts.sum():
            return Shares(counts / counts.sum(), "documents")
    if prior in ("tokens", "documents"):
        known = "token assignments, or a document-topic matrix and the documents' lengths"
        needed = known if prior == "tokens" else "a document-topic matrix"
        raise InputError(f"{topics.model}: prior={prior} needs {needed}")
    return Shares(np.full(len(topics), 1.0 / len(topics)), "uniform")


def topics_given_words(topics: Topics, shares: Floats) -> Floats:
    """Return p(t|w) = φ_wt p(t) / Σ_s φ_ws p(s), a row a topic; 0 for words of no topic."""
    import numpy as np

    joint: Floats = phi(topics) * shares[:, None]
    total = joint.sum(axis=0)
    given: Floats = np.divide(joint, total, out=np.zeros_like(joint), where=total > 0)
    return given
