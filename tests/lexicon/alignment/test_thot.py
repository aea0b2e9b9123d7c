"""The aligners of sil-thot find links that are known."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from tealeaves.errors import InputError, MissingExtraError
from tealeaves.lexicon.alignment.aligners import align, aligner
from tealeaves.lexicon.error.links import score_links

from .synthetic import bitext_of, points, synthetic


@pytest.mark.parametrize("name", ["fast_align", "thot_eflomal"])
def test_known_links_are_found_both_ways(name: str) -> None:
    pytest.importorskip("thot")
    bitext, known = synthetic()
    steps: list[tuple[int, int]] = []
    both = align(bitext, name, advance=lambda done, of: steps.append((done, of)))
    for how in ("forward", "backward", "union", "gdfa"):
        score = score_links(points(both.joined(how)), known)
        assert score.aer < 0.15, how
    assert steps == sorted(steps)
    assert steps[0] == (0, 200)
    assert steps[-1] == (200, 200)


def test_a_seeded_sampler_gives_the_same_twice() -> None:
    pytest.importorskip("thot")
    bitext, _ = synthetic(40)
    one, other = (align(bitext, "thot_eflomal").joined("union") for _ in range(2))
    assert np.array_equal(one.places, other.places)
    assert np.array_equal(one.starts, other.starts)


def test_directions_are_not_mixed_up() -> None:
    pytest.importorskip("thot")
    # two target words for each source word: forward explains each target word by one source word,
    # so it alone can link a source word twice
    source = [[f"s{n % 9}", f"s{(n * 2 + 1) % 9}"] for n in range(90)]
    target = [[f"{kind}{word[1:]}" for word in text for kind in "ab"] for text in source]
    both = align(bitext_of(source, target), "fast_align")
    assert np.diff(both.forward.starts).max() > 1
    assert np.diff(both.backward.starts).max() == 1


def test_without_the_package_its_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "thot.alignment", None)
    with pytest.raises(MissingExtraError, match=r"sil-thot: pip install \"tealeaves\[align\]\""):
        aligner("fast_align").check()


def test_an_unknown_aligner_is_refused_with_a_hint() -> None:
    with pytest.raises(InputError, match="unknown aligner fastalign; did you mean fast_align"):
        aligner("fastalign")


def test_threads_are_at_least_one() -> None:
    bitext, _ = synthetic()
    with pytest.raises(InputError, match="threads must be a whole number of at least 1, not -1"):
        align(bitext, "hmm", threads=-1)
