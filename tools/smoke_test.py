"""Try a tealeaves that is installed: its kernels are compiled and compute what Python computes.

It is one file without other modules, so that it runs in any environment with the package alone.
``--without-kernels`` tries a package that was built without a compiler.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

NUMBERS = "--numbers"
WITHOUT_KERNELS = "--without-kernels"


def numbers() -> str:
    """Return what kernels compute, as text: scores of the demo, a trained model, boosted trees."""
    import numpy as np

    from tealeaves import demo, score
    from tealeaves.learners.trees import fit_trees
    from tealeaves.models import train

    scores = score(demo.models(), demo.corpus(), ["npmi@10", "c_v@10", "c_uci@10"])
    topics = train("pltm(k=4, iterations=5, seed=1)", demo.corpus(), tokens="words", threads=2)
    rows = np.random.default_rng(0).normal(size=(200, 4))
    trees = fit_trees(rows, rows[:, 0] + rows[:, 1] ** 2, trees=5)
    found = {
        "scores": scores.to_dicts(),
        "topics": [list(topic.words) for topic in topics.topics],
        "trees": trees.predict(rows).tolist(),
    }
    return json.dumps(found)


def numbers_without_kernels() -> str:
    """Return what a process computes whose kernels are turned off."""
    done = subprocess.run(
        [sys.executable, __file__, NUMBERS],
        env={**os.environ, "TEALEAVES_KERNELS": ""},
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    return done.stdout.strip()


def main(options: list[str]) -> None:
    """Print that all is well, or end with an error."""
    from tealeaves import __version__, kernels

    if NUMBERS in options:
        print(numbers())
        return
    compiled = kernels.are_compiled()
    if compiled == (WITHOUT_KERNELS in options):
        sys.exit(f"the kernels are {'' if compiled else 'not '}compiled")
    found = numbers()
    if compiled and found != numbers_without_kernels():
        sys.exit("the compiled kernels do not compute what their Python twins compute")
    scored = [row for row in json.loads(found)["scores"] if row["value"] is not None]
    if not scored:
        sys.exit("the demo has no scores")
    how = "compiled kernels, as in Python" if compiled else "kernels in Python"
    print(f"tealeaves {__version__}, Python {sys.version.split()[0]}: {len(scored)} scores, {how}")


if __name__ == "__main__":
    main(sys.argv[1:])
