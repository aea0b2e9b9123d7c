"""One target language: what models extract from it, and the signature of that."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from importlib.metadata import version
from typing import TYPE_CHECKING

import msgspec

from tealeaves.errors import InputError
from tealeaves.json_data import decode_json
from tealeaves.lexicon.bitext import Bitext, Passages
from tealeaves.lexicon.extraction.lemmas import Place, TokenChoice
from tealeaves.lexicon.extraction.materials import Materials
from tealeaves.lexicon.extraction.reading import Reading
from tealeaves.lexicon.extraction.result import Extraction, Token
from tealeaves.lexicon.seeds import Seed, find_seed
from tealeaves.version import __version__

if TYPE_CHECKING:
    from tealeaves.lexicon.extraction.base import Extractor
    from tealeaves.lexicon.passages import Texts
    from tealeaves.lexicon.words import Words

_STEP = 500  # passages that are read between two reports of progress

#: Called with the name of a step, how much of it is done, and of how much.
Report = Callable[[str, int, int], None]


@dataclass(frozen=True, eq=False)
class ExtractionPlan:
    """What is extracted from every target language.

    Parameters
    ----------
    source
        The passages of the source language.
    lemmas
        The words of the source that are looked for.
    models
        The models; they share what they compute from a bitext.
    reading
        How the texts of targets are read.
    only
        The tokens that are kept; all if None. ``hand`` is ``hand/N`` too. Models are trained on all
        passages in any case.
    threads
        The number of threads for a target; all processors if None.
    """

    source: Passages
    lemmas: tuple[str, ...]
    models: tuple[Extractor, ...]
    reading: Reading = field(default_factory=Reading)
    only: frozenset[Place] | None = None
    threads: int | None = None

    @cached_property
    def source_digest(self) -> str:
        """The digest of the source as it was read."""
        return digest_of(self.source)

    @cached_property
    def choice(self) -> TokenChoice | None:
        """The tokens that are kept; all if None."""
        return None if self.only is None else TokenChoice(self.only)


@dataclass(frozen=True, eq=False)
class Target:
    """A target language, and its texts, or its passages if they are read already."""

    name: str
    texts: Texts | Passages


class TargetRun:
    """Extracts the lemmas of a plan from one target language."""

    def __init__(
        self, plan: ExtractionPlan, target: Target, report: Report = lambda *_: None
    ) -> None:
        self.plan, self.target, self._report = plan, target, report
        self._read = 0
        self.passages = plan.reading.passages(target.texts, target.name, advance=self._advance)
        self._digest = digest_of(self.passages)

    def _advance(self, passages: int) -> None:
        self._read += passages
        if not self._read % _STEP:
            self._report("reading", self._read, len(self.plan.source))

    def signature(self, model: Extractor) -> Signature:
        """Return everything that changes what a model extracts here."""
        return Signature.of(self.plan, model, self._digest)

    @cached_property
    def materials(self) -> Materials:
        """The bitext, and what models compute from it."""
        return Materials(
            self.plan.reading.side_by_side(self.plan.source, self.passages),
            threads=self.plan.threads,
            advance=lambda done, of: self._report("preparing", done, of),
        )

    def extraction(self, model: Extractor) -> Extraction:
        """Extract all lemmas with a model."""
        materials = self.materials
        self._report("preparing", 0, 1)
        model.prepare(materials)
        tokens: list[Token] = []
        for number, lemma in enumerate(self.plan.lemmas):
            self._report(lemma, number, len(self.plan.lemmas))
            tokens += self._tokens(model, lemma)
        return Extraction(
            self.plan.source.language,
            self.target.name,
            repr(model),
            str(self.signature(model)),
            tuple(tokens),
            _passages_with(tokens, materials.bitext),
            len(materials.bitext),
        )

    def _tokens(self, model: Extractor, lemma: str) -> list[Token]:
        bitext, choice = self.materials.bitext, self.plan.choice
        seed = _seed(bitext, lemma)
        if seed is None:
            return []
        where = zip(seed.rows.tolist(), seed.places.tolist(), strict=True)
        tokens = [
            Token(one.expressions, one.words, one.confidence, lemma, bitext.keys[row], place)
            for one, (row, place) in zip(model.extract(self.materials, seed), where, strict=True)
        ]
        return [t for t in tokens if choice is None or (t.lemma, t.key, t.place) in choice]


def _seed(bitext: Bitext, lemma: str) -> Seed | None:
    """Find a lemma in the passages that are shared; None if it is in none of them."""
    try:
        return find_seed(bitext.source.words, lemma)
    except InputError:
        return None


def _passages_with(
    tokens: Sequence[Token], bitext: Bitext
) -> dict[str, tuple[list[str], list[str]]]:
    """Return the forms of the passages that have tokens, in the order of the text."""
    wanted = {token.key for token in tokens}
    return {
        key: (bitext.source.forms.text(row), bitext.target.forms.text(row))
        for row, key in enumerate(bitext.keys)
        if key in wanted
    }


# ---------------------------------------------------------------------- signatures


class Signature(msgspec.Struct, frozen=True):
    """Everything that changes an extraction; it is written as JSON.

    Texts are identified by the tokens that were read. So whatever changes the tokens, such as a
    pipeline or the version of a lemmatiser, changes the signature.
    """

    tealeaves: str
    model: str
    source: str
    target: str
    lemmas: str
    only: str = ""

    @classmethod
    def of(cls, plan: ExtractionPlan, model: Extractor, target_digest: str) -> Signature:
        """Return the signature of what a model extracts from a target with this digest."""
        versions = "+".join(f"{name}-{version(name)}" for name in model.packages)
        return cls(
            __version__,
            f"{model.signature}#{versions}" if versions else model.signature,
            plan.source_digest,
            target_digest,
            f"{len(plan.lemmas)} {_hash(plan.lemmas)}",
            "" if plan.only is None else _hash(repr(one) for one in sorted(plan.only)),
        )

    def __str__(self) -> str:
        return msgspec.json.encode(self).decode()

    def difference(self, other: str) -> str:
        """Say how the extraction with another signature, as it is written, differs from this."""
        try:
            known = decode_json(other, Signature)
        except msgspec.DecodeError as error:
            raise InputError("its signature cannot be read") from error
        if known.tealeaves != self.tealeaves:
            return f"it was made by tealeaves {known.tealeaves}"
        if known.model != self.model:
            return f"its model is {known.model}, not {self.model}"
        reasons = {
            "source": "it is of another source text, or of other words of it",
            "target": "it is of another target text, or of other words of it",
            "lemmas": "it is of other lemmas",
            "only": "it is of other tokens",
        }
        return next(
            reason
            for name, reason in reasons.items()
            if getattr(known, name) != getattr(self, name)
        )


def digest_of(passages: Passages) -> str:
    """Return the language and a hash of keys, forms and words of all passages."""
    digest = blake2b(digest_size=12)
    digest.update(_hash(passages.keys).encode())
    for words in (passages.forms, passages.words):
        for part in _parts(words):
            digest.update(part)
    return f"{passages.language} {digest.hexdigest()}"


def _parts(words: Words) -> Iterable[bytes]:
    yield _hash(words.vocabulary).encode()
    yield words.numbers.astype("<i4").tobytes()
    yield words.starts.astype("<i8").tobytes()


def _hash(texts: Iterable[str]) -> str:
    digest = blake2b(digest_size=12)
    for text in texts:
        data = text.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.hexdigest()
