"""Options that several commands share."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tealeaves.cli.fields import fields_of
from tealeaves.cli.paired import (
    by_language,
    one_for_all,
    paired_of,
    paired_options,
    path_of,
    read_by_language,
)
from tealeaves.cli.stacking import Command, stacked

if TYPE_CHECKING:
    from tealeaves.metrics.base import Metric
    from tealeaves.text.corpus import Corpus
    from tealeaves.text.paired.corpus import PairedCorpus
    from tealeaves.topics.topics import Topics

_RELEVANCE = "lrp_sum@10 attention_sum@10 relevance_count@10 cooccurrence@10"
FORMATS = ("table", "json", "jsonl", "csv", "md", "latex")


def _field_option(name: str, what: str) -> Callable[[Any], Any]:
    return click.option(
        f"--{name}-field",
        default=name,
        show_default=True,
        metavar="NAME",
        help=f"The field of JSONL, CSV or Parquet that holds {what}.",
    )


def _corpus_options(
    where: str, many: str, repeated: dict[str, Any], of_tokens: str
) -> Callable[[Command], Command]:
    return stacked(
        click.option(
            "-c",
            "--corpus",
            "corpora",
            multiple=True,
            metavar=where,
            help="The texts: a file (.txt one document a line, .jsonl, .csv, .tsv, .parquet; "
            "also .gz .bz2 .zst), a folder (each plain file a document), a glob in quotes, or - "
            f"for standard input. May be repeated{many}.",
        ),
        click.option(
            "--tokens",
            metavar="PIPELINE",
            help="How texts become tokens: words, tokens (split at spaces), icu or characters, "
            'with options, as in "words(stopwords=en, lemmas=en, min_length=3)"; or the preset '
            f"attention(language=en){of_tokens}. Default: those of relevance or of a classifier "
            "that is given, else those that a model was made with, where it says so, else words.",
            **repeated,
        ),
        click.option(
            "--reader",
            metavar="NAME",
            help="lines, file, jsonl, csv, tsv, parquet, bible or tmx, if the file's name does not "
            'tell; "tsv(header=false)" calls its columns 1, 2, ….',
            **repeated,
        ),
        _field_option("text", "the document"),
        _field_option("id", "its id"),
        _field_option("label", "its label"),
        _field_option("language", "its language"),
    )


corpus_options = _corpus_options("PATH", "", {}, "")

# the same, for commands that read texts in several languages too
languages_options = stacked(
    _corpus_options(
        "[LANG=]PATH",
        "; en=PATH sv=PATH are texts in several languages",
        {"multiple": True, "callback": read_by_language},
        "; zh=icu is for one of several languages (a reader too may be)",
    ),
    paired_options,
)

metric_option = click.option(
    "-m",
    "--metrics",
    "metrics",
    multiple=True,
    metavar="SPECS",
    help='Metrics, as in "npmi@10 c_v(never=0)@10": separated by spaces, or the option repeated. '
    "Default: npmi@10 c_v@10; with --relevance those of relevance, @10; of topics in several "
    "languages cnpmi@10 inpmi@10 twc@10. `tealeaves metrics` lists all.",
)

embeddings_option = click.option(
    "-e",
    "--embeddings",
    "embeddings",
    multiple=True,
    metavar="NAME",
    help="What gives words their vectors, for metrics of vectors: a name of `tealeaves embeddings`,"
    " a file of word2vec, GloVe or fastText, or a model of Hugging Face (owner/name, which is "
    "downloaded, or a folder). Repeated: such metrics are computed with each. Default: minilm, "
    "else wordllama.",
)

relevance_option = click.option(
    "--relevance",
    metavar="FILE",
    help="Relevance made by `tealeaves relevance gather`, for metrics of attention and relevance: "
    "no corpus is read. Or a classifier, which reads the corpus. Default: a probe on MiniLM, "
    "fitted to the corpus.",
)

topics_argument = click.argument("topics", nargs=-1, required=True, metavar="TOPICS...")

separator_option = click.option(
    "--separator",
    type=click.Choice(["space", "tab", "comma"]),  # lines.SEPARATORS, which is not light
    help="What separates words in one-topic-a-line files; tabs and spaces are told apart.",
)

format_option = click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    help="Default: table on a terminal, jsonl when piped.",
)

threads_option = click.option(
    "--threads",
    type=click.IntRange(min=1),
    metavar="N",
    help="Threads that count; default: one for each processor. The numbers are the same.",
)

seed_option = click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="N",
    help="Where random numbers start: the same seed gives the same numbers.",
)

files_options = stacked(
    click.option(
        "-o",
        "--output",
        metavar="FILE",
        help="Save all rows too: .jsonl .json .csv .md .tex .parquet",
    ),
    click.option("--plot", metavar="FILE", help="Draw a chart: .html, .svg, .png or .pdf"),
)

checkpoint_option = click.option(
    "--checkpoint",
    type=click.FloatRange(min=0),
    default=30.0,
    show_default=True,
    metavar="SECONDS",
    help="How often what is done is saved.",
)

device_option = click.option(
    "--device", metavar="NAME", help="cpu, cuda, …  [default: a GPU where there is one]"
)

quiet_option = click.option("-q", "--quiet", is_flag=True, help="No progress, no notes.")


def open_texts(options: dict[str, Any]) -> Corpus | PairedCorpus:
    """Open the texts that the options name: in one language, or in several (``en=PATH``)."""
    return paired_of(options) or open_corpus(options)


def open_corpus(options: dict[str, Any]) -> Corpus:
    """Open the corpus that the options of ``corpus_options`` name."""
    from tealeaves.text.corpus import Corpus

    if "opened" in options:  # the texts of one of several languages
        opened: Corpus = options["opened"]
        return opened
    named = by_language(options["corpora"], "--corpus")
    if named is not None:
        languages = " ".join(f"{name}=PATH" for name in named)
        raise click.UsageError(
            f"{languages}: texts of languages are for topics in several; give PATH alone"
        )
    reader = one_for_all(options["reader"], "reader")
    return Corpus.open(*options["corpora"], reader=reader, fields=fields_of(options))


def read_topic_files(
    paths: tuple[str, ...], separator: str | None, languages: str | None = None
) -> list[Topics]:
    """Read the models that are named on the command line.

    ``languages`` are the names of those that a file numbers.
    """
    from tealeaves.topics.reading import read_topics, with_unique_names

    for path in paths:
        if "@" in path and not Path(path).exists():
            raise click.UsageError(f"{path}: no such file; several metrics go in quotes after -m")
    if (sides := by_language(paths, "the topics")) is not None:
        from tealeaves.topics.per_language import read_multilingual

        for language, files in sides.items():
            if len(files) > 1:
                raise click.UsageError(f"two files of topics in {language}: {', '.join(files)}")
        single = {language: files[0] for language, files in sides.items()}
        return [read_multilingual(single, separator=separator)]
    stated = {} if languages is None else {"languages": languages}
    models = [read_topics(path, separator=separator, **stated) for path in paths]
    return with_unique_names(models, paths)


def read_metrics(
    specs: tuple[str, ...],
    embeddings: tuple[str, ...] = (),
    relevance: str | None = None,
    *,
    usual: str | None = None,
) -> list[Metric]:
    """Read ``-m``, or take the usual ones; of several embeddings, metrics use each."""
    from tealeaves.evidence.embeddings.opening import Choice
    from tealeaves.metrics.planning import with_each_embedding
    from tealeaves.metrics.registry import parse_metrics

    metrics = parse_metrics(specs or [usual or _default_metrics(relevance)])
    if embeddings and not any(map(_takes_vectors, metrics)):
        named = ", ".join(map(repr, metrics))
        raise click.UsageError(
            f"-e is for metrics of vectors, such as -m embedding_coherence@10, not for {named}"
        )
    return with_each_embedding(metrics, Choice(embeddings))


def _takes_vectors(metric: Metric) -> bool:
    return "embedding" in metric.accepts or "embeddings" in metric.uses


def _default_metrics(relevance: str | None) -> str:
    """Return what is scored where nothing is said: with relevance, what it was gathered for."""
    if not relevance:
        from tealeaves.metrics.evaluation import DEFAULT_METRICS

        return DEFAULT_METRICS
    from tealeaves.evidence.relevance.opening import has_improved

    improved = Path(relevance).is_file() and has_improved(relevance)
    return f"{_RELEVANCE} improved_lrp_sum@10" if improved else _RELEVANCE


def check_relevance(given: dict[str, Any], metrics: Iterable[Metric]) -> None:
    """Refuse relevance that no metric is computed from."""
    from tealeaves.metrics.relevant.family import RelevanceMetric

    asked, relevance = list(metrics), given["relevance"]
    if not relevance or any(isinstance(metric, RelevanceMetric) for metric in asked):
        return
    named = ", ".join(map(repr, asked))
    if not any("relevance" in metric.uses for metric in asked):
        raise click.UsageError(
            f"--relevance is for metrics of relevance, such as -m lrp_sum@10, not for {named}"
        )
    if not Path(relevance).is_file():  # no classifier reads texts for what is only wished for
        raise click.UsageError(f"{relevance}: {named} can use relevance from a file only")


def check_files(given: dict[str, Any], inputs: Iterable[str]) -> None:
    """Refuse, before any work is done, what ``files_options`` name but cannot be written."""
    from tealeaves.errors import InputError

    read = list(inputs)
    if given["output"]:
        from tealeaves.metrics.tidy import check_savable

        check_savable(given["output"])
        check_not_input(given["output"], read)
    if given["plot"]:
        from tealeaves.report.charts import check_chart_file

        check_chart_file(given["plot"])
        check_not_input(given["plot"], read)
    if given["plot"] and given["plot"] == given["output"]:
        raise InputError(f"{given['plot']}: both the rows and the chart would be written there")


def check_not_input(output: str, inputs: Iterable[str]) -> None:
    """Refuse to write over what is read."""
    from tealeaves.errors import InputError

    for name in map(path_of, inputs):
        if os.path.realpath(output) == os.path.realpath(name):
            raise InputError(f"{output}: would be written over, and it is read")
