"""``tealeaves compare``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from tealeaves.cli import options as shared
from tealeaves.cli import report_files
from tealeaves.cli.help import HeadedCommand
from tealeaves.cli.options import open_reference, reference_options, wants_progress
from tealeaves.cli.people import people_options, read_people

if TYPE_CHECKING:
    from tealeaves.comparison import Comparison
    from tealeaves.report.run.record import Run


_SCORED = ("counts", "tokens", "embeddings", "relevance", "reference_tokens")
_TESTED = ("pairing", "test", "correction", "level", "draws", "seed")
# what belongs to topics files, and what to judgments, by the names of their parameters
_OF_TOPICS = (
    "corpora",
    "counts",
    "metrics",
    "embeddings",
    "relevance",
    "reference",
    "reference_tokens",
    "tokens",
    "reader",
    "weight",
    "separator",
    "over",
)
_OF_PEOPLE = ("columns", "layout", "tasks", "conditions", "scale", "without_flagged")


@click.command("compare", cls=HeadedCommand)
@click.argument("topics", nargs=-1, metavar="[TOPICS...]")
@click.option(
    "--human",
    metavar="FILE",
    help="Compare models by people's judgments, not by metrics: tidy rows in CSV, TSV, JSONL, JSON "
    "or Parquet, or a published layout. Each task is a column: the share of right answers, or the "
    "mean answer, over the topics that were judged. Without TOPICS.",
)
@people_options
@shared.corpus_options
@click.option("--counts", metavar="FILE", help="Counts made by `tealeaves count`, not a corpus.")
@shared.metric_option
@shared.embeddings_option
@shared.relevance_option
@reference_options
@click.option(
    "--over",
    type=click.Choice(["auto", "topics", "seeds"]),
    default="auto",
    show_default=True,
    help="What is compared: the topics of each model, or several runs (seeds) of each family of "
    "models; auto takes seeds where at least two families have two runs or more. Runs are told by "
    "the family that a model names, else by its name: lda-1, lda_run2, lda.seed3.",
)
@click.option(
    "--pairing",
    type=click.Choice(["auto", "matched", "id", "none"]),
    default="auto",
    show_default=True,
    help="Topics matched by their words, topics of the same id, runs of the same seed (id), or "
    "none; auto matches topics where there are equally many, runs where seeds are the same, unless "
    "so few pairs could never differ significantly.",
)
@click.option(
    "--test",
    type=click.Choice(["permutation", "t", "wilcoxon"]),
    default="permutation",
    show_default=True,
    help="Of pairs: flipped signs, Student's t, signed ranks; else: values dealt out anew, Welch's "
    "t, Mann and Whitney's.",
)
@click.option(
    "--correction",
    type=click.Choice(["holm", "bh", "none"]),
    default="holm",
    show_default=True,
    help="Of p, over the pairs of models within each metric.",
)
@click.option(
    "--level",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.05,
    show_default=True,
    metavar="P",
    help="A difference is significant where p, corrected, is this or less.",
)
@click.option(
    "--draws",
    type=click.IntRange(min=1),
    metavar="N",
    help="Permutations, and samples of the bootstrap. Default: 10000, and more permutations where "
    "p is corrected for many pairs.",
)
@shared.seed_option
@click.option(
    "--weight",
    type=click.Choice(["documents"]),
    help="Over seeds: weight topics by the documents whose best topic they are.",
)
@click.option("--pairs", is_flag=True, help="Show each two models, not each model with letters.")
@shared.separator_option
@shared.format_option
@shared.files_options
@report_files.report_options
@shared.threads_option
@shared.quiet_option
def command(**given: Any) -> None:
    """Compare models: do their scores differ by more than chance?

    Give topics files and texts, or people's judgments (--human). The table has a row a model and
    letters: models that share a letter do not differ significantly.
    The formats json, jsonl and csv have the pairs of models, with difference, interval, p and
    effect size; table, md and latex have them with --pairs. All metrics of all models are computed
    in one reading of the corpus.

    \b
    Examples:
      tealeaves compare lda.json nmf.json --corpus texts.jsonl.gz
      tealeaves compare lda.json nmf.json bertopic/ -c texts.jsonl -m "npmi@10 c_v@10" --pairs
      tealeaves compare lda.json nmf.json --counts wiki.counts --plot models.svg
      tealeaves compare selection/*.topics -c texts.jsonl --over seeds -m "npmi@10 diversity@25"
      tealeaves compare before.json after.json -c texts.csv --text-field body --pairing id
      tealeaves compare lda.json nmf.json -c texts.jsonl --test t --correction bh --format latex
      tealeaves compare lda.json nmf.json -c texts.jsonl --report report.html
      tealeaves compare --human judgments.csv --task intrusion
    """
    _check(given)
    if given["human"]:
        from tealeaves.judgments.comparison import compare_judgments

        people = read_people(given["human"], given)
        found = compare_judgments(people, **{name: given[name] for name in _TESTED})
        _show(found, given, lambda: _run_of_people(found))
    else:
        _compare_topics(given)


def _check(given: dict[str, Any]) -> None:
    """Refuse what cannot be before anything is read."""
    if bool(given["topics"]) == bool(given["human"]):
        raise click.UsageError("give either TOPICS, the files of models, or --human, judgments")
    if given["human"]:
        _refuse(_OF_TOPICS, "goes with TOPICS, not with --human")
    else:
        _refuse(_OF_PEOPLE, "goes with --human, people's judgments")
    shared.check_texts(given)
    files = (given["counts"], given["human"], given["relevance"])
    texts = [*given["corpora"], *given["reference"]]
    inputs = [
        *given["topics"],
        *texts,
        *filter(None, files),
        *shared.metric_files(shared.parse_specs(given["metrics"])),
    ]
    shared.check_files(given, inputs)
    report_files.check_report(given, inputs)


def _refuse(names: Sequence[str], why: str) -> None:
    """Refuse options that were given but would do nothing."""
    context = click.get_current_context()
    for option in context.command.params:
        source = context.get_parameter_source(option.name or "")
        if option.name in names and source is not ParameterSource.DEFAULT:
            raise click.UsageError(f"{option.opts[-1]} {why}")


def _compare_topics(given: dict[str, Any]) -> None:
    from tealeaves.comparison import compare

    metrics = report_files.scored_metrics(given)
    models = shared.read_topic_files(given["topics"], given["separator"])
    judges = report_files.also(metrics, models, given)
    found = compare(
        models,
        shared.open_corpus(given) if given["corpora"] else None,
        metrics,
        reference=open_reference(given),
        also=judges,
        **{name: given[name] for name in (*_SCORED, "over", "weight", *_TESTED)},
        threads=given["threads"],
        progress=wants_progress(quiet=given["quiet"]),
    )
    _show(found, given, lambda: _run_of_topics(models, found, judges))


def _run_of_topics(models: Any, found: Comparison, judges: Any) -> Run:
    from tealeaves.report.reporting import with_parts
    from tealeaves.report.run.making import comparison_record

    scores: Any = found.scores  # of which it was made just now
    run = report_files.run_of_scores(models, scores, judges)
    return with_parts(run, comparison=comparison_record(found, "metrics"))


def _run_of_people(found: Comparison) -> Run:
    from tealeaves.report.run.making import comparison_record, made_now
    from tealeaves.report.run.record import Run

    made = made_now(report_files.command_line())
    return Run(made=made, comparison=comparison_record(found, "people"))


def _show(found: Comparison, given: dict[str, Any], run: Callable[[], Run]) -> None:
    from tealeaves.cli.output import save_and_show
    from tealeaves.comparison.result import PairTable

    def chart() -> Any:
        from tealeaves.report.charts import comparison_chart

        return comparison_chart(found)

    save_and_show(PairTable(found) if given["pairs"] else found, given, chart, run=run)
