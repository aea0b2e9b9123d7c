"""What stands where an answer is expected: lists, objects, decimal commas, infinite numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tealeaves.errors import InputError
from tealeaves.judgments import cells
from tealeaves.tables.columns import is_missing, means_missing, plain_id, replace_decimal_comma


class Exploded(NamedTuple):
    """Rows of one answer each, where they stand, and what was made of lists."""

    records: list[dict[str, Any]]
    where: list[str]
    notes: list[str]


def exploded(
    records: Sequence[dict[str, Any]], where: Sequence[str], names: Mapping[str, str], name: str
) -> Exploded:
    """Make a row of each answer of a list; nobody knows who gave it.

    A list without an answer is one that is missing. Objects are no answers.

    >>> rows = [{"topic": 0, "votes": [3, 2]}]
    >>> exploded(rows, ["a.jsonl:1"], {"answer": "votes"}, "a.jsonl").records
    [{'topic': 0, 'votes': 3}, {'topic': 0, 'votes': 2}]
    """
    column = names.get("answer", "")
    who = names.get("annotator", "")
    found: list[dict[str, Any]] = []
    places: list[str] = []
    lists = 0
    for record, place in zip(records, where, strict=True):
        several = _several(record.get(column), place)
        if several is None:
            found.append(record)
            places.append(place)
            continue
        if len(several) > 1 and not is_missing(record.get(who)):
            raise InputError(
                f"{place}: {len(several)} answers of one annotator ({record[who]!s:.40}): "
                "give one answer a row"
            )
        lists += 1
        found += [{**record, column: answer} for answer in several or [None]]
        places += [f"{place}, answer {number}" for number in range(1, max(len(several), 1) + 1)]
    if not lists:
        return Exploded(found, places, [])
    rows = len(found) - len(records) + lists
    note = f"{name}: {lists} lists in {column} are {rows} answers; nobody knows whose each is"
    return Exploded(found, places, [note])


def _several(value: Any, place: str) -> list[Any] | None:
    """Return the answers of a list, however it is written; None for a single answer."""
    found = cells.listed(value)
    for one in [value] if found is None else found:
        if isinstance(one, Mapping | list | tuple):
            kind = "an object" if isinstance(one, Mapping) else "a list in a list"
            raise InputError(
                f"{place}: the answer {one!s:.40} is {kind}: give a number, a word, or a "
                "list of them"
            )
    return found


def check_answers(rows: Sequence[dict[str, Any]], where: Sequence[str], notes: list[str]) -> None:
    """Read decimal commas and refuse infinite answers.

    Task by task, for one may have numbers and another words.
    """
    parts: dict[tuple[str, str], list[int]] = {}
    for position, row in enumerate(rows):
        part = (plain_id(row.get("dataset")), plain_id(row.get("task")))
        parts.setdefault(part, []).append(position)
    commas: list[str] = []
    for positions in parts.values():
        part_rows = [rows[at] for at in positions]
        commas += _with_points(part_rows)
        cells.check_finite([row["answer"] for row in part_rows], [where[at] for at in positions])
    if commas:
        point = replace_decimal_comma(commas[0])
        notes.append(f"answers have decimal commas: {commas[0]} is read as {point}")


def _with_points(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Write decimal points where all numbers have commas, and return what stood there.

    Where only some have one, ``1,2`` may as well be two answers.
    """
    given = [row for row in rows if not means_missing(row["answer"])]
    texts = [(row, row["answer"].strip()) for row in given if isinstance(row["answer"], str)]
    commas = [(row, text, point) for row, text in texts if (point := replace_decimal_comma(text))]
    if any(cells.is_number(row["answer"]) for row in given):
        return []
    for row, _, point in commas:
        row["answer"] = point
    return [text for _, text, _ in commas]
