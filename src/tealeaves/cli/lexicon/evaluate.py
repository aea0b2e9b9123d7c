"""``tealeaves lexicon evaluate``."""

from __future__ import annotations

from typing import Any, NamedTuple

import click

from tealeaves.cli import options as shared
from tealeaves.cli.help import METRICS, TEXTS, WORK, option
from tealeaves.cli.help import command as declare
from tealeaves.cli.options import OptionFamily
from tealeaves.cli.output import OutputOptions, output_options


class ModelComparisonOptions(NamedTuple):
    """How models are compared."""

    correction: str
    level: float
    draws: int
    seed: int


_plan_options = OptionFamily(
    "plan",
    ModelComparisonOptions,
    shared.correction_option(METRICS, "holm", "The correction of p over all pairs of models."),
    shared.level_option(
        METRICS,
        0.95,
        "SHARE",
        "Level of intervals; a difference is significant if the corrected p is 1 - SHARE or less.",
    ),
    option(
        "--draws",
        heading=WORK,
        type=click.IntRange(min=20),
        default=10_000,
        help="Samples of the bootstrap over lemmas, and patterns of flipped signs.",
    ),
    shared.seed_option,
)


@declare("evaluate")
@click.argument("extractions", nargs=-1, required=True, metavar="EXTRACTION...")
@option(
    "-a",
    "--annotated",
    "sheets",
    heading=TEXTS,
    multiple=True,
    required=True,
    metavar="SHEET",
    help="An annotation sheet that was filled in (.tsv, .jsonl, .csv), or a folder, of which .tsv "
    "and .jsonl are read. May be repeated.",
)
@option(
    "--split",
    heading=TEXTS,
    metavar="NAME",
    help="Only the lemmas that the sheets put there: dev, test or mixed.",
)
@option(
    "--by",
    heading=METRICS,
    type=click.Choice(["model", "pos", "target", "lemma"]),
    default="model",
    help="A row for each model; or for each model and part of speech, target language or lemma.",
)
@option(
    "--pairs",
    heading=METRICS,
    excludes=("--by pos", "--by target", "--by lemma"),
    is_flag=True,
    help="Show each two models: difference, interval, p.",
)
@_plan_options
@output_options
def command(
    *,
    extractions: tuple[str, ...],
    sheets: tuple[str, ...],
    split: str | None,
    by: str,
    pairs: bool,
    plan: ModelComparisonOptions,
    out: OutputOptions,
) -> None:
    """Compute the error of extracted expressions, compared with annotations.

    EXTRACTION are files that `tealeaves lexicon extract` made, or folders of them: of one or
    several models and target languages. Models are compared on the tokens that are annotated and
    that all of them extracted.

    E, the error of extraction, compares each two tokens of a lemma: are they expressed alike in
    both, whatever the expressions are called? 0 is right, 1 is all wrong. It is the mean over
    lemmas, then over languages, with an interval over lemmas. Models that share a letter do not
    differ significantly. The lines below the models are the errors of simple answers: one
    expression for all tokens, another for each, and, if sheets name them, the annotated words as
    they stand.

    \b
    Examples:
      tealeaves lexicon evaluate found --annotated sheets/fin.tsv
      tealeaves lexicon evaluate found/ -a sheets/ --split test --pairs
      tealeaves lexicon evaluate l.jsonl.gz hybrid.jsonl.gz -a fin.tsv --by pos
      tealeaves lexicon evaluate found -a sheets -o errors.json --plot errors.svg
    """
    out.check([*extractions, *sheets])
    from tealeaves.lexicon import evaluate_extractions, read_extractions, read_sheets

    evaluation = evaluate_extractions(
        read_extractions(extractions), read_sheets(sheets), split=split, **plan._asdict()
    )

    def chart() -> Any:
        from tealeaves.report.charts import evaluation_chart

        return evaluation_chart(evaluation)

    views = {"pos": "by_pos", "target": "by_target", "lemma": "by_lemma"}
    view = "pairs" if pairs else views.get(by)
    shown = getattr(evaluation, view) if view else evaluation
    out.show(shown, chart)
