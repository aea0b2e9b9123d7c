"""One topic a line: the plain form that most tools write."""

from __future__ import annotations

from tealeaves.errors import InputError
from tealeaves.topics.topics import Topic, Topics

SEPARATORS: dict[str, str | None] = {"space": None, "tab": "\t", "comma": ","}


def parse_lines(data: bytes, name: str, model: str, separator: str | None = None) -> Topics:
    """Read a topic from each line; its id is the line's number, from 0.

    Words are separated by tabs if there is a tab anywhere, else by white space; commas are not
    guessed, for they may belong to the words: say ``separator="comma"``.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        place = data[: error.start].count(b"\n") + 1
        raise InputError(
            f"{name}:{place}: invalid UTF-8 at byte {error.start}: save it as UTF-8"
        ) from error
    if separator is not None and separator not in SEPARATORS:
        raise InputError(f"unknown separator {separator!r}: known are {', '.join(SEPARATORS)}")
    lines = text.rstrip().split("\n")
    sign = SEPARATORS[separator] if separator else ("\t" if "\t" in text else None)
    topics = []
    for number, line in enumerate(lines):
        words = [word.strip() for word in line.split(sign) if word.strip()]
        if not words:
            raise InputError(f"{name}:{number + 1}: topic {number} has no words")
        if separator is None and sign is None and _like_a_comma_list(line):
            raise InputError(
                f"{name}:{number + 1}: are the words separated by commas? say --separator comma "
                "if so, --separator space if the commas belong to them"
            )
        topics.append(Topic(number, tuple(words)))
    return Topics(tuple(topics), model=model)


def _like_a_comma_list(line: str) -> bool:
    """Tell whether commas separate, rather than belong to a number or a word here and there."""
    if any(word.endswith(",") for word in line.split()[:-1]):
        return True
    parts = line.split(",")
    return len(parts) > 2 and sum(len(part.split()) <= 2 for part in parts) > len(parts) / 2
