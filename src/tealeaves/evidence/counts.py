"""``Counts``: how many units contain each word, pair and set. Exact integers that add."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from tealeaves.arrays import offsets
from tealeaves.artifacts import Artifact, ArtifactFormat
from tealeaves.errors import EvidenceError, InputError
from tealeaves.evidence.possible_counts import check_possible
from tealeaves.evidence.requests import (
    CountRequest,
    Term,
    TermPairs,
    pair_keys,
    pair_positions,
)
from tealeaves.evidence.units import Unit
from tealeaves.text.digest import text_digest
from tealeaves.text.fingerprint import Fingerprint
from tealeaves.text.pipeline import Pipeline

if TYPE_CHECKING:
    from tealeaves.arrays import Integers, Integers32

_UNKNOWN = -1  # a count that is not known yet, while counts are joined


class Totals(msgspec.Struct, frozen=True):
    """Sizes of the texts that were read.

    ``units`` is the denominator of all probabilities. Of the ``documents``, the ``empty`` ones
    had no token and the ``dropped`` ones too few (``min_tokens``).
    """

    units: int = 0
    tokens: int = 0
    documents: int = 0
    empty: int = 0
    dropped: int = 0

    def __add__(self, other: Totals) -> Totals:
        mine, theirs = msgspec.structs.astuple(self), msgspec.structs.astuple(other)
        return Totals(*(a + b for a, b in zip(mine, theirs, strict=True)))


class PipelineStamp(msgspec.Struct, frozen=True, omit_defaults=True):
    """The token pipeline that texts were read with.

    ``expression`` makes the pipeline again; ``signature`` includes all that changes its tokens,
    such as versions. ``unit`` is what texts were joined into before, such as ``chapter``.
    """

    expression: str
    signature: str
    unit: str = ""

    @classmethod
    def of(cls, pipeline: Pipeline, unit: str = "") -> PipelineStamp:
        """Return the stamp of a pipeline."""
        return cls(repr(pipeline), pipeline.signature, unit)

    def __str__(self) -> str:
        return f"{self.unit} {self.signature}" if self.unit else self.signature


@dataclass(frozen=True, eq=False, repr=False)
class Counts:
    """How many units contain each requested term, pair of terms and larger set.

    ``+`` adds the counts of other texts; ``|`` joins the counts of more words of the same texts.
    Looking up something that was not requested is an error, never a zero.

    ``terms`` are sorted. Each row of ``pairs`` is the positions of two terms, the smaller first;
    rows are sorted. Each of the ``sets`` is the positions of its terms, ascending. ``pipelines``
    maps each language to the pipeline of its texts.
    """

    unit: Unit
    pipelines: Mapping[str, PipelineStamp]
    fingerprint: Fingerprint
    totals: Totals
    terms: tuple[Term, ...]
    singles: Integers
    pairs: Integers32
    pair_counts: Integers
    sets: tuple[tuple[int, ...], ...]
    set_counts: Integers

    def __repr__(self) -> str:
        return (
            f"Counts({len(self.terms)} terms, {len(self.pairs)} pairs, {len(self.sets)} sets in "
            f"{self.totals.units} units: {self.unit})"
        )

    @classmethod
    def zeros(cls, request: CountRequest, pipelines: Mapping[str, PipelineStamp]) -> Counts:
        """Return the counts of no text at all, for everything that a request asks for."""
        terms = request.sorted_terms()
        positions = {term: position for position, term in enumerate(terms)}
        pairs = pair_positions(request.pairs, positions)
        sets = sorted(tuple(sorted(positions[term] for term in one)) for one in request.sets)
        return cls(
            unit=request.unit,
            pipelines=pipelines,
            fingerprint=Fingerprint(),
            totals=Totals(),
            terms=terms,
            singles=np.zeros(len(terms), dtype=np.int64),
            pairs=pairs,
            pair_counts=np.zeros(len(pairs), dtype=np.int64),
            sets=tuple(sets),
            set_counts=np.zeros(len(sets), dtype=np.int64),
        )

    @classmethod
    def of(
        cls,
        singles: Mapping[str, int],
        pairs: Mapping[tuple[str, str], int],
        units: int,
        *,
        unit: Unit | None = None,
    ) -> Counts:
        """Make counts from numbers that somebody else counted, such as those of a paper.

        Each word is one token, written as in the topics.

        Parameters
        ----------
        singles
            The number of units with each word.
        pairs
            The number of units with both words of each pair.
        units
            The number of units in all.
        unit
            The kind of unit; by default documents.

        >>> import tealeaves
        >>> counts = Counts.of({"canção": 4, "exílio": 7}, {("canção", "exílio"): 4}, units=684)
        >>> topic = [["canção", "exílio"]]
        >>> scores = tealeaves.score(topic, None, "pmi(base=2) npmi", counts=counts)
        >>> [round(row.value, 3) for row in scores.models]
        [6.61, 0.891]
        """
        unit = unit or Unit()
        term = {word: Term((word,)) for word in singles}
        unknown = {word for pair in pairs for word in pair} - set(singles)
        if unknown:
            listed = ", ".join(sorted(unknown))
            raise InputError(f"the pairs contain {listed}, which is not in singles")
        by_pair = {tuple(sorted((term[a], term[b]))): count for (a, b), count in pairs.items()}
        if len(by_pair) < len(pairs):
            raise InputError("a pair is given in both orders: give it once")
        if not all(isinstance(n, int) for n in (*singles.values(), *pairs.values(), units)):
            raise InputError("counts must be whole numbers")
        content = repr((unit, sorted(singles.items()), sorted(pairs.items())))
        source = f"given-{text_digest(content):x}"
        request = CountRequest.of(unit, [[one] for one in term.values()], list(by_pair))
        empty = cls.zeros(request, {"": PipelineStamp.of(Pipeline.parse("tokens"))})
        pair_terms = [(empty.terms[a], empty.terms[b]) for a, b in empty.pairs.tolist()]
        counts = replace(
            empty,
            fingerprint=Fingerprint({source: ((0, units),)}, {source: text_digest(source)}),
            totals=Totals(units=units),
            singles=np.array([singles[str(one)] for one in empty.terms], dtype=np.int64),
            pair_counts=np.array([by_pair[pair] for pair in pair_terms], dtype=np.int64),
        )
        check_possible(counts)
        return counts

    def copy(self) -> Counts:
        """Return the same counts with numbers of their own, which can be added to."""
        return replace(
            self,
            singles=self.singles.copy(),
            pair_counts=self.pair_counts.copy(),
            set_counts=self.set_counts.copy(),
        )

    # ------------------------------------------------------------------ looking up

    @cached_property
    def positions(self) -> Mapping[Term, int]:
        """The position of each term in ``terms``."""
        return {term: position for position, term in enumerate(self.terms)}

    @cached_property
    def pair_keys(self) -> Integers:
        """One number for each pair, ascending."""
        return pair_keys(self.pairs, len(self.terms))

    @cached_property
    def set_positions(self) -> Mapping[tuple[int, ...], int]:
        """The position of each set in ``sets``."""
        return {members: number for number, members in enumerate(self.sets)}

    def position(self, term: Term) -> int:
        """Return the position of a term in ``terms``; a term that was not counted is an error."""
        if term not in self.positions:
            raise EvidenceError(
                f"the counts of {self.unit.plural} do not contain the word {str(term)!r}: count "
                "with these topics"
            )
        return self.positions[term]

    def single(self, term: Term) -> int:
        """Return the number of units that contain the term."""
        return int(self.singles[self.position(term)])

    def pair(self, left: Term, right: Term) -> int:
        """Return the number of units that contain both terms."""
        one, other = (np.array([self.position(term)]) for term in (left, right))
        return int(self.together(one, other)[0])

    def together(self, left: Integers, right: Integers) -> Integers:
        """Return the counts of pairs, given as two arrays of term positions.

        The count of a term with itself is that of the term.
        """
        counts = np.zeros(left.shape, dtype=np.int64)
        same = left == right
        counts[same] = self.singles[left[same]]
        left, right = left[~same], right[~same]
        places = self.pair_places(left, right)
        self.check_counted(left, right, places)
        counts[~same] = self.pair_counts[places]
        return counts

    def pair_places(self, left: Integers, right: Integers) -> Integers:
        """Return where pairs are in ``pairs``, -1 for a pair that was not counted."""
        known = self.pair_keys
        if not len(known):
            return np.full(left.shape, -1, dtype=np.int64)
        keys = np.minimum(left, right) * len(self.terms) + np.maximum(left, right)
        places = np.minimum(np.searchsorted(known, keys), len(known) - 1)
        return np.where(known[places] == keys, places, -1)

    def check_counted(self, left: Integers, right: Integers, places: Integers) -> None:
        """Raise for the first pair that was not counted."""
        lacking = np.flatnonzero(places < 0)
        if len(lacking):
            a, b = sorted((int(left[lacking[0]]), int(right[lacking[0]])))
            names = f"{str(self.terms[a])!r} and {str(self.terms[b])!r}"
            raise EvidenceError(f"the words {names} were not counted together in {self.unit}")

    def all_together(self, members: tuple[int, ...]) -> int:
        """Return the count of a set of any size, given as distinct term positions."""
        if len(members) == 1:
            return int(self.singles[members[0]])
        if len(members) == 2:
            return int(self.together(np.array(members[:1]), np.array(members[1:]))[0])
        number = self.set_positions.get(tuple(sorted(members)))
        if number is None:
            names = ", ".join(str(self.terms[member]) for member in members)
            raise EvidenceError(f"the words {names} were not counted together in {self.unit}")
        return int(self.set_counts[number])

    @property
    def provenance(self) -> str:
        """Which texts were counted, and how they were split into tokens; for signatures."""
        tokens = "+".join(
            f"{language}:{stamp}" if language else str(stamp)
            for language, stamp in sorted(self.pipelines.items())
        )
        return f"tokens={tokens}|texts={self.fingerprint}"

    @property
    def request(self) -> CountRequest:
        """The request that these counts answer."""
        return CountRequest(
            self.unit,
            frozenset(self.terms),
            TermPairs(self.terms, self.pairs),
            frozenset(tuple(self.terms[m] for m in members) for members in self.sets),
        )

    # ------------------------------------------------------------------ adding and joining

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Counts):
            return NotImplemented
        return (
            self._same_request(other)
            and self.fingerprint == other.fingerprint
            and self.totals == other.totals
            and np.array_equal(self.singles, other.singles)
            and np.array_equal(self.pair_counts, other.pair_counts)
            and np.array_equal(self.set_counts, other.set_counts)
        )

    __hash__ = None  # type: ignore[assignment]

    def _same_request(self, other: Counts) -> bool:
        """Return whether units, pipelines, terms, pairs and sets are the same."""
        return (
            self.unit == other.unit
            and dict(self.pipelines) == dict(other.pipelines)
            and self.terms == other.terms
            and np.array_equal(self.pairs, other.pairs)
            and self.sets == other.sets
        )

    def __add__(self, other: Counts) -> Counts:
        """Add the counts of other texts; it is an error if a text is in both."""
        self._check_unit_and_pipeline(other)
        if not self._same_request(other):
            raise EvidenceError("counts of different words cannot be added: count the same words")
        return replace(
            self,
            fingerprint=self.fingerprint + other.fingerprint,
            totals=self.totals + other.totals,
            singles=self.singles + other.singles,
            pair_counts=self.pair_counts + other.pair_counts,
            set_counts=self.set_counts + other.set_counts,
        )

    def __or__(self, other: Counts) -> Counts:
        """Join the counts of more words of the same texts; where both counted they must agree."""
        self._check_unit_and_pipeline(other)
        if self.fingerprint != other.fingerprint or self.totals != other.totals:
            raise EvidenceError("counts of different texts cannot be joined: add them with +")
        joined = Counts.zeros(self.request | other.request, self.pipelines)
        for values in (joined.singles, joined.pair_counts, joined.set_counts):
            values[:] = _UNKNOWN
        for counts in (self, other):
            place = np.array([joined.positions[term] for term in counts.terms], dtype=np.int64)
            _fill(joined.singles, place, counts.singles)
            if len(counts.pairs):
                rows = np.sort(place.astype(np.int32)[counts.pairs], axis=1)
                numbers = np.searchsorted(joined.pair_keys, pair_keys(rows, len(joined.terms)))
                _fill(joined.pair_counts, numbers, counts.pair_counts)
            members = (tuple(sorted(place[list(one)].tolist())) for one in counts.sets)
            numbers = np.array([joined.set_positions[one] for one in members], dtype=np.int64)
            _fill(joined.set_counts, numbers, counts.set_counts)
        return replace(joined, fingerprint=self.fingerprint, totals=self.totals)

    def _check_unit_and_pipeline(self, other: Counts) -> None:
        if self.unit != other.unit:
            raise EvidenceError(f"counts of {self.unit} and of {other.unit} do not go together")
        if dict(self.pipelines) == dict(other.pipelines):
            return
        stamps = [list(counts.pipelines.values()) for counts in (self, other)]
        mine, theirs = ({stamp.unit or "documents as read" for stamp in one} for one in stamps)
        if mine != theirs:
            raise EvidenceError(
                f"counts of {', '.join(sorted(mine))} and of {', '.join(sorted(theirs))} do not go "
                "together"
            )
        one, two = ("; ".join(map(str, each)) for each in stamps)
        raise EvidenceError(
            f"counts with different token pipelines do not go together: {one} and {two}"
        )

    # ------------------------------------------------------------------ files

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write one file, completely or not at all."""
        save_counts([self], path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Counts:
        """Read a file that has the counts of one unit."""
        several = load_counts(path)
        if len(several) != 1:
            units = ", ".join(str(counts.unit) for counts in several)
            raise EvidenceError(f"{path} holds several units ({units}): use tealeaves.load_counts")
        return several[0]


def _fill(target: Integers, places: Integers, values: Integers) -> None:
    """Write values to their places; a different value that is known already is an error."""
    known = target[places]
    if ((known != _UNKNOWN) & (known != values)).any():
        raise EvidenceError("the two counts of the same text disagree: one of them is damaged")
    target[places] = values


# ---------------------------------------------------------------------- files of counts


class CountsDescription(msgspec.Struct):
    """What the header of a file says of the counts of one unit; the arrays hold the numbers."""

    unit: str
    pipelines: dict[str, PipelineStamp]
    fingerprint: Fingerprint
    totals: Totals
    terms: list[tuple[tuple[str, ...], str]]


COUNTS = ArtifactFormat("tealeaves-counts", 3, list[CountsDescription], holds="counts")


@dataclass(frozen=True)
class CountsFile:
    """A file of counts, what it holds, and whether it was complete before."""

    path: Path
    counts: Sequence[Counts]
    was_complete: bool = False

    def __str__(self) -> str:
        first = self.counts[0]
        units = ", ".join(f"{one.totals.units} {one.unit.plural}" for one in self.counts)
        words, pairs = len(first.terms), len(first.pairs)
        texts = first.totals.documents
        return f"{self.path}: {texts} texts; {words} words and {pairs} pairs in {units}"


def save_counts(counts: Sequence[Counts], path: str | os.PathLike[str]) -> None:
    """Write counts to one file, completely or not at all.

    Parameters
    ----------
    counts
        The counts of one or several units.
    path
        The file.
    """
    descriptions = [
        CountsDescription(
            str(c.unit),
            dict(c.pipelines),
            c.fingerprint,
            c.totals,
            [(t.tokens, t.language) for t in c.terms],
        )
        for c in counts
    ]
    arrays: dict[str, Integers | Integers32] = {}
    for number, c in enumerate(counts):
        arrays |= {
            f"{number}/singles": c.singles,
            f"{number}/pairs": c.pairs,
            f"{number}/pair_counts": c.pair_counts,
            f"{number}/set_start": offsets([len(one) for one in c.sets]),
            f"{number}/set_members": np.array(list(chain.from_iterable(c.sets)), dtype=np.int64),
            f"{number}/set_counts": c.set_counts,
        }
    COUNTS.save(path, descriptions, arrays)


def load_counts(path: str | os.PathLike[str]) -> list[Counts]:
    """Read the counts of a file; a damaged or foreign file is an error.

    Parameters
    ----------
    path
        A file that ``save_counts`` or ``tealeaves count`` wrote.
    """
    artifact = COUNTS.load(path)
    if not artifact.content:
        raise InputError(f"{path}: the file contains no counts")
    try:
        return [_counts_of_unit(artifact, number) for number in range(len(artifact.content))]
    except (ValueError, TypeError) as error:
        raise InputError(f"{path}: the counts do not fit together: {error}") from error


def _counts_of_unit(artifact: Artifact[list[CountsDescription]], number: int) -> Counts:
    def array(name: str) -> Integers:
        values = artifact.array(f"{number}/{name}")
        if values.dtype.kind not in "iu":
            raise ValueError(f"{name} holds {values.dtype}, not whole numbers")
        return values.astype(np.int64, copy=False)

    description = artifact.content[number]
    counts = Counts(
        unit=Unit.parse(description.unit),
        pipelines=description.pipelines,
        fingerprint=description.fingerprint,
        totals=description.totals,
        terms=tuple(Term(*term) for term in description.terms),
        singles=array("singles"),
        pairs=_positions(array("pairs"), len(description.terms)),
        pair_counts=array("pair_counts"),
        sets=_split(array("set_members"), array("set_start")),
        set_counts=array("set_counts"),
    )
    check_possible(counts)
    return counts


def _positions(numbers: Integers, count: int) -> Integers32:
    """Return positions of terms as smaller numbers; one that no term has is an error."""
    if numbers.size and not 0 <= numbers.min() <= numbers.max() < count:
        raise ValueError("a pair has a word that is not there")
    return numbers.astype(np.int32)


def _split(members: Integers, starts: Integers) -> tuple[tuple[int, ...], ...]:
    """Return sets that were saved one after the other."""
    if members.ndim != 1 or starts.ndim != 1 or not len(starts):
        raise ValueError("the sets have the wrong size")
    if starts[0] != 0 or starts[-1] != len(members) or (np.diff(starts) < 1).any():
        raise ValueError("the sets have the wrong size")
    flat = members.tolist()
    return tuple(tuple(flat[a:b]) for a, b in pairwise(starts.tolist()))
