"""``tealeaves embeddings``."""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from tealeaves.cli.help import HeadedCommand, option
from tealeaves.printing import echo

if TYPE_CHECKING:
    from tealeaves.evidence.embeddings.cache_folder import CachedFile


@click.command("embeddings", cls=HeadedCommand)
@option("--format", "form", type=click.Choice(["table", "json"]), help="Default: table.")
@option(
    "--clear",
    excludes="--format",
    is_flag=True,
    help="Remove the vectors that are kept on disk, and say which.",
)
def command(form: str | None, clear: bool) -> None:  # noqa: FBT001
    """List the named embeddings, and the folder where vectors are kept.

    An embedding gives words their vectors, which metrics such as isim and embedding_coherence
    compare. Metrics also accept any file of word2vec, GloVe or fastText, and any model of Hugging
    Face: a folder, or owner/name, which is downloaded. Vectors of words are kept on disk, at most
    2000 MB of them, or what the variable TEALEAVES_EMBEDDINGS_LIMIT says; the last used ones stay.

    \b
    Examples:
      tealeaves embeddings
      tealeaves score lda.json -m "isim@10 embedding_coherence@10" -e wordllama
      tealeaves score lda.json -m "isim(embedding=glove.6B.300d.txt)@10"
      tealeaves embeddings --clear
    """
    from tealeaves.evidence.embeddings.cache_folder import cache_limit, clear_cache
    from tealeaves.evidence.embeddings.catalogue import list_embeddings

    if clear:
        _print_removed(clear_cache())
    elif form == "json":
        echo(json.dumps(list_embeddings(), indent=2, ensure_ascii=False))
    else:
        limit = cache_limit()  # which may be an error
        _print_table(list_embeddings())
        echo()
        _print_cache(limit)


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


def _print_removed(files: list[CachedFile]) -> None:
    for file in files:
        echo(f"removed {file.path} ({file.size:,} bytes)")
    vectors = [file for file in files if file.holds_vectors]
    size = sum(file.size for file in files)
    echo(
        f"removed {len(vectors)} files of vectors and {len(files) - len(vectors)} of hashes: "
        f"{size:,} bytes"
    )


def _print_cache(limit: int) -> None:
    from tealeaves.evidence.embeddings.cache_folder import cache_folder, cached_vectors
    from tealeaves.tables.terminal import print_list

    folder = cache_folder()
    if folder is None or not limit:
        variable = "TEALEAVES_EMBEDDINGS_LIMIT is 0" if folder else "no folder is set"
        echo(f"Vectors are not kept on disk: {variable}.")
        return
    files = cached_vectors()
    size = _megabytes(sum(file.size for file in files))
    echo(
        f"Vectors are kept in {folder}: {size} of at most {limit // 1_000_000:,} MB "
        "(--clear removes them)."
    )
    if files:
        echo()
        rows = [(file.path.name, _megabytes(file.size), _day(file.used)) for file in files]
        print_list(("file of vectors", "size", "last used"), rows, wrapped=("file of vectors",))


def _day(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).astimezone().date().isoformat()


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB"
