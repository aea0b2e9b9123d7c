"""Matching extractions with annotations: the tokens that both have, and those that one lacks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tealeaves.errors import InputError
from tealeaves.lexicon.annotation.annotation import Annotation
from tealeaves.lexicon.error.measures import Pair
from tealeaves.lexicon.extraction.registry import paper_name
from tealeaves.lexicon.extraction.result import Extraction
from tealeaves.tables.numbers import list_text
from tealeaves.text.languages import find_language

#: The names that a note or an error lists before it counts the others.
MOST_NAMED = 5


class TokenKey(NamedTuple):
    """A token of a lemma: the key of its passage, and its position in it.

    >>> str(TokenKey("hand/N", "EXO 3:2", 4)), TokenKey("hand/N", "EXO 3:2", 4).bare.lemma
    ('hand/N, token 4 of EXO 3:2', 'hand')
    """

    lemma: str
    key: str
    place: int

    def __str__(self) -> str:
        return f"{self.lemma}, token {self.place} of {self.key}"

    @property
    def bare(self) -> TokenKey:
        """The same token, its lemma without part of speech."""
        return self._replace(lemma=self.lemma.rpartition("/")[0] or self.lemma)


@dataclass(frozen=True)
class ExtractedTokens:
    """What one model extracted in one target language.

    ``model`` is the name that papers use. ``passages`` has the forms of target passages. A lemma
    matches with its part of speech or without: ``hand`` has the tokens of ``hand/N``.
    """

    model: str
    target: str
    tokens: Mapping[TokenKey, frozenset[str]]
    bare: Mapping[TokenKey, TokenKey]
    passages: Mapping[str, Sequence[str]]

    @classmethod
    def of(cls, extractions: Sequence[Extraction]) -> ExtractedTokens:
        """Join what one model extracted for different lemmas."""
        model, target = paper_name(extractions[0].model), extractions[0].target
        tokens: dict[TokenKey, frozenset[str]] = {}
        for one in (token for extraction in extractions for token in extraction.tokens):
            token = TokenKey(one.lemma, one.key, one.place)
            if tokens.setdefault(token, one.expressions) != one.expressions:
                raise InputError(
                    f"{model} in {target}: {token} is extracted twice, not alike: keep one"
                )
        passages = {key: forms for one in extractions for key, (_, forms) in one.passages.items()}
        return cls(model, target, tokens, {token.bare: token for token in tokens}, passages)

    def find(self, token: TokenKey) -> TokenKey | None:
        """Return the token as it is named here; None if it is not extracted."""
        if token in self.tokens:
            return token
        return token.bare if token.bare in self.tokens else self.bare.get(token)


@dataclass(frozen=True)
class AnnotatedTokens:
    """What was annotated in one target language; ``blank`` counts tokens that are not yet."""

    tokens: Mapping[TokenKey, Annotation]
    blank: int

    @classmethod
    def of(cls, annotations: Iterable[Annotation]) -> AnnotatedTokens:
        """Take the tokens that are annotated; two different annotations of one are an error."""
        tokens: dict[TokenKey, Annotation] = {}
        blank = 0
        for one in annotations:
            if one.expressions is None:
                blank += 1
                continue
            token = TokenKey(one.lemma, one.key, one.place)
            if tokens.setdefault(token, one).expressions != one.expressions:
                raise InputError(
                    f"{token} is annotated twice, differently: give the sheet of one annotator"
                )
        return cls(tokens, blank)

    def by_lemma(self) -> dict[str, list[TokenKey]]:
        """Return the tokens of each lemma."""
        lemmas: dict[str, list[TokenKey]] = {}
        for token in self.tokens:
            lemmas.setdefault(token.lemma, []).append(token)
        return lemmas


@dataclass(frozen=True)
class MatchedTokens:
    """The tokens of one target language that are both annotated and extracted.

    ``series``, ``pos`` and ``forms`` are the arguments of :func:`evaluate`; ``forms`` has the
    lemmas whose annotated words are all known.
    """

    target: str
    series: dict[str, dict[str, Pair]]
    pos: dict[str, str]
    forms: dict[str, list[frozenset[str]]]


def match(
    extractions: Iterable[Extraction], annotations: Iterable[Annotation]
) -> tuple[list[MatchedTokens], list[str]]:
    """Return the tokens of each target language that are annotated and extracted; and notes.

    Models are compared on the same tokens: a token that one of them lacks is left out, unless that
    model has no token of the lemma. The notes say what is missing on a side.
    """
    models = _models(extractions)
    sheets = _sheets(annotations, list(models))
    common = [target for target in models if target in sheets]
    if not common:
        raise InputError(
            f"annotations are of {list_text(sheets, MOST_NAMED)}, extractions of "
            f"{list_text(models, MOST_NAMED)}: no target language has both"
        )
    matched = [_matched(target, models[target], sheets[target]) for target in common]
    if not any(lemmas for one in matched for lemmas in one.series.values()):
        raise _nothing_shared(sheets, common, models[common[0]][0])
    return matched, [*_language_notes(models, sheets), *_token_notes(models, sheets)]


def _nothing_shared(
    sheets: Mapping[str, AnnotatedTokens], common: Sequence[str], model: ExtractedTokens
) -> InputError:
    annotated = next((token for target in common for token in sheets[target].tokens), None)
    if annotated is None:
        others = [f"{len(one.tokens):,} in {name}" for name, one in sheets.items() if one.tokens]
        if not others:
            return InputError("no token of the sheets is annotated yet")
        return InputError(
            f"no token is annotated yet in {list_text(common, MOST_NAMED)}, which is extracted; "
            f"annotated are {list_text(others, MOST_NAMED)}"
        )
    return InputError(
        f"no annotated token is extracted: there is {annotated} in the sheet, "
        f"{next(iter(model.tokens), 'nothing')} in the extraction"
    )


def _models(extractions: Iterable[Extraction]) -> dict[str, list[ExtractedTokens]]:
    """Return the models of each target language."""
    grouped: dict[tuple[str, str], list[Extraction]] = {}
    for extraction in extractions:
        names = (extraction.target, paper_name(extraction.model))
        grouped.setdefault(names, []).append(extraction)
    if not grouped:
        raise InputError("there is no extraction to evaluate")
    models: dict[str, list[ExtractedTokens]] = {}
    for (target, _), some in grouped.items():
        models.setdefault(target, []).append(ExtractedTokens.of(some))
    return models


def _sheets(
    annotations: Iterable[Annotation], targets: Sequence[str]
) -> dict[str, AnnotatedTokens]:
    """Return the annotations of each target language."""
    grouped: dict[str, list[Annotation]] = {}
    for one in annotations:
        # fin is fi; the extractions' name of a language is used
        name = find_language(one.target, targets) if one.target else ""
        grouped.setdefault(one.target if name is None else name, []).append(one)
    if not grouped:
        raise InputError("there are no annotations to evaluate by")
    if unnamed := grouped.pop("", []):
        if len(targets) > 1:
            raise InputError(
                f"extractions are of {list_text(targets, MOST_NAMED)}, but annotations do not say "
                "of which: add a column target"
            )
        grouped.setdefault(targets[0], []).extend(unnamed)
    return {target: AnnotatedTokens.of(some) for target, some in grouped.items()}


def _matched(
    target: str, models: Sequence[ExtractedTokens], sheet: AnnotatedTokens
) -> MatchedTokens:
    series: dict[str, dict[str, Pair]] = {model.model: {} for model in models}
    matched = MatchedTokens(target, series, {}, {})
    for lemma, tokens in sheet.by_lemma().items():
        keys_of = {
            model.model: [model.find(token) for token in tokens]
            for model in models
            if any(model.find(token) for token in tokens)
        }
        columns = list(zip(*keys_of.values(), strict=True))
        shared = [place for place, column in enumerate(columns) if None not in column]
        if not shared:
            continue
        chosen = [sheet.tokens[tokens[place]] for place in shared]
        annotated = [one.expressions or frozenset() for one in chosen]
        for model in models:
            if keys := keys_of.get(model.model):
                extracted = [model.tokens[key] for place in shared if (key := keys[place])]
                series[model.model][lemma] = (extracted, annotated)
        matched.pos[lemma] = chosen[0].pos
        if (forms := _forms(chosen, models[0].passages)) is not None:
            matched.forms[lemma] = forms
    return matched


def _forms(
    annotations: Sequence[Annotation], passages: Mapping[str, Sequence[str]]
) -> list[frozenset[str]] | None:
    """Return the annotated words as they stand, in lower case; None if some are not known."""
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
    """Raise for positions that the passage does not have."""
    last = max(annotation.words, default=-1)
    if last >= len(passage):
        token = TokenKey(annotation.lemma, annotation.key, annotation.place)
        raise InputError(
            f"{annotation.where or token}: words has {last}, counted from 0, but the target "
            f"passage of {annotation.key} has {len(passage)} words: mend it, or leave words blank"
        )


def _language_notes(
    models: Mapping[str, object], sheets: Mapping[str, AnnotatedTokens]
) -> list[str]:
    sides = (
        ("not annotated", [target for target in models if target not in sheets]),
        ("not extracted", [target for target in sheets if target not in models]),
    )
    return [
        f"left out, {what}: {list_text(targets, MOST_NAMED)}" for what, targets in sides if targets
    ]


def _token_notes(
    models: Mapping[str, Sequence[ExtractedTokens]], sheets: Mapping[str, AnnotatedTokens]
) -> list[str]:
    """Return notes on tokens that one side lacks, or that are not annotated yet."""
    missing, extra = [], []
    for target, model in ((t, model) for t, some in models.items() for model in some):
        if target not in sheets:
            continue
        tokens = sheets[target].tokens
        keys = {token: model.find(token) for token in tokens}
        lacking = [token for token, key in keys.items() if key is None]
        more = len(model.tokens) - len(set(keys.values()) - {None})
        name = f"{model.model} in {target}"
        if lacking:
            missing.append(f"{name} {len(lacking):,} of {len(tokens):,} (first: {lacking[0]})")
        if more:
            extra.append(f"{name} {more:,} of {len(model.tokens):,}")
    blank = sum(sheet.blank for sheet in sheets.values())
    return [
        *([f"annotated tokens that are not extracted: {list_text(missing, 3)}"] if missing else []),
        *([f"extracted tokens that are not annotated: {list_text(extra, 3)}"] if extra else []),
        *([f"tokens of the sheets that are not annotated yet: {blank:,}"] if blank else []),
    ]
