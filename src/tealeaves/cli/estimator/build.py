"""``tealeaves estimator build``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tealeaves.cli import options as shared
from tealeaves.cli.estimator import options as own
from tealeaves.cli.help import HeadedCommand
from tealeaves.cli.options import by_language, stacked

if TYPE_CHECKING:
    from tealeaves.text.paired.corpus import PairedCorpus

_TABLES = (".parquet", ".jsonl", ".csv", ".json")

_rich_options = stacked(
    click.option(
        "--rich",
        multiple=True,
        metavar="LANG=PATH",
        help="The rich reference, which the target is counted in; one for each language. No "
        "document of it should have trained the topics.",
    ),
    click.option("--rich-unit", metavar="UNIT", help="What one of its documents is, as --unit."),
    click.option("--rich-reader", metavar="NAME", help="How it is read, as --reader."),
)


@click.command("build", cls=HeadedCommand)
@own.reading_options
@_rich_options
@click.option(
    "--tops",
    default="5 10 15 20 30 40 50",
    show_default=True,
    metavar="NUMBERS",
    help="How many first words of each topic are judged: a row for each number. Numbers that no "
    "topic has are left out.",
)
@click.option(
    "--feature",
    "more",
    multiple=True,
    metavar="METRIC",
    help='A further feature: any metric of topics across languages, as "cnpmi(never=-1)". May be '
    "repeated.",
)
@click.option(
    "--pivot",
    default="en",
    show_default=True,
    metavar="LANG",
    help="The language that all others are paired with. --years and --modern are of it, unless "
    "they say otherwise.",
)
@click.option(
    "--texts",
    default="",
    metavar="NAMES",
    help="Names of the texts that trained the topics, joined by +, where tables of other languages "
    "share some: no row is then estimated from others of the same texts.",
)
@click.option("-o", "--output", required=True, metavar="FILE", help=".parquet .jsonl .csv .json")
@shared.format_option
@shared.threads_option
@shared.quiet_option
def command(**given: Any) -> None:
    """Make the table of features of topics, and of their targets in a rich reference.

    TOPICS are models in several languages; --corpus is the poor reference, such as Bibles, and
    --rich the one that is to be predicted. A table a language, or one of several, is what `fit`
    learns from. What is printed is how far each feature is defined, and how it varies.

    \b
    Examples:
      tealeaves estimator build sv.topics -c en=web.tsv -c sv=swe.tsv \\
          --rich en=news.en.jsonl --rich sv=news.sv.jsonl -o sv.parquet
      tealeaves estimator build tr1.topics tr2.topics -c en=web.tsv -c tr=tur.tsv \\
          --rich en=en.jsonl --rich tr=tr.jsonl --dictionary en-tr.txt --years years.tsv \\
          --modern wiki.jsonl.gz -o tr.parquet
      tealeaves estimator build fr-wo.topics -c fr=fra.tsv -c wo=wol.tsv --pivot fr \\
          --rich fr=fr.jsonl --rich wo=wo.jsonl -o wo.parquet
    """
    models = own.read(given)
    tops = _tops(given["tops"])
    _check(given)
    from tealeaves.estimator.building import build
    from tealeaves.tables.terminal import print_result

    evidence = own.evidence(models, given, given["pivot"])
    asked = {name: given[name] for name in ("more", "pivot", "texts")}
    table = build(models, **evidence, **asked, rich=_rich(given), tops=tops)
    table.save(given["output"])
    print_result(table.summary(), given["form"], quiet=given["quiet"])


def _tops(text: str) -> list[int]:
    try:
        found = [int(part) for part in text.replace(",", " ").split()]
    except ValueError:
        found = []
    if not found or min(found) < 1:
        raise click.UsageError(f'--tops {text!r}: numbers of words, as in "5 10 20"')
    return sorted(set(found))


def _check(given: dict[str, Any]) -> None:
    from tealeaves.files import check_writable

    if not given["output"].endswith(_TABLES):
        raise click.UsageError(f"{given['output']}: a table is saved as {', '.join(_TABLES)}")
    check_writable(given["output"])
    rich = by_language(given["rich"], "--rich") if given["rich"] else {}
    if rich is None:
        raise click.UsageError("--rich: say the language of each: --rich en=PATH --rich sv=PATH")
    read = [*own.inputs(given), *(path for paths in rich.values() for path in paths)]
    shared.check_not_input(given["output"], read)
    for name in ("rich_unit", "rich_reader"):
        if given[name] and not given["rich"]:
            raise click.UsageError(f"--{name.replace('_', '-')} is for --rich")


def _rich(given: dict[str, Any]) -> PairedCorpus | None:
    """Open the rich reference of each language."""
    paths = by_language(given["rich"], "--rich") if given["rich"] else None
    if paths is None:
        return None
    from tealeaves.text.document import Fields
    from tealeaves.text.paired.corpus import PairedCorpus

    names = ("text_field", "id_field", "label_field", "language_field")
    return PairedCorpus.open(
        paths,
        unit=given["rich_unit"],
        reader=given["rich_reader"],
        fields=Fields(*(given[name] for name in names)),
    )
