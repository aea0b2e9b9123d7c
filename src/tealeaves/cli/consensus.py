"""``tealeaves consensus``."""

from __future__ import annotations

from typing import Any, NamedTuple

import click

from tealeaves.cli import options as shared
from tealeaves.cli.help import LANGUAGES, METRICS, OUTPUT, SOURCES, option
from tealeaves.cli.help import command as declare
from tealeaves.cli.output import OutputOptions, output_options

_HIGHEST_LEVEL = 0.98  # predictors.HIGHEST_LEVEL, which is not light


class ConsensusOptions(NamedTuple):
    """How topics are judged, and which are shown."""

    top: int
    level: float
    sort: str
    worst: int | None
    language: str | None
    languages: str | None
    separator: str | None


_consensus_options = shared.OptionFamily(
    "chosen",
    ConsensusOptions,
    option(
        "--top",
        heading=METRICS,
        type=click.IntRange(2, 100),
        default=10,
        help="How many first words of each topic are judged.",
    ),
    option(
        "--level",
        heading=METRICS,
        type=click.FloatRange(0, _HIGHEST_LEVEL, min_open=True),
        default=0.9,
        metavar="SHARE",
        help="The share of topics, like those in the training data, whose interval holds people's "
        "own score. In other corpora it is lower.",
    ),
    option(
        "--sort",
        heading=OUTPUT,
        type=click.Choice(["model", "worst"]),
        default="model",
        help="Topics in the order of their models, or those of all models, the worst first.",
    ),
    option(
        "--worst",
        heading=OUTPUT,
        excludes="--sort model",
        type=click.IntRange(min=1),
        help="Show, save and draw only the N worst topics of all models, the worst first.",
    ),
    option(
        "--language",
        heading=LANGUAGES,
        metavar="LANG",
        help="Judge one language of topics in several, as topics of that language alone.",
    ),
    shared.languages_option,
    shared.separator_option,
)

_source_options = shared.OptionFamily(
    "given",
    shared.SourceOptions,
    shared.counts_option,
    option(
        "-e",
        "--embeddings",
        "embeddings",
        heading=SOURCES,
        multiple=True,
        metavar="NAME",
        help="What gives words their vectors: a name of `tealeaves embeddings`, a file, or a model "
        "of Hugging Face. May be repeated: all are used. Default: minilm_static and wordllama, "
        "if these are installed and the topics are English.",
    ),
    shared.reference_options,
)


@declare("consensus")
@shared.topics_argument
@shared.text_options
@_source_options
@_consensus_options
@output_options
@shared.threads_option
def command(
    topics: tuple[str, ...],
    texts: shared.TextOptions,
    given: shared.SourceOptions,
    chosen: ConsensusOptions,
    out: OutputOptions,
    threads: int | None,
) -> None:
    """Predict what people would say of each topic, how sure that is, and why.

    All evidence is used: the texts, a reference (Wikipedia), vectors of words. The value
    is from 0, the worst answer people could give, to 1, the best; it is that of
    `tealeaves score -m consensus@10`. Beside it stand the interval in which people's own score
    lies, the words with odd ones marked, and the main reason. Rows (--format, -o) have the largest
    reasons and the pairs of words that are least related too; those of JSON, JSON lines and Parquet
    also have the fit of each word and `parts`, what each signal added: `usual`, which an average
    topic has, and all parts make the value, cut at 0 and 1. The main reason adds up parts whose
    names end alike, as texts.best, vectors.best and joined.best do, and all that begin with
    agreement; it is the largest of these sums in the direction in which the value was moved.

    \b
    Examples:
      tealeaves consensus lda.json -c texts.jsonl.gz
      tealeaves consensus lda.json nmf.txt -c texts.jsonl --reference wiki.counts --worst 20
      tealeaves consensus lda.json                        # by vectors alone
      tealeaves consensus lda.json -c texts.jsonl --level 0.5 --sort worst --plot topics.html
      tealeaves consensus lda.json -c texts.jsonl -o topics.jsonl
      tealeaves consensus pltm.topics --language en -c en=web.tsv -c es=rv.tsv
    """
    out.check([*topics, *texts.corpora, *given.files])
    models = shared.read_topic_files(topics, chosen.separator, chosen.languages, chosen.language)
    from tealeaves.consensus import explain
    from tealeaves.topics.multilingual import are_multilingual

    if chosen.language is None and not are_multilingual(models):
        shared.refuse_options(("languages", "unit", "links"), "is for topics in several languages")
    explanations = explain(
        models,
        given.sources(texts, models, chosen.language),
        top=chosen.top,
        level=chosen.level,
        threads=threads,
        progress=out.progress,
    )
    if chosen.worst or chosen.sort == "worst":
        explanations = explanations.worst_first(chosen.worst)

    def chart() -> Any:
        from tealeaves.report.charts.consensus import consensus_chart

        return consensus_chart(explanations)

    out.show(explanations, chart)
