"""Options of commands that read judgments."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import click

from tealeaves.cli.help import JUDGMENTS, option
from tealeaves.cli.options import OptionFamily

if TYPE_CHECKING:
    from tealeaves.judgments.agreement.careless import Thresholds
    from tealeaves.judgments.judgments import Judgments

human_option = option(
    "--human",
    heading=JUDGMENTS,
    required=True,
    metavar="FILE",
    help="The judgments: tidy rows in CSV, TSV, JSONL, JSON or Parquet, or a published layout.",
)


class JudgmentOptions(NamedTuple):
    """How judgments are read, and which of them are used."""

    columns: tuple[str, ...] = ()
    layout: str | None = None
    tasks: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    scale: str | None = None
    without_flagged: bool = False

    def read(self, path: str, thresholds: Thresholds | None = None) -> Judgments:
        """Read the judgments; ``thresholds`` decide who is careless."""
        from tealeaves.judgments import Thresholds, read_judgments

        return read_judgments(
            path,
            layout=self.layout,
            columns=_assignments(self.columns, "--column", "several are NAME=A,B"),
            where=_assignments(self.conditions, "--where", "a column has one value"),
            tasks=self.tasks,
            scale=self.scale,
            leave_out=(thresholds or Thresholds()) if self.without_flagged else None,
        )


judgment_options = OptionFamily(
    "judged",
    JudgmentOptions,
    option(
        "--column",
        "columns",
        heading=JUDGMENTS,
        multiple=True,
        metavar="NAME=COLUMN",
        help="The name of a column of the judgments, as in answer=rating or annotator=who; "
        "answer=a1,a2,a3 if each annotator has a column. May be repeated. "
        "Names: dataset, model, topic, item, annotator, task, answer, key, correct, gold, time, "
        "options, position, words.",
    ),
    option(
        "--layout",
        heading=JUDGMENTS,
        metavar="NAME",
        help="tidy, or the layout of a published data set. Default: the one whose columns the "
        "file has.",
    ),
    option(
        "--task",
        "tasks",
        heading=JUDGMENTS,
        multiple=True,
        metavar="TASK",
        help="Only this task. May be repeated.",
    ),
    option(
        "--where",
        "conditions",
        heading=JUDGMENTS,
        multiple=True,
        metavar="COLUMN=VALUE",
        help="Only judgments with this value, as in familiar=1. May be repeated.",
    ),
    option(
        "--scale",
        heading=JUDGMENTS,
        metavar="SCALE",
        help="What answers count: votes (4, 3, 2, 1 as 2, 1, -1, -2), majority (the same, the most "
        'frequent vote, 0 for mixed), or "good=3, fair=2, bad=1". Default: as they are.',
    ),
    option(
        "--without-flagged",
        heading=JUDGMENTS,
        is_flag=True,
        help="Leave out annotators who look careless, each from the tasks of the flags; "
        "`tealeaves agreement --annotators` shows them.",
    ),
)


def _assignments(options: tuple[str, ...], option: str, several: str) -> dict[str, str]:
    """Read the values of an option NAME=VALUE that may be repeated."""
    values: dict[str, str] = {}
    for text in options:
        name, sign, value = (part.strip() for part in text.partition("="))
        if not sign or not name:
            raise click.UsageError(f"{option} {text}: give NAME=VALUE")
        if name in values:
            raise click.UsageError(f"{option} {name} is given twice; {several}")
        values[name] = value
    return values
