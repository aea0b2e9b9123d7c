"""Signatures of extractions: all that changes what is extracted."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from hashlib import blake2b
from importlib.metadata import version
from typing import TYPE_CHECKING

import msgspec

from tealeaves.errors import InputError
from tealeaves.version import __version__

if TYPE_CHECKING:
    from tealeaves.lexicon.bitext import Passages
    from tealeaves.lexicon.extraction.base import Extractor
    from tealeaves.lexicon.words import Words

#: a token of the source: lemma, key of its passage, place there
Place = tuple[str, str, int]


class Signature(msgspec.Struct, frozen=True):
    """What an extraction is made of; it is written as JSON.

    Texts are known by the tokens that were read, so that whatever makes others of them, a pipeline,
    a lemmatiser or its version, makes another signature.
    """

    tealeaves: str
    model: str
    source: str
    target: str
    lemmas: str
    only: str = ""

    @classmethod
    def of(
        cls,
        model: Extractor,
        texts: tuple[str, str],
        lemmas: Collection[str],
        only: Collection[Place] | None,
    ) -> Signature:
        """Sign what a model makes of the texts with these digests."""
        chosen = "" if only is None else _hashed(repr(one) for one in sorted(only))
        named = f"{len(lemmas)} {_hashed(lemmas)}"
        return cls(__version__, _said_of(model), *texts, named, chosen)

    def __str__(self) -> str:
        return msgspec.json.encode(self).decode()


def _said_of(model: Extractor) -> str:
    """Return the signature of a model with the versions of the packages that it rests on."""
    versions = "+".join(f"{name}-{version(name)}" for name in model.packages)
    return f"{model.signature}#{versions}" if versions else model.signature


def difference(there: str, wanted: Signature) -> str:
    """Say in what an extraction that is there differs from what is asked for."""
    try:
        known = msgspec.json.decode(there, type=Signature)
    except msgspec.DecodeError as error:
        raise InputError("its signature cannot be read") from error
    if known.tealeaves != wanted.tealeaves:
        return f"it was made by tealeaves {known.tealeaves}"
    if known.model != wanted.model:
        return f"its model is {known.model}, not {wanted.model}"
    said = {
        "source": "it is of another source text, or of other words of it",
        "target": "it is of another target text, or of other words of it",
        "lemmas": "it is of other lemmas",
        "only": "it is of other tokens",
    }
    return next(
        text for name, text in said.items() if getattr(known, name) != getattr(wanted, name)
    )


def digest_of(passages: Passages) -> str:
    """Return the language and a hash of keys, forms and words of all passages."""
    digest = blake2b(digest_size=12)
    digest.update(_hashed(passages.keys).encode())
    for words in (passages.forms, passages.words):
        for part in _parts(words):
            digest.update(part)
    return f"{passages.language} {digest.hexdigest()}"


def _parts(words: Words) -> Iterable[bytes]:
    yield _hashed(words.vocabulary).encode()
    yield words.numbers.astype("<i4").tobytes()
    yield words.starts.astype("<i8").tobytes()


def _hashed(texts: Iterable[str]) -> str:
    digest = blake2b(digest_size=12)
    for text in texts:
        data = text.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.hexdigest()
