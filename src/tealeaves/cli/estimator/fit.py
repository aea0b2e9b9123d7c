"""``tealeaves estimator fit``."""

from __future__ import annotations

from typing import Any

import click

from tealeaves.cli import options as shared
from tealeaves.cli.help import HeadedCommand
from tealeaves.cli.options import wants_progress


@click.command("fit", cls=HeadedCommand)
@click.argument("tables", nargs=-1, required=True, metavar="TABLES...")
@click.option(
    "-o", "--output", required=True, metavar="FILE", help="Where the estimators are saved: .json"
)
@click.option(
    "--learner",
    type=click.Choice(["ridge", "trees", "adaboost"]),  # learners.kinds, which is not light
    default="ridge",
    show_default=True,
    help="Ridge regression with products; boosted trees; or AdaBoost.R2 over linear regression, "
    "the paper's.",
)
@click.option(
    "--without",
    multiple=True,
    metavar="NAME",
    help="A feature (mta), or a group of them (base, gap, era, drift, more), that is not used. May "
    "be repeated.",
)
@click.option(
    "--nested/--single",
    default=True,
    show_default=True,
    help="Fit 16 estimators, for each choice of what may be lacking (dictionary, years, modern "
    "texts, enough words for the gap between languages), or only one of all features.",
)
@click.option("--source", default="", metavar="TEXT", help="What it was learned from, to be kept.")
@click.option(
    "--cardinality", type=int, metavar="N", help="Evaluate at one number of words. Default: all."
)
@click.option(
    "--draws",
    type=click.IntRange(min=0),
    default=1000,
    show_default=True,
    metavar="N",
    help="Samples of the bootstrap over models.",
)
@click.option("--plot", metavar="FILE", help="Draw a chart: .html, .svg, .png or .pdf")
@shared.seed_option
@shared.format_option
@click.option(
    "--threads",
    type=click.IntRange(min=1),
    metavar="N",
    help="Languages left out at the same time; default: one for each processor. The numbers are "
    "the same.",
)
@shared.quiet_option
def command(**given: Any) -> None:
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
    from tealeaves.cli.output import save_and_show
    from tealeaves.estimator.evaluation import check_asked, evaluate
    from tealeaves.estimator.fitting import check, fit
    from tealeaves.estimator.table import FeatureTable

    if not given["output"].endswith(".json"):
        raise click.UsageError(f"{given['output']}: estimators are saved as .json")
    shared.check_files(given, given["tables"])
    table = FeatureTable.open(given["tables"])
    check_asked(table, cardinality=given["cardinality"], draws=given["draws"])
    asked = {name: given[name] for name in ("learner", "without", "seed")}
    check(table, **asked)  # an error is one line, so nothing is printed before
    if not given["quiet"]:
        click.echo(f"{table.summary()}\n", err=True)
    progress = wants_progress(quiet=given["quiet"])
    found = fit(
        table,
        **asked,
        nested=given["nested"],
        source=given["source"],
        threads=given["threads"],
        progress=progress,
    )
    found.estimators.save(given["output"])
    best = found.left_out[0]
    evaluation = evaluate(
        table,
        {given["learner"]: best.estimates},
        half_widths={given["learner"]: best.half_widths},
        cardinality=given["cardinality"],
        draws=given["draws"],
        seed=given["seed"],
        progress=progress,
    )

    def chart() -> Any:
        from tealeaves.report.charts.left_out import left_out_chart

        return left_out_chart(evaluation)

    save_and_show(evaluation, {**given, "output": None}, chart)
    if not given["quiet"]:
        number = len(found.estimators.estimators)
        dropped = found.tried - number
        why = f" ({dropped} did no better than one that needs less, and were left out)"
        text = f"{number} estimator{'s' * (number > 1)}: {given['output']}"
        click.echo(text + why * bool(dropped), err=True)
