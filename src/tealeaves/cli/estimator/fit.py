"""``tealeaves estimator fit``."""

from __future__ import annotations

from typing import Any, NamedTuple

import click

from tealeaves.cli import options as shared
from tealeaves.cli.help import METRICS, MODEL, WORK, option
from tealeaves.cli.help import command as declare
from tealeaves.cli.output import OutputOptions
from tealeaves.printing import echo


class EstimatorFitOptions(NamedTuple):
    """How estimators are learned."""

    learner: str
    without: tuple[str, ...]
    nested: bool
    source: str


_fit_options = shared.OptionFamily(
    "chosen",
    EstimatorFitOptions,
    option(
        "--learner",
        heading=MODEL,
        type=click.Choice(["ridge", "trees", "adaboost"]),  # learners.catalogue is not light
        default="ridge",
        help="Ridge regression with products; boosted trees; or AdaBoost.R2 over linear "
        "regression, the paper's.",
    ),
    option(
        "--without",
        heading=MODEL,
        multiple=True,
        metavar="NAME",
        help="A feature (mta), or a group of them (base, gap, era, drift, more), that is not used. "
        "May be repeated.",
    ),
    option(
        "--nested/--single",
        heading=MODEL,
        default=True,
        help="Fit 16 estimators, for each choice of what may be lacking (dictionary, years, modern "
        "texts, enough words for the gap between languages), or only one of all features.",
    ),
    option(
        "--source",
        heading=MODEL,
        default="",
        metavar="TEXT",
        help="What it was learned from, to be kept.",
    ),
)


class EstimatorEvaluationOptions(NamedTuple):
    """How estimators are evaluated."""

    cardinality: int | None
    draws: int
    seed: int


_evaluation_options = shared.OptionFamily(
    "evaluated",
    EstimatorEvaluationOptions,
    option(
        "--cardinality",
        heading=METRICS,
        type=int,
        help="Evaluate at one number of words. Default: all.",
    ),
    option(
        "--draws",
        heading=METRICS,
        type=click.IntRange(min=0),
        default=1000,
        help="Samples of the bootstrap over models.",
    ),
    shared.seed_option,
)


_printing_options = shared.OptionFamily(
    "out", OutputOptions, shared.plot_option, shared.format_option, shared.quiet_option
)


@declare("fit")
@click.argument("tables", nargs=-1, required=True, metavar="TABLES...")
@shared.output_file("Where the estimators are saved: .json", argument="file")
@_fit_options
@_evaluation_options
@option(
    "--threads",
    heading=WORK,
    type=click.IntRange(min=1),
    help="Languages left out at the same time; default: one for each processor. The numbers are "
    "the same.",
)
@_printing_options
def command(
    tables: tuple[str, ...],
    file: str,
    chosen: EstimatorFitOptions,
    evaluated: EstimatorEvaluationOptions,
    threads: int | None,
    out: OutputOptions,
) -> None:
    """Learn estimators from tables of features in several languages.

    TABLES are files of `tealeaves estimator build` with targets, of three languages or more beside
    the pivot. Settings are chosen by cross-validation over languages. What is printed is how well
    each language is estimated by an estimator that never saw it, beside the CNPMI of its poor
    reference; intervals are of a bootstrap over models. The file holds numbers only, as JSON.

    \b
    Examples:
      tealeaves estimator fit sv.parquet tr.parquet ro.parquet -o mine.json
      tealeaves estimator fit *.parquet -o paper.json --learner adaboost --single
      tealeaves estimator fit *.parquet -o no_years.json --without era --plot languages.html
    """
    from tealeaves.estimator import fit_file
    from tealeaves.estimator.estimators_file import check_estimators_file

    check_estimators_file(file)
    shared.check_not_input(file, tables)
    out.check(tables)

    def print_table(summary: str) -> None:
        echo(f"{summary}\n", err=True)

    fitted = fit_file(
        tables,
        file,
        **chosen._asdict(),
        **evaluated._asdict(),
        threads=threads,
        progress=out.progress,
        on_note=None if out.quiet else print_table,
    )

    def chart() -> Any:
        from tealeaves.report.charts.left_out import left_out_chart

        return left_out_chart(fitted.evaluation)

    out.show(fitted.evaluation, chart)
    if not out.quiet:
        echo(fitted, err=True)
