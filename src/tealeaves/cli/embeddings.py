"""``tealeaves embeddings``."""

from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING, Any

import click

from tealeaves.cli.help import HeadedCommand

if TYPE_CHECKING:
    from tealeaves.evidence.embeddings.known import Known

_PIPE_WIDTH = 140


@click.command("embeddings", cls=HeadedCommand)
@click.option("--format", "form", type=click.Choice(["table", "json"]), help="Default: table.")
@click.option("--clear", is_flag=True, help="Forget the vectors that are kept on disk.")
def command(form: str | None, clear: bool) -> None:  # noqa: FBT001
    """List the embeddings that have a name, and what is kept on disk of any.

    An embedding gives words their vectors, which metrics such as isim and embedding_coherence
    compare. Beside those with a name, any file of word2vec, GloVe or fastText will do, and any
    model of Hugging Face: a folder, or owner/name, which is downloaded.

    \b
    Examples:
      tealeaves embeddings
      tealeaves score lda.json -m "isim@10 embedding_coherence@10" -e wordllama
      tealeaves score lda.json -m "isim(embedding=glove.6B.300d.txt)@10"
      tealeaves embeddings --clear
    """
    from tealeaves.evidence.embeddings.cache import cache_folder, clear_cache
    from tealeaves.evidence.embeddings.known import KNOWN

    if clear:
        files, size = clear_cache()
        click.echo(f"removed {files} files of vectors, {_megabytes(size)}")
    elif form == "json":
        known = [_record(one) for one in KNOWN.values()]
        click.echo(json.dumps(known, indent=2, ensure_ascii=False))
    else:
        _print_table(list(KNOWN.values()))
        click.echo(_kept(cache_folder()))


def _record(one: Known) -> dict[str, Any]:
    return {
        "name": one.name,
        "summary": one.summary,
        "languages": one.languages,
        "dimensions": one.dimensions,
        "installed": one.installed,
        "extra": one.extra,
        "licence": one.licence,
    }


def _print_table(known: list[Known]) -> None:
    from rich.console import Console
    from rich.table import Table

    terminal = sys.stdout.isatty()
    width = Console().width if terminal else _PIPE_WIDTH
    table = Table(box=None, header_style="bold", pad_edge=False)
    for heading in ("embedding", "what it is", "languages", "size", "installed"):
        table.add_column(heading, no_wrap=heading in ("embedding", "size", "installed"))
    for one in known:
        there = "yes" if one.installed else f'pip install "tealeaves[{one.extra}]"'
        table.add_row(one.name, one.summary, one.languages, str(one.dimensions), there)
    text = io.StringIO()
    # "tealeaves[ru]" is no markup
    console = Console(
        file=text, highlight=False, markup=False, width=width, force_terminal=terminal
    )
    console.print(table)
    click.echo(text.getvalue(), nl=False)


def _kept(folder: Any) -> str:
    from tealeaves.evidence.embeddings.cache import cache_files, size_of

    if folder is None:
        return "\nVectors are not kept on disk: there is no folder for them (TEALEAVES_CACHE)."
    size = _megabytes(size_of(cache_files()))
    return f"\nVectors are kept in {folder} ({size}; --clear removes them)."


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB"
