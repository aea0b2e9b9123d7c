"""From what a user names (files, folders, labels, pairs of words) to dictionaries to be read."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tealeaves.errors import InputError
from tealeaves.evidence.dictionaries.naming import Pair, pair_in
from tealeaves.evidence.dictionaries.reading import Columns, given_columns, read_columns


@dataclass(frozen=True)
class Given:
    """A dictionary that was given, not yet read: its languages, in the order of its columns."""

    pair: Pair
    source: Path | Iterable[Any]
    name: str

    def read(self) -> Columns:
        """Return its words and the translation of each."""
        if isinstance(self.source, Path):
            return read_columns(self.source, self.pair)
        return given_columns(self.source, self.name)


def given_dictionaries(given: Any, languages: Sequence[str]) -> Iterator[Given]:
    """Yield each dictionary that was given, with its languages."""
    if given is None:
        return
    if isinstance(given, Mapping):
        for label, value in given.items():
            yield from _labelled(label, value, languages)
    elif _is_path(given):
        yield from _named(given, languages)
    elif isinstance(given, Iterable):
        for one in given:
            if not _is_path(one):
                raise InputError(
                    f"{one!r:.60} is no file of a dictionary: say the languages of pairs of words, "
                    f'{{"{_example(languages)}": pairs}}'
                )
            yield from _named(one, languages)
    else:
        raise InputError(f"{given!r:.60} is no dictionary: give a file, or a mapping")


def _labelled(label: Any, value: Any, languages: Sequence[str]) -> Iterator[Given]:
    text = label if isinstance(label, str) else "-".join(map(str, label))
    pair = pair_in(text, languages)
    if pair is None:
        raise InputError(
            f"dictionary {text!r}: which two languages is it of? write {_example(languages)!r}"
        )
    parts = [value] if _is_path(value) else [*value]
    if parts and all(map(_is_path, parts)):
        for path in parts:
            yield Given(pair, _present(path), os.fspath(path))
    else:
        yield Given(pair, parts, text)


def _named(given: str | os.PathLike[str], languages: Sequence[str]) -> Iterator[Given]:
    """Take a label before ``=``, else the languages that the file's name tells."""
    text = os.fspath(given)
    label, sign, path = text.partition("=")
    if sign and path and os.sep not in label and not Path(text).exists():
        yield from _labelled(label, path, languages)
        return
    file = _present(text)
    if file.is_dir():
        yield from _in_folder(file, languages)
        return
    pair = pair_in(file.name, languages)
    if pair is None:
        raise InputError(
            f"{text}: its name does not tell which two languages the dictionary is of: write "
            f"{_example(languages)}={text}"
        )
    yield Given(pair, file, text)


def _present(path: str | os.PathLike[str]) -> Path:
    """Refuse a file that is not there, be it of the topics' languages or not."""
    file = Path(path).expanduser()
    if not file.exists():
        raise InputError(f"{os.fspath(path)}: no such file")
    return file


def _in_folder(folder: Path, languages: Sequence[str]) -> Iterator[Given]:
    """Take the files whose names tell their languages; others, such as a README, are not meant."""
    named = [(pair_in(file.name, languages), file) for file in sorted(folder.iterdir())]
    found = [Given(pair, file, str(file)) for pair, file in named if pair and file.is_file()]
    if not found:
        raise InputError(f"{folder}: no file there is called like {_example(languages)}.txt")
    yield from found


def _is_path(value: Any) -> bool:
    return isinstance(value, str | os.PathLike)


def _example(languages: Sequence[str]) -> str:
    return "-".join(languages[:2]) if len(languages) > 1 else "en-sv"
