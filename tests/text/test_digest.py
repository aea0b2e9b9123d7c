"""The digest of a text: the kernel and the plain function agree, and every byte matters."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.text.blocks import PADDING
from tealeaves.text.digest import DIGESTS, digest_texts, text_digest


def by_kernel(
    texts: list[bytes], between: bytes = b"\n", behind: bytes = bytes(PADDING)
) -> list[int]:
    lengths = [len(text) for text in texts]
    starts = np.cumsum([0, *(length + len(between) for length in lengths)])[: len(texts)]
    data = np.frombuffer(between.join(texts) + behind, dtype=np.uint8)
    digests = np.zeros(len(texts), dtype=np.uint64)
    starts = starts.astype(np.int64)
    digest_texts(data, starts, starts + np.array(lengths, dtype=np.int64), digests)
    return [int(digest) for digest in digests]


def plain(text: bytes) -> int:
    """Digest any bytes below 0x80 as the text they are."""
    return text_digest(text.decode("ascii"))


@pytest.mark.parametrize("behind", [bytes(PADDING), b"\xff" * PADDING], ids=["zeros", "ones"])
def test_the_kernel_digests_texts_of_any_length(behind: bytes) -> None:
    rng = random.Random(4)
    texts = [bytes(rng.choices(range(128), k=length)) for length in [*range(41), 63, 64, 65, 1000]]
    for shift in range(8):
        shifted = [b"x" * shift, *texts]
        for between in (b"\n", b"\xff"):
            assert by_kernel(shifted, between, behind) == [plain(text) for text in shifted]
    assert [by_kernel([text], b"\n", behind)[0] for text in texts] == [plain(t) for t in texts]


@given(st.lists(st.text(st.characters(exclude_categories=()))))
def test_the_kernel_digests_any_text(texts: list[str]) -> None:
    encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
    assert by_kernel(encoded) == [text_digest(text) for text in texts]


def test_all_short_texts_and_all_changes_of_a_long_one_have_digests_of_their_own() -> None:
    rng = random.Random(5)
    long = bytes(rng.choices(range(128), k=40))
    texts = {b"", *(bytes([one]) for one in range(128))}
    texts |= {bytes([one, two]) for one in range(128) for two in range(128)}
    texts |= {
        long[:place] + bytes([b]) + long[place + 1 :] for place in range(40) for b in range(128)
    }
    texts |= {long[:length] for length in range(41)}
    texts |= {long + bytes(zeros) for zeros in range(20)} | {bytes(zeros) for zeros in range(40)}
    texts |= {long[8 * a :] + long[: 8 * a] for a in range(5)}
    swapped = [long[16:24] + long[8:16] + long[:8] + long[24:], long[8:16] + long[:8] + long[16:]]
    texts |= set(swapped)
    digests = by_kernel(sorted(texts))
    assert len(set(digests)) == len(texts) > 21_000
    assert digests == [plain(text) for text in sorted(texts)]
    assert all(0 <= digest < DIGESTS for digest in digests)


def test_the_bits_of_digests_are_spread() -> None:
    """Digests are added up: a bit that is often the same would make sums collide."""
    digests = np.array(by_kernel([f"text {number}".encode() for number in range(4000)]), np.uint64)
    for bit in range(64):
        ones = int(((digests >> np.uint64(bit)) & np.uint64(1)).sum())
        assert 1700 < ones < 2300, f"bit {bit} is set in {ones} of 4000"


def test_letters_that_change_places_make_another_text() -> None:
    """The last bytes of two words of eight: their bits have the farthest way to all others."""
    signs = "abcdefghijklmnopqrstuvwxyz0123456789"
    for first in range(8):
        pairs = [(one, two) for one in signs for two in signs]
        texts = [f"{'row no ':.{first}}{one}{', seat ':.7}{two}." for one, two in pairs]
        assert len(set(map(text_digest, texts))) == len(texts)


def test_an_empty_text_adds_something_to_a_sum() -> None:
    assert text_digest("") == by_kernel([b""])[0] != 0
