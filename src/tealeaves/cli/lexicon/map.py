"""``tealeaves lexicon map``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tealeaves.cli import options as shared
from tealeaves.cli.help import HeadedCommand
from tealeaves.errors import InputError, did_you_mean
from tealeaves.tables.numbers import count_text

if TYPE_CHECKING:
    from tealeaves.lexicon.extraction.extracted import Extraction
    from tealeaves.lexicon.semantic_map import SemanticMap

_KINDS = (".html", ".svg", ".png", ".pdf", ".json", ".tsv")
_TOKENS = 200


@click.command("map", cls=HeadedCommand)
@click.argument("lemma", metavar="LEMMA")
@click.argument("found", nargs=-1, required=True, metavar="FOUND...")
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="FILE",
    help="The page: .html. Or the map alone, as a chart: .svg .png .pdf, .json (Vega-Lite). Or its "
    "numbers, a row a token: .tsv",
)
@click.option(
    "--model", metavar="MODEL", help="Of extractions by several models, those of this one: hybrid."
)
@click.option(
    "--languages",
    metavar="NAMES",
    help="Only these target languages, separated by commas, in this order.  [default: all]",
)
@click.option(
    "--show",
    metavar="NAMES",
    help="The language that the page begins with, or those that a chart has a panel for. The map "
    "is still of all.",
)
@click.option(
    "--tokens",
    type=click.IntRange(min=0),
    default=_TOKENS,
    show_default=True,
    metavar="N",
    help="Of more tokens so many are drawn by chance; 0 takes all.",
)
@click.option(
    "--least",
    type=click.FloatRange(0, 1),
    default=0.0,
    show_default=True,
    metavar="P",
    help="What a model is less sure of than this counts as no expression.",
)
@click.option(
    "--groups",
    type=click.IntRange(1, 26),
    metavar="N",
    help="Groups of tokens.  [default: what the silhouette prefers]",
)
@click.option(
    "--scaling",
    type=click.Choice(["smacof", "classical"]),
    default="smacof",
    show_default=True,
    help="How tokens are placed: with the least stress, or by eigenvectors (Torgerson).",
)
@click.option("--title", metavar="TEXT", help="What the map is called.  [default: the lemma]")
@shared.seed_option
@shared.quiet_option
def command(**given: Any) -> None:
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
    _check_output(given)
    lemmas = [lemma.strip() for lemma in given["lemma"].split(",") if lemma.strip()]
    from tealeaves.lexicon.semantic_map import semantic_map, tabulate_tokens

    extractions = _chosen(_read(given), _names(given["languages"]))
    table = tabulate_tokens(
        extractions,
        lemmas,
        model=_model(given["model"]),
        most=given["tokens"] or None,
        seed=given["seed"],
        least=given["least"],
    )
    show = _names(given["show"])
    _check_known(show, table.languages, "--show")
    found = semantic_map(table, scaling=given["scaling"], groups=given["groups"])
    _write(found, show, given)
    if not given["quiet"]:
        click.echo(_told(found, given), err=True)


def _check_output(given: dict[str, Any]) -> None:
    """Refuse what cannot be written before anything is read."""
    path = given["output"]
    suffix = Path(path).suffix.lower()
    if suffix not in _KINDS:
        raise InputError(f"{path}: a map is written as {', '.join(_KINDS)}")
    from tealeaves.files import check_writable

    check_writable(path)
    shared.check_not_input(path, given["found"])
    if suffix == ".html":
        from tealeaves.report.pages.semantic_map.page import check_page

        check_page()
    elif suffix == ".json":
        from tealeaves.extras import require

        require("altair", extra="report", reason="a chart")
    elif suffix != ".tsv":
        from tealeaves.report.charts import check_chart_kind

        check_chart_kind(path)


def _read(given: dict[str, Any]) -> list[Extraction]:
    from tealeaves.lexicon.extraction.files import read_extractions

    for path in given["found"]:
        if not Path(path).exists():
            hint = " (LEMMA comes before FOUND)" if Path(given["lemma"]).exists() else ""
            raise InputError(f"{path}: no such file{hint}")
    return read_extractions(given["found"])


def _names(given: str | None) -> list[str]:
    return [name.strip() for name in (given or "").split(",") if name.strip()]


def _chosen(extractions: list[Extraction], languages: list[str]) -> list[Extraction]:
    _check_known(languages, sorted({one.target for one in extractions}), "--languages")
    if not languages:
        return extractions
    chosen = [one for one in extractions if one.target in languages]
    return sorted(chosen, key=lambda one: languages.index(one.target))


def _check_known(names: list[str], known: Any, option: str) -> None:
    for name in names:
        if name not in known:
            hint = did_you_mean(name, known)
            raise InputError(f"{option}: {name} was not extracted{hint}")


def _model(spec: str | None) -> str | None:
    """Return a model as extractions name it, whichever way it is written."""
    if spec is None:
        return None
    from tealeaves.lexicon.extraction.registry import extractor

    try:
        return repr(extractor(spec))
    except InputError:
        return spec  # an extraction may be by a model that is not ours


def _write(found: SemanticMap, show: list[str], given: dict[str, Any]) -> None:
    path = given["output"]
    suffix = Path(path).suffix.lower()
    if suffix == ".html":
        from tealeaves.report.pages import save_semantic_map_page

        first = next(iter(show), None)
        return save_semantic_map_page(found, path, title=given["title"], show=first)
    if suffix == ".tsv":
        from tealeaves.lexicon.semantic_map.rows import save_map_rows

        return save_map_rows(found, path)
    from tealeaves.report.charts import save_chart, semantic_map_chart

    chart = semantic_map_chart(found, show, title=given["title"])
    if suffix == ".json":
        import json

        from tealeaves.files import atomic_write

        with atomic_write(path) as stream:
            stream.write(json.dumps(chart.to_dict(validate=False), ensure_ascii=False).encode())
        return None
    return save_chart(chart, path)


def _told(found: SemanticMap, given: dict[str, Any]) -> str:
    number, available = len(found.table.occurrences), found.table.available
    drawn = f" drawn of {available:,}" if available > number else ""
    left = number - len(found.placed)
    without = f"; {left:,} that no language expresses" if left else ""
    if doubted := sum(map(len, found.table.doubted.values())):
        without += f"; {count_text(doubted, 'expression')} less sure than {found.table.least:g}"
    return (
        f"{given['output']}: {count_text(number, 'token')}{drawn}, "
        f"{count_text(len(found.languages), 'language')}, {count_text(len(found.groups), 'group')}"
        f"{' (no more can be told apart)' * (len(found.groups) < (given['groups'] or 0))}, "
        f"stress {found.layout.stress_told}{without}"
    )
