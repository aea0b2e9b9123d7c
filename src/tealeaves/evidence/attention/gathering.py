"""Gathering: a classifier reads texts once, for all words that are requested."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import msgspec

from tealeaves.errors import EvidenceError, InputError, TealeavesError
from tealeaves.evidence.attention.batches import BatchMaker
from tealeaves.evidence.attention.chunks import ChunkReader
from tealeaves.evidence.attention.classifiers.classifier import Classifier
from tealeaves.evidence.attention.devices import device_of, sensible_threads
from tealeaves.evidence.attention.frame import Frame, RelevanceStamp, RelevanceTotals, Target
from tealeaves.evidence.attention.heads import FixedHeads, HeadStatistics
from tealeaves.evidence.attention.network.rules import RuleName
from tealeaves.evidence.attention.network.verification import verified_network
from tealeaves.evidence.attention.relevance import Relevance, add_parts, empty, total
from tealeaves.evidence.attention.sample import (
    SampledText,
    Sampler,
    TextSample,
    fingerprint_of,
)
from tealeaves.evidence.attention.texts import TextReader
from tealeaves.evidence.counting.blocks import source_names_in_errors
from tealeaves.evidence.counts import PipelineStamp
from tealeaves.evidence.requests import RelevanceRequest
from tealeaves.parameters import wrong_value
from tealeaves.text.corpus import Corpus
from tealeaves.text.fingerprint import Fingerprint
from tealeaves.text.pipeline import Pipeline

#: The version of the procedure; a new one means other numbers.
PROCEDURE = "1"
#: How many texts are used unless another number is given.
BUDGET = 2000
#: From how many texts the heads are chosen.
HEAD_SAMPLE = 128
_CHUNK = 64  # texts between which a gathering can be stopped
_PARTS = 16  # chunks that are kept before they are added: each has all its rows, which soon repeat
_CHANGED = "the unfinished relevance is of other texts: have they, the budget or the seed changed?"


def gather_relevance(
    corpus: Corpus,
    pipeline: Pipeline,
    request: RelevanceRequest,
    *,
    classifier: Classifier | None = None,
    budget: int | None = BUDGET,
    seed: int = 0,
    by_head: bool | None = None,
    target: Target = "predicted",
    rules: RuleName = "sizes",
    head_sample: int = HEAD_SAMPLE,
    heads_of: Relevance | None = None,
    device: str | None = None,
    resume: Relevance | None = None,
    checkpoint: float = 30.0,
    on_checkpoint: Callable[[Relevance], None] | None = None,
    stop: Callable[[], bool] = lambda: False,
    progress: bool = False,
) -> Relevance:
    """Run texts through a classifier, and return what it says about the requested pairs of words.

    Parameters
    ----------
    corpus, pipeline
        The texts, and how they become the words that the network reads.
    request
        The pairs of words, and whether Improved LRP is wanted.
    classifier
        By default a probe on the packaged MiniLM, fitted to the texts.
    budget
        How many texts with two requested words are used at most, drawn at random; None for all.
    seed
        The seed of the draw, and of what is masked.
    by_head
        Whether each head is kept by itself, so that others can be selected later; by default not
        for all pairs of the words, which are many.
    target
        The ``predicted`` class, or the ``true`` one, for which only texts are used whose label the
        classifier knows; a classifier of masked words always explains these.
    rules
        How Improved LRP shares out relevance: by the ``sizes`` of what is added and multiplied, or
        by the rules of ``chefer``, in double precision.
    head_sample
        From how many texts the heads are chosen.
    heads_of
        Relevance whose heads are taken, so that this one adds to it.
    device
        ``cpu``, ``cuda`` or another name of torch; None takes a GPU if there is one.
    resume
        An unfinished gathering of the same things.
    checkpoint
        Seconds between two calls of ``on_checkpoint``.
    on_checkpoint
        Called with what is done, also when gathering is stopped and when it fails.
    stop
        Called after each chunk of texts; if it returns true, KeyboardInterrupt is raised.
    progress
        Show a bar on standard error.
    """
    if budget is not None and budget < 1:
        raise wrong_value("budget", budget, "at least 1")
    if head_sample < 1:
        raise wrong_value("head_sample", head_sample, "at least 1")
    check_request(request)
    if classifier is None:
        classifier = default_classifier(corpus, pipeline, device, seed, progress=progress)
    target = "masked" if classifier.head.pooling == "masked" else target
    by_head = request.pairs is not None if by_head is None else by_head
    with source_names_in_errors(corpus), sensible_threads():
        place = device_of(device)
        batches = BatchMaker(classifier, target, seed=seed, device=place)
        network = verified_network(classifier, place, rules)
        reader = ChunkReader(network, batches, improved=request.improved, by_head=by_head)
        frame = _frame(classifier, pipeline, request, reader)
        pieces = TextReader(classifier.tokenizer, frame.terms, classifier.longest)
        labels = classifier.labels if target == "true" else None
        sampler = Sampler(pipeline, pieces, frame, budget=budget, seed=seed, labels=labels)
        texts = TextSample(sampler, corpus, stop=stop, progress=progress)
        first = texts.take(head_sample)
        if not first:
            raise InputError(_no_text(corpus, sampler, pipeline, classifier))
        frame = _with_heads(frame, first, reader, heads_of, resume)
        start = resume or empty(frame, by_head=by_head)
        done = PartialRelevance(start, checkpoint, on_checkpoint, stop)
        _read_chunks(texts.in_chunks(first, _CHUNK), frame, reader, resume, done)
    gathered = done.total()
    return replace(gathered, totals=_with_unused(gathered.totals, sampler))


def check_request(request: RelevanceRequest) -> None:
    """Raise for a request of no pair of words."""
    if len(request.terms) < 2 or (request.pairs is not None and not request.pairs):
        raise InputError("relevance is of pairs of words: these topics have no two words")


def default_classifier(
    corpus: Corpus, pipeline: Pipeline, device: str | None, seed: int, *, progress: bool
) -> Classifier:
    """Fit the default classifier: a probe on the packaged MiniLM."""
    from tealeaves.evidence.attention.training.fit import fit_classifier

    return fit_classifier(
        corpus, "probe", tokens=pipeline, device=device, seed=seed, progress=progress
    )


def _frame(
    classifier: Classifier, pipeline: Pipeline, request: RelevanceRequest, reader: ChunkReader
) -> Frame:
    """Return what is requested; the heads are not chosen yet."""
    network, batches = reader.network, reader.batches
    stamp = RelevanceStamp(
        classifier=classifier.name,
        weights=classifier.fingerprint,
        kind=classifier.kind,
        longest=classifier.longest,
        layers=network.layers,
        heads=network.heads,
        target=batches.target,
        procedure=PROCEDURE,
        pipeline=PipelineStamp(repr(pipeline), pipeline.signature),
        improved=reader.improved,
        rules=network.rules,
        seed=batches.seed,
    )
    nothing = HeadStatistics.zeros(network.layers, network.heads)
    return Frame(stamp, *request.terms_and_positions(), nothing, FixedHeads.of(nothing))


def _with_heads(
    frame: Frame,
    first: Sequence[SampledText],
    reader: ChunkReader,
    heads_of: Relevance | None,
    resume: Relevance | None,
) -> Frame:
    """Fix the heads: those of other relevance, or those that the first texts decide."""
    other = heads_of or resume
    if other is None:
        sample = reader.statistics(first)
        return replace(frame, sample=sample, fixed=FixedHeads.of(sample))
    fixed = replace(frame, sample=other.sample, fixed=other.fixed)
    if fixed.stamp != other.stamp:
        fixed.check_addable(other.frame)
    if resume:
        fixed.check_addable(resume.frame)
        if resume.has_heads != reader.by_head:
            raise EvidenceError(
                "the unfinished relevance was kept in other detail, by head or only summed"
            )
        if heads_of is None and resume.sample.texts != len(first):
            raise EvidenceError(
                f"the heads of the unfinished relevance were chosen from {resume.sample.texts} "
                f"texts, not from {len(first)}"
            )
    return fixed


def _read_chunks(
    chunks: Iterable[Sequence[SampledText]],
    frame: Frame,
    reader: ChunkReader,
    resume: Relevance | None,
    done: PartialRelevance,
) -> None:
    """Read the chunks that the unfinished relevance does not have yet."""
    skipped: list[Fingerprint] = []
    with done.save_at_errors():
        for chunk in chunks:
            if resume and len(skipped) * _CHUNK < resume.totals.used:
                skipped.append(fingerprint_of(chunk))
                if len(skipped) * _CHUNK >= resume.totals.used:
                    _check_skipped(skipped, resume)
                continue
            done.add(reader.relevance(chunk, frame))
    if resume:
        _check_skipped(skipped, resume)


def _check_skipped(texts: Sequence[Fingerprint], resume: Relevance) -> None:
    """Raise if the unfinished relevance is not exactly of the texts that were skipped."""
    if Fingerprint.join(texts) != resume.fingerprint:
        raise EvidenceError(_CHANGED)


class PartialRelevance:
    """The relevance of the chunks so far, which is saved now and then and if something fails.

    Chunks are added from first to last to ``start``, what an earlier run has done, so that the sums
    have the same bits whenever they were saved. ``on_checkpoint`` saves them every ``checkpoint``
    seconds.
    """

    def __init__(
        self,
        start: Relevance,
        checkpoint: float,
        on_checkpoint: Callable[[Relevance], None] | None,
        stop: Callable[[], bool],
    ) -> None:
        self._parts = [start]
        self._on_checkpoint = on_checkpoint
        self._checkpoint = checkpoint
        self._stop = stop
        self._saved_at = time.monotonic()
        self._is_saved = True

    def add(self, part: Relevance) -> None:
        """Add the relevance of a chunk; save it if it is time, and stop if that is wanted."""
        self._parts.append(part)
        self._is_saved = False
        if len(self._parts) > _PARTS:
            self._join()
        stopped = self._stop()
        if stopped or time.monotonic() - self._saved_at >= self._checkpoint:
            self._save()
        if stopped:
            raise KeyboardInterrupt

    def total(self) -> Relevance:
        """Return the relevance of all chunks."""
        return total(self._parts)

    @contextmanager
    def save_at_errors(self) -> Iterator[None]:
        """Save what is done if something fails, and say so.

        If the texts are not the expected ones, nothing is saved: the work cannot be continued.
        """
        try:
            yield
        except EvidenceError:
            raise
        except Exception as error:
            if self._on_checkpoint is None or self._is_saved:
                raise
            try:
                self._save()
            except Exception:  # noqa: BLE001  # the first error is what matters
                raise error from None
            if isinstance(error, TealeavesError):
                message = f"{error}; what was done before is saved, --resume continues it"
                raise type(error)(message) from error
            raise

    def _join(self) -> Relevance:
        # copies of texts are looked for at the end: a source may continue where another ended
        fingerprint = Fingerprint.join(part.fingerprint for part in self._parts)
        self._parts = [add_parts(self._parts, fingerprint)]
        return self._parts[0]

    def _save(self) -> None:
        if self._on_checkpoint is None:
            return
        self._is_saved = True  # if saving fails, it is not tried again
        self._on_checkpoint(self._join())
        self._saved_at = time.monotonic()


def _with_unused(totals: RelevanceTotals, sampler: Sampler) -> RelevanceTotals:
    """Add what became of the texts that were not used."""
    return msgspec.structs.replace(
        totals,
        documents=sampler.documents,
        dropped=sampler.dropped,
        without=sampler.without,
        left=sampler.left,
        unlabelled=sampler.unlabelled,
    )


def _no_text(corpus: Corpus, sampler: Sampler, pipeline: Pipeline, classifier: Classifier) -> str:
    """Say why no text can be used."""
    if not sampler.documents:
        return f"{corpus.name}: the corpus is empty: it holds no documents"
    if sampler.dropped == sampler.documents:
        return f"{corpus.name}: none of {sampler.documents} texts has enough tokens ({pipeline!r})"
    if sampler.unlabelled + sampler.dropped == sampler.documents:
        more = ", …" if len(classifier.labels) > 5 else ""
        known = ", ".join(classifier.labels[:5]) + more
        return (
            f"{corpus.name}: target=true: no text has a label that the classifier knows (it knows "
            f"{known}): name the field of labels (--label-field), or ask for the predicted class"
        )
    return (
        f"{corpus.name}: no text has two words of one topic, as {pipeline!r} reads them and up to "
        "the length that the classifier reads: are the topics of other texts or of other tokens?"
    )
