"""MALLET's ``--output-state`` of its polylingual model: the topic of each token of each language.

It is the monolingual state with a language's number in the place of the source, and without α
and β, which only the topic keys say.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError
from tealeaves.topics.adapters.given import warn
from tealeaves.topics.adapters.parts import Parts
from tealeaves.topics.formats.mallet_state import State, Tables, tables_of
from tealeaves.topics.formats.mallet_weights import ranked_by
from tealeaves.topics.formats.polylingual import aligned, with_all_words
from tealeaves.topics.formats.source import TopicsSource
from tealeaves.topics.orientation import divided
from tealeaves.topics.topics import Topic, Topics

if TYPE_CHECKING:
    from tealeaves.topics.formats.mallet_polylingual_keys import Keys

FORM = "a state of MALLET"
STATED = ("languages", "top")
_HEADER = "#doc lang pos typeindex type topic"
_MANY = 1000  # languages: a number beyond is none


def fits(file: TopicsSource) -> bool:
    """The header of MALLET."""
    return file.lines[0].startswith(_HEADER)


def read(file: TopicsSource, parts: Parts) -> Topics:
    """Make a model of a state alone."""
    states = parse(file)
    return unsmoothed(states, parts, max(state.documents for state in states))


def unsmoothed(states: Sequence[State], parts: Parts, documents: int) -> Topics:
    """Make a model of the tokens alone, aloud."""
    warn(
        f"{states[0].name}: a polylingual state says no α and β: the shares of words and topics "
        "are not smoothed; put --output-topic-keys into the same folder and give the folder"
    )
    return topics_of(states, parts, documents)


def parse(file: TopicsSource) -> list[State]:
    """Read a state line by line: the tokens of each language."""
    states: list[State] = []
    with file.open() as stream:
        for number, line in enumerate(stream, 1):
            if line.startswith((b"#", b"\xef\xbb\xbf#")) or not line.strip():
                continue
            _take(states, line, number, file.name)
    empty = next((language for language, state in enumerate(states) if not state.words), None)
    if not states or empty is not None:
        which = "tokens" if not states else f"tokens of language {empty}"
        raise InputError(f"{file.name}: a MALLET state without {which}")
    return states


def topics_of(
    states: Sequence[State], parts: Parts, documents: int, keys: Keys | None = None
) -> Topics:
    """Make topics of the tokens, smoothed with the α and β of the topic keys as MALLET does.

    φ = (n_tw + β) / (n_t + Vβ) for each language, θ = (n_dt + α_t) / (n_d + Σα) for each tuple.
    """
    size = number_of_topics(states) if keys is None else keys.sizes[1]
    sides = [tables_of(state, size, documents) for state in states]
    alpha = 0.0 if keys is None else keys.alpha
    betas = [0.0] * len(sides) if keys is None else keys.beta
    phis = [divided(side.by_word + beta) for side, beta in zip(sides, betas, strict=True)]
    ranked = [
        ranked_by(side.by_word, phi, side.vocabulary, parts)
        for side, phi in zip(sides, phis, strict=True)
    ]
    if keys is not None:
        ranked = [tuple(map(Topic, range(size), words)) for words in keys.words]
    kept = with_all_words([[topic.words for topic in topics] for topics in ranked], parts)
    known = [
        {"topics": tuple(topics[k] for k in kept), "topic_word": phi[kept], **side.of_topics(kept)}
        for topics, phi, side in zip(ranked, phis, sides, strict=True)
    ]
    return aligned(known, parts, states[0].name, **_of_tuples(sides, alpha, kept))


def _of_tuples(sides: Sequence[Tables], alpha: Any, kept: list[int]) -> dict[str, Any]:
    """Return what the tokens of all languages say of the tuples."""
    import numpy as np

    lengths = np.array([side.lengths for side in sides])
    counts = np.sum([side.by_document for side in sides], axis=0)
    return {
        "document_topic": divided((counts + alpha)[:, kept]),
        "document_lengths": lengths.sum(axis=0),
        "document_languages": (lengths > 0).T,
    }


def _take(states: list[State], line: bytes, number: int, name: str) -> None:
    """Take in a token; its word may hold spaces."""
    try:
        document, language, _, kind, rest = line.split(None, 4)
        word, topic = rest.rsplit(None, 1)
        which = int(language)
        if not 0 <= which < _MANY:
            raise ValueError(f"language {which}")
        while len(states) <= which:
            states.append(State(name))
        states[which].take(int(document), b"", int(kind), word, int(topic), number)
    except InputError:
        raise
    except (ValueError, OverflowError) as error:
        said = line[:60].decode("utf-8", "replace").strip()
        raise InputError(
            f"{name}:{number}: not a line of a polylingual MALLET state ({_HEADER[1:]}): {said!r}"
        ) from error


def number_of_topics(states: Sequence[State]) -> int:
    """Return one more than the highest topic, which some token has."""
    count = max(max(state.topics) for state in states) + 1
    tokens = sum(len(state.topics) for state in states)
    if not 0 < count <= tokens:
        raise InputError(f"{states[0].name}: topic {count - 1} of {tokens} tokens: a wrong number")
    return count
