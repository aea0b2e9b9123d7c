"""A folder of MALLET's outputs: topic keys, documents, state and weights of one model, joined."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType

from tealeaves.errors import InputError
from tealeaves.topics.adapters.given import warn
from tealeaves.topics.adapters.parts import Parts
from tealeaves.topics.formats import (
    mallet_documents,
    mallet_keys,
    mallet_state,
    mallet_weights,
)
from tealeaves.topics.formats.mallet_documents import DocumentTopics, names_as_ids
from tealeaves.topics.formats.mallet_state import State
from tealeaves.topics.formats.mallet_weights import Weights
from tealeaves.topics.formats.source import TopicsSource
from tealeaves.topics.orientation import divided
from tealeaves.topics.topics import Topic, Topics

FOLDER = "those of MALLET's outputs (topic keys, document topics, state, topic-word weights)"
STATED = ("top",)
# in the order of the fields of Outputs
_KINDS: dict[str, ModuleType] = {
    "state": mallet_state,
    "document topics": mallet_documents,
    "topic-word weights": mallet_weights,
    "topic keys": mallet_keys,
}


@dataclass(frozen=True)
class Outputs:
    """What the files of one folder say."""

    state: State | None = None
    weights: Weights | None = None
    keys: list[Topic] | None = None
    documents: DocumentTopics | None = None

    def topics(self) -> set[int]:
        """The numbers of topics that the files speak of."""
        sizes = set()
        if self.state is not None:
            sizes.add(mallet_state.number_of_topics(self.state))
        if self.weights is not None:
            sizes.add(len(self.weights.table))
        if self.keys is not None:
            sizes.add(len(self.keys))
        return sizes


def fits_folder(path: Path) -> bool:
    """At least one output of MALLET."""
    return next(outputs(path, _KINDS), None) is not None


def read_folder(path: Path, name: str, parts: Parts) -> Topics:
    """Join the outputs to one model, after checking that they are of one."""
    files = one_of_each(path, _KINDS, name)
    if "document topics" not in files:
        _warn_of_documents(path, [file.path for file in files.values()], name)
    found = _parsed(files, name, parts)
    model = _model(found, parts)
    return model if found.documents is None else _with_documents(model, found.documents)


def one_of_each(path: Path, kinds: Mapping[str, ModuleType], name: str) -> dict[str, TopicsSource]:
    """Return the file of each kind; two of one kind are of two models."""
    files: dict[str, TopicsSource] = {}
    for kind, file in outputs(path, kinds):
        if kind in files:
            raise InputError(
                f"{name}: two files of {kind}, {files[kind].path.name} and {file.path.name}: keep "
                "the outputs of each model in a folder of their own"
            )
        files[kind] = file
    return files


def outputs(path: Path, kinds: Mapping[str, ModuleType]) -> Iterator[tuple[str, TopicsSource]]:
    """Yield what each file of the folder is; what is no output of MALLET is passed over."""
    for file in sorted(path.iterdir()):
        if file.name.startswith(".") or not file.is_file():
            continue
        try:
            source = TopicsSource.at(file, str(file), file.name)
        except InputError:  # empty, or not what its name says
            continue
        kind = next((kind for kind, form in kinds.items() if form.fits(source)), None)
        if kind is not None:
            yield kind, source


def _warn_of_documents(path: Path, known: list[Path], name: str) -> None:
    """Say which file was to hold the document topics, by its name, and does not."""
    for file in sorted(path.iterdir()):
        plain = file.name.lower().replace("_", "-")
        by_name = "composition" in plain or ("doc" in plain and "topic" in plain)
        if by_name and file.is_file() and file not in known:
            warn(
                f"{name}: without document topics, for {file.name} is not what MALLET's "
                "--output-doc-topics writes"
            )


def _parsed(files: dict[str, TopicsSource], name: str, parts: Parts) -> Outputs:
    """Read the files, and check that they agree on the numbers of topics and documents."""
    found = Outputs(
        *(
            form.parse(files[kind]) if kind in files else None
            for kind, form in _KINDS.items()
            if form is not mallet_documents
        )
    )
    sizes = found.topics()
    if not sizes:
        mallet_documents.read(files["document topics"], parts)
    if len(sizes) > 1:
        numbers = " and ".join(map(str, sorted(sizes)))
        raise InputError(f"{name}: the files have {numbers} topics: are they of one model?")
    size = sizes.pop()
    ids = [topic.id for topic in found.keys or ()]
    if found.keys is not None and len(files) > 1 and ids != [*range(size)]:
        raise InputError(
            f"{name}: the topic keys are not those of topics 0 to {size - 1} in their order, so "
            "the other files cannot be joined to them"
        )
    if "document topics" not in files:
        return found
    documents = mallet_documents.parse(files["document topics"], size)
    if found.state is not None and found.state.documents > len(documents.names):
        raise InputError(
            f"{name}: the state has {found.state.documents} documents, the document topics "
            f"{len(documents.names)}: are the files of one model?"
        )
    return replace(found, documents=documents)


def _model(found: Outputs, parts: Parts) -> Topics:
    """Make a model of all but the document topics."""
    listed = None if found.keys is None else tuple(found.keys)
    if found.state is not None:
        # the state does not know of empty documents at the end
        count = found.state.documents if found.documents is None else len(found.documents.names)
        return mallet_state.topics_of(found.state, parts, count, listed)
    if found.weights is not None:
        return mallet_weights.topics_of(found.weights, parts, listed)
    return Topics(mallet_keys.filled(listed or (), parts), model=parts.name)


def _with_documents(model: Topics, documents: DocumentTopics) -> Topics:
    # a threshold leaves shares out, which the state still has
    whole = model.document_topic if documents.sparse else None
    ids = names_as_ids(documents.names) or model.document_ids
    shares = documents.shares
    if len(model) < shares.shape[1]:  # topics without words were left out; ids are columns here
        shares = divided(shares[:, [int(topic.id) for topic in model.topics]])
    return replace(model, document_topic=shares if whole is None else whole, document_ids=ids)
