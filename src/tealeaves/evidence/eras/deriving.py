"""Years of first use, from whatever is dated: lists of words, quotations, n-grams, texts."""

from __future__ import annotations

import os
import re
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from tealeaves.errors import InputError, TealeavesWarning
from tealeaves.evidence.eras.rows import EARLIEST, LATEST, Asked, Dated, dated_rows, folded
from tealeaves.text.corpus import Corpus
from tealeaves.text.document import Document
from tealeaves.text.pipeline import Pipeline

_DATED = re.compile(r"-?\d{4}(?!\d)")  # four digits: a label or an id may be a small number


def derive_years(
    given: Any,
    *,
    word: str | None = None,
    year: str | None = None,
    count: str | None = None,
    at_least: float = 1,
) -> dict[str, int]:
    """Return the first year in which each word of a dated list is often enough.

    A word may stand in many rows of the list. Rows of the same word and year add up.

    Parameters
    ----------
    given
        A table of words and years, as for ``Eras.open``; or rows: a data frame, dictionaries, or
        tuples of word and year (and count).
    word, year, count
        Names of the columns, where they are not called so; their numbers (``"3"``) where there is
        no header. Without a count, each row is one occurrence.
    at_least
        How many occurrences in a year make it the year of a word.

    >>> rows = [("web", 1950, 3), ("web", 1400, 1), ("web", 1610, 2), ("web", 1610, 1)]
    >>> derive_years(rows), derive_years(rows, at_least=3)
    ({'web': 1400}, {'web': 1610})
    """
    asked = Asked(word, year, count, counted=True)
    where = os.fspath(given) if isinstance(given, str | os.PathLike) else "the dated words"
    return first_years(dated_rows(given, asked), where, at_least=at_least)


def years_of_texts(
    corpus: Corpus, pipeline: Pipeline | str = "words", *, at_least: float = 1
) -> dict[str, int]:
    """Return the first year in which each word occurs often enough in dated texts.

    A text is dated by the four digits that its label begins with, or its id if it has no label:
    ``1851``, ``1851-10-18``, ``-0044 De officiis``. Texts without a year are left out, with a
    warning.

    >>> texts = [Document("A king", label="1611"), Document("The king's web", label="1995-08")]
    >>> years_of_texts(Corpus.of(texts))
    {'a': 1611, 'king': 1611, 'the': 1995, 's': 1995, 'web': 1995}
    """
    undated: list[Document] = []
    years = first_years(
        _words_of(corpus, Pipeline.parse(pipeline), undated),
        f"{corpus.name}: the label or id of a text begins with its year (1851-10-18); here",
        at_least=at_least,
    )
    if undated:
        one = undated[0]
        warnings.warn(
            f"{corpus.name}: {len(undated)} texts have no year and are left out: the first has the "
            f"label {one.label!r:.40} and the id {one.id!r:.40}",
            TealeavesWarning,
            stacklevel=2,
        )
    return years


def first_years(
    rows: Iterable[Dated], where: str, *, at_least: float | None = None
) -> dict[str, int]:
    """Return the first year of each word with at least so many occurrences; None: any number."""
    if at_least is not None and not at_least > 0:
        raise InputError(f"at_least is {at_least}: a word occurs more than 0 times in its year")
    first: dict[str, int] = {}
    few: dict[tuple[str, int], float] = {}  # of years in which there were too few so far
    for word, year, times in rows:
        if year >= first.get(word, LATEST + 1):
            continue
        if at_least is not None and times < at_least:
            few[word, year] = few.get((word, year), 0.0) + times
            if few[word, year] < at_least:
                continue
        first[word] = year
    if not first:
        often = "" if at_least is None else f" in which it occurs {at_least:g} times or more"
        raise InputError(f"{where}: no word has a year{often}")
    return first


def _words_of(corpus: Corpus, pipeline: Pipeline, undated: list[Document]) -> Iterator[Dated]:
    tokenize = pipeline.tokenizer()
    for document in corpus:
        found = _DATED.match((document.label or document.id).lstrip())
        if found is None or not EARLIEST <= int(found[0]) <= LATEST:
            undated.append(document)
            continue
        tokens = tokenize(document.text)
        if len(tokens) >= pipeline.min_tokens:
            for token, count in Counter(map(folded, tokens)).items():
                yield Dated(token, int(found[0]), count)
