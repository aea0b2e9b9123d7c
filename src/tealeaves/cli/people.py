"""Options of commands that read judgments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from tealeaves.cli.options import stacked
from tealeaves.tables.numbers import list_text

if TYPE_CHECKING:
    from tealeaves.judgments.agreement.careless import Annotator, Thresholds
    from tealeaves.judgments.judgments import Judgments

# So many of those who are left out are named.
_NAMED = 10

human_option = click.option(
    "--human",
    required=True,
    metavar="FILE",
    help="The judgments: tidy rows in CSV, TSV, JSONL, JSON or Parquet, or a published layout.",
)

people_options = stacked(
    click.option(
        "--column",
        "columns",
        multiple=True,
        metavar="NAME=COLUMN",
        help="What a column of the judgments is called, as in answer=rating or annotator=who; "
        "answer=a1,a2,a3 where each annotator has a column. May be repeated. "
        "Names: dataset, model, topic, item, annotator, task, answer, key, correct, gold, time, "
        "options, position, words.",
    ),
    click.option(
        "--layout",
        metavar="NAME",
        help="tidy, or the layout of a published data set; told by the columns, if not given.",
    ),
    click.option("--task", "tasks", multiple=True, metavar="TASK", help="Only this task."),
    click.option(
        "--where",
        "conditions",
        multiple=True,
        metavar="COLUMN=VALUE",
        help="Only judgments with this value, as in familiar=1. May be repeated.",
    ),
    click.option(
        "--scale",
        metavar="SCALE",
        help="What answers count: votes (4, 3, 2, 1 as 2, 1, -1, -2), majority (the same, the vote "
        'of most, 0 for mixed), or "good=3, fair=2, bad=1". Default: as they are.',
    ),
    click.option(
        "--without-flagged",
        is_flag=True,
        help="Leave out annotators who look careless, each from the tasks of the flags; "
        "`tealeaves agreement --annotators` shows them.",
    ),
)


def read_people(
    path: str, given: dict[str, Any], thresholds: Thresholds | None = None
) -> Judgments:
    """Read the judgments that the options name; their notes say what is left out.

    ``thresholds`` decide who is careless.
    """
    from tealeaves.judgments.reading import read_judgments

    people = read_judgments(path, layout=given["layout"], columns=_columns(given["columns"]))
    for name, value in (_assignment(text, "--where") for text in given["conditions"]):
        chosen = _kept(people, people.where(**{name: value}), f"--where {name}={value}", path)
        people = _said(people, chosen, f"with {name}={value}")
    if given["tasks"]:
        people = _said(people, people.of_tasks(given["tasks"]), f"of {', '.join(given['tasks'])}")
    if given["scale"]:
        people = people.scaled(given["scale"])
    return _without_flagged(people, path, thresholds) if given["without_flagged"] else people


def _columns(options: Sequence[str]) -> dict[str, str] | None:
    pairs = [_assignment(text, "--column") for text in options]
    twice = [name for name, count in Counter(name for name, _ in pairs).items() if count > 1]
    if twice:
        raise click.UsageError(f"--column {twice[0]} is given twice; several are NAME=A,B")
    return dict(pairs) or None


def _assignment(text: str, option: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign or not name.strip():
        raise click.UsageError(f"{option} {text}: give NAME=VALUE")
    return name.strip(), value.strip()


def _kept(before: Judgments, after: Judgments, what: str, path: str) -> Judgments:
    if not len(after):
        raise click.UsageError(f"{path}: {what} leaves none of {len(before)} judgments")
    return after


def _said(before: Judgments, after: Judgments, what: str) -> Judgments:
    """Add a note of what is left."""
    after.notes.append(f"only judgments {what}: {len(after)} of {len(before)}")
    return after


def _without_flagged(people: Judgments, path: str, thresholds: Thresholds | None) -> Judgments:
    from tealeaves.judgments.agreement.careless import without_flagged

    if people.frame["annotator"].null_count() == len(people):
        raise click.UsageError(f"{path}: nobody knows who answered: no one can be flagged")
    rest, flagged = without_flagged(people, thresholds)
    _kept(people, rest, "--without-flagged", path)
    rest.notes.append(_left_out(flagged, len(people) - len(rest), len(people.parts)))
    return rest


def _left_out(flagged: Sequence[Annotator], judgments: int, parts: int) -> str:
    """Say who is left out, and of which tasks where there are several."""
    if not flagged:
        return "no annotator looks careless: none is left out"
    places: dict[str, list[str]] = {}
    for one in flagged:
        place = " ".join(filter(None, (one.dataset, one.task)))
        places.setdefault(one.annotator, []).append(place)
    names = [f"{who} ({', '.join(of)})" if parts > 1 else who for who, of in places.items()]
    who = (
        "1 annotator looks careless and is"
        if len(names) == 1
        else (f"{len(names)} annotators look careless and are")
    )
    return f"{who} left out, with {judgments} judgments: {list_text(names, _NAMED)}"
