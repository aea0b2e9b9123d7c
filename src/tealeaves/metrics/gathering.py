"""The second step of scoring: from a plan to evidence.

The texts are read once for all metrics, each word is embedded once, and a classifier reads the
texts once. The evidence holds everything that the metrics need: scores come from memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from itertools import product
from operator import or_
from typing import TYPE_CHECKING

from tealeaves.errors import EvidenceError, InputError
from tealeaves.evidence.counts import Counts
from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.requests import (
    ContextRequest,
    CountRequest,
    DictionaryRequest,
    RelevanceRequest,
    SidesRequest,
    TextRequest,
    join_count_requests,
)
from tealeaves.evidence.texts import EncodedTexts, TextEncoder
from tealeaves.evidence.units import Unit
from tealeaves.evidence.wording import wordings_of
from tealeaves.metrics.planning import Plan
from tealeaves.text.corpus import Corpus
from tealeaves.text.pipeline import Pipeline
from tealeaves.topics.multilingual import languages_of

if TYPE_CHECKING:
    from tealeaves.evidence.attention.relevance import Relevance
    from tealeaves.evidence.embeddings.embeddings import WordVectors
    from tealeaves.evidence.linked import LinkedEvidence
    from tealeaves.text.paired.corpus import PairedCorpus


def gather(plan: Plan, *, threads: int | None = None, progress: bool = False) -> Evidence:
    """Gather all that a plan asks for.

    Parameters
    ----------
    plan
        What :func:`plan` returned.
    threads
        How many threads count; by default one for each processor.
    progress
        Show a bar on standard error.
    """
    if plan.multilingual:
        return _gather_several_languages(plan, threads, progress=progress)
    sources = plan.sources
    pipeline = sources.pipeline(plan.models)
    counts, texts = sources.counts_list, None
    if counts is None:
        requests: list[CountRequest | TextRequest] = [*plan.counts, *plan.of_kind(TextRequest)]
        corpus = sources.open_corpus if requests else None
        counts, texts = read_corpus(corpus, pipeline, requests, threads, progress=progress)
    evidence = Evidence(
        counts,
        texts,
        _vectors(plan, progress=progress),
        _relevance(plan, pipeline, progress=progress),
        reference=_reference_evidence(plan, threads, progress=progress),
        chosen_embeddings=[one.name for one in sources.embedding_choice.chosen],
        relevance_read=sources.gathered_relevance is None,
        wording=plan.wording,
    )
    _check_reference_differs(evidence)
    evidence.notes = [*_uncounted(plan, evidence), *_read_by_classifier(plan, pipeline)]
    return evidence


def read_corpus(
    corpus: Corpus | None,
    pipeline: Pipeline,
    requests: Iterable[CountRequest | TextRequest],
    threads: int | None,
    *,
    progress: bool,
) -> tuple[list[Counts], EncodedTexts | None]:
    """Read a corpus once for all counts and texts that are requested, if any are."""
    requests = list(requests)
    counts = join_count_requests(one for one in requests if isinstance(one, CountRequest))
    texts = [one.terms for one in requests if isinstance(one, TextRequest)]
    if corpus is None or not requests:
        return [], None
    from tealeaves.evidence.counting.corpus import check_not_empty, count_corpus

    encoder = TextEncoder(frozenset().union(*texts), pipeline) if texts else None
    gathered = count_corpus(
        corpus,
        pipeline,
        counts or [CountRequest(Unit())],
        threads=threads,
        progress=progress,
        encoder=encoder,
    )
    check_not_empty(gathered, corpus)
    return gathered if counts else [], encoder.texts() if encoder else None


def _vectors(plan: Plan, *, progress: bool) -> dict[str | None, WordVectors]:
    """Embed each word once with each embedding."""
    choice = plan.sources.embedding_choice
    return {
        name: choice.by_name(name).vectors(
            sorted(request.words), further=sorted(request.further), progress=progress
        )
        for name, request in plan.embeddings.items()
    }


def _relevance(plan: Plan, pipeline: Pipeline, *, progress: bool) -> Relevance | None:
    """Return relevance that was gathered before; else a classifier reads the texts once."""
    if (gathered := plan.sources.gathered_relevance) is not None:
        return gathered
    requests = plan.of_kind(RelevanceRequest)
    corpus = plan.sources.open_corpus if requests else None
    if corpus is None:
        return None
    from tealeaves.evidence.attention.classifiers.classifier import Classifier
    from tealeaves.evidence.attention.gathering import gather_relevance

    source = plan.sources.open_relevance
    classifier = None if source is None else Classifier.open(source)
    request = reduce(or_, requests)
    return gather_relevance(corpus, pipeline, request, classifier=classifier, progress=progress)


def _reference_evidence(plan: Plan, threads: int | None, *, progress: bool) -> Evidence | None:
    """Read the reference once for all optional requests, or take its counts."""
    reference = plan.sources.reference_source
    if reference is None:
        return None
    if reference.corpus is None:
        return Evidence(reference.counts)
    requests = plan.optional_counts(reference=True)
    counts, _ = read_corpus(
        reference.corpus, reference.pipeline, requests, threads, progress=progress
    )
    return Evidence(counts)


def _check_reference_differs(evidence: Evidence) -> None:
    """Raise for a reference of the same texts as the corpus: it would only repeat the corpus."""
    for counts, reference_counts in product(evidence, evidence.reference or ()):
        try:
            counts.fingerprint + reference_counts.fingerprint
        except EvidenceError as error:
            raise InputError(
                f"the reference holds texts of the corpus: give others ({error})"
            ) from None
        return  # all counts of a corpus have the same fingerprint


def _uncounted(plan: Plan, evidence: Evidence) -> list[str]:
    """Name the optional requests that counts made before do not hold."""
    notes = []
    if plan.sources.counts is not None:
        notes += _lacking(plan.optional_counts(reference=False), evidence, "the counts")
    reference = plan.sources.reference_source
    if reference and reference.counts and evidence.reference:
        requests = plan.optional_counts(reference=True)
        notes += _lacking(requests, evidence.reference, "the counts of the reference")
    return notes


def _read_by_classifier(plan: Plan, pipeline: Pipeline) -> list[str]:
    """Say with which tokens a classifier read the texts, where that may surprise."""
    sources = plan.sources
    if sources.corpus is None or sources.relevance is None or isinstance(sources.tokens, Mapping):
        return []
    from tealeaves.evidence.attention.classifiers.record import record_of
    from tealeaves.evidence.attention.notes import token_notes

    fitted = record_of(sources.open_relevance).tokens
    return token_notes(plan.models, pipeline, sources.tokens, fitted)


def _lacking(requests: Sequence[CountRequest], evidence: Evidence, where: str) -> list[str]:
    units = dict.fromkeys(str(one.unit) for one in requests if not evidence.has(one))
    if not units:
        return []
    return [f"not counted for these words in {where}, and left out: {', '.join(units)}"]


# ---------------------------------------------------------------------- several languages


def _gather_several_languages(plan: Plan, threads: int | None, *, progress: bool) -> Evidence:
    """Read each language once, and join linked documents."""
    from tealeaves.evidence.linked import LinkedEvidence

    sources, languages = plan.sources, languages_of(plan.models)
    wording = wordings_of(plan.wording)
    paired = sources.paired_corpus(plan.models)
    dictionary_requests = plan.of_kind(DictionaryRequest)
    # what is small is opened before the texts are read
    dictionaries = sources.dictionaries(
        reduce(or_, dictionary_requests) if dictionary_requests else None, languages
    )
    years = sources.word_years(languages)
    if sources.counts_list is not None:
        linked = LinkedEvidence(sources.counts_list, {})
    else:
        linked = _linked_documents(plan, paired, threads, progress=progress)
    contexts = plan.of_kind(ContextRequest)
    return Evidence(
        linked.counts,
        sides=linked.sides,
        dictionaries=dictionaries,
        years=years,
        drift=sources.drift(contexts, paired, wording, progress=progress),
        wording=wording,
        notes=linked.notes,
    )


def _linked_documents(
    plan: Plan, paired: PairedCorpus | None, threads: int | None, *, progress: bool
) -> LinkedEvidence:
    from tealeaves.evidence.linked import LinkedEvidence, gather_linked

    documents = plan.of_kind(SidesRequest)
    if paired is None or not (plan.counts or documents):
        return LinkedEvidence([], {})
    return gather_linked(
        paired,
        wordings_of(plan.wording).pipelines,
        plan.counts,
        reduce(or_, documents) if documents else None,
        threads=threads,
        progress=progress,
    )
