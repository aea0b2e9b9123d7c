"""The run behind the tables of ``docs/crosslingual.md``: links, cardinality, reference, labels.

    TEALEAVES_DATA=/path/to/data python benchmarks/crosslingual.py runs.jsonl --rounds 5
    python benchmarks/crosslingual.py runs.jsonl --tables

English is paired with six languages. The texts are NTREX-128's news in blocks of four sentences and
the labelled sentences of SIB-200. In each round two thirds of them, dealt by document (of SIB-200
by twelve neighbouring sentences, for those of one article follow each other), train the polylingual
topic model at six shares of links; the other third is the modern reference, and its sentences of
SIB-200 are classified across languages. The Bible is a second reference. No document is both
trained on and counted in. A run that is stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import sys
import warnings
from collections import defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import tealeaves
from crosslingual_tables import CARDINALITIES, LANGUAGES, LINKS, SIZES, tables
from tealeaves import Document, MultilingualTopics
from tealeaves.text.paired.corpus import PairedCorpus

BIBLES = {
    "eng": "eng_web",
    "ron": "ron_lsb_NT",
    "swe": "swe_1917",
    "amh": "amh_wordproject",
    "tgl": "tgl_angbiblia1905",
    "tur": "tur_ytc",
    "zho": "zho_cuv_hans",
}
TOPICS = {"amh": 10, "tgl": 10}  # as in the released data; the others have 20
BLOCK, RUN = 4, 12

Tuple = dict[str, Document]


class Task(NamedTuple):
    """One training: a language beside English, a share of links, a round."""

    language: str
    links: float
    round: int


def rows_of(path: Path) -> list[list[str]]:
    """Read a headerless table."""
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        return [line.rstrip("\n").split("\t") for line in stream]


def news(data: Path, language: str) -> dict[str, dict[str, Document]]:
    """Return the blocks of each document of NTREX-128, by document and block."""
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for name, number, text in rows_of(data / "paired_ntrex128" / f"{language}.tsv.gz"):
        found[name][f"{name}/{(int(number) - 1) // BLOCK}"].append(text)
    return {
        name: {block: Document("\n".join(texts), id=block) for block, texts in blocks.items()}
        for name, blocks in found.items()
    }


def sentences(data: Path, language: str) -> dict[str, Document]:
    """Return the labelled sentences of SIB-200 by their number."""
    rows = rows_of(data / "paired_sib200" / f"{language}.tsv.gz")
    return {row[0]: Document(row[3], id=f"sib/{row[0]}", label=row[2]) for row in rows}


class Split(NamedTuple):
    """The texts of one round: to train on, to count in, and those of them that have labels."""

    training: list[Tuple]
    reference: list[Tuple]
    labelled: list[Tuple]


def split(data: Path, language: str, number: int) -> Split:
    """Deal documents into two thirds and one third, the same for every language."""
    sides = {"en": "eng", LANGUAGES[language]: language}
    blocks = {name: news(data, file) for name, file in sides.items()}
    labelled = {name: sentences(data, file) for name, file in sides.items()}
    draw = random.Random(number)
    documents, lines = sorted(blocks["en"]), sorted(labelled["en"], key=int)
    # sentences of one article follow each other: neighbours stay together
    runs = [lines[start : start + RUN] for start in range(0, len(lines), RUN)]
    draw.shuffle(documents)
    draw.shuffle(runs)
    cut = [2 * len(listed) // 3 for listed in (documents, runs)]

    def texts(names: Iterable[str]) -> Iterator[Tuple]:
        for name in names:
            for block in blocks["en"][name]:
                yield {side: blocks[side][name][block] for side in sides}

    def labels(names: Iterable[str]) -> list[Tuple]:
        return [{side: labelled[side][name] for side in sides} for name in names]

    held = labels(chain.from_iterable(runs[cut[1] :]))
    return Split(
        [*texts(documents[: cut[0]]), *labels(chain.from_iterable(runs[: cut[1]]))],
        [*texts(documents[cut[0] :]), *held],
        held,
    )


def bible(data: Path, language: str) -> PairedCorpus:
    """Return the chapters that the Bibles of both languages have."""
    folder = data / "bible"
    names = {"en": BIBLES["eng"], LANGUAGES[language]: BIBLES[language]}
    return PairedCorpus.open(
        {side: folder / f"{file}.tsv.gz" for side, file in names.items()}, unit="chapter"
    )


def run(task: Task, iterations: int) -> list[dict[str, Any]]:
    """Train one model and return all that is measured of it."""
    warnings.simplefilter("ignore")
    data = Path(os.environ["TEALEAVES_DATA"])
    texts = split(data, task.language, task.round)
    paired = PairedCorpus.of(texts.training).unlink(task.links, seed=task.round)
    topics = tealeaves.train(
        "pltm",
        paired,
        k=TOPICS.get(task.language, 20),
        iterations=iterations,
        seed=task.round + 1,
    )
    assert isinstance(topics, MultilingualTopics)
    return list(measured(topics, texts, task, data))


def measured(
    topics: MultilingualTopics, texts: Split, task: Task, data: Path
) -> Iterator[dict[str, Any]]:
    """Score a model with both references, and with labels."""
    sizes = " ".join(f"cnpmi@{c} inpmi@{c}" for c in CARDINALITIES)
    modern = PairedCorpus.of(texts.reference)
    for reference, corpus in (("modern", modern), ("bible", bible(data, task.language))):
        yield from scored(topics, corpus, f"{sizes} twc@10", task, reference=reference, size=1.0)
        for size in SIZES[:-1] if task.links == 1.0 else ():
            part = part_of(corpus, size, task.round)
            yield from scored(topics, part, "cnpmi@10", task, reference=reference, size=size)
    other = LANGUAGES[task.language]
    both = ((one, two) for one, two in (("en", other), (other, "en")))
    specs = " ".join(
        f"crosslingual_f1(train={one}, test={two}, average={how})"
        for one, two in both
        for how in ("micro", "macro")
    )
    labelled = PairedCorpus.of(texts.labelled)
    yield from scored(topics, labelled, specs, task, reference="labels", size=1.0)


def part_of(corpus: PairedCorpus, size: float, seed: int) -> PairedCorpus:
    """Return a random share of the tuples; of a larger share it is a part."""
    keys = sorted({key for language in corpus.languages for key in corpus.keys(language)})
    random.Random(seed).shuffle(keys)
    return corpus.select(keys[: round(size * len(keys))])


def scored(
    topics: MultilingualTopics, corpus: PairedCorpus, specs: str, task: Task, **known: Any
) -> Iterator[dict[str, Any]]:
    """Yield a row for each metric of the whole model."""
    for row in tealeaves.score(topics, corpus, specs).models:
        yield {
            **task._asdict(),
            **known,
            "metric": row.metric,
            "value": row.value,
            "support": row.support,
        }


def everything(output: Path, rounds: int, iterations: int, workers: int) -> None:
    """Run what is not in the file yet."""
    done = {Task(r["language"], r["links"], r["round"]) for r in rows_in(output)}
    tasks = [
        Task(language, links, number)
        for number in range(rounds)
        for language in LANGUAGES
        for links in LINKS
    ]
    left = [task for task in tasks if task not in done]
    with ProcessPoolExecutor(workers) as pool, output.open("a", encoding="utf-8") as stream:
        running = {pool.submit(run, task, iterations): task for task in left}
        for number, future in enumerate(as_completed(running), 1):
            # the rows of a task are written in one piece: a run that is killed loses none halfway
            stream.write("".join(json.dumps(row) + "\n" for row in future.result()))
            stream.flush()
            print(f"{number} of {len(left)}: {running[future]}", file=sys.stderr)


def rows_in(path: Path) -> list[dict[str, Any]]:
    """Read the rows so far; a last line that was cut off does not count."""
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").split("\n")[:-1]
    return [json.loads(line) for line in lines]


def main() -> None:
    """Run, or print the tables of what was run."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("output", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--iterations", type=int, default=1000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--tables", action="store_true", help="print the tables of a run")
    given = parser.parse_args()
    if not given.tables:
        everything(given.output, given.rounds, given.iterations, given.workers)
    print(tables(rows_in(given.output)))


if __name__ == "__main__":
    main()
