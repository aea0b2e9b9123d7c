"""BERTopic: the folder of a model saved with ``serialization="safetensors"``.

Its content stands in for a live model, so that both give the same topics.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import msgspec

from tealeaves.errors import InputError, warn_caller
from tealeaves.json_data import convert_json, decode_python_json
from tealeaves.limits import check_bytes
from tealeaves.tensors import read_tensors
from tealeaves.topics.assembly import TopicsOptions
from tealeaves.topics.formats.format import TopicsFormat, TopicsSource
from tealeaves.topics.formats.pickles import SAVE_BERTOPIC
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    pass

_CELL = 8  # bytes of a number in a matrix
_TOPICS = "topics.json"
_TOPICS_KEY = "topic_representations"
_CTFIDF_CONFIG = "ctfidf_config.json"


class _TopicsJson(msgspec.Struct):
    """The used parts of ``topics.json``."""

    topic_representations: dict[int, list[tuple[str, float]]]
    topics: list[int]


class _VectorizerJson(msgspec.Struct):
    vocab: dict[str, int]


class _CtfidfJson(msgspec.Struct):
    """The used part of ``ctfidf_config.json``."""

    vectorizer_model: _VectorizerJson


@dataclass(frozen=True)
class SavedBertopic:
    """What the adapter of live models needs of a model."""

    topic_representations_: dict[int, list[tuple[str, float]]]
    topics_: list[int]
    c_tf_idf_: Any = None
    probabilities_: None = None

    def get_topics(self) -> dict[int, list[tuple[str, float]]]:
        """Return the weighted words of each topic."""
        return self.topic_representations_


def is_bertopic_part(file: TopicsSource) -> bool:
    """Recognise one file of a saved model."""
    return _TOPICS_KEY in file.keys or file.path.suffix.lower() == ".safetensors"


def refuse_bertopic_part(file: TopicsSource, _options: TopicsOptions) -> NoReturn:
    """Ask for the folder."""
    raise InputError(f"{file.name}: a part of a BERTopic model: give the folder {file.path.parent}")


def is_bertopic_folder(folder: TopicsSource) -> bool:
    """Recognise a folder with the files of topics and of the configuration."""
    return (folder.path / _TOPICS).is_file() and (folder.path / "config.json").is_file()


def read_bertopic_folder(folder: TopicsSource, options: TopicsOptions) -> Topics:
    """Read the topics, the topic of each document and, if it was saved, c-TF-IDF."""
    from tealeaves.topics.adapters.bertopic import convert_bertopic_model

    path = folder.path
    saved = _read_json(path / _TOPICS, _TopicsJson)
    model = SavedBertopic(saved.topic_representations, saved.topics)
    known = {-1, *saved.topic_representations}
    unknown = next((topic for topic in saved.topics if topic not in known), None)
    if unknown is not None:
        raise InputError(f"{path / _TOPICS}: a document is of topic {unknown}, which has no words")
    tensors = path / "ctfidf.safetensors"
    if tensors.is_file() and (path / _CTFIDF_CONFIG).is_file():
        table = _read_ctfidf(tensors)
        shape = f"{tensors}: a matrix of {table.shape[0]} topics and {table.shape[1]} words"
        check_bytes("archive", _CELL * math.prod(table.shape), shape, size=tensors.stat().st_size)
        words = _read_vocabulary(path / _CTFIDF_CONFIG, table.shape[1])
        options = replace(options, vocabulary=words)
        return convert_bertopic_model(replace(model, c_tf_idf_=table), options)
    if (path / "ctfidf.bin").is_file():
        warn_caller(
            f"{folder.name}: without its c-TF-IDF: ctfidf.bin is a pickle, which is never opened: "
            f"{SAVE_BERTOPIC}"
        )
    return convert_bertopic_model(model, options)


def _read_json(path: Path, kind: Any) -> Any:
    """Read JSON with the standard library: Python writes NaN, which msgspec refuses."""
    try:
        return convert_json(decode_python_json(path.read_bytes()), kind, strict=False)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from error
    except msgspec.DecodeError as error:
        raise InputError(f"{path}: not a file of a BERTopic model: {error}") from error


def _read_ctfidf(path: Path) -> Any:
    """Return the sparse matrix, one row per topic, the outliers first."""
    from scipy.sparse import csr_matrix

    tensors = read_tensors(path)
    try:
        data, indices, indptr = (tensors[key] for key in ("data", "indices", "indptr"))
        rows, columns = (int(size) for size in tensors["shape"])
        _check_sparse(data, indices, indptr, (rows, columns))
        return csr_matrix((data, indices, indptr), shape=(rows, columns))
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise InputError(f"{path}: not the c-TF-IDF of a BERTopic model: {error}") from error


def _check_sparse(data: Any, indices: Any, indptr: Any, shape: tuple[int, int]) -> None:
    """Check the parts of a sparse matrix: scipy trusts them and would read outside of them."""
    kinds = "".join(part.dtype.kind for part in (data, indices, indptr))
    if kinds != "fii" or not data.ndim == indices.ndim == indptr.ndim == 1:
        raise ValueError("its parts are of the wrong kind")
    ends = indptr.tolist()
    if len(ends) != shape[0] + 1 or ends[0] != 0 or ends != sorted(ends):
        raise ValueError("its rows are not in their order")
    if not ends[-1] == len(data) == len(indices):
        raise ValueError("its parts are not of one size")
    if len(indices) and not 0 <= indices.min() <= indices.max() < shape[1]:
        raise ValueError(f"a column is outside of its {shape[1]} words")


def _read_vocabulary(path: Path, size: int) -> list[str]:
    """Return the words in the order of the columns."""
    column = _read_json(path, _CtfidfJson).vectorizer_model.vocab
    if len(column) != size or sorted(column.values()) != list(range(size)):
        raise InputError(f"{path}: the vocabulary does not number the {size} words of c-TF-IDF")
    return sorted(column, key=column.__getitem__)


BERTOPIC_PART = TopicsFormat("", is_bertopic_part, refuse_bertopic_part, options=("top",))
BERTOPIC_FOLDER = TopicsFormat(
    'the folder of a BERTopic model saved with serialization="safetensors"',
    is_bertopic_folder,
    read_bertopic_folder,
    options=("top",),
    folder=True,
)
