"""Scoring models in several languages: each language is read once, with its own tokens."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any, NamedTuple

from tealeaves.errors import InputError
from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.linked.gathering import Linked, gather_linked
from tealeaves.evidence.linked.request import SidesRequest
from tealeaves.evidence.request import Request, join_requests
from tealeaves.metrics.asking import needs_of
from tealeaves.metrics.crosslingual.auxiliary import Auxiliary
from tealeaves.metrics.crosslingual.family import multilingual, names_of
from tealeaves.metrics.crosslingual.wordings import Wordings
from tealeaves.metrics.needed import counts_of, pipeline_of_stamp
from tealeaves.text.languages import name_of
from tealeaves.text.paired.corpus import PairedCorpus
from tealeaves.text.pipeline import Pipeline, default_pipeline
from tealeaves.text.pipelines import Tokens, pipelines_of
from tealeaves.topics.multilingual import MultilingualTopics
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.evidence.counts import Counts
    from tealeaves.metrics.base import Metric, Need


class GivenAcross(NamedTuple):
    """What there is to score models with: a reference or its counts, and what is beside it."""

    auxiliary: Auxiliary
    corpus: Any = None
    counts: Any = None
    tokens: Any = None
    threads: int | None = None
    progress: bool = False


class Gathered(NamedTuple):
    """What is known, how words are looked for, and what should be said of it."""

    evidence: Evidence
    wording: Wordings
    notes: tuple[str, ...]


def are_multilingual(models: Sequence[Topics]) -> bool:
    """Tell models in several languages from models in one; they are not scored together."""
    several = [model for model in models if isinstance(model, MultilingualTopics)]
    if several and len(several) < len(models):
        other = next(model for model in models if not isinstance(model, MultilingualTopics))
        raise InputError(
            f"{several[0].model} has topics in several languages, {other.model} in one: score "
            "them one after the other"
        )
    return bool(several)


def evidence_across(
    models: Sequence[Topics], metrics: Sequence[Metric], given: GivenAcross
) -> Gathered:
    """Gather what the metrics need of texts in several languages, and of what is beside them."""

    def needs(wording: Wordings) -> list[Need]:
        if given.counts is not None:
            _refuse_documents(models, metrics, wording)
        return needs_of(models, metrics, wording)

    return gather_across(models, needs, given)


def gather_across(
    models: Sequence[Topics], needs: Callable[[Wordings], list[Need]], given: GivenAcross
) -> Gathered:
    """Gather what is needed for these models, once it is known how their words are looked for."""
    if given.counts is not None and given.corpus is not None:
        raise InputError("give either a corpus or counts, not both")
    paired = None if given.corpus is None else paired_of(given.corpus, models)
    counted: list[Counts] | None = None
    if given.counts is not None:
        counted = counts_of(given.counts)
        wording = Wordings(pipelines_of_counts(counted, names_of(models)))
    else:
        wording = Wordings(pipelines_of_models(models, given.tokens))
    asked = needs(wording)
    auxiliary = given.auxiliary
    auxiliary.check(asked)
    dictionaries, eras = auxiliary.dictionaries(asked), auxiliary.eras()  # before texts are read
    if counted is not None:
        linked = Linked(counted, {})
    else:
        linked = _gathered(paired, asked, wording, given.threads, progress=given.progress)
    evidence = Evidence(
        linked.counts,
        sides=linked.sides,
        dictionaries=dictionaries,
        eras=eras,
        drift=auxiliary.drift(asked, paired, wording, progress=given.progress),
    )
    return Gathered(evidence, wording, linked.notes)


def requests_across(
    models: Sequence[Topics], metrics: Sequence[Metric], wording: Wordings
) -> list[Request]:
    """Return all that the metrics need to be counted in linked documents."""
    _refuse_documents(models, metrics, wording)
    needs = needs_of(models, metrics, wording)
    return join_requests(need for need in needs if isinstance(need, Request))


def _refuse_documents(
    models: Sequence[Topics], metrics: Sequence[Metric], wording: Wordings
) -> None:
    """Refuse metrics that read the documents themselves, where only counts are at hand."""
    for metric in metrics:
        needs = needs_of(models, [metric], wording)
        if any(isinstance(need, SidesRequest) for need in needs):
            raise InputError(f"{metric!r} reads the documents themselves: score it with the texts")


def _gathered(
    paired: PairedCorpus | None,
    needs: Sequence[Need],
    wording: Wordings,
    threads: int | None,
    *,
    progress: bool,
) -> Linked:
    requests = join_requests(need for need in needs if isinstance(need, Request))
    documents = [need for need in needs if isinstance(need, SidesRequest)]
    if not requests and not documents:
        return Linked([], {})
    if paired is None:
        named = " ".join(f"--corpus {language}=PATH" for language in wording.pipelines)
        raise InputError(
            f"these metrics need linked texts of each language: give corpora ({named}) or counts"
        )
    return gather_linked(
        paired,
        wording.pipelines,
        requests,
        reduce(or_, documents) if documents else None,
        threads=threads,
        progress=progress,
    )


def paired_of(corpus: Any, models: Sequence[Topics]) -> PairedCorpus:
    """Return the texts of each language, which must be those of the topics."""
    if isinstance(corpus, Mapping):
        corpus = PairedCorpus.open(corpus)
    if not isinstance(corpus, PairedCorpus):
        raise InputError(
            "topics in several languages are scored with texts of each: give a PairedCorpus or "
            'a mapping, {"en": path, "sv": path} (--corpus en=PATH --corpus sv=PATH)'
        )
    check_languages(models, corpus.languages)
    return corpus


def check_languages(models: Sequence[Topics], given: Sequence[str]) -> None:
    """Refuse texts that lack a language of the topics, or have one more."""
    for model in models:
        wanted = multilingual(model).languages
        for language in wanted:
            if name_of(language, given) is None:
                raise InputError(
                    f"{model.model}: its topics are in {', '.join(wanted)}, the texts in "
                    f"{', '.join(given)}: there are no texts of {language}"
                )
        matched = {name_of(language, given) for language in wanted}
        for language in given:
            if language not in matched:
                raise InputError(
                    f"{model.model}: no topics in {language}: its topics are in {', '.join(wanted)}"
                )


def pipelines_of_models(models: Sequence[Topics], tokens: Tokens) -> dict[str, Pipeline]:
    """Return the tokens of each language: those asked for, else the models', else the default."""

    def usual(language: str) -> str:
        sides = [multilingual(model).by_language.get(language) for model in models]
        known = {side.tokens for side in sides if side is not None and side.tokens}
        return known.pop() if len(known) == 1 else default_pipeline(language)

    return pipelines_of(names_of(models), tokens, usual)


def pipelines_of_counts(counts: Sequence[Counts], languages: Sequence[str]) -> dict[str, Pipeline]:
    """Return the tokens that counts of linked documents were made with."""
    found = {}
    for language in languages:
        stamps = {one.pipelines[language] for one in counts if language in one.pipelines}
        if not stamps and (other := name_of(language, [n for c in counts for n in c.pipelines])):
            raise InputError(f"the counts call {language} {other}: give both the same name")
        if not stamps:
            raise InputError(f"the counts have no words of {language}: count linked texts of it")
        if len(stamps) > 1:
            raise InputError(f"the counts of {language} were made with more than one pipeline")
        found[language] = pipeline_of_stamp(stamps.pop(), "counts were")
    return found
