"""``tealeaves agreement``."""

from __future__ import annotations

from typing import Any, NamedTuple

import click

from tealeaves.cli import options as shared
from tealeaves.cli.help import OUTPUT, STATISTICS, option
from tealeaves.cli.help import command as declare
from tealeaves.cli.output import OutputOptions, output_options
from tealeaves.cli.people import JudgmentOptions, judgment_options


class AgreementOptions(NamedTuple):
    """What is measured, and what is shown."""

    level: str
    draws: int
    seed: int
    annotators: bool


class ThresholdOptions(NamedTuple):
    """When annotators are flagged as careless."""

    seconds: float
    line: int
    gold: float
    checks: int


_agreement_options = shared.OptionFamily(
    "chosen",
    AgreementOptions,
    option(
        "--level",
        heading=STATISTICS,
        type=click.Choice(["nominal", "ordinal", "interval"]),
        default="ordinal",
        help="Which α is meant; all three are given.",
    ),
    option(
        "--draws",
        heading=STATISTICS,
        type=click.IntRange(min=100),
        default=2000,
        help="Bootstrap samples.",
    ),
    shared.seed_option,
    option(
        "--annotators",
        heading=OUTPUT,
        is_flag=True,
        help="Show one row per annotator: times, lines, checks, flags.",
    ),
)
_threshold_options = shared.OptionFamily(
    "limits",
    ThresholdOptions,
    option(
        "--seconds",
        heading=STATISTICS,
        type=click.FloatRange(min=0),
        default=1.5,
        metavar="S",
        help="Flag annotators whose median time is shorter.",
    ),
    option(
        "--line",
        heading=STATISTICS,
        type=click.IntRange(min=2),
        default=12,
        help="Flag annotators with this many equal answers in a row.",
    ),
    option(
        "--gold",
        heading=STATISTICS,
        type=click.FloatRange(0, 1),
        default=0.7,
        metavar="SHARE",
        help="Flag annotators with a smaller share of checks right.",
    ),
    option(
        "--checks",
        heading=STATISTICS,
        type=click.IntRange(min=1),
        default=3,
        help="How many checks are needed for that.",
    ),
)


@declare("agreement")
@click.argument("file", metavar="FILE")
@judgment_options
@_agreement_options
@_threshold_options
@output_options
def command(
    file: str,
    judged: JudgmentOptions,
    chosen: AgreementOptions,
    limits: ThresholdOptions,
    out: OutputOptions,
) -> None:
    """Measure how far people agree, and how far their means can be trusted.

    FILE has judgments: tidy rows in CSV, TSV, JSONL, JSON or Parquet, or a published layout. The
    columns are topic and answer, and if they are known dataset, model, item, annotator, task,
    key (the right answer), gold (true for checks of attention) and time (seconds).

    Items that only test attention (gold) count for the flags alone; those of all tasks of a data
    set count together. If annotators look careless, everything is also measured without them.

    \b
    Examples:
      tealeaves agreement ratings.csv
      tealeaves agreement ratings.csv --annotators
      tealeaves agreement ratings.csv --column answer=points --column annotator=who --plot a.html
      tealeaves agreement votes.csv --scale "good=2, rather good=1, rather bad=-1, bad=-2"
    """
    out.check([file])
    from tealeaves.judgments import Thresholds, agreement

    thresholds = Thresholds(*limits)
    result = agreement(
        judged.read(file, thresholds),
        level=chosen.level,
        draws=chosen.draws,
        seed=chosen.seed,
        thresholds=thresholds,
    )

    def chart() -> Any:
        from tealeaves.report.charts import agreement_chart

        return agreement_chart(result)

    out.show(result.careless if chosen.annotators else result, chart)
