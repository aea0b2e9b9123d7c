"""Fit consensus, and try it on topics that it was not fitted to.

    TEALEAVES_DATA=/path/to/data python -m benchmarks consensus [--ship]

The study reads the texts, fits predictors without some models, clusters or corpora, compares them
with people there, looks for the words that people marked, and writes RESULTS.md. Its sections are
kept until the code changes. ``--ship`` writes the predictors that come with tealeaves, fitted to
everything.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Sequence
from functools import cache

from benchmarks.checkpoints import code_digest
from benchmarks.consensus.fitting import fit_predictors
from benchmarks.consensus.odd_words import intruded, marked_lists
from benchmarks.consensus.page import StudyInputs, page
from benchmarks.consensus.training_sets import (
    NEWSGROUPS,
    RATINGS,
    TRAINING_WEIGHTS,
    WIKI,
    embedding_scales,
    judged_sets,
    training_sets_of,
)
from benchmarks.folders import HERE, ROOT
from benchmarks.options import study_parser
from tealeaves.consensus.predictors import Predictors

SOURCE = (
    "people's judgments of topics of 20 Newsgroups (Khodorchenko et al. 2022), Wikitext (Hoyle et "
    "al. 2021) and Wikipedia (Lau & Baldwin 2016); reference: a sample of the English Wikipedia of "
    "2014"
)
SHIPPED = ROOT / "src/tealeaves/consensus/shipped/english.json"


def main(arguments: Sequence[str] | None = None) -> None:
    """Read, fit, try, write."""
    parser = study_parser("consensus", __doc__)
    parser.add_argument(
        "--ship", action="store_true", help="also fit and save the predictors of the package"
    )
    options = parser.parse_args(arguments)
    options.work.mkdir(parents=True, exist_ok=True)
    warnings.simplefilter("ignore")  # words that Wikipedia writes alike
    start = time.perf_counter()
    if options.ship:
        everything().predictors.save(SHIPPED)
    text = page(everything, options.work, code_digest(ROOT / "src", HERE))
    options.output.write_text(text, encoding="utf-8")
    print(text)
    print(f"{time.perf_counter() - start:.0f} s in all", file=sys.stderr)


@cache
def everything() -> StudyInputs:
    """Read all texts and fit the predictors to all judged sets."""
    start = time.perf_counter()
    sets = list(judged_sets().values())
    marked = marked_lists()
    lured = [intruded(one) for one in sets if one.name in (NEWSGROUPS, RATINGS, WIKI[10])]
    lists = [*sets, marked.lists, *lured]
    embeddings, vectors = embedding_scales(sets)
    blank = Predictors(embeddings=embeddings, predictors=())
    read = training_sets_of(lists, blank, vectors)
    plain = training_sets_of(lists, blank, vectors, reference="words")
    print(f"read in {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
    predictors = fit_predictors(
        [read.training_sets[name] for name in TRAINING_WEIGHTS], embeddings, source=SOURCE
    )
    return StudyInputs(read, plain, marked, lured, predictors, vectors)
