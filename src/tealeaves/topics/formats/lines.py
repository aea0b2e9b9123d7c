"""One topic per line, as most tools write it, those of jhlau and Palmetto among them."""

from __future__ import annotations

from tealeaves.errors import InputError
from tealeaves.topics.assembly import TopicsOptions
from tealeaves.topics.formats.format import TopicsFormat, TopicsSource
from tealeaves.topics.topics import Topic, Topics

SEPARATORS: dict[str, str | None] = {"space": None, "tab": "\t", "comma": ","}
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def is_text(file: TopicsSource) -> bool:
    """Accept any text file whose name does not state another format."""
    text = b"\0" not in file.start or file.start.startswith(_UTF16)
    return text and file.suffix != ".parquet"


def read_lines(file: TopicsSource, options: TopicsOptions) -> Topics:
    """Read one topic per line; its id is the number of the line, from 0.

    Words are separated by tabs if there is a tab anywhere, else by white space. Commas are not
    guessed, because they may belong to the words: say ``separator="comma"``.
    """
    text = file.text()
    separator = file.separator
    if separator is not None and separator not in SEPARATORS:
        raise InputError(f"unknown separator {separator!r}: known are {', '.join(SEPARATORS)}")
    sign = SEPARATORS[separator] if separator else ("\t" if "\t" in text else None)
    topics = []
    for number, line in enumerate(text.rstrip().split("\n")):
        words = [word.strip() for word in line.split(sign) if word.strip()]
        if not words:
            raise InputError(f"{file.name}:{number + 1}: topic {number} has no words")
        if separator is None and sign is None and _looks_comma_separated(line):
            raise InputError(
                f"{file.name}:{number + 1}: are the words separated by commas? say --separator "
                "comma if so, --separator space if the commas belong to them"
            )
        topics.append(Topic(number, tuple(words)))
    return Topics(tuple(topics), model=options.name)


def _looks_comma_separated(line: str) -> bool:
    """Tell whether commas separate the words; some commas belong to numbers or words."""
    if any(word.endswith(",") for word in line.split()[:-1]):
        return True
    parts = line.split(",")
    return len(parts) > 2 and sum(len(part.split()) <= 2 for part in parts) > len(parts) / 2


LINES = TopicsFormat("one topic per line", is_text, read_lines, separated=True)
