"""Files of dictionaries: a word and its translation a line."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tealeaves.errors import InputError
from tealeaves.evidence.dictionaries.naming import Pair, language_key
from tealeaves.text.compression import Meter
from tealeaves.text.readers.lines import text_lines
from tealeaves.text.sources import SourceFile
from tealeaves.text.tokenizers import normal

#: Words, and the translation of each.
Columns = tuple[list[str], list[str]]


def folded(word: str) -> str:
    """Return a word as dictionaries compare it: in lower case and Unicode's normal form C.

    >>> folded("REINO\N{COMBINING ACUTE ACCENT}") == "reinó"
    True
    """
    return normal(word, lower=True)


def read_columns(path: Path, languages: Pair) -> Columns:
    """Read the columns of a file, which are of these languages.

    With a tab in a line, tabs part its columns, and words may hold spaces; else any white space
    parts the two words. Columns after the second (counts, say) are not read, nor is a first line
    that names the two languages; where it names them the other way round, so are the columns.
    """
    if path.is_dir():
        raise InputError(f"{path}: a folder, not a dictionary")
    if not path.is_file():
        raise InputError(f"{path}: no such file")
    lines = text_lines(SourceFile.at(path, reader="lines"), Meter())
    words, translations = _parsed(folded("\n".join(lines)).split("\n"), str(path))
    header = (*map(language_key, words[:1]), *map(language_key, translations[:1]))
    if sorted(header) == sorted(languages):
        del words[0], translations[0]
    if not words:
        raise InputError(f"{path}: the dictionary is empty")
    return (translations, words) if header == languages[::-1] else (words, translations)


def _parsed(lines: Iterable[str], name: str) -> Columns:
    words: list[str] = []
    translations: list[str] = []
    for number, line in enumerate(lines, 1):
        tabs = "\t" in line
        cells = line.split("\t", 2) if tabs else line.split()
        if len(cells) == 2 or (tabs and len(cells) > 2):
            word, translation = cells[0].strip(), cells[1].strip()
            if word and translation:
                words.append(word)
                translations.append(translation)
                continue
        if line.strip():
            raise InputError(_broken(line, f"{name}:{number}"))
    return words, translations


def _broken(line: str, where: str) -> str:
    right = "a line is a word, a tab and its translation"
    if "\t" not in line and len(line.split()) > 2:
        return f"{where}: {line!r:.60} has more than two words and no tab: {right}"
    return f"{where}: {line!r:.60} is not two columns: {right}"


def given_columns(pairs: Iterable[Any], name: str) -> Columns:
    """Return the columns of pairs that were given in memory."""
    words, translations = [], []
    for number, pair in enumerate(pairs, 1):
        cells = [] if isinstance(pair, str) or not isinstance(pair, Iterable) else [*pair]
        texts = [folded(cell.strip()) for cell in cells[:2] if isinstance(cell, str)]
        if len(texts) < 2 or not all(texts) or any("\t" in text for text in texts):
            raise InputError(f"{name}: pair {number}: {pair!r:.60} is not a word and a translation")
        words.append(texts[0])
        translations.append(texts[1])
    if not words:
        raise InputError(f"{name}: the dictionary is empty")
    return words, translations
