"""``tealeaves compare``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import click

from tealeaves.cli import options as shared
from tealeaves.cli import report_files
from tealeaves.cli.help import METRICS, OUTPUT, SOURCES, option
from tealeaves.cli.help import command as declare
from tealeaves.cli.output import OutputOptions, output_options
from tealeaves.cli.people import JudgmentOptions, judgment_options

if TYPE_CHECKING:
    from tealeaves.tables.tidy import Tidy


class CompareOptions(NamedTuple):
    """What is computed and shown."""

    human: str | None
    metrics: tuple[str, ...]
    weight: str | None
    over: str
    pairs: bool
    languages: str | None
    separator: str | None
    threads: int | None


class DesignOptions(NamedTuple):
    """How models are compared."""

    pairing: str
    test: str
    correction: str
    level: float
    draws: int | None
    seed: int


_compare_options = shared.OptionFamily(
    "chosen",
    CompareOptions,
    option(
        "--human",
        heading=SOURCES,
        metavar="FILE",
        help="Compare models by people's judgments, not by metrics: tidy rows in CSV, TSV, JSONL, "
        "JSON or Parquet, or a published layout. Each task is a column: the share of right "
        "answers, or the mean answer, over the topics that were judged. Without TOPICS.",
    ),
    shared.metric_option,
    option(
        "--weight",
        heading=METRICS,
        type=click.Choice(["documents"]),
        help="Over seeds: weight topics by the documents whose best topic they are.",
    ),
    option(
        "--over",
        heading=METRICS,
        type=click.Choice(["auto", "topics", "seeds"]),
        default="auto",
        help="What is compared: the topics of each model, or several runs (seeds) of each family "
        "of models; auto takes seeds if at least two families have two runs or more. Runs belong "
        "to the family that the model states, else to that of their names: lda-1, lda_run2, "
        "lda.seed3.",
    ),
    shared.languages_option,
    shared.separator_option,
    option(
        "--pairs",
        heading=OUTPUT,
        is_flag=True,
        help="Show each two models, not each model with letters.",
    ),
    shared.threads_option,
)

_design_options = shared.OptionFamily(
    "design",
    DesignOptions,
    option(
        "--pairing",
        heading=METRICS,
        type=click.Choice(["auto", "matched", "id", "none"]),
        default="auto",
        help="Topics matched by their words, topics of the same id, runs of the same seed (id), or "
        "none; auto matches topics if models have equally many, runs if their seeds are the same, "
        "unless so few pairs could never differ significantly.",
    ),
    option(
        "--test",
        heading=METRICS,
        type=click.Choice(["permutation", "t", "wilcoxon"]),
        default="permutation",
        help="With pairs: flipped signs, Student's t, signed ranks; without: permuted values, "
        "Welch's t, Mann and Whitney's.",
    ),
    shared.correction_option(
        METRICS, "holm", "The correction of p over the pairs of models within each metric."
    ),
    shared.level_option(
        METRICS, 0.05, "P", "A difference is significant if p, corrected, is this or less."
    ),
    option(
        "--draws",
        heading=METRICS,
        type=click.IntRange(min=1),
        help="Permutations, and samples of the bootstrap. Default: 10000, and more permutations if "
        "p is corrected for many pairs.",
    ),
    shared.seed_option,
)


@declare("compare")
@click.argument("topics", nargs=-1, metavar="[TOPICS...]")
@judgment_options
@shared.text_options
@_compare_options
@output_options
@_design_options
@report_files.report_family
@shared.source_options
def command(
    topics: tuple[str, ...],
    texts: shared.TextOptions,
    chosen: CompareOptions,
    design: DesignOptions,
    given: shared.SourceOptions,
    out: OutputOptions,
    judged: JudgmentOptions,
    files: report_files.ReportFiles,
) -> None:
    """Compare models: do their scores differ by more than chance?

    Give topics files and texts, or people's judgments (--human). The table has one row per model,
    with letters: models that share a letter do not differ significantly.
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
    human = chosen.human
    if bool(topics) == bool(human):
        raise click.UsageError("give either TOPICS, the files of models, or --human, judgments")
    if human:
        of_topics = ("metrics", "weight", "over", "languages", "separator")
        scored = (*texts._fields, *given._fields, *of_topics)
        shared.refuse_options(scored, "goes with TOPICS, not with --human")
    else:
        shared.refuse_options(judged._fields, "goes with --human, people's judgments")
    metrics = shared.parse_specs(chosen.metrics)
    inputs = [*topics, *texts.corpora, *given.files, *shared.metric_files(metrics)]
    inputs += [human] if human else []
    out.check(inputs, files)
    models, dictionary = None, None
    if human:
        from tealeaves.judgments import compare_judgments

        comparison = compare_judgments(judged.read(human), **design._asdict())
    else:
        from tealeaves.comparison import compare

        models = shared.read_topic_files(topics, chosen.separator, chosen.languages)
        sources = given.sources(texts, models)
        dictionary = sources.dictionary
        comparison = compare(
            models,
            sources,
            metrics or None,
            weight=chosen.weight,
            over=chosen.over,
            also=files.explainer(metrics, models),
            strict=True,
            threads=chosen.threads,
            progress=out.progress,
            **design._asdict(),
        )

    def chart() -> Any:
        from tealeaves.report.charts import comparison_chart

        return comparison_chart(comparison)

    shown: Tidy = comparison
    if chosen.pairs:
        from tealeaves.comparison.result import PairTable

        shown = PairTable(comparison)
    out.show(
        shown, chart, write_report=lambda: files.write(comparison, models, dictionary=dictionary)
    )
