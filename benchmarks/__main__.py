"""``python -m benchmarks NAME`` runs a study; without a name, it lists them.

A study keeps what it has computed: one that was stopped goes on where it was. README.md in this
folder says what each shows, what it needs and how long it takes.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import NamedTuple


class Study(NamedTuple):
    """A study: its name, which is also its package, what it shows, and how long it takes."""

    name: str
    shows: str
    takes: str


STUDIES = (
    Study("speed", "how fast tealeaves is beside gensim, tomotopy, scipy, STREAM", "an hour"),
    Study("people", "how well every metric agrees with people", "hours"),
    Study("consensus", "how well consensus agrees with people on topics it never saw", "minutes"),
    Study("lexicon", "errors of extraction models and aligners, time and memory", "hours"),
    Study("estimator", "what the estimator adds to a Bible, in 23 languages", "a day"),
    Study("crosslingual", "CNPMI by share of links, number of words and reference", "hours"),
)


def listing() -> str:
    """Return a line for each study."""
    lines = [f"  {study.name:13} {study.shows} ({study.takes})" for study in STUDIES]
    return "\n".join(["usage: python -m benchmarks NAME [OPTIONS]", "", *lines])


def main(arguments: list[str]) -> None:
    """Run the study that is named first, with the options after it."""
    if not arguments or arguments[0] in ("-h", "--help", "--list"):
        print(listing())
        return
    name, *options = arguments
    names = [study.name for study in STUDIES]
    if name not in names:
        print(f"benchmarks: no study {name} (there are {', '.join(names)})", file=sys.stderr)
        sys.exit(2)
    # only now, and nothing else: a process starts with the peak memory of the one that starts it
    import_module(f"benchmarks.{name}.study").main(options)


if __name__ == "__main__":
    main(sys.argv[1:])
