"""A folder of the outputs of MALLET's polylingual model: keys, state and document topics."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError
from tealeaves.topics.adapters.parts import Parts
from tealeaves.topics.formats import (
    mallet_documents,
    mallet_polylingual_keys,
    mallet_polylingual_state,
)
from tealeaves.topics.formats.mallet import one_of_each, outputs
from tealeaves.topics.formats.mallet_keys import is_index, is_number
from tealeaves.topics.formats.mallet_polylingual_keys import Keys
from tealeaves.topics.formats.mallet_polylingual_state import number_of_topics
from tealeaves.topics.formats.mallet_state import State
from tealeaves.topics.formats.polylingual import aligned, with_all_words
from tealeaves.topics.formats.source import TopicsSource
from tealeaves.topics.orientation import divided
from tealeaves.topics.topics import Topic, Topics

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FOLDER = "those of MALLET's polylingual model"
STATED = ("languages", "top")
_WORDS: dict[str, ModuleType] = {
    "polylingual state": mallet_polylingual_state,
    "polylingual topic keys": mallet_polylingual_keys,
}
_KINDS: dict[str, ModuleType] = _WORDS | {"document topics": mallet_documents}
_TOLERANCE = 0.01  # how far above 1 the printed shares of a document may be together


@dataclass(frozen=True)
class Outputs:
    """What the files of one folder say."""

    states: list[State] | None = None
    keys: Keys | None = None


def fits_folder(path: Path) -> bool:
    """Polylingual topic keys or a polylingual state."""
    return next(outputs(path, _WORDS), None) is not None


def read_folder(path: Path, name: str, parts: Parts) -> Topics:
    """Join the outputs to one model, after checking that they are of one."""
    files = one_of_each(path, _KINDS, name)
    found = Outputs(*(form.parse(files[k]) if k in files else None for k, form in _WORDS.items()))
    _check_sizes(found, name)
    documents = files.get("document topics")
    topics = None if found.keys is None else found.keys.sizes[1]
    shares = None if documents is None else parse_documents(documents, topics)
    if found.states is None:
        return _of_keys(found.keys or Keys(), shares, parts, name)
    count = max(state.documents for state in found.states)
    if shares is not None and len(shares) < count:
        raise InputError(
            f"{name}: the state has {count} documents, the document topics {len(shares)}: are the "
            "files of one model?"
        )
    # the state does not know of empty documents at the end
    count = count if shares is None else len(shares)
    if found.keys is None:
        return mallet_polylingual_state.unsmoothed(found.states, parts, count)
    return mallet_polylingual_state.topics_of(found.states, parts, count, found.keys)


def parse_documents(file: TopicsSource, topics: int | None) -> NDArray[np.float64]:
    """Read pairs of a topic and its share: a row a tuple, zeros for one without tokens.

    The polylingual model writes no name after a tuple's number.
    """
    import numpy as np

    rows: list[dict[int, float]] = []
    for number, line in enumerate(file.text().split("\n"), 1):
        if line.startswith("#") or not line.strip():
            continue
        where = f"{file.name}:{number}"
        fields = line.split()
        if fields[0] != str(len(rows)):
            raise InputError(f"{where}: document {fields[0]!r:.40}, where {len(rows)} was to come")
        row = _row(fields[1:], where)
        if topics is not None and max(row, default=0) >= topics:
            raise InputError(f"{where}: topic {max(row)}, but there are {topics} topics")
        rows.append(row)
    columns = 1 + max((max(row, default=0) for row in rows), default=0)
    shares = np.zeros((len(rows), columns if topics is None else topics))
    for document, row in enumerate(rows):
        shares[document, list(row)] = list(row.values())
    return shares


def _row(fields: list[str], where: str) -> dict[int, float]:
    found: dict[int, float] = {}
    wrong = InputError(
        f"{where}: not the number of a document, then pairs of a topic and its share"
    )
    if len(fields) % 2:
        raise wrong
    for topic, share in zip(fields[::2], fields[1::2], strict=True):
        if not is_index(topic) or not (is_number(share) or share == "NaN"):
            raise wrong
        # no tokens: MALLET divides by zero
        found[int(topic)] = 0.0 if share == "NaN" else float(share.replace(",", "."))
    if sum(found.values()) > 1.0 + _TOLERANCE:
        raise wrong
    return found


def _check_sizes(found: Outputs, name: str) -> None:
    """Refuse files that speak of different numbers; a state may lack the last topics."""
    if found.states is None or found.keys is None:
        return
    seen = number_of_topics(found.states)
    languages, topics = found.keys.sizes
    if len(found.states) != languages or seen > topics:
        raise InputError(
            f"{name}: the topic keys have {topics} topics in {languages} languages, the state "
            f"{seen} in {len(found.states)}: are they of one model?"
        )


def _of_keys(keys: Keys, shares: NDArray[np.float64] | None, parts: Parts, name: str) -> Topics:
    kept = with_all_words(keys.words, parts)
    sides: list[dict[str, Any]] = [
        {"topics": tuple(Topic(k, words[k]) for k in kept)} for words in keys.words
    ]
    if shares is None:
        return aligned(sides, parts, name)
    # a threshold leaves shares out: only those of topics that are gone are dealt out anew
    whole = len(kept) == shares.shape[1]
    return aligned(sides, parts, name, document_topic=shares if whole else divided(shares[:, kept]))
