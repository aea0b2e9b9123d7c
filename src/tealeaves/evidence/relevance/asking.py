"""What is asked of each text: its class, or the words that are masked in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tealeaves.evidence.relevance.batches import filled
from tealeaves.evidence.relevance.network.network import Batch
from tealeaves.evidence.relevance.sampling import Chosen, drawn_number

if TYPE_CHECKING:
    from tealeaves.arrays import Integers
    from tealeaves.evidence.relevance.classifier.classifier import Classifier
    from tealeaves.evidence.relevance.stamp import Target

#: Of the words of a text, the share that is masked, as models of masked words are trained.
MASKED = 0.15


class Asking:
    """Makes batches of texts for a classifier.

    Parameters
    ----------
    classifier
        Of classes, or of masked words.
    target
        The ``predicted`` class, or the ``true`` one, for texts with a label that the classifier
        knows; ``masked`` for a classifier of masked words.
    seed
        Decides which words are masked.
    device
        Of torch.
    """

    def __init__(self, classifier: Classifier, target: Target, *, seed: int, device: Any) -> None:
        self._tokenizer = classifier.tokenizer
        self._classes = {label: number for number, label in enumerate(classifier.labels)}
        self.target = target
        self._seed = seed
        self._device = device

    @property
    def seed(self) -> int | None:
        """What decides which words are masked, None where none are."""
        return self._seed if self.target == "masked" else None

    def batch(self, texts: Sequence[Chosen]) -> Batch:
        """Put texts into tensors, filled up to the longest."""
        ids = filled([one.text.pieces for one in texts], self._tokenizer.pad_token_id or 0)
        shown = filled([np.ones(len(one.text), np.int64) for one in texts], 0)
        if self.target != "masked":
            pieces, seen = self._tensors(ids, shown)
            return Batch(pieces, seen, targets=self._true(texts))
        masked = [self._masked(one) for one in texts]
        places, there = filled(masked, 0), filled([np.ones_like(one) for one in masked], 0)
        rows = np.repeat(np.arange(len(texts)), [len(one) for one in masked])
        targets = np.take_along_axis(ids, places, axis=1)
        ids[rows, np.concatenate(masked)] = self._tokenizer.mask_token_id
        return Batch(*self._tensors(ids, shown, places, there, targets))

    def _true(self, texts: Sequence[Chosen]) -> Any:
        """Return the classes that texts have; None where the predicted ones are asked for."""
        if self.target != "true":
            return None
        classes = [[self._classes[one.document.label]] for one in texts]
        [targets] = self._tensors(np.array(classes))
        return targets

    def _masked(self, one: Chosen) -> Integers:
        """Return the pieces of the words that are masked, whatever words are asked for."""
        words = np.unique(one.text.words[one.text.words >= 0])
        number = max(1, round(MASKED * len(words)))
        drawn = np.random.default_rng(drawn_number(one.document, self._seed))
        masked = drawn.choice(words, number, replace=False)
        return np.flatnonzero(np.isin(one.text.words, masked))

    def _tensors(self, *arrays: Integers) -> list[Any]:
        import torch

        return [torch.from_numpy(array).to(self._device) for array in arrays]
