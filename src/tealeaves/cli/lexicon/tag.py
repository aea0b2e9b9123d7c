"""``tealeaves lexicon tag``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from tealeaves.cli import options as shared
from tealeaves.cli.help import HeadedCommand
from tealeaves.cli.lexicon.options import (
    check_languages,
    check_there,
    reading_options,
    side_of,
    words_option,
)
from tealeaves.cli.lexicon.texts import asked_of, bar
from tealeaves.cli.options import wants_progress
from tealeaves.jobs import check_resume_options, explain_interruption


@click.command("tag", cls=HeadedCommand)
@click.argument("source", metavar="[LANG=]SOURCE")
@words_option
@reading_options
@click.option(
    "-o", "--output", required=True, metavar="FILE", help="Where it goes: .jsonl or .jsonl.gz"
)
@click.option("--resume", is_flag=True, help="Go on with a run of the same that was stopped.")
@click.option("--restart", is_flag=True, help="Begin anew: FILE is replaced, unfinished or not.")
@shared.quiet_option
def command(**given: Any) -> None:
    """Make lemmas with their part of speech of a text, once, for all that comes after.

    SOURCE is a text that a corpus reads: a Bible, JSONL, a table, one passage a line. Its language
    is the one that its file is called by, as in eng_web.tsv, or that is said before it: en=PATH.
    FILE can stand wherever a source text is asked for. While it is made, FILE.partial holds what
    is done; a run that was stopped goes on with --resume.

    \b
    Examples:
      tealeaves lexicon tag eng_web.tsv -o eng.tagged.jsonl.gz
      tealeaves lexicon tag en=news.jsonl --text-field body -o news.tagged.jsonl.gz --resume
      tealeaves lexicon tag spa_rv1909.tsv --words simplemma -o spa.tagged.jsonl.gz
    """
    output = given["output"]
    check_resume_options(resume=given["resume"], restart=given["restart"])
    shared.check_not_input(output, [given["source"]])
    language, path = side_of(given["source"])
    check_there([path])
    check_languages([language], given)
    if _is_done(path, language, given):
        click.echo(f"{output} is complete already", err=True)
        return
    count = _tag(path, language, given)
    if not given["quiet"]:
        click.echo(f"{output}: {count} passages", err=True)


def _is_done(path: str, language: str, given: dict[str, Any]) -> bool:
    """Tell whether all is done; refuse to replace what nobody said may go."""
    from tealeaves.errors import InputError
    from tealeaves.lexicon.tagged import is_tagged
    from tealeaves.lexicon.tagging_files import check_same, partial_of

    output = given["output"]
    partial = partial_of(output)
    if given["restart"]:
        partial.unlink(missing_ok=True)
    if partial.exists() and not given["resume"]:
        raise InputError(f"{partial} is an unfinished run: --resume to go on, --restart to begin")
    if partial.exists() or not Path(output).exists():
        return False
    if not is_tagged(output):
        raise InputError(f"{output} exists and holds no tagged passages: name another")
    if given["restart"]:
        return False
    if not given["resume"]:
        raise InputError(f"{output} holds tagged passages already: --restart replaces it")
    check_same(output, path, language, analyser=given["words"], **asked_of(language, given))
    return True


def _tag(path: str, language: str, given: dict[str, Any]) -> int:
    from tealeaves.lexicon.tagging_files import partial_of, tag_texts

    asked = asked_of(language, given)
    partial = partial_of(given["output"])

    def saved() -> str:
        return f"{partial} holds what is done" if partial.exists() else ""

    with explain_interruption(saved):
        total = _total(path, language, given, asked)
        with bar(f"tagging {language}", given, total) as advance:
            return tag_texts(
                path,
                language,
                given["output"],
                analyser=given["words"],
                resume=given["resume"],
                advance=advance,
                **asked,
            )


def _total(path: str, language: str, given: dict[str, Any], asked: dict[str, Any]) -> int | None:
    """Count the passages for the bar, if anybody looks at it: reading is quick beside tagging."""
    if not wants_progress(quiet=given["quiet"]):
        return None
    from tealeaves.lexicon.passages import keyed, open_texts

    how = {name: asked[name] for name in ("reader", "unit", "fields", "links")}
    return sum(1 for key, _ in keyed(open_texts(path, language, **how), language) if key)
