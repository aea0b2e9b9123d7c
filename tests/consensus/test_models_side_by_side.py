"""Models are judged each by itself, and signatures tell what their numbers rest on."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tealeaves
from tealeaves import Embeddings, Topics
from tealeaves.consensus.predictors import open_predictors
from tealeaves.errors import InputError

from .scored import REFERENCE, TEXTS, counted, same, score, signature, supports, values
from .small_world import MIXED, PURE, TOPICS, english, texts, toy, vectors, word


def test_a_model_is_judged_the_same_whatever_stands_beside_it() -> None:
    pytest.importorskip("wordllama")
    one = english(TOPICS[:4], "model")
    other = english([*TOPICS[4:], ["x", "y"], ["ak"]], "other")
    alone, beside = score(one, TEXTS), score([other, one], TEXTS)
    assert values(alone) == same(values(beside))
    rows = [row for row in beside if row.model == "model"]
    assert {row.signature for row in rows} == {signature(alone)}


def as_given(rows: dict[str, list[float]], tmp_path: Path) -> Embeddings:
    return toy(rows=rows)


def of_a_file(rows: dict[str, list[float]], tmp_path: Path) -> Path:
    """Write a file of vectors, whose content is its fingerprint."""
    path = tmp_path / "vectors.txt"
    path.write_text("".join(f"{one} {' '.join(map(str, row))}\n" for one, row in rows.items()))
    return path


@pytest.mark.parametrize("embedded", [as_given, of_a_file])
def test_what_similar_means_is_told_by_the_words_of_each_model(
    embedded: Callable[..., Any], tmp_path: Path
) -> None:
    """So the learned kind judges a model the same whatever stands beside it; ranks never do."""
    rows = vectors() | {word("y", n): [1.0, 0.1 * n, *[0.0] * 6] for n in range(60)}
    given = embedded(rows, tmp_path)
    one, others = english(), english([[word("y", n) for n in range(60)]], "others")
    more = english([*TOPICS, [word("y", n) for n in range(60)]])
    alone, beside, longer = (
        score(some, TEXTS, embeddings=given) for some in (one, [others, one], more)
    )
    assert values(beside) == same(values(alone))
    assert {row.signature for row in beside if row.model == "model"} == {signature(alone)}
    assert "scaled by its words" in signature(alone)
    # more words of its own change the scale: it is another model
    assert values(longer)[:9] != same(values(alone))
    spec = "consensus(kind=ranks)"
    ranked = [score(some, TEXTS, spec, embeddings=given) for some in (one, [one, others])]
    assert signature(ranked[0]) not in {row.signature for row in ranked[1]}


#: Two models of which each has a theme that the other lacks.
ONE, OTHER = english(PURE[:-1], "one"), english(PURE[1:], "other")


def of_model(scores: tealeaves.Scores, model: str) -> list[tuple[float, float, str]]:
    return [(row.value, row.support, row.signature) for row in scores if row.model == model]


@pytest.mark.parametrize("models", [[ONE, OTHER], [OTHER, ONE]])
def test_counts_that_hold_one_of_two_models_judge_that_one_the_same(models: list[Topics]) -> None:
    """The other is judged by what is left to it, as if it were alone too."""
    given: dict[str, Any] = {"counts": counted(ONE), "embeddings": toy()}
    both = score(models, **given)
    assert of_model(both, "one") == of_model(score(ONE, **given), "one")
    assert of_model(both, "other") == of_model(score(OTHER, embeddings=toy()), "other")
    assert of_model(both, "one") != of_model(score(ONE, embeddings=toy()), "one")
    judged = {note.split(";")[0] for note in both.notes if ": judged by " in note}
    assert judged == {
        "consensus: one: judged by the corpus, toy",
        "consensus: other: judged by toy",
    }


@pytest.mark.usefixtures("nothing_installed")
def test_a_model_that_the_counts_do_not_hold_has_no_score_beside_one_that_they_do() -> None:
    both = score([OTHER, ONE], counts=counted(ONE))
    assert of_model(both, "one") == of_model(score(ONE, counts=counted(ONE)), "one")
    assert all(math.isnan(value) for value in values(both, "other"))
    assert set(supports(both, "other")) == {0}
    assert "consensus: other: not judged" in "\n".join(both.notes)
    with pytest.raises(InputError, match="nothing to go by"):
        score(OTHER, counts=counted(ONE))


def test_ranks_depend_on_the_vectors_of_others_too() -> None:
    models = [english(PURE), english([PURE[0], MIXED], "other")]
    moved = vectors() | {MIXED[-1]: [1.0] * 8}
    both = [toy(rows=rows) for rows in (vectors(), moved)]
    found = [score(models, TEXTS, "consensus(kind=ranks)", embeddings=given) for given in both]
    signed = [{row.signature for row in scores if row.model == "model"} for scores in found]
    assert signed[0] != signed[1]


def test_a_model_that_cannot_be_judged_does_not_touch_the_signature_of_others() -> None:
    one, single = english(), english([["xx"], ["yy"]], "single")
    for spec in ("consensus", "consensus(kind=ranks)"):
        alone = score(one, TEXTS, spec, embeddings=toy())
        beside = score([one, single], TEXTS, spec, embeddings=toy())
        assert "vectors=toy:" in signature(alone)
        assert {row.signature for row in beside if row.model == "model"} == {signature(alone)}
        assert any("single: no consensus" in note for note in beside.notes)


def test_the_signature_tells_what_differs() -> None:
    def signed(**given: Any) -> str:
        return signature(score(**{"corpus": TEXTS, "embeddings": toy(), **given}))

    found = [
        signed(),
        signed(corpus=REFERENCE),
        signed(corpus=None),
        signed(reference=REFERENCE),
        signed(reference=texts(2)),
        signed(reference=REFERENCE, reference_tokens="tokens"),
        signed(embeddings=toy("other")),
        signed(embeddings=toy(seed=1)),  # of the same name
        signed(embeddings=[toy(), toy("other", 1)]),
        signed(spec="consensus(kind=ranks)"),
        signed(spec="consensus@5"),
    ]
    assert len(set(found)) == len(found)
    assert signed() == found[0]
    own = f"judges={open_predictors().signature}"  # of ranks too: predictors know the scales
    assert all(own in one for one in found)
