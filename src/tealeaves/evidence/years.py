"""The years in which words were first used: tables of them, and years derived from dated texts."""

from __future__ import annotations

import csv
import datetime as dt
import itertools
import math
import os
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tealeaves.compression import format_suffix
from tealeaves.errors import InputError, MissingExtraError, TealeavesWarning
from tealeaves.files import InputFile
from tealeaves.tables.columns import find_columns, means_missing, number_of, records_of
from tealeaves.tables.rows import TABLE_SUFFIXES, Row, delimited_rows, read_rows
from tealeaves.text.corpus import Corpus
from tealeaves.text.document import Document
from tealeaves.text.languages import language_code
from tealeaves.text.lemmas import lemmatizer, lemmatizer_version
from tealeaves.text.pipeline import Pipeline
from tealeaves.text.tokenizers import normalize

if TYPE_CHECKING:
    from tealeaves.arrays import Floats

_EARLIEST, _LATEST = -3000, 3000
# the names that columns often have
_WORD_AND_YEAR: dict[str, tuple[str, ...]] = {
    "word": ("words", "term", "lemma", "headword", "token", "ngram"),
    "year": ("years", "first_year", "first_use", "first_used", "first_known_use", "date"),
}
_COUNT: dict[str, tuple[str, ...]] = {"count": ("counts", "match_count", "occurrences")}
_HOW_TO_CHOOSE = 'keep one of them, or in Python pass derive_years(…, {column}="{name}")'
_CELL_SUFFIXES = (".tsv", ".csv", ".txt")  # tables that may have no header
_ROWS_EXAMINED = 100  # rows that show which column has the years
_DATE = re.compile(r"\s*(-?\d{4})-\d\d(?:-\d\d)?(?:[T ].*)?")
_LEADING_YEAR = re.compile(r"-?\d{4}(?!\d)")  # a label or an id may be a shorter number


class WordYears:
    """The years of first use of the words of one language.

    A word is looked up in lower case and Unicode's normal form C. If the table does not have it,
    its lemma is looked up. Lemmas need the extra ``langs`` and a language that it supports;
    ``lemmas`` says whether they are used.

    >>> years = WordYears({"king": 900, "software": 1958})
    >>> years.year("King"), years.year("xylophone"), len(years)
    (900.0, None, 2)
    """

    def __init__(self, source: Any, language: str = "en") -> None:
        self.language = language_code(language) or language.lower()
        rows = _dated_words(source, YearColumns({}, has_counts=False))
        self._years = _first_years(rows, _place(source, "the years of words"))

    @classmethod
    def open(cls, source: Any, language: str = "en") -> WordYears:
        """Read the years of words; an object of this class is returned unchanged.

        Parameters
        ----------
        source
            A table (``.tsv``, ``.csv``, ``.txt``, ``.jsonl``, ``.json``, ``.parquet``, compressed
            or not), a data frame, or a mapping from words to years. Without a header, the first
            column has the words, and the first column of numbers has the years. If a word is in
            several rows, the earliest year is used.
        language
            The language of the words.
        """
        return source if isinstance(source, WordYears) else cls(source, language)

    def year(self, word: str) -> float | None:
        """Return the year of a word, or else of its lemma, or None."""
        plain = _normalize(word)
        year = self._years.get(plain)
        if year is None and self._lemma is not None and plain:
            year = self._years.get(_normalize(self._lemma(plain)))
        return None if year is None else float(year)

    def years(self, words: Sequence[str]) -> Floats:
        """Return the years of words; NaN for a word without one."""
        import numpy as np

        return np.array([self.year(word) for word in words], dtype=np.float64)  # None becomes NaN

    @property
    def lemmas(self) -> bool:
        """Whether the lemma is looked up for a word that is not in the table."""
        return self._lemma is not None

    @cached_property
    def _lemma(self) -> Callable[[str], str] | None:
        try:
            return lemmatizer(self.language, lower=True)
        except (MissingExtraError, InputError):  # not installed, or not for this language
            return None

    @cached_property
    def signature(self) -> str:
        """A digest of all that the years depend on: the table, the language, the lemmatizer."""
        lemmas = lemmatizer_version() if self.lemmas else ""
        digest = blake2b(f"{self.language}\n{lemmas}".encode(), digest_size=8)
        for word, year in sorted(self._years.items()):
            digest.update(f"\n{word}\t{year}".encode())
        return digest.hexdigest()

    def __len__(self) -> int:
        return len(self._years)

    def __repr__(self) -> str:
        return f"WordYears({self.language}: {len(self)} words)"


def derive_years(
    source: Any,
    *,
    word: str | None = None,
    year: str | None = None,
    count: str | None = None,
    at_least: float = 1,
) -> dict[str, int]:
    """Return the first year in which each word of a dated list is frequent enough.

    A word may have many rows in the list. The counts of a word in the same year are added.

    Parameters
    ----------
    source
        A table of words and years, as for ``WordYears.open``; or rows: a data frame, dictionaries,
        or tuples of word and year (and count).
    word, year, count
        The names of the columns, if they are others; their numbers (``"3"``) if there is no
        header. Without a count, each row is one occurrence.
    at_least
        How often a word must occur in a year for this to be its year.

    >>> rows = [("web", 1950, 3), ("web", 1400, 1), ("web", 1610, 2), ("web", 1610, 1)]
    >>> derive_years(rows), derive_years(rows, at_least=3)
    ({'web': 1400}, {'web': 1610})
    """
    names = {"word": word, "year": year, "count": count}
    columns = YearColumns(
        {c: name for c, name in names.items() if name is not None}, has_counts=True
    )
    rows = _dated_words(source, columns)
    return _first_years(rows, _place(source, "the dated words"), at_least=at_least)


def years_of_texts(
    corpus: Corpus, pipeline: Pipeline | str = "words", *, at_least: float = 1
) -> dict[str, int]:
    """Return the first year in which each word is frequent enough in dated texts.

    The label of a text, or its id if it has no label, must begin with four digits of a year:
    ``1851``, ``1851-10-18``, ``-0044 De officiis``. Texts without a year are left out, with a
    warning.

    >>> texts = [Document("A king", label="1611"), Document("The king's web", label="1995-08")]
    >>> years_of_texts(Corpus.of(texts))
    {'a': 1611, 'king': 1611, 'the': 1995, 's': 1995, 'web': 1995}
    """
    undated: list[Document] = []
    years = _first_years(
        _words_of_texts(corpus, Pipeline.parse(pipeline), undated),
        corpus.name,
        at_least=at_least,
        cure="; the label or id of a text must begin with its year (1851-10-18)",
    )
    if undated:
        first = undated[0]
        warnings.warn(
            f"{corpus.name}: {len(undated)} texts have no year and are left out: the first has the "
            f"label {first.label!r:.40} and the id {first.id!r:.40}",
            TealeavesWarning,
            stacklevel=2,
        )
    return years


class DatedWord(NamedTuple):
    """A word, a year, and how often the word occurs in that year."""

    word: str
    year: int
    occurrences: float = 1.0


def _first_years(
    rows: Iterable[DatedWord], place: str, *, at_least: float | None = None, cure: str = ""
) -> dict[str, int]:
    """Return the first year of each word; with ``at_least``, the first with so many occurrences."""
    if at_least is not None and not at_least > 0:
        raise InputError(f"at_least must be more than 0, not {at_least}")
    first: dict[str, int] = {}
    sums: dict[tuple[str, int], float] = {}  # of years with too few occurrences so far
    for word, year, count in rows:
        if year >= first.get(word, _LATEST + 1):
            continue
        if at_least is not None and count < at_least:
            sums[word, year] = sums.get((word, year), 0.0) + count
            if sums[word, year] < at_least:
                continue
        first[word] = year
    if not first:
        often = "" if at_least is None else f" in which it occurs {at_least:g} times or more"
        raise InputError(f"{place}: no word has a year{often}{cure}")
    return first


def _words_of_texts(
    corpus: Corpus, pipeline: Pipeline, undated: list[Document]
) -> Iterator[DatedWord]:
    """Yield the words of dated texts; add the others to ``undated``."""
    tokenize = pipeline.tokenizer()
    for document in corpus:
        year = _LEADING_YEAR.match((document.label or document.id).lstrip())
        if year is None or not _EARLIEST <= int(year[0]) <= _LATEST:
            undated.append(document)
            continue
        tokens = tokenize(document.text)
        if len(tokens) >= pipeline.min_tokens:
            for token, count in Counter(map(_normalize, tokens)).items():
                yield DatedWord(token, int(year[0]), count)


def _place(source: Any, otherwise: str) -> str:
    return os.fspath(source) if isinstance(source, str | os.PathLike) else otherwise


def _normalize(word: str) -> str:
    return normalize(word.strip(), lower=True)


# ---------------------------------------------------------------------- rows of words and years


class YearColumns(NamedTuple):
    """The names that the caller gives to columns, and whether there may be a column of counts."""

    names: Mapping[str, str]
    has_counts: bool


def _dated_words(source: Any, columns: YearColumns) -> Iterator[DatedWord]:
    """Yield the dated words of a file, a data frame, dictionaries, tuples or a mapping.

    Rows with a missing year or count are left out.
    """
    if isinstance(source, str | os.PathLike):
        return _parse_rows(*_read_table(source, columns))
    if isinstance(source, Mapping):
        return _parse_tuples(source.items(), columns)
    if isinstance(source, Iterable) and not hasattr(source, "columns"):
        rest = iter(source)
        first = list(itertools.islice(rest, 1))
        source = itertools.chain(first, rest)
        if not (first and isinstance(first[0], Mapping)):
            return _parse_tuples(source, columns)
    records = records_of(source, "dated words")
    rows = [Row(f"row {number}", record) for number, record in enumerate(records, 1)]
    names = _columns_by_title(list(records[0]) if records else [], columns, "the dated words")
    return _parse_rows(rows, names)


def _parse_tuples(rows: Iterable[Any], columns: YearColumns) -> Iterator[DatedWord]:
    for number, row in enumerate(rows, 1):
        cells = () if isinstance(row, str) or not isinstance(row, Iterable) else tuple(row)
        if not 2 <= len(cells) <= 3:
            raise InputError(f"row {number}: {row!r:.60} is not a word and a year (and a count)")
        count = cells[2] if columns.has_counts and len(cells) == 3 else 1.0
        yield from _parse_cells(cells[0], cells[1], count, f"row {number}")


def _parse_rows(rows: Iterable[Row], names: Mapping[str, str]) -> Iterator[DatedWord]:
    word, year, count = names["word"], names["year"], names.get("count")
    for place, values in rows:
        yield from _parse_cells(
            values.get(word), values.get(year), values.get(count) if count else 1.0, place
        )


def _parse_cells(word: Any, year: Any, count: Any, place: str) -> tuple[DatedWord, ...]:
    """Return the dated word of a row, or nothing if its year or count is missing."""
    plain = _normalize(word) if isinstance(word, str) else ""
    if not plain:
        raise InputError(f"{place}: {word!r:.60} is not a word")
    try:
        year_number = _parse_year_text(year) if isinstance(year, str) else _parse_year(year)
    except ValueError as error:
        raise InputError(f"{place}: the year of {word!r:.40} is {error}") from error
    try:
        count_number = _parse_count(count)
    except ValueError as error:
        raise InputError(f"{place}: the count of {word!r:.40} is {error}") from error
    if year_number is None or count_number is None:
        return ()
    return (DatedWord(plain, year_number, count_number),)


def _parse_year(value: Any) -> int | None:
    """Return a whole number, or the year of a date; None if the cell is empty."""
    year = _parse_number(_year_of_date(value))
    if year is None:
        return None
    if not _EARLIEST <= year <= _LATEST:
        raise ValueError(f"{value!s:.40}: years are from {_EARLIEST} to {_LATEST}")
    if not year.is_integer():
        raise ValueError(f"{value!s:.40}, not a whole number")
    return int(year)


_parse_year_text = lru_cache(maxsize=10_000)(_parse_year)  # long tables have few different years


def _parse_count(value: Any) -> float | None:
    is_float = type(value) is float and value == value  # the usual case, and much faster
    count = value if is_float else _parse_number(value)
    if count is not None and not 0 <= count < math.inf:
        raise ValueError(f"{value!s:.40}, not 0 or more")
    return count


def _parse_number(value: Any) -> float | None:
    try:
        return number_of(value)
    except ValueError as error:
        raise ValueError(f"{value!r:.40}, not a number") from error


def _year_of_date(value: Any) -> Any:
    """Return the year of a date of Python or ISO; anything else unchanged.

    >>> _year_of_date("1851-10-18"), _year_of_date(dt.date(1851, 10, 18)), _year_of_date("1851")
    ('1851', 1851, '1851')
    """
    if isinstance(value, dt.date):
        return value.year
    date = _DATE.fullmatch(value) if isinstance(value, str) and "-" in value else None
    return date[1] if date else value


# ---------------------------------------------------------------------- files, and their columns


def _read_table(
    path: str | os.PathLike[str], columns: YearColumns
) -> tuple[Iterator[Row], Mapping[str, str]]:
    """Return the rows of a file, and the names of its columns of words, years and counts."""
    file, place = Path(path).expanduser(), str(path)
    suffix = format_suffix(file)
    if not file.is_file():
        raise InputError(f"{path}: {'a folder, not a file' if file.is_dir() else 'no such file'}")
    if suffix not in (*_CELL_SUFFIXES, *TABLE_SUFFIXES):
        suffixes = ", ".join(dict.fromkeys((*_CELL_SUFFIXES, *TABLE_SUFFIXES)))
        raise InputError(f"{path}: a table of words and years is {suffixes}, compressed or not")
    rows = _read_cells(file, suffix) if suffix in _CELL_SUFFIXES else read_rows(file)
    first = list(itertools.islice(rows, _ROWS_EXAMINED))
    if not first:
        raise InputError(f"{path}: the table is empty")
    if suffix not in _CELL_SUFFIXES:
        names = _columns_by_title(list(first[0].values), columns, place)
        return itertools.chain(first, rows), names
    titles = [title.strip() for title in first[0].values.values()]
    if not _is_header(titles, columns, place):
        return itertools.chain(first, rows), _columns_by_content(first, columns, place)
    names = _columns_by_title(titles, columns, place)
    numbers = {title: str(number) for number, title in enumerate(titles, 1)}
    named = {column: numbers[title] for column, title in names.items()}
    return itertools.chain(first[1:], rows), named


def _read_cells(file: Path, suffix: str) -> Iterator[Row]:
    """Yield the cells of each line, by the numbers of their columns."""
    source = InputFile(file)
    start = next(source.lines(), "")
    style: dict[str, Any] = {"delimiter": "\t"}
    if suffix == ".csv":
        signs = [sign for sign in "\t;" if sign in start and "," not in start]
        style = {"delimiter": signs[0] if signs else ","}
    elif suffix == ".txt" and "\t" not in start:
        style = {"delimiter": " ", "skipinitialspace": True}
    if suffix != ".csv" and not start.startswith('"'):
        style["quoting"] = csv.QUOTE_NONE
    return delimited_rows(source, header=False, **style)


def _is_header(titles: Sequence[str], columns: YearColumns, place: str) -> bool:
    """Tell whether a first row is a header: the caller names titles, or it has word and year."""
    if any(name in titles or not name.isdecimal() for name in columns.names.values()):
        return True
    if len(set(titles)) < len(titles):
        return False
    names = find_columns(titles, _WORD_AND_YEAR, where=place, advice=_HOW_TO_CHOOSE).names
    return len(names) == len(_WORD_AND_YEAR)


def _columns_by_title(titles: Sequence[str], columns: YearColumns, place: str) -> dict[str, str]:
    """Find the columns by their titles; those of words and years must be there."""
    aliases = {**_WORD_AND_YEAR, **_COUNT} if columns.has_counts else _WORD_AND_YEAR
    names = find_columns(
        titles, aliases, where=place, chosen=columns.names, advice=_HOW_TO_CHOOSE
    ).names
    for column in _WORD_AND_YEAR:
        if column not in names:
            present = f"there are {', '.join(titles)}" if titles else "there is none"
            raise InputError(
                f"{place}: no column is called {column} ({present}); rename one, or in Python "
                f'pass derive_years(…, {column}="…")'
            )
    return names


def _columns_by_content(first: Sequence[Row], columns: YearColumns, place: str) -> dict[str, str]:
    """Find the columns of a table without a header: the first has words; the first numbers, years.

    The first row is not examined unless it is the only one. So an unknown header is noticed.
    """
    numbers = list(first[0].values)
    names = find_columns(
        numbers,
        {"word": (), "year": (), "count": ()},
        where=place,
        chosen=columns.names,
        advice=_HOW_TO_CHOOSE,
    ).names
    names.setdefault("word", numbers[0])
    if "year" not in names:
        rows = first[1:] or first
        for number in numbers:
            cells = (row.values[number] for row in rows)
            if number not in names.values() and _are_mostly_numbers(cells):
                names["year"] = number
                break
        else:
            raise InputError(f"{place}: no column has years; a line is a word, a tab and a year")
    title = first[0].values[names["year"]]
    if not (means_missing(title) or _is_number(title)):
        raise InputError(
            f"{first[0].where}: {title!r:.40} is no year; if this is a header, call its columns "
            "word and year"
        )
    return names


def _are_mostly_numbers(cells: Iterable[str]) -> bool:
    """Tell whether more than half of the cells that are not empty are numbers."""
    are_numbers = [_is_number(cell) for cell in cells if not means_missing(cell)]
    return 2 * sum(are_numbers) > len(are_numbers)


def _is_number(cell: str) -> bool:
    try:
        return number_of(_year_of_date(cell)) is not None
    except ValueError:
        return False
