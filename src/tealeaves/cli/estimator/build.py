"""``tealeaves estimator build``."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import click

from tealeaves.cli import options as shared
from tealeaves.cli.estimator.options import TopicOptions, source_options, topic_options
from tealeaves.cli.help import FILES, LANGUAGES, METRICS, SOURCES, option
from tealeaves.cli.help import command as declare

if TYPE_CHECKING:
    from tealeaves.text.document import Fields
    from tealeaves.text.paired.corpus import PairedCorpus

_TABLES = (".parquet", ".jsonl", ".csv", ".json")


class RichOptions(NamedTuple):
    """The rich reference, which the target is counted in."""

    rich: tuple[str, ...]
    rich_unit: str | None
    rich_reader: str | None

    @property
    def paths(self) -> dict[str, list[str]]:
        """The paths of each language."""
        if not self.rich:
            return {}
        paths = shared.by_language(self.rich, "--rich")
        if paths is None:
            raise click.UsageError(
                "--rich: say the language of each: --rich en=PATH --rich sv=PATH"
            )
        return paths

    def open(self, fields: Fields) -> PairedCorpus | None:
        """Open the texts of all languages; None if there are none."""
        if not self.paths:
            return None
        from tealeaves.text.paired.corpus import PairedCorpus

        return PairedCorpus.open(
            self.paths, unit=self.rich_unit, reader=self.rich_reader, fields=fields
        )


_rich_options = shared.OptionFamily(
    "target",
    RichOptions,
    option(
        "--rich",
        heading=SOURCES,
        multiple=True,
        metavar="LANG=PATH",
        help="The rich reference, which the target is counted in; one for each language. No "
        "document of it should have trained the topics.",
    ),
    option(
        "--rich-unit",
        heading=SOURCES,
        requires="--rich",
        metavar="UNIT",
        help="What one of its documents is, as --unit.",
    ),
    option(
        "--rich-reader",
        heading=FILES,
        requires="--rich",
        metavar="NAME",
        help="How it is read, as --reader.",
    ),
)


class TableOptions(NamedTuple):
    """The rows and features of the table, and its file."""

    tops: list[int]
    more: tuple[str, ...]
    pivot: str
    texts_names: str
    output: str
    form: str | None

    def of_pivot(self, given: shared.SourceOptions) -> shared.SourceOptions:
        """Return the sources; years and modern texts are of the pivot unless they say otherwise."""

        def with_language(argument: str | None) -> str | None:
            unnamed = argument is not None and not shared.named(argument)
            return f"{self.pivot}={argument}" if unnamed else argument

        return given._replace(years=with_language(given.years), modern=with_language(given.modern))


_table_options = shared.OptionFamily(
    "chosen",
    TableOptions,
    option(
        "--tops",
        heading=METRICS,
        default="5 10 15 20 30 40 50",
        callback=shared.read_numbers,
        metavar="NUMBERS",
        help="How many first words of each topic are judged: a row for each number. Numbers that "
        "no topic has are left out.",
    ),
    option(
        "--feature",
        "more",
        heading=METRICS,
        multiple=True,
        metavar="METRIC",
        help='A further feature: any metric of topics across languages, as "cnpmi(never=-1)". May '
        "be repeated.",
    ),
    option(
        "--pivot",
        heading=LANGUAGES,
        default="en",
        metavar="LANG",
        help="The language that all others are paired with. --years and --modern are of it, unless "
        "they say otherwise.",
    ),
    option(
        "--texts",
        "texts_names",
        heading=LANGUAGES,
        default="",
        metavar="NAMES",
        help="Names of the texts that trained the topics, joined by +, where tables of other "
        "languages share some: no row is then estimated from others of the same texts.",
    ),
    shared.output_file(".parquet .jsonl .csv .json"),
    shared.format_option,
)


@declare("build")
@shared.topics_argument
@shared.text_options
@source_options
@_rich_options
@topic_options
@_table_options
@shared.work_options
def command(
    topics: tuple[str, ...],
    texts: shared.TextOptions,
    given: shared.SourceOptions,
    target: RichOptions,
    reading: TopicOptions,
    chosen: TableOptions,
    work: shared.WorkOptions,
) -> None:
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
    from tealeaves.estimator import build
    from tealeaves.files import check_writable
    from tealeaves.tables.terminal import print_result

    output = chosen.output
    if not output.endswith(_TABLES):
        raise click.UsageError(f"{output}: a table is saved as {', '.join(_TABLES)}")
    check_writable(output)
    rich = [path for paths in target.paths.values() for path in paths]
    shared.check_not_input(output, [*topics, *texts.corpora, *given.files, *rich])
    models = reading.read(topics)
    table = build(
        models,
        chosen.of_pivot(given).sources(texts, models),
        rich=target.open(texts.fields),
        tops=chosen.tops,
        more=chosen.more,
        pivot=chosen.pivot,
        texts=chosen.texts_names,
        threads=work.threads,
        progress=work.progress,
    )
    table.save(output)
    print_result(table.summary(), chosen.form, quiet=work.quiet)
