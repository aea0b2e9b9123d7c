"""Teach consensus, and try it on topics that it was not taught with.

    TEALEAVES_DATA=... python benchmarks/consensus.py [--ship] [-o FILE]

reads the texts, teaches judges without some models, clusters or corpora, compares them with people
there, looks for the words that people marked, and writes the tables (benchmarks/CONSENSUS.md).
``--ship`` writes the judges that come with tealeaves, taught with everything.
"""

from __future__ import annotations

import argparse
import time
import warnings
from pathlib import Path

from consensus_lessons import (
    NEWSGROUPS,
    RATINGS,
    TAUGHT,
    WIKI,
    judged_sets,
    lessons_of,
    taught_embeddings,
)
from consensus_sections import Found, report
from consensus_teaching import teach
from consensus_words import intruded, marked_lists
from tealeaves.consensus.predictors import Predictors

SOURCE = (
    "people's judgments of topics of 20 Newsgroups (Khodorchenko et al. 2022), Wikitext (Hoyle et "
    "al. 2021) and Wikipedia (Lau & Baldwin 2016); reference: a sample of the English Wikipedia of "
    "2014"
)
SHIPPED = Path(__file__).parents[1] / "src/tealeaves/consensus/shipped/english.json"
TABLES = Path(__file__).with_name("CONSENSUS.md")


def main() -> None:
    """Read, teach, try, write."""
    warnings.simplefilter("ignore")  # words that Wikipedia writes alike
    asked = _arguments()
    start = time.perf_counter()
    sets = list(judged_sets().values())
    marked = marked_lists()
    lured = [intruded(one) for one in sets if one.name in (NEWSGROUPS, RATINGS, WIKI[10])]
    everything = [*sets, marked.lists, *lured]
    embeddings, vectors = taught_embeddings(sets)
    blank = Predictors(embeddings=embeddings, predictors=())
    read = lessons_of(everything, blank, vectors)
    plain = lessons_of(everything, blank, vectors, reference="words")
    print(f"read in {time.perf_counter() - start:.0f} s")
    predictors = teach([read.lessons[name] for name in TAUGHT], embeddings, source=SOURCE)
    if asked.ship:
        predictors.save(SHIPPED)
    found = Found(read, plain, marked, lured, predictors, vectors)
    text = report(found)
    Path(asked.output).write_text(text)
    print(text)
    print(f"{time.perf_counter() - start:.0f} s in all")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--ship", action="store_true", help="write the judges of the package")
    parser.add_argument("-o", "--output", default=str(TABLES), metavar="FILE")
    return parser.parse_args()


if __name__ == "__main__":
    main()
