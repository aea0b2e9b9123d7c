"""``tealeaves relevance show``."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tealeaves.cli import options as shared
from tealeaves.cli.help import HeadedCommand
from tealeaves.cli.options import wants_progress
from tealeaves.cli.relevance.notes import tell
from tealeaves.errors import InputError, MissingExtraError
from tealeaves.metrics.notes import classifier_tokens

if TYPE_CHECKING:
    from tealeaves.evidence.relevance.classifier.classifier import Classifier
    from tealeaves.evidence.relevance.relevance import Relevance
    from tealeaves.evidence.relevance.single import TextRelevance
    from tealeaves.text.pipeline import Pipeline
    from tealeaves.topics.topics import Topics

_KINDS = {"attention": "Attention", "lrp": "LRP", "improved": "Improved LRP"}
_LONGEST_NAME = 255  # bytes, which is what file systems take
_FILE_NAME = re.compile(r"\S+\.[A-Za-z]{1,5}")
_NAMED = 10
_EXTRAS = {"relevance": ("torch", "transformers"), "report": ("altair",)}
_DEMO = (
    "no --classifier: a probe is fitted to the demo's texts, and tells their themes; better is "
    "one of your texts (`tealeaves relevance fit`, or --corpus)"
)


@click.command("show", cls=HeadedCommand)
@click.option("--text", required=True, metavar="TEXT", help="The text itself, or a file of it.")
@click.option(
    "--topic",
    required=True,
    metavar="WORDS",
    help='The words of a topic, as in "rocket orbit moon"; or its id in --topics.',
)
@click.option("--topics", metavar="FILE", help="A file of topics, of which --topic names one.")
@click.option(
    "--top",
    type=click.IntRange(min=2),
    metavar="N",
    help="Only the first N words of the topic, as @N of metrics.  [default: all]",
)
@click.option(
    "--classifier",
    metavar="FOLDER",
    help="Made by `tealeaves relevance fit`, or a classifier of Hugging Face. Default: a probe on "
    "MiniLM, fitted to --corpus; without one, to the demo's texts.",
)
@shared.corpus_options
@click.option(
    "--class", "label", metavar="NAME", help="The class asked for.  [default: the predicted one]"
)
@click.option(
    "--what",
    type=click.Choice([*_KINDS, "all"]),
    default="lrp",
    show_default=True,
    help="What is drawn.",
)
@click.option("--heads-of", metavar="FILE", help="Take the heads of a file of relevance.")
@shared.device_option
@click.option(
    "-o", "--output", required=True, metavar="FILE", help="The picture: .svg .png .pdf .html"
)
@shared.quiet_option
def command(**given: Any) -> None:
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
    _check(given)
    model = _topic(given)
    text = _text(given["text"])
    from tealeaves.evidence.relevance.classifier.saved import about
    from tealeaves.evidence.relevance.opening import open_relevance
    from tealeaves.evidence.relevance.single import check_words, relevance_of_text
    from tealeaves.evidence.sources import choose_pipeline
    from tealeaves.evidence.wording import Wording

    pipeline = choose_pipeline([model], given["tokens"], given["classifier"])
    tokens = pipeline.tokenizer()(text)
    check_words(tokens)
    [words] = Wording(pipeline).terms(model)
    terms = {term.tokens for term in words[: given["top"]] if term.tokens}
    known = open_relevance(given["heads_of"]) if given["heads_of"] else None
    told = classifier_tokens([model], pipeline, given["tokens"], about(given["classifier"]).tokens)
    if given["tokens"]:  # by default they are just those of the classifier
        tell(told, quiet=given["quiet"])
    classifier = _classifier(pipeline, given)
    if known:
        _check_heads(known, classifier, given["heads_of"])
    fixed = known.fixed if known else None
    asked: dict[str, Any] = {"label": given["label"], "device": given["device"]}
    found = relevance_of_text(classifier, tokens, terms=terms, fixed=fixed, **asked)
    marked = {position for position, unit in enumerate(found.units) if unit in terms}
    if not marked:
        tell(["no word of the topic is in the text"], quiet=given["quiet"])
    if found.cut:
        told = [f"the text has more than {classifier.longest} word pieces: its end is not read"]
        tell(told, quiet=given["quiet"])
    _draw(found, marked, given, classifier.name)


def _check(given: dict[str, Any]) -> None:
    """Refuse what cannot be before anything is read or loaded."""
    if given["classifier"] and given["corpora"]:
        raise click.UsageError("give either --classifier or --corpus, to which one is fitted")
    lacking = {
        extra: [module for module in modules if find_spec(module) is None]
        for extra, modules in _EXTRAS.items()
    }
    if all(lacking.values()):  # one by itself is told where it is needed
        packages = ", ".join(module for modules in lacking.values() for module in modules)
        extras = ",".join(lacking)
        raise MissingExtraError(
            f"a picture of relevance needs the packages {packages}: "
            f'pip install "tealeaves[{extras}]"'
        )
    from tealeaves.report.charts import check_chart_file

    check_chart_file(given["output"])


def _topic(given: dict[str, Any]) -> Topics:
    """Return a model of the topic alone."""
    from tealeaves.topics.topics import Topics

    if not given["topics"]:
        words = [word for word in re.split(r"[\s,]+", given["topic"]) if word]
        if not words:
            raise click.UsageError('--topic is empty: give words, as in "rocket orbit moon"')
        return Topics.of([list(dict.fromkeys(words))], model="--topic")
    [model] = shared.read_topic_files((given["topics"],), None)
    for topic in model.topics:
        if str(topic.id) == given["topic"]:
            return Topics((topic,), model=model.model, tokens=model.tokens)
    known = [str(topic.id) for topic in model.topics]
    listed = ", ".join([*known[:_NAMED], *["…"] * (len(known) > _NAMED)])
    raise InputError(f"{given['topics']}: no topic {given['topic']} (there are {listed})")


def _classifier(pipeline: Pipeline, given: dict[str, Any]) -> Classifier:
    """Open the classifier, or fit the default one."""
    from tealeaves.evidence.relevance.classifier.classifier import Classifier
    from tealeaves.evidence.relevance.gathering import default_classifier

    if given["classifier"]:
        return Classifier.open(given["classifier"])
    if given["corpora"]:
        corpus = shared.open_corpus(given)
        note = f"a probe is fitted to {corpus.name}"
    else:
        from tealeaves import demo

        corpus, note = demo.corpus(), _DEMO
    tell([note], quiet=given["quiet"])
    progress = wants_progress(quiet=given["quiet"])
    return default_classifier(corpus, pipeline, given["device"], 0, progress=progress)


def _text(given: str) -> str:
    """Return the text, or that of a file."""
    # a long text is no name of a file, and asking for it would be an error
    if len(given.encode("utf-8", "surrogatepass")) > _LONGEST_NAME or "\n" in given:
        return given
    if Path(given).is_file():
        try:
            return Path(given).read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise InputError(f"{given}: not a text in UTF-8") from error
    if _FILE_NAME.fullmatch(given):
        raise InputError(f"{given}: no such file")
    return given


def _check_heads(known: Relevance, classifier: Classifier, file: str) -> None:
    if known.stamp.weights != classifier.fingerprint:
        raise InputError(
            f"{file}: the heads of another classifier ({known.stamp.classifier}), which say "
            f"nothing of {classifier.name}"
        )


def _draw(found: TextRelevance, marked: set[int], given: dict[str, Any], name: str) -> None:
    from tealeaves.report.charts import RelevancePanel, relevance_maps, save_chart

    kinds = list(_KINDS) if given["what"] == "all" else [given["what"]]
    panels = [RelevancePanel(_KINDS[kind], getattr(found, kind), kind == "lrp") for kind in kinds]
    asked = f"for the class {found.label}" if found.label else "for masked words"
    whose = Path(given["heads_of"]).name if given["heads_of"] else "this text"
    chart = relevance_maps(
        found.words,
        panels,
        marked=marked,
        apart=found.apart,
        title=f"Relevance between words, {asked}",
        subtitle=f"{name}, heads of {whose}",
    )
    save_chart(chart, given["output"])
    if not given["quiet"]:
        click.echo(f"{given['output']}: {len(found.words)} words, {len(marked)} marked", err=True)
