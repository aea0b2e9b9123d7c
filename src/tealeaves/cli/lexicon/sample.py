"""``tealeaves lexicon sample``."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import click

from tealeaves.cli import options as shared
from tealeaves.cli.help import OUTPUT, TEXTS, WORK, option
from tealeaves.cli.help import command as declare
from tealeaves.cli.lexicon.options import (
    lemmas_of,
    passage_options,
    reading,
    side_of,
    sides_of,
    words_option,
)
from tealeaves.cli.options import OptionFamily
from tealeaves.printing import echo, print_note

if TYPE_CHECKING:
    from tealeaves.lexicon import SamplePlan


class SampleOptions(NamedTuple):
    """What is drawn."""

    lemmas: tuple[str, ...]
    per_bin: int
    bins: str
    pos: str
    min_letters: int
    exclude: tuple[str, ...]
    per_lemma: int
    dev: float
    dev_targets: str | None
    seed: int

    @property
    def plan(self) -> SamplePlan:
        """The plan that the options stand for."""
        from tealeaves.lexicon import SamplePlan
        from tealeaves.text.stopwords import stopword_set

        return SamplePlan(
            lemmas=self.per_bin,
            tokens=self.per_lemma,
            bins=self.bins,
            pos=tuple(part.strip() for part in self.pos.split(",") if part.strip()),
            letters=self.min_letters,
            exclude=tuple(sorted(frozenset().union(*map(stopword_set, self.exclude)))),
            dev=self.dev,
            seed=self.seed,
        )


class SheetOptions(NamedTuple):
    """The folder of the sheets."""

    output: str
    kind: str
    restart: bool
    discard_annotations: bool


_sample_options = OptionFamily(
    "drawn",
    SampleOptions,
    option(
        "--lemmas",
        heading=TEXTS,
        excludes=("--per-bin", "--bins", "--pos", "--min-letters", "--exclude"),
        multiple=True,
        metavar="A,B,…",
        help="Take these lemmas, as in hand,foot/N, instead of drawn ones; @FILE has one a line. "
        "May be repeated.",
    ),
    option(
        "--per-bin",
        heading=TEXTS,
        type=click.IntRange(min=1),
        default=11,
        help="The number of lemmas for each part of speech and frequency bin.",
    ),
    option(
        "--bins",
        heading=TEXTS,
        default="30-100,100-300,300+",
        metavar="BINS",
        help="Frequency bins, per million tokens of the source text.",
    ),
    option(
        "--pos",
        heading=TEXTS,
        default="N,A,V",
        metavar="LIST",
        help="The parts of speech of drawn lemmas.",
    ),
    option(
        "--min-letters",
        heading=TEXTS,
        type=click.IntRange(min=1),
        default=3,
        help="The fewest letters of a drawn lemma.",
    ),
    option(
        "--exclude",
        heading=TEXTS,
        multiple=True,
        metavar="LIST",
        help="Lemmas that are not drawn: a .txt file, one a line, or the stop words of a language "
        "(en; extra langs). May be repeated.",
    ),
    option(
        "--per-lemma",
        heading=TEXTS,
        type=click.IntRange(min=1),
        default=30,
        help="The number of tokens of each lemma.",
    ),
    option(
        "--dev",
        heading=TEXTS,
        type=click.FloatRange(0, 1),
        default=0.5,
        metavar="SHARE",
        help="The share of lemmas, and of target languages, to develop with; the others are to "
        "test.",
    ),
    option(
        "--dev-targets",
        heading=TEXTS,
        metavar="LANGS",
        help="The target languages to develop with, as in fin,jpn, instead of drawn ones.",
    ),
    shared.seed_option,
)

_sheet_options = OptionFamily(
    "sheets",
    SheetOptions,
    option(
        "--sheets",
        "kind",
        heading=OUTPUT,
        type=click.Choice(["tsv", "jsonl"]),
        default="tsv",
        help="The format of sheets.",
    ),
    shared.output_file("The folder of the sheets.", metavar="FOLDER"),
    option(
        "--restart",
        heading=WORK,
        is_flag=True,
        help="Replace existing sheets that are not filled in.",
    ),
    option(
        "--discard-annotations",
        heading=WORK,
        requires="--restart",
        is_flag=True,
        help="With --restart: replace sheets that are filled in too. Their annotations are lost.",
    ),
)


@declare("sample")
@click.argument("source", metavar="[LANG=]SOURCE")
@option(
    "-t",
    "--target",
    "targets",
    heading=TEXTS,
    multiple=True,
    required=True,
    metavar="[LANG=]PATH",
    help="A text in which people will annotate what expresses the tokens. May be repeated.",
)
@_sample_options
@words_option
@passage_options
@_sheet_options
@shared.quiet_option
def command(
    *,
    source: str,
    targets: tuple[str, ...],
    drawn: SampleOptions,
    words: str,
    texts: shared.TextOptions,
    sheets: SheetOptions,
    quiet: bool,
) -> None:
    """Draw lemmas and tokens of a source text, and write sheets to annotate them in.

    SOURCE is a text that `tealeaves lexicon tag` has tagged, or one that is tagged now. FOLDER
    gets a sheet for each target, and sample.json with all that was drawn. A row of a sheet is a
    token, marked in its passage, beside the passage of the target. People write what expresses it
    into the column expressions: several with | between them, - for nothing; the parts of a
    discontinuous expression have … between them. Spreadsheets read and write such sheets; in
    Excel, save as CSV UTF-8.

    Tokens are drawn from passages that all targets have. Lemmas and languages are split into dev
    and test; a lemma of one in a language of the other is mixed. The same seed draws the same
    sample.

    \b
    Examples:
      tealeaves lexicon sample eng.tagged.jsonl.gz -t fin.tsv -o sheets
      tealeaves lexicon sample eng_web.tsv -t fin.tsv -t zh=zho.tsv --tokens zh=characters -o sheets
      tealeaves lexicon sample eng.tagged.jsonl.gz -t fin.tsv --lemmas hand/N,take/V \\
          --per-lemma 50 -o hands
      tealeaves lexicon sample eng.tagged.jsonl.gz -t fin.tsv -t jpn.tsv --dev-targets fin \\
          --bins 10-50,50+ --per-bin 5 --seed 7 -o sheets
    """
    from tealeaves.lexicon import sample_sheets

    language, path = side_of(source)
    sample, counts = sample_sheets(
        path,
        sides_of(targets),
        sheets.output,
        drawn.plan,
        lemmas=lemmas_of(drawn.lemmas) if drawn.lemmas else None,
        dev_languages=drawn.dev_targets.split(",") if drawn.dev_targets else None,
        language=language,
        words=words,
        reading=reading(texts),
        suffix=f".{sheets.kind}",
        restart=sheets.restart,
        discard_annotations=sheets.discard_annotations,
        progress=shared.wants_progress(quiet=quiet),
    )
    if quiet:
        return
    for file, tokens in counts.items():
        echo(f"{file}: {tokens} tokens to annotate", err=True)
    echo(
        f"{len(sample.lemmas)} lemmas; {sample.shared} of {sample.passages} passages are in all "
        "targets",
        err=True,
    )
    for note in sample.notes:
        print_note(note)
