"""Topics in two languages: what is known of people's judgments by Hao et al. (2018).

The words of these topics were never released, so that nothing can be computed anew. What the
authors released are the values of MTA, and their coefficients of CNPMI and INPMI.
"""

from __future__ import annotations

import warnings
from typing import Any

import polars as pl

from lexicon_gold import data_folder
from people_rows import DRAWS, PEARSON, SEED, SPEARMAN, Number
from tealeaves import correlate, read_judgments
from tealeaves.errors import TealeavesWarning

_FOLDER = "hao2018_lessons_bible"
_WORDS = 10


def across() -> list[dict[str, Any]]:
    """Return a row for each pair of languages."""
    folder = data_folder() / _FOLDER
    people = read_judgments(folder / "human_judgments.csv.gz")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TealeavesWarning)
        found = correlate(
            _released(), people, coefficients=(PEARSON, SPEARMAN), draws=DRAWS, seed=SEED
        )
    published = pl.read_csv(folder / "table2_human_pearson.tsv", separator="\t")
    rows = {row["pair"]: {**row} for row in published.to_dicts()}
    for one in found.rows:
        row = rows[one.dataset]
        row |= {one.coefficient: Number(one.value, one.low, one.high), "n": one.n}
        if one.coefficient == PEARSON:
            row |= {"one": one.ceiling, "most": one.attainable}
    return list(rows.values())


def _released() -> pl.DataFrame:
    """Return the values of MTA that the authors released, as scores."""
    released = pl.read_csv(data_folder() / _FOLDER / "mta.csv.gz")
    return released.filter(pl.col("cardinality") == _WORDS).select(
        dataset="language_pair",
        model=pl.format("{}/{}", "doclink_rate", "chain_id"),
        topic="topic_id",
        metric=pl.lit(f"mta@{_WORDS}"),
        value="mta",
    )
