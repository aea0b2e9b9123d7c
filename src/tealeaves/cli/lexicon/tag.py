"""``tealeaves lexicon tag``."""

from __future__ import annotations

import click

from tealeaves.cli import options as shared
from tealeaves.cli.help import command as declare
from tealeaves.cli.lexicon.options import (
    passage_options,
    reading,
    side_of,
    words_option,
)
from tealeaves.printing import echo


@declare("tag")
@click.argument("source", metavar="[LANG=]SOURCE")
@words_option
@passage_options
@shared.output_file("The file of the tagged text: .jsonl or .jsonl.gz")
@shared.resume_options
@shared.quiet_option
def command(
    *,
    source: str,
    words: str,
    texts: shared.TextOptions,
    output: str,
    job: shared.JobOptions,
    quiet: bool,
) -> None:
    """Make lemmas with their part of speech of a text, once, for all later commands.

    SOURCE is a text that a corpus can read: a Bible, JSONL, a table, one passage per line. Its file
    is named after its language, as in eng_web.tsv, or the language is written before it: en=PATH.
    FILE can be used wherever a source text is. While it is made, FILE.partial holds what is done;
    --resume continues work that was stopped.

    \b
    Examples:
      tealeaves lexicon tag eng_web.tsv -o eng.tagged.jsonl.gz
      tealeaves lexicon tag en=news.jsonl --text-field body -o news.tagged.jsonl.gz --resume
      tealeaves lexicon tag spa_rv1909.tsv --words simplemma -o spa.tagged.jsonl.gz
    """
    from tealeaves.lexicon.extraction.reading import check_exist, for_language
    from tealeaves.lexicon.tagging import tag_texts

    shared.check_not_input(output, [source])
    language, path = side_of(source)
    check_exist([path])
    reading(texts).check([language])
    tagged = tag_texts(
        path,
        language,
        output,
        analyser=words,
        pipeline=for_language(texts.tokens, language),
        reader=for_language(texts.reader, language),
        unit=texts.unit or "verse",
        fields=texts.fields,
        links=texts.links,
        resume=job.resume,
        restart=job.restart,
        progress=shared.wants_progress(quiet=quiet),
    )
    if tagged.was_complete:
        echo(f"{tagged.path} is complete already", err=True)
    elif not quiet:
        echo(tagged, err=True)
