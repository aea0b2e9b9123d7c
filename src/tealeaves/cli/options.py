"""Options that several commands share, declared once, and what they stand for.

A family of options becomes one typed value: ``@text_options`` gives a command the argument
``texts``, a ``TextOptions``, which opens the corpus that the options name. An option that needs or
excludes another says so where it is declared: ``requires="--plot"``, ``excludes="--sort model"``.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

import click
from click.core import ParameterSource

from tealeaves.cli.help import FILES, LANGUAGES, METRICS, OUTPUT, SOURCES, TEXTS, WORK, option
from tealeaves.errors import InputError

if TYPE_CHECKING:
    from tealeaves.evidence.sources import Sources
    from tealeaves.metrics.base import Metric
    from tealeaves.text.corpus import Corpus
    from tealeaves.text.document import Fields
    from tealeaves.text.paired.corpus import PairedCorpus
    from tealeaves.topics.topics import Topics

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
Values = TypeVar("Values")

FORMATS = ("table", "json", "jsonl", "csv", "md", "latex")
# en=PATH; a token pipeline has a bracket before its first equals sign
_PREFIX = re.compile(r"([\w.-]+)=(.+)", re.DOTALL)


def stacked(*options: Callable[[Any], Any]) -> Callable[[Decorated], Decorated]:
    """Make one decorator of several options."""

    def decorate(command: Decorated) -> Decorated:
        for one in reversed(options):
            command = one(command)
        return command

    return decorate


class OptionFamily(Generic[Values]):
    """Options that belong together, and the type that a command gets of their values.

    As a decorator, the family adds its options and passes their values as one argument.
    """

    def __init__(self, argument: str, kind: type[Values], *options: Callable[[Any], Any]) -> None:
        self.argument = argument
        self.kind = kind
        self.options = stacked(*options)

    def __call__(self, command: Decorated) -> Callable[..., Any]:
        """Decorate a command."""
        names: tuple[str, ...] = self.kind._fields  # type: ignore[attr-defined]

        @wraps(command)
        def wrapped(**given: Any) -> Any:
            values = self.kind(**{name: given.pop(name) for name in names if name in given})
            return command(**{self.argument: values}, **given)

        return self.options(wrapped)


# ---------------------------------------------------------------------- texts


class TextOptions(NamedTuple):
    """The texts that a command reads, in one language or in several (``en=PATH``)."""

    corpora: tuple[str, ...] = ()
    tokens: str | dict[str, str] | None = None
    reader: str | dict[str, str] | None = None
    text_field: str = "text"
    id_field: str = "id"
    label_field: str = "label"
    language_field: str = "language"
    unit: str | None = None
    links: str | None = None

    @property
    def required(self) -> tuple[str, ...]:
        """The corpora, of which there must be one."""
        if not self.corpora:
            raise click.UsageError("give the texts with --corpus")
        return self.corpora

    @property
    def fields(self) -> Fields:
        """The names of the fields of texts."""
        from tealeaves.text.document import Fields

        return Fields(self.text_field, self.id_field, self.label_field, self.language_field)

    def open(self) -> Corpus | PairedCorpus | None:
        """Open the texts; None if no corpus is named."""
        return self.open_required() if self.corpora else None

    def open_required(self) -> Corpus | PairedCorpus:
        """Open the texts, of which there must be some."""
        return self.paired_corpus() or self.corpus()

    def corpus(self) -> Corpus:
        """Open the texts of one language."""
        from tealeaves.text.corpus import Corpus

        paths = by_language(self.corpora, "--corpus")
        if paths is not None:
            languages = " ".join(f"{name}=PATH" for name in paths)
            raise click.UsageError(f"{languages}: the topics are in one language; give PATH alone")
        reader = one_for_all(self.reader, "reader")
        return Corpus.open(*self.corpora, reader=reader, fields=self.fields)

    def paired_corpus(self) -> PairedCorpus | None:
        """Open the texts of several languages; None if ``--corpus`` names no languages."""
        paths = by_language(self.corpora, "--corpus")
        if paths is None:
            for name in ("unit", "links"):
                if getattr(self, name):
                    raise click.UsageError(
                        f"--{name} is for texts in several languages: --corpus en=PATH"
                    )
            return None
        from tealeaves.text.paired.corpus import PairedCorpus

        return PairedCorpus.open(
            paths,
            unit=self.unit,
            links=self.links,
            reader=_readers(self.reader, list(paths)),
            fields=self.fields,
        )


# Options of files that are read with --reader and the names of fields. Counts are not read so,
# but an error of their own says why.
_READ = ("--corpus", "--reference", "--modern", "--rich", "--counts")


def field_options(document: str) -> tuple[Callable[[Any], Any], ...]:
    """Declare the names of fields; ``document`` is what a row of the files is called."""
    holds = {"text": document, "id": "its id", "label": "its label", "language": "its language"}
    return tuple(
        option(
            f"--{name}-field",
            heading=FILES,
            requires=_READ,
            default=name,
            metavar="NAME",
            help=f"The field of JSONL, CSV or Parquet that holds {what}.",
        )
        for name, what in holds.items()
    )


_TOKENS_OF_MODELS = (
    "those that the models were made with, else words; with --relevance those that it was made with"
)
_TOKENS_OF_CLASSIFIER = (
    "those that the classifier was fitted with, else those that the models were made with, else "
    "words"
)
_TOKENS_OF_LANGUAGE = "words, without the stop words of the language that the texts name"


def _corpus_options(
    metavar: str,
    many: str,
    repeated: dict[str, Any],
    of_tokens: str,
    default_tokens: str = _TOKENS_OF_MODELS,
) -> tuple[Callable[[Any], Any], ...]:
    return (
        option(
            "-c",
            "--corpus",
            "corpora",
            heading=TEXTS,
            multiple=True,
            metavar=metavar,
            help="The texts: a file (.txt with one document per line, .jsonl, .csv, .tsv, "
            ".parquet; also .gz .bz2 .zst), a folder (each plain file is a document), a glob in "
            f"quotes, or - for standard input. May be repeated{many}.",
        ),
        option(
            "--tokens",
            heading=TEXTS,
            metavar="PIPELINE",
            help="How texts become tokens: words, tokens (split at spaces), icu or characters, "
            'with options, as in "words(stopwords=en, lemmas=en, min_length=3)"; or the preset '
            f"attention(language=en){of_tokens}. Default: {default_tokens}.",
            **repeated,
        ),
        option(
            "--reader",
            heading=FILES,
            requires=_READ,
            metavar="NAME",
            help="How the files are read, if their names do not tell: lines, file, jsonl, csv, "
            'tsv, parquet, bible or tmx; "tsv(header=false)" calls its columns 1, 2, ….',
            **repeated,
        ),
        *field_options("the document"),
    )


paired_options = stacked(
    option(
        "--unit",
        heading=LANGUAGES,
        metavar="UNIT",
        help="What one document of texts in several languages is: verse, chapter or "
        '"block(size=4)" of a Bible, document (rows with the same id are one) or blocks of lines. '
        "Default: chapters of a Bible, else as the files say.",
    ),
    option(
        "--links",
        heading=LANGUAGES,
        metavar="HOW",
        help="How documents of several languages belong together: id (equal ids), line (the nth "
        "with the nth), field:NAME (a field of JSONL, CSV or Parquet), or a table with a column of "
        "ids for each language (.tsv, .csv, .jsonl). Default: id if there are ids, else line.",
    ),
)


def named(argument: str) -> tuple[str, str] | None:
    """Split ``en=PATH`` into language and path; an existing file of that name has no language.

    >>> named("en=texts.tsv"), named("texts.tsv")
    (('en', 'texts.tsv'), None)
    """
    if "=" not in argument:  # most arguments: nothing is imported for them
        return None
    from tealeaves.topics.reading import split_language_prefix

    return split_language_prefix(argument)


def path_of(argument: str) -> str:
    """Return the path of ``en=PATH`` or ``PATH``."""
    parts = named(argument)
    return parts[1] if parts else argument


def by_language(arguments: Iterable[str], name: str) -> dict[str, list[str]] | None:
    """Collect ``en=PATH`` by language; None if no argument names a language.

    ``name`` is what the arguments belong to, for messages.
    """
    given = list(arguments)
    parts = [named(argument) for argument in given]
    if not any(parts):
        return None
    paths: dict[str, list[str]] = {}
    for argument, part in zip(given, parts, strict=True):
        if part is None and argument.endswith("="):
            raise click.UsageError(f"{name} {argument}: the path is missing, as in {argument}PATH")
        if part is None:
            others = " ".join(f"{one[0]}=…" for one in parts if one)
            raise click.UsageError(
                f"{name} {argument} and {others}: say the language of each (LANGUAGE={argument}), "
                "and put -c before each text"
            )
        paths.setdefault(part[0], []).append(part[1])
    return paths


def _readers(
    reader: str | dict[str, str] | None, languages: list[str]
) -> str | dict[str, str] | None:
    """Return the reader of each language, under the name that the corpora have for it."""
    if not isinstance(reader, dict):
        return reader
    from tealeaves.text.languages import same_language

    readers = dict.fromkeys(languages, reader.get("", ""))
    for name, expression in reader.items():
        own = [one for one in languages if name and same_language(one, name)]
        if name and not own:
            listed = ", ".join(languages)
            raise InputError(f"a reader for {name}, but the texts are in {listed}")
        readers |= dict.fromkeys(own, expression)
    return {language: expression for language, expression in readers.items() if expression}


def read_by_language(
    context: click.Context,  # noqa: ARG001
    parameter: click.Parameter,
    values: tuple[str, ...],
) -> str | dict[str, str] | None:
    """Read one value for all texts, or ``en=VALUE`` for each language.

    Beside values for languages, a value without a language is for all other languages.
    """
    if not values:
        return None
    parts = [_PREFIX.fullmatch(value) for value in values]
    if len(values) == 1 and not parts[0]:
        return values[0]
    read: dict[str, str] = {}
    for value, part in zip(values, parts, strict=True):
        language, inner = (part[1], part[2]) if part else ("", value)
        if language in read:
            what = f" of {language}" if language else ""
            raise click.UsageError(
                f"the {parameter.name}{what} is given twice: {read[language]}, {value}"
            )
        read[language] = inner
    return read


def one_for_all(value: str | dict[str, str] | None, name: str) -> str | None:
    """Return the value of an option for texts in one language."""
    if isinstance(value, dict):
        languages = ", ".join(filter(None, value))
        raise InputError(f"--{name} for {languages}, but the texts name no language (en=PATH)")
    return value


def of_side(value: str | dict[str, str] | None, language: str) -> str | None:
    """Return the value of an option for one of several languages."""
    if not isinstance(value, dict):
        return value
    from tealeaves.text.languages import same_language

    own = [one for name, one in value.items() if name and same_language(name, language)]
    return own[0] if own else value.get("")


def _several_languages(default_tokens: str) -> tuple[Callable[[Any], Any], ...]:
    return (
        *_corpus_options(
            "[LANG=]PATH",
            "; en=PATH sv=PATH are texts in several languages",
            {"multiple": True, "callback": read_by_language},
            "; zh=icu sets the tokens of one language, and --reader works alike",
            default_tokens,
        ),
        paired_options,
    )


_ONE_LANGUAGE = _corpus_options("PATH", "", {}, "")
_SEVERAL_LANGUAGES = _several_languages(_TOKENS_OF_MODELS)

#: The texts of commands that read one language, and of those that may read several.
one_language_options = OptionFamily("texts", TextOptions, *_ONE_LANGUAGE)
text_options = OptionFamily("texts", TextOptions, *_SEVERAL_LANGUAGES)

#: The texts that a classifier is fitted to, and those that go through it.
fitting_text_options = OptionFamily(
    "corpus", TextOptions, *_corpus_options("PATH", "", {}, "", "words")
)
classified_text_options = OptionFamily(
    "corpus", TextOptions, *_corpus_options("PATH", "", {}, "", _TOKENS_OF_CLASSIFIER)
)

#: The texts that models are trained with.
training_text_options = OptionFamily(
    "texts",
    TextOptions,
    *_several_languages(f"{_TOKENS_OF_LANGUAGE}; with several languages, stop words stay"),
)
one_language_training_options = OptionFamily(
    "texts", TextOptions, *_corpus_options("PATH", "", {}, "", _TOKENS_OF_LANGUAGE)
)


# ---------------------------------------------------------------------- topics


topics_argument = click.argument("topics", nargs=-1, required=True, metavar="TOPICS...")

separator_option = option(
    "--separator",
    heading=FILES,
    requires="TOPICS",
    type=click.Choice(["space", "tab", "comma"]),  # the separators of topics.formats.lines
    help="What separates words in files with one topic per line; tabs and spaces are recognised.",
)

languages_option = option(
    "--languages",
    heading=LANGUAGES,
    metavar="EN,SV",
    help="The languages of MALLET's polylingual output, which numbers them.",
)


def topics_of_side(models: Sequence[Topics], language: str) -> list[Topics]:
    """Return one language of topics in several."""
    from tealeaves.topics.multilingual import MultilingualTopics

    sides = []
    for model in models:
        if not isinstance(model, MultilingualTopics):
            raise click.UsageError(f"--language: {model.model} has topics in one language only")
        sides.append(model.side(language))
    return sides


def read_topic_files(
    paths: tuple[str, ...],
    separator: str | None,
    languages: str | None = None,
    side: str | None = None,
) -> list[Topics]:
    """Read the models that are named on the command line.

    ``languages`` are the names of those that a file numbers, ``side`` is the one language to be
    taken of topics in several.
    """
    models = _read_topic_files(paths, separator, languages)
    return models if side is None else topics_of_side(models, side)


def _read_topic_files(
    paths: tuple[str, ...], separator: str | None, languages: str | None
) -> list[Topics]:
    from tealeaves.topics.reading import read_topics, with_unique_names

    for path in paths:
        if "@" in path and not Path(path).exists():
            raise click.UsageError(f"{path}: no such file; several metrics go in quotes after -m")
    if (sides := by_language(paths, "the topics")) is not None:
        from tealeaves.topics.reading import read_multilingual

        for language, files in sides.items():
            if len(files) > 1:
                raise click.UsageError(f"two files of topics in {language}: {', '.join(files)}")
        single = {language: files[0] for language, files in sides.items()}
        return [read_multilingual(single, separator=separator)]
    models = [read_topics(path, separator=separator, languages=languages) for path in paths]
    return with_unique_names(models, paths)


# ---------------------------------------------------------------------- metrics and sources


metric_option = option(
    "-m",
    "--metrics",
    "metrics",
    heading=METRICS,
    multiple=True,
    metavar="SPECS",
    help='Metrics, as in "npmi@10 c_v(never=0)@10": separated by spaces, or the option repeated. '
    "Default: npmi@10 c_v@10; with relevance its metrics, @10; for topics in several languages "
    "cnpmi@10 inpmi@10 twc@10, with a dictionary mta@10 too. `tealeaves metrics` lists all.",
)

embeddings_option = option(
    "-e",
    "--embeddings",
    "embeddings",
    heading=SOURCES,
    multiple=True,
    metavar="NAME",
    help="What gives words their vectors, for metrics of vectors: a name of `tealeaves embeddings`,"
    " a file of word2vec, GloVe or fastText, or a model of Hugging Face (owner/name, which is "
    "downloaded, or a folder). Repeated: such metrics are computed with each. Default: minilm, "
    "else wordllama.",
)

relevance_option = option(
    "--relevance",
    heading=SOURCES,
    metavar="FILE",
    help="Relevance made by `tealeaves relevance gather`, for metrics of attention and relevance: "
    "no corpus is read. Or a classifier, which reads the corpus. Default: a probe on MiniLM, "
    "fitted to the corpus.",
)

counts_option = option(
    "--counts",
    heading=SOURCES,
    metavar="FILE",
    help="Counts made by `tealeaves count`, instead of a corpus.",
)

reference_options = stacked(
    option(
        "--reference",
        "reference",
        heading=SOURCES,
        multiple=True,
        metavar="PATH",
        help="A second, larger corpus, such as Wikipedia, for metrics that use one: given like a "
        "corpus (with the same --reader and names of fields), or one file of `tealeaves count` "
        "(.counts). May be repeated.",
    ),
    option(
        "--reference-tokens",
        heading=SOURCES,
        metavar="PIPELINE",
        help="How the reference becomes tokens. Default: words, whatever those of the models are; "
        "counts know theirs.",
    ),
)

crosslingual_options = stacked(
    option(
        "--dictionary",
        "dictionaries",
        heading=LANGUAGES,
        multiple=True,
        metavar="[EN-SV=]FILE",
        help="Translations, for mta and cnpmi_estimated: two words per line (.txt, .tsv, as "
        "MUSE's). The languages are those in the file's name (en-sv.txt), or are written before "
        "it. May be repeated.",
    ),
    option(
        "--years",
        heading=LANGUAGES,
        metavar="[EN=]FILE",
        help="The year in which each word is first attested, for cnpmi_estimated: a table of words "
        "and years (.tsv, .csv, .jsonl). Of several years of a word the earliest counts. Default: "
        "English.",
    ),
    option(
        "--modern",
        heading=LANGUAGES,
        metavar="[EN=]PATH",
        help="Texts of our time in one of the languages, for cnpmi_estimated: does the corpus use "
        "words as they do? Given like a corpus, with the same names of fields. Default: English.",
    ),
)


class SourceOptions(NamedTuple):
    """What models are judged with, besides the texts."""

    counts: str | None = None
    embeddings: tuple[str, ...] = ()
    relevance: str | None = None
    reference: tuple[str, ...] = ()
    reference_tokens: str | None = None
    dictionaries: tuple[str, ...] = ()
    years: str | None = None
    modern: str | None = None

    @property
    def files(self) -> list[str]:
        """The files and folders that are read."""
        single = (self.counts, self.relevance, self.years, self.modern)
        return [*self.reference, *self.dictionaries, *filter(None, single)]

    def sources(
        self, texts: TextOptions, models: Sequence[Topics], side: str | None = None
    ) -> Sources:
        """Return the sources that the options name.

        ``side`` is the one language to be read of texts in several.
        """
        from tealeaves.evidence.sources import Sources

        self.check(texts)
        corpus, tokens = texts.open(), texts.tokens
        if side is not None:
            from tealeaves.text.paired.corpus import PairedCorpus

            corpus = corpus.side(side) if isinstance(corpus, PairedCorpus) else corpus
            tokens = of_side(tokens, side)
        return Sources(
            corpus,
            counts=self.counts,
            tokens=tokens,
            reference=self.open_reference(texts),
            reference_tokens=self.reference_tokens,
            embeddings=self.embeddings or None,
            relevance=self.relevance,
            dictionary=self.open_dictionaries(models),
            years=self.open_years(),
            modern=self.open_modern(texts),
        )

    def check(self, texts: TextOptions) -> None:
        """Raise for options that exclude each other."""
        if texts.corpora and self.counts:
            raise click.UsageError("give either --corpus or --counts")
        for name in ("unit", "links"):
            if getattr(texts, name) and not texts.corpora:
                raise click.UsageError(
                    f"--{name} is for texts in several languages: --corpus en=PATH"
                )
        if "-" in self.reference and "-" in texts.corpora:
            raise click.UsageError("standard input is read once: as corpus or as reference")
        if self.counts:
            reading = () if self._reads_reference else ("reader", *_FIELD_OPTIONS)
            refuse_options((*reading, "unit", "links"), "was decided when the counts were made")

    @property
    def _reads_reference(self) -> bool:
        """Whether texts of a reference are read, not its counts."""
        from tealeaves.evidence.sources import is_counts_file

        return bool(self.reference) and not any(map(is_counts_file, self.reference))

    def open_reference(self, texts: TextOptions) -> Corpus | list[str] | None:
        """Open the texts of the reference; files of counts are returned as they are named."""
        if not self._reads_reference:
            return list(self.reference) or None
        from tealeaves.text.corpus import Corpus

        reader = one_for_all(texts.reader, "reader")
        return Corpus.open(*self.reference, reader=reader, fields=texts.fields)

    def open_dictionaries(self, models: Sequence[Topics]) -> Any:
        """Open the dictionaries of the topics' languages."""
        if not self.dictionaries:
            return None
        from tealeaves.evidence.dictionaries import Dictionaries
        from tealeaves.topics.multilingual import are_multilingual, languages_of

        if not are_multilingual(models):
            return self.dictionaries
        return Dictionaries.open(self.dictionaries, languages_of(models))

    def open_years(self) -> Any:
        """Open the years of words, of English unless a language is named."""
        if not self.years:
            return None
        from tealeaves.evidence.sources import PIVOT
        from tealeaves.evidence.years import WordYears

        language, path = named(self.years) or (PIVOT, self.years)
        return WordYears.open(path, language=language)

    def open_modern(self, texts: TextOptions) -> dict[str, Corpus] | None:
        """Open modern texts, of English unless a language is named."""
        if not self.modern:
            return None
        from tealeaves.evidence.sources import PIVOT
        from tealeaves.text.corpus import Corpus

        language, path = named(self.modern) or (PIVOT, self.modern)
        return {language: Corpus.open(path, fields=texts.fields)}


source_options = OptionFamily(
    "given",
    SourceOptions,
    counts_option,
    embeddings_option,
    relevance_option,
    reference_options,
    crosslingual_options,
)
_FIELD_OPTIONS = ("text_field", "id_field", "label_field", "language_field")


def refuse_options(names: Iterable[str], why: str) -> None:
    """Raise for options that the user gave, and which have no effect here."""
    context = click.get_current_context()
    options = {parameter.name: parameter.opts[-1] for parameter in context.command.params}
    for name in names:
        source = context.get_parameter_source(name)
        if source not in (None, ParameterSource.DEFAULT):
            raise click.UsageError(f"{options[name]} {why}")


def parse_specs(specs: tuple[str, ...]) -> list[Metric]:
    """Read ``-m``; without it there are no metrics yet."""
    from tealeaves.metrics.registry import parse_metrics

    return parse_metrics(specs) if specs else []


def metric_files(metrics: Iterable[Metric]) -> list[str]:
    """Return the files that are named inside metrics (``-m``), and are read."""
    return [file for metric in metrics for file in metric.files]


# ---------------------------------------------------------------------- output and work


format_option = option(
    "--format",
    "form",
    heading=OUTPUT,
    type=click.Choice(FORMATS),
    help="Default: table on a terminal, jsonl when piped.",
)

output_option = option(
    "-o",
    "--output",
    heading=OUTPUT,
    metavar="FILE",
    help="Save all rows too: .jsonl .json .csv .md .tex .parquet",
)


def output_file(
    what: str, *, metavar: str = "FILE", argument: str = "output"
) -> Callable[[Decorated], Decorated]:
    """Declare ``-o`` of a command whose result is a file or a folder."""
    return option(
        "-o", "--output", argument, heading=OUTPUT, required=True, metavar=metavar, help=what
    )


plot_option = option(
    "--plot", heading=OUTPUT, metavar="FILE", help="Draw a chart: .html, .svg, .png or .pdf"
)
files_options = stacked(output_option, plot_option)

quiet_option = option(
    "-q", "--quiet", heading=OUTPUT, is_flag=True, help="No progress and no notes."
)

threads_option = option(
    "--threads",
    heading=WORK,
    type=click.IntRange(min=1),
    help="Threads that count; default: one for each processor. The numbers are the same.",
)

seed_option = option(
    "--seed",
    heading=WORK,
    type=click.IntRange(min=0),
    default=0,
    help="Where random numbers start: the same seed gives the same numbers.",
)


def read_numbers(
    context: click.Context,  # noqa: ARG001
    parameter: click.Parameter,
    text: str | None,
) -> list[int] | None:
    """Read whole numbers, separated by spaces or commas."""
    if text is None:
        return None
    try:
        numbers = [int(part) for part in text.replace(",", " ").split()]
    except ValueError:
        numbers = []
    if not numbers or min(numbers) < 1:
        example = 'whole numbers of at least 1, as in "5 10 20"'
        raise click.UsageError(f"{parameter.opts[-1]} {text}: give {example}")
    return sorted(set(numbers))


def correction_option(heading: str, default: str, what: str) -> Callable[[Any], Any]:
    """Declare the correction of p for several tests."""
    names = sorted(("bh", "holm", "none"), key=lambda name: name != default)
    return option(
        "--correction", heading=heading, type=click.Choice(names), default=default, help=what
    )


def level_option(heading: str, default: float, metavar: str, what: str) -> Callable[[Any], Any]:
    """Declare a level between 0 and 1."""
    between = click.FloatRange(0, 1, min_open=True, max_open=True)
    return option(
        "--level", heading=heading, type=between, default=default, metavar=metavar, help=what
    )


checkpoint_option = option(
    "--checkpoint",
    heading=WORK,
    type=click.FloatRange(min=0),
    default=30.0,
    metavar="SECONDS",
    help="Seconds between two saves of unfinished work.",
)


class JobOptions(NamedTuple):
    """How work that can be resumed is done."""

    resume: bool = False
    restart: bool = False
    checkpoint: float = 30.0


def job_family(
    *others: Callable[[Any], Any],
    resume: str = "Continue unfinished work on the same words and texts.",
    restart: str = "Start again and replace existing files.",
) -> OptionFamily[JobOptions]:
    """Declare the options of work that can be resumed, given the help of two of them."""
    return OptionFamily(
        "job",
        JobOptions,
        option("--resume", heading=WORK, is_flag=True, help=resume),
        option("--restart", heading=WORK, is_flag=True, help=restart),
        *others,
    )


resume_options = job_family()
job_options = job_family(checkpoint_option)

device_option = option(
    "--device", heading=WORK, metavar="NAME", help="cpu, cuda, …  [default: a GPU if there is one]"
)


def wants_progress(*, quiet: bool) -> bool:
    """Tell whether a command shows progress: on a terminal, unless it is told to be quiet."""
    return not quiet and sys.stderr.isatty()


class WorkOptions(NamedTuple):
    """How the work is done."""

    threads: int | None = None
    quiet: bool = False

    @property
    def progress(self) -> bool:
        """Whether progress is shown."""
        return wants_progress(quiet=self.quiet)


work_options = OptionFamily("work", WorkOptions, threads_option, quiet_option)


def check_not_input(output: str, inputs: Iterable[str]) -> None:
    """Raise for an output file that is also an input."""
    for name in map(path_of, inputs):
        if os.path.realpath(output) == os.path.realpath(name):
            raise InputError(
                f"{output}: it is an input and would be overwritten; name another file"
            )
