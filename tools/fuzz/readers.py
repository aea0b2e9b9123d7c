"""What is fuzzed: every reader of tealeaves, with a valid file of each format that it reads.

A file is an example of the reader that its folder names, so that a new format needs a file alone. A
test compares the examples with the registries of formats.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tealeaves
from tealeaves.errors import TealeavesError
from tealeaves.estimator.table import FeatureTable
from tealeaves.evidence.attention.classifiers.folder import saved_fit
from tealeaves.evidence.attention.classifiers.record import record_of
from tealeaves.evidence.attention.relevance_file import load_relevance
from tealeaves.evidence.counts import load_counts
from tealeaves.evidence.dictionaries import Dictionaries
from tealeaves.evidence.units import Unit
from tealeaves.evidence.years import WordYears
from tealeaves.files import Meter
from tealeaves.judgments.reading import read_judgments
from tealeaves.lexicon.annotation.sheets import read_sheet
from tealeaves.lexicon.extraction.lemmas import read_lemmas
from tealeaves.lexicon.tagged_files import is_tagged, read_tagged
from tealeaves.metrics.reading import read_scores
from tealeaves.metrics.registry import parse_metrics
from tealeaves.report.run.files import read_run
from tealeaves.text.corpus import Corpus
from tealeaves.text.files import SourceFolder
from tealeaves.text.paired.links import LinkByTable
from tealeaves.text.pipeline import Pipeline
from tealeaves.text.readers import read_blocks
from tealeaves.topics import read_topics

ROOT = Path(__file__).resolve().parents[2]
FORMATS = ROOT / "tests" / "formats"
_LINES = FORMATS / "examples" / "topics" / "lines.txt"

Command = Callable[[Path], list[str]]


@dataclass(frozen=True)
class Reader:
    """A reader: its name, an example, how it is called, and a command that calls it."""

    name: str
    example: Path
    read: Callable[[Path], Any]
    command: Command | None = None

    @property
    def label(self) -> str:
        """The reader and its example."""
        return f"{self.name} {self.example.relative_to(FORMATS).as_posix()}"


def readers() -> list[Reader]:
    """Return the readers, one for each example."""
    several = [
        Reader(folder.rpartition("/")[2], example, read, command)
        for folder, (read, command) in _FOLDERS.items()
        for example in sorted((FORMATS / folder).iterdir())
    ]
    return several + [
        Reader(name, FORMATS / example, read, command)
        for name, (example, read, command) in _FILES.items()
    ]


# ---------------------------------------------------------------------- how each is called


def _reader_of(path: Path) -> str | None:
    """Return how texts are read: what is TMX, or a Bible, is said by the name of the example."""
    if ".tmx" in path.suffixes:
        return "tmx(language=en)"
    return "bible" if "bible" in path.name or path.suffix == ".usfm" else None


def _texts(path: Path) -> None:
    """Read documents and blocks, which must have the same texts."""
    corpus = Corpus.open(path, reader=_reader_of(path))
    texts = [document.text for document in corpus]
    blocks: list[str] = []
    for file in corpus.files:
        if not isinstance(file, SourceFolder):
            for block in read_blocks(file, corpus.fields, Meter(), 1 << 16):
                blocks += [block.text(number) for number in range(block.count)]
    if blocks and blocks != texts:
        raise AssertionError("blocks have other texts than documents")


def _counts(path: Path) -> None:
    """Score what was read: no NPMI can be outside of its bounds."""
    for counts in load_counts(path):
        words = [str(term) for term in counts.terms if len(term.tokens) == 1]
        for row in tealeaves.score([words], metrics="npmi", counts=counts).rows:
            if not (math.isnan(row.value) or -1.0000001 <= row.value <= 1.0000001):
                raise AssertionError(f"an NPMI of {row.value}")


def _classifier(path: Path) -> None:
    record_of(path.parent)
    saved_fit(path.parent)


def _tagged(path: Path) -> None:
    if is_tagged(path):
        read_tagged(path, "en")


def _vectors(path: Path) -> None:
    tealeaves.Embeddings.of(path, cache=False).vectors(["cat", "dog", "nowhere"])


def _content(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "surrogateescape")


def _expression(path: Path) -> None:
    """Read an expression as all that expressions are written for."""
    text = _content(path)
    errors: list[TealeavesError] = []
    parsers = (parse_metrics, Pipeline.parse, Unit.parse)
    for parse in parsers:
        try:
            parse(text)
        except TealeavesError as error:
            errors.append(error)
    if len(errors) == len(parsers):
        raise errors[0]


def _score(*options: str) -> Command:
    return lambda path: ["score", str(_LINES), *options, str(path), "-m", "npmi@2"]


def _argument(path: Path) -> list[str]:
    return ["score", str(_LINES), "-c", str(_LINES), "-m", _content(path).replace("\0", "")]


_FOLDERS: dict[str, tuple[Callable[[Path], Any], Command | None]] = {
    "examples/texts": (_texts, _score("-c")),
    "examples/topics": (read_topics, lambda path: ["score", str(path), "-m", "diversity@2"]),
    "examples/judgments": (read_judgments, lambda path: ["agreement", str(path)]),
    "examples/scores": (read_scores, lambda path: ["compare", str(path)]),
    "examples/vectors": (_vectors, None),
    "examples/sheets": (read_sheet, None),
}
_FILES: dict[str, tuple[str, Callable[[Path], Any], Command | None]] = {
    "counts": ("released/counts-3.counts", _counts, _score("--counts")),
    "relevance": ("released/relevance-2.relevance", load_relevance, _score("--relevance")),
    "topics archive": ("released/topics-2.topics", read_topics, None),
    "topics json": ("released/topics-1.json", read_topics, None),
    "languages archive": ("released/languages-2.topics", read_topics, None),
    "languages json": ("released/languages-1.json", read_topics, None),
    "run": ("released/run-2.run", read_run, lambda path: ["report", str(path), "-o", "x.html"]),
    "dictionary": (
        "examples/words/en-sv.txt",
        lambda path: Dictionaries.open(f"en-sv={path}", ["en", "sv"]),
        None,
    ),
    "years": ("examples/words/years.tsv", WordYears.open, None),
    "links": ("examples/words/links.csv", lambda path: LinkByTable(path, ["en", "sv"]), None),
    "stop words": (
        "examples/words/stopwords.txt",
        lambda path: Pipeline.parse(f'words(stopwords="{path}")').signature,
        None,
    ),
    "metrics": ("examples/words/metrics.txt", _expression, _argument),
    "pipeline": ("examples/words/pipeline.txt", _expression, _argument),
    "features": ("examples/words/features.csv", FeatureTable.open, None),
    "lemmas": ("examples/words/lemmas.txt", read_lemmas, None),
    "tagged": ("examples/words/tagged.jsonl", _tagged, None),
    "classifier": ("examples/classifier/classifier.json", _classifier, None),
}


def _released() -> None:
    """Add the other files of released formats, which are read as their tests read them."""
    from tests.formats.released import FILES

    known = {example for example, _, _ in _FILES.values()}
    for file in FILES:
        if f"released/{file.name}" not in known:
            _FILES[file.name] = (f"released/{file.name}", file.read, None)


_released()
