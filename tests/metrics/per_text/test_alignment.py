"""Which text is which document of a model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tealeaves
from tealeaves import Topics
from tealeaves.errors import InputError
from tealeaves.evidence.texts import EncodedTexts, encode
from tealeaves.metrics.per_text.alignment import document_rows
from tealeaves.text.corpus import Corpus
from tealeaves.text.document import Document
from tealeaves.text.pipeline import Pipeline


def model(documents: int = 3, **known: Any) -> Topics:
    theta = np.tile([0.75, 0.25], (documents, 1))
    return Topics.of([["a"], ["b"]], model="m", document_topic=theta, **known)


def texts(*ids: str, pipeline: str = "words") -> EncodedTexts:
    documents = [Document(f"a b {'c ' * number}", id=one) for number, one in enumerate(ids)]
    return encode(Corpus.of(documents), [], Pipeline.parse(pipeline))


def test_by_ids_in_any_order() -> None:
    rows = document_rows(model(document_ids=("x", "y", "z")), texts("z", "new", "x"))
    assert rows.tolist() == [2, -1, 0]


def test_by_order_where_there_are_no_ids() -> None:
    assert document_rows(model(), texts("", "", "")).tolist() == [0, 1, 2]
    assert document_rows(model(), texts("x", "y", "z")).tolist() == [0, 1, 2]
    named = model(document_ids=("x", "y", "z"))
    assert document_rows(named, texts("", "", "")).tolist() == [0, 1, 2]


def test_by_the_order_of_those_that_the_pipeline_keeps() -> None:
    encoded = texts("", "", "", pipeline="words(min_tokens=3)")  # the first has two tokens
    assert document_rows(model(2), encoded).tolist() == [-1, 0, 1]


def test_other_texts_are_an_error() -> None:
    with pytest.raises(InputError, match="m: it has 3 documents, the corpus 2: give the texts it"):
        document_rows(model(), texts("", ""))
    with pytest.raises(InputError, match="its documents are not known"):
        document_rows(Topics.of([["a"]], model="m"), texts("x"))


def test_lines_of_another_file_are_not_taken_for_the_documents(tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    trained, held = tmp_path / "train.txt", tmp_path / "held.txt"
    trained.write_text("cat dog cat\nsoup bread\ndog cat\nbread soup\n" * 5)
    held.write_text("cat soup\ndog bread\n" * 4)
    topics = tealeaves.train("nmf(k=2)", trained)
    assert topics.document_ids is None
    with pytest.raises(InputError, match="it has 20 documents, the corpus 8"):
        tealeaves.score(topics, held, "perplexity(eps=0.001)")
