"""``Classifier``: an encoder, its tokenizer, and a head that makes an answer of a text."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from tealeaves.errors import InputError
from tealeaves.evidence.relevance.classifier.identity import head_hash, model_hash, tokenizer_hash
from tealeaves.evidence.relevance.network.head import Head

Kind = Literal["probe", "finetuned", "masked", "given"]


@dataclass(frozen=True)
class Origin:
    """Where weights come from that nobody changed, so that a reference is enough.

    ``minilm`` is the packaged model, ``hub`` a model of the hub at a commit, ``folder`` a folder.
    """

    source: Literal["minilm", "hub", "folder"]
    name: str = ""
    commit: str = ""


@dataclass(frozen=True, eq=False, repr=False)
class Classifier:
    """A transformer that answers of a text to which class it belongs, or which word is masked.

    Two classifiers are equal where their weights, tokenizers and lengths are.

    Parameters
    ----------
    name
        What to call it in notes and signatures.
    model
        The encoder alone, of the package transformers; nobody changes it from here on.
    tokenizer
        A fast tokenizer of that package, which knows the word of each piece.
    head
        What makes the answer of the last layer.
    labels
        Names of the classes, none for masked words.
    longest
        Word pieces, with both ends, beyond which a text is cut.
    kind
        ``probe``, ``finetuned``, ``masked``, or ``given`` for one that was not fitted here.
    report
        What a user should know of how it was fitted: plain values, as in JSON.
    origin
        Where the encoder comes from; None where its weights are nowhere else, so that they are
        saved with the classifier.
    """

    name: str
    model: Any
    tokenizer: Any
    head: Head
    labels: tuple[str, ...]
    longest: int
    kind: Kind
    report: dict[str, Any] = field(default_factory=dict)
    origin: Origin | None = None

    def __post_init__(self) -> None:
        check_fast(self.tokenizer, self.name)
        self.model.eval()

    @cached_property
    def encoder_fingerprint(self) -> str:
        """Identifies the encoder and its tokenizer by what they hold."""
        return f"{model_hash(self.model)}{tokenizer_hash(self.tokenizer)}"

    @cached_property
    def fingerprint(self) -> str:
        """Identifies encoder, tokenizer, head and length by what they hold, not where it is."""
        return head_hash(self.head, self.labels, self.longest, self.encoder_fingerprint)

    def __repr__(self) -> str:
        classes = f"{len(self.labels)} classes" if self.labels else "masked words"
        return f"Classifier({self.name}: {classes}, up to {self.longest} word pieces)"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Classifier) and self.fingerprint == other.fingerprint

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write it to a folder, which is whole only once the last file is written."""
        from tealeaves.evidence.relevance.classifier.storage import save_classifier

        save_classifier(self, folder)

    @staticmethod
    def load(folder: str | os.PathLike[str]) -> Classifier:
        """Read a folder that was saved; all that it holds and refers to is checked."""
        from tealeaves.evidence.relevance.classifier.storage import load_classifier

        return load_classifier(folder)

    @staticmethod
    def open(name: str | os.PathLike[str]) -> Classifier:
        """Open a saved folder, or a sequence classification or masked model of Hugging Face."""
        from tealeaves.evidence.relevance.classifier.opening import open_classifier

        return open_classifier(name)


def check_fast(tokenizer: Any, name: str) -> None:
    """Refuse a tokenizer that cannot tell of which word a piece is."""
    if not getattr(tokenizer, "is_fast", False):
        raise InputError(
            f"{name}: a slow tokenizer, which does not say of which word a piece is: use the fast "
            "one of the same model"
        )
