"""A transformer as an encoder of words: the mean of its last layer over the pieces."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from tealeaves.errors import InputError
from tealeaves.evidence.embeddings.sources.pieces import Pieces, pieces_of
from tealeaves.evidence.embeddings.vectors import Vectors
from tealeaves.extras import require

_AT_ONCE = 2048  # pieces: more are not faster, and take memory


class MeanEncoder:
    """Mean pooling over all pieces of a text, those that mark its ends too.

    Texts of as many pieces are computed together: nothing is padded, so that the vector of a text
    does not depend on the others.

    Parameters
    ----------
    model, tokenizer
        Of the package transformers.
    longest
        Pieces, with the ends, beyond which a text is cut.
    normalise
        Whether vectors are made of length 1.
    """

    def __init__(self, model: Any, tokenizer: Any, *, longest: int, normalise: bool) -> None:
        self._model = model.eval()
        self._tokenizer = tokenizer
        self._longest = longest
        self._normalise = normalise

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return a row for each text, of which there must be some."""
        encoded = self._tokenizer(list(texts), truncation=True, max_length=self._longest)
        groups = list(_of_one_length([len(ids) for ids in encoded["input_ids"]]))
        means = [
            self._means({key: [values[row] for row in rows] for key, values in encoded.items()})
            for rows in groups
        ]
        return np.concatenate(means)[np.argsort(np.concatenate(groups))]

    def _means(self, given: dict[str, list[list[int]]]) -> Vectors:
        torch = require("torch", extra="minilm", reason="an encoder")
        with torch.inference_mode():
            arguments = {key: torch.tensor(values) for key, values in given.items()}
            means = self._model(**arguments).last_hidden_state.mean(dim=1)
            if self._normalise:
                means = torch.nn.functional.normalize(means, dim=1)
            return np.asarray(means.float().cpu().numpy(), dtype=np.float32)

    def split(self, words: list[str]) -> list[Pieces]:
        """Return the pieces of words."""
        return split_by(self._tokenizer, words)


def _of_one_length(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Yield the numbers of texts that have as many pieces, not too many at a time."""
    groups: dict[int, list[int]] = defaultdict(list)
    for number, length in enumerate(lengths):
        groups[length].append(number)
    for length, numbers in sorted(groups.items()):
        size = max(1, _AT_ONCE // max(length, 1))
        for start in range(0, len(numbers), size):
            yield numbers[start : start + size]


def split_by(tokenizer: Any, words: list[str]) -> list[Pieces]:
    """Return the pieces of words by a tokenizer of the package transformers."""
    unknown = frozenset(tokenizer.all_special_ids)
    encoded = tokenizer(words, add_special_tokens=False)
    if encoded.encodings is not None:
        pairs = zip(encoded.encodings, words, strict=True)
        return [pieces_of(one, word, unknown) for one, word in pairs]
    return [  # a tokenizer in Python, which does not say where pieces lie
        [None if number in unknown else tokenizer.decode([number]).strip() for number in numbers]
        for numbers in encoded["input_ids"]
    ]


def load_encoder(
    folder: str, *, longest: int | None = None, normalise: bool = False
) -> MeanEncoder:
    """Load a model from safetensors alone; code that it may bring is never run."""
    transformers = require("transformers", extra="minilm", reason="an encoder")
    torch = require("torch", extra="minilm", reason="an encoder")
    safely = {"local_files_only": True, "trust_remote_code": False}
    weights = {"use_safetensors": True, "dtype": torch.float32}
    with quiet():
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder, **safely)
        model = transformers.AutoModel.from_pretrained(folder, **weights, **safely)
    check_vocabulary(tokenizer, folder)
    if model.config.is_encoder_decoder:
        raise InputError(f"{folder}: a model that writes texts, not an encoder of them")
    limits = (longest, tokenizer.model_max_length, positions(model.config))
    return MeanEncoder(model, tokenizer, longest=min(filter(None, limits)), normalise=normalise)


def check_vocabulary(tokenizer: Any, folder: str) -> None:
    """Refuse a tokenizer without words: transformers makes one where its files are missing."""
    if len(tokenizer) <= len(tokenizer.all_special_ids):
        raise InputError(f"{folder}: a model without the files of its tokenizer")


def positions(config: Any) -> int:
    """Return how many pieces a model has places for; some keep the first ones for padding."""
    found = getattr(config, "max_position_embeddings", None) or 512
    return int(found) - (2 if config.model_type in ("roberta", "xlm-roberta", "camembert") else 0)


@contextmanager
def quiet() -> Iterator[None]:
    """Keep transformers from writing of progress and of weights that are not used."""
    logging = require("transformers.utils.logging", extra="minilm", reason="an encoder")
    verbosity, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if bars:
            logging.enable_progress_bar()
