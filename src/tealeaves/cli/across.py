"""Topics in several languages on the command line: scored, counted, shown side by side."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from tealeaves.cli import options as shared
from tealeaves.cli import reporting
from tealeaves.cli.paired import named, of_side, paired_of
from tealeaves.cli.stacking import stacked

if TYPE_CHECKING:
    from tealeaves.text.paired.corpus import PairedCorpus
    from tealeaves.topics.topics import Topics

languages_option = click.option(
    "--languages",
    metavar="EN,SV",
    help="The languages of MALLET's polylingual output, which numbers them.",
)

auxiliary_options = stacked(
    click.option(
        "--dictionary",
        "dictionaries",
        multiple=True,
        metavar="[EN-SV=]FILE",
        help="Translations, for mta and cnpmi_estimated: two words a line (.txt, .tsv, as MUSE's). "
        "The languages are those in the file's name (en-sv.txt), or are written before it. May be "
        "repeated.",
    ),
    click.option(
        "--years",
        metavar="[EN=]FILE",
        help="Since when a language has its words, for cnpmi_estimated: a table of words and years "
        "(.tsv, .csv, .jsonl). Of several years of a word the earliest counts. Default: English.",
    ),
    click.option(
        "--modern",
        metavar="[EN=]PATH",
        help="Texts of our time in one of the languages, for cnpmi_estimated: does the reference "
        "use words as they do? As a corpus is given, with the same names of fields. Default: "
        "English.",
    ),
)

options = stacked(
    languages_option,
    auxiliary_options,
    click.option(
        "--side-by-side",
        is_flag=True,
        help="Show the words of each topic in all languages, translations marked.",
    ),
    click.option(
        "--language",
        metavar="LANG",
        help="Score one language of topics in several, as topics of that language alone.",
    ),
)


def several(models: Sequence[Topics]) -> bool:
    """Tell whether the topics are in several languages."""
    from tealeaves.evidence.sources import are_multilingual

    return are_multilingual(models)


def chosen_side(models: list[Topics], given: dict[str, Any]) -> list[Topics]:
    """Return the topics of one language, where one is asked for, and leave only its texts."""
    language = given["language"]
    if language is None:
        return models
    from tealeaves.topics.multilingual import MultilingualTopics

    for model in models:
        if not isinstance(model, MultilingualTopics):
            raise click.UsageError(f"--language: {model.model} has topics in one language only")
    if paired := paired_of(given):
        given["opened"] = paired.side(language)
        given["unit"] = given["links"] = None
    for name in ("tokens", "reader"):
        given[name] = of_side(given[name], language)
    return [model.side(language) for model in models if isinstance(model, MultilingualTopics)]


def refuse(given: dict[str, Any]) -> None:
    """Refuse what has no meaning for topics in one language."""
    for name in ("dictionaries", "years", "modern", "side_by_side", "languages", "unit", "links"):
        if given.get(name):
            option = {"dictionaries": "dictionary"}.get(name, name.replace("_", "-"))
            raise click.UsageError(f"--{option} is for topics in several languages")


def score(models: list[Topics], given: dict[str, Any]) -> None:
    """Score topics in several languages, and show what was found."""
    _check(given)
    from tealeaves.cli.output import show
    from tealeaves.metrics.evaluation import DEFAULT_CROSSLINGUAL_METRICS
    from tealeaves.metrics.evaluation import score as scored

    usual = (
        f"{DEFAULT_CROSSLINGUAL_METRICS} mta@10"
        if given["dictionaries"]
        else DEFAULT_CROSSLINGUAL_METRICS
    )
    if given["dictionaries"] and not (given["corpora"] or given["counts"]):
        usual = "mta@10"
    metrics = shared.read_metrics(given["metrics"], given["embeddings"], usual=usual)
    _check_used(metrics, given)
    dictionaries = dictionaries_of(models, given)
    scores = scored(
        models,
        texts_of(models, given),
        metrics,
        tokens=given["tokens"],
        counts=given["counts"],
        dictionary=dictionaries,
        years=years_of(given),
        modern=modern_of(given),
        weight=given["weight"],
        threads=given["threads"],
        progress=not given["quiet"] and sys.stderr.isatty(),
    )
    try:
        if given["output"]:
            scores.save(given["output"])
        if reporting.wanted(given):
            run = reporting.run_of_scores(models, scores, (), dictionaries)
            reporting.write_report(run, given)
    finally:  # what was computed is shown, whatever became of the file
        if given["side_by_side"]:
            from tealeaves.cli.beside import show_beside

            show_beside(models, scores, dictionaries, given["form"], quiet=given["quiet"])
        else:
            show(scores, given["form"], by_topic=given["by_topic"], quiet=given["quiet"])


def _check(given: dict[str, Any]) -> None:
    """Refuse what has no meaning for topics in several languages."""
    if given["relevance"]:
        raise click.UsageError("--relevance is for topics in one language: say which: --language")
    for name in ("unit", "links"):
        if given[name] and not given["corpora"]:
            raise click.UsageError(f"--{name} is for texts: --corpus en=PATH")


def _check_used(metrics: Sequence[Any], given: dict[str, Any]) -> None:
    """Refuse what no metric reads."""
    read = [getattr(metric, "reads_dictionaries", False) for metric in metrics]
    if given["dictionaries"] and not (given["side_by_side"] or any(read)):
        raise click.UsageError(
            "--dictionary is for -m mta@10, -m cnpmi_estimated@10 and --side-by-side"
        )
    for name in ("years", "modern"):
        if given[name] and not any(getattr(one, "reads_auxiliary", False) for one in metrics):
            raise click.UsageError(f"--{name} is for -m cnpmi_estimated@10")


def years_of(given: dict[str, Any]) -> Any:
    """Open the years of words; they are of English unless a language is said."""
    if not given["years"]:
        return None
    from tealeaves.evidence.eras.eras import Eras
    from tealeaves.evidence.sources import PIVOT

    language, path = named(given["years"]) or (PIVOT, given["years"])
    return Eras.open(path, language=language)


def modern_of(given: dict[str, Any]) -> Any:
    """Open modern texts; they are of English unless a language is said."""
    if not given["modern"]:
        return None
    from tealeaves.evidence.sources import PIVOT
    from tealeaves.text.corpus import Corpus
    from tealeaves.text.document import Fields

    language, path = named(given["modern"]) or (PIVOT, given["modern"])
    names = ("text_field", "id_field", "label_field", "language_field")
    return {language: Corpus.open(path, fields=Fields(*(given[name] for name in names)))}


def dictionaries_of(models: Sequence[Topics], given: dict[str, Any]) -> Any:
    """Open the dictionaries of the topics' languages."""
    if not given["dictionaries"]:
        return None
    from tealeaves.evidence.dictionaries.dictionaries import Dictionaries
    from tealeaves.evidence.sources import languages_of

    return Dictionaries.open(given["dictionaries"], languages_of(models))


def texts_of(models: Sequence[Topics], given: dict[str, Any]) -> PairedCorpus | None:
    """Open the texts of each language of the topics."""
    if not given["corpora"]:
        return None
    paired = paired_of(given)
    if paired is None:
        from tealeaves.evidence.sources import languages_of

        wanted = " ".join(f"--corpus {name}=PATH" for name in languages_of(models))
        raise click.UsageError(f"{models[0].model} has topics in several languages: give {wanted}")
    return paired
