"""A folder of MALLET's outputs: topic keys, document topics, state and weights of one model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from tealeaves.errors import InputError, warn_caller
from tealeaves.system import sorted_paths
from tealeaves.topics.assembly import TopicsOptions
from tealeaves.topics.formats.format import TopicsFormat, TopicsSource, files_in
from tealeaves.topics.formats.mallet_state import (
    MalletState,
    is_state,
    parse_state,
    topics_from_state,
)
from tealeaves.topics.formats.mallet_tables import (
    DocumentTopics,
    TopicWordWeights,
    is_document_topics,
    is_topic_keys,
    is_topic_word_weights,
    names_as_ids,
    parse_document_topics,
    parse_topic_keys,
    parse_topic_word_weights,
    refuse_document_topics,
    topics_from_keys,
    topics_from_weights,
)
from tealeaves.topics.matrices import divide_rows
from tealeaves.topics.topics import Topic, Topics

FileKinds = Mapping[str, Callable[[TopicsSource], bool]]
_KINDS: FileKinds = {
    "state": is_state,
    "document topics": is_document_topics,
    "topic-word weights": is_topic_word_weights,
    "topic keys": is_topic_keys,
}


@dataclass(frozen=True)
class MalletOutputs:
    """The parsed files of one folder."""

    state: MalletState | None = None
    weights: TopicWordWeights | None = None
    keys: tuple[Topic, ...] | None = None

    @property
    def numbers_of_topics(self) -> set[int]:
        """The numbers of topics in the files; those of one model have the same."""
        numbers = set()
        if self.state is not None:
            numbers.add(self.state.number_of_topics)
        if self.weights is not None:
            numbers.add(len(self.weights.table))
        if self.keys is not None:
            numbers.add(len(self.keys))
        return numbers


def is_mallet_folder(folder: TopicsSource) -> bool:
    """Recognise a folder with at least one output of MALLET."""
    return next(outputs_in(folder.path, _KINDS), None) is not None


def read_mallet_folder(folder: TopicsSource, options: TopicsOptions) -> Topics:
    """Join the outputs to one model, after checking that they belong to one."""
    files = one_file_per_kind(folder, _KINDS)
    if "document topics" not in files:
        _warn_of_unknown_documents(folder, [file.path for file in files.values()])
    outputs = MalletOutputs(
        state=parse_state(files["state"]) if "state" in files else None,
        weights=parse_topic_word_weights(files["topic-word weights"])
        if "topic-word weights" in files
        else None,
        keys=parse_topic_keys(files["topic keys"]) if "topic keys" in files else None,
    )
    if not outputs.numbers_of_topics:
        refuse_document_topics(files["document topics"], options)
    topics = _check_topics(outputs, len(files), folder.name)
    if "document topics" not in files:
        return _make_model(outputs, None, options)
    documents = parse_document_topics(files["document topics"], topics)
    if outputs.state is not None and outputs.state.documents > len(documents.names):
        raise InputError(
            f"{folder.name}: the state has {outputs.state.documents} documents, the document "
            f"topics {len(documents.names)}: are the files of one model?"
        )
    return _with_documents(_make_model(outputs, len(documents.names), options), documents)


def one_file_per_kind(folder: TopicsSource, kinds: FileKinds) -> dict[str, TopicsSource]:
    """Return the file of each kind; two files of one kind belong to two models."""
    files: dict[str, TopicsSource] = {}
    for kind, file in outputs_in(folder.path, kinds):
        if kind in files:
            raise InputError(
                f"{folder.name}: two files of {kind}, {files[kind].path.name} and "
                f"{file.path.name}: keep the outputs of each model in a folder of their own"
            )
        files[kind] = file
    return files


def outputs_in(path: Path, kinds: FileKinds) -> Iterator[tuple[str, TopicsSource]]:
    """Yield the outputs of MALLET in a folder, and the kind of each."""
    for file in files_in(path):
        kind = next((kind for kind, fits in kinds.items() if fits(file)), None)
        if kind is not None:
            yield kind, file


def _warn_of_unknown_documents(folder: TopicsSource, known: list[Path]) -> None:
    """Warn of a file whose name says document topics, but whose content does not."""
    for file in sorted_paths(folder.path.iterdir()):
        plain = file.name.lower().replace("_", "-")
        by_name = "composition" in plain or ("doc" in plain and "topic" in plain)
        if by_name and file.is_file() and file not in known:
            warn_caller(
                f"{folder.name}: without document topics: {file.name} is not what MALLET's "
                "--output-doc-topics writes"
            )


def _check_topics(outputs: MalletOutputs, files: int, name: str) -> int:
    """Return the number of topics, after checking that the files agree on it."""
    numbers = outputs.numbers_of_topics
    if len(numbers) > 1:
        sizes = " and ".join(map(str, sorted(numbers)))
        raise InputError(f"{name}: the files have {sizes} topics: are they of one model?")
    topics = numbers.pop()
    ids = [topic.id for topic in outputs.keys or ()]
    if outputs.keys is not None and files > 1 and ids != [*range(topics)]:
        raise InputError(
            f"{name}: the topic keys are not those of topics 0 to {topics - 1} in their order, so "
            "the other files cannot be joined to them"
        )
    return topics


def _make_model(outputs: MalletOutputs, documents: int | None, options: TopicsOptions) -> Topics:
    """Make a model of all outputs but the document topics, given their number of documents."""
    if outputs.state is not None:
        # the state does not have empty documents at the end
        count = outputs.state.documents if documents is None else documents
        return topics_from_state(outputs.state, options, count, outputs.keys)
    if outputs.weights is not None:
        return topics_from_weights(outputs.weights, options, outputs.keys)
    return topics_from_keys(outputs.keys or (), options)


def _with_documents(model: Topics, documents: DocumentTopics) -> Topics:
    shares = documents.shares
    if documents.sparse and model.document_topic is not None:
        shares = model.document_topic  # of the state, which has the shares below the threshold, too
    elif len(model) < shares.shape[1]:  # topics without words were left out; ids are columns here
        shares = divide_rows(shares[:, [int(topic.id) for topic in model.topics]])
    ids = names_as_ids(documents.names) or model.document_ids
    return replace(model, document_topic=shares, document_ids=ids)


MALLET_FOLDER = TopicsFormat(
    "a folder of MALLET's outputs (topic keys, document topics, state, topic-word weights)",
    is_mallet_folder,
    read_mallet_folder,
    options=("top",),
    folder=True,
)
