"""``tealeaves relevance``."""

from __future__ import annotations

import click

from tealeaves.cli.help import LazyGroup

_COMMANDS = {name: f"{__name__}.{name}" for name in ("fit", "gather", "heads", "show", "curve")}


@click.group("relevance", cls=LazyGroup, modules=_COMMANDS)
def command() -> None:
    """Gather what the attention and the relevance of a transformer say about words.

    A classifier is fitted to texts (fit), texts go through it once (gather), and any number of
    models are scored from the file that is left: with the metrics attention_sum, lrp_sum,
    improved_lrp_sum and relevance_count, and cooccurrence to compare them with.

    \b
    Examples:
      tealeaves relevance fit -c texts.jsonl --tokens "words(stopwords=en)" -o classifier
      tealeaves relevance gather lda.json nmf.json -c texts.jsonl --classifier classifier \\
          -o news.relevance
      tealeaves score lda.json nmf.json --relevance news.relevance \\
          -m "lrp_sum@10 attention_sum@10 cooccurrence@10"
      tealeaves relevance show --classifier classifier --text "the rocket left its orbit" \\
          --topic "rocket orbit moon" -o figure.svg
    """
