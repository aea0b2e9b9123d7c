"""Blocks of texts hold what they were made of, whole and in parts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.text import Corpus, Document, textblock
from tealeaves.text.textblock import PADDING, Run, TextBlock, batched

TEXTS = st.lists(st.text(st.characters(exclude_categories=()), max_size=6), max_size=12)


def texts_of(block: TextBlock) -> list[str]:
    return [block.text(number) for number in range(block.count)]


def documents_of(block: TextBlock) -> list[tuple[str, int, str]]:
    places = [
        (source, position + number)
        for source, position, count in block.runs
        for number in range(count)
    ]
    return [(*place, text) for place, text in zip(places, texts_of(block), strict=True)]


@given(TEXTS)
def test_a_block_gives_back_its_texts(texts: list[str]) -> None:
    block = TextBlock.of(texts, [Run("s", 0, len(texts))])
    assert texts_of(block) == texts
    assert block.count == len(texts)
    assert block.data.size >= max(block.ends.tolist(), default=0) + PADDING
    behind = block.data[block.ends]
    assert np.isin(behind, list(b"\n\0")).all()


@given(TEXTS, st.integers(-3, 14), st.integers(-3, 14))
def test_a_part_of_a_block_is_that_part_of_its_documents(
    texts: list[str], first: int, last: int
) -> None:
    third = len(texts) // 3
    runs = [Run("s", 5, third), Run("t", 0, len(texts) - third)]
    block = TextBlock.of(texts, [run for run in runs if run.texts])
    part = block.cut(first, last)
    assert documents_of(part) == documents_of(block)[max(first, 0) : max(last, 0)]


def test_a_part_of_a_part_says_which_text_it_decodes() -> None:
    asked: list[int] = []

    def decode(data: bytes, number: int, start: int) -> str:
        asked.append(number)
        return data.decode()

    whole = TextBlock.of("abcdef", [Run("s", 0, 6)])
    block = TextBlock(whole.data, whole.starts, whole.ends, whole.runs, decode)
    part = block.cut(1, 5).cut(2, 4)
    assert texts_of(part) == ["d", "e"]
    assert asked == [3, 4]
    assert part.runs == (Run("s", 3, 2),)


@given(
    st.lists(st.tuples(st.sampled_from("st"), st.integers(0, 4), st.text(max_size=9)), max_size=20),
    st.sampled_from([1, 2, 3, 7, 20, 1000]),
)
def test_documents_are_put_into_blocks_in_order(
    given_documents: list[tuple[str, int, str]], size: int
) -> None:
    documents = [Document(t, source=s, position=p) for s, p, t in given_documents]
    blocks = list(batched(documents, size))
    assert [one for block in blocks for one in documents_of(block)] == given_documents
    assert all(block.count for block in blocks)
    for block in blocks[:-1]:
        lengths = [len(text) for text in texts_of(block)]
        assert sum(lengths) >= size > sum(lengths[:-1])


def test_many_short_documents_are_not_one_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(textblock, "BLOCK_TEXTS", 4)
    blocks = list(batched(Corpus.of([""] * 10)))
    assert [block.count for block in blocks] == [4, 4, 2]
