"""``tealeaves relevance curve``."""

from __future__ import annotations

from typing import Any, NamedTuple

import click

from tealeaves.cli import options as shared
from tealeaves.cli.help import METRICS, STATISTICS, option
from tealeaves.cli.help import command as declare
from tealeaves.cli.output import OutputOptions, output_options
from tealeaves.cli.people import JudgmentOptions, human_option, judgment_options


class CurveOptions(NamedTuple):
    """What is correlated, and for which numbers of texts."""

    by: str
    coefficient: str
    sizes: list[int] | None
    draws: int
    level: float
    seed: int


_curve_options = shared.OptionFamily(
    "curve",
    CurveOptions,
    option(
        "--by",
        heading=STATISTICS,
        type=click.Choice(["model", "topic"]),
        default="model",
        help="Correlate the scores of models, or those of topics.",
    ),
    option(
        "--coefficient",
        heading=STATISTICS,
        type=click.Choice(["pearson", "spearman", "kendall", "phik"]),
        default="pearson",
        help="phik needs the extra phik.",
    ),
    option(
        "--sizes",
        heading=STATISTICS,
        callback=shared.read_numbers,
        metavar="NUMBERS",
        help='Numbers of texts, as in "100 300 1000". Default: 25, 50, 100 and so on, and all.',
    ),
    option(
        "--draws",
        heading=STATISTICS,
        type=int,
        default=100,
        help="Random subsets of each size.",
    ),
    option(
        "--level",
        heading=STATISTICS,
        type=float,
        default=0.95,
        metavar="SHARE",
        help="The share of subsets that are in the range.",
    ),
    shared.seed_option,
)


@declare("curve")
@click.argument("relevance", metavar="FILE")
@click.argument("topics", nargs=-1, metavar="[TOPICS]...")
@human_option
@option(
    "-m",
    "--metrics",
    heading=METRICS,
    multiple=True,
    metavar="SPECS",
    help='Metrics of relevance, as in "lrp_sum@10 cooccurrence@10", with the heads that were '
    "fixed. Default: all, @10.",
)
@_curve_options
@judgment_options
@shared.separator_option
@output_options
def command(
    relevance: str,
    topics: tuple[str, ...],
    human: str,
    metrics: tuple[str, ...],
    curve: CurveOptions,
    judged: JudgmentOptions,
    separator: str | None,
    out: OutputOptions,
) -> None:
    """Show how agreement with people grows with the number of texts.

    FILE is relevance of `tealeaves relevance gather`. It holds what each text adds, so that
    subsets of the texts are scored without running the network again: how many texts are enough
    can be seen at once. TOPICS are the models that people judged, as for `tealeaves score`;
    without them the judged topics themselves are scored, if the judgments have their words.

    \b
    Examples:
      tealeaves relevance curve news.relevance --human votes.jsonl.gz --scale votes
      tealeaves relevance curve news.relevance lda.json nmf.json --human ratings.csv --by topic
      tealeaves relevance curve news.relevance --human votes.csv -m "lrp_sum@10 cooccurrence@10" \\
          --sizes "100 300 1000" --plot curve.svg -o curve.csv
    """
    out.check([relevance, human, *topics])
    from tealeaves.judgments import tradeoff

    result = tradeoff(
        relevance,
        shared.read_topic_files(topics, separator) if topics else None,
        judged.read(human),
        metrics or None,
        **curve._asdict(),
    )

    def chart() -> Any:
        from tealeaves.report.charts import curve_chart

        return curve_chart(result)

    out.show(result, chart)
