"""``tealeaves demo``."""

from __future__ import annotations

import click

from tealeaves.cli import options as shared


@click.command("demo")
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
    "--format", "form", type=click.Choice(shared.FORMATS), default="table", show_default=True
)
def command(
    language: str,
    metrics: tuple[str, ...],
    embeddings: tuple[str, ...],
    form: str,
    copy: str | None,
    *,
    by_topic: bool,
) -> None:
    """Score good, middling and shuffled topics on the bundled corpus.

    \b
    Examples:
      tealeaves demo
      tealeaves demo --language es --by-topic -m npmi@10
      tealeaves demo -m embedding_coherence@10 -e wordllama
      tealeaves demo --copy playground
    """
    from tealeaves import demo

    if copy:
        for path in demo.copy_to(copy):
            click.echo(path)
        return
    from tealeaves.cli.output import show
    from tealeaves.metrics.evaluator import score

    asked = shared.read_metrics(metrics or (demo.METRICS,), embeddings)
    scores = score(demo.models(language), demo.corpus(language), asked, embeddings=embeddings)
    show(scores, form, by_topic=by_topic, quiet=False)
