"""The corpora of the benchmarks, as the plain files that every tool reads.

``python -m benchmarks.speed.texts FILE...`` makes the named files. The driver calls it so, to stay
small itself (see :mod:`benchmarks.processes`).

Topic models are timed on the most frequent words of 20 Newsgroups, as numbers.
"""

from __future__ import annotations

import csv
import gzip
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from benchmarks.folders import WORK, data_folder

HERE = Path(__file__).resolve().parent
FILES = WORK / "speed"
PREPARED = FILES / "20newsgroups.txt"
LARGE_BYTES = 450_000_000
SIZES = tuple(LARGE_BYTES // part for part in (64, 16, 4, 1))
MIDDLE_BYTES = 64_000_000
FREQUENT_WORDS = 10_000
ALPHA, BETA = 0.1, 0.01  # of topic models
TIMED_SWEEPS = 5
FORMATS = ("txt", "jsonl", "csv", "txt.gz", "jsonl.gz", "parquet")
_RAW = ("20newsgroups/raw.jsonl.gz", "wikipedia_en_2014_sample/articles.jsonl.gz")


def raw_texts(size: int) -> Path:
    """Name the file of so many bytes of raw text."""
    return FILES / f"raw_{size // 1000}k.txt"


def in_format(form: str) -> Path:
    """Name the file of the middle size in a format."""
    return FILES / f"middle.{form}"


def longest(path: Path) -> int:
    """Return the number of tokens of the longest document."""
    with path.open(encoding="utf-8") as lines:
        return max(len(line.split()) for line in lines)


def read_tokens(path: Path) -> list[list[str]]:
    """Read one document a line."""
    with path.open(encoding="utf-8") as lines:
        return [line.split() for line in lines]


def make(target: Path) -> None:
    """Make one of the files; it is not there before it is complete."""
    FILES.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(target.name + ".partial")
    if target == PREPARED:
        _write_lines(partial, (" ".join(text.split()) for text in _field_text(_PREPARED)))
    elif target.name.startswith("raw_"):
        _write_raw(partial, next(size for size in SIZES if raw_texts(size) == target))
    elif target == in_format("txt"):
        _write_start(raw_texts(LARGE_BYTES), partial, MIDDLE_BYTES)
    else:
        _write_format(partial, target.name.partition(".")[2])
    partial.rename(target)


_PREPARED = "20newsgroups/processed.jsonl.gz"


def _field_text(name: str) -> Iterator[str]:
    source = data_folder() / name
    if not source.is_file():
        sys.exit(f"{source}: no such file")
    with gzip.open(source, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)["text"]


def _write_lines(target: Path, lines: Iterator[str]) -> None:
    with target.open("w", encoding="utf-8") as out:
        for line in lines:
            print(line, file=out)


def _write_raw(target: Path, size: int) -> None:
    """Repeat the raw texts up to a size; the smaller files are the beginning of the largest."""
    large = raw_texts(LARGE_BYTES)
    if size < LARGE_BYTES:
        _write_start(large, target, size)
        return
    texts = [" ".join(text.splitlines()) for name in _RAW for text in _field_text(name)]
    # in an order drawn once, so that the beginning of the file is of the kind of the whole
    random.Random(20).shuffle(texts)
    data = ("\n".join(texts) + "\n").encode("utf-8", "replace")
    with target.open("wb") as out:
        while out.tell() + len(data) <= size:
            out.write(data)
        out.write(_whole_lines(data[: size - out.tell()]))


def _write_start(source: Path, target: Path, size: int) -> None:
    with source.open("rb") as stream:
        target.write_bytes(_whole_lines(stream.read(size)))


def _whole_lines(data: bytes) -> bytes:
    return data[: data.rindex(b"\n") + 1]


def _write_format(target: Path, form: str) -> None:
    source = in_format(form.removesuffix(".gz") if form.endswith(".gz") else "txt")
    if form.endswith(".gz"):
        # mtime 0: the file is the same however often it is made
        with source.open("rb") as stream, target.open("wb") as out:
            out.write(gzip.compress(stream.read(), compresslevel=6, mtime=0))
        return
    lines = source.read_text("utf-8").removesuffix("\n").split("\n")
    if form == "parquet":
        import polars as pl

        pl.DataFrame({"text": lines}).write_parquet(target)
    elif form == "csv":
        with target.open("w", encoding="utf-8", newline="") as out:
            csv.writer(out).writerows([["text"], *([line] for line in lines)])
    else:
        _write_lines(target, (json.dumps({"text": line}, ensure_ascii=False) for line in lines))


# ---------------------------------------------------------------------- for topic models


def burn_in(k: int) -> int:
    """Return how many sweeps come before the timed ones: the first are not like the others."""
    return 30 if k <= 100 else 15


def frequent_words(path: Path) -> list[list[int]]:
    """Read documents with the words that are in the most of them."""
    documents = read_tokens(path)
    frequencies = Counter(word for document in documents for word in dict.fromkeys(document))
    numbers = {
        word: number for number, (word, _) in enumerate(frequencies.most_common(FREQUENT_WORDS))
    }
    return [[numbers[word] for word in one if word in numbers] for one in documents]


if __name__ == "__main__":
    for given in sys.argv[1:]:
        if not Path(given).exists():
            make(Path(given).resolve())
