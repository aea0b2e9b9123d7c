"""``tealeaves estimator explain``."""

from __future__ import annotations

from typing import Any

import click

from tealeaves.cli import options as shared
from tealeaves.cli.estimator import options as own
from tealeaves.cli.help import HeadedCommand


@click.command("explain", cls=HeadedCommand)
@own.reading_options
@own.judging_options
@click.option(
    "--topic",
    "topic_ids",
    multiple=True,
    metavar="ID",
    help="The topic to be explained; may be repeated. Default: all.",
)
@shared.format_option
@shared.files_options
@shared.threads_option
@shared.quiet_option
def command(**given: Any) -> None:
    """Say what moved the estimate of each topic, and why a topic is not to be trusted.

    The contributions of all features add up to the estimate: they are Shapley values, beside a
    topic whose features are all as they are on average. What is read is as for `predict`.

    \b
    Examples:
      tealeaves estimator explain pltm.topics -c en=web.tsv -c am=amh.tsv --topic 3
      tealeaves estimator explain pltm.topics -c en=web.tsv -c am=amh.tsv \\
          --dictionary en-am.tsv --plot why.html
    """
    models = own.read(given)
    shared.check_files(given, own.inputs(given))
    from tealeaves.estimator.predicting import explain

    found = explain(
        models,
        **own.evidence(models, given),
        topics=given["topic_ids"] or None,
        estimator=given["estimator"],
        top=given["top"],
        level=given["level"],
    )
    from tealeaves.cli.output import save_and_show

    def chart() -> Any:
        from tealeaves.report.charts.contributions import contributions_chart

        return contributions_chart(found)

    save_and_show(found, given, chart)
