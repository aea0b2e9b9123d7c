"""From tables of any kind to judgments: which column is what, and what each row says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError
from tealeaves.judgments import cells
from tealeaves.judgments.answers import check_answers, exploded
from tealeaves.judgments.intrusion import RATING, default_task, mark_correct
from tealeaves.judgments.items import told_apart
from tealeaves.judgments.judgments import COLUMNS, Judgments, TopicKey
from tealeaves.judgments.melting import Named, melted
from tealeaves.judgments.plausible import doubts
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

if TYPE_CHECKING:
    import polars as pl

    from tealeaves.topics.topics import Topics

#: What columns may be called, where the caller does not say.
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
# columns that must be there, and what to do with tables that have several of a kind
_WIDE = {
    "topic": "a table has one answer a row, or one topic a row with a column an annotator "
    "(--column answer=a,b,c); a table with a column a topic must be turned first",
    "answer": "where each annotator has a column, name them all: --column answer=a1,a2,a3",
}
_NAMED = 8  # so many columns are named in a note
_IDS = ("dataset", "model", "topic")
Words = dict[TopicKey, Sequence[str]]


def judgments_of(
    rows: Any,
    columns: Named | None = None,
    *,
    name: str = "the table",
    places: Sequence[str] = (),
) -> Judgments:
    """Make judgments of a data frame or of dictionaries; ``columns`` names columns.

    ``places`` says where each row stands, for errors.
    """
    given = records_of(rows, "judgments")
    if not given:
        raise InputError(f"{name}: no judgments in it")
    there = list(dict.fromkeys(key for record in given for key in record))
    if not columns and _SCORES.issubset(there):
        raise InputError(f"{name}: scores of metrics, not judgments, the answers of people")
    rows_at = list(places) or [f"{name}, row {number}" for number in range(1, len(given) + 1)]
    records, where, told, melting = melted(given, rows_at, columns or {}, name)
    keys = list(dict.fromkeys(key for record in records for key in record))
    empty = {key for key in keys if all(is_missing(record.get(key)) for record in records)}
    names, notes = find_columns(keys, ALIASES, where=name, chosen=told, empty=empty)
    _check_needed(names, there, name)
    left = [key for key in keys if key not in empty]
    records, where, lists = exploded(records, where, names, name)
    notes = [*melting, *notes, *lists, *_taken(names, told, left)]
    found = [_row(record, names, place) for record, place in zip(records, where, strict=True)]
    return _judgments(found, where, notes, task_known="task" in names)


def _judgments(
    rows: list[dict[str, Any]], where: Sequence[str], notes: list[str], *, task_known: bool
) -> Judgments:
    if not task_known:
        task = default_task(rows)
        for row in rows:
            row["task"] = task
    words = _take_words(rows, where, notes)
    notes += cells.written_missing(row["answer"] for row in rows)
    check_answers(rows, where, notes)
    mark_correct(rows, where, notes)
    try:
        judgments = tidy_judgments(rows, words=words, notes=notes)
    except UnicodeEncodeError:
        pairs = zip(rows, where, strict=True)
        place = next((place for row, place in pairs if has_half_character(row)), "a row")
        raise InputError(f"{place}: half a character: write it whole") from None
    judgments.places = _first_places(judgments, where)
    judgments.notes += doubts(judgments)
    return judgments


def tidy_judgments(
    rows: Sequence[Mapping[str, Any]],
    *,
    words: Mapping[TopicKey, Sequence[str]] | None = None,
    notes: Sequence[str] = (),
) -> Judgments:
    """Make judgments of rows whose columns have their right names; missing ones are filled in."""
    import polars as pl

    others = [key for key in dict.fromkeys(k for row in rows for k in row) if key not in COLUMNS]

    def texts(name: str, found: Iterable[str | None]) -> pl.Series:
        return pl.Series(name, list(found), pl.String)

    keys = [TopicKey(*(plain_id(row.get(name)) for name in _IDS)) for row in rows]
    tasks = [cells.name(row.get("task")) or RATING for row in rows]
    items = [
        cells.name(row.get("item")) or "/".join(filter(None, key))
        for row, key in zip(rows, keys, strict=True)
    ]
    items, shared = told_apart(items, tasks, keys)
    columns = [
        *(texts(name, (getattr(key, name) for key in keys)) for name in _IDS),
        texts("item", items),
        texts("annotator", (cells.name(row.get("annotator")) for row in rows)),
        texts("task", tasks),
        cells.answers([row.get("answer") for row in rows]),
        pl.Series("correct", [row.get("correct") for row in rows], pl.Boolean),
        pl.Series("gold", [bool(row.get("gold")) for row in rows], pl.Boolean),
        pl.Series("time", [row.get("time") for row in rows], pl.Float64),
        *(cells.other_column(name, [row.get(name) for row in rows]) for name in others),
    ]
    return Judgments(pl.DataFrame(columns), words=words, notes=[*notes, *shared])


def models_of(judgments: Judgments) -> list[Topics]:
    """Return the judged topics, model by model."""
    from tealeaves.topics.topics import Topic, Topics

    keys = list(judgments.counts())
    unknown = [key for key in keys if key not in judgments.words]
    if unknown:
        raise InputError(
            f"the words of topic {unknown[0].topic!r} of {unknown[0].model or 'the model'} are not "
            f"among the judgments ({len(unknown)} of {len(keys)} topics): score the models apart"
        )
    found: dict[str, dict[str, Topic]] = {}
    for key in keys:
        topic = Topic(key.topic, tuple(judgments.words[key]))
        if found.setdefault(key.model, {}).setdefault(key.topic, topic) != topic:
            raise InputError(
                f"topic {key.topic!r} of {key.model} has other words in another data set: "
                "take one data set at a time"
            )
    return [
        Topics(tuple(topics.values()), model=model or "model") for model, topics in found.items()
    ]


# ---------------------------------------------------------------------- rows


def _check_needed(names: Mapping[str, str], there: Sequence[str], name: str) -> None:
    for needed, wide in _WIDE.items():
        if needed not in names and not (needed == "answer" and "correct" in names):
            raise InputError(
                f"{name}: no column for the {needed} (there are {', '.join(there)}): "
                f"{COLUMN_ADVICE.format(column=needed, name='NAME')}; {wide}"
            )


def _taken(names: Mapping[str, str], told: Mapping[str, str], there: Sequence[str]) -> list[str]:
    """Say what was taken for the answer, and what for nothing."""
    notes = []
    answer = names.get("answer", "answer")
    if "answer" not in told and not is_column_name(answer, "answer"):
        notes.append(f"`{answer}` is taken for the answer")
    # those that are passed over for a better name have a note of their own
    passed = [one for column in names if column not in told for one in ALIASES[column]]
    unknown = [
        key
        for key in there
        if key not in names.values() and not any(is_column_name(key, one) for one in passed)
    ]
    if unknown:
        notes.append(
            f"columns of no meaning here, kept: {list_text(unknown, _NAMED)} "
            "(--column says what they are)"
        )
    return notes


def _row(record: Mapping[str, Any], names: Mapping[str, str], where: str) -> dict[str, Any]:
    """Return a record under the names used here; columns of no meaning here are kept."""
    taken = set(names.values())
    # a column with a name of ours, where the caller says that it is another, is not ours
    row = {
        f"{key}_" if key in ALIASES else key: value
        for key, value in record.items()
        if key not in taken
    }
    row |= {column: record.get(name) for column, name in names.items()}
    row["gold"] = cells.truth(row.get("gold"), f"{where}: gold")
    row["time"] = cells.seconds(row.get("time"), where)
    row["correct"] = cells.truth(row.get("correct"), f"{where}: correct")
    if "answer" not in row:
        row["answer"] = None if row["correct"] is None else int(row["correct"])
    if is_missing(row.get("topic")) and not (row["gold"] and not is_missing(row.get("item"))):
        raise InputError(f"{where}: no topic: say which topic the answer is on")
    return row


def _take_words(rows: Sequence[dict[str, Any]], where: Sequence[str], notes: list[str]) -> Words:
    """Take the words of topics out of the rows; those that come first count."""
    words: Words = {}
    other: dict[TopicKey, str] = {}
    for row, place in zip(rows, where, strict=True):
        try:
            shown = words_of(row.pop("words", None))
        except ValueError as error:
            raise InputError(f"{place}: words: {error}") from None
        if shown:
            key = TopicKey(*(plain_id(row.get(name)) for name in _IDS))
            if words.setdefault(key, shown) != shown:
                other.setdefault(key, place)
    if other:
        place = next(iter(other.values()))
        notes.append(
            f"{place}: other words than before; {len(other)} topics keep their first words"
        )
    return words


def _first_places(judgments: Judgments, where: Sequence[str]) -> dict[tuple[str, str], str]:
    found: dict[tuple[str, str], str] = {}
    frame = judgments.frame.select("task", "answer")
    for (task, answer), place in zip(frame.iter_rows(), where, strict=True):
        found.setdefault((task, plain_id(answer)), place)
    return found
