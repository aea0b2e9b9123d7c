"""``tealeaves demo``."""

from __future__ import annotations

from typing import Any

import click

from tealeaves.cli import options as shared
from tealeaves.cli import report_files
from tealeaves.cli.help import HeadedCommand


@click.command("demo", cls=HeadedCommand)
@click.option(
    "--language",
    type=click.Choice(["en", "es"]),
    default="en",
    show_default=True,
    help="Which side of the bilingual demo corpus.",
)
@click.option(
    "-m",
    "--metrics",
    multiple=True,
    metavar="SPECS",
    help="Metrics. Default: coherence by counts, of 10 words.",
)
@shared.embeddings_option
@click.option("--by-topic", is_flag=True, help="Show each topic, then the model (topic: all).")
@click.option(
    "--copy",
    metavar="FOLDER",
    help="Copy the demo's texts, topics and invented judgments there, no more.",
)
@click.option(
    "--report",
    metavar="FILE",
    help="Write a report too, of English topics with the invented judgments (extra report).",
)
@click.option(
    "--format", "form", type=click.Choice(shared.FORMATS), default="table", show_default=True
)
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
            click.echo(path)
        return
    from tealeaves.cli.output import show_scores
    from tealeaves.metrics.evaluation import score

    asked = shared.read_metrics(metrics or (demo.METRICS,), embeddings)
    models, given = demo.models(language), {"report": report, "run": None}
    if report:
        report_files.check_page_file(report)
    judges = report_files.also(asked, models, given)
    scores = score(models, demo.corpus(language), asked, embeddings=embeddings, also=judges)
    if report:
        run = report_files.run_of_scores(models, scores, judges)
        report_files.write_report(_with_people(run, scores) if language == "en" else run, given)
    show_scores(scores, form, by_topic=by_topic, quiet=False)
    if report:
        click.echo(f"The report is in {report}: open it in a browser.", err=True)


def _with_people(run: Any, scores: Any) -> Any:
    """Add the invented judgments, which are of English topics."""
    from tealeaves import demo
    from tealeaves.judgments.correlation.correlate import correlate
    from tealeaves.judgments.judgments import Judgments
    from tealeaves.report.reporting import with_parts
    from tealeaves.report.run.making import people_record

    people = Judgments.of([{"dataset": "invented for show", **row} for row in demo.judgments()])
    found = correlate(scores, people, coefficients="pearson spearman")
    return with_parts(run, people=people_record(found))
