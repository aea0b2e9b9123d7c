"""How noisy the targets are: halves of the rich reference, and draws of its articles.

Blocks of one article, and neighbouring sentences of SIB-200, stay together.

Words are looked for with sets of tokens, apart from the counts of tealeaves; the whole reference
must give the same targets.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.checkpoints import in_parallel
from benchmarks.crosslingual.texts import RUN, LinkedTexts, sentences
from benchmarks.estimator.texts import LANGUAGES, rich_reference, tokens
from benchmarks.folders import data_folder
from tealeaves.arrays import Floats
from tealeaves.files import atomic_write
from tealeaves.text.pipeline import Pipeline

TOP = 10
SPLITS = 10


class Drawing(NamedTuple):
    """A language, its models, how often documents are drawn, and where the targets are kept."""

    language: str
    rows: list[dict[str, Any]]
    draws: int
    output: Path

    def __repr__(self) -> str:
        return f"draws of documents of {self.language}"


class Incidence(NamedTuple):
    """Which documents have which words, on both sides."""

    matrices: list[NDArray[np.float32]]
    places: list[dict[str, int]]

    def cnpmi(self, topics: list[list[list[str]]], weights: Floats) -> Floats:
        """Return CNPMI of topics, where documents count as often as the weights say."""
        left, right = self.matrices
        together: Floats = ((left * weights[:, None].astype(np.float32)).T @ right).astype(float)
        alone = [weights @ side for side in self.matrices]
        values = []
        for one, other in zip(*topics, strict=True):
            a = [self.places[0][word] for word in one]
            b = [self.places[1][word] for word in other]
            counts = (together[np.ix_(a, b)], alone[0][a][:, None], alone[1][b][None, :])
            values.append(_mean_npmi(*counts, weights.sum()))
        return np.array(values)


def _mean_npmi(both: Floats, left: Floats, right: Floats, total: float) -> float:
    """Return the mean NPMI; words never together, or not there, count 0."""
    judged = (left > 0) & (right > 0)
    if not judged.any():
        return float("nan")
    with np.errstate(divide="ignore", invalid="ignore"):
        value = np.log(both * total / (left * right)) / -np.log(both / total)
    return float(np.where(both > 0, value, 0.0).mean())


def first_terms(words: Sequence[str], expression: str) -> list[str]:
    """Return the first distinct words of a topic as the tokens of its language have them."""
    split = _splitter(expression)
    return list(dict.fromkeys(" ".join(split(word)) for word in words))[:TOP]


@cache
def _splitter(expression: str) -> Callable[[str], list[str]]:
    return Pipeline.parse(expression).tokenizer()


def articles_of(documents: Sequence[LinkedTexts]) -> NDArray[np.int64]:
    """Return the number of each document's article; neighbours in SIB-200 are taken for one."""
    names = [document["en"].id for document in documents]
    lines = sorted(sentences(data_folder(), "eng"), key=int)
    run = {f"sib/{line}": f"sib {place // RUN}" for place, line in enumerate(lines)}
    known = [
        run[name] if name in run else name if name.startswith("udhr") else name.rsplit("/", 1)[0]
        for name in names
    ]
    number = {name: place for place, name in enumerate(dict.fromkeys(known))}
    return np.array([number[name] for name in known])


def _weights(articles: NDArray[np.int64], draws: int, seed: int) -> Iterator[Floats]:
    """Yield how often each document counts: halves and their other halves, then draws."""
    rng, size = np.random.default_rng(seed), int(articles.max()) + 1
    for _ in range(SPLITS):
        half = rng.permutation(size) < size // 2
        yield half[articles].astype(float)
        yield (~half)[articles].astype(float)
    for _ in range(draws):
        drawn = np.bincount(rng.integers(size, size=size), minlength=size)
        yield drawn[articles].astype(float)


def incidence(
    documents: Sequence[LinkedTexts], language: str, topics: list[list[list[str]]]
) -> Incidence:
    """Look for the words of topics in documents."""
    matrices, places = [], []
    for (name, expression), lists in zip(tokens(language).items(), topics, strict=True):
        split = _splitter(expression)
        place = {word: k for k, word in enumerate(dict.fromkeys(w for t in lists for w in t))}
        matrix = np.zeros((len(documents), len(place)), dtype=np.float32)
        for row, document in enumerate(documents):
            for token in set(split(document[name].text)):
                if token in place:
                    matrix[row, place[token]] = 1
        matrices.append(matrix)
        places.append(place)
    return Incidence(matrices, places)


def drawn(task: Drawing) -> None:
    """Keep the targets of all topics: whole, in two halves, and in draws of the documents."""
    warnings.simplefilter("ignore")
    columns: dict[str, list[Any]] = {"models": [], "values": []}
    ordered = sorted(task.rows, key=lambda row: (row["round"], row["links"]))
    for number, rows in groupby(ordered, key=lambda row: row["round"]):
        listed = list(rows)
        sides = list(listed[0]["topics"])
        topics = [
            [
                first_terms(words, tokens(task.language)[side])
                for row in listed
                for words in row["topics"][side]
            ]
            for side in sides
        ]
        documents = [
            document
            for document in rich_reference(data_folder(), task.language, number)
            if all(
                _splitter(how)(document[side].text) for side, how in tokens(task.language).items()
            )
        ]
        occurrences = incidence(documents, task.language, topics)
        weights = [np.ones(len(documents)), *_weights(articles_of(documents), task.draws, number)]
        columns["values"].append(np.array([occurrences.cnpmi(topics, w) for w in weights]))
        columns["models"] += [
            f"{number}/{row['links']}" for row in listed for _ in row["topics"]["en"]
        ]
    with atomic_write(task.output) as stream:
        np.savez(stream, models=np.array(columns["models"]), values=np.hstack(columns["values"]))


def draw_all(
    rows: list[dict[str, Any]], folder: Path, draws: int, workers: int
) -> dict[str, tuple[list[str], Floats]]:
    """Draw what is not there yet; return models and targets (whole, halves, draws) by language."""
    tasks = [
        Drawing(name, [r for r in rows if r["language"] == name], draws, folder / f"{name}.npz")
        for name in LANGUAGES
    ]
    for _ in in_parallel(drawn, [t for t in tasks if not t.output.exists()], workers):
        pass
    targets = {}
    for task in tasks:
        kept = np.load(task.output, allow_pickle=False)
        targets[LANGUAGES[task.language]] = (kept["models"].tolist(), kept["values"])
    return targets
