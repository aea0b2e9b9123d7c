"""``tealeaves estimator predict``."""

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
from tealeaves.cli.help import command as declare
from tealeaves.cli.output import OutputOptions, output_options


@declare("predict")
@shared.topics_argument
@shared.text_options
@source_options
@topic_options
@predict_options
@output_options
@shared.threads_option
def command(
    topics: tuple[str, ...],
    texts: shared.TextOptions,
    given: shared.SourceOptions,
    reading: TopicOptions,
    chosen: PredictOptions,
    out: OutputOptions,
    threads: int | None,
) -> None:
    """Estimate each topic, with an interval, and say whether the Bible can be trusted.

    TOPICS are models in several languages, as for `tealeaves score`; --corpus are the texts at
    hand, Bibles above all. The estimate is the CNPMI that a large modern reference would give, on
    the scale of that reference. Each topic is judged by the best estimator whose features it has:
    a dictionary and modern texts let better ones apply (and years of words, of estimators that use
    them: those of tealeaves did no better with them).

    \b
    Examples:
      tealeaves estimator predict pltm.topics -c en=web.tsv -c am=amh.tsv
      tealeaves estimator predict en=en.txt tl=tl.txt -c en=web.tsv -c tl=tgl.tsv \\
          --dictionary en-tl.txt --modern wiki.jsonl.gz
      tealeaves estimator predict pltm.topics -c en=web.tsv -c am=amh.tsv -o am.csv \\
          --plot am.html
    """
    out.check([*topics, *texts.corpora, *given.files, *chosen.files])
    models = reading.read(topics)
    from tealeaves.estimator import predict

    predictions = predict(
        models,
        given.sources(texts, models),
        estimator=chosen.estimator,
        top=chosen.top,
        level=chosen.level,
        threads=threads,
        progress=out.progress,
    )

    def chart() -> Any:
        from tealeaves.report.charts.estimates import estimates_chart

        return estimates_chart(predictions)

    out.show(predictions, chart)
