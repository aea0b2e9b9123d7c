"""Which text of the corpus is which document of a model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tealeaves.errors import InputError
from tealeaves.evidence.encoded import EncodedTexts
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LIKELY = 0.5  # of documents with their length, for texts to be taken for those of the training


def rows_of_texts(topics: Topics, texts: EncodedTexts) -> NDArray[np.int64]:
    """Return for each text the row of the model's document of it, -1 for texts it does not know.

    Documents with ids are found by them; else the model must have been made of just these texts,
    or of those that the token pipeline keeps, in this order.
    """
    if topics.documents is None:
        raise InputError(f"{topics.model}: nothing is known of its documents, which is needed")
    known = topics.document_ids
    if known is not None and all(texts.ids) and len(set(texts.ids)) == len(texts):
        row_of = {identity: row for row, identity in enumerate(known)}
        rows = np.array([row_of.get(identity, -1) for identity in texts.ids], dtype=np.int64)
        if (rows >= 0).any():
            return rows
    if topics.documents == len(texts):
        return np.arange(len(texts))
    if topics.documents == int(texts.kept.sum()):
        return np.where(texts.kept, np.cumsum(texts.kept) - 1, -1)
    raise InputError(
        f"{topics.model}: it has {topics.documents} documents, the corpus {len(texts)}: give the "
        "texts it was trained on, or document ids that both have"
    )


def refuse_other_texts(
    topics: Topics, texts: EncodedTexts, lengths: NDArray[np.int64], *, hint: str = ""
) -> None:
    """Refuse texts that are not the model's own, where it knows how long its documents are.

    ``lengths`` are how many of the model's words each text has. Other tokens change some of them;
    other texts, or another order, change most.
    """
    if topics.document_lengths is None:
        return
    rows = rows_of_texts(topics, texts)
    known = rows >= 0
    same = topics.document_lengths[rows[known]] == lengths[known]
    if not known.any() or same.mean() >= _LIKELY:
        return
    what = "give the texts it was trained on, in their order"
    if topics.tokens not in ("", texts.pipeline.expression):
        what = f"it was made with the tokens {topics.tokens}, score it with these"
    raise InputError(
        f"{topics.model}: {int((~same).sum())} of {len(same)} texts are not as long as the "
        f"model's documents: {what}{hint}"
    )
