"""BigARTM and TopicNet: the frames phi (V×K, indexed by token or modality and token) and theta.

A model, or its phi frame with ``document_topic=`` its theta frame (K×D). Topics bear the names of
phi's columns. Of several modalities ``@default_class`` is taken. A frame may also lie the other way
round, its columns words: labels and sums tell, else ``topic_word_axes``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from tealeaves.errors import InputError
from tealeaves.topics.adapters.given import calling, warn
from tealeaves.topics.adapters.parts import Parts, from_matrices, own_ids, with_words
from tealeaves.topics.orientation import (
    DOCUMENT_TOPIC,
    TOPIC_WORD,
    divided,
    oriented,
    rows_sum_to_one,
)
from tealeaves.topics.topics import TopicId, Topics

if TYPE_CHECKING:
    from tealeaves.topics.matrices import Matrix

LIBRARY = "artm"
USES: frozenset[str] = frozenset()
DEFAULT = "@default_class"


class Theta(NamedTuple):
    """Theta, D×K, and the documents' ids where they are told by labels."""

    values: Matrix
    documents: tuple[str, ...] | None


def fits(model: Any) -> bool:
    """A model with phi and theta, or a frame of numbers whose rows are words."""
    if hasattr(model, "get_phi") and hasattr(model, "get_theta"):
        return True
    return _is_frame(model) and all(isinstance(one, str | tuple) for one in model.index)


def convert(model: Any, parts: Parts) -> Topics:
    """Make topics of a model, or of its frame phi."""
    if _is_frame(model):
        phi = _words_by_topics(model, parts)
    else:
        phi = calling(model.get_phi, parts=parts)
    tokens, values = _modality(phi, parts)
    names: list[TopicId] = [k if isinstance(k, str) else int(k) for k in phi.columns]
    kept = with_words(names, [not column.any() for column in values.T], parts)
    ids = [names[n] for n in kept]
    shares = _shares(model, names, kept, parts)
    stated = replace(parts, topic_word_axes="words topics", document_topic=None)
    return from_matrices(
        stated,
        values[:, kept],
        tokens,
        None if shares is None else shares.values,
        topic_ids=ids,
        document_ids=None if shares is None else own_ids(shares.documents),
    )


def _is_frame(model: Any) -> bool:
    frame = all(hasattr(model, name) for name in ("index", "columns", "to_numpy"))
    return frame and all(kind.kind in "iuf" for kind in model.dtypes)


def _words_by_topics(frame: Any, parts: Parts) -> Any:
    """Turn a frame whose columns are the words."""
    import numpy as np

    stated = parts.topic_word_axes
    TOPIC_WORD.check(stated)
    if stated is not None:
        return frame.T if stated == TOPIC_WORD.kept else frame
    # a modality belongs to a word, and a number is none
    if any(isinstance(label, tuple) for label in frame.columns):
        return frame.T
    if any(isinstance(label, tuple) for label in frame.index) or not any(
        isinstance(label, str) for label in frame.columns
    ):
        return frame
    values = frame.to_numpy(dtype=np.float64)
    by_columns, by_rows = rows_sum_to_one(values.T), rows_sum_to_one(values)
    if by_columns == by_rows:
        raise InputError(
            f"{parts.name}: neither labels nor sums tell whether the rows of the frame are words "
            f"or topics: say topic_word_axes={TOPIC_WORD.turned!r} or {TOPIC_WORD.kept!r}"
        )
    return frame if by_columns else frame.T


def _modality(phi: Any, parts: Parts) -> tuple[list[str], Matrix]:
    """Return the words of one modality, and their rows."""
    import numpy as np

    labels, values = list(phi.index), phi.to_numpy(dtype=np.float64)
    if not any(isinstance(label, tuple) for label in labels):
        return [str(label) for label in labels], values
    found = list(dict.fromkeys(label[0] for label in labels))
    chosen = found[0] if len(found) == 1 else DEFAULT
    if chosen not in found:
        raise InputError(
            f"{parts.name}: it has the modalities {', '.join(map(str, found))}: give one of them, "
            f"adapt(model.get_phi(class_ids=[{found[0]!r}]))"
        )
    rows = [number for number, label in enumerate(labels) if label[0] == chosen]
    return [str(labels[number][1]) for number in rows], values[rows]


def _shares(model: Any, names: list[TopicId], kept: list[int], parts: Parts) -> Theta | None:
    theta = parts.document_topic
    if theta is None and hasattr(model, "get_theta"):
        try:
            theta = model.get_theta()
        except Exception as error:  # noqa: BLE001  # its errors are of classes of its own
            said = " ".join(str(error).split()) or type(error).__name__
            warn(f"{parts.name}: without its document-topic matrix: {said}")
            return None
    if theta is None:
        return None
    found = _labelled(theta, names, parts) if _is_frame(theta) else _plain(theta, names, parts)
    if len(kept) == len(names):
        return found
    # what is left without the topics that have no words
    return found._replace(values=divided(found.values[:, kept]))


def _labelled(theta: Any, names: list[TopicId], parts: Parts) -> Theta:
    """Tell topics from documents by their names."""
    import numpy as np

    values = theta.to_numpy(dtype=np.float64)
    rows, columns = list(theta.index), list(theta.columns)
    if not set(names) <= set(rows) and set(names) <= set(columns):
        rows, columns, values = columns, rows, values.T
    if not set(names) <= set(rows):
        raise InputError(
            f"{parts.name}: theta has other topics than phi: its rows must be phi's columns"
        )
    chosen = [rows.index(name) for name in names]
    return Theta(values[chosen].T, _distinct(columns))


def _plain(theta: Any, names: Sequence[TopicId], parts: Parts) -> Theta:
    stated = parts.document_topic_axes
    matrix = oriented(theta, DOCUMENT_TOPIC, parts.name, columns=len(names), stated=stated)
    return Theta(matrix, None)


def _distinct(labels: Sequence[Any]) -> tuple[str, ...] | None:
    ids = tuple(map(str, labels))
    return ids if len(set(ids)) == len(ids) else None
