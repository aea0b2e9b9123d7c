"""``tealeaves estimator``."""

from __future__ import annotations

import click

from tealeaves.cli.help import LazyGroup

_COMMANDS = {name: f"{__name__}.{name}" for name in ("build", "fit", "predict", "explain")}


@click.group("estimator", cls=LazyGroup, modules=_COMMANDS)
def command() -> None:
    """Estimate the CNPMI that a rich reference would give, where there is only a Bible.

    Estimators that were learned from English beside 23 languages come with tealeaves: predict
    and explain need nothing but topics and Bibles. A dictionary and modern texts let better ones
    apply. To learn others, build a table of features for each language that has
    a rich reference, and fit.

    \b
    Examples:
      tealeaves estimator predict pltm.topics -c en=web.tsv -c am=amh.tsv
      tealeaves estimator explain pltm.topics -c en=web.tsv -c am=amh.tsv --topic 3
      tealeaves estimator build sv.topics -c en=web.tsv -c sv=swe.tsv \\
          --rich en=en.jsonl --rich sv=sv.jsonl -o sv.parquet
      tealeaves estimator fit sv.parquet tr.parquet ro.parquet -o mine.json
      tealeaves estimator predict pltm.topics -c en=web.tsv -c am=amh.tsv --estimator mine.json
    """
