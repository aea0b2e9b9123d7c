"""``tealeaves score``."""

from __future__ import annotations

import sys
from typing import Any

import click
from click.core import ParameterSource

from tealeaves.cli import across, reporting
from tealeaves.cli import options as shared
from tealeaves.cli.fields import FIELDS
from tealeaves.cli.paired import one_for_all
from tealeaves.cli.reference import (
    check_reference,
    open_reference,
    reads_reference,
    reference_options,
)


@click.command("score")
@shared.topics_argument
@shared.languages_options
@across.options
@click.option("--counts", metavar="FILE", help="Counts made by `tealeaves count`, not a corpus.")
@shared.metric_option
@shared.embeddings_option
@shared.relevance_option
@reference_options
@click.option("--by-topic", is_flag=True, help="Show each topic, then the model (topic: all).")
@click.option(
    "--mark",
    is_flag=True,
    help="Show each topic with the words marked that fit it badly: by the first of the metrics "
    "that can tell, else by consensus, which uses --reference and -e too.",
)
@click.option(
    "--weight",
    type=click.Choice(["documents"]),
    help="Weight topics by the documents whose best topic they are.",
)
@shared.separator_option
@shared.format_option
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Save all rows too, topics and models: .jsonl .json .csv .md .tex .parquet",
)
@reporting.report_options
@shared.threads_option
@shared.quiet_option
def command(**given: Any) -> None:
    """Score the topics of one or more models.

    TOPICS are files or folders of models: tealeaves' own (.json, .topics), word lists in JSON, one
    topic a line, tables (.csv, .parquet), MALLET's outputs, a folder saved by BERTopic, OCTIS's
    output, text exports of gensim and tomotopy; en=FILE es=FILE are one model in two languages. All
    metrics of all models are computed in one reading of the corpus; metrics of the words alone need
    none.

    \b
    Examples:
      tealeaves score lda.json --corpus texts.jsonl.gz
      tealeaves score lda.json nmf.txt -c "wiki/*.txt" -m "npmi@10 c_v@10 umass@10"
      tealeaves score lda.json -c texts.csv --text-field body --by-topic
      tealeaves score lda.json -c tokens.txt --tokens tokens -m "npmi(window=10, eps=1e-12)@10"
      tealeaves score bertopic_folder/ mallet_folder/ -c texts.jsonl -m "npmi@10 diversity@25"
      tealeaves score run1.topics run2.topics -m "stability@10 irbo@10"
      tealeaves score lda.json -m "isim@10 int@10 ish@10 embedding_coherence@10" -e wordllama
      tealeaves score lda.json -m "lrp_sum@10 cooccurrence@10" --relevance news.relevance
      tealeaves score lda.json --counts wiki.counts --weight documents --format latex
      tealeaves score lda.json -c texts.jsonl -m consensus@10 --reference wiki.jsonl.gz
      tealeaves score lda.json -c texts.jsonl --mark
      tealeaves score lda.json nmf.json -c texts.jsonl -m "npmi@10 c_v@10" --report report.html
      zcat texts.jsonl.gz | tealeaves score lda.json -c - --format csv
      tealeaves score pltm.topics -c en=web.tsv -c es=rv.tsv -m "cnpmi@10 inpmi@10" --side-by-side
      tealeaves score en=en.txt sv=sv.txt -m mta@10 --dictionary en-sv.txt
      tealeaves score pltm.topics -c en=web.tsv -c am=amh.tsv -m cnpmi_estimated@10
    """
    _check(given)
    models = shared.read_topic_files(given["topics"], given["separator"], given["languages"])
    models = across.chosen_side(models, given)
    if across.several(models):
        if given["mark"]:
            raise click.UsageError("--mark is for topics in one language: say which: --language")
        across.score(models, given)
        return
    if given["language"] is not None:
        given["languages"] = None  # they named the sides, of which one is left
    across.refuse(given)
    # vectors that no metric takes may be for marking
    vectors = () if given["mark"] else given["embeddings"]
    metrics = shared.read_metrics(given["metrics"], vectors, given["relevance"])
    shared.check_relevance(given, metrics)
    judges = reporting.also(metrics, models, given)
    scores = scores_of(models, metrics, given, judges)
    from tealeaves.cli.output import show

    try:
        if given["output"]:
            scores.save(given["output"])
        if reporting.wanted(given):
            reporting.write_report(reporting.run_of_scores(models, scores, judges), given)
    finally:  # what was computed is shown, whatever became of the file
        by_topic = given["by_topic"] or given["mark"]
        show(scores, given["form"], by_topic=by_topic, quiet=given["quiet"])


def _check(given: dict[str, Any]) -> None:
    """Refuse what cannot be before anything is read."""
    check_texts(given)
    if given["output"] or reporting.wanted(given):
        beside = (given[name] for name in ("counts", "relevance", "years", "modern"))
        texts = [*given["corpora"], *given["reference"], *given["dictionaries"]]
        named = [*given["topics"], *texts, *beside]
        read = [*filter(None, named), *metric_files(given)]
        reporting.check_report(given, read)
    if given["output"]:
        from tealeaves.metrics.tidy import check_savable

        check_savable(given["output"])
        shared.check_not_input(given["output"], read)


def metric_files(given: dict[str, Any]) -> list[str]:
    """Return the files that are named inside metrics (``-m``), and are read."""
    if not given["metrics"]:
        return []
    from tealeaves.metrics.registry import parse_metrics

    return [file for metric in parse_metrics(given["metrics"]) for file in metric.files]


def check_texts(given: dict[str, Any]) -> None:
    """Refuse a corpus beside counts, and options that counts have decided already."""
    if given["corpora"] and given["counts"]:
        raise click.UsageError("give either --corpus or --counts")
    check_reference(given)
    if given["counts"]:
        if given["counts"].endswith(".partial"):
            raise click.UsageError(f"{given['counts']} is unfinished: count on with --resume")
        context = click.get_current_context()
        given_too = [one for one in ("unit", "links") if one in given]
        reading = () if reads_reference(given) else ("reader", *FIELDS)
        for name in ("tokens", *reading, *given_too):
            if context.get_parameter_source(name) is not ParameterSource.DEFAULT:
                option = name.replace("_", "-")
                raise click.UsageError(f"--{option} was decided when the counts were made")


def scores_of(models: Any, metrics: Any, given: dict[str, Any], judges: Any = ()) -> Any:
    """Score models as the options of the corpus, or of counts, say.

    For ``judges``, metrics that explain topics, evidence is gathered in the same reading.
    """
    from tealeaves.evidence.sources import open_relevance_source
    from tealeaves.metrics.evaluation import score

    relevance = open_relevance_source(given.get("relevance"))
    tokens = one_for_all(given["tokens"], "tokens")
    if not (given["corpora"] or given["counts"]):
        refuse_needy(models, metrics, tokens, relevance)
    return score(
        models,
        shared.open_corpus(given) if given["corpora"] else None,
        metrics,
        tokens=tokens,
        counts=given["counts"] or None,
        embeddings=given["embeddings"],
        relevance=relevance,
        reference=open_reference(given),
        reference_tokens=given["reference_tokens"],
        weight=given["weight"],
        mark=given.get("mark", False),
        also=judges,
        threads=given["threads"],
        progress=not given["quiet"] and sys.stderr.isatty(),
    )


def refuse_needy(models: Any, metrics: Any, tokens: str | None, relevance: Any = None) -> None:
    """Without texts, only what the topics themselves say can be scored."""
    from tealeaves.evidence.sources import choose_pipeline, open_relevance_source
    from tealeaves.evidence.wording import Wording
    from tealeaves.metrics.planning import check_texts_unneeded

    # relevance decides the tokens: others would find other words, and warn of them
    wording = Wording(choose_pipeline(models, tokens, open_relevance_source(relevance)))
    check_texts_unneeded(models, metrics, wording, relevance=relevance is not None)
