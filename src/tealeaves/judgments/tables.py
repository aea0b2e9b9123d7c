"""Judgments from tables of any shape: which column is what, and one answer per row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tealeaves.errors import InputError, did_you_mean
from tealeaves.judgments import cells
from tealeaves.judgments.intrusion import RATING, default_task, mark_correct
from tealeaves.judgments.judgments import COLUMNS, Judgments, TopicKey
from tealeaves.judgments.plausibility import doubts
from tealeaves.tables.columns import (
    COLUMN_ADVICE,
    TOPIC_ALIASES,
    find_columns,
    has_half_character,
    is_column_name,
    is_missing,
    plain_id,
    records_of,
    words_of,
)
from tealeaves.tables.numbers import list_text
from tealeaves.tables.rows import Row

#: The name of each column in a table; the answer may be several columns, one per annotator.
ColumnChoice = Mapping[str, str | Sequence[str]]

#: Other names of columns, which are recognised if the caller names none.
ALIASES: dict[str, tuple[str, ...]] = {
    "dataset": TOPIC_ALIASES["dataset"],
    "model": TOPIC_ALIASES["model"],
    "topic": TOPIC_ALIASES["topic"],
    "item": ("item_id", "question"),
    "annotator": (
        *("annotator_id", "user", "user_id", "worker", "worker_id", "rater", "coder"),
        *("participant", "participant_id", "respondent", "subject"),
    ),
    "task": (),
    "answer": (
        *("rating", "score", "response", "label", "vote", "value", "chosen", "choice"),
        *("human_mean", "mean", "human"),
    ),
    "correct": (),
    "gold": ("is_gold",),
    "time": ("seconds", "lead_time", "duration"),
    "key": ("right", "solution", "intruder"),
    "options": ("shown",),
    "position": (),
    "words": TOPIC_ALIASES["words"],
}
_SCORES = frozenset({"metric", "value", "signature"})  # columns of saved scores
# the columns that must be there, and what to do with a table of another shape
_REQUIRED = {
    "topic": "a table has one answer per row, or one topic per row and one column per annotator "
    "(--column answer=a,b,c); a table with one column per topic must be transposed first",
    "answer": "where each annotator has a column, name them all: --column answer=a1,a2,a3",
}
_MOST_NAMED = 8  # columns in a note
_IDS = TopicKey._fields


def judgments_of(rows: Any, columns: ColumnChoice | None = None) -> Judgments:
    """Make judgments from a data frame or dictionaries; ``columns`` names columns."""
    name = "the table"
    records = records_of(rows, "judgments")
    placed = [Row(f"{name}, row {number}", record) for number, record in enumerate(records, 1)]
    return judgments_of_rows(placed, columns, name=name)


def judgments_of_rows(
    rows: Sequence[Row], columns: ColumnChoice | None = None, *, name: str
) -> Judgments:
    """Make judgments from rows whose places are known; ``name`` is the table, for messages."""
    if not rows:
        raise InputError(f"{name}: no judgments in it")
    present = _column_names(rows)
    if not columns and _SCORES.issubset(present):
        raise InputError(f"{name}: scores of metrics, not judgments, the answers of people")
    notes: list[str] = []
    rows, chosen = _one_annotator_per_row(rows, columns or {}, name, notes)
    keys = _column_names(rows)
    empty = {key for key in keys if all(is_missing(row.values.get(key)) for row in rows)}
    names, remarks = find_columns(keys, ALIASES, where=name, chosen=chosen, empty=empty)
    notes += remarks
    _check_required(names, present, name)
    rows = _one_answer_per_row(rows, names, name, notes)
    notes += _column_notes(names, chosen, [key for key in keys if key not in empty])
    rows = [_canonical(row, names) for row in rows]
    if "task" not in names:
        task = default_task(rows)
        for row in rows:
            row.values["task"] = task
    words = _take_words(rows, notes)
    notes += cells.missing_notes(row.values["answer"] for row in rows)
    cells.check_answers(rows, notes)
    mark_correct(rows, notes)
    try:
        judgments = tidy_judgments([row.values for row in rows], words=words, notes=notes)
    except UnicodeEncodeError:
        places = (row.where for row in rows if has_half_character(row.values))
        raise InputError(f"{next(places, 'a row')}: half a character: write it whole") from None
    judgments.places = _first_places(judgments, rows)
    judgments.notes += doubts(judgments)
    return judgments


def tidy_judgments(
    rows: Sequence[Mapping[str, Any]],
    *,
    words: Mapping[TopicKey, Sequence[str]] | None = None,
    notes: Sequence[str] = (),
) -> Judgments:
    """Make judgments from rows whose columns have their final names; missing ones are filled in."""
    import polars as pl

    keys = [_topic_key(row) for row in rows]
    tasks = [cells.name(row.get("task")) or RATING for row in rows]
    items = [
        cells.name(row.get("item")) or "/".join(filter(None, key))
        for row, key in zip(rows, keys, strict=True)
    ]
    items, item_notes = _unique_items(items, tasks, keys)
    others = [key for key in dict.fromkeys(k for row in rows for k in row) if key not in COLUMNS]
    columns = [
        *(pl.Series(name, [getattr(key, name) for key in keys], pl.String) for name in _IDS),
        pl.Series("item", items, pl.String),
        pl.Series("annotator", [cells.name(row.get("annotator")) for row in rows], pl.String),
        pl.Series("task", tasks, pl.String),
        cells.answers([row.get("answer") for row in rows]),
        pl.Series("correct", [row.get("correct") for row in rows], pl.Boolean),
        pl.Series("gold", [bool(row.get("gold")) for row in rows], pl.Boolean),
        pl.Series("time", [row.get("time") for row in rows], pl.Float64),
        *(cells.other_column(name, [row.get(name) for row in rows]) for name in others),
    ]
    return Judgments(pl.DataFrame(columns), words=words, notes=[*notes, *item_notes])


def _topic_key(row: Mapping[str, Any]) -> TopicKey:
    return TopicKey(*(plain_id(row.get(name)) for name in _IDS))


# ---------------------------------------------------------------------- columns


def _column_names(rows: Sequence[Row]) -> list[str]:
    return list(dict.fromkeys(key for row in rows for key in row.values))


def _check_required(names: Mapping[str, str], present: Sequence[str], name: str) -> None:
    for column, shapes in _REQUIRED.items():
        if column not in names and not (column == "answer" and "correct" in names):
            raise InputError(
                f"{name}: no column for the {column} (there are {', '.join(present)}): "
                f"{COLUMN_ADVICE.format(column=column, name='NAME')}; {shapes}"
            )


def _column_notes(
    names: Mapping[str, str], chosen: Mapping[str, str], filled: Sequence[str]
) -> list[str]:
    """Say which column was taken for the answer, and which have no meaning."""
    notes = []
    answer = names.get("answer", "answer")
    if "answer" not in chosen and not is_column_name(answer, "answer"):
        notes.append(f"`{answer}` is taken for the answer")
    # columns that are passed over for a better name have a note already
    passed_over = [alias for column in names if column not in chosen for alias in ALIASES[column]]
    unknown = [
        key
        for key in filled
        if key not in names.values() and not any(is_column_name(key, one) for one in passed_over)
    ]
    if unknown:
        notes.append(
            f"columns of no meaning here, kept: {list_text(unknown, _MOST_NAMED)} "
            "(--column says what they are)"
        )
    return notes


# ---------------------------------------------------------------------- one answer per row


def _one_annotator_per_row(
    rows: Sequence[Row], columns: ColumnChoice, name: str, notes: list[str]
) -> tuple[Sequence[Row], dict[str, str]]:
    """Make a row of each cell if several columns are named for the answer, one per annotator.

    Returns the rows, and the column that each choice names in them.
    """
    present = _column_names(rows)
    chosen = {column: _chosen(column, choice, present, name) for column, choice in columns.items()}
    single = {column: choices[0] for column, choices in chosen.items()}
    annotators = chosen.get("answer", [])
    if len(annotators) < 2:
        return rows, single
    if "annotator" in chosen:
        raise InputError(
            f"{name}: annotator cannot be named if each annotator has a column: leave it out"
        )
    del single["answer"]
    for column, choice in single.items():
        if choice in annotators:
            raise InputError(
                f"{name}: {choice} is a column of answers, it cannot be the {column} too"
            )
        _check_present(choice, present, name)

    def renamed(key: str) -> str:  # no other column may have one of the two new names
        clash = is_column_name(key, "answer") or is_column_name(key, "annotator")
        return f"{key}_" if clash else key

    answers = []
    for row in rows:
        rest = {renamed(key): cell for key, cell in row.values.items() if key not in annotators}
        for who in annotators:
            values = rest | {"annotator": who, "answer": row.values.get(who)}
            answers.append(Row(f"{row.where}, {who}", values))
    notes.append(
        f"{name}: each of {len(annotators)} columns is an annotator: {', '.join(annotators)}"
    )
    kept = {column: renamed(choice) for column, choice in single.items()}
    return answers, kept | {"answer": "answer", "annotator": "annotator"}


def _chosen(
    column: str, choice: str | Sequence[str], present: Sequence[str], name: str
) -> list[str]:
    """Return the columns that the caller names: one, or several for the answer."""
    if isinstance(choice, str) and (choice in present or "," not in choice):
        return [choice]
    names = [part.strip() for part in choice.split(",")] if isinstance(choice, str) else choice
    names = list(dict.fromkeys(filter(None, names)))
    if column != "answer" or not names:
        raise InputError(f"{name}: {column} is one column, not {', '.join(names) or 'none'}")
    for part in names:
        _check_present(part, present, name)
    return names


def _check_present(column: str, present: Sequence[str], name: str) -> None:
    if column not in present:
        hint = did_you_mean(column, present)
        raise InputError(f"{name}: no column {column}{hint} (there are {', '.join(present)})")


def _one_answer_per_row(
    rows: Sequence[Row], names: Mapping[str, str], name: str, notes: list[str]
) -> list[Row]:
    """Make a row of each answer of a list; their annotators are unknown.

    An empty list is a missing answer. Objects are no answers.
    """
    column = names.get("answer", "")
    annotator = names.get("annotator", "")
    single: list[Row] = []
    lists = answers = 0
    for row in rows:
        members = cells.list_members(row.values.get(column))
        for cell in [row.values.get(column)] if members is None else members:
            if isinstance(cell, Mapping | list | tuple):
                kind = "an object" if isinstance(cell, Mapping) else "a list in a list"
                raise InputError(
                    f"{row.where}: the answer {cell!s:.40} is {kind}: give a number, a word, or a "
                    "list of them"
                )
        if members is None:
            single.append(row)
            continue
        if len(members) > 1 and not is_missing(row.values.get(annotator)):
            raise InputError(
                f"{row.where}: {len(members)} answers of one annotator "
                f"({row.values[annotator]!s:.40}): give one answer per row"
            )
        lists += 1
        answers += max(len(members), 1)
        for number, answer in enumerate(members or [None], start=1):
            single.append(Row(f"{row.where}, answer {number}", {**row.values, column: answer}))
    if lists:
        notes.append(
            f"{name}: {lists} lists in {column} hold {answers} answers; their annotators are "
            "unknown"
        )
    return single


# ---------------------------------------------------------------------- cells of a row


def _canonical(row: Row, names: Mapping[str, str]) -> Row:
    """Return a row with the names of columns that are used here; other columns are kept."""
    used = set(names.values())
    # another column that has one of our names gets an underscore
    values = {
        f"{key}_" if key in ALIASES else key: cell
        for key, cell in row.values.items()
        if key not in used
    }
    values |= {column: row.values.get(name) for column, name in names.items()}
    values["gold"] = cells.truth(values.get("gold"), f"{row.where}: gold")
    values["time"] = cells.seconds(values.get("time"), row.where)
    values["correct"] = cells.truth(values.get("correct"), f"{row.where}: correct")
    if "answer" not in values:
        values["answer"] = None if values["correct"] is None else int(values["correct"])
    check = values["gold"] and not is_missing(values.get("item"))
    if is_missing(values.get("topic")) and not check:
        raise InputError(f"{row.where}: no topic: say which topic the answer is on")
    return Row(row.where, values)


def _take_words(rows: Sequence[Row], notes: list[str]) -> dict[TopicKey, Sequence[str]]:
    """Remove the words of topics from the rows; the first words of a topic count."""
    words: dict[TopicKey, Sequence[str]] = {}
    changed: dict[TopicKey, str] = {}
    for row in rows:
        try:
            shown = words_of(row.values.pop("words", None))
        except ValueError as error:
            raise InputError(f"{row.where}: words: {error}") from None
        if shown:
            key = _topic_key(row.values)
            if words.setdefault(key, shown) != shown:
                changed.setdefault(key, row.where)
    if changed:
        place = next(iter(changed.values()))
        notes.append(
            f"{place}: other words than before; {len(changed)} topics keep their first words"
        )
    return words


def _first_places(judgments: Judgments, rows: Sequence[Row]) -> dict[tuple[str, str], str]:
    places: dict[tuple[str, str], str] = {}
    frame = judgments.frame.select("task", "answer")
    for (task, answer), row in zip(frame.iter_rows(), rows, strict=True):
        places.setdefault((task, plain_id(answer)), row.where)
    return places


def _unique_items(
    items: Sequence[str], tasks: Sequence[str], keys: Sequence[TopicKey]
) -> tuple[list[str], list[str]]:
    """Rename items to model/topic/item in tasks where one item belongs to several topics.

    An item is what was shown at once, on one topic. If the same number belongs to several topics,
    items were numbered per model or topic, and two answers to it are not answers to one item.
    """
    parts = [(key.dataset, task) for key, task in zip(keys, tasks, strict=True)]
    topics: dict[tuple[tuple[str, str], str], set[TopicKey]] = {}
    for part, item, key in zip(parts, items, keys, strict=True):
        topics.setdefault((part, item), set()).add(key)
    shared = {item: members for item, members in topics.items() if len(members) > 1}
    if not shared:
        return list(items), []
    renamed = {part for part, _ in shared}
    names: dict[tuple[tuple[str, str], str, TopicKey], str] = {}
    uses: dict[tuple[tuple[str, str], str], int] = {}
    for part, item, key in dict.fromkeys(zip(parts, items, keys, strict=True)):
        name = "/".join(filter(None, (key.model, key.topic, item)))
        uses[part, name] = uses.get((part, name), 0) + 1
        # names that contain slashes may give the same name twice
        repeated = f" ({uses[part, name]})" if uses[part, name] > 1 else ""
        names[part, item, key] = f"{name}{repeated}" if part in renamed else item
    (_, first), members = next(iter(shared.items()))
    note = (
        f"{len(shared)} items are of several topics (the first: {first}, of {len(members)}): items "
        "are told apart as model/topic/item"
    )
    return [names[place] for place in zip(parts, items, keys, strict=True)], [note]
