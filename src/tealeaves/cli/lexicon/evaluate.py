"""``tealeaves lexicon evaluate``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tealeaves.cli import options as shared
from tealeaves.cli.help import HeadedCommand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tealeaves.lexicon.dataset.annotation import Annotation
    from tealeaves.lexicon.error.evaluation import Evaluation
    from tealeaves.tables.tidy import Tidy

_PLAN = ("draws", "level", "correction", "seed")


@click.command("evaluate", cls=HeadedCommand)
@click.argument("extractions", nargs=-1, required=True, metavar="EXTRACTION...")
@click.option(
    "-a",
    "--annotated",
    "sheets",
    multiple=True,
    required=True,
    metavar="SHEET",
    help="An annotation sheet that was filled in (.tsv, .jsonl, .csv), or a folder, of which .tsv "
    "and .jsonl are read. May be repeated.",
)
@click.option(
    "--split",
    metavar="NAME",
    help="Only the lemmas that the sheets put there: dev, test or mixed.",
)
@click.option(
    "--by",
    type=click.Choice(["model", "pos", "target", "lemma"]),
    default="model",
    show_default=True,
    help="A row for each model; or for each model and part of speech, target language or lemma.",
)
@click.option("--pairs", is_flag=True, help="Show each two models: difference, interval, p.")
@click.option(
    "--correction",
    type=click.Choice(["holm", "bh", "none"]),
    default="holm",
    show_default=True,
    help="Of p, over all pairs of models.",
)
@click.option(
    "--level",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.95,
    show_default=True,
    metavar="SHARE",
    help="Level of intervals; a difference is significant where p, corrected, is 1 less this, or "
    "less.",
)
@click.option(
    "--draws",
    type=click.IntRange(min=20),
    default=10_000,
    show_default=True,
    metavar="N",
    help="Samples of the bootstrap over lemmas, and patterns of flipped signs.",
)
@shared.seed_option
@shared.format_option
@shared.files_options
@shared.quiet_option
def command(**given: Any) -> None:
    """Tell how far extracted expressions are from those that people annotated.

    EXTRACTION are files that `tealeaves lexicon extract` made, or folders of them: of one or
    several models and target languages. Models are compared on the tokens that are annotated and
    that all of them extracted.

    E, the error of extraction, asks of each two tokens of a lemma whether they are expressed alike
    in both, whatever the expressions are called: 0 is right, 1 is all wrong. It is the mean over
    lemmas, then over languages, with an interval over lemmas. Models that share a letter do not
    differ significantly. The lines below them are what simple answers would have: one expression
    for all tokens, another for each, and, where sheets name them, the annotated words as they
    stand.

    \b
    Examples:
      tealeaves lexicon evaluate found --annotated sheets/fin.tsv
      tealeaves lexicon evaluate found/ -a sheets/ --split test --pairs
      tealeaves lexicon evaluate l.jsonl.gz hybrid.jsonl.gz -a fin.tsv --by pos
      tealeaves lexicon evaluate found -a sheets -o errors.json --plot errors.svg
    """
    if given["pairs"] and given["by"] != "model":
        raise click.UsageError("--pairs has a row for each two models: leave out --by")
    shared.check_files(given, [*given["extractions"], *given["sheets"]])
    found = _evaluated(given)
    from tealeaves.cli.output import save_and_show

    def chart() -> Any:
        from tealeaves.report.charts import evaluation_chart

        return evaluation_chart(found)

    save_and_show(_shown(found, given), given, chart)


def _evaluated(given: dict[str, Any]) -> Evaluation:
    from tealeaves.lexicon.dataset.sheets import read_sheets
    from tealeaves.lexicon.error.evaluating import evaluate_extractions
    from tealeaves.lexicon.extraction.files import read_extractions

    annotations = _of_split(read_sheets(given["sheets"]), given["split"])
    extractions = read_extractions(given["extractions"])
    return evaluate_extractions(extractions, annotations, **{name: given[name] for name in _PLAN})


def _of_split(annotations: Sequence[Annotation], split: str | None) -> list[Annotation]:
    from collections import Counter

    from tealeaves.errors import InputError, did_you_mean

    found = [one for one in annotations if split in (None, one.split)]
    if not found:
        known = sorted({one.split for one in annotations} - {""})
        there = f"they have {', '.join(known)}" if known else "they have no column split"
        hint = did_you_mean(split or "", known)
        raise InputError(f"no lemma of the sheets is in the split {split!r}, {there}{hint}")
    elsewhere = Counter(one.split or "no split" for one in annotations if one.is_annotated)
    if elsewhere and not any(one.is_annotated for one in found):
        counted = ", ".join(f"{count:,} in {name}" for name, count in sorted(elsewhere.items()))
        raise InputError(
            f"none of the {len(found):,} tokens in the split {split!r} is annotated yet; of all "
            f"splits {elsewhere.total():,} are: {counted}"
        )
    return found


def _shown(found: Evaluation, given: dict[str, Any]) -> Tidy:
    if given["pairs"]:
        return found.pairs
    views = {"pos": "by_pos", "target": "by_target", "lemma": "by_lemma"}
    if given["by"] == "model":
        return found
    view: Tidy = getattr(found, views[given["by"]])
    return view
