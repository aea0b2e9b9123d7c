"""BigARTM and TopicNet: the frames phi (V×K, indexed by token or modality and token) and theta.

The input is a model, or its phi frame and ``document_topic=`` its theta frame (K×D). Topics have
the names of phi's columns. Of several modalities ``@default_class`` is taken. A frame may be
transposed, its columns words: labels and sums show it, else ``topic_word_axes`` must state it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from tealeaves.errors import InputError, warn_caller
from tealeaves.topics.adapters.adapter import Adapter
from tealeaves.topics.assembly import (
    TopicsOptions,
    call_library,
    distinctive_ids,
    positions_with_words,
    topics_from_matrices,
)
from tealeaves.topics.matrices import (
    DOCUMENT_TOPIC,
    TOPIC_WORD,
    divide_rows,
    orient_matrix,
    rows_sum_to_one,
)
from tealeaves.topics.topics import TopicId, Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Floats

DEFAULT_MODALITY = "@default_class"


class LabelledShares(NamedTuple):
    """Theta, D×K, and the documents' ids if its labels give them."""

    values: Floats
    documents: tuple[str, ...] | None


def is_artm_model(model: Any) -> bool:
    """Recognise a model with phi and theta, or a frame of numbers whose rows have names."""
    if hasattr(model, "get_phi") and hasattr(model, "get_theta"):
        return True
    return _is_frame(model) and all(isinstance(label, str | tuple) for label in model.index)


def convert_artm_model(model: Any, options: TopicsOptions) -> Topics:
    """Make topics of a model, or of its frame phi."""
    if _is_frame(model):
        phi = _words_by_topics(model, options)
    else:
        phi = call_library(model.get_phi, options=options)
    tokens, values = _modality(phi, options)
    names: list[TopicId] = [k if isinstance(k, str) else int(k) for k in phi.columns]
    positions = positions_with_words(names, values.any(axis=0), options)
    shares = _document_shares(model, names, positions, options)
    return topics_from_matrices(
        replace(options, document_topic=None),  # the shares are the caller's if there are any
        values[:, positions],
        tokens,
        None if shares is None else shares.values,
        axes="words topics",
        topic_ids=[names[n] for n in positions],
        document_ids=None if shares is None else distinctive_ids(shares.documents),
    )


def _is_frame(model: Any) -> bool:
    frame = all(hasattr(model, name) for name in ("index", "columns", "to_numpy"))
    return frame and all(kind.kind in "iuf" for kind in model.dtypes)


def _words_by_topics(frame: Any, options: TopicsOptions) -> Any:
    """Return a frame whose rows are words; transpose one whose columns are."""
    import numpy as np

    axes = options.topic_word_axes
    TOPIC_WORD.check(axes)
    if axes is not None:
        return frame.T if axes == TOPIC_WORD.order else frame
    # labels with a modality are words, and numbers are not
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
            f"{options.name}: neither labels nor sums show whether the rows of the frame are words "
            f"or topics: say topic_word_axes={TOPIC_WORD.reverse!r} or {TOPIC_WORD.order!r}"
        )
    return frame if by_columns else frame.T


def _modality(phi: Any, options: TopicsOptions) -> tuple[list[str], Floats]:
    """Return the words of one modality and their rows."""
    import numpy as np

    labels, values = list(phi.index), phi.to_numpy(dtype=np.float64)
    if not any(isinstance(label, tuple) for label in labels):
        return [str(label) for label in labels], values
    modalities = list(dict.fromkeys(label[0] for label in labels))
    modality = modalities[0] if len(modalities) == 1 else DEFAULT_MODALITY
    if modality not in modalities:
        raise InputError(
            f"{options.name}: the model has the modalities {', '.join(map(str, modalities))}: give "
            f"one of them, adapt(model.get_phi(class_ids=[{modalities[0]!r}]))"
        )
    rows = [number for number, label in enumerate(labels) if label[0] == modality]
    return [str(labels[number][1]) for number in rows], values[rows]


def _document_shares(
    model: Any, names: list[TopicId], positions: list[int], options: TopicsOptions
) -> LabelledShares | None:
    theta = options.document_topic
    if theta is None and hasattr(model, "get_theta"):
        try:
            theta = model.get_theta()
        except Exception as error:  # noqa: BLE001  # the library has its own classes of errors
            message = " ".join(str(error).split()) or type(error).__name__
            warn_caller(f"{options.name}: without its document-topic matrix: {message}")
            return None
    if theta is None:
        return None
    if _is_frame(theta):
        shares = _frame_shares(theta, names, options)
    else:
        axes = options.document_topic_axes
        matrix = orient_matrix(theta, DOCUMENT_TOPIC, options.name, columns=len(names), order=axes)
        shares = LabelledShares(matrix, None)
    if len(positions) == len(names):
        return shares
    # topics without words are left out: the shares of the others sum to 1
    return shares._replace(values=divide_rows(shares.values[:, positions]))


def _frame_shares(theta: Any, names: list[TopicId], options: TopicsOptions) -> LabelledShares:
    """Return theta of a frame; the names of the topics show which axis they are on."""
    import numpy as np

    values = theta.to_numpy(dtype=np.float64)
    rows, columns = list(theta.index), list(theta.columns)
    if not set(names) <= set(rows) and set(names) <= set(columns):
        rows, columns, values = columns, rows, values.T
    if not set(names) <= set(rows):
        raise InputError(
            f"{options.name}: theta has other topics than phi: its rows must be phi's columns"
        )
    topic_rows = [rows.index(name) for name in names]
    ids = tuple(map(str, columns))
    return LabelledShares(values[topic_rows].T, ids if len(set(ids)) == len(ids) else None)


ARTM = Adapter("BigARTM and TopicNet", is_artm_model, convert_artm_model, library="artm")
