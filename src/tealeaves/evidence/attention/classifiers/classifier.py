"""``Classifier``: an encoder, its tokenizer, and a head that makes an answer for a text."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from tealeaves.errors import InputError
from tealeaves.evidence.attention.network.head import Head
from tealeaves.extras import require

Kind = Literal["probe", "finetuned", "masked", "given"]
# settings that decide what a model computes from the same weights
_SETTINGS = (
    "model_type",
    "num_attention_heads",
    "hidden_act",
    "activation",
    "layer_norm_eps",
    "pad_token_id",
)
# A tokenizer is identified by its vocabulary and by what it makes of these texts (capitals, digits,
# accents, scripts, rare words), because versions of the packages write its rules differently.
_SAMPLES = (
    "The Cats' naïve Café-au-lait cost 1,234.5 dollars",
    "antidisestablishmentarianism internationalisation unaffordable",
    "Ёлка стоит в лесу; größer Straße; ﬁne １２３",
    "東京 हिन्दी العربية ไทย 한국어 😀",
)


@dataclass(frozen=True)
class Origin:
    """Where unchanged weights come from, so that a reference to them is enough.

    ``minilm`` is the packaged model, ``hub`` a model of the hub at a commit, ``folder`` a folder.
    """

    source: Literal["minilm", "hub", "folder"]
    name: str = ""
    commit: str = ""


@dataclass(frozen=True, eq=False, repr=False)
class Classifier:
    """A transformer that predicts the class of a text, or the words that are masked in it.

    Two classifiers are equal if their weights, tokenizers and lengths are.

    Parameters
    ----------
    name
        What to call it in notes and signatures.
    model
        The encoder alone, of the package transformers; nobody may change it.
    tokenizer
        A fast tokenizer of that package, which knows the word of each piece.
    head
        What makes the answer from the last layer.
    labels
        Names of the classes, none for masked words.
    longest
        Word pieces, with both ends, beyond which a text is cut.
    kind
        ``probe``, ``finetuned``, ``masked``, or ``given`` for one that was not fitted here.
    report
        What a user should know of how it was fitted: plain values, as in JSON.
    origin
        Where the encoder comes from; None if its weights are nowhere else, so that they are saved
        with the classifier.
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
        """Identifies encoder, tokenizer, head and length by what they hold."""
        return head_hash(self.head, self.labels, self.longest, self.encoder_fingerprint)

    def __repr__(self) -> str:
        classes = f"{len(self.labels)} classes" if self.labels else "masked words"
        return f"Classifier({self.name}: {classes}, up to {self.longest} word pieces)"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Classifier) and self.fingerprint == other.fingerprint

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write it to a folder, which is complete once the last file is written."""
        from tealeaves.evidence.attention.classifiers.folder import save_classifier

        save_classifier(self, folder)

    @staticmethod
    def load(folder: str | os.PathLike[str]) -> Classifier:
        """Read a folder that was saved; all that it holds and refers to is checked."""
        from tealeaves.evidence.attention.classifiers.folder import load_classifier

        return load_classifier(folder)

    @staticmethod
    def open(name: Classifier | str | os.PathLike[str]) -> Classifier:
        """Open a saved folder, or a model of Hugging Face that predicts classes or masked words.

        A classifier is returned as it is.

        Such a model is a folder, or is named as ``owner/name``; it is downloaded unless it is on
        this machine. Only weights in safetensors are loaded, and no code of the model is run.
        """
        from tealeaves.evidence.attention.classifiers.folder import is_classifier, load_classifier
        from tealeaves.evidence.attention.classifiers.pretrained import open_pretrained

        if isinstance(name, Classifier):
            return name
        folder = Path(name).expanduser()
        if folder.is_dir() and is_classifier(folder):
            return load_classifier(folder)
        return open_pretrained(name)


def check_fast(tokenizer: Any, name: str) -> None:
    """Raise for a tokenizer that cannot tell which word a piece belongs to."""
    if not getattr(tokenizer, "is_fast", False):
        raise InputError(
            f"{name}: a slow tokenizer, which does not say of which word a piece is: use the fast "
            "one of the same model"
        )


# ---------------------------------------------------------------------- fingerprints


def model_hash(model: Any) -> str:
    """Return a hash of the weights of an encoder, its pooler left out, and of its settings.

    The pooler belongs to heads, and is random if a model has none.
    """
    digest = _hasher()
    settings = [getattr(model.config, name, None) for name in _SETTINGS]
    digest.update(json.dumps(settings).encode())
    state = model.state_dict()
    names = sorted(name for name in state if not name.startswith("pooler."))
    add_tensors(digest, ((name, state[name]) for name in names))
    return digest.hexdigest()


def tokenizer_hash(tokenizer: Any) -> str:
    """Return a hash of a vocabulary and of what the tokenizer makes of sample texts."""
    digest = _hasher()
    digest.update(json.dumps(sorted(tokenizer.get_vocab().items())).encode())
    words = [text.split() for text in _SAMPLES]
    pieces = tokenizer(words, is_split_into_words=True, truncation=False, padding=False)
    digest.update(json.dumps(pieces["input_ids"]).encode())
    return digest.hexdigest()


def head_hash(head: Head, labels: tuple[str, ...], *parts: object) -> str:
    """Return a hash of a head, the names of its classes and what else is given."""
    digest = _hasher()
    rules = [[step.function, step.norm and step.norm.eps] for step in head.steps]
    digest.update(json.dumps([head.pooling, rules, labels, *parts]).encode())
    add_tensors(digest, head_tensors(head).items())
    return digest.hexdigest()


def head_tensors(head: Head) -> dict[str, Any]:
    """Return the tensors of a head by names: the number of the step, and which tensor it is."""
    tensors = {}
    for number, step in enumerate(head.steps):
        tensors[f"{number}.weight"] = step.weight
        tensors[f"{number}.bias"] = step.bias
        if step.norm is not None:
            tensors[f"{number}.norm.weight"] = step.norm.weight
            tensors[f"{number}.norm.bias"] = step.norm.bias
    return {name: tensor for name, tensor in tensors.items() if tensor is not None}


def _hasher() -> hashlib.blake2b:
    return hashlib.blake2b(digest_size=16)


def add_tensors(digest: hashlib.blake2b, tensors: Iterable[tuple[str, Any]]) -> None:
    """Add names, shapes and contents of tensors to a digest."""
    torch = require("torch", extra="relevance", reason="a classifier")
    for name, tensor in tensors:
        digest.update(f"{name} {tensor.dtype} {tuple(tensor.shape)}".encode())
        # as bytes, because numpy has no bfloat16
        plain = tensor.detach().cpu().contiguous().reshape(-1).view(torch.uint8)
        digest.update(memoryview(plain.numpy()))
