"""``tealeaves lexicon extract``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tealeaves.cli import options as shared
from tealeaves.cli.help import HeadedCommand
from tealeaves.cli.lexicon.options import (
    check_languages,
    check_there,
    reading_of,
    reading_options,
    side_of,
)
from tealeaves.cli.options import wants_progress
from tealeaves.jobs import check_resume_options, explain_interruption, processors, stop_at_signals

if TYPE_CHECKING:
    from tealeaves.lexicon.extraction.base import Extractor
    from tealeaves.lexicon.extraction.folders import Folder
    from tealeaves.lexicon.extraction.processes import Ended
    from tealeaves.lexicon.extraction.signing import Place
    from tealeaves.lexicon.extraction.targets import Plan, Target


def _list(context: click.Context, parameter: click.Parameter, value: Any) -> None:  # noqa: ARG001
    if value:
        from tealeaves.cli.lexicon.models import list_models

        list_models()
        context.exit()


@click.command("extract", cls=HeadedCommand)
@click.option(
    "--source",
    required=True,
    metavar="[LANG=]PATH",
    help="The text whose words are looked for: a Bible, JSONL, a table, one passage a line, or "
    "what `tealeaves lexicon tag` made. A file names its language up to the first dot.",
)
@click.option(
    "--target",
    "targets",
    multiple=True,
    required=True,
    metavar="[LANG=]PATH",
    help="The same text in another language. May be repeated, a hundred times.",
)
@click.option(
    "--lemmas",
    multiple=True,
    metavar="A,B,…",
    help="The words: hand,foot; of tagged texts also hand/N; @FILE has one a line. May be "
    "repeated. Default: those of --only-tokens.",
)
@click.option(
    "--model",
    "models",
    multiple=True,
    default=("hybrid",),
    show_default=True,
    metavar="MODEL",
    help="How it is done, as in l(measure=t); repeated: several, each a file. --list-models shows "
    "all.",
)
@click.option(
    "--list-models",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_list,
    help="List the models and their parameters.",
)
@click.option(
    "--words",
    default="forms",
    show_default=True,
    metavar="HOW",
    help="What a word of the source is: forms (in lower case), simplemma (lemmas), or hanta "
    "(lemmas with their part of speech: hand/N). A tagged file says itself.",
)
@click.option(
    "--only-tokens",
    "sheets",
    multiple=True,
    metavar="SHEET",
    help="Write only the tokens of such sheets of annotations; all passages are trained on.",
)
@click.option("--skip-missing", is_flag=True, help="Go on without lemmas that never occur.")
@reading_options
@click.option(
    "-o", "--output", required=True, metavar="FOLDER", help="Where TARGET.jsonl.gz are put."
)
@click.option("--resume", is_flag=True, help="Keep the targets that are done, and do the others.")
@click.option("--restart", is_flag=True, help="Replace what is there.")
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    help="Targets at once, each a process; default: one for each processor. Results are the same.",
)
@shared.format_option
@shared.quiet_option
def command(**given: Any) -> None:
    """Find how each token of some words is expressed in other languages.

    FOLDER gets a file for each target (TARGET.MODEL.jsonl.gz, if there are several models): each
    token, what expresses it, and the passages. `tealeaves lexicon map` draws them, `evaluate`
    compares them with annotations. A run that was stopped goes on with --resume. A target that
    fails does not stop the others.

    \b
    Examples:
      tealeaves lexicon extract --source eng.tsv --target fin.tsv --lemmas hand,foot -o found
      tealeaves lexicon extract --source eng.tagged.jsonl.gz --target fin.tsv --target zho.tsv \\
          --tokens zho=characters --lemmas @lemmas.txt --model hybrid --model L-t -o found --resume
      tealeaves lexicon extract --source en=en.jsonl --target sv=sv.jsonl --words simplemma \\
          --lemmas hand -o found
      tealeaves lexicon extract --list-models
    """
    from tealeaves.lexicon.extraction.folders import Folder

    check_resume_options(resume=given["resume"], restart=given["restart"])
    source, targets = side_of(given["source"]), [side_of(one) for one in given["targets"]]
    _check_names(targets)
    check_there([path for _, path in [source, *targets]])
    names = [name for name, _ in targets]
    check_languages([source[0], *names], given)
    models = _models(given["models"])
    lemmas, only = _asked(given)
    folder = Folder.of(given["output"], models, resume=given["resume"])
    folder.check(names, restart=given["restart"])
    plan = _plan(source, lemmas, only, models, given)
    folder.prepare(names, restart=given["restart"])
    _run(plan, targets, folder, given)


def _check_names(targets: list[tuple[str, str]]) -> None:
    from tealeaves.errors import InputError

    first: dict[str, str] = {}
    for name, path in targets:
        if name in first:
            raise InputError(
                f"{first[name]} and {path}: both targets are called {name}; say a name before the "
                f"path: {name}2={path}"
            )
        first[name] = path


def _models(specs: tuple[str, ...]) -> dict[str, Extractor]:
    """Read the models, and refuse those that cannot run."""
    from tealeaves.lexicon.extraction.registry import extractor

    models = {spec: extractor(spec) for spec in specs}
    for model in models.values():
        model.check()
    return models


def _asked(given: dict[str, Any]) -> tuple[tuple[str, ...], frozenset[Place] | None]:
    """Read the lemmas, and the tokens that alone are written."""
    from tealeaves.lexicon.extraction.asked import listed, read_lemmas

    found = [
        read_lemmas(one.removeprefix("@")) if one.startswith("@") else listed(one)
        for one in given["lemmas"]
    ]
    lemmas = tuple(dict.fromkeys(lemma for part in found for lemma in part))
    if not given["sheets"]:
        if not lemmas:
            raise click.UsageError("name the words: --lemmas hand,foot")
        return lemmas, None
    from tealeaves.lexicon.dataset.sheets import read_sheets

    tokens = [(one.lemma, one.key, one.place) for one in read_sheets(given["sheets"])]
    wanted = lemmas or tuple(dict.fromkeys(lemma for lemma, _, _ in tokens))
    return wanted, frozenset(tokens)


def _plan(
    source: tuple[str, str],
    lemmas: tuple[str, ...],
    only: frozenset[Place] | None,
    models: dict[str, Extractor],
    given: dict[str, Any],
) -> Plan:
    from tealeaves.errors import InputError
    from tealeaves.lexicon.extraction.asked import asked_lemmas
    from tealeaves.lexicon.extraction.choosing import check_chosen
    from tealeaves.lexicon.extraction.progress import Bars
    from tealeaves.lexicon.extraction.targets import Plan

    reading, (name, path) = reading_of(given), source
    with Bars(1, shown=wants_progress(quiet=given["quiet"])) as bars:
        passages = reading.passages(
            path, name, words=given["words"], advance=bars.counting(name, "reading")
        )
    if not len(passages.words.numbers):
        raise InputError(f"{path} has no words")
    wanted = asked_lemmas(passages, lemmas, skip_missing=given["skip_missing"])
    if len(wanted) < len(lemmas) and not given["quiet"]:
        lacking = ", ".join(lemma for lemma in lemmas if lemma not in wanted)
        click.echo(f"note: never in {path}, left out: {lacking}", err=True)
    if only is not None:
        check_chosen(passages, wanted, only)
    given["jobs"] = min(given["jobs"] or processors(), len(given["targets"]))
    threads = max(1, processors() // given["jobs"])
    plan = Plan(passages, wanted, tuple(models.values()), reading, only, threads)
    _ = plan.source_digest  # once, not in each process
    return plan


def _run(plan: Plan, targets: list[tuple[str, str]], folder: Folder, given: dict[str, Any]) -> None:
    from tealeaves.lexicon.extraction.processes import each_target
    from tealeaves.lexicon.extraction.progress import Bars
    from tealeaves.lexicon.extraction.running import failed
    from tealeaves.lexicon.extraction.targets import Target

    sides = [Target(name, path) for name, path in targets]
    ended: dict[str, Ended] = {}

    def saved() -> str:
        done = folder.there([name for name, _ in targets])
        return f"{folder.path} holds the {done} that are done" if done else ""

    bars = Bars(len(sides), shown=wants_progress(quiet=given["quiet"]))
    with explain_interruption(saved), bars, stop_at_signals() as stop:
        for one in each_target(plan, sides, folder, jobs=given["jobs"], told=bars.tell, stop=stop):
            ended[one.target.name] = one
            bars.ended(one.target.name)
    _show(sides, ended, given)
    lost = [ended[side.name] for side in sides if ended[side.name].error is not None]
    if lost:
        raise failed(lost, len(sides))


def _show(sides: list[Target], ended: dict[str, Ended], given: dict[str, Any]) -> None:
    """Sum up what was extracted; the files are there in any case."""
    from tealeaves.lexicon.extraction.summaries import ExtractionSummary
    from tealeaves.tables.terminal import print_result

    done = [one for side in sides for one in ended[side.name].result or ()]
    if done:
        print_result(ExtractionSummary(done), given["form"], quiet=given["quiet"])
