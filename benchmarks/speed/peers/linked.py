"""CNPMI written out plainly, as a script would: sets of words, a matrix a language, one product.

Prints the values of the topics. Run as ``python -m benchmarks.speed.peers.linked TOPICS``.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

from benchmarks.speed.linked import chapters
from tealeaves.arrays import Floats


def main() -> None:
    """Read, count, score, print."""
    sides = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))["languages"]
    held = {language: chapters(language) for language in sides}
    shared = [name for name in held["en"] if name in held["es"]]
    matrices, places = {}, {}
    for language, topics in sides.items():
        words = sorted({word for topic in topics for word in topic})
        places[language] = {word: column for column, word in enumerate(words)}
        matrices[language] = np.array(
            [[word in held[language][name] for word in words] for name in shared], dtype=np.float64
        )
    values = npmi(matrices["en"], matrices["es"], len(shared))
    values_of_topics = []
    for left, right in zip(sides["en"], sides["es"], strict=True):
        rows = [places["en"][word] for word in left]
        columns = [places["es"][word] for word in right]
        values_of_topics.append(float(values[np.ix_(rows, columns)].mean()))
    print(json.dumps({"values": values_of_topics}))


def npmi(left: Floats, right: Floats, units: int) -> Floats:
    """Return the NPMI of all pairs; those that are never together have 0."""
    joint = left.T @ right / units
    apart = np.outer(left.mean(axis=0), right.mean(axis=0))
    with np.errstate(divide="ignore", invalid="ignore"):
        values: Floats = np.log(joint / apart) / -np.log(joint)
    return np.where(joint > 0, values, 0.0)


if __name__ == "__main__":
    main()
