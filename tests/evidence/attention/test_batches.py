"""What is asked of texts: classes, masked words, and padding that nobody sees."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tealeaves.evidence.attention.batches import MASKED, BatchMaker
from tealeaves.evidence.attention.frame import Target
from tealeaves.evidence.attention.sample import SampledText

from .network.tiny_models import PIECES, a_frame, chosen_texts

torch = pytest.importorskip("torch")
TOPIC = "cat dogs carsing bird song soup bread"
MASK = PIECES.index("[MASK]")


def asking(target: Target, *, seed: int = 0, pad: int | None = 0) -> BatchMaker:
    tokenizer = SimpleNamespace(pad_token_id=pad, mask_token_id=MASK)
    classifier: Any = SimpleNamespace(tokenizer=tokenizer, labels=("pets", "cars", "food"))
    return BatchMaker(classifier, target, seed=seed, device=torch.device("cpu"))


def texts(*given: str, label: str = "") -> list[SampledText]:
    return chosen_texts(list(given), a_frame([TOPIC]), label=label)


def test_texts_are_filled_up() -> None:
    two = texts("cat dogs", "cat red red bird")
    for pad in (0, 1, None):
        batch = asking("predicted", pad=pad).batch(two)
        assert batch.ids[0].tolist() == [*two[0].text.pieces.tolist(), pad or 0]
        assert batch.ids[1].tolist() == two[1].text.pieces.tolist()
        assert batch.shown.tolist() == [[1, 1, 1, 1, 1, 0], [1] * 6]
        assert batch.ids.dtype == batch.shown.dtype == torch.int64
        assert batch.positions is batch.present is batch.targets is None


def test_true_classes() -> None:
    two = [*texts("cat bird", label="food"), *texts("song soup", label="pets")]
    targets = asking("true").batch(two).targets
    assert targets is not None
    assert targets.tolist() == [[2], [0]]
    assert asking("predicted").batch(two).targets is None


# ---------------------------------------------------------------------- masked words


def masked_words(batch: Any, row: int, text: SampledText) -> set[int]:
    """Return the words of which all pieces are masked; none is masked in part."""
    places = np.flatnonzero(batch.ids[row].numpy() == MASK)
    words = set(text.text.words[places].tolist())
    for word in words:
        assert set(np.flatnonzero(text.text.words == word)) <= set(places)
    return words


@pytest.mark.parametrize("seed", range(5))
def test_masked_words(seed: int) -> None:
    many = "cat dogs carsing bird song soup bread red " * 3
    both = texts("red dogs carsing road", many)
    batch = asking("masked", seed=seed).batch(both)
    places_of, there_of, targets_of = batch[2:]
    assert places_of is not None
    assert there_of is not None
    assert targets_of is not None
    for row, (text, words) in enumerate(zip(both, (4, 24), strict=True)):
        number = max(1, round(MASKED * words))  # 1 and 4
        found = masked_words(batch, row, text)
        assert len(found) == number
        there = there_of[row].bool()
        places = places_of[row][there].numpy()
        expected = np.flatnonzero(batch.ids[row].numpy() == MASK)
        assert places.tolist() == expected.tolist()
        assert targets_of[row][there].tolist() == text.text.pieces[expected].tolist()
        rest = np.setdiff1d(np.arange(len(text.text)), expected)
        assert batch.ids[row].numpy()[rest].tolist() == text.text.pieces[rest].tolist()


def test_masks_are_a_matter_of_the_text_and_the_seed() -> None:
    """Whatever other texts are in the batch, the same words are masked."""
    both = texts("cat dogs bird song soup", "cat bird song bread soup " * 4)
    whole = asking("masked").batch(both)
    alone = asking("masked").batch(both[1:])
    assert torch.equal(whole.ids[1], alone.ids[0])
    drawn = {str(asking("masked", seed=seed).batch(both).ids.tolist()) for seed in range(8)}
    assert len(drawn) > 1


def test_masks_do_not_depend_on_what_is_asked() -> None:
    """All words of the text are drawn from, also such as are in no topic."""
    frames = [a_frame([topic]) for topic in ("cat dogs", "carsing dogs bird", "bird new_york cat")]
    [one], *others = (chosen_texts(["cat red carsing bird new york dogs"], to) for to in frames)
    masked = set()
    for seed in range(60):
        batch = asking("masked", seed=seed).batch([one])
        masked |= masked_words(batch, 0, one)
        for other in others:
            assert torch.equal(asking("masked", seed=seed).batch(other).ids, batch.ids)
    # each of 7 words with a chance of 1 in 7: missed by all 60 draws with one of 1 in 10,000
    assert masked == set(range(7))


def test_only_masks_have_a_seed() -> None:
    assert asking("masked", seed=3).seed == 3
    assert asking("predicted", seed=3).seed is None
    assert asking("true", seed=3).seed is None


def test_the_texts_themselves_stay_as_they_are() -> None:
    [text] = texts("cat dogs bird")
    before = text.text.pieces.copy()
    asking("masked").batch([text])
    assert np.array_equal(text.text.pieces, before)
