"""``tealeaves estimator predict``."""

from __future__ import annotations

from typing import Any

import click

from tealeaves.cli import options as shared
from tealeaves.cli.estimator import options as own
from tealeaves.cli.help import HeadedCommand


@click.command("predict", cls=HeadedCommand)
@own.reading_options
@own.judging_options
@shared.format_option
@shared.files_options
@shared.threads_option
@shared.quiet_option
def command(**given: Any) -> None:
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
    models = own.read(given)
    shared.check_files(given, own.inputs(given))
    from tealeaves.estimator.predicting import predict

    found = predict(
        models,
        **own.evidence(models, given),
        estimator=given["estimator"],
        top=given["top"],
        level=given["level"],
    )
    from tealeaves.cli.output import save_and_show

    def chart() -> Any:
        from tealeaves.report.charts.estimates import estimates_chart

        return estimates_chart(found)

    save_and_show(found, given, chart)
