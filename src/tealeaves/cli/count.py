"""``tealeaves count``."""

from __future__ import annotations

from tealeaves.cli import options as shared
from tealeaves.cli.help import command as declare
from tealeaves.printing import echo


@declare("count")
@shared.topics_argument
@shared.text_options
@shared.metric_option
@shared.output_file("The file of the counts.")
@shared.job_options
@shared.languages_option
@shared.separator_option
@shared.work_options
def command(
    topics: tuple[str, ...],
    texts: shared.TextOptions,
    metrics: tuple[str, ...],
    output: str,
    job: shared.JobOptions,
    work: shared.WorkOptions,
    languages: str | None,
    separator: str | None,
) -> None:
    """Count the words that metrics need, once, for any number of later scorings.

    Only the words of these topics are counted. While counting, the counts so far are saved in
    FILE.partial; --resume continues a count that was stopped. `tealeaves add` adds counts of other
    texts.

    \b
    Examples:
      tealeaves count lda.json nmf.json -c wiki.jsonl.zst -m "npmi@10 c_v@10" -o wiki.counts
      tealeaves count lda.json -c tokens.txt --tokens tokens -o lda.counts --resume
      tealeaves score lda.json nmf.json --counts wiki.counts
      tealeaves count lda.json -c wiki.jsonl --tokens words -m consensus@10 -o wiki.counts
      tealeaves score lda.json -c texts.jsonl -m consensus@10 --reference wiki.counts
      tealeaves count pltm.json -c en=web.tsv -c es=rv.tsv -m "cnpmi@10 inpmi@10" -o bible.counts

    The words of topics in several languages are counted in linked documents. Such a count is kept
    in memory and cannot be resumed: count parts of the texts and add them.
    """
    from tealeaves.metrics.counting import count

    shared.check_not_input(output, [*topics, *texts.required])
    counted = count(
        shared.read_topic_files(topics, separator, languages),
        texts.open_required(),
        metrics or None,
        output=output,
        tokens=texts.tokens,
        resume=job.resume,
        restart=job.restart,
        checkpoint=job.checkpoint,
        threads=work.threads,
        progress=work.progress,
    )
    if counted.was_complete:
        echo(f"{counted.path} is complete already", err=True)
    elif not work.quiet:
        echo(counted, err=True)
