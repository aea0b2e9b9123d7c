"""``tealeaves estimator explain``."""

from __future__ import annotations

from typing import Any

from tealeaves.cli import options as shared
from tealeaves.cli.estimator.options import (
    PredictOptions,
    TopicOptions,
    predict_options,
    source_options,
    topic_options,
)
from tealeaves.cli.help import OUTPUT, option
from tealeaves.cli.help import command as declare
from tealeaves.cli.output import OutputOptions, output_options


@declare("explain")
@shared.topics_argument
@shared.text_options
@source_options
@topic_options
@predict_options
@option(
    "--topic",
    "topic_ids",
    heading=OUTPUT,
    multiple=True,
    metavar="ID",
    help="The topic to be explained; may be repeated. Default: all.",
)
@output_options
@shared.threads_option
def command(
    topics: tuple[str, ...],
    texts: shared.TextOptions,
    given: shared.SourceOptions,
    reading: TopicOptions,
    chosen: PredictOptions,
    topic_ids: tuple[str, ...],
    out: OutputOptions,
    threads: int | None,
) -> None:
    """Say what moved the estimate of each topic, and why a topic is not to be trusted.

    The contributions of all features add up to the estimate: they are Shapley values, compared
    with an average topic. What is read is as for `predict`.

    \b
    Examples:
      tealeaves estimator explain pltm.topics -c en=web.tsv -c am=amh.tsv --topic 3
      tealeaves estimator explain pltm.topics -c en=web.tsv -c am=amh.tsv \\
          --dictionary en-am.tsv --plot why.html
    """
    out.check([*topics, *texts.corpora, *given.files, *chosen.files])
    models = reading.read(topics)
    from tealeaves.estimator import explain

    explanations = explain(
        models,
        given.sources(texts, models),
        topics=topic_ids or None,
        estimator=chosen.estimator,
        top=chosen.top,
        level=chosen.level,
        threads=threads,
        progress=out.progress,
    )

    def chart() -> Any:
        from tealeaves.report.charts.contributions import contributions_chart

        return contributions_chart(explanations)

    out.show(explanations, chart)
