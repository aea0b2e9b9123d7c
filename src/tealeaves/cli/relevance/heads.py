"""``tealeaves relevance heads``."""

from __future__ import annotations

from typing import Any

import click

from tealeaves.cli.help import command as declare
from tealeaves.cli.output import OutputOptions, output_options


@declare("heads")
@click.argument("relevance", metavar="RELEVANCE")
@output_options
def command(relevance: str, out: OutputOptions) -> None:
    """List the heads of a network: how confident and how important each is.

    Confidence is the largest attention that a token pays, on average; the most confident head of
    each layer is that of attention_sum. Importance is a head's signed share of the relevance of
    its layer; heads with more than an equal share are those of lrp_sum and relevance_count. Heads
    of a layer may cancel out, so that shares lie beyond 1 or below 0. Both are over all texts; the
    marked heads were chosen from the first ones.

    \b
    Examples:
      tealeaves relevance heads news.relevance
      tealeaves relevance heads news.relevance --plot heads.html
    """
    out.check([relevance])
    from tealeaves.evidence.attention.relevance_file import open_relevance

    heads = open_relevance(relevance).heads_table()

    def chart() -> Any:
        from tealeaves.report.charts import heads_chart

        return heads_chart(heads, title="Heads")

    out.show(heads, chart)
