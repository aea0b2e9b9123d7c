"""``tealeaves embeddings``."""

from __future__ import annotations

import json
from typing import Any

import click

from tealeaves.cli.help import HeadedCommand, option


@click.command("embeddings", cls=HeadedCommand)
@option("--format", "form", type=click.Choice(["table", "json"]), help="Default: table.")
@option(
    "--clear",
    excludes="--format",
    is_flag=True,
    help="Remove the vectors that are kept on disk.",
)
def command(form: str | None, clear: bool) -> None:  # noqa: FBT001
    """List the named embeddings, and the folder where vectors are kept.

    An embedding gives words their vectors, which metrics such as isim and embedding_coherence
    compare. Metrics also accept any file of word2vec, GloVe or fastText, and any model of Hugging
    Face: a folder, or owner/name, which is downloaded.

    \b
    Examples:
      tealeaves embeddings
      tealeaves score lda.json -m "isim@10 embedding_coherence@10" -e wordllama
      tealeaves score lda.json -m "isim(embedding=glove.6B.300d.txt)@10"
      tealeaves embeddings --clear
    """
    from tealeaves.evidence.embeddings.cache import cache_folder, cache_size, clear_cache
    from tealeaves.evidence.embeddings.catalogue import list_embeddings

    if clear:
        files, size = clear_cache()
        click.echo(f"removed {files} files of vectors, {_megabytes(size)}")
    elif form == "json":
        click.echo(json.dumps(list_embeddings(), indent=2, ensure_ascii=False))
    else:
        _print_table(list_embeddings())
        click.echo()
        if folder := cache_folder():
            size_text = _megabytes(cache_size())
            click.echo(f"Vectors are kept in {folder} ({size_text}; --clear removes them).")
        else:
            click.echo("Vectors are not kept on disk: no folder is set (TEALEAVES_CACHE).")


def _print_table(records: list[dict[str, Any]]) -> None:
    from tealeaves.tables.terminal import print_list

    print_list(
        ("embedding", "what it is", "languages", "size", "installed"),
        [
            (
                record["name"],
                record["summary"],
                record["languages"],
                str(record["dimensions"]),
                "yes" if record["installed"] else f'pip install "tealeaves[{record["extra"]}]"',
            )
            for record in records
        ],
        wrapped=("what it is", "languages"),
    )


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB"
