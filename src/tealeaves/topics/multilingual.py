"""``MultilingualTopics``: topics that are the same in several languages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError, errors_about
from tealeaves.parameters import check_keywords
from tealeaves.text.languages import language_code
from tealeaves.topics.matrices import check_document_languages
from tealeaves.topics.topics import (
    Topic,
    TopicId,
    Topics,
    check_document_count,
    check_same_length,
    check_unique_ids,
    html_of_topics,
)

if TYPE_CHECKING:
    from tealeaves.arrays import Bools

SideInput = Topics | Iterable[Sequence[str]] | Mapping[Any, Sequence[str]]

# fields that belong to the words of one language, so that only the sides have them
_SIDE_FIELDS = (
    "language",
    "vocabulary",
    "topic_word",
    "term_frequency",
    "assignments",
    "samples",
    "tokens",
)
_LANGUAGE_NAME = re.compile(r"[\w.-]+")  # used in en=PATH, en+es and the names of arrays


@dataclass(frozen=True, repr=False)
class MultilingualTopics(Topics):
    """Aligned topics in several languages: topic k is the same topic in each.

    The words of a language, its vocabulary and its matrices are its *side*: plain topics with the
    model's name and the language. Fields about documents are about tuples of linked documents:
    ``document_topic`` has one row per tuple, ``document_ids`` are the keys of the tuples, ``""``
    for a tuple without a key. ``topics`` are made of the sides: their words are those of all
    languages, one language after the other.

    A topic's number of documents is the one that is given, else that of the sides if they agree.

    Parameters
    ----------
    by_language
        The side of each language, at least two, with the same topics in the same order.
    document_languages
        Which languages each tuple has: one row per tuple, one column per language.

    >>> topics = MultilingualTopics.of_languages(
    ...     {"en": [["king", "house"], ["bread"]], "es": [["rey", "casa"], ["pan"]]}, model="toy"
    ... )
    >>> topics
    MultilingualTopics(toy: 2 topics in en, es)
    >>> topics.side("es")[0].words
    ('rey', 'casa')
    >>> topics[0].words
    ('king', 'house', 'rey', 'casa')
    """

    by_language: Mapping[str, Topics] = field(default_factory=dict, hash=False)
    document_languages: Bools | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        for name in _SIDE_FIELDS:
            value = getattr(self, name)
            if value is not None and not (isinstance(value, str) and value == ""):
                raise InputError(
                    f"{self.model}: {name} belongs to each language, not to all of them"
                )
        sides = _align_sides(self.by_language, self.model)
        object.__setattr__(self, "by_language", sides)
        topics = _join_topics(list(sides.values()), self.topics, self.model)
        object.__setattr__(self, "topics", topics)
        super().__post_init__()

    @classmethod
    def of_languages(
        cls,
        languages: Mapping[str, SideInput],
        *,
        model: str = "model",
        documents: Sequence[int | None] | None = None,
        **known: Any,
    ) -> MultilingualTopics:
        """Make aligned topics of the topics, or of the word lists, of each language.

        ``documents`` are the topics' numbers of tuples, ``known`` are other fields of the model.
        """
        check_keywords(MultilingualTopics.of_languages, known, cls)
        sides = {
            language: _make_side(language, side, model) for language, side in languages.items()
        }
        topics = cls((), model=model, by_language=sides, **known)
        if documents is None:
            return topics
        return replace(topics, topics=with_document_counts(topics, documents))

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages, in the order in which they were given."""
        return tuple(self.by_language)

    def side(self, language: str) -> Topics:
        """Return the topics of one language; another name of the same language will do.

        >>> topics = MultilingualTopics.of_languages({"en": [["king"]], "es": [["rey"]]})
        >>> topics.side("spa").language
        'es'
        """
        if language in self.by_language:
            return self.by_language[language]
        code = language_code(language)
        names = [name for name in self.by_language if code and language_code(name) == code]
        if len(names) == 1:
            return self.by_language[names[0]]
        known = ", ".join(self.languages)
        problem = "more than one side is" if names else "there are no topics"
        raise InputError(f"{self.model}: {problem} in {language!r}: the languages are {known}")

    def __repr__(self) -> str:
        return (
            f"MultilingualTopics({self.model}: {len(self)} topics in {', '.join(self.languages)})"
        )

    def _repr_html_(self) -> str:
        return html_of_topics(self, self.by_language)

    def preview(self, words: int = 10) -> str:
        """Return the first words of each topic, a line for each topic and language.

        >>> topics = MultilingualTopics.of_languages({"en": [["king"]], "es": [["rey"]]})
        >>> print(topics.preview())
        0  en: king
           es: rey
        """
        return "\n".join(self._preview_lines(self.by_language, "tuples", words))

    @cached_property
    def word_numbers(self) -> tuple[tuple[int, ...], ...]:
        """The words of the topics as numbers; a word of a language has the same one in all."""
        numbers: dict[tuple[str, str], int] = {}
        return tuple(
            tuple(
                [
                    numbers.setdefault((language, word), len(numbers))
                    for language, side in self.by_language.items()
                    for word in side[k].words
                ]
            )
            for k in range(len(self))
        )

    @cached_property
    def digest(self) -> int:
        """A hash of the sides: their languages, words and topic-word matrices."""
        digest = blake2b(digest_size=8)
        for language, side in self.by_language.items():
            digest.update(f"{language}={side.digest:016x}\n".encode())
        return int.from_bytes(digest.digest(), "little")

    def _check_topic(self, topic: Topic) -> Topic:
        # the sides have checked the words; two languages may share a word
        where = f"{self.model}: topic {topic.id}"
        return replace(topic, documents=check_document_count(topic.documents, where))

    def _check_documents(self) -> None:
        """Check that all parts have the same number of tuples; tuples may lack a key."""
        if self.document_languages is not None:
            table = check_document_languages(self.document_languages, self.languages, self.model)
            object.__setattr__(self, "document_languages", table)
        parts = self._document_parts() | {"languages of documents": self.document_languages}
        check_same_length(parts, self.model)
        check_unique_ids([key for key in self.document_ids or () if key], self.model)


def with_document_counts(topics: Topics, documents: Sequence[int | None]) -> tuple[Topic, ...]:
    """Return the topics with these numbers of documents."""
    if len(documents) != len(topics):
        raise InputError(
            f"{topics.model}: {len(documents)} document counts for {len(topics)} topics"
        )
    return tuple(
        replace(topic, documents=count)
        for topic, count in zip(topics.topics, documents, strict=True)
    )


def _make_side(language: str, side: SideInput, model: str) -> Topics:
    """Return one language's topics, made of word lists if need be; an error names the language."""
    if isinstance(side, MultilingualTopics):
        raise InputError(
            f"{model}: the topics of {language} are in several languages themselves: "
            f"{', '.join(side.languages)}"
        )
    if isinstance(side, Topics):
        return side
    with errors_about(f"{model}: {language}", model):
        return Topics.of(side, model=model, language=language)


def _align_sides(sides: Mapping[Any, Topics], model: str) -> dict[str, Topics]:
    """Return the sides with the model's name, their languages and common ids."""
    for language in sides:
        if not isinstance(language, str) or not _LANGUAGE_NAME.fullmatch(language):
            raise InputError(
                f"{model}: {language!r} is no name of a language: a name has letters, digits, - "
                "and _, such as en or pt-BR"
            )
    if len(sides) < 2:
        only = f"there is only {next(iter(sides))}" if sides else "there is none"
        raise InputError(f"{model}: multilingual topics need two languages: {only}")
    numbers = {language: len(side) for language, side in sides.items()}
    if len(set(numbers.values())) > 1:
        details = ", ".join(f"{language} has {number}" for language, number in numbers.items())
        raise InputError(f"{model}: the languages have different numbers of topics: {details}")
    ids = _common_ids(sides, model)
    return {language: _as_side(side, language, ids, model) for language, side in sides.items()}


def _common_ids(sides: Mapping[str, Topics], model: str) -> tuple[TopicId, ...]:
    """Return the ids that the sides agree on; sides that are only numbered take the others'."""
    ids = {name: tuple(topic.id for topic in side.topics) for name, side in sides.items()}
    first = next(iter(ids))
    plain = tuple(range(len(ids[first])))
    named = {name: side_ids for name, side_ids in ids.items() if side_ids != plain}
    language, common = next(iter(named.items()), (first, plain))
    for other, side_ids in named.items():
        for position, (expected, actual) in enumerate(zip(common, side_ids, strict=True), 1):
            if str(expected) != str(actual):  # tables cannot tell 1 from "1"
                raise InputError(
                    f"{model}: the languages have different topics: topic number {position} is "
                    f"{expected!r} in {language}, {actual!r} in {other}"
                )
    return common


def _as_side(side: Topics, language: str, ids: tuple[TopicId, ...], model: str) -> Topics:
    code, expected = language_code(side.language), language_code(language)
    if code and expected and code != expected:
        raise InputError(
            f"{model}: the topics given for {language} say that they are in {side.language}"
        )
    same = tuple(topic.id for topic in side.topics) == ids
    if same and (side.model, side.language) == (model, language):
        return side
    topics = tuple(
        replace(topic, id=number) for topic, number in zip(side.topics, ids, strict=True)
    )
    return replace(side, topics=topics, model=model, language=language)


def _join_topics(sides: list[Topics], topics: tuple[Topic, ...], model: str) -> tuple[Topic, ...]:
    """Return topics with the words of all sides, and the numbers of documents of ``topics``."""
    ids = [str(topic.id) for topic in sides[0].topics]
    if topics and [str(topic.id) for topic in topics] != ids:
        raise InputError(f"{model}: topics follow from those of the languages: change these")
    joined = []
    for position, parts in enumerate(zip(*(side.topics for side in sides), strict=True)):
        documents = topics[position].documents if topics else None
        counts = {part.documents for part in parts}
        if documents is None and len(counts) == 1:
            documents = counts.pop()
        words = tuple(word for part in parts for word in part.words)
        joined.append(Topic(parts[0].id, words, documents=documents))
    return tuple(joined)


# ---------------------------------------------------------------------- models of each kind


def require_multilingual(model: Topics) -> MultilingualTopics:
    """Return a model that is known to be in several languages."""
    if not isinstance(model, MultilingualTopics):
        raise InputError(f"{model.model}: its topics are in one language")
    return model


def languages_of(models: Sequence[Topics]) -> list[str]:
    """Return the languages of all models, each once, in their order."""
    return list(
        dict.fromkeys(name for model in models for name in require_multilingual(model).languages)
    )


def are_multilingual(models: Sequence[Topics]) -> bool:
    """Tell models in several languages from models in one; the two are not scored together."""
    several = [model for model in models if isinstance(model, MultilingualTopics)]
    if several and len(several) < len(models):
        other = next(model for model in models if not isinstance(model, MultilingualTopics))
        raise InputError(
            f"{several[0].model} has topics in several languages, {other.model} in one: score "
            "them one after the other"
        )
    return bool(several)
