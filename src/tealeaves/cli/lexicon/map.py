"""``tealeaves lexicon map``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from tealeaves.cli import options as shared
from tealeaves.cli.help import METRICS, OUTPUT, TEXTS, option
from tealeaves.cli.help import command as declare
from tealeaves.cli.options import OptionFamily
from tealeaves.errors import InputError
from tealeaves.printing import echo

if TYPE_CHECKING:
    from tealeaves.lexicon.maps.semantic_map import Scaling


class TokenOptions(NamedTuple):
    """The tokens of the map."""

    model: str | None
    languages: str | None
    tokens: int
    least: float
    seed: int


class DrawingOptions(NamedTuple):
    """The file of the map."""

    output: str
    show: str | None
    title: str | None


_token_options = OptionFamily(
    "tokens",
    TokenOptions,
    option(
        "--model",
        heading=TEXTS,
        metavar="MODEL",
        help="If there are extractions by several models, those of this one: hybrid.",
    ),
    option(
        "--languages",
        heading=TEXTS,
        metavar="NAMES",
        help="Only these target languages, separated by commas, in this order.  [default: all]",
    ),
    option(
        "--tokens",
        heading=TEXTS,
        type=click.IntRange(min=0),
        default=200,
        help="The most tokens; of more, so many are drawn at random. 0 takes all.",
    ),
    option(
        "--least",
        heading=TEXTS,
        type=click.FloatRange(0, 1),
        default=0.0,
        metavar="P",
        help="Leave out expressions with less confidence than this.",
    ),
    shared.seed_option,
)

_drawing_options = OptionFamily(
    "drawing",
    DrawingOptions,
    shared.output_file(
        "The page: .html. Or the map alone, as a chart: .svg .png .pdf, .json (Vega-Lite). Or "
        "its numbers, a row for each token: .tsv"
    ),
    option(
        "--show",
        heading=OUTPUT,
        metavar="NAMES",
        help="The language that the page shows first, or the languages of a chart's panels. The "
        "map is still of all.",
    ),
    option(
        "--title",
        heading=OUTPUT,
        metavar="TEXT",
        help="The title of the map.  [default: the lemma]",
    ),
)


@declare("map")
@click.argument("lemma", metavar="LEMMA")
@click.argument("files", nargs=-1, required=True, metavar="FOUND...")
@_token_options
@option(
    "--groups",
    heading=METRICS,
    type=click.IntRange(1, 26),
    help="Groups of tokens.  [default: the number with the best silhouette]",
)
@option(
    "--scaling",
    heading=METRICS,
    type=click.Choice(["smacof", "classical"]),
    default="smacof",
    help="How points are computed: with the least stress, or by eigenvectors (Torgerson).",
)
@_drawing_options
@shared.quiet_option
def command(
    *,
    lemma: str,
    files: tuple[str, ...],
    tokens: TokenOptions,
    groups: int | None,
    scaling: Scaling,
    drawing: DrawingOptions,
    quiet: bool,
) -> None:
    """Draw how languages express the tokens of a lemma: the picture that typologists look at.

    LEMMA is a word of the source language, or several, separated by commas. FOUND are files that
    `tealeaves lexicon extract` made, or folders of them: one or many target languages.

    The page is one file that needs no network: a semantic map (tokens that many languages express
    alike lie near each other; colours are the expressions of a language), tokens by languages,
    groups of tokens and who separates them, and a concordance.

    \b
    Examples:
      tealeaves lexicon map hand found -o hand.html
      tealeaves lexicon map hand,arm found --languages fin,rus,tur -o hand.html
      tealeaves lexicon map good found/fin.jsonl.gz found/rus.jsonl.gz --show rus -o good.svg
      tealeaves lexicon map go found --tokens 0 --groups 5 -o go.tsv
      tealeaves lexicon map hand found --least 0.1 -o hand.html
    """
    from tealeaves.lexicon import map_tokens, read_extractions, tabulate_tokens
    from tealeaves.report.semantic_map import check_semantic_map_file, save_semantic_map

    show = _names(drawing.show)
    check_semantic_map_file(drawing.output, title=drawing.title, show=show)
    shared.check_not_input(drawing.output, files)
    for path in files:
        if not Path(path).exists():
            hint = " (LEMMA comes before FOUND)" if Path(lemma).exists() else ""
            raise InputError(f"{path}: no such file{hint}")
    table = tabulate_tokens(
        read_extractions(files),
        _names(lemma),
        model=tokens.model,
        languages=_names(tokens.languages),
        most=tokens.tokens or None,
        seed=tokens.seed,
        least=tokens.least,
    )
    semantic = map_tokens(table, scaling=scaling, groups=groups)
    save_semantic_map(semantic, drawing.output, title=drawing.title, show=show)
    if not quiet:
        echo(f"{drawing.output}: {semantic.summary}", err=True)


def _names(text: str | None) -> list[str]:
    return [name.strip() for name in (text or "").split(",") if name.strip()]
