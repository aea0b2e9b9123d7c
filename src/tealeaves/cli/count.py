"""``tealeaves count``."""

from __future__ import annotations

from typing import Any

import click

from tealeaves.cli import across
from tealeaves.cli import options as shared
from tealeaves.jobs import wants_progress


@click.command("count")
@shared.topics_argument
@shared.languages_options
@across.languages_option
@shared.metric_option
@shared.separator_option
@click.option("-o", "--output", required=True, metavar="FILE", help="The file of the counts.")
@click.option("--resume", is_flag=True, help="Continue an unfinished count of the same.")
@click.option("--restart", is_flag=True, help="Begin anew, and replace what is there.")
@shared.checkpoint_option
@shared.threads_option
@shared.quiet_option
def command(**given: Any) -> None:
    """Count what the metrics need, once, for any number of later scorings.

    The counts are for the words of these topics. While counting, FILE.partial holds what is done;
    a run that was stopped goes on with --resume. Counts of other texts are added with
    `tealeaves add`.

    \b
    Examples:
      tealeaves count lda.json nmf.json -c wiki.jsonl.zst -m "npmi@10 c_v@10" -o wiki.counts
      tealeaves count lda.json -c tokens.txt --tokens tokens -o lda.counts --resume
      tealeaves score lda.json nmf.json --counts wiki.counts
      tealeaves count lda.json -c wiki.jsonl --tokens words -m consensus@10 -o wiki.counts
      tealeaves score lda.json -c texts.jsonl -m consensus@10 --reference wiki.counts
      tealeaves count pltm.json -c en=web.tsv -c es=rv.tsv -m "cnpmi@10 inpmi@10" -o bible.counts

    Of topics in several languages, words are counted in linked documents. Such a count holds each
    language's words until it is done, and cannot be resumed: count parts, and add them.
    """
    from tealeaves.metrics.counting import count

    if not given["corpora"]:
        raise click.UsageError("give the texts with --corpus")
    shared.check_not_input(given["output"], [*given["topics"], *given["corpora"]])
    counted = count(
        shared.read_topic_files(given["topics"], given["separator"], given["languages"]),
        shared.open_texts(given),
        given["metrics"] or None,
        output=given["output"],
        tokens=given["tokens"],
        resume=given["resume"],
        restart=given["restart"],
        checkpoint=given["checkpoint"],
        threads=given["threads"],
        progress=wants_progress(quiet=given["quiet"]),
    )
    if counted.was_complete:
        click.echo(f"{counted.path} is complete already", err=True)
    elif not given["quiet"]:
        click.echo(counted, err=True)
