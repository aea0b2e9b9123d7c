"""The folder of a BERTopic model saved with ``serialization="safetensors"``.

What is in it is put in the places of a live model, so both give the same topics.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NoReturn

import msgspec

from tealeaves.errors import InputError
from tealeaves.topics.adapters import bertopic as live
from tealeaves.topics.adapters.given import warn
from tealeaves.topics.adapters.parts import Parts
from tealeaves.topics.formats.pickles import INSTEAD
from tealeaves.topics.formats.safetensors import read_tensors
from tealeaves.topics.formats.source import TopicsSource
from tealeaves.topics.topics import Topics

FORM = 'the folder of a BERTopic model saved with serialization="safetensors"'
FOLDER = 'that of a BERTopic model saved with serialization="safetensors"'
STATED = ("top",)
_TOPICS = "topics.json"
_MARK = "topic_representations"
_CONFIG = "ctfidf_config.json"


class _Saved(msgspec.Struct):
    """The parts of ``topics.json`` that are used."""

    topic_representations: dict[int, list[tuple[str, float]]]
    topics: list[int]


class _Vectorizer(msgspec.Struct):
    vocab: dict[str, int]


class _Config(msgspec.Struct):
    """The part of ``ctfidf_config.json`` that is used."""

    vectorizer_model: _Vectorizer


@dataclass(frozen=True)
class SavedModel:
    """What the adapter of live models asks a model for."""

    topic_representations_: dict[int, list[tuple[str, float]]]
    topics_: list[int]
    c_tf_idf_: Any = None
    probabilities_: None = None

    def get_topics(self) -> dict[int, list[tuple[str, float]]]:
        """Return the weighted words of each topic."""
        return self.topic_representations_


def fits(file: TopicsSource) -> bool:
    """One file of such a folder."""
    return _MARK in file.keys or file.path.suffix.lower() == ".safetensors"


def read(file: TopicsSource, _parts: Parts) -> NoReturn:
    """Ask for the folder."""
    raise InputError(f"{file.name}: a part of a BERTopic model: give the folder {file.path.parent}")


def fits_folder(path: Path) -> bool:
    """The file of topics with its representations, or what shows a model saved otherwise."""
    return (path / _TOPICS).is_file() and (path / "config.json").is_file()


def read_folder(path: Path, name: str, parts: Parts) -> Topics:
    """Read topics, the topic of each document and, where it was saved, c-TF-IDF."""
    saved = _json(path / _TOPICS, _Saved)
    model = SavedModel(saved.topic_representations, saved.topics)
    known = {-1, *saved.topic_representations}
    strange = next((topic for topic in saved.topics if topic not in known), None)
    if strange is not None:
        raise InputError(f"{path / _TOPICS}: a document is of topic {strange}, which has no words")
    tensors = path / "ctfidf.safetensors"
    if tensors.is_file() and (path / _CONFIG).is_file():
        table = _ctfidf(tensors)
        words = _vocabulary(path / _CONFIG, table.shape[1])
        return live.convert(replace(model, c_tf_idf_=table), replace(parts, vocabulary=words))
    if (path / "ctfidf.bin").is_file():
        warn(
            f"{name}: without its c-TF-IDF, for ctfidf.bin is a pickle, which is never opened: "
            f"{INSTEAD.partition(', any')[0]}"
        )
    return live.convert(model, parts)


def _json(path: Path, kind: Any) -> Any:
    """Read JSON as Python writes it, with NaN where a number is none."""
    try:
        found = json.loads(path.read_bytes())
        return msgspec.convert(found, kind, strict=False)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: not a file of a BERTopic model: {error}") from error


def _ctfidf(path: Path) -> Any:
    """Return the sparse matrix, a row a topic, the outliers first."""
    from scipy.sparse import csr_matrix

    tensors = read_tensors(path.read_bytes(), str(path))
    try:
        data, indices, indptr = (tensors[key] for key in ("data", "indices", "indptr"))
        rows, columns = (int(size) for size in tensors["shape"])
        _check_parts(data, indices, indptr, (rows, columns))
        table = csr_matrix((data, indices, indptr), shape=(rows, columns))
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise InputError(f"{path}: not the c-TF-IDF of a BERTopic model: {error}") from error
    return table


def _check_parts(data: Any, indices: Any, indptr: Any, shape: tuple[int, int]) -> None:
    """Refuse parts of which scipy, which trusts them, would read what lies outside."""
    kinds = "".join(part.dtype.kind for part in (data, indices, indptr))
    if kinds != "fii" or not data.ndim == indices.ndim == indptr.ndim == 1:
        raise ValueError("its parts are of the wrong kind")
    ends = indptr.tolist()
    if len(ends) != shape[0] + 1 or ends[0] != 0 or ends != sorted(ends):
        raise ValueError("its rows are not in their order")
    if not ends[-1] == len(data) == len(indices):
        raise ValueError("its parts are not of one size")
    if len(indices) and not 0 <= indices.min() <= indices.max() < shape[1]:
        raise ValueError(f"it has words beyond its {shape[1]}")


def _vocabulary(path: Path, size: int) -> list[str]:
    """Return the words in the order of the columns."""
    column = _json(path, _Config).vectorizer_model.vocab
    if len(column) != size or sorted(column.values()) != list(range(size)):
        raise InputError(f"{path}: the vocabulary does not number the {size} words of c-TF-IDF")
    return sorted(column, key=column.__getitem__)
