"""``tealeaves demo``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tealeaves.cli import options as shared
from tealeaves.cli import report_files
from tealeaves.cli.help import METRICS, OUTPUT, TEXTS, option
from tealeaves.cli.help import command as declare
from tealeaves.printing import echo

if TYPE_CHECKING:
    from tealeaves.judgments.correlation.result import Correlations
    from tealeaves.metrics.scores import Scores


@declare("demo")
@option(
    "--language",
    heading=TEXTS,
    type=click.Choice(["en", "es"]),
    default="en",
    help="Which side of the bilingual demo corpus.",
)
@option(
    "-m",
    "--metrics",
    heading=METRICS,
    multiple=True,
    metavar="SPECS",
    help="Metrics. Default: coherence by counts, of 10 words.",
)
@option(
    "--by-topic",
    heading=METRICS,
    is_flag=True,
    help="Show each topic, then the model (topic: all).",
)
@option(
    "--format",
    "form",
    heading=OUTPUT,
    type=click.Choice(shared.FORMATS),
    default="table",
)
@option(
    "--report",
    heading=OUTPUT,
    metavar="FILE",
    help="Write a report too, of English topics with the invented judgments (extra report).",
)
@option(
    "--copy",
    heading=OUTPUT,
    excludes=("--language", "--metrics", "--by-topic", "--format", "--report", "--embeddings"),
    metavar="FOLDER",
    help="Only copy the demo's texts, topics and invented judgments to this folder.",
)
@shared.embeddings_option
def command(
    language: str,
    metrics: tuple[str, ...],
    embeddings: tuple[str, ...],
    form: str,
    copy: str | None,
    report: str | None,
    *,
    by_topic: bool,
) -> None:
    """Score good, middling and shuffled topics on the bundled corpus.

    \b
    Examples:
      tealeaves demo
      tealeaves demo --language es --by-topic -m npmi@10
      tealeaves demo -m embedding_coherence@10 -e wordllama
      tealeaves demo --report report.html
      tealeaves demo --copy playground
    """
    from tealeaves import demo

    if copy:
        for path in demo.copy_to(copy):
            echo(path)
        return
    from tealeaves.cli.output import show_scores
    from tealeaves.metrics.evaluation import score

    files = report_files.ReportFiles(report)
    files.check([])
    models, specs = demo.models(language), metrics or (demo.METRICS,)
    scores = score(
        models,
        demo.corpus(language),
        specs,
        embeddings=embeddings or None,
        also=files.explainer(specs, models),
        strict=True,
    )
    if report:
        result = _correlation(scores) if language == "en" else scores
        files.write(result, models, scores=scores)
    show_scores(scores, form, by_topic=by_topic, quiet=False)
    if report:
        echo(f"The report is in {report}: open it in a browser.", err=True)


def _correlation(scores: Scores) -> Correlations:
    """Correlate scores with the invented judgments, which are of English topics."""
    from tealeaves import demo
    from tealeaves.judgments import Judgments, correlate

    people = Judgments.of([{"dataset": "invented for show", **row} for row in demo.judgments()])
    return correlate(scores, people, coefficients="pearson spearman")
