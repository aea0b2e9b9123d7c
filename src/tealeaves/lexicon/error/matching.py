"""Lay extractions beside annotations: the tokens that both have, and those that one lacks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tealeaves.errors import InputError
from tealeaves.lexicon.dataset.annotation import Annotation
from tealeaves.lexicon.error.notes import MOST_NAMED
from tealeaves.lexicon.error.rows import Pair
from tealeaves.lexicon.error.tokens import AnnotatedTokens, ExtractedTokens, TokenKey
from tealeaves.lexicon.extraction.extracted import Extraction
from tealeaves.lexicon.extraction.registry import paper_name
from tealeaves.tables.numbers import list_text
from tealeaves.text.languages import find_language


@dataclass(frozen=True)
class Matched:
    """The tokens of one target language that are annotated and extracted.

    ``series``, ``pos`` and ``forms`` are what :func:`evaluate` takes; ``forms`` has the lemmas
    whose annotated words are all known.
    """

    target: str
    series: dict[str, dict[str, Pair]]
    pos: dict[str, str]
    forms: dict[str, list[frozenset[str]]]


def match(
    extractions: Iterable[Extraction], annotations: Iterable[Annotation]
) -> tuple[list[Matched], list[str]]:
    """Return the tokens that are annotated and extracted, of each target language; and notes.

    Models are compared on the same tokens: a token that one of them lacks is left out, unless that
    model has nothing of its lemma. The notes say what is missing on a side.
    """
    models = _models(extractions)
    sheets = _sheets(annotations, list(models))
    common = [target for target in models if target in sheets]
    if not common:
        raise InputError(
            f"annotations are of {list_text(sheets, MOST_NAMED)}, extractions of "
            f"{list_text(models, MOST_NAMED)}: no target language has both"
        )
    found = [_matched(target, models[target], sheets[target]) for target in common]
    if not any(lemmas for one in found for lemmas in one.series.values()):
        raise _nothing_shared(sheets, common, models[common[0]][0])
    return found, [*_on_languages(models, sheets), *_on_tokens(models, sheets)]


def _nothing_shared(
    sheets: Mapping[str, AnnotatedTokens], common: Sequence[str], model: ExtractedTokens
) -> InputError:
    theirs = next((token for target in common for token in sheets[target].tokens), None)
    if theirs is None:
        others = [f"{len(one.tokens):,} in {name}" for name, one in sheets.items() if one.tokens]
        if not others:
            return InputError("no token of the sheets is annotated yet")
        return InputError(
            f"no token is annotated yet in {list_text(common, MOST_NAMED)}, which is extracted; "
            f"annotated are {list_text(others, MOST_NAMED)}"
        )
    return InputError(
        f"no annotated token is extracted: there is {theirs} in the sheet, "
        f"{next(iter(model.tokens), 'nothing')} in the extraction"
    )


def _models(extractions: Iterable[Extraction]) -> dict[str, list[ExtractedTokens]]:
    """Return the models of each target language."""
    grouped: dict[tuple[str, str], list[Extraction]] = {}
    for extraction in extractions:
        named_so = (extraction.target, paper_name(extraction.model))
        grouped.setdefault(named_so, []).append(extraction)
    if not grouped:
        raise InputError("there is no extraction to evaluate")
    found: dict[str, list[ExtractedTokens]] = {}
    for (target, _), some in grouped.items():
        found.setdefault(target, []).append(ExtractedTokens.of(some))
    return found


def _sheets(
    annotations: Iterable[Annotation], targets: Sequence[str]
) -> dict[str, AnnotatedTokens]:
    """Return the annotations of each target language."""
    grouped: dict[str, list[Annotation]] = {}
    for one in annotations:
        # fin is fi, but an extraction's own name comes first
        called = find_language(one.target, targets) if one.target else ""
        grouped.setdefault(one.target if called is None else called, []).append(one)
    if not grouped:
        raise InputError("there are no annotations to evaluate by")
    if unsaid := grouped.pop("", []):
        if len(targets) > 1:
            raise InputError(
                f"extractions are of {list_text(targets, MOST_NAMED)}, but annotations do not say "
                "of which: add a column target"
            )
        grouped.setdefault(targets[0], []).extend(unsaid)
    return {target: AnnotatedTokens.of(some) for target, some in grouped.items()}


def _matched(target: str, models: Sequence[ExtractedTokens], sheet: AnnotatedTokens) -> Matched:
    series: dict[str, dict[str, Pair]] = {model.model: {} for model in models}
    found = Matched(target, series, {}, {})
    for lemma, tokens in sheet.by_lemma():
        named_by = {
            model.model: [model.find(token) for token in tokens]
            for model in models
            if any(model.find(token) for token in tokens)
        }
        columns = list(zip(*named_by.values(), strict=True))
        shared = [place for place, column in enumerate(columns) if None not in column]
        if not shared:
            continue
        chosen = [sheet.tokens[tokens[place]] for place in shared]
        annotated = [one.expressions or frozenset() for one in chosen]
        for model in models:
            if keys := named_by.get(model.model):
                extracted = [model.tokens[key] for place in shared if (key := keys[place])]
                series[model.model][lemma] = (extracted, annotated)
        found.pos[lemma] = chosen[0].pos
        if (forms := _forms(chosen, models[0].passages)) is not None:
            found.forms[lemma] = forms
    return found


def _forms(
    annotations: Sequence[Annotation], passages: Mapping[str, Sequence[str]]
) -> list[frozenset[str]] | None:
    """Return the annotated words as they stand, in lower case; None where some are not known."""
    known = [one for one in annotations if one.key in passages or not one.words]
    for one in known:
        _check_words(one, passages.get(one.key, ()))
    if len(known) < len(annotations) or any(
        bool(one.words) != bool(one.expressions) for one in annotations
    ):
        return None
    return [
        frozenset(passages[one.key][place].lower() for place in one.words) for one in annotations
    ]


def _check_words(annotation: Annotation, passage: Sequence[str]) -> None:
    """Refuse places that the passage does not have."""
    last = max(annotation.words, default=-1)
    if last >= len(passage):
        token = TokenKey(annotation.lemma, annotation.key, annotation.place)
        raise InputError(
            f"{annotation.where or token}: words has {last}, counted from 0, but the target "
            f"passage of {annotation.key} has {len(passage)} words: mend it, or leave words blank"
        )


def _on_languages(models: Mapping[str, object], sheets: Mapping[str, AnnotatedTokens]) -> list[str]:
    sides = (
        ("not annotated", [target for target in models if target not in sheets]),
        ("not extracted", [target for target in sheets if target not in models]),
    )
    return [
        f"left out, {what}: {list_text(targets, MOST_NAMED)}" for what, targets in sides if targets
    ]


def _on_tokens(
    models: Mapping[str, Sequence[ExtractedTokens]], sheets: Mapping[str, AnnotatedTokens]
) -> list[str]:
    """Say in a line each which tokens are on one side alone, or are not annotated yet."""
    missing, extra = [], []
    for target, model in ((t, model) for t, some in models.items() for model in some):
        if target not in sheets:
            continue
        tokens = sheets[target].tokens
        found = {token: model.find(token) for token in tokens}
        lacking = [token for token, there in found.items() if there is None]
        more = len(model.tokens) - len(set(found.values()) - {None})
        who = f"{model.model} in {target}"
        if lacking:
            missing.append(f"{who} {len(lacking):,} of {len(tokens):,} (first: {lacking[0]})")
        if more:
            extra.append(f"{who} {more:,} of {len(model.tokens):,}")
    blank = sum(sheet.blank for sheet in sheets.values())
    return [
        *([f"annotated tokens that are not extracted: {list_text(missing, 3)}"] if missing else []),
        *([f"extracted tokens that are not annotated: {list_text(extra, 3)}"] if extra else []),
        *([f"tokens of the sheets that are not annotated yet: {blank:,}"] if blank else []),
    ]
