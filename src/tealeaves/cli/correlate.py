"""``tealeaves correlate``."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import click

from tealeaves.cli import options as shared
from tealeaves.cli import report_files
from tealeaves.cli.help import HeadedCommand
from tealeaves.cli.options import reference_options, wants_progress
from tealeaves.cli.people import human_option, people_options, read_people
from tealeaves.errors import TealeavesWarning

if TYPE_CHECKING:
    from tealeaves.judgments.correlation.result import Correlations
    from tealeaves.judgments.judgments import Judgments

_NOTES = 3
_CHARTS = ("all", "forest", "scatter", "heatmap", "separation")
# options that are fields of the plan, under the same names
_PLAN = (
    "by",
    "control",
    "versus",
    "pairs",
    "pool",
    "draws",
    "permutations",
    "seed",
    "level",
    "correction",
    "near",
    "bins",
)


@click.command("correlate", cls=HeadedCommand)
@click.argument("scores", required=False)
@human_option
@click.option(
    "--by",
    type=click.Choice(["topic", "model"]),
    default="topic",
    show_default=True,
    help="Correlate the scores of topics, or those of models.",
)
@click.option(
    "--control",
    default="",
    metavar="METRIC",
    help="Also the partial correlation, this metric held fast.",
)
@click.option(
    "--coefficient",
    "coefficients",
    multiple=True,
    metavar="NAME",
    help="pearson, spearman, kendall or phik (extra phik); may be repeated. Default: the "
    "first three.",
)
@click.option(
    "--versus",
    default="",
    metavar="METRIC",
    help="Test whether this metric agrees better or worse than each other.",
)
@click.option("--pairs", is_flag=True, help="Test all pairs of metrics.")
@click.option(
    "--separation",
    type=click.Choice(["thirds", "halves"]),
    help="Also how well metrics separate the upper third (or half) by people's scores from the "
    "lower: the AUC.",
)
@click.option(
    "--within", type=click.Choice(["model"]), default=None, help="The topics of each model apart."
)
@click.option("--pool", is_flag=True, help="All data sets as one, standardised in each.")
@people_options
@shared.metric_option
@shared.embeddings_option
@shared.relevance_option
@reference_options
@shared.corpus_options
@click.option("--counts", metavar="FILE", help="Counts made by `tealeaves count`, not a corpus.")
@click.option(
    "--draws",
    type=int,
    default=2000,
    show_default=True,
    metavar="N",
    help="Bootstrap samples (Kendall at most 500, phi_K 200).",
)
@click.option(
    "--permutations",
    type=int,
    default=2000,
    show_default=True,
    metavar="N",
    help="Permutations for p (Kendall at most 1000).",
)
@shared.seed_option
@click.option(
    "--level",
    type=float,
    default=0.95,
    show_default=True,
    metavar="SHARE",
    help="Level of intervals.",
)
@click.option(
    "--correction",
    type=click.Choice(["bh", "holm", "none"]),
    default="bh",
    show_default=True,
    help="Of p, for the number of metrics.",
)
@click.option(
    "--near",
    type=float,
    default=0.5,
    show_default=True,
    metavar="JACCARD",
    help="From where on topics are nearly the same, and count as one.",
)
@click.option("--bins", type=int, default=10, show_default=True, metavar="N", help="Bins of phi_K.")
@click.option("--no-noise-correction", is_flag=True, help="phi_K without its noise correction.")
@shared.format_option
@shared.files_options
@report_files.report_options
@click.option(
    "--chart",
    type=click.Choice(_CHARTS),
    default="all",
    show_default=True,
    help="Which: forest plot of the coefficients, scatter plots, metric × metric; or topics that "
    "people rate high and low, which all has too with --separation.",
)
@shared.threads_option
@shared.quiet_option
def command(**given: Any) -> None:
    """Correlate metrics with people's judgments, topic by topic or model by model.

    SCORES is a file of `tealeaves score -o FILE`, or a table of another program: a row a topic,
    with the columns model and topic, and a column a metric. Without SCORES the judged topics
    themselves are scored, if the judgments have their words: give --corpus and -m, and all is done
    in one go. Data sets and tasks are never mixed, unless by --pool. With --versus or --pairs the
    formats jsonl, csv and parquet have the pairs of metrics, with --separation the AUCs, and json
    has all.

    \b
    Examples:
      tealeaves correlate scores.jsonl --human ratings.csv
      tealeaves correlate scores.jsonl --human ratings.csv --by model --plot people.html
      tealeaves correlate --human votes.jsonl.gz -c texts.jsonl.gz -m "npmi@10 c_v@10" --scale votes
      tealeaves correlate scores.csv --human ratings.csv --control npmi@10 --versus c_v@10
      tealeaves correlate scores.csv --human ratings.csv --coefficient pearson --coefficient phik
      tealeaves correlate scores.csv --human ratings.csv --plot figure.svg --chart separation
      tealeaves correlate scores.csv --human r.csv --column answer=rating --where familiar=1
      tealeaves correlate scores.jsonl --human ratings.csv --report report.html
    """
    _check(given)
    from tealeaves.cli.output import save_and_show

    people = read_people(given["human"], given)
    models, scores, judges = _scores(people, given)
    found = _correlated(scores, people, given)
    more = _more(found, given)

    def chart() -> Any:
        from tealeaves.report.charts import correlation_charts, separated_chart

        if given["chart"] == "separation" and given["separation"]:
            return separated_chart(more)
        drawn = correlation_charts(found, given["chart"])
        if given["chart"] == "all" and given["separation"]:
            return _below(drawn, separated_chart(more))
        return drawn

    def run() -> Any:
        return report_files.run_of_people(found, models, scores, judges)

    save_and_show(found, given, chart, pairs=more, run=run)


def _below(first: Any, second: Any) -> Any:
    """Return one chart above another; only the outermost one has a configuration."""
    from tealeaves.extras import require
    from tealeaves.report.charts.style import configured, stacked

    altair = require("altair", extra="report", reason="a chart")
    first.config = second.config = altair.Undefined
    return configured(stacked(altair, [first, second], spacing=56))


def _more(found: Correlations, given: dict[str, Any]) -> Any:
    """Return what is shown beside the coefficients, if anything is."""
    if given["separation"]:
        from tealeaves.judgments.correlation.separation import separation

        return separation(found, given["separation"])
    from tealeaves.judgments.correlation.result import PairTests

    return PairTests(found) if found.pairs else None


def _correlated(scores: Any, people: Judgments, given: dict[str, Any]) -> Correlations:
    from tealeaves.judgments.correlation.correlation import correlate

    return correlate(
        scores,
        people,
        metrics=_labels(given) if given["scores"] else None,
        progress=wants_progress(quiet=given["quiet"]),
        **_plan(given),
    )


def _plan(given: dict[str, Any]) -> dict[str, Any]:
    """Return what the options say of the plan."""
    names = [name for text in given["coefficients"] for name in text.replace(",", " ").split()]
    asked: dict[str, Any] = {"coefficients": tuple(names)} if names else {}
    plan = {name: given[name] for name in _PLAN}
    noise_correction = not given["no_noise_correction"]
    return plan | asked | {"within": given["within"] or "", "noise_correction": noise_correction}


def _scores(people: Judgments, given: dict[str, Any]) -> tuple[Any, Any, Any]:
    """Read the scores, or score the judged topics; return these, and what can explain them."""
    if given["scores"]:
        from tealeaves.metrics.reading import read_scores

        return None, read_scores(given["scores"]), ()

    metrics = report_files.scored_metrics(given)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", TealeavesWarning)
        models = people.topics_only.models()
        judges = report_files.also(metrics, models, given)
        found = _score(models, metrics, judges, given)
    # people often judge the topics of many models, and each has its notes
    found.notes = _few([*(str(one.message) for one in caught), *found.notes])
    return models, found, judges


def _score(models: Any, metrics: Any, judges: Any, given: dict[str, Any]) -> Any:
    from tealeaves.metrics.evaluation import score

    texts = shared.TextOptions.of(given)
    return score(
        models,
        shared.SourceOptions.of(given).sources(texts, models),
        metrics,
        also=judges,
        threads=given["threads"],
        progress=wants_progress(quiet=given["quiet"]),
    )


def _few(notes: list[str]) -> list[str]:
    notes = list(dict.fromkeys(notes))
    if len(notes) <= _NOTES + 1:
        return notes
    more = len(notes) - _NOTES
    return [*notes[:_NOTES], f"{more} more notes on the scores: `tealeaves score` shows all"]


def _labels(given: dict[str, Any]) -> list[str] | None:
    """Return the metrics that are asked for, as they are labelled in the scores."""
    from tealeaves.expressions import split_expressions

    return [name for text in given["metrics"] for name in split_expressions(text)] or None


def _check(given: dict[str, Any]) -> None:
    """Refuse what cannot be before anything is read."""
    sources = ("corpora", "counts", "relevance", "reference")
    if given["scores"] and any(given[name] for name in sources):
        raise click.UsageError(
            "give either SCORES, or --corpus (or --counts, --relevance, --reference) to score the "
            "topics"
        )
    shared.check_texts(given)
    if not any(given[name] for name in ("scores", "metrics", *sources)):
        raise click.UsageError("give SCORES, or metrics (-m) and --corpus to score judged topics")
    if given["separation"] and (given["pairs"] or given["versus"]):
        raise click.UsageError("give either --separation, or --pairs or --versus")
    files = [given[name] for name in ("human", "scores", "counts", "relevance")]
    named = (
        [] if given["scores"] else shared.metric_files(shared.parse_specs(given["metrics"]))
    )  # beside scores -m names columns
    texts = [*given["corpora"], *given["reference"]]
    inputs = [*filter(None, files), *texts, *named]
    shared.check_files(given, inputs)
    report_files.check_report(given, inputs)
    from tealeaves.judgments.correlation.plan import read_plan

    read_plan(**_plan(given))
    if not given["scores"]:
        _check_metrics(given)


def _check_metrics(given: dict[str, Any]) -> None:
    metrics = report_files.scored_metrics(given)
    known = [repr(metric) for metric in metrics]
    for name in filter(None, (given["control"], given["versus"])):
        if name not in known:
            raise click.UsageError(f"{name} is not among the metrics: {', '.join(known)}")
