"""The run behind ``docs/estimator.md``: what the estimator adds to a Bible, in 23 languages.

    TEALEAVES_DATA=/path/to/data python benchmarks/estimator.py FOLDER

English is paired with each language. In each round half of NTREX-128's news (blocks of four
sentences) and of SIB-200's sentences, dealt by document, trains the polylingual topic model at six
shares of links; the other half and the Declaration of Human Rights are the rich reference, chapters
of Bibles the poor one. No document both trains topics and is counted in. Each language is estimated
by estimators that never saw it. All that is done is kept in FOLDER: a run that is stopped goes on
where it was. ``--ship FILE`` fits the estimators that come with tealeaves.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from estimator_noise import draw_all
from estimator_stages import open_tables, tabulate_all, train_all
from estimator_tables import tables
from estimator_variants import BEST, estimate_all, variants
from tealeaves.estimator.fitting import assemble
from tealeaves.files import atomic_write

SOURCE = (
    "topics of pltm on NTREX-128 and SIB-200; reference: chapters of Bibles; target: CNPMI in "
    "held-out NTREX-128, SIB-200 and the Universal Declaration of Human Rights; dictionaries: "
    "MUSE, Wiktionary through WordNet; years: GCIDE, WordNet; modern: Wikipedia (English, 2014)"
)


def check_settings(path: Path, given: argparse.Namespace) -> None:
    """Refuse to go on with other settings than those of what is kept."""
    asked = {name: getattr(given, name) for name in ("rounds", "iterations", "draws")}
    if not path.exists():
        with atomic_write(path) as stream:
            stream.write(json.dumps(asked).encode())
    elif (kept := json.loads(path.read_text())) != asked:
        sys.exit(f"{path}: the folder was made with {kept}, asked is {asked}: take another folder")


def main() -> None:
    """Run what is not done yet, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--iterations", type=int, default=1000)
    parser.add_argument("--draws", type=int, default=60, help="draws of articles")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--ship", type=Path, help="fit and save the estimators of tealeaves")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    check_settings(given.folder / "settings.json", given)
    topics = given.folder / "topics.jsonl"
    rows = train_all(topics, given.rounds, given.iterations, given.workers)
    tabulate_all(rows, given.folder, given.workers)
    table = open_tables(given.folder)
    listed = variants()
    estimates = estimate_all(given.folder, listed, given.workers)
    if given.ship:
        left_out = {v.features: estimates[v.name] for v in listed if v.name.startswith("nested")}
        assemble(table, left_out, learner=BEST, source=SOURCE).estimators.save(given.ship)
        return
    noise = draw_all(rows, given.folder, given.draws, given.workers)
    text = tables(table, estimates, listed, noise)
    with atomic_write(given.folder / "tables.md") as stream:
        stream.write(text.encode())
    print(text)


if __name__ == "__main__":
    main()
