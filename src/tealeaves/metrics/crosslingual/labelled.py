"""One language's documents with labels, and the topics that its own words speak of."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.errors import InputError
from tealeaves.evidence.encoded import EncodedTexts
from tealeaves.evidence.linked.side import Side
from tealeaves.evidence.wording import Wording
from tealeaves.metrics.crosslingual.folds import Dealable
from tealeaves.metrics.crosslingual.transfer import label_sets
from tealeaves.metrics.following.folding_in import folded_in
from tealeaves.metrics.following.model_texts import model_texts
from tealeaves.metrics.following.word_counts import word_counts
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Floats


@dataclass(frozen=True, eq=False)
class LabelledSide:
    """The documents of a language that have a label and a word of the model, and their p(t|d).

    They stand in an order of their own, whatever that of the corpus is. ``all_documents`` is the
    number of all documents of the language.
    """

    language: str
    documents: tuple[Dealable, ...]
    theta: Floats
    all_documents: int

    def __len__(self) -> int:
        return len(self.documents)

    @property
    def labels(self) -> list[frozenset[str]]:
        """The labels of each document."""
        return [document.labels for document in self.documents]

    def frequent(self, least: int) -> frozenset[str]:
        """Return the labels that at least so many documents have."""
        counts = Counter(name for labels in self.labels for name in labels)
        return frozenset(name for name, count in counts.items() if count >= least)

    def only(self, names: Collection[str]) -> LabelledSide:
        """Return the documents with one of these labels, without their others."""
        kept = [
            document._replace(labels=document.labels & set(names)) for document in self.documents
        ]
        rows = [row for row, document in enumerate(kept) if document.labels]
        chosen = tuple(kept[row] for row in rows)
        return LabelledSide(self.language, chosen, self.theta[rows], self.all_documents)


def labelled_side(
    topics: Topics,
    side: Side,
    wording: Wording,
    *,
    separator: str,
    iterations: int,
    alpha: float,
) -> LabelledSide:
    """Estimate p(t|d) of the labelled documents of a language from its own words alone.

    Nothing of the documents they are linked to comes in, as it would with the shares that a model
    has for whole tuples.
    """
    labels = label_sets(side.labels, separator)
    if not any(labels):
        raise InputError(
            f"the texts of {side.language} have no labels: name the field that holds them with "
            '--label-field or PairedCorpus.open(paths, fields={"label": ...})'
        )
    own = model_texts(topics, texts_of(side), wording)
    theta = folded_in(word_counts(own), len(own), own.by_word, iterations=iterations, alpha=alpha)
    found = [
        (Dealable(side.keys[row], int(side.digests[row]), labels[row]), row)
        for row in np.flatnonzero(own.lengths > 0).tolist()
        if labels[row]
    ]
    found.sort(key=lambda one: (one[0].key, one[0].text, sorted(one[0].labels)))
    rows = [row for _, row in found]
    return LabelledSide(side.language, tuple(one for one, _ in found), theta[rows], len(side))


def texts_of(side: Side) -> EncodedTexts:
    """Return the documents of a language as plain texts, for what follows a model through them."""
    return EncodedTexts(
        side.terms,
        side.pipeline,
        side.fingerprint(np.arange(len(side))),
        side.keys,
        side.labels,
        ~side.dropped,
        side.starts,
        side.numbers,
    )


def provenance_of_side(side: Side) -> str:
    """Return the tokens and texts of a language, and a digest of their links and labels."""
    listed = "\n".join(f"{key}\t{label}" for key, label in zip(side.keys, side.labels, strict=True))
    digest = hashlib.blake2b(listed.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    texts = side.fingerprint(np.arange(len(side)))
    return f"{side.language}: tokens={side.pipeline.signature}|texts={texts}|labels={digest}"
