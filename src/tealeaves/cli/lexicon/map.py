"""``tealeaves lexicon map``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from tealeaves.cli import options as shared
from tealeaves.cli.help import METRICS, OUTPUT, TEXTS, option
from tealeaves.cli.help import command as declare
from tealeaves.cli.options import OptionFamily
from tealeaves.errors import InputError
from tealeaves.tables.numbers import count_text

if TYPE_CHECKING:
    from tealeaves.lexicon import SemanticMap
    from tealeaves.lexicon.maps.semantic_map import Scaling

_KINDS = (".html", ".svg", ".png", ".pdf", ".json", ".tsv")


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
        show_default=True,
        metavar="N",
        help="The most tokens; of more, so many are drawn at random. 0 takes all.",
    ),
    option(
        "--least",
        heading=TEXTS,
        type=click.FloatRange(0, 1),
        default=0.0,
        show_default=True,
        metavar="P",
        help="Leave out expressions with less confidence than this.",
    ),
    shared.seed_option,
)

_drawing_options = OptionFamily(
    "drawing",
    DrawingOptions,
    option(
        "-o",
        "--output",
        heading=OUTPUT,
        required=True,
        metavar="FILE",
        help="The page: .html. Or the map alone, as a chart: .svg .png .pdf, .json (Vega-Lite). Or "
        "its numbers, a row for each token: .tsv",
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
    metavar="N",
    help="Groups of tokens.  [default: the number with the best silhouette]",
)
@option(
    "--scaling",
    heading=METRICS,
    type=click.Choice(["smacof", "classical"]),
    default="smacof",
    show_default=True,
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
    _check_output(drawing.output, files)
    for path in files:
        if not Path(path).exists():
            hint = " (LEMMA comes before FOUND)" if Path(lemma).exists() else ""
            raise InputError(f"{path}: no such file{hint}")
    from tealeaves.lexicon import map_tokens, read_extractions, tabulate_tokens
    from tealeaves.lexicon.maps.token_table import check_languages

    table = tabulate_tokens(
        read_extractions(files),
        _names(lemma),
        model=tokens.model,
        languages=_names(tokens.languages),
        most=tokens.tokens or None,
        seed=tokens.seed,
        least=tokens.least,
    )
    check_languages(_names(drawing.show), table.languages, "--show")
    semantic = map_tokens(table, scaling=scaling, groups=groups)
    _write(semantic, drawing)
    if not quiet:
        click.echo(f"{drawing.output}: {_summary(semantic, groups)}", err=True)


def _names(text: str | None) -> list[str]:
    return [name.strip() for name in (text or "").split(",") if name.strip()]


def _check_output(path: str, files: tuple[str, ...]) -> None:
    """Raise, before anything is read, for a file that cannot be written."""
    suffix = Path(path).suffix.lower()
    if suffix not in _KINDS:
        raise InputError(f"{path}: a map is written as {', '.join(_KINDS)}")
    from tealeaves.files import check_writable

    check_writable(path)
    shared.check_not_input(path, files)
    if suffix == ".html":
        from tealeaves.report.pages.semantic_map.page import check_page

        check_page()
    elif suffix == ".json":
        from tealeaves.extras import require

        require("altair", extra="report", reason="a chart")
    elif suffix != ".tsv":
        from tealeaves.report.charts import check_chart_kind

        check_chart_kind(path)


def _write(semantic: SemanticMap, drawing: DrawingOptions) -> None:
    path, title, show = drawing.output, drawing.title, _names(drawing.show)
    suffix = Path(path).suffix.lower()
    if suffix == ".html":
        from tealeaves.report.pages import save_semantic_map_page

        save_semantic_map_page(semantic, path, title=title, show=next(iter(show), None))
        return
    if suffix == ".tsv":
        from tealeaves.lexicon.maps.semantic_map import save_map_rows

        save_map_rows(semantic, path)
        return
    from tealeaves.report.charts import save_chart, semantic_map_chart

    chart = semantic_map_chart(semantic, show, title=title)
    if suffix == ".json":
        from tealeaves.files import atomic_write

        with atomic_write(path) as stream:
            stream.write(json.dumps(chart.to_dict(validate=False), ensure_ascii=False).encode())
    else:
        save_chart(chart, path)


def _summary(semantic: SemanticMap, groups: int | None) -> str:
    table = semantic.table
    number = len(table.occurrences)
    drawn = f" drawn of {table.available:,}" if table.available > number else ""
    fewer = " (no more can be told apart)" if len(semantic.groups) < (groups or 0) else ""
    not_placed = number - len(semantic.placed)
    without = f"; {not_placed:,} that no language expresses" if not_placed else ""
    if doubted := sum(map(len, table.doubted.values())):
        without += f"; {count_text(doubted, 'expression')} less sure than {table.least:g}"
    return (
        f"{count_text(number, 'token')}{drawn}, "
        f"{count_text(len(semantic.languages), 'language')}, "
        f"{count_text(len(semantic.groups), 'group')}{fewer}, "
        f"stress {semantic.layout.stress_text}{without}"
    )
