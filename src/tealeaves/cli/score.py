"""``tealeaves score``."""

from __future__ import annotations

from typing import NamedTuple

import click

from tealeaves.cli import options as shared
from tealeaves.cli import report_files
from tealeaves.cli.help import LANGUAGES, METRICS, OUTPUT, option
from tealeaves.cli.help import command as declare


class ScoreOptions(NamedTuple):
    """What is scored of the topics, and what is shown."""

    metrics: tuple[str, ...]
    by_topic: bool
    mark: bool
    weight: str | None
    output: str | None
    form: str | None
    language: str | None
    languages: str | None
    side_by_side: bool
    separator: str | None


_score_options = shared.OptionFamily(
    "chosen",
    ScoreOptions,
    shared.metric_option,
    option(
        "--by-topic",
        heading=METRICS,
        is_flag=True,
        help="Show each topic, then the model (topic: all).",
    ),
    option(
        "--mark",
        heading=METRICS,
        is_flag=True,
        help="Show each topic with the words marked that fit it badly: by the first of the metrics "
        "that can tell, else by consensus, which uses --reference and -e too.",
    ),
    option(
        "--weight",
        heading=METRICS,
        type=click.Choice(["documents"]),
        help="Weight topics by the documents whose best topic they are.",
    ),
    shared.format_option,
    option(
        "-o",
        "--output",
        heading=OUTPUT,
        metavar="FILE",
        help="Save all rows too, topics and models: .jsonl .json .csv .md .tex .parquet",
    ),
    option(
        "--language",
        heading=LANGUAGES,
        metavar="LANG",
        help="Score one language of topics in several, as topics of that language alone.",
    ),
    shared.languages_option,
    option(
        "--side-by-side",
        heading=LANGUAGES,
        excludes=("--by-topic", "--mark", "--language"),
        is_flag=True,
        help="Show the words of each topic in all languages, translations marked.",
    ),
    shared.separator_option,
)


@declare("score")
@shared.topics_argument
@shared.text_options
@_score_options
@report_files.report_family
@shared.source_options
@shared.work_options
def command(
    topics: tuple[str, ...],
    texts: shared.TextOptions,
    chosen: ScoreOptions,
    given: shared.SourceOptions,
    work: shared.WorkOptions,
    files: report_files.ReportFiles,
) -> None:
    """Score the topics of one or more models.

    TOPICS are files or folders of models: tealeaves' own (.json, .topics), word lists in JSON, one
    topic per line, tables (.csv, .parquet), MALLET's outputs, a folder saved by BERTopic, OCTIS's
    output, text exports of gensim and tomotopy; en=FILE es=FILE are one model in two languages. All
    metrics of all models are computed in one reading of the corpus; metrics of the words alone need
    no corpus.

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
    from tealeaves.cli.output import show_scores, show_side_by_side
    from tealeaves.metrics.evaluation import score
    from tealeaves.topics.multilingual import are_multilingual

    metrics = shared.parse_specs(chosen.metrics)
    inputs = [*topics, *texts.corpora, *given.files, *shared.metric_files(metrics)]
    files.check(inputs, rows=chosen.output)
    language = chosen.language
    models = shared.read_topic_files(topics, chosen.separator, chosen.languages, language)
    if chosen.side_by_side and not are_multilingual(models):
        raise click.UsageError("--side-by-side is for topics in several languages")
    sources = given.sources(texts, models, language)
    scores = score(
        models,
        sources,
        metrics or None,
        weight=chosen.weight,
        mark=chosen.mark,
        also=files.explainer(metrics, models),
        strict=not chosen.side_by_side,  # which may show what no metric uses
        threads=work.threads,
        progress=work.progress,
    )
    try:
        if chosen.output:
            scores.save(chosen.output)
        files.write(scores, models, dictionary=sources.dictionary)
    finally:  # the scores are shown, whatever became of the files
        if chosen.side_by_side:
            show_side_by_side(models, scores, sources.dictionary, chosen.form, quiet=work.quiet)
        else:
            by_topic = chosen.by_topic or chosen.mark
            show_scores(scores, chosen.form, by_topic=by_topic, quiet=work.quiet)
