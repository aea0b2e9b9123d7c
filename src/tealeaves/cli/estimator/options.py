"""Options that the commands of estimators share."""

from __future__ import annotations

from typing import Any

import click

from tealeaves.cli import options as shared
from tealeaves.cli.options import named, stacked, wants_progress

#: Topics and what their features are read from.
reading_options = stacked(
    shared.topics_argument,
    shared.languages_options,
    shared.languages_option,
    shared.crosslingual_options,
    shared.counts_option,
    shared.separator_option,
)

judging_options = stacked(
    click.option(
        "--estimator",
        metavar="FILE",
        help="Estimators of `tealeaves estimator fit`. Default: those of tealeaves.",
    ),
    click.option(
        "--top",
        type=click.IntRange(min=1),
        default=10,
        show_default=True,
        metavar="N",
        help="How many first words of each topic are judged.",
    ),
    click.option(
        "--level",
        type=click.FloatRange(0, 1, min_open=True, max_open=True),
        default=0.9,
        show_default=True,
        metavar="SHARE",
        help="About how likely the interval holds the target, in a language never seen.",
    ),
)


def read(given: dict[str, Any]) -> list[Any]:
    """Read the topics, and refuse what cannot be before any text is read."""
    shared.check_texts(given)
    if not (given["corpora"] or given["counts"]):
        raise click.UsageError("give the texts of each language: --corpus en=PATH --corpus am=PATH")
    models = shared.read_topic_files(given["topics"], given["separator"], given["languages"])
    from tealeaves.topics.multilingual import are_multilingual

    if not are_multilingual(models):
        raise click.UsageError(
            f"{models[0].model} has topics in one language; an estimator compares two "
            "(en=FILE am=FILE are one model in two)"
        )
    return models


def evidence(models: list[Any], given: dict[str, Any], pivot: str | None = None) -> dict[str, Any]:
    """Return what features are read from, as arguments of the estimator's functions.

    Years and modern texts whose language is not said are of the pivot, without one of English.
    """
    if pivot is not None:
        given = {**given, **{name: _of(pivot, given[name]) for name in ("years", "modern")}}
    texts, sources = shared.TextOptions.of(given), shared.SourceOptions.of(given)
    return {
        "reference": texts.open(),
        "dictionary": sources.open_dictionaries(models),
        "years": sources.open_years(),
        "modern": sources.open_modern(texts),
        "counts": given["counts"],
        "tokens": given["tokens"],
        "threads": given["threads"],
        "progress": wants_progress(quiet=given["quiet"]),
    }


def _of(pivot: str, argument: str | None) -> str | None:
    """Write the language before a path that says none."""
    if argument is None or named(argument):
        return argument
    return f"{pivot}={argument}"


def inputs(given: dict[str, Any]) -> list[str]:
    """Return the files that are read, which must not be written."""
    several = (*given["topics"], *given["corpora"], *given["dictionaries"])
    single = (given["years"], given["modern"], given["counts"], given.get("estimator"))
    return [*several, *(one for one in single if one)]
