"""``tealeaves consensus``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tealeaves.cli import options as shared
from tealeaves.cli.help import HeadedCommand
from tealeaves.cli.options import (
    one_for_all,
    open_reference,
    reference_options,
    stacked,
    wants_progress,
)

if TYPE_CHECKING:
    from tealeaves.topics.topics import Topics

_HIGHEST_LEVEL = 0.98  # judges.HIGHEST_LEVEL, which is not light

_judging_options = stacked(
    click.option(
        "-e",
        "--embeddings",
        "embeddings",
        multiple=True,
        metavar="NAME",
        help="What gives words their vectors: a name of `tealeaves embeddings`, a file, or a model "
        "of Hugging Face. May be repeated: all are asked. Default: minilm_static and wordllama, "
        "where these are installed and the topics are English.",
    ),
    click.option(
        "--top",
        type=click.IntRange(2, 100),
        default=10,
        show_default=True,
        metavar="N",
        help="How many first words of each topic are judged.",
    ),
    click.option(
        "--level",
        type=click.FloatRange(0, _HIGHEST_LEVEL, min_open=True),
        default=0.9,
        show_default=True,
        metavar="SHARE",
        help="Of how many topics, like those it was taught with, the interval holds people's own "
        "score. Of other corpora it is fewer.",
    ),
)

_choosing_options = stacked(
    click.option(
        "--sort",
        type=click.Choice(["model", "worst"]),
        default="model",
        show_default=True,
        help="Topics as their models have them, or those of all models, the worst first.",
    ),
    click.option(
        "--worst",
        type=click.IntRange(min=1),
        metavar="N",
        help="Show, save and draw only the N worst topics of all models, the worst first.",
    ),
)


@click.command("consensus", cls=HeadedCommand)
@shared.topics_argument
@shared.languages_options
@shared.languages_option
@click.option(
    "--language",
    metavar="LANG",
    help="Judge one language of topics in several, as topics of that language alone.",
)
@click.option("--counts", metavar="FILE", help="Counts made by `tealeaves count`, not a corpus.")
@reference_options
@_judging_options
@_choosing_options
@shared.separator_option
@shared.format_option
@shared.files_options
@shared.threads_option
@shared.quiet_option
def command(**given: Any) -> None:
    """Say what people would say of each topic, how sure that is, and why.

    All evidence at hand is asked: the texts, a reference (Wikipedia), vectors of words. The value
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
    shared.check_texts(given)
    read = [*given["topics"], *given["corpora"], *given["reference"], given["counts"]]
    shared.check_files(given, filter(None, read))
    models = _models_of(given)
    from tealeaves.consensus.explaining import explain

    found = explain(
        models,
        shared.open_corpus(given) if given["corpora"] else None,
        counts=given["counts"],
        reference=open_reference(given),
        reference_tokens=given["reference_tokens"],
        tokens=one_for_all(given["tokens"], "tokens"),
        embeddings=given["embeddings"],
        top=given["top"],
        level=given["level"],
        threads=given["threads"],
        progress=wants_progress(quiet=given["quiet"]),
    )
    if given["worst"] or given["sort"] == "worst":
        found = found.worst_first(given["worst"])
    from tealeaves.cli.output import save_and_show

    def chart() -> Any:
        from tealeaves.report.charts.consensus import consensus_chart

        return consensus_chart(found)

    save_and_show(found, given, chart)


def _models_of(given: dict[str, Any]) -> list[Topics]:
    """Read topics in one language, or one language of topics in several."""
    models = shared.read_topic_files(given["topics"], given["separator"], given["languages"])
    if given["language"] is not None:
        return shared.chosen_side(models, given)
    from tealeaves.consensus.explaining import refuse_several_languages

    refuse_several_languages(models)
    shared.refuse_options(("languages", "unit", "links"), "is for topics in several languages")
    return models
