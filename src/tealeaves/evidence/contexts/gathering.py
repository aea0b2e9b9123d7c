"""Gathering contexts: one reading of a corpus."""

from __future__ import annotations

from collections.abc import Iterator

from tealeaves.evidence.contexts.contexts import Contexts
from tealeaves.evidence.contexts.reader import ContextReader
from tealeaves.evidence.contexts.request import ContextRequest
from tealeaves.evidence.gathering import sources_named
from tealeaves.text.blocks import TextBlock
from tealeaves.text.compression import Meter
from tealeaves.text.corpus import Corpus
from tealeaves.text.pipeline import Pipeline


def gather_contexts(
    corpus: Corpus,
    pipeline: Pipeline,
    request: ContextRequest,
    *,
    vocabulary: frozenset[str] | None = None,
    progress: bool = False,
) -> Contexts:
    """Count the neighbours of terms, reading the corpus once.

    Parameters
    ----------
    vocabulary
        The words that are counted as neighbours; by default all that occur. Where it is given,
        texts need not become strings, which is several times faster. To be compared with another
        text, the frequent words of that one are enough (``other.frequent(5)``).
    progress
        Show a bar on standard error.

    >>> from tealeaves.evidence.terms import Term
    >>> corpus = Corpus.of(["the king of the sea", "a king"])
    >>> king = Term(("king",))
    >>> request = ContextRequest("", frozenset({king}), window=2)
    >>> contexts = gather_contexts(corpus, Pipeline.parse("words"), request)
    >>> contexts.neighbours(king)
    {'the': 2, 'a': 1, 'of': 1}
    """
    reader = ContextReader(request, pipeline, vocabulary, corpus.unit)
    meter = Meter(corpus.size)
    blocks = corpus.blocks(meter)
    with sources_named(corpus):
        for block in _with_progress(blocks, meter) if progress else blocks:
            reader.add(block)
        contexts = reader.contexts()
        contexts.fingerprint.refuse_copies()
    return contexts


def _with_progress(blocks: Iterator[TextBlock], meter: Meter) -> Iterator[TextBlock]:
    from tqdm.auto import tqdm

    with tqdm(total=meter.total, unit="B", unit_scale=True, desc="contexts", disable=None) as bar:
        for block in blocks:
            yield block
            bar.update(min(meter.done, meter.total) - bar.n)
