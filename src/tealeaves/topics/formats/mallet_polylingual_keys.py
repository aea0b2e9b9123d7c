"""MALLET's ``--output-topic-keys`` of its polylingual model: the words of each language.

A topic is a line of its number and its weight α, then a line for each language: a space and the
language's number, the number of tokens, the prior β and the words, by tabs.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tealeaves.errors import InputError
from tealeaves.topics.adapters.parts import Parts
from tealeaves.topics.formats.mallet_keys import is_index, is_number
from tealeaves.topics.formats.polylingual import aligned, with_all_words
from tealeaves.topics.formats.source import TopicsSource
from tealeaves.topics.topics import Topic, Topics

FORM = "topic keys of MALLET"
STATED = ("languages",)
_HEAD, _SIDE = 2, 4  # fields


@dataclass
class Keys:
    """What the lines say: the weights of the topics, and the priors and words of languages."""

    alpha: list[float] = field(default_factory=list)
    beta: list[float] = field(default_factory=list)
    words: list[list[tuple[str, ...]]] = field(default_factory=list)  # by language, then topic

    @property
    def sizes(self) -> tuple[int, int]:
        """The numbers of languages and of topics."""
        return len(self.words), len(self.alpha)


def fits(file: TopicsSource) -> bool:
    """A number and a weight, then a line that starts with a space and language 0."""
    first, second = (line.rstrip("\r").split("\t") for line in [*file.lines, ""][:2])
    # nothing else starts so: a wrong line below is an error, not another format
    return _is_head(first) and first[0] == "0" and _is_side(second) and second[0] == " 0"


def read(file: TopicsSource, parts: Parts) -> Topics:
    """Read the words of each topic in each language."""
    keys = parse(file)
    kept = with_all_words(keys.words, parts)
    sides = [tuple(Topic(k, words[k]) for k in kept) for words in keys.words]
    return aligned([{"topics": side} for side in sides], parts, file.name)


def parse(file: TopicsSource) -> Keys:
    """Return the words of all topics and languages, also where there are none."""
    keys, expected = Keys(), 0
    for number, line in enumerate(file.text().split("\n"), 1):
        fields = line.rstrip("\r").split("\t")
        where = f"{file.name}:{number}"
        if _is_head(fields):
            _check_last(keys, expected, where)
            if fields[0] != str(len(keys.alpha)):
                raise InputError(f"{where}: topic {fields[0]}, where {len(keys.alpha)} was to come")
            keys.alpha.append(_number(fields[1]))
            expected = 0
        elif _is_side(fields) and keys.alpha:
            _take(keys, fields, expected, where)
            expected += 1
        elif line.strip():
            raise InputError(
                f"{where}: not a line of polylingual topic keys: a topic and its weight, or a "
                "language, its tokens, its prior and its words, separated by tabs"
            )
    _check_last(keys, expected, f"{file.name}: at its end")
    return keys


def _take(keys: Keys, fields: list[str], expected: int, where: str) -> None:
    """Take in one language's words of the last topic."""
    if fields[0] != f" {expected}":
        raise InputError(f"{where}: language {fields[0].strip()}, where {expected} was to come")
    if len(keys.alpha) == 1:
        keys.words.append([])
        keys.beta.append(_number(fields[2]))
    elif expected == len(keys.words):
        raise InputError(
            f"{where}: topic {len(keys.alpha) - 1} has more languages than the first, "
            f"{len(keys.words)}"
        )
    keys.words[expected].append(tuple(fields[3].split()))


def _check_last(keys: Keys, languages: int, where: str) -> None:
    if keys.alpha and (languages != len(keys.words) or not languages):
        raise InputError(
            f"{where}: topic {len(keys.alpha) - 1} has {languages} languages, the first has "
            f"{len(keys.words)}: the file is cut short or changed"
        )


def _is_head(fields: list[str]) -> bool:
    return len(fields) == _HEAD and is_index(fields[0]) and is_number(fields[1])


def _is_side(fields: list[str]) -> bool:
    language = fields[0]
    return (
        len(fields) == _SIDE
        and language.startswith(" ")
        and is_index(language[1:])
        and is_index(fields[1])
        and is_number(fields[2])
    )


def _number(text: str) -> float:
    return float(text.replace(",", "."))
