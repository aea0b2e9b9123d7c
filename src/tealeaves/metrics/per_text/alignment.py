"""Which text of the corpus is which document of a model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tealeaves.errors import InputError
from tealeaves.evidence.texts import EncodedTexts
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Integers

_LEAST_EQUAL = 0.5  # share of documents with the right length, for texts to be the model's own


def document_rows(topics: Topics, texts: EncodedTexts) -> Integers:
    """Return for each text the row of its document in the model, -1 if the model lacks it.

    Documents with ids are found by them. Otherwise the model must have been trained on exactly
    these texts, or on those that the token pipeline keeps, in this order.
    """
    if topics.documents is None:
        raise InputError(f"{topics.model}: its documents are not known, but they are needed")
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


def check_own_texts(
    topics: Topics, texts: EncodedTexts, lengths: Integers, *, hint: str = ""
) -> None:
    """Check that texts are the model's own, where it knows how long its documents are.

    ``lengths`` are how many of the model's words each text has. Other tokens change some of them;
    other texts, or another order, change most.
    """
    if topics.document_lengths is None:
        return
    rows = document_rows(topics, texts)
    known = rows >= 0
    equal = topics.document_lengths[rows[known]] == lengths[known]
    if not known.any() or equal.mean() >= _LEAST_EQUAL:
        return
    cure = "give the texts it was trained on, in their order"
    if topics.tokens not in ("", texts.pipeline.expression):
        cure = f"it was made with the tokens {topics.tokens}, score it with these"
    raise InputError(
        f"{topics.model}: {int((~equal).sum())} of {len(equal)} texts are not as long as the "
        f"model's documents: {cure}{hint}"
    )
