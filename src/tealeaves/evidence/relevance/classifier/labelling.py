"""Classes of texts: those that a corpus gives, or clusters where it gives none."""

from __future__ import annotations

from collections import Counter
from typing import Any, Literal, NamedTuple

import numpy as np

from tealeaves.errors import InputError
from tealeaves.evidence.relevance.classifier.batching import Numbers
from tealeaves.evidence.relevance.classifier.clusters import cluster
from tealeaves.evidence.relevance.classifier.drawing import Drawn

LabelSource = Literal["auto", "given", "clusters"]


class Examples(NamedTuple):
    """Texts as lists of words, the number of each one's class, and the names of the classes."""

    words: list[list[str]]
    classes: Numbers
    labels: tuple[str, ...]
    report: dict[str, Any]


def label(
    drawn: Drawn, labels: LabelSource = "auto", *, clusters: int = 20, seed: int = 0
) -> Examples:
    """Give each text its class; texts without one, and classes of one text, are left out.

    Parameters
    ----------
    drawn
        The texts.
    labels
        ``given`` by the corpus, ``clusters``, or ``auto``: given ones where most texts have one.
    clusters
        How many clusters.
    seed
        Where the search for clusters begins.
    """
    named = sum(map(bool, drawn.labels))
    if labels == "auto":
        labels = "given" if 2 * named > len(drawn.labels) else "clusters"
    if labels == "given" and not named:
        raise InputError(
            "no text has a label: name the field of labels (--label-field), or use labels=clusters"
        )
    found = drawn.labels if labels == "given" else cluster(drawn.words, clusters, seed=seed)
    return _examples(drawn, found, labels)


def _examples(drawn: Drawn, found: list[str], source: LabelSource) -> Examples:
    sizes = Counter(found)
    unlabelled = sizes.pop("", 0)
    single = sorted(name for name, size in sizes.items() if size < 2)
    names = tuple(sorted(set(sizes) - set(single)))
    if len(names) < 2:
        seen = (
            f"all labelled texts are of the class {names[0]}"
            if names
            else "no two texts share a label"
        )
        raise InputError(f"{seen}: use labels=clusters, or how=mlm, which needs no classes")
    numbers = {name: number for number, name in enumerate(names)}
    rows = [row for row, name in enumerate(found) if name in numbers]
    notes = []
    if unlabelled:
        notes.append(f"{unlabelled} texts without a label were left out")
    if single:
        notes.append(f"classes with a single text were left out: {', '.join(single)}")
    return Examples(
        [drawn.words[row] for row in rows],
        np.array([numbers[found[row]] for row in rows], dtype=np.int64),
        names,
        {
            **drawn.report,
            "texts": len(rows),
            "labels": source,
            "classes": len(names),
            "notes": notes,
        },
    )


def split(classes: Numbers, share: float, seed: int) -> tuple[Numbers, Numbers]:
    """Return the rows to fit on and those held out: about the same share of each class.

    Every class keeps a text to be fitted on. Where the share is not a whole number of texts, the
    largest remainders decide which classes give one text more.

    >>> fitted, held = split(np.array([0, 0, 0, 0, 1, 1, 1, 1]), 0.25, seed=1)
    >>> len(fitted), len(held), sorted(int(row) // 4 for row in held)
    (6, 2, [0, 1])
    """
    if not 0 < share < 1:
        raise InputError(f"held_out={share}: a share between 0 and 1 is needed")
    random = np.random.default_rng(seed)
    shuffled = random.permutation(len(classes))
    names, sizes = np.unique(classes, return_counts=True)
    exact = sizes * share
    taken = np.floor(exact).astype(np.int64)
    asked = max(1, round(len(classes) * share))
    ties = random.permutation(len(names))
    order = np.lexsort((ties, -(exact - taken)))
    taken[order[: max(0, asked - int(taken.sum()))]] += 1
    taken = np.minimum(taken, sizes - 1)
    held = [
        shuffled[classes[shuffled] == name][:count]
        for name, count in zip(names, taken, strict=True)
    ]
    rows = np.sort(np.concatenate(held))
    return np.setdiff1d(np.arange(len(classes)), rows), rows
