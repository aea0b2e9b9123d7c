"""The public names of the package can be imported."""

from __future__ import annotations

import pytest

from tealeaves import lexicon
from tealeaves.catalogue import Catalogue
from tealeaves.lexicon import Extraction, SemanticMap, map_tokens, tabulate_tokens
from tealeaves.lexicon.extraction.result import Token


@pytest.mark.parametrize("name", lexicon.__all__)
def test_every_name_is_there(name: str) -> None:
    value = getattr(lexicon, name)
    assert callable(value) or isinstance(value, Catalogue)
    assert name in dir(lexicon)


def test_others_are_not() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        getattr(lexicon, "nothing")  # noqa: B009


def test_a_map_is_made_with_public_names() -> None:
    """The package ``semantic_map`` hides the function of that name."""
    said = {"fi": "a a b b c", "sv": "x x y y y", "de": "u u v v v"}
    keys = [f"GEN 1:{verse}" for verse in range(1, 6)]
    extractions = []
    for target, words in said.items():
        tokens = tuple(
            Token(frozenset({word}), lemma="hand", key=key, place=0)
            for key, word in zip(keys, words.split(), strict=True)
        )
        passages = {key: (["hand"], ["w"]) for key in keys}
        extractions.append(Extraction("en", target, "hybrid", "hybrid", tokens, passages))
    found = map_tokens(tabulate_tokens(extractions, ["hand"]), groups=2)
    assert isinstance(found, SemanticMap)
    assert len(found.table.occurrences) == 5
