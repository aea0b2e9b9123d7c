"""``tealeaves lexicon``."""

from __future__ import annotations

import click

from tealeaves.cli.help import LazyGroup

_COMMANDS = {
    name: f"{__name__}.{name}"
    for name in ("extract", "map", "sample", "annotations", "evaluate", "tag")
}


@click.group("lexicon", cls=LazyGroup, modules=_COMMANDS)
def command() -> None:
    """Find how words are expressed in other languages, token by token, in parallel texts.

    \b
    Examples:
      tealeaves lexicon extract --source eng.tsv --target fin.tsv --lemmas hand,foot -o found
      tealeaves lexicon map hand found -o hand.html
      tealeaves lexicon sample eng.tagged.jsonl.gz --target fin.tsv -o sheets
      tealeaves lexicon evaluate found --annotated sheets/fin.tsv
    """
