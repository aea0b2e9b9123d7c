"""Tables before they are written: marked words, and labels in several lines."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tealeaves.tables.table import MarkedWords, wrap_words


@given(st.lists(st.text("abc", min_size=1, max_size=3), max_size=14), st.sets(st.text("abc")))
def test_text_and_other_languages_say_the_same(words: list[str], odd: set[str]) -> None:
    marked = MarkedWords.of(words, odd)
    assert marked.written(str, "[{}]") == marked
    last = max((place for place, word in enumerate(words, 1) if word in odd), default=0)
    shown = words[: max(10, last)]
    assert marked.written(str, "{}") == MarkedWords.of(words, most=len(shown))
    assert marked.count("[") == sum(word in odd for word in words)
    assert marked.endswith("…") is (len(words) > len(shown))
    assert marked.written(str.upper, "-") == " ".join(
        "-" if word in odd else word.upper() for word in shown
    ) + " …" * (len(words) > len(shown))


def test_no_odd_word_is_left_out_and_all_words_may_be_written() -> None:
    words = [f"w{number}" for number in range(15)]
    assert MarkedWords.of(words, {"w12"}).split()[-3:] == ["w11", "[w12]", "…"]
    assert MarkedWords.of(words).split()[-2:] == ["w9", "…"]
    assert MarkedWords.of(words, {"w14"}).split()[-1] == "[w14]"
    assert MarkedWords.of(words, most=None).split() == words


@given(
    st.lists(st.text("ab c", min_size=1, max_size=6), min_size=1, max_size=14),
    st.sets(st.text("ab", max_size=2)),
    st.integers(1, 30),
)
def test_wrapped_words_stay_whole(words: list[str], odd: set[str], room: int) -> None:
    marked = MarkedWords.of(words, odd, most=None)
    lines = wrap_words(marked, room)
    assert " ".join(lines) == marked
    written = [f"[{word}]" if word in odd else word for word in words]
    taken = 0
    for line in lines:
        # each line is some whole words, and the next one had no room on it
        number = next(n for n in range(1, 15) if " ".join(written[taken : taken + n]) == line)
        assert len(line) <= room or number == 1
        taken += number
        if taken < len(written):
            assert len(f"{line} {written[taken]}") > room
    assert taken == len(written)
