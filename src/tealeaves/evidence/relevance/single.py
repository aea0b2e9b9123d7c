"""The relevance of one text, word by word, as a picture of it needs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tealeaves.errors import InputError, did_you_mean
from tealeaves.evidence.relevance.asking import Asking
from tealeaves.evidence.relevance.heads import FixedHeads, HeadStatistics
from tealeaves.evidence.relevance.memory import memory_named
from tealeaves.evidence.relevance.network.network import Batch, Network
from tealeaves.evidence.relevance.running import Run, run
from tealeaves.evidence.relevance.sampling import Chosen
from tealeaves.evidence.relevance.stamp import Target
from tealeaves.evidence.relevance.texts import Pairs, TextReader
from tealeaves.text.document import Document

if TYPE_CHECKING:
    from tealeaves.arrays import Bools, Floats
    from tealeaves.evidence.relevance.classifier.classifier import Classifier

Unit = tuple[str, ...]
_FEW = "the relevance of a text is that between its words: "


class TextRelevance(NamedTuple):
    """What a classifier says of one text.

    Parameters
    ----------
    units
        The words that were read, each as its tokens: one, or several of a term that was asked for.
        Terms may lie over each other.
    apart
        Which pairs of words have a relevance: those at different positions.
    attention, lrp, improved
        Words by words: rows attend, columns are attended to; 0 where they are not apart.
    label
        The class that was asked for; empty for masked words.
    cut
        Whether the end of the text was not read.
    """

    units: tuple[Unit, ...]
    apart: Bools
    attention: Floats
    lrp: Floats
    improved: Floats
    label: str
    cut: bool

    @property
    def words(self) -> tuple[str, ...]:
        """The words as they are written."""
        return tuple(map(" ".join, self.units))


def relevance_of_text(
    classifier: Classifier,
    tokens: Sequence[str],
    *,
    terms: Collection[Unit] = (),
    fixed: FixedHeads | None = None,
    label: str | None = None,
    device: str | None = None,
) -> TextRelevance:
    """Return the relevance of all pairs of positions of a text.

    Parameters
    ----------
    classifier, tokens
        What reads, and the tokens of the text.
    terms
        Sequences of tokens that are one word each, as metrics take them.
    fixed
        The heads that count; by default those of this text itself.
    label
        The class that is asked for; by default the predicted one.
    device
        ``cpu``, ``cuda`` or another name of torch; None takes a GPU where there is one.
    """
    from tealeaves.evidence.relevance.checks import network_of
    from tealeaves.evidence.relevance.classifier.devices import device_of, sensible_threads

    check_words(tokens)
    _check_label(classifier, label)
    units, chosen = _whole(classifier, tokens, terms, label or "")
    with sensible_threads():
        place = device_of(device)
        network = network_of(classifier, place)
        target: Target = "predicted" if label is None else "true"
        if classifier.head.pooling == "masked":
            target = "masked"
        batch = Asking(classifier, target, seed=0, device=place).batch([chosen])
        pieces = f"a text of {len(chosen.text)} word pieces"
        with memory_named(place, pieces, "give a shorter text"):
            found = run(network, batch, [chosen], improved=True)
        label = label or _label(classifier, network, batch)
    heads = fixed or FixedHeads.of(HeadStatistics.of_texts(found.confidence, found.relevance))
    attention, lrp, improved = (
        _matrix(values, chosen.pairs, len(units)) for values in _by_heads(found, heads)
    )
    apart = _matrix(np.ones(len(chosen.pairs)), chosen.pairs, len(units)) > 0
    return TextRelevance(units, apart, attention, lrp, improved, label, chosen.text.cut)


def check_words(tokens: Sequence[str]) -> None:
    """Refuse a text without two words; nothing is loaded for it."""
    if len(tokens) < 2:
        raise InputError(f"{_FEW}it has no two")


def _check_label(classifier: Classifier, label: str | None) -> None:
    if label is None or label in classifier.labels:
        return
    if not classifier.labels:
        raise InputError(f"no class {label}: {classifier.name} tells masked words, not classes")
    known = ", ".join(classifier.labels)
    hint = did_you_mean(label, classifier.labels)
    raise InputError(f"{classifier.name} knows no class {label}{hint} (it knows {known})")


def _whole(
    classifier: Classifier, tokens: Sequence[str], terms: Collection[Unit], label: str
) -> tuple[tuple[Unit, ...], Chosen]:
    """Return the words of a text, and the text with each of them asked for."""
    text = TextReader(classifier.tokenizer, (), classifier.longest).read(tokens)
    read = tuple(tokens[: int(text.words.max()) + 1])
    spans = spans_of(read, terms)
    first, last = np.array(spans, dtype=np.int64).reshape(-1, 2).T
    starts = np.searchsorted(text.words[1:-1], first) + 1
    stops = np.searchsorted(text.words[1:-1], last) + 1
    left, right = (side.ravel() for side in np.indices((len(spans), len(spans))))
    # as metrics have it: a term may lie over others, and what makes no piece is not seen
    apart = (stops[left] <= starts[right]) | (stops[right] <= starts[left])
    apart &= (left != right) & (stops > starts)[left] & (stops > starts)[right]
    if not apart.any():
        raise InputError(f"{_FEW}fewer than two fit in")
    left, right = left[apart], right[apart]
    pairs = Pairs(left * len(spans) + right, left, right)
    asked = replace(text, terms=np.arange(len(spans)), starts=starts, stops=stops)
    units = tuple(read[start:stop] for start, stop in spans)
    return units, Chosen(Document(" ".join(tokens), label=label), asked, pairs)


def spans_of(tokens: Sequence[str], terms: Collection[Unit]) -> list[tuple[int, int]]:
    """Return where words begin and end: all occurrences of terms, and the tokens between them.

    >>> spans_of(["a", "black", "hole"], [("black", "hole"), ("hole",)])
    [(0, 1), (1, 3), (2, 3)]
    """
    found = {
        (position, position + len(term))
        for term in terms
        for position in range(len(tokens) - len(term) + 1)
        if term and tuple(tokens[position : position + len(term)]) == term
    }
    covered = {position for span in found for position in range(*span)}
    found |= {(n, n + 1) for n in range(len(tokens)) if n not in covered}
    return sorted(found, key=lambda span: (span[0], -span[1]))


def _label(classifier: Classifier, network: Network, batch: Batch) -> str:
    if not classifier.labels:
        return ""
    logits = network.predicted(network.forward(batch))
    return classifier.labels[int(logits[0, 0].argmax())]


def _by_heads(found: Run, heads: FixedHeads) -> list[Floats]:
    """Return attention, LRP and Improved LRP of each pair, by the heads that count."""
    if found.improved is None:
        raise ValueError("a picture needs Improved LRP too")
    layers = np.arange(len(heads.confident))
    attention = found.attention[:, layers, heads.confident].mean(axis=1)
    return [attention, found.lrp[:, heads.important].sum(axis=1), found.improved]


def _matrix(values: Floats, pairs: Pairs, size: int) -> Floats:
    found = np.zeros((size, size))
    found[pairs.left, pairs.right] = values
    return found
