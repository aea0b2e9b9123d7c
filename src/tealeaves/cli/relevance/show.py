"""``tealeaves relevance show``."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from tealeaves.cli import options as shared
from tealeaves.cli.help import METRICS, MODEL, TEXTS, option
from tealeaves.cli.help import command as declare
from tealeaves.errors import InputError, MissingExtraError, errors_about
from tealeaves.printing import echo, print_note

if TYPE_CHECKING:
    from tealeaves.topics.topics import Topics

_KINDS = ("attention", "lrp", "improved", "all")  # report.charts is not light
_LONGEST_NAME = 255  # bytes, the limit of file systems
_FILE_NAME = re.compile(r"\S+\.[A-Za-z]{1,5}")
_EXTRAS = {"relevance": ("torch", "transformers"), "report": ("altair",)}


class ShowOptions(NamedTuple):
    """What is drawn."""

    text: str
    topic: str
    topics: str | None
    top: int | None
    classifier: str | None
    label: str | None
    what: str
    heads_of: str | None
    device: str | None
    output: str


_show_options = shared.OptionFamily(
    "chosen",
    ShowOptions,
    option(
        "--text",
        heading=TEXTS,
        required=True,
        metavar="TEXT",
        help="The text itself, or a file of it.",
    ),
    option(
        "--topic",
        heading=TEXTS,
        required=True,
        metavar="WORDS",
        help='The words of a topic, as in "rocket orbit moon"; or its id in --topics.',
    ),
    option(
        "--topics",
        heading=TEXTS,
        metavar="FILE",
        help="A file of topics, of which --topic names one.",
    ),
    option(
        "--top",
        heading=METRICS,
        type=click.IntRange(min=2),
        help="Only the first N words of the topic, as @N of metrics.  [default: all]",
    ),
    option(
        "--classifier",
        heading=MODEL,
        excludes="--corpus",
        metavar="FOLDER",
        help="Made by `tealeaves relevance fit`, or a classifier of Hugging Face. Default: a probe "
        "on MiniLM, fitted to --corpus; without one, to the demo's texts.",
    ),
    option(
        "--class",
        "label",
        heading=METRICS,
        metavar="NAME",
        help="The class that is explained.  [default: the predicted one]",
    ),
    option(
        "--what",
        heading=METRICS,
        type=click.Choice(_KINDS),
        default="lrp",
        help="What is drawn.",
    ),
    option(
        "--heads-of", heading=METRICS, metavar="FILE", help="Take the heads of a file of relevance."
    ),
    shared.device_option,
    shared.output_file("The picture: .svg .png .pdf .html"),
)


@declare("show")
@_show_options
@shared.classified_text_options
@shared.quiet_option
def command(chosen: ShowOptions, corpus: shared.TextOptions, *, quiet: bool) -> None:
    """Draw the relevance between the words of one text, with the topic's words marked.

    Rows are the words that attend, columns those attended to. The outlined cells are those that
    the metrics sum. A word of several tokens, such as new_york, is one row and one column. The
    text is read with --tokens, by default with those that the classifier was fitted with.

    \b
    Examples:
      tealeaves relevance show --text "the rocket left its orbit" --topic "rocket orbit moon" \\
          -o figure.svg
      tealeaves relevance show --text "the rocket left its orbit around the moon" \\
          --topic "rocket orbit moon" --classifier news.classifier -o figure.svg
      tealeaves relevance show --text letter.txt --topics lda.json --topic 3 \\
          --classifier news.classifier --what all -o figure.html
    """
    _check_output(chosen.output)
    topic = _topic(chosen.topic, chosen.topics)
    text = _text_or_file(chosen.text)
    from tealeaves.evidence.attention.text_relevance import text_relevance
    from tealeaves.report.charts import save_chart, text_relevance_chart

    shown = text_relevance(
        text,
        topic,
        classifier=chosen.classifier,
        corpus=corpus.corpus() if corpus.corpora else None,
        tokens=shared.one_for_all(corpus.tokens, "tokens"),
        top=chosen.top,
        label=chosen.label,
        heads_of=chosen.heads_of,
        device=chosen.device,
        progress=shared.wants_progress(quiet=quiet),
        on_note=None if quiet else print_note,
    )
    save_chart(text_relevance_chart(shown, chosen.what), chosen.output)
    if not quiet:
        words, marked = len(shown.words), len(shown.marked)
        echo(f"{chosen.output}: {words} words, {marked} marked", err=True)


def _check_output(output: str) -> None:
    """Raise, before anything is read, if the picture cannot be drawn."""
    missing = {
        extra: [module for module in modules if find_spec(module) is None]
        for extra, modules in _EXTRAS.items()
    }
    if all(missing.values()):  # if only one is missing, an error says so where it is needed
        packages = ", ".join(module for modules in missing.values() for module in modules)
        extras = ",".join(missing)
        raise MissingExtraError(
            f"a picture of relevance needs the packages {packages}: "
            f'pip install "tealeaves[{extras}]"'
        )
    from tealeaves.report.charts import check_chart_file

    check_chart_file(output)


def _topic(topic: str, file: str | None) -> Topics | str:
    """Return the words of a topic, or the topic of a file."""
    if file:
        [model] = shared.read_topic_files((file,), None)
        with errors_about(file, model.model):
            return model.only(topic)
    if topic.isdigit():
        raise click.UsageError(f"--topic {topic} names a topic of --topics: give this file too")
    return topic


def _text_or_file(text: str) -> Path | str:
    """Return the path if there is such a file, else the text itself."""
    # a long text is no name of a file, and looking for it would be an error
    if len(text.encode("utf-8", "surrogatepass")) > _LONGEST_NAME or "\n" in text:
        return text
    if Path(text).is_file():
        return Path(text)
    if _FILE_NAME.fullmatch(text):
        raise InputError(f"{text}: no such file")
    return text
