"""``tealeaves relevance curve``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tealeaves.cli import options as shared
from tealeaves.cli.help import HeadedCommand
from tealeaves.cli.people import human_option, people_options, read_people

if TYPE_CHECKING:
    from tealeaves.evidence.attention.relevance import Relevance
    from tealeaves.judgments.correlation.tradeoff import Tradeoff

_METRICS = ("attention_sum@10", "lrp_sum@10", "improved_lrp_sum@10", "relevance_count@10")
_CONTROL = "cooccurrence@10"


@click.command("curve", cls=HeadedCommand)
@click.argument("relevance", metavar="FILE")
@click.argument("topics", nargs=-1, metavar="[TOPICS]...")
@human_option
@click.option(
    "-m",
    "--metrics",
    "metrics",
    multiple=True,
    metavar="SPECS",
    help='Metrics of relevance, as in "lrp_sum@10 cooccurrence@10", with the heads that were '
    "fixed. Default: all, @10.",
)
@click.option(
    "--by",
    type=click.Choice(["model", "topic"]),
    default="model",
    show_default=True,
    help="Correlate the scores of models, or those of topics.",
)
@click.option(
    "--coefficient",
    type=click.Choice(["pearson", "spearman", "kendall", "phik"]),
    default="pearson",
    show_default=True,
    help="phik needs the extra phik.",
)
@click.option(
    "--sizes",
    metavar="NUMBERS",
    help='Numbers of texts, as in "100 300 1000". Default: 25, 50, 100 and so on, and all.',
)
@click.option(
    "--draws",
    type=int,
    default=100,
    show_default=True,
    metavar="N",
    help="Random subsets of each size.",
)
@click.option(
    "--level",
    type=float,
    default=0.95,
    show_default=True,
    metavar="SHARE",
    help="How many of the subsets are in the range.",
)
@shared.seed_option
@people_options
@shared.separator_option
@shared.format_option
@shared.files_options
@shared.quiet_option
def command(**given: Any) -> None:
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
    sizes = _sizes(given["sizes"])
    shared.check_files(given, [given["relevance"], given["human"], *given["topics"]])
    from tealeaves.cli.output import save_and_show
    from tealeaves.evidence.attention.relevance_file import open_relevance
    from tealeaves.judgments.correlation.tradeoff import tradeoff

    relevance = open_relevance(given["relevance"])
    models = None
    if given["topics"]:
        models = shared.read_topic_files(given["topics"], given["separator"])
    curve = tradeoff(
        relevance,
        models,
        read_people(given["human"], given),
        given["metrics"] or _default(relevance),
        sizes=sizes,
        **{name: given[name] for name in ("by", "draws", "coefficient", "level", "seed")},
    )
    save_and_show(curve, given, lambda: _chart(curve))


def _sizes(text: str | None) -> list[int] | None:
    if text is None:
        return None
    try:
        return [int(number) for number in text.replace(",", " ").split()]
    except ValueError:
        raise click.UsageError(f'--sizes {text}: give whole numbers, as in "100 300"') from None


def _default(relevance: Relevance) -> list[str]:
    """Return all metrics that were gathered."""
    asked = [name for name in _METRICS if relevance.stamp.improved or "improved" not in name]
    return [*asked, _CONTROL]


def _chart(curve: Tradeoff) -> Any:
    from tealeaves.report.charts import curve_chart

    return curve_chart(curve)
