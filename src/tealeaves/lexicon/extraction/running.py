"""``extract``: how lemmas of a source language are expressed in any number of others."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence, Sized
from dataclasses import fields
from inspect import signature
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError, TealeavesError, did_you_mean
from tealeaves.lexicon.analysers import Analyser
from tealeaves.lexicon.bitext import Passages
from tealeaves.lexicon.extraction.asked import asked_lemmas
from tealeaves.lexicon.extraction.base import Extractor
from tealeaves.lexicon.extraction.choosing import check_chosen
from tealeaves.lexicon.extraction.extracted import Extraction
from tealeaves.lexicon.extraction.processes import Ended, check_main, each_target
from tealeaves.lexicon.extraction.progress import Bars
from tealeaves.lexicon.extraction.registry import extractor
from tealeaves.lexicon.extraction.sides import Reading, name_of, said_of
from tealeaves.lexicon.extraction.signing import Place
from tealeaves.lexicon.extraction.targets import Plan, Target, TargetRun, Told
from tealeaves.lexicon.passages import passages_of
from tealeaves.parameters import check_natural
from tealeaves.text.languages import same_language
from tealeaves.text.paired.corpus import PairedCorpus

if TYPE_CHECKING:
    from tealeaves.lexicon.passages import Texts

    Sides = Mapping[str, Texts | Passages] | Iterable[str | os.PathLike[str] | Passages]


def extract(
    source: Texts | Passages | PairedCorpus,
    targets: Sides | str | None = None,
    lemmas: str | Iterable[str] = (),
    model: str | Extractor | Sequence[str | Extractor] = "hybrid",
    *,
    language: str | None = None,
    words: str | Analyser = "forms",
    reading: Reading | None = None,
    only: Collection[Place] | None = None,
    skip_missing: bool = False,
    jobs: int = 1,
    threads: int | None = None,
    progress: bool = False,
    **how: Any,
) -> list[Extraction]:
    """Find how each token of some lemmas is expressed in other languages.

    Parameters
    ----------
    source
        The text of the source language: what :func:`read_passages` takes, or passages. Or paired
        texts: the source is then their first language, unless ``language`` says which.
    targets
        The texts of the target languages, by name; or files, which name their language up to the
        first dot. Of paired texts the names of languages: all but the source if not given.
    lemmas
        Words of the source that are looked for.
    model
        The model, or several, which share what they make of the texts.
    language
        How the source language is called; by default as its file.
    words
        How forms of the source become words: ``forms``, ``simplemma``, ``hanta``.
    reading, how
        How texts are read: a :class:`Reading`, or its parameters: ``tokens``, ``reader``, ``unit``,
        ``fields``, ``links``.
    only
        The tokens that are kept, as lemma, key and place; all if not given. ``hand`` is ``hand/N``
        too.
    skip_missing
        Whether to go on without lemmas that never occur.
    jobs
        How many targets at once, each in a process of its own if there are several: a script then
        begins its work under ``if __name__ == "__main__":``. Results are the same.
    threads
        How many threads a target may use.
    progress
        Whether to show how far it is.

    Returns an extraction for each target and model, in their order.

    >>> pairs = [{"en": "a hand", "fi": "käsi"}, {"en": "my hand", "fi": "käteni"}]
    >>> rest = [{"en": "feet", "fi": "jalat"}] * 8
    >>> found, = extract(PairedCorpus.of(pairs + rest), lemmas="hand", model="l(threshold=5)")
    >>> [(sorted(token.expressions), token.key) for token in found.tokens]
    [(['#kä'], '1'), (['#kä'], '2')]
    """
    chosen = [extractor(one) for one in ([model] if isinstance(model, str | Extractor) else model)]
    if not chosen:
        raise InputError("no model: name one, such as hybrid")
    for one in chosen:
        one.check()
    for name, number in (("jobs", jobs), ("threads", 1 if threads is None else threads)):
        check_natural(name, number)
    if jobs > 1 and not _is_one(targets):
        check_main()
    read = _reading(reading, how)
    if isinstance(source, PairedCorpus):
        passages, sides = _of_pairs(source, targets, language, words, read)
    else:
        passages, sides = _of_texts(source, targets, language, words, read)
    wanted = asked_lemmas(passages, lemmas, skip_missing=skip_missing)
    kept = None if only is None else frozenset(only)
    if kept is not None:
        check_chosen(passages, wanted, kept)
    plan = Plan(passages, wanted, tuple(chosen), read, kept, threads)
    return _all_extracted(plan, sides, jobs=min(jobs, len(sides)), progress=progress)


def _is_one(targets: object) -> bool:
    """Tell whether there is but one target, which needs no process of its own."""
    if isinstance(targets, str | os.PathLike):
        return True
    return isinstance(targets, Sized) and len(targets) == 1


def _reading(reading: Reading | None, how: Mapping[str, Any]) -> Reading:
    """Return how texts are read; refuse parameters that nobody knows."""
    parts = [one.name for one in fields(Reading)]
    for name in how:
        if name not in parts:
            own = [one for one in signature(extract).parameters if one != "how"]
            raise InputError(
                f"extract has no parameter {name}{did_you_mean(name, [*own, *parts])} (it has: "
                f"{', '.join([*own, *parts])})"
            )
    if reading is not None and how:
        raise InputError(f"give either reading or {', '.join(how)}")
    return reading or Reading(**how)


def _of_texts(
    source: Texts | Passages,
    targets: Sides | str | None,
    language: str | None,
    words: str | Analyser,
    reading: Reading,
) -> tuple[Passages, list[Target]]:
    sides = _targets(targets)
    if isinstance(source, Passages):
        reading.check([source.language, *(side.name for side in sides)])
        return source, sides
    if language is None and not isinstance(source, str | os.PathLike):
        raise InputError("say the language of the source: extract(corpus, …, language='en')")
    name = language or name_of(source)  # type: ignore[arg-type]
    reading.check([name, *(side.name for side in sides)])
    return reading.passages(source, name, words=words), sides


def _targets(targets: Sides | str | None) -> list[Target]:
    """Name the targets; each name stands for one."""
    if isinstance(targets, str | os.PathLike):
        targets = [targets]
    if not targets:
        raise InputError("no target language: name at least one text")
    if isinstance(targets, Mapping):
        return [Target(name, texts) for name, texts in targets.items()]
    found: dict[str, Target] = {}
    for texts in targets:
        name = texts.language if isinstance(texts, Passages) else name_of(texts)
        if name in found:
            raise InputError(f"two targets are called {name}: name them, as in {{'{name}2': …}}")
        found[name] = Target(name, texts)
    return list(found.values())


def _of_pairs(
    paired: PairedCorpus,
    targets: Sides | str | None,
    language: str | None,
    words: str | Analyser,
    reading: Reading,
) -> tuple[Passages, list[Target]]:
    source = language or paired.languages[0]
    reading.check(paired.languages)
    if isinstance(targets, Mapping):
        raise InputError("paired texts have their targets: give the names of languages")
    names = [targets] if isinstance(targets, str) else targets
    own = [source] if source in paired.languages else []
    own = own or [name for name in paired.languages if same_language(name, source)]
    others = [name for name in paired.languages if name not in own]
    chosen = others if names is None else [str(name) for name in names]
    if not chosen:
        raise InputError(f"no target language: the texts are in {', '.join(paired.languages)}")
    for name in chosen:
        if chosen.count(name) > 1:
            raise InputError(f"two targets are called {name}: name each language once")

    def passages(name: str, how: str | Analyser = "forms") -> Passages:
        return passages_of(paired, name, pipeline=said_of(reading.tokens, name), analyser=how)

    sides = [Target(name, passages(name)) for name in chosen]
    return passages(source, words), sides


def _all_extracted(
    plan: Plan, targets: Sequence[Target], *, jobs: int, progress: bool
) -> list[Extraction]:
    found: dict[str, list[Extraction]] = {}
    with Bars(len(targets), shown=progress) as bars:
        for ended in each_target(plan, targets, extracted, jobs=jobs, told=bars.tell):
            bars.ended(ended.target.name)
            if ended.error is not None:
                raise failed([ended], len(targets))
            found[ended.target.name] = ended.result
    return [one for target in targets for one in found[target.name]]


def extracted(plan: Plan, target: Target, told: Told) -> list[Extraction]:
    """Extract with each model of a plan from a target."""
    run = TargetRun(plan, target, told)
    return [run.extraction(model) for model in plan.models]


def failed(ended: Sequence[Ended], targets: int) -> TealeavesError:
    """Return the error that says which targets failed; of one target, why is enough."""
    errors = [one.error for one in ended if one.error is not None]
    if targets == 1:
        return errors[0]
    told = "; ".join(f"{one.target.name}: {one.error}" for one in ended)
    return TealeavesError(f"{len(errors)} of {targets} targets failed: {told}")
