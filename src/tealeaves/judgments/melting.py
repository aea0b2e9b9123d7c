"""From a column an annotator to an answer a row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tealeaves.errors import InputError, did_you_mean
from tealeaves.tables.columns import is_column_name

#: What each column is called; the answer may be several columns, one of each annotator.
Named = Mapping[str, str | Sequence[str]]


class Melted(NamedTuple):
    """Rows of one answer each, where they stand, and what columns are called."""

    records: list[dict[str, Any]]
    where: list[str]
    columns: dict[str, str]
    notes: list[str]


def melted(
    records: Sequence[Mapping[str, Any]], where: Sequence[str], columns: Named, name: str
) -> Melted:
    """Make a row of each cell where the answer is several columns; else leave all as it is.

    >>> rows = [{"topic": 1, "ann": 3, "bob": 2}]
    >>> melted(rows, ["a.csv:2"], {"answer": "ann,bob"}, "a.csv").records
    [{'topic': 1, 'annotator': 'ann', 'answer': 3}, {'topic': 1, 'annotator': 'bob', 'answer': 2}]
    """
    there = dict.fromkeys(key for record in records for key in record)
    told = {column: _names(column, given, there, name) for column, given in columns.items()}
    several = told.get("answer", [])
    single = {column: names[0] for column, names in told.items()}
    if len(several) < 2:
        return Melted([dict(record) for record in records], list(where), single, [])
    if "annotator" in told:
        raise InputError(
            f"{name}: with a column for each annotator there is no column of the annotator: "
            "leave annotator out"
        )
    for column, named in single.items():
        if column != "answer":
            _check_single(column, named, several, there, name)
    found = [_answer(record, column, several) for record in records for column in several]
    places = [f"{place}, {column}" for place in where for column in several]
    rest = {column: _kept(named) for column, named in single.items()}
    own = {"answer": "answer", "annotator": "annotator"}
    note = f"{name}: {len(several)} columns are an annotator each: {', '.join(several)}"
    return Melted(found, places, rest | own, [note])


def _answer(record: Mapping[str, Any], column: str, several: Sequence[str]) -> dict[str, Any]:
    rest = {_kept(key): value for key, value in record.items() if key not in several}
    return rest | {"annotator": column, "answer": record.get(column)}


def _kept(key: str) -> str:
    """Rename a column that is called as one that is made here."""
    return f"{key}_" if is_column_name(key, "answer") or is_column_name(key, "annotator") else key


def _check_single(
    column: str, named: str, several: Sequence[str], there: Mapping[str, None], name: str
) -> None:
    """Refuse a column that is not there, while it is known what is."""
    if named in several:
        raise InputError(f"{name}: {named} is a column of answers, it cannot be the {column} too")
    _check_there(named, there, name)


def _check_there(one: str, there: Mapping[str, None], name: str) -> None:
    if one not in there:
        listed = ", ".join(there)
        raise InputError(f"{name}: no column {one}{did_you_mean(one, there)} (there are {listed})")


def _names(
    column: str, given: str | Sequence[str], there: Mapping[str, None], name: str
) -> list[str]:
    """Return the columns that the caller names: one, or several of the answer."""
    if isinstance(given, str) and (given in there or "," not in given):
        return [given]
    names = [one.strip() for one in given.split(",")] if isinstance(given, str) else list(given)
    names = list(dict.fromkeys(one for one in names if one))
    if column != "answer" or not names:
        raise InputError(f"{name}: {column} is one column, not {', '.join(names) or 'none'}")
    for one in names:
        _check_there(one, there, name)
    return names
