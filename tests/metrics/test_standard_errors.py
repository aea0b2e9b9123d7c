"""Standard errors of numbers that were drawn: of models, in tables, and in files."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import islice, permutations
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import tealeaves
from tealeaves import Topics
from tealeaves.metrics.base import Result
from tealeaves.metrics.scores import Score, Scores
from tealeaves.metrics.summary import summarise

LEGEND = "±: standard error, of the random draws or of the texts that were taken"
WORDS = [f"w{number:02d}" for number in range(12)]


def points(seed: int = 0) -> dict[str, NDArray[np.float64]]:
    random = np.random.default_rng(seed)
    return {word: random.normal(size=4) for word in WORDS}


def scores(topics: Sequence[Sequence[str]] | Topics, spec: str, **options: str) -> Scores:
    return tealeaves.score(topics, None, spec, embeddings=points(), **options)  # type: ignore[arg-type]


# ---------------------------------------------------------------------- of models


def test_topics_with_the_same_draws_are_wrong_together() -> None:
    topics = Topics.of([[word] for word in WORDS[:4]], documents=[3, 1, 0, 4])
    errors = np.array([0.1, 0.3, math.nan, 0.2])
    result = Result(np.array([1.0, 2.0, 3.0, 4.0]), np.ones(4), error=errors)
    shared = Result(result.values, result.support, error=errors, shared_draws="xxzy")
    # weights of 3, 1, 0 and 4 of 8 documents: 0.3, 0.3 and 0.8, the first two added up or not
    for one, expected in ((result, math.hypot(0.3, 0.3, 0.8)), (shared, math.hypot(0.6, 0.8))):
        found = summarise(topics, one, "documents")
        assert found.value == pytest.approx((3 * 1 + 2 + 4 * 4) / 8)
        assert found.error == pytest.approx(expected / 8)
    # what one of them is wrong by is not known
    assert summarise(topics, shared, None).error is None


def test_the_error_of_a_model_with_a_topic_and_its_copies() -> None:
    copies = [list(one) for one in islice(permutations(WORDS[:5]), 4)]
    topics = [*copies, WORDS[5:10]]
    found = [scores(topics, f"isim(draws=5, seed={seed})").models.rows[0] for seed in range(150)]
    spread = np.std([row.value for row in found], ddof=1)
    errors = np.array([row.error for row in found], dtype=np.float64)
    # 150 seeds know the spread to about 6 %; taken for independent, it is half of that
    assert math.sqrt((errors**2).mean()) == pytest.approx(spread, rel=0.2)


def test_the_first_words_decide_which_topics_share_their_draws() -> None:
    copies = [WORDS[:4], [*WORDS[1::-1], *WORDS[2:4]]]  # the same four words, the same first two
    others = [WORDS[:4], WORDS[3::-1]]  # the same four words, other first two
    for topics, join in ((copies, sum), (others, lambda both: math.hypot(*both))):
        *parts, model = scores([*topics, WORDS[4:8]], "isim(draws=5)@2").rows
        *errors, last = [row.error or 0.0 for row in parts]
        assert min(*errors, last) > 0
        assert model.error == pytest.approx(math.hypot(join(errors), last) / 3)


def test_topics_without_a_score_have_no_part_in_the_error() -> None:
    # one word has no partner that an intruder could be less similar than
    topics = Topics.of([WORDS[:4], WORDS[4:8], WORDS[8:9]], documents=[30, 10, 60])
    *parts, plain = scores(topics, "int(draws=5)").rows
    first, second, last = [row.error for row in parts]
    assert first
    assert second
    assert math.isnan(parts[2].value)
    assert last is None
    assert plain.error == pytest.approx(math.hypot(first, second) / 2)
    # of the 40 documents whose topic has a score
    weighted = scores(topics, "int(draws=5)", weight="documents").rows[-1]
    assert weighted.error == pytest.approx(math.hypot(30 * first, 10 * second) / 40)


# ---------------------------------------------------------------------- one draw


def test_one_draw_has_no_standard_error() -> None:
    found = scores([WORDS[:4], WORDS[4:8]], "isim(draws=1)")
    assert [row.error for row in found] == [None] * 3
    assert "error" not in found.to_polars().columns
    assert "±" not in str(found)
    assert Score("m", None, "isim", 0.5, 1.0, "", math.nan).error is None


@pytest.mark.parametrize("suffix", [".jsonl", ".json", ".csv", ".parquet"])
def test_saved_again_they_are_the_same(tmp_path: Path, suffix: str) -> None:
    topics = {"one": [WORDS[:4], WORDS[4:8]], "other": [WORDS[:3], WORDS[5:7]]}
    found = tealeaves.score(topics, None, "isim(draws=1) isim(draws=3) isim", embeddings=points())
    once, twice = tmp_path / f"once{suffix}", tmp_path / f"twice{suffix}"
    found.save(once)
    read = tealeaves.read_scores(once)
    read.save(twice)
    again = tealeaves.read_scores(twice)
    assert [row.error for row in again] == [row.error for row in read]
    assert [row.error for row in read] == [row.error for row in found]
    assert sum(row.error is not None for row in found) == 6


# ---------------------------------------------------------------------- in tables


def test_a_legend_says_what_the_errors_are() -> None:
    drawn = scores([WORDS[:4], WORDS[4:8]], "isim(draws=5)")
    assert drawn.legend == [LEGEND]
    assert str(drawn).splitlines()[4] == LEGEND  # below a header, two topics and the model
    assert drawn.to_markdown().endswith(f"|\n\n{LEGEND}\n")
    assert drawn.to_latex().endswith(f"{{tabular}}\n% {LEGEND}\n")
    exact = scores([WORDS[:4], WORDS[4:8]], "isim")
    assert exact.legend == []
    assert "±" not in exact.to_markdown() + exact.to_latex()


def test_a_legend_says_what_the_shares_are_too() -> None:
    short = scores([WORDS[:4], WORDS[4:7]], "isim(draws=5)@4")
    assert short.legend == [
        "(…%): share of comparisons that could be made (short topics, missing words)",
        LEGEND,
    ]
    assert scores([WORDS[:4], WORDS[4:7]], "isim@4").legend == short.legend[:1]


def test_a_comparison_shows_its_own_uncertainty_alone() -> None:
    models = {"one": [WORDS[:4], WORDS[4:8]], "other": [WORDS[:3], WORDS[5:7]]}
    found = tealeaves.compare(models, None, "isim(draws=5)", embeddings=points(), draws=99)
    assert "±" not in str(found) + found.to_markdown() + found.to_latex()
