"""The reference: another text that words are looked for in, with tokens of its own."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tealeaves.errors import InputError
from tealeaves.evidence.counts import Counts
from tealeaves.evidence.evidence import Evidence
from tealeaves.metrics.granting import wished_counts
from tealeaves.metrics.needed import corpus_of, counts_of, is_path, pipeline_of, read_once
from tealeaves.metrics.wording import Wording
from tealeaves.text.corpus import Corpus
from tealeaves.text.paired.corpus import PairedCorpus
from tealeaves.text.pipeline import Pipeline

if TYPE_CHECKING:
    from tealeaves.metrics.base import Metric, Need

# not those of the models: lemmas are looked for as they are written
REFERENCE_TOKENS = "words"
COUNTS_SUFFIX = ".counts"


class Reference(NamedTuple):
    """The texts of a reference, or its counts, and its tokens."""

    pipeline: Pipeline
    corpus: Corpus | None = None
    counts: tuple[Counts, ...] = ()

    def wording(self) -> Wording:
        """Return how words are looked for in the reference; of words alike metrics say what is."""
        return Wording(self.pipeline, text="")

    def check(self, needs: Sequence[Need]) -> None:
        """Refuse, before long work begins, counts that hold nothing of what is wished for."""
        asked = wished_counts(needs, reference=True)
        if self.corpus is None and asked and not any(map(Evidence(self.counts).has, asked)):
            wanted = ", ".join(dict.fromkeys(str(one.unit) for one in asked))
            raise InputError(
                f"the counts of the reference do not hold what these metrics ask for ({wanted} of "
                "the words of these topics): count it anew (`tealeaves count`) with the same "
                "topics and metrics"
            )

    def evidence(self, needs: Sequence[Need], threads: int | None, *, progress: bool) -> Evidence:
        """Read the reference once for all that is wished for of it, or take its counts."""
        if self.corpus is None:
            return Evidence(self.counts)
        asked = wished_counts(needs, reference=True)
        found, _ = read_once(self.corpus, self.pipeline, asked, threads, progress=progress)
        return Evidence(found)


def reference_of(given: Any, tokens: Any, metrics: Sequence[Metric]) -> Reference | None:
    """Return the reference that was given, if any was, and say what cannot be one."""
    if given is None:
        if tokens is not None:
            raise InputError("tokens of a reference, but no reference: give it too")
        return None
    _refuse_unused(metrics)
    if isinstance(given, Mapping | PairedCorpus):
        raise InputError("the topics are in one language, so give a reference in one, not several")
    counts = _counts_of(given)
    if not counts:
        chosen = Pipeline.parse(REFERENCE_TOKENS if tokens is None else tokens)
        return Reference(chosen, _corpus_of(given))
    if tokens is not None:
        raise InputError(
            "the tokens of the reference were decided when its counts were made: leave them out"
        )
    return Reference(pipeline_of(counts), counts=tuple(counts))


def refuse_reference(given: Any, tokens: Any) -> None:
    """Refuse a reference beside topics in several languages."""
    if given is not None or tokens is not None:
        raise InputError(
            "a reference is for topics in one language, and these are in several: score one side "
            "(`tealeaves score --language`, in Python topics.side(language))"
        )


def _refuse_unused(metrics: Sequence[Metric]) -> None:
    """Refuse a reference that no metric would look into."""
    if any("reference" in metric.uses for metric in metrics):
        return
    from tealeaves.metrics.registry import METRICS

    could = [name for name, metric in METRICS.items() if "reference" in metric.uses]
    named = ", ".join(map(repr, metrics))
    instead = f"ask for {' or '.join(could)}, or leave" if could else "leave"
    raise InputError(f"the reference is of no use to {named}: {instead} it out")


def _counts_of(given: Any) -> list[Counts]:
    """Return the counts that are given, or those of a file; none if it is texts."""
    several = list(given) if isinstance(given, list | tuple) else [given]
    if several and all(isinstance(one, Counts) for one in several):
        return several
    files = [one for one in several if isinstance(one, str | os.PathLike) and is_counts(one)]
    if not files:
        return []
    if len(several) > 1:
        raise InputError(f"{os.fspath(files[0])}: counts are a reference by themselves: give one")
    if Path(files[0]).suffix != COUNTS_SUFFIX:
        raise InputError(f"{os.fspath(files[0])} is unfinished: count on with --resume")
    return counts_of(files[0])


def is_counts(path: str | os.PathLike[str]) -> bool:
    """Tell a file of counts by its name, an unfinished one too."""
    name = os.fspath(path)
    return name.endswith((COUNTS_SUFFIX, f"{COUNTS_SUFFIX}.partial")) and "\n" not in name


def _corpus_of(given: Any) -> Corpus:
    if isinstance(given, list | tuple) and given and all(map(is_path, given)):
        return Corpus.open(*given)
    if isinstance(given, Corpus | str | os.PathLike):
        return corpus_of(given, ())
    return Corpus.of(given, name="the reference in memory")
