"""``MultilingualTopics``: topics that are the same in several languages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError
from tealeaves.text.languages import language_code
from tealeaves.topics.checking import check_ids, check_sizes, number_of_documents
from tealeaves.topics.matrices import membership
from tealeaves.topics.topics import Topic, TopicId, Topics

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Side = Topics | Iterable[Sequence[str]] | Mapping[Any, Sequence[str]]

# what speaks of words is said of one language's words
_OF_SIDES = (
    "language",
    "vocabulary",
    "topic_word",
    "term_frequency",
    "assignments",
    "samples",
    "tokens",
)
_NAME = re.compile(r"[\w.-]+")  # it stands in en=PATH, en+es and the names of arrays


@dataclass(frozen=True, repr=False)
class MultilingualTopics(Topics):
    """Aligned topics in several languages: topic k is the same topic in each.

    The words of a language, its vocabulary and matrices are its *side*: plain topics, which bear
    the model's name and the language. What speaks of documents is said of tuples, documents that
    belong together: ``document_topic`` has a row a tuple, ``document_ids`` are the tuples' keys,
    where ``""`` is one without a key. ``topics`` are made of the sides: their words are those of
    all languages, one language after the other.

    A topic's number of documents is that which is given, else that of the sides if they agree.

    Parameters
    ----------
    by_language
        The side of each language, two at least, with the same topics in the same order.
    document_languages
        Which languages each tuple has: a row a tuple, a column a language.

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
    document_languages: NDArray[np.bool_] | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        for name in _OF_SIDES:
            said = getattr(self, name)
            if said is not None and not (isinstance(said, str) and said == ""):
                raise InputError(f"{self.model}: {name} is said of each language, not of all")
        sides = _aligned(self.by_language, self.model)
        object.__setattr__(self, "by_language", sides)
        object.__setattr__(self, "topics", _joined(list(sides.values()), self.topics, self.model))
        super().__post_init__()

    @classmethod
    def of_languages(
        cls,
        languages: Mapping[str, Side],
        *,
        model: str = "model",
        documents: Sequence[int | None] | None = None,
        **known: Any,
    ) -> MultilingualTopics:
        """Make aligned topics of the topics, or of the word lists, of each language.

        ``documents`` are the numbers of tuples of the topics, ``known`` what else is known of
        them.
        """
        sides = {language: _side(language, side, model) for language, side in languages.items()}
        made = cls((), model=model, by_language=sides, **known)
        if documents is None:
            return made
        if len(documents) != len(made):
            raise InputError(f"{model}: {len(documents)} document counts for {len(made)} topics")
        counted = [
            replace(topic, documents=count)
            for topic, count in zip(made.topics, documents, strict=True)
        ]
        return replace(made, topics=tuple(counted))

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages, in the order in which they were given."""
        return tuple(self.by_language)

    def side(self, language: str) -> Topics:
        """Return the topics of one language, by its name or by another name of the same language.

        >>> topics = MultilingualTopics.of_languages({"en": [["king"]], "es": [["rey"]]})
        >>> topics.side("spa").language
        'es'
        """
        if language in self.by_language:
            return self.by_language[language]
        code = language_code(language)
        found = [name for name in self.by_language if code and language_code(name) == code]
        if len(found) == 1:
            return self.by_language[found[0]]
        known = ", ".join(self.languages)
        what = "more than one side is" if found else "there are no topics"
        raise InputError(f"{self.model}: {what} in {language!r}: the languages are {known}")

    def __repr__(self) -> str:
        known = ", ".join(self.languages)
        return f"MultilingualTopics({self.model}: {len(self)} topics in {known})"

    @cached_property
    def word_numbers(self) -> tuple[tuple[int, ...], ...]:
        """The topics' words as numbers: the same word of the same language has the same one."""
        numbers: dict[tuple[str, str], int] = {}
        found = [
            [
                numbers.setdefault((language, word), len(numbers))
                for language, side in self.by_language.items()
                for word in side[k].words
            ]
            for k in range(len(self))
        ]
        return tuple(map(tuple, found))

    @cached_property
    def digest(self) -> int:
        """A hash of the sides: their languages, words and, where they are known, distributions."""
        found = blake2b(digest_size=8)
        for language, side in self.by_language.items():
            found.update(f"{language}={side.digest:016x}\n".encode())
        return int.from_bytes(found.digest(), "little")

    def _checked(self, topic: Topic) -> Topic:
        # the words were checked by their sides; two languages may share one
        where = f"{self.model}: topic {topic.id}"
        return replace(topic, documents=number_of_documents(topic.documents, where))

    def _check_documents(self) -> None:
        """Refuse parts that speak of different numbers of tuples; tuples may lack a key."""
        if self.document_languages is not None:
            table = membership(self.document_languages, self.languages, self.model)
            object.__setattr__(self, "document_languages", table)
        sizes = self._sizes() | {"languages of documents": self.document_languages}
        check_sizes(sizes, self.model)
        check_ids([key for key in self.document_ids or () if key], self.model)


def _side(language: str, side: Side, model: str) -> Topics:
    """Return one language's topics, made of word lists if need be; an error names the language."""
    if isinstance(side, MultilingualTopics):
        raise InputError(
            f"{model}: the topics of {language} are in several languages themselves: "
            f"{', '.join(side.languages)}"
        )
    if isinstance(side, Topics):
        return side
    if isinstance(side, str) or not isinstance(side, Iterable):
        raise InputError(f"{model}: {language}: {side!r:.40} is no list of topics")
    try:
        return Topics.of(side, model=model, language=language)
    except InputError as error:
        text = str(error).removeprefix(f"{model}: ")
        raise InputError(f"{model}: {language}: {text}") from error


def _aligned(sides: Mapping[Any, Topics], model: str) -> dict[str, Topics]:
    """Return the sides with one name, their languages and the same ids, or say what differs."""
    for language in sides:
        if not isinstance(language, str) or not _NAME.fullmatch(language):
            raise InputError(
                f"{model}: {language!r} is no name of a language: it has letters, digits, - and _, "
                "such as en or pt-BR"
            )
    if len(sides) < 2:
        only = f"there is but {next(iter(sides))}" if sides else "there is none"
        raise InputError(f"{model}: topics across languages need two languages: {only}")
    numbers = {language: len(side) for language, side in sides.items()}
    if len(set(numbers.values())) > 1:
        said = ", ".join(f"{language} has {number}" for language, number in numbers.items())
        raise InputError(f"{model}: the languages have different numbers of topics: {said}")
    ids = _common_ids(sides, model)
    return {language: _as_side(side, language, ids, model) for language, side in sides.items()}


def _common_ids(sides: Mapping[str, Topics], model: str) -> tuple[TopicId, ...]:
    """Return the ids that the sides agree on; topics that are merely numbered take the others'."""
    ids = {name: tuple(topic.id for topic in side.topics) for name, side in sides.items()}
    first = next(iter(ids))
    plain = tuple(range(len(ids[first])))
    named = {name: found for name, found in ids.items() if found != plain} or {first: plain}
    one, expected = next(iter(named.items()))
    for other, found in named.items():
        for position, (mine, theirs) in enumerate(zip(expected, found, strict=True), 1):
            if str(mine) != str(theirs):  # 1 and "1" are one id to every table
                raise InputError(
                    f"{model}: the languages have different topics: topic number {position} is "
                    f"{mine!r} in {one}, {theirs!r} in {other}"
                )
    return expected


def _as_side(side: Topics, language: str, ids: tuple[TopicId, ...], model: str) -> Topics:
    said, own = language_code(side.language), language_code(language)
    if said and own and said != own:
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


def _joined(sides: list[Topics], given: tuple[Topic, ...], model: str) -> tuple[Topic, ...]:
    """Return the topics with the words of all sides; what was given lends but its numbers."""
    ids = [topic.id for topic in sides[0].topics]
    if given and [str(topic.id) for topic in given] != [str(one) for one in ids]:
        raise InputError(f"{model}: the topics are made of those of the languages: change these")
    joined = []
    for position, parts in enumerate(zip(*(side.topics for side in sides), strict=True)):
        counts = {part.documents for part in parts}
        documents = given[position].documents if given else None
        if documents is None and len(counts) == 1:
            documents = counts.pop()
        words = tuple(word for part in parts for word in part.words)
        joined.append(Topic(parts[0].id, words, documents=documents))
    return tuple(joined)
