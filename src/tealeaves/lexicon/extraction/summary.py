"""``Extractions``: what was extracted from all targets, and its summary.

The summary has a row for each lemma, and its table a line for each target language.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, overload

from tealeaves.errors import TealeavesError
from tealeaves.lexicon.extraction.result import Extraction, Token, read_extraction
from tealeaves.tables.numbers import DASH, list_text, number_text, percent_text
from tealeaves.tables.table import Cell, Table, TextCell
from tealeaves.tables.tidy import Tidy

_SHOWN = 3  # expressions, lemmas and targets that are named
_SURE = 0.1  # the least confidence of a token that is no guess
_MOSTLY = 0.8  # the share of tokens that should be sure


@dataclass(frozen=True)
class LemmaSummary:
    """How a lemma is expressed in a target language.

    Parameters
    ----------
    expressed
        The share of tokens that have an expression; NaN without tokens.
    sure
        The share of tokens with a confidence of at least 0.1; NaN if the model does not say.
    guessed
        The number of tokens that have an expression, but less confidence.
    expressions
        The number of different expressions.
    commonest
        The most frequent expressions, each with the share of tokens that has it.
    """

    lemma: str
    tokens: int
    expressed: float
    sure: float
    guessed: int
    expressions: int
    commonest: tuple[tuple[str, float], ...]

    @classmethod
    def of(cls, lemma: str, tokens: Sequence[Token], *, graded: bool = False) -> LemmaSummary:
        """Count the expressions of a lemma; ``graded`` is whether the model gives confidences.

        >>> tokens = [Token(frozenset(e), lemma="a") for e in (["x"], ["x", "y"], [], ["x"])]
        >>> row = LemmaSummary.of("a", tokens)
        >>> row.tokens, row.expressed, row.expressions, row.commonest
        (4, 0.75, 2, (('x', 0.75), ('y', 0.25)))
        """
        counts = Counter(one for token in tokens for one in sorted(token.expressions))
        ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        expressed = [token for token in tokens if token.expressions]
        sure = sum(map(_is_sure, tokens))
        return cls(
            lemma,
            len(tokens),
            len(expressed) / len(tokens) if tokens else math.nan,
            sure / len(tokens) if tokens and graded else math.nan,
            sum(not _is_sure(token) for token in expressed) if graded else 0,
            len(counts),
            tuple((one, count / len(tokens)) for one, count in ordered[:_SHOWN]),
        )


def _is_sure(token: Token) -> bool:
    return round(token.confidence, 4) >= _SURE  # as in the file


@dataclass(frozen=True)
class TargetSummary:
    """What a model extracted from a target language; ``seconds`` is NaN if it was done before."""

    target: str
    model: str
    shared: int
    seconds: float
    lemmas: tuple[LemmaSummary, ...]

    @classmethod
    def of(cls, extraction: Extraction, lemmas: Iterable[str], seconds: float) -> TargetSummary:
        """Summarise an extraction, lemma by lemma."""
        tokens: dict[str, list[Token]] = {lemma: [] for lemma in lemmas}
        for token in extraction.tokens:
            tokens.setdefault(token.lemma, []).append(token)
        graded = not all(math.isnan(token.confidence) for token in extraction.tokens)
        rows = tuple(LemmaSummary.of(*item, graded=graded) for item in tokens.items())
        return cls(extraction.target, extraction.model, extraction.shared, seconds, rows)

    @property
    def sure(self) -> float:
        """The share of tokens of all lemmas that are sure; NaN if the model does not say."""
        return _share((one.sure, one.tokens) for one in self.lemmas)

    @property
    def guesses(self) -> bool:
        """Whether too many tokens have an expression that may be a guess."""
        return self.sure < _MOSTLY and any(one.guessed for one in self.lemmas)

    def cells(self) -> list[str]:
        """Return the cells of the table: the numbers of all lemmas together."""
        seen = [one for one in self.lemmas if one.tokens]
        expressed = _share((one.expressed, one.tokens) for one in seen)
        expressions = f"{fmean(one.expressions for one in seen):.1f}" if seen else DASH
        return [
            f"{self.shared}",
            f"{sum(one.tokens for one in seen)}",
            percent_text(expressed),
            percent_text(self.sure),
            expressions,
            self._commonest(seen),
            number_text(self.seconds, 1),
        ]

    def _commonest(self, seen: Sequence[LemmaSummary]) -> str:
        """Return the expressions of the only lemma, or the most frequent one of each of several."""
        if len(self.lemmas) == 1:
            return " ".join(f"{text} {share:.0%}" for one in seen for text, share in one.commonest)
        named = [f"{one.lemma}: {one.commonest[0][0]}" for one in seen if one.commonest]
        return ", ".join(named[:_SHOWN]) + (", …" if len(named) > _SHOWN else "")


def _share(parts: Iterable[tuple[float, int]]) -> float:
    """Return the share among all tokens, given those of some; NaN without tokens."""
    seen = [(share, tokens) for share, tokens in parts if tokens]
    every = sum(tokens for _, tokens in seen)
    return sum(share * tokens for share, tokens in seen) / every if every else math.nan


class ExtractionSummary(Tidy):
    """What was extracted: a row for each lemma, a line of the table for each target and model."""

    columns = (
        "target", "model", "shared", "lemma", "tokens", "expressed", "sure", "expressions",
        "commonest", "shares", "seconds",
    )  # fmt: skip

    def __init__(self, targets: Sequence[TargetSummary], notes: Sequence[str] = ()) -> None:
        self.targets = list(targets)
        self.notes = [*notes, *self._guesses()]

    def _guesses(self) -> list[str]:
        """Return the note on targets where many tokens may be guesses."""
        names = list(dict.fromkeys(one.target for one in self.targets if one.guesses))
        if not names:
            return []
        return [
            f"{list_text(names, _SHOWN)}: less than {_MOSTLY:.0%} of tokens are sure, the "
            f"rest may be guesses; hybrid(least={_SURE}) leaves these without an expression"
        ]

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return a row for each target, model and lemma."""
        rows = [
            asdict(one)
            | {
                "target": target.target,
                "model": target.model,
                "shared": target.shared,
                "commonest": [text for text, _ in one.commonest],
                "shares": [share for _, share in one.commonest],
                "seconds": round(target.seconds, 2),
            }
            for target in self.targets
            for one in target.lemmas
        ]
        return [{name: row[name] for name in self.columns} for row in rows]

    def table(self) -> Table:
        """Return the table, with a line for each target and model."""
        columns = [
            "passages", "tokens", "expressed", "sure", "expressions", "commonest", "seconds",
        ]  # fmt: skip
        several = len({one.model for one in self.targets}) > 1
        rows: list[tuple[list[str], list[Cell]]] = [
            ([one.target, one.model][: 1 + several], [TextCell(text=text) for text in one.cells()])
            for one in self.targets
        ]
        labels = ["target", "model"][: 1 + several]
        return Table(labels, columns, [""] * len(columns), rows)

    @property
    def legend(self) -> list[str]:
        """What the columns are."""
        return [
            "passages: shared by source and target; expressed: share of tokens; sure: share "
            f"with a confidence of at least {_SURE}, – if the model does not say; expressions: "
            "different ones a lemma; seconds: – if it was there already"
        ]


class Extractions(Sequence[Extraction]):
    """An extraction for each target and model, in their order, and a summary of all.

    Extractions that were saved are read from their files, each time that they are used.
    """

    def __init__(
        self, extractions: Sequence[Extraction | Path], summary: ExtractionSummary
    ) -> None:
        self._extractions = list(extractions)
        self.summary = summary

    def __len__(self) -> int:
        return len(self._extractions)

    @overload
    def __getitem__(self, index: int) -> Extraction: ...
    @overload
    def __getitem__(self, index: slice) -> list[Extraction]: ...
    def __getitem__(self, index: int | slice) -> Extraction | list[Extraction]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        extraction = self._extractions[index]
        return read_extraction(extraction) if isinstance(extraction, Path) else extraction

    def __repr__(self) -> str:
        named = [f"{one.target} by {one.model}" for one in self.summary.targets]
        return f"Extractions({', '.join(named)})"


class FailedTargetsError(TealeavesError):
    """Some of several targets failed; ``done`` has the extractions from the others."""

    def __init__(self, message: str, done: Extractions) -> None:
        super().__init__(message)
        self.done = done
