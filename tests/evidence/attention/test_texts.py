"""Word pieces and the places of asked words, against a search of all places."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tealeaves.evidence.attention.texts import ReadText, TextReader, occurrence_pairs
from tealeaves.evidence.requests import Term

from .network.tiny_models import PIECES, a_frame, tokenizer_in_memory

transformers = pytest.importorskip("transformers")
TOKENIZER = tokenizer_in_memory()
NO_PIECE = "\u200b"  # is cleaned away
Place = tuple[str, str, int, int]  # two words, and where they begin
TOKENS = ["cat", "cats", "dog", "new", "york", "carsing", "strange", NO_PIECE]


def read(text: str, *words: str, longest: int = 40) -> ReadText:
    terms = [Term(tuple(word.split("_"))) for word in words]
    return TextReader(TOKENIZER, terms, longest).read(text.split(" "))


def pieces(text: ReadText) -> list[str]:
    return [PIECES[number] for number in text.pieces]


def occurrences(text: ReadText) -> list[tuple[int, int, int]]:
    return list(zip(text.terms.tolist(), text.starts.tolist(), text.stops.tolist(), strict=True))


def test_words_of_several_pieces() -> None:
    text = read("dog cats strange carsing", "cats", "carsing", "dog")
    assert pieces(text) == ["[CLS]", "dog", "cat", "##s", "[UNK]", "car", "##s", "##ing", "[SEP]"]
    assert text.words.tolist() == [-1, 0, 1, 1, 2, 3, 3, 3, -1]
    assert occurrences(text) == [(2, 1, 2), (0, 2, 4), (1, 5, 8)]
    assert not text.cut
    assert len(text) == 9


def test_words_of_several_tokens() -> None:
    text = read("new york new cats york new york", "new_york", "new", "york_new_york")
    assert sorted(occurrences(text)) == [
        (0, 1, 3), (0, 7, 9), (1, 1, 2), (1, 3, 4), (1, 7, 8), (2, 6, 9),
    ]  # fmt: skip


def test_a_word_that_makes_no_piece() -> None:
    """It is nowhere to be seen; within a longer word the others stand for it."""
    text = read(f"cat {NO_PIECE} dog", NO_PIECE, f"{NO_PIECE}_dog", "cat")
    assert pieces(text) == ["[CLS]", "cat", "dog", "[SEP]"]
    assert text.words.tolist() == [-1, 0, 2, -1]
    assert sorted(occurrences(text)) == [(1, 2, 3), (2, 1, 2)]


def test_a_text_is_cut_between_words() -> None:
    text = read("dog carsing cats dog", "dog", "cats", longest=7)  # room for 5: cats needs 2 more
    assert pieces(text) == ["[CLS]", "dog", "car", "##s", "##ing", "[SEP]"]
    assert text.cut
    assert occurrences(text) == [(0, 1, 2)]
    assert read("dog carsing cats dog", longest=8).cut
    assert len(read("dog carsing cats dog", longest=8)) == 8
    assert not read("dog carsing cats dog", longest=9).cut  # 1 + 3 + 2 + 1 pieces and both ends


def test_a_word_over_the_end_is_not_seen() -> None:
    text = read("cat new york", "new_york", longest=4)
    assert pieces(text) == ["[CLS]", "cat", "new", "[SEP]"]
    assert text.cut
    assert occurrences(text) == []


def test_nothing_fits_in() -> None:
    text = read("carsing cat", "cat", longest=4)
    assert pieces(text) == ["[CLS]", "[SEP]"]
    assert text.cut
    assert occurrences(text) == []


def test_words_are_split_once() -> None:
    calls = []

    class Counting:
        cls_token_id, sep_token_id = 2, 3

        def __call__(self, words: list[list[str]], **options: bool) -> object:
            calls.append([word for [word] in words])
            return TOKENIZER(words, **options)

    reader = TextReader(Counting(), (), 40)
    reader.read(["cat", "dog", "cat"])
    reader.read(["dog", "bird", "cat"])
    reader.read(["cat"])
    assert calls == [["cat", "dog"], ["bird"]]


# ---------------------------------------------------------------------- pairs


def places(text: ReadText, topics: list[str], *, all_pairs: bool = False) -> list[Place]:
    frame = a_frame(topics, all_pairs=all_pairs)
    pairs = occurrence_pairs(text, frame)
    assert len(pairs) == len(pairs.keys)
    return sorted(
        (
            str(frame.terms[key // len(frame.terms)]),
            str(frame.terms[key % len(frame.terms)]),
            int(text.starts[left]),
            int(text.starts[right]),
        )
        for key, left, right in zip(pairs.keys, pairs.left, pairs.right, strict=True)
    )


def asked(text: str, topics: list[str], *, all_pairs: bool = False) -> list[Place]:
    frame = a_frame(topics)
    found = TextReader(TOKENIZER, frame.terms, 40).read(text.split(" "))
    return places(found, topics, all_pairs=all_pairs)


def test_pairs_go_both_ways() -> None:
    assert asked("cat red dog", ["cat dog"]) == [("cat", "dog", 1, 3), ("dog", "cat", 3, 1)]


def test_the_same_word_twice() -> None:
    """Each pair of places counts, but for those of a word with itself."""
    found = asked("cat dog cat", ["cat dog"])
    assert found == [
        ("cat", "dog", 1, 2), ("cat", "dog", 3, 2), ("dog", "cat", 2, 1), ("dog", "cat", 2, 3),
    ]  # fmt: skip


def test_only_pairs_that_were_asked_for() -> None:
    topics = ["cat dog", "dog bird"]
    found = asked("cat dog bird", topics)
    assert [pair[:2] for pair in found] == [
        ("bird", "dog"), ("cat", "dog"), ("dog", "bird"), ("dog", "cat"),
    ]  # fmt: skip
    assert len(asked("cat dog bird", topics, all_pairs=True)) == 6


def test_words_that_lie_over_each_other_are_no_pair() -> None:
    found = asked("new york york", ["new_york york new"])
    # york stands in new york, and again by itself
    assert ("new york", "york", 1, 3) in found
    assert ("york", "new york", 3, 1) in found
    assert ("new", "york", 1, 2) in found
    assert not any(pair[:2] == ("new york", "new") for pair in found)
    assert ("york", "new york", 2, 1) not in found
    assert len(found) == 2 + 4


def test_no_pair() -> None:
    assert asked("cat cat red", ["cat dog"]) == []
    assert asked("red red", ["cat dog"]) == []


# ---------------------------------------------------------------------- against a plain search

terms = st.lists(
    st.lists(st.sampled_from(TOKENS), min_size=1, max_size=3).map(tuple), min_size=2, max_size=6,
    unique=True,
)  # fmt: skip


@settings(max_examples=150)
@given(
    st.lists(st.sampled_from(TOKENS), min_size=1, max_size=10), terms, st.integers(3, 24), st.data()
)
def test_against_a_search_of_all_places(
    tokens: list[str], names: list[tuple[str, ...]], longest: int, data: st.DataObject
) -> None:
    whole = TOKENIZER(tokens, is_split_into_words=True)
    ids, words = whole["input_ids"], [-1 if w is None else w for w in whole.word_ids()]
    fit = [n for n in range(len(tokens) + 1) if sum(0 <= w < n for w in words) <= longest - 2]
    count = max(fit)
    keep = [place for place, w in enumerate(words) if w < count]
    topics = data.draw(
        st.lists(st.lists(st.sampled_from(names), min_size=1, unique=True), min_size=1, max_size=3)
    )
    frame = a_frame([" ".join("_".join(name) for name in topic) for topic in topics])
    text = TextReader(TOKENIZER, frame.terms, longest).read(tokens)
    assert text.pieces.tolist() == [ids[place] for place in keep]
    assert text.words.tolist() == [words[place] for place in keep]
    assert text.cut == (count < len(tokens))
    # every stretch of the words that were read, and its pieces
    found: list[tuple[int, set[int]]] = []
    for number, term in enumerate(frame.terms):
        size = len(term.tokens)
        for place in range(count - size + 1):
            mine = {p for p, w in enumerate(text.words) if place <= w < place + size}
            if tuple(tokens[place : place + size]) == term.tokens and mine:
                found.append((number, mine))
    spans = [(number, set(range(start, stop))) for number, start, stop in occurrences(text)]
    assert sorted(map(str, spans)) == sorted(map(str, found))
    together = {frozenset((a, b)) for topic in topics for a in topic for b in topic if a != b}
    expected = [
        (number, other, mine, theirs)
        for number, mine in found
        for other, theirs in found
        if not mine & theirs
        and frozenset((frame.terms[number].tokens, frame.terms[other].tokens)) in together
    ]
    pairs = occurrence_pairs(text, frame)
    paired = [
        (*divmod(int(key), len(frame.terms)), spans[left][1], spans[right][1])
        for key, left, right in zip(pairs.keys, pairs.left, pairs.right, strict=True)
    ]
    assert sorted(map(str, paired)) == sorted(map(str, expected))


@pytest.mark.parametrize("text", ["cat", "new york cats", "strange carsing"])
def test_splitting_words_apart_is_splitting_them_together(text: str) -> None:
    expected = TOKENIZER(text.split(), is_split_into_words=True)["input_ids"]
    assert read(text).pieces.tolist() == expected


def test_words_of_byte_pairs() -> None:
    """RoBERTa's pieces know of the space before a word, and each word has one."""
    pieces = ["<s>", "<pad>", "</s>", "<unk>", "<mask>", "\u0120", *"catdogs", "\u0120c", "at"]
    vocabulary = {piece: number for number, piece in enumerate(dict.fromkeys(pieces))}
    merges = [("\u0120", "c"), ("a", "t")]
    tokenizer = transformers.RobertaTokenizer(
        vocab=vocabulary, merges=merges, add_prefix_space=True
    )
    words = ["cat", "dog", "cats"]
    found = TextReader(tokenizer, [Term(("cats",))], 40).read(words)
    expected = tokenizer(words, is_split_into_words=True)
    assert found.pieces.tolist() == expected["input_ids"]
    assert found.words.tolist() == [-1 if w is None else w for w in expected.word_ids()]
    assert occurrences(found) == [(0, 7, 10)]  # after <s>, two pieces and four
