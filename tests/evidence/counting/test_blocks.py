"""Blocks: the documents that they are made of."""

from __future__ import annotations

from tealeaves.evidence.counting.blocks import blocks_with_documents
from tealeaves.text.corpus import Corpus


def test_blocks_know_their_documents() -> None:
    documents = list(Corpus.of([f"text {number}" for number in range(10)]))
    seen = []
    for listed, block in blocks_with_documents(documents, size=20):
        assert [document.text for document in listed] == [
            block.text(number) for number in range(block.count)
        ]
        seen += listed
    assert seen == documents
