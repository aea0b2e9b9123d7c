"""The relevance between the words of one text, as a picture of it needs."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tealeaves import demo
from tealeaves.errors import InputError, did_you_mean
from tealeaves.evidence.attention.batch_relevance import batch_relevance
from tealeaves.evidence.attention.batches import BatchMaker
from tealeaves.evidence.attention.classifiers.classifier import Classifier
from tealeaves.evidence.attention.classifiers.record import record_of
from tealeaves.evidence.attention.devices import device_of, explain_memory_errors, sensible_threads
from tealeaves.evidence.attention.frame import Target
from tealeaves.evidence.attention.gathering import default_classifier
from tealeaves.evidence.attention.heads import FixedHeads, HeadStatistics
from tealeaves.evidence.attention.network.network import Batch, Network
from tealeaves.evidence.attention.network.verification import verified_network
from tealeaves.evidence.attention.notes import token_notes
from tealeaves.evidence.attention.relevance import Relevance
from tealeaves.evidence.attention.relevance_file import open_relevance
from tealeaves.evidence.attention.sample import SampledText
from tealeaves.evidence.attention.texts import Pairs, TextReader
from tealeaves.evidence.sources import choose_pipeline
from tealeaves.evidence.wording import Wording
from tealeaves.statistics.spread import size_of_most
from tealeaves.text.corpus import Corpus
from tealeaves.text.document import Document
from tealeaves.text.pipeline import Pipeline
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Bools, Floats

TermTokens = tuple[str, ...]
_FEW = "relevance is between the words of a text, but fewer than two words "
_DEMO = (
    "no --classifier: a probe is fitted to the demo's texts, and predicts their themes; better is "
    "one of your texts (`tealeaves relevance fit`, or --corpus)"
)


class TextRelevance(NamedTuple):
    """What a classifier says about one text.

    Parameters
    ----------
    units
        The words that were read, each as its tokens: one, or several of a term that was requested.
        Terms may overlap.
    apart
        Which pairs of words have a relevance: those at different positions.
    attention, lrp, improved
        Words by words: rows attend, columns are attended to; 0 if the words are not apart.
    label
        The class that is explained; empty for masked words.
    cut
        Whether the end of the text was not read.
    classifier
        The name of the classifier.
    marked
        The positions of the words of the topic.
    heads
        Where the heads come from: a file, or this text.
    limits
        The size that 99 % of the values of words apart do not exceed, for ``attention``, ``lrp``
        and ``improved``.
    """

    units: tuple[TermTokens, ...]
    apart: Bools
    attention: Floats
    lrp: Floats
    improved: Floats
    label: str
    cut: bool
    classifier: str = ""
    marked: frozenset[int] = frozenset()
    heads: str = "this text"
    limits: Mapping[str, float] = MappingProxyType({})

    @property
    def words(self) -> tuple[str, ...]:
        """The words as they are written."""
        return tuple(map(" ".join, self.units))


def text_relevance(
    text: str | os.PathLike[str],
    topic: str | Topics | Sequence[str],
    *,
    classifier: Classifier | str | os.PathLike[str] | None = None,
    corpus: Corpus | None = None,
    tokens: str | Pipeline | None = None,
    top: int | None = None,
    label: str | None = None,
    heads_of: Relevance | str | os.PathLike[str] | None = None,
    device: str | None = None,
    progress: bool = False,
    on_note: Callable[[str], None] | None = None,
) -> TextRelevance:
    """Return the relevance between the words of a text, with the words of a topic marked.

    Parameters
    ----------
    text
        The text, or the path of a file of it.
    topic
        The words of a topic, as in ``"rocket orbit moon"``, or a model of one topic.
    classifier
        A classifier, or its folder; by default a probe on MiniLM.
    corpus
        The texts that the probe is fitted to, by default those of the demo.
    tokens
        The token pipeline, by default the one that the classifier was fitted with.
    top
        Take only this many first words of the topic.
    label
        The class that is explained; by default the predicted one.
    heads_of
        Relevance, or its file, whose heads are used; by default those of this text.
    device, progress
        As in :func:`tealeaves.evidence.attention.gather_relevance`.
    on_note
        Called with what a user should know.
    """
    model = topic if isinstance(topic, Topics) else _topic_of(topic)
    pipeline = choose_pipeline([model], tokens, classifier)
    words = pipeline.tokenizer()(text if isinstance(text, str) else _read(text))
    _check_words(words)
    [listed] = Wording(pipeline).terms(model)
    terms = {term.tokens for term in listed[:top] if term.tokens}
    heads = open_relevance(heads_of) if isinstance(heads_of, str | os.PathLike) else heads_of
    note = on_note or (lambda _: None)
    if tokens:  # else they are those of the classifier
        for message in token_notes([model], pipeline, tokens, record_of(classifier).tokens):
            note(message)
    if classifier is None:
        note(_DEMO if corpus is None else f"a probe is fitted to {corpus.name}")
        texts = corpus or demo.corpus()
        opened = default_classifier(texts, pipeline, device, 0, progress=progress)
    else:
        opened = Classifier.open(classifier)
    if heads and heads.stamp.weights != opened.fingerprint:
        raise InputError(
            f"{heads_of}: the heads of another classifier ({heads.stamp.classifier}), which say "
            f"nothing of {opened.name}"
        )
    result = relevance_of_tokens(
        opened,
        words,
        terms=terms,
        fixed=heads.fixed if heads else None,
        label=label,
        device=device,
    )
    marked = frozenset(n for n, unit in enumerate(result.units) if unit in terms)
    if not marked:
        note("no word of the topic is in the text")
    if result.cut:
        note(f"the text has more than {opened.longest} word pieces: its end is not read")
    result = result._replace(marked=marked)
    if isinstance(heads_of, str | os.PathLike):
        result = result._replace(heads=Path(heads_of).name)
    return result


def _topic_of(words: str | Sequence[str]) -> Topics:
    """Return a model of one topic, of words or of a text in which commas or spaces separate them.

    >>> _topic_of("rocket, orbit rocket").topics[0].words
    ('rocket', 'orbit')
    """
    listed = words.replace(",", " ").split() if isinstance(words, str) else words
    if not listed:
        raise InputError('the topic is empty: give its words, as in "rocket orbit moon"')
    return Topics.of([list(dict.fromkeys(listed))], model="the topic")


def _read(path: str | os.PathLike[str]) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{os.fspath(path)}: not a text in UTF-8") from error


def relevance_of_tokens(
    classifier: Classifier,
    tokens: Sequence[str],
    *,
    terms: Collection[TermTokens] = (),
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
        Sequences of tokens that are one word each, as in metrics.
    fixed
        The heads that count; by default those of this text.
    label
        The class that is explained; by default the predicted one.
    device
        ``cpu``, ``cuda`` or another name of torch; None takes a GPU if there is one.
    """
    _check_words(tokens)
    _check_label(classifier, label)
    units, sampled = _with_all_words(classifier, tokens, terms, label or "")
    with sensible_threads():
        place = device_of(device)
        network = verified_network(classifier, place)
        target: Target = "predicted" if label is None else "true"
        if classifier.head.pooling == "masked":
            target = "masked"
        batch = BatchMaker(classifier, target, seed=0, device=place).batch([sampled])
        pieces = f"a text of {len(sampled.text)} word pieces"
        with explain_memory_errors(place, pieces, "give a shorter text"):
            result = batch_relevance(network, batch, [sampled], improved=True)
        label = label or _predicted_label(classifier, network, batch)
    heads = fixed or FixedHeads.of(HeadStatistics.of_texts(result.confidence, result.relevance))
    ones = np.ones(len(sampled.pairs))
    attention, lrp, improved, apart = (
        _matrix(values, sampled.pairs, len(units))
        for values in (*result.of_heads(heads), result.improved, ones)
    )
    kinds = {"attention": attention, "lrp": lrp, "improved": improved}
    return TextRelevance(
        units,
        apart > 0,
        attention,
        lrp,
        improved,
        label,
        cut=sampled.text.cut,
        classifier=classifier.name,
        limits={kind: size_of_most(values[apart > 0]) for kind, values in kinds.items()},
    )


def _check_words(tokens: Sequence[str]) -> None:
    if len(tokens) < 2:
        raise InputError(f"{_FEW}are in it")


def _check_label(classifier: Classifier, label: str | None) -> None:
    if label is None or label in classifier.labels:
        return
    if not classifier.labels:
        raise InputError(f"no class {label}: {classifier.name} predicts masked words, not classes")
    known = ", ".join(classifier.labels)
    hint = did_you_mean(label, classifier.labels)
    raise InputError(f"{classifier.name} knows no class {label}{hint} (it knows {known})")


def _with_all_words(
    classifier: Classifier, tokens: Sequence[str], terms: Collection[TermTokens], label: str
) -> tuple[tuple[TermTokens, ...], SampledText]:
    """Return the words of a text, and the text with all pairs of them."""
    text = TextReader(classifier.tokenizer, (), classifier.longest).read(tokens)
    read = tuple(tokens[: int(text.words.max()) + 1])
    spans = spans_of(read, terms)
    first, last = np.array(spans, dtype=np.int64).reshape(-1, 2).T
    starts = np.searchsorted(text.words[1:-1], first) + 1
    stops = np.searchsorted(text.words[1:-1], last) + 1
    left, right = (side.ravel() for side in np.indices((len(spans), len(spans))))
    # as in metrics: a term may overlap with others, and a word without a piece is not seen
    apart = (stops[left] <= starts[right]) | (stops[right] <= starts[left])
    apart &= (left != right) & (stops > starts)[left] & (stops > starts)[right]
    if not apart.any():
        raise InputError(f"{_FEW}fit in the network")
    left, right = left[apart], right[apart]
    pairs = Pairs(left * len(spans) + right, left, right)
    whole = replace(text, terms=np.arange(len(spans)), starts=starts, stops=stops)
    units = tuple(read[start:stop] for start, stop in spans)
    return units, SampledText(Document(" ".join(tokens), label=label), whole, pairs)


def spans_of(tokens: Sequence[str], terms: Collection[TermTokens]) -> list[tuple[int, int]]:
    """Return where words begin and end: all occurrences of terms, and the tokens between them.

    >>> spans_of(["a", "black", "hole"], [("black", "hole"), ("hole",)])
    [(0, 1), (1, 3), (2, 3)]
    """
    spans = {
        (position, position + len(term))
        for term in terms
        for position in range(len(tokens) - len(term) + 1)
        if term and tuple(tokens[position : position + len(term)]) == term
    }
    covered = {position for span in spans for position in range(*span)}
    spans |= {(n, n + 1) for n in range(len(tokens)) if n not in covered}
    return sorted(spans, key=lambda span: (span[0], -span[1]))


def _predicted_label(classifier: Classifier, network: Network, batch: Batch) -> str:
    if not classifier.labels:
        return ""
    logits = network.predicted(network.forward(batch))
    return classifier.labels[int(logits[0, 0].argmax())]


def _matrix(values: Any, pairs: Pairs, size: int) -> Floats:
    matrix = np.zeros((size, size))
    matrix[pairs.left, pairs.right] = values
    return matrix
