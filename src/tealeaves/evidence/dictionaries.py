"""Bilingual dictionaries: which words of two languages translate each other."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any

from tealeaves.errors import InputError
from tealeaves.evidence.requests import DictionaryRequest
from tealeaves.files import InputFile, decode_text
from tealeaves.system import has_separator, sorted_paths
from tealeaves.text.languages import language_code
from tealeaves.text.tokenizers import normalize

#: Two languages, that of the first column and that of the second, as ``language_key`` writes them.
LanguagePair = tuple[str, str]
#: Words, and the translation of each.
WordColumns = tuple[list[str], list[str]]

_TAB = "\t"  # no word contains one
_LETTERS = r"([^\W\d_]{2,})"
_REGION = r"(?:[-_](?:[A-Z]{2}|[A-Z][a-z]{3}))?"  # or a script: zh_CN, zh-Hans
_LANGUAGE_PAIRS = [
    re.compile(rf"(?<![^\W\d_])(?={first}[-_+]{_LETTERS}(?![^\W\d_]))")
    for first in (_LETTERS, _LETTERS + _REGION)
]


class Dictionaries:
    """Dictionaries of pairs of languages; words are compared in lower case, in normal form C.

    A dictionary has no direction: one of Swedish and English serves English and Swedish. Several
    dictionaries of the same two languages are joined. ``others`` are the languages of dictionaries
    that were given but are not those of the topics.

    >>> pairs = [("king", "kung"), ("house", "hus"), ("house", "kammare")]
    >>> dictionaries = Dictionaries.open({"en-sv": pairs}, ["en", "sv"])
    >>> dictionaries.translations(("sv", "en"), "Kung")
    frozenset({'king'})
    >>> [dictionaries.knows(("en", "sv"), "sv", word) for word in ("hus", "house")]
    [True, False]
    """

    def __init__(self, dictionaries: Iterable[Dictionary] = (), others: Sequence[str] = ()) -> None:
        self._by_pair: dict[LanguagePair, Dictionary] = {}
        self.others = list(dict.fromkeys(others))
        for new in dictionaries:
            earlier = self._by_pair.get(new.languages)
            self._by_pair[new.languages] = earlier.join(new) if earlier else new

    @classmethod
    def open(cls, source: Any, languages: Sequence[str]) -> Dictionaries:
        """Read the dictionaries of these languages; those of others are not read.

        Parameters
        ----------
        source
            A file, several files, ``"en-sv=PATH"``, a folder of files, or a mapping from
            ``"en-sv"`` to files or to pairs of words. Without a label, the name of the file must
            contain the languages of its columns: ``en-sv.txt.gz``, ``muse.en_sv.tsv``.
        languages
            The languages of the topics.
        """
        if isinstance(source, Dictionaries):
            return source
        wanted = {language_key(language) for language in languages}
        dictionaries, others = [], []
        for one in _find_sources(source, languages):
            if wanted.issuperset(one.pair):
                dictionaries.append(one.read())
            else:
                others.append("-".join(one.pair))
        return cls(dictionaries, others)

    def __len__(self) -> int:
        return sum(map(len, self._by_pair.values()))

    def __iter__(self) -> Iterator[Dictionary]:
        return iter(self._by_pair.values())

    def __repr__(self) -> str:
        sizes = ", ".join(f"{'-'.join(one.languages)}: {len(one)} pairs" for one in self)
        return f"Dictionaries({sizes})"

    def between(self, one: str, other: str) -> Dictionary:
        """Return the dictionary of two languages, in either order."""
        if not self.covers(one, other):
            raise InputError(self._missing_message((one, other)))
        return self._by_pair[_pair_key(one, other)]

    def covers(self, one: str, other: str) -> bool:
        """Tell whether there is a dictionary of two languages."""
        return _pair_key(one, other) in self._by_pair

    def check(self, request: DictionaryRequest) -> None:
        """Check that each model of a request has a dictionary of some two of its languages."""
        for pairs in sorted(request.models):
            if pairs and not any(self.covers(*pair) for pair in pairs):
                raise InputError(self._missing_message(*pairs))

    def _missing_message(self, *pairs: tuple[str, str]) -> str:
        one, other = pairs[0]
        languages = dict.fromkeys(language for pair in pairs for language in pair)
        missing = f"{one} and {other}" if len(pairs) == 1 else f"any two of {', '.join(languages)}"
        present = ["-".join(pair) for pair in self._by_pair] + self.others
        known = f"those given are of {', '.join(present)}" if present else "none was given"
        return f"no dictionary of {missing} ({known}): give --dictionary {one}-{other}=PATH"

    def translations(
        self, pair: tuple[str, str], word: str, *, identical: bool = True
    ) -> frozenset[str]:
        """Return the words of the pair's second language that translate a word of the first.

        Without ``identical``, a word of plain ASCII is no translation of itself.
        """
        dictionary = self.between(*pair)
        plain = normalize_word(word)
        translations = dictionary.translations(_column(pair[0], dictionary.languages), plain)
        return translations if identical or not plain.isascii() else translations - {plain}

    def knows(
        self, pair: tuple[str, str], language: str, word: str, *, identical: bool = True
    ) -> bool:
        """Tell whether a word of one of two languages has a translation into the other."""
        if language not in pair:
            raise InputError(f"{language} is neither {pair[0]} nor {pair[1]}")
        direction = pair if language == pair[0] else (pair[1], pair[0])
        return bool(self.translations(direction, word, identical=identical))

    def signature_of(self, pairs: Iterable[tuple[str, str]]) -> str:
        """Return the signatures of the dictionaries of these languages."""
        return "+".join(sorted({self.between(*pair).signature for pair in pairs}))

    @property
    def signature(self) -> str:
        """The signatures of all dictionaries: languages, numbers of pairs, and digests."""
        return self.signature_of(self._by_pair)


class Dictionary:
    """Pairs of words of two languages, without a direction; ``names`` are those of its files.

    >>> toy = Dictionary(("en", "sv"), ["king", "house", "house"], ["kung", "hus", "kammare"])
    >>> sorted(toy.translations(0, "house")), toy.translations(1, "kung")
    (['hus', 'kammare'], frozenset({'king'}))
    """

    def __init__(
        self,
        languages: LanguagePair,
        words: Iterable[str],
        translations: Iterable[str],
        names: Sequence[str] = (),
    ) -> None:
        self.languages = languages
        self.names = tuple(names)
        # texts with a tab, because it takes long to make a hundred thousand tuples
        self._pairs = frozenset(map(_TAB.join, zip(words, translations, strict=True)))

    def __len__(self) -> int:
        return len(self._pairs)

    def __str__(self) -> str:
        return ", ".join(self.names) or "-".join(self.languages)

    def join(self, other: Dictionary) -> Dictionary:
        """Return a dictionary with the pairs of both."""
        both = Dictionary(self.languages, (), (), (*self.names, *other.names))
        both._pairs = self._pairs | other._pairs
        return both

    def translations(self, column: int, word: str) -> frozenset[str]:
        """Return the translations of a word of the first language (0) or of the second (1)."""
        translations = self._entries[column].get(word)
        return frozenset() if translations is None else frozenset(translations.split(_TAB))

    @cached_property
    def _entries(self) -> tuple[dict[str, str], dict[str, str]]:
        """The translations of each word, with tabs between them, in both directions."""
        forth: dict[str, str] = {}
        back: dict[str, str] = {}
        for pair in self._pairs:
            one, _, other = pair.partition(_TAB)
            forth[one] = f"{forth[one]}{_TAB}{other}" if one in forth else other
            back[other] = f"{back[other]}{_TAB}{one}" if other in back else one
        return forth, back

    @cached_property
    def signature(self) -> str:
        """The languages, the number of pairs and a digest of the pairs."""
        digest = blake2b("\n".join(sorted(self._pairs)).encode(), digest_size=8).hexdigest()
        return f"{'-'.join(self.languages)}:{len(self)}:{digest}"


def normalize_word(word: str) -> str:
    """Return a word as dictionaries compare it: in lower case and Unicode's normal form C.

    >>> normalize_word("REINO\N{COMBINING ACUTE ACCENT}") == "reinó"
    True
    """
    return normalize(word, lower=True)


# ---------------------------------------------------------------------- languages


def language_key(language: str) -> str:
    """Return the key of a language in dictionaries: its code, or else its name.

    Regions and scripts are left out: a dictionary of Chinese serves all ways to write it.

    >>> language_key("swe"), language_key("zh-Hans"), language_key("Klingon")
    ('sv', 'zh', 'klingon')
    """
    return language_code(language) or language.lower()


@cache
def _pair_key(one: str, other: str) -> LanguagePair:
    first, second = sorted((language_key(one), language_key(other)))
    return first, second


@cache
def _column(language: str, languages: LanguagePair) -> int:
    return languages.index(language_key(language))


def find_language_pair(text: str, languages: Sequence[str]) -> LanguagePair | None:
    """Return the pair of languages that a text names, preferably two of the topics' languages.

    >>> find_language_pair("muse.en-sv.txt", ["eng", "swe"])
    ('en', 'sv')
    >>> find_language_pair("en_fi.tsv", ["en", "sv"])
    ('en', 'fi')
    >>> find_language_pair("words.txt", ["en", "sv"]) is None
    True
    """
    wanted = {language_key(language) for language in languages}
    pairs = (*_topic_languages_in(text.lower(), languages), *_language_codes_in(text))
    for pair in pairs:
        if wanted.issuperset(pair):
            return pair
    return pairs[0] if pairs else None


def _topic_languages_in(text: str, languages: Sequence[str]) -> Iterator[LanguagePair]:
    """Yield pairs of the topics' languages that are in a text as the topics write them."""
    for one in languages:
        for other in languages:
            pattern = rf"(?<!\w){re.escape(one.lower())}[-_+]{re.escape(other.lower())}(?!\w)"
            if one != other and re.search(pattern, text):
                yield language_key(one), language_key(other)


def _language_codes_in(text: str) -> Iterator[LanguagePair]:
    """Yield any two languages that are side by side, ``en-sv`` or ``English_Swedish``."""
    for pattern in _LANGUAGE_PAIRS:
        for match in pattern.finditer(text):
            one, other = map(language_code, match.groups())
            if one and other and one != other:
                yield one, other


# ---------------------------------------------------------------------- files, folders, pairs


@dataclass(frozen=True)
class DictionarySource:
    """A dictionary that was given but not yet read; ``pair`` is in the order of its columns."""

    pair: LanguagePair
    source: Path | Iterable[Any]
    name: str

    def read(self) -> Dictionary:
        """Read the dictionary; its languages are put in alphabetical order."""
        if isinstance(self.source, Path):
            words, translations = _read_file(self.source, self.pair)
        else:
            words, translations = _read_pairs(self.source, self.name)
        one, other = self.pair
        if one == other:  # two ways to write one language: each word may be in either
            words, translations = words + translations, translations + words
        elif one > other:
            one, other, words, translations = other, one, translations, words
        return Dictionary((one, other), words, translations, [self.name])


def _find_sources(source: Any, languages: Sequence[str]) -> Iterator[DictionarySource]:
    """Yield each dictionary that was given, with its languages."""
    if source is None:
        return
    if isinstance(source, Mapping):
        for label, value in source.items():
            yield from _labelled_sources(label, value, languages)
    elif _is_path(source):
        yield from _sources_at(source, languages)
    elif isinstance(source, Iterable):
        for one in source:
            if not _is_path(one):
                raise InputError(
                    f"{one!r:.60} is no file of a dictionary; give pairs of words with their "
                    f'languages, {{"{_example_label(languages)}": pairs}}'
                )
            yield from _sources_at(one, languages)
    else:
        raise InputError(f"{source!r:.60} is no dictionary; give a file, or a mapping")


def _labelled_sources(
    label: Any, value: Any, languages: Sequence[str]
) -> Iterator[DictionarySource]:
    text = label if isinstance(label, str) else "-".join(map(str, label))
    pair = find_language_pair(text, languages)
    if pair is None:
        raise InputError(
            f"dictionary {text!r}: the label must be two languages, such as "
            f"{_example_label(languages)!r}"
        )
    parts = [value] if _is_path(value) else [*value]
    if parts and all(map(_is_path, parts)):
        for path in parts:
            yield DictionarySource(pair, _existing_path(path), os.fspath(path))
    else:
        yield DictionarySource(pair, parts, text)


def _sources_at(
    source: str | os.PathLike[str], languages: Sequence[str]
) -> Iterator[DictionarySource]:
    """Yield the dictionaries of ``LABEL=PATH``, a folder, or a file with languages in its name."""
    text = os.fspath(source)
    label, sign, path = text.partition("=")
    if sign and path and not has_separator(label) and not Path(text).exists():
        yield from _labelled_sources(label, path, languages)
        return
    file = _existing_path(text)
    if file.is_dir():
        yield from _sources_in_folder(file, languages)
        return
    pair = find_language_pair(file.name, languages)
    if pair is None:
        raise InputError(
            f"{text}: its name does not contain the two languages of the dictionary; write "
            f"{_example_label(languages)}={text}"
        )
    yield DictionarySource(pair, file, text)


def _sources_in_folder(folder: Path, languages: Sequence[str]) -> Iterator[DictionarySource]:
    """Yield the files that have languages in their names; others, such as a README, are ignored."""
    is_empty = True
    for file in sorted_paths(folder.iterdir()):
        pair = find_language_pair(file.name, languages)
        if pair and file.is_file():
            is_empty = False
            yield DictionarySource(pair, file, str(file))
    if is_empty:
        example = _example_label(languages)
        raise InputError(f"{folder}: no file in this folder has a name like {example}.txt")


def _existing_path(path: str | os.PathLike[str]) -> Path:
    """Return a path; refuse one that does not exist, even if it would not be read."""
    file = Path(path).expanduser()
    if not file.exists():
        raise InputError(f"{os.fspath(path)}: no such file")
    return file


def _is_path(value: Any) -> bool:
    return isinstance(value, str | os.PathLike)


def _example_label(languages: Sequence[str]) -> str:
    return "-".join(languages[:2]) if len(languages) > 1 else "en-sv"


def _read_file(path: Path, languages: LanguagePair) -> WordColumns:
    """Read the two columns of a file, which are of these languages.

    If a line has a tab, tabs separate its columns, and words may contain spaces; otherwise white
    space separates the two words. Further columns, such as counts, are not read. A first line that
    names the two languages is a header; if it names them in the other order, so are the columns.
    """
    if path.is_dir():
        raise InputError(f"{path}: a folder, not a dictionary")
    if not path.is_file():
        raise InputError(f"{path}: no such file")
    text = normalize_word(decode_text(InputFile(path).read(), str(path)))
    words, translations = _parse_lines(text.split("\n"), str(path))
    header = (*map(language_key, words[:1]), *map(language_key, translations[:1]))
    if sorted(header) == sorted(languages):
        del words[0], translations[0]
    if not words:
        raise InputError(f"{path}: the dictionary is empty")
    return (translations, words) if header == languages[::-1] else (words, translations)


def _parse_lines(lines: Iterable[str], name: str) -> WordColumns:
    words: list[str] = []
    translations: list[str] = []
    for number, line in enumerate(lines, 1):
        has_tab = _TAB in line
        cells = line.split(_TAB, 2) if has_tab else line.split()
        if len(cells) == 2 or (has_tab and len(cells) > 2):
            word, translation = cells[0].strip(), cells[1].strip()
            if word and translation:
                words.append(word)
                translations.append(translation)
                continue
        if line.strip():
            has_many = not has_tab and len(cells) > 2
            problem = "has more than two words and no tab" if has_many else "is not two columns"
            raise InputError(
                f"{name}:{number}: {line!r:.60} {problem}: a line is a word, a tab and its "
                "translation"
            )
    return words, translations


def _read_pairs(pairs: Iterable[Any], name: str) -> WordColumns:
    """Return the columns of pairs in memory."""
    words, translations = [], []
    for number, pair in enumerate(pairs, 1):
        cells = [] if isinstance(pair, str) or not isinstance(pair, Iterable) else [*pair]
        texts = [normalize_word(cell.strip()) for cell in cells[:2] if isinstance(cell, str)]
        if len(texts) < 2 or not all(texts) or any(_TAB in text for text in texts):
            raise InputError(f"{name}: pair {number}: {pair!r:.60} is not a word and a translation")
        words.append(texts[0])
        translations.append(texts[1])
    if not words:
        raise InputError(f"{name}: the dictionary is empty")
    return words, translations
