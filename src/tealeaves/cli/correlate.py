"""``tealeaves correlate``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import click

from tealeaves.cli import options as shared
from tealeaves.cli import report_files
from tealeaves.cli.help import OUTPUT, STATISTICS, option
from tealeaves.cli.help import command as declare
from tealeaves.cli.output import OutputOptions, output_options
from tealeaves.cli.people import JudgmentOptions, human_option, judgment_options

if TYPE_CHECKING:
    from tealeaves.metrics.scores import Scores
    from tealeaves.topics.topics import Topics


class PlanOptions(NamedTuple):
    """How correlations are computed: the options of ``tealeaves.correlate``."""

    by: str
    coefficients: tuple[str, ...]
    control: str
    versus: str
    pairs: bool
    within: str | None
    pool: bool
    draws: int
    permutations: int
    seed: int
    level: float
    correction: str
    near: float
    bins: int
    no_noise_correction: bool

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments of ``correlate``."""
        arguments = self._asdict()
        return arguments | {
            "coefficients": " ".join(self.coefficients),
            "within": self.within or "",
            "noise_correction": not arguments.pop("no_noise_correction"),
        }


class CorrelateOptions(NamedTuple):
    """What is correlated, and what is shown."""

    human: str
    metrics: tuple[str, ...]
    separation: str | None
    chart: str
    threads: int | None


_sources = shared.OptionFamily(
    "given",
    shared.SourceOptions,
    shared.counts_option,
    shared.embeddings_option,
    shared.relevance_option,
    shared.reference_options,
)
_plan_options = shared.OptionFamily(
    "plan",
    PlanOptions,
    option(
        "--by",
        heading=STATISTICS,
        type=click.Choice(["topic", "model"]),
        default="topic",
        help="Correlate the scores of topics, or those of models.",
    ),
    option(
        "--coefficient",
        "coefficients",
        heading=STATISTICS,
        multiple=True,
        default=("pearson", "spearman", "kendall"),
        metavar="NAME",
        help="pearson, spearman, kendall or phik (extra phik); may be repeated.",
    ),
    option(
        "--control",
        heading=STATISTICS,
        default="",
        metavar="METRIC",
        help="Compute partial correlations too, with this metric held constant.",
    ),
    option(
        "--versus",
        heading=STATISTICS,
        default="",
        metavar="METRIC",
        help="Test whether this metric agrees better or worse than each other.",
    ),
    option(
        "--pairs",
        heading=STATISTICS,
        excludes="--versus",
        is_flag=True,
        help="Test all pairs of metrics.",
    ),
    option(
        "--within",
        heading=STATISTICS,
        excludes="--by model",
        type=click.Choice(["model"]),
        help="Correlate the topics of each model by themselves.",
    ),
    option(
        "--pool",
        heading=STATISTICS,
        is_flag=True,
        help="Correlate all data sets as one, standardised in each.",
    ),
    option(
        "--draws",
        heading=STATISTICS,
        type=int,
        default=2000,
        help="Bootstrap samples (Kendall at most 500, phi_K 200).",
    ),
    option(
        "--permutations",
        heading=STATISTICS,
        type=int,
        default=2000,
        help="Permutations for p (Kendall at most 1000).",
    ),
    option(
        "--level",
        heading=STATISTICS,
        type=float,
        default=0.95,
        metavar="SHARE",
        help="Level of intervals.",
    ),
    shared.correction_option(STATISTICS, "bh", "The correction of p for the number of metrics."),
    option(
        "--near",
        heading=STATISTICS,
        type=float,
        default=0.5,
        metavar="JACCARD",
        help="Topics with this Jaccard index or more are near-identical, and count as one.",
    ),
    option(
        "--bins",
        heading=STATISTICS,
        requires="--coefficient phik",
        type=int,
        default=10,
        help="Bins of phi_K.",
    ),
    option(
        "--no-noise-correction",
        heading=STATISTICS,
        requires="--coefficient phik",
        is_flag=True,
        help="Compute phi_K without its noise correction.",
    ),
    shared.seed_option,
)


_chosen = shared.OptionFamily(
    "chosen",
    CorrelateOptions,
    human_option,
    shared.metric_option,
    option(
        "--separation",
        heading=STATISTICS,
        excludes=("--pairs", "--versus"),
        type=click.Choice(["thirds", "halves"]),
        help="Compute too how well metrics separate the upper third (or half) by people's scores "
        "from the lower: the AUC.",
    ),
    option(
        "--chart",
        heading=OUTPUT,
        requires="--plot",
        type=click.Choice(["all", "forest", "scatter", "heatmap", "separation"]),
        default="all",
        help="The chart of --plot: forest plot of the coefficients, scatter plots, metric × "
        "metric; or topics that people rate high and low, which all has too with --separation.",
    ),
    shared.threads_option,
)


@declare("correlate")
@click.argument("scores", required=False)
@_chosen
@judgment_options
@_plan_options
@shared.one_language_options
@_sources
@output_options
@report_files.report_family
def command(
    scores: str | None,
    chosen: CorrelateOptions,
    judged: JudgmentOptions,
    plan: PlanOptions,
    texts: shared.TextOptions,
    given: shared.SourceOptions,
    out: OutputOptions,
    files: report_files.ReportFiles,
) -> None:
    """Correlate metrics with people's judgments, topic by topic or model by model.

    SCORES is a file of `tealeaves score -o FILE`, or a table of another program: one row per
    topic, with the columns model and topic, and one column per metric. Without SCORES the
    judged topics themselves are scored, if the judgments have their words: give --corpus and -m,
    and all is done in one go. Data sets and tasks are never mixed, except by --pool. With --versus
    or --pairs the formats jsonl, csv and parquet have the pairs of metrics, with --separation the
    AUCs, and json has all.

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
    read = [scores] if scores else _scored_files(chosen.metrics, texts, given)
    if scores:
        shared.refuse_options(
            (*texts._fields, *given._fields, "threads"),
            "is to score judged topics, but SCORES are given: leave out one of them",
        )
    out.check([chosen.human, *read], files)
    from tealeaves import judgments
    from tealeaves.judgments.correlation.plan import correlation_plan
    from tealeaves.judgments.correlation.result import PairTests
    from tealeaves.metrics.reading import read_scores

    correlation_plan(**plan.arguments)  # raises before anything is read
    people = judged.read(chosen.human)
    values: Scores
    models: list[Topics] | None = None
    if scores:
        values = read_scores(scores)
    else:
        models = people.topics_only.models()
        metrics = shared.parse_specs(chosen.metrics)
        values = judgments.score_judged_topics(
            people,
            given.sources(texts, models),
            metrics or None,
            required=(plan.control, plan.versus),
            also=files.explainer(metrics, models),
            strict=True,
            threads=chosen.threads,
            progress=out.progress,
        )
    names = _column_names(chosen.metrics) if scores else None
    result = judgments.correlate(
        values, people, metrics=names, progress=out.progress, **plan.arguments
    )
    split = chosen.separation or ("thirds" if out.plot and chosen.chart == "separation" else None)
    groups = judgments.separation(result, split) if split else None

    def chart() -> Any:
        from tealeaves.report.charts import correlation_charts

        return correlation_charts(result, chosen.chart, groups)

    out.show(
        result,
        chart,
        pairs=groups if chosen.separation else PairTests(result) if result.pairs else None,
        write_report=lambda: files.write(result, models, scores=values),
    )


def _scored_files(
    metrics: tuple[str, ...], texts: shared.TextOptions, given: shared.SourceOptions
) -> list[str]:
    """Return the files from which judged topics are scored; raise if there are none."""
    given.check(texts)
    if not (metrics or texts.corpora or given.files):
        raise click.UsageError("give SCORES, or metrics (-m) and --corpus to score judged topics")
    named = shared.metric_files(shared.parse_specs(metrics))
    return [*texts.corpora, *given.files, *named]


def _column_names(metrics: tuple[str, ...]) -> list[str] | None:
    """Return the names after ``-m``, which are columns of the scores."""
    from tealeaves.expressions import split_expressions

    return [name for text in metrics for name in split_expressions(text)] or None
