"""What the estimator adds to a Bible, in 23 languages.

    TEALEAVES_DATA=/path/to/data python -m benchmarks estimator

English is paired with each language. In each round half of NTREX-128's news (blocks of four
sentences) and of SIB-200's sentences, divided by document, trains the polylingual topic model at
six shares of links; the other half and the Declaration of Human Rights are the rich reference,
chapters of Bibles the poor one. No document both trains topics and is counted in. Each language is
estimated by estimators that never saw it. ``--ship FILE`` fits the estimators that come with
tealeaves.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.estimator.noise import draw_all
from benchmarks.estimator.stages import (
    BEST,
    estimate_all,
    open_tables,
    tabulate_all,
    train_all,
    variants,
)
from benchmarks.estimator.tables import page
from benchmarks.options import output_of, study_parser
from tealeaves.estimator.fitting import assemble
from tealeaves.files import atomic_write

SOURCE = (
    "topics of pltm on NTREX-128 and SIB-200; reference: chapters of Bibles; target: CNPMI in "
    "held-out NTREX-128, SIB-200 and the Universal Declaration of Human Rights; dictionaries: "
    "MUSE, Wiktionary through WordNet; years: GCIDE, WordNet; modern: Wikipedia (English, 2014)"
)


def check_settings(path: Path, options: argparse.Namespace) -> None:
    """Refuse to go on with other settings than those of what is kept."""
    settings = {name: getattr(options, name) for name in ("rounds", "iterations", "draws")}
    if not path.exists():
        with atomic_write(path) as stream:
            stream.write(json.dumps(settings).encode())
    elif (kept := json.loads(path.read_text())) != settings:
        sys.exit(
            f"{path}: the folder was made with {kept}, not with {settings}; "
            "give another folder (--work)"
        )


def main(arguments: Sequence[str] | None = None) -> None:
    """Run what is not done yet, and write the page."""
    parser = study_parser("estimator", __doc__)
    parser.add_argument(
        "--rounds",
        type=int,
        default=6,
        metavar="N",
        help="how many times the texts are divided, and all models trained (6)",
    )
    parser.add_argument(
        "--iterations",
        type=int,
        default=1000,
        metavar="N",
        help="sweeps of the sampler in each training (1000)",
    )
    parser.add_argument(
        "--draws",
        type=int,
        default=60,
        metavar="N",
        help="how many times articles of the rich reference are drawn, for the noise of the "
        "target (60)",
    )
    parser.add_argument(
        "--workers", type=int, default=2, metavar="N", help="processes that train and fit (2)"
    )
    parser.add_argument(
        "--ship",
        type=Path,
        metavar="FILE",
        help="instead of the page: fit the estimators of the package, and save them",
    )
    options = parser.parse_args(arguments)
    folder = options.work
    folder.mkdir(parents=True, exist_ok=True)
    check_settings(folder / "settings.json", options)
    topics = folder / "topics.jsonl"
    rows = train_all(topics, options.rounds, options.iterations, options.workers)
    tabulate_all(rows, folder, options.workers)
    table = open_tables(folder)
    listed = variants()
    estimates = estimate_all(folder, listed, options.workers)
    if options.ship:
        left_out = {v.features: estimates[v.name] for v in listed if v.name.startswith("nested")}
        assemble(table, left_out, learner=BEST, source=SOURCE).estimators.save(options.ship)
        return
    noise = draw_all(rows, folder, options.draws, options.workers)
    text = page(table, estimates, listed, noise)
    with atomic_write(output_of(parser, options, "rounds", "iterations", "draws")) as stream:
        stream.write(text.encode())
    print(text)
