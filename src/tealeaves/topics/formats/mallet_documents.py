"""MALLET's ``--output-doc-topics``: the shares of the topics in each document."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from tealeaves.errors import InputError
from tealeaves.topics.adapters.parts import Parts
from tealeaves.topics.formats.mallet_keys import is_index, is_number
from tealeaves.topics.formats.source import TopicsSource

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FORM = "a folder of MALLET's outputs"
STATED = ()
_HEADERS = ("#doc name topic proportion", "#doc source topic proportion")
_TOLERANCE = 0.01  # how far the printed shares of a document may be from 1 together


@dataclass(frozen=True)
class DocumentTopics:
    """The shares of the topics, a row a document, and the documents' names."""

    shares: NDArray[np.float64]
    names: list[str]
    sparse: bool


def fits(file: TopicsSource) -> bool:
    """The header of MALLET, or a number, a name and shares that sum to 1 in each line."""
    if file.lines[0].startswith(_HEADERS):
        return True
    lines = [_fields(line) for line in file.lines]
    topics = min(map(len, lines)) - 2
    return topics >= 1 and all(
        fields[0] == str(number) and _are_shares(fields[-topics:])
        for number, fields in enumerate(lines)
    )


def read(file: TopicsSource, _parts: Parts) -> NoReturn:
    """Refuse such a file alone: it has no words."""
    raise InputError(
        f"{file.name}: document topics of MALLET, without words: put --output-topic-keys or "
        "--output-state into the same folder and give the folder"
    )


def parse(file: TopicsSource, topics: int) -> DocumentTopics:
    """Read the shares line by line, given the number of topics."""
    import numpy as np

    values, names, sparse = array("d"), list[str](), False
    with file.open() as stream:
        for number, line in enumerate(stream, 1):
            text = line.decode("utf-8", "replace").removeprefix("\ufeff")
            if text.startswith("#") or not text.strip():
                continue
            where = f"{file.name}:{number}"
            fields = _fields(text)
            if fields[0] != str(len(names)):
                raise InputError(
                    f"{where}: document {fields[0]!r:.40}, where {len(names)} was to come"
                )
            if _is_sparse(fields):
                sparse = True
                name, row = _sparse_row(fields, topics, where)
            else:
                name, row = _dense_row(fields, topics, where)
            names.append(name)
            values.extend(row)
    shares = np.frombuffer(values, dtype=np.float64) if values else np.zeros(0)
    return DocumentTopics(shares.reshape(len(names), topics), names, sparse)


def names_as_ids(names: list[str]) -> tuple[str, ...] | None:
    """Return the names if they tell the documents apart."""
    unknown = {"", "no-name", "NA", "null-source"}
    usable = len(set(names)) == len(names) and unknown.isdisjoint(names)
    return tuple(names) if usable and names else None


def _fields(line: str) -> list[str]:
    """Split at tabs, as MALLET does now, or at spaces, as it did once."""
    stripped = line.rstrip()
    return stripped.split("\t") if "\t" in stripped else stripped.split(" ")


def _are_shares(fields: list[str]) -> bool:
    if not all("." in field and is_number(field) for field in fields):
        return False
    return abs(sum(map(float, fields)) - 1.0) <= _TOLERANCE


def _is_sparse(fields: list[str]) -> bool:
    """Tell pairs of a topic and its share by the whole number; dense lines have none."""
    pairs = len(fields) > 3 and is_index(fields[-2])
    return pairs or len(fields) == 2  # no topic above the threshold


def _sparse_row(fields: list[str], topics: int, where: str) -> tuple[str, list[float]]:
    row = [0.0] * topics
    end = len(fields)
    while end >= 4 and is_index(fields[end - 2]) and is_number(fields[end - 1]):
        topic = int(fields[end - 2])
        if topic >= topics:
            raise InputError(f"{where}: topic {topic}, but there are {topics} topics")
        row[topic] = float(fields[end - 1])
        end -= 2
    return " ".join(fields[1:end]), row


def _dense_row(fields: list[str], topics: int, where: str) -> tuple[str, list[float]]:
    shares = fields[-topics:]
    if len(fields) < topics + 2 or not all(map(is_number, shares)):
        raise InputError(
            f"{where}: {max(len(fields) - 2, 0)} shares, but there are {topics} topics: are the "
            "files of one model?"
        )
    row = [float(share.replace(",", ".")) for share in shares]
    if abs(sum(row) - 1.0) > _TOLERANCE:
        raise InputError(
            f"{where}: the last {topics} shares sum to {sum(row):.4g}, not to 1: are the files of "
            "one model?"
        )
    return " ".join(fields[1:-topics]), row
