"""What identifies encoders, tokenizers and heads: hashes of what they hold."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from tealeaves.evidence.relevance.network.head import Head
from tealeaves.extras import require

# settings that decide what a model computes from the same weights
_SETTINGS = (
    "model_type",
    "num_attention_heads",
    "hidden_act",
    "activation",
    "layer_norm_eps",
    "pad_token_id",
)
# A tokenizer is known by its vocabulary and by what it does: how its rules are written down differs
# between versions of the packages. Capitals, accents, digits, marks, scripts, and a rare word.
_SAMPLES = (
    "The Cats' naïve Café-au-lait cost 1,234.5 dollars",
    "antidisestablishmentarianism internationalisation unaffordable",
    "Ёлка стоит в лесу; größer Straße; ﬁne １２３",
    "東京 हिन्दी العربية ไทย 한국어 😀",
)


def model_hash(model: Any) -> str:
    """Return a hash of the weights of an encoder, its pooler left out, and of its settings.

    The pooler belongs to heads, and is made at random where a model has none.
    """
    found = _hasher()
    settings = [getattr(model.config, name, None) for name in _SETTINGS]
    found.update(json.dumps(settings).encode())
    state = model.state_dict()
    names = sorted(name for name in state if not name.startswith("pooler."))
    add_tensors(found, ((name, state[name]) for name in names))
    return found.hexdigest()


def tokenizer_hash(tokenizer: Any) -> str:
    """Return a hash of a vocabulary and of what the tokenizer makes of sample texts."""
    found = _hasher()
    found.update(json.dumps(sorted(tokenizer.get_vocab().items())).encode())
    words = [text.split() for text in _SAMPLES]
    pieces = tokenizer(words, is_split_into_words=True, truncation=False, padding=False)
    found.update(json.dumps(pieces["input_ids"]).encode())
    return found.hexdigest()


def head_hash(head: Head, labels: tuple[str, ...], *parts: object) -> str:
    """Return a hash of a head, the names of its classes and what else is given."""
    found = _hasher()
    rules = [[step.function, step.norm and step.norm.eps] for step in head.steps]
    found.update(json.dumps([head.pooling, rules, labels, *parts]).encode())
    add_tensors(found, head_tensors(head).items())
    return found.hexdigest()


def head_tensors(head: Head) -> dict[str, Any]:
    """Return the tensors of a head by names: the number of the step and what it is there."""
    found = {}
    for number, step in enumerate(head.steps):
        found[f"{number}.weight"] = step.weight
        found[f"{number}.bias"] = step.bias
        if step.norm is not None:
            found[f"{number}.norm.weight"] = step.norm.weight
            found[f"{number}.norm.bias"] = step.norm.bias
    return {name: tensor for name, tensor in found.items() if tensor is not None}


def _hasher() -> hashlib.blake2b:
    return hashlib.blake2b(digest_size=16)


def add_tensors(found: hashlib.blake2b, tensors: Iterable[tuple[str, Any]]) -> None:
    """Add names, shapes and contents of tensors to what is hashed."""
    torch = require("torch", extra="relevance", reason="a classifier")
    for name, tensor in tensors:
        found.update(f"{name} {tensor.dtype} {tuple(tensor.shape)}".encode())
        # bytes, for numpy has no bfloat16
        plain = tensor.detach().cpu().contiguous().reshape(-1).view(torch.uint8)
        found.update(memoryview(plain.numpy()))
