"""``tealeaves lexicon sample``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tealeaves.cli import options as shared
from tealeaves.cli.help import HeadedCommand
from tealeaves.cli.lexicon.options import (
    check_languages,
    check_there,
    read_with_texts,
    reading_of,
    reading_options,
    side_of,
    words_option,
)
from tealeaves.cli.options import stacked

if TYPE_CHECKING:
    from tealeaves.lexicon.bitext import Passages
    from tealeaves.lexicon.dataset.sample import Sample, SamplePlan

_SAMPLE = "sample.json"

_lemma_options = stacked(
    click.option(
        "--lemmas",
        multiple=True,
        metavar="A,B,…",
        help="Take these lemmas, as in hand,foot/N, instead of drawn ones; @FILE has one a line. "
        "May be repeated.",
    ),
    click.option(
        "--per-bin",
        type=click.IntRange(min=1),
        default=11,
        show_default=True,
        metavar="N",
        help="How many lemmas are drawn for each part of speech and frequency bin.",
    ),
    click.option(
        "--bins",
        default="30-100,100-300,300+",
        show_default=True,
        metavar="BINS",
        help="Frequency bins, per million tokens of the source text.",
    ),
    click.option(
        "--pos",
        default="N,A,V",
        show_default=True,
        metavar="LIST",
        help="The parts of speech of drawn lemmas.",
    ),
    click.option(
        "--min-letters",
        type=click.IntRange(min=1),
        default=3,
        show_default=True,
        metavar="N",
        help="The fewest letters of a drawn lemma.",
    ),
    click.option(
        "--exclude",
        multiple=True,
        metavar="LIST",
        help="Lemmas that are not drawn: a .txt file, one a line, or the stop words of a language "
        "(en; extra langs). May be repeated.",
    ),
)


@click.command("sample", cls=HeadedCommand)
@click.argument("source", metavar="[LANG=]SOURCE")
@click.option(
    "-t",
    "--target",
    "targets",
    multiple=True,
    required=True,
    metavar="[LANG=]PATH",
    help="A text in which people will annotate what expresses the tokens. May be repeated.",
)
@_lemma_options
@click.option(
    "--per-lemma",
    type=click.IntRange(min=1),
    default=30,
    show_default=True,
    metavar="N",
    help="How many tokens of each lemma.",
)
@click.option(
    "--dev",
    type=click.FloatRange(0, 1),
    default=0.5,
    show_default=True,
    metavar="SHARE",
    help="The share of lemmas, and of target languages, to develop with; the others are to test.",
)
@click.option(
    "--dev-targets",
    metavar="LANGS",
    help="The target languages to develop with, as in fin,jpn, instead of drawn ones.",
)
@shared.seed_option
@words_option
@reading_options
@click.option(
    "--sheets",
    type=click.Choice(["tsv", "jsonl"]),
    default="tsv",
    show_default=True,
    help="What sheets are written as.",
)
@click.option("-o", "--output", required=True, metavar="FOLDER", help="Where the sheets go.")
@click.option("--restart", is_flag=True, help="Replace sheets that are there and not filled in.")
@click.option(
    "--discard-annotations",
    is_flag=True,
    help="With --restart: replace sheets that are filled in too. What people wrote is lost.",
)
@shared.quiet_option
def command(**given: Any) -> None:
    """Draw lemmas and tokens of a source text, and write sheets to annotate them in.

    SOURCE is a text that `tealeaves lexicon tag` has tagged, or one that is tagged now. FOLDER
    gets a sheet for each target, and sample.json with all that was drawn. A row of a sheet is a
    token, marked in its passage, beside the passage of the target. Into its column expressions
    goes what expresses it there: several with | between them, - for nothing; the parts of one that
    is discontinuous have … between them. Spreadsheets read and write such sheets; in Excel, save
    as CSV UTF-8.

    Tokens stand in passages that all targets have. Lemmas and languages are split into dev and
    test; a lemma of one in a language of the other is mixed. The same seed draws the same sample.

    \b
    Examples:
      tealeaves lexicon sample eng.tagged.jsonl.gz -t fin.tsv -o sheets
      tealeaves lexicon sample eng_web.tsv -t fin.tsv -t zh=zho.tsv --tokens zh=characters -o sheets
      tealeaves lexicon sample eng.tagged.jsonl.gz -t fin.tsv --lemmas hand/N,take/V \\
          --per-lemma 50 -o hands
      tealeaves lexicon sample eng.tagged.jsonl.gz -t fin.tsv -t jpn.tsv --dev-targets fin \\
          --bins 10-50,50+ --per-bin 5 --seed 7 -o sheets
    """
    _check(given)
    plan = _plan(given)
    source, targets = _read(given)
    from tealeaves.lexicon.dataset.sampling import draw_sample

    sample = draw_sample(
        source,
        targets,
        plan,
        lemmas=_lemmas(given["lemmas"]),
        dev_languages=given["dev_targets"].split(",") if given["dev_targets"] else None,
    )
    _write(sample, source, targets, given)


def _files(given: dict[str, Any]) -> dict[str, Path]:
    """Return the sheet of each target."""
    languages = [side_of(target)[0] for target in given["targets"]]
    return {one: Path(given["output"]) / f"{one}.{given['sheets']}" for one in languages}


def _check(given: dict[str, Any]) -> None:
    from tealeaves.errors import InputError
    from tealeaves.lexicon.dataset.replacing import check_unannotated, replaced_sheets

    folder = Path(given["output"])
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder}: a file, not a folder")
    for file in [folder / _SAMPLE, *_files(given).values()]:
        if file.exists() and not given["restart"]:
            raise InputError(f"{file} is there already: --restart replaces it")
        shared.check_not_input(str(file), [given["source"], *given["targets"]])
    beside = replaced_sheets(folder / _SAMPLE, _files(given))  # refuses those that must not go
    if not given["discard_annotations"]:
        check_unannotated([*_files(given).values(), *beside])


def _plan(given: dict[str, Any]) -> SamplePlan:
    from tealeaves.lexicon.dataset.sample import SamplePlan
    from tealeaves.text.stopwords import stopword_set

    excluded = frozenset().union(*(stopword_set(name) for name in given["exclude"]))
    return SamplePlan(
        lemmas=given["per_bin"],
        tokens=given["per_lemma"],
        bins=given["bins"],
        pos=tuple(part.strip() for part in given["pos"].split(",") if part.strip()),
        letters=given["min_letters"],
        exclude=tuple(sorted(excluded)),
        dev=given["dev"],
        seed=given["seed"],
    )


def _lemmas(given: tuple[str, ...]) -> list[str] | None:
    """Read ``hand,foot``, and files of lemmas."""
    from tealeaves.lexicon.extraction.asked import listed, read_lemmas

    found = [
        read_lemmas(one.removeprefix("@")) if one.startswith("@") else listed(one) for one in given
    ]
    return [lemma for part in found for lemma in part] if given else None


def _read(given: dict[str, Any]) -> tuple[Passages, list[Passages]]:
    sides = [side_of(one) for one in (given["source"], *given["targets"])]
    check_there([path for _, path in sides])
    check_languages([language for language, _ in sides], given)
    source = read_with_texts(sides[0], given, words=given["words"])
    targets = [read_with_texts(side, given) for side in sides[1:]]
    reading = reading_of(given)
    for target in targets:
        reading.side_by_side(source, target)  # says what does not fit
    return source, targets


def _write(
    sample: Sample, source: Passages, targets: list[Passages], given: dict[str, Any]
) -> None:
    from tealeaves.lexicon.dataset.filling import sheet_of
    from tealeaves.lexicon.dataset.replacing import replaced_sheets
    from tealeaves.lexicon.dataset.sheets import write_sheet

    files = _files(given)
    Path(given["output"]).mkdir(parents=True, exist_ok=True)
    for target in targets:
        rows = sheet_of(sample, source, target)
        write_sheet(rows, files[target.language])
        if not given["quiet"]:
            click.echo(f"{files[target.language]}: {len(rows)} tokens to annotate", err=True)
    # the earlier sample goes last: as long as it is there, its sheets are known
    for old in replaced_sheets(Path(given["output"]) / _SAMPLE, files):
        old.unlink(missing_ok=True)
    sample.save(Path(given["output"]) / _SAMPLE)
    if given["quiet"]:
        return
    click.echo(
        f"{len(sample.lemmas)} lemmas; {sample.shared} of {sample.passages} passages are in all "
        "targets",
        err=True,
    )
    for note in sample.notes:
        click.echo(f"note: {note}", err=True)
