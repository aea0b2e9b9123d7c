"""One target language: its passages beside those of the source, and what models extract there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from tealeaves.errors import InputError
from tealeaves.lexicon.bitext import Bitext, Passages
from tealeaves.lexicon.extraction.choosing import Chosen
from tealeaves.lexicon.extraction.extracted import Extraction, Token
from tealeaves.lexicon.extraction.materials import Materials
from tealeaves.lexicon.extraction.sides import Reading
from tealeaves.lexicon.extraction.signing import Place, Signature, digest_of
from tealeaves.lexicon.seeds import Seed, find_seed

if TYPE_CHECKING:
    from tealeaves.lexicon.extraction.base import Extractor
    from tealeaves.lexicon.passages import Texts

_OFTEN = 500  # so many passages are read until somebody is told

#: told what is done, how much of it, and of how much
Told = Callable[[str, int, int], None]


def tell_nobody(what: str, done: int, of: int) -> None:
    """Take no notice of what is done."""


@dataclass(frozen=True, eq=False)
class Plan:
    """What is asked of every target language.

    Parameters
    ----------
    source
        The passages of the source language.
    lemmas
        Words of the source that are looked for.
    models
        What extracts; all share what they make of a bitext.
    reading
        How the texts of targets are read.
    only
        The tokens that are kept, as lemma, key and place; all if not given. ``hand`` is ``hand/N``
        too. All passages are trained on in any case.
    threads
        How many threads a target may use; all cores if not given.
    """

    source: Passages
    lemmas: tuple[str, ...]
    models: tuple[Extractor, ...]
    reading: Reading = field(default_factory=Reading)
    only: frozenset[Place] | None = None
    threads: int | None = None

    @cached_property
    def source_digest(self) -> str:
        """What identifies the source as it was read."""
        return digest_of(self.source)

    @cached_property
    def chosen(self) -> Chosen | None:
        """The tokens that are kept; None stands for all."""
        return None if self.only is None else Chosen(self.only)


@dataclass(frozen=True, eq=False)
class Target:
    """A target language by its name, and its texts, or its passages if they are read already."""

    name: str
    texts: Texts | Passages


class TargetRun:
    """Extracts the lemmas of a plan from one target language."""

    def __init__(self, plan: Plan, target: Target, told: Told = tell_nobody) -> None:
        self.plan, self.target, self._told = plan, target, told
        self._read = 0
        self.passages = plan.reading.passages(target.texts, target.name, advance=self._advance)
        self._digest = digest_of(self.passages)

    def _advance(self, passages: int) -> None:
        self._read += passages
        if not self._read % _OFTEN:
            self._told("reading", self._read, len(self.plan.source))

    def signature(self, model: Extractor) -> Signature:
        """Return all that decides what a model extracts here."""
        texts = (self.plan.source_digest, self._digest)
        return Signature.of(model, texts, self.plan.lemmas, self.plan.only)

    @cached_property
    def materials(self) -> Materials:
        """The bitext, and what models make of it."""
        bitext = self.plan.reading.side_by_side(self.plan.source, self.passages)
        return Materials(
            bitext,
            threads=self.plan.threads,
            advance=lambda done, of: self._told("preparing", done, of),
        )

    def extraction(self, model: Extractor) -> Extraction:
        """Extract all lemmas with a model."""
        materials = self.materials
        self._told("preparing", 0, 1)
        model.prepare(materials)
        tokens: list[Token] = []
        for number, lemma in enumerate(self.plan.lemmas):
            self._told(lemma, number, len(self.plan.lemmas))
            tokens += self._tokens(model, lemma)
        return Extraction(
            self.plan.source.language,
            self.target.name,
            repr(model),
            str(self.signature(model)),
            tuple(tokens),
            _contexts(materials.bitext, tokens),
            len(materials.bitext),
        )

    def _tokens(self, model: Extractor, lemma: str) -> list[Token]:
        bitext = self.materials.bitext
        seed = _seed(bitext, lemma)
        if seed is None:
            return []
        found = model.extract(self.materials, seed)
        where = zip(seed.rows.tolist(), seed.places.tolist(), strict=True)
        made = [
            Token(one.expressions, one.words, one.confidence, lemma, bitext.keys[row], place)
            for one, (row, place) in zip(found, where, strict=True)
        ]
        chosen = self.plan.chosen
        return [t for t in made if chosen is None or (t.lemma, t.key, t.place) in chosen]


def _seed(bitext: Bitext, lemma: str) -> Seed | None:
    """Find a lemma in the passages that are shared; a target that lacks all of its has none."""
    try:
        return find_seed(bitext.source.words, lemma)
    except InputError:
        return None


def _contexts(bitext: Bitext, tokens: Sequence[Token]) -> dict[str, tuple[list[str], list[str]]]:
    """Return the forms of the passages that tokens stand in, in the order of the text."""
    wanted = {token.key for token in tokens}
    return {
        key: (bitext.source.forms.text(row), bitext.target.forms.text(row))
        for row, key in enumerate(bitext.keys)
        if key in wanted
    }
