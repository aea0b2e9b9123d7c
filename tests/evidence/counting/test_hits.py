"""The byte tokeniser against the tokenizers of strings: the same hits for any text."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tealeaves.evidence.counting.hits import (
    ByteFinder,
    HitFinder,
    Hits,
    StringFinder,
    can_find_in_bytes,
)
from tealeaves.text import Pipeline
from tealeaves.text.blocks import DocumentRun, TextBlock
from tealeaves.text.digest import text_digest
from tests.systems import needs_library

pytestmark = needs_library

STOP = [
    "the",
    "ein",
    "был",
    "οδος",
    "i\u0307",
    "ß",
    "é",
    "का",
    "hadn't",
    "don’t",
    "averylongword",
    "k",
]
PIPELINES = [
    "words",
    "words(digits=true)",
    "words(lower=false)",
    "words(lower=false, digits=true, min_length=2)",
    "words(lower=false, stopwords=STOP)",
    "words(stopwords=STOP)",
    "words(stopwords=STOP, digits=true, min_length=2, min_tokens=3)",
    "words(min_length=3)",
    "words(min_tokens=2)",
    "tokens",
    "tokens(lower=true)",
    "tokens(stopwords=STOP)",
    "tokens(min_length=2)",
    "tokens(min_length=9, min_tokens=1)",
    "tokens(lower=true, stopwords=STOP)",
    "tokens(lower=true, stopwords=STOP, min_length=2, min_tokens=2)",
]


WORDS = ["words", "words(digits=true)", "words(lower=false)", "words(lower=false, stopwords=STOP)"]
TOKENS = ["tokens", "tokens(lower=true)"]


@pytest.fixture(scope="module")
def stop_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A list of stop words."""
    path = tmp_path_factory.mktemp("stop") / "stop.txt"
    path.write_text("\n".join(STOP), encoding="utf-8")
    return path


@pytest.fixture(scope="module", params=PIPELINES)
def pipeline(request: pytest.FixtureRequest, stop_file: Path) -> Pipeline:
    """Each pipeline whose tokens can be found in bytes."""
    parsed = Pipeline.parse(request.param.replace("STOP", f"'{stop_file}'"))
    assert can_find_in_bytes(parsed)
    return parsed


def block_of(texts: Sequence[str]) -> TextBlock:
    return TextBlock.of(texts, [DocumentRun("s", 0, len(texts))])


def hits_in(finder: HitFinder, texts: Sequence[str], wanted: Sequence[int] | None = None) -> Hits:
    selected = [1] * len(texts) if wanted is None else wanted
    return finder(block_of(texts), np.array(selected, dtype=np.uint8))


def by_text(hits: Hits) -> Counter[tuple[int, tuple[tuple[int, int], ...]]]:
    """Put the hits of each text together; the order of texts is not promised."""
    bounds = hits.bounds.tolist()
    assert len(bounds) == len(hits.lengths) + 1
    assert bounds[0] == 0
    assert bounds[-1] == len(hits.token) == len(hits.place)
    every = list(zip(hits.place.tolist(), hits.token.tolist(), strict=True))
    ranges = zip(bounds, bounds[1:], hits.lengths.tolist(), strict=False)
    return Counter((length, tuple(every[start:stop])) for start, stop, length in ranges)


def near(token: str) -> Iterable[str]:
    """Yield words that are almost the token."""
    yield from (token[:-1], token[1:], token + "x", token + "\0", "x" + token, token[:8], token * 2)
    yield from (token.swapcase(), token.lower(), token[:-1] + "q", "q" + token[1:])
    middle = len(token) // 2
    yield token[:middle] + "q" + token[middle + 1 :]
    yield token.encode("utf-8", "surrogatepass")[:8].decode("utf-8", "ignore")


def number_tokens(tokenized: Sequence[Sequence[str]], keep: int = 1) -> dict[str, int]:
    """Number every ``keep``-th token and its near misses."""
    tokens = list(dict.fromkeys(token for tokens in tokenized for token in tokens))
    words = [word for token in tokens for word in near(token)] + tokens
    left_out = {token for place, token in enumerate(tokens) if place % keep}
    unique = dict.fromkeys(word for word in words if word and word not in left_out)
    return {word: number for number, word in enumerate(unique)}


def check(
    pipeline: Pipeline, texts: Sequence[str], keep: int = 1, wanted: Sequence[int] | None = None
) -> None:
    tokenize = pipeline.tokenizer()
    tokens = number_tokens([tokenize(text) for text in texts], keep)
    plain = hits_in(StringFinder(pipeline, tokens), texts, wanted)
    fast = hits_in(ByteFinder(pipeline, tokens), texts, wanted)
    assert by_text(fast) == by_text(plain)
    assert fast.dropped == plain.dropped
    digests = [text_digest(text) for text in texts]
    assert fast.digests.tolist() == plain.digests.tolist() == digests


# ------------------------------------------------------------------ any text

# the characters that the kernel has to know; texts of EASY ones it can split itself
EASY = [
    *["a", "B", "z", "Z", "@", "[", "`", "{", "/", "0", "9", ":", "'", "-", "_", " ", "  ", "\t"],
    *["\x00", "\x08", "\x0b", "\x0e", "\x1b", "\x1c", "\x1f", "!", "\x7f", "\r", "the ", "Hadn't "],
    *["é", "É", "ß", "ñ", "Ö", "µ", "ª", "²", "½", "×", "÷", "ÿ", "\xa0", "\x85", "\xad", "\x80"],
    *["ж", "Ж", "Был ", "ё", "Ё", "α", "Ω", "ς", "σ", " Σ", "Ά", "א", "ב", "ش", "م", "ي"],
    *["क", "का", "\u094d", "\u0902", "ก", "ั", "한", "국", "漢", "字", "か", "カ", "\u3000", "。"],
    *["\u200c", "\u200d", "\u200c\u200d", "\u200b", "\u2060", "\ufeff", "\u2028", "\u2029"],
    *[
        "\u2003",
        "\u1680",
        "\u202f",
        "\u205f",
        "\u180e",
        "\u0661",
        "\u0967",
        "Ⅷ",
        "ⅷ",
        "①",
        "Ⓐ",
        "ⓐ",
    ],
    *["\U00010400", "\U00010428", "\U0001d400", "\U0001d7ce", "\U0001f600", "\U00020000", "𞤀"],
    *["Ა", "ა", "Ꭰ", "ꭰ", "Ᏸ", "Ǆ", "ǅ", "ᾀ", "ᾈ", "Ԁ", "\ud7ff", "\ue000", "\uffff", "\U0010ffff"],
]
HARD = [
    *["a\u0301", "\u0301", "\u0323", "\u0323\u0301", "\u0301\u0323", "\u0327", "\u0345", "\u0338"],
    *["\u05b0", "\u05bc", "\u05bc\u05b0", "\u064b", "\u0651", "\u0651\u064b", "\u093c", "न\u093c"],
    *[
        "\u1100",
        "\u1161",
        "\u11a8",
        "\u1100\u1161\u11a8",
        "가\u11a8",
        "각\u11a8",
        "\u115f",
        "\u11a7",
    ],
    *[
        "Σ",
        "Σ'",
        "'Σ",
        "AΣ",
        "aΣ\u0301",
        "\u0301Σ",
        "Σ\u0301 ",
        "ΟΔΟΣ",
        "οδοΣ’",
        "\u00adΣ",
        ".Σ",
        "Σa",
    ],
    *["İ", "I\u0307", "ẞ", "\u212a", "\u212b", "\u2126", "Ⱥ", "Ⱦ", "ǰ", "\u1e9e", "\u03f4", "Ω"],
    *[
        "\u0344",
        "\u0374",
        "\u037e",
        "\u0387",
        "\u1fbe",
        "\u2000",
        "\u2001",
        "\uf900",
        "\ufb1d",
        "\u0958",
    ],
    *[
        "\u09c7\u09be",
        "\u0cc6\u0cc2\u0cd5",
        "\u0f71\u0f72",
        "\u3099",
        "か\u3099",
        "\U000110ba",
        "\U00011099\U000110ba",
    ],
    *["\ud800", "\udfff", "\ud83d", "a\udc00b"],
]
LENGTHS = [1, 2, 6, 7, 8, 9, 15, 16, 17, 23, 24, 25, 62, 63, 64, 65, 127, 128, 129, 200]
RUNS = st.builds(
    lambda letters, length: (letters * length)[:length],
    st.sampled_from(["a", "Ab", "xyz1", "averylongword", "A", " ", ".", "a "]),
    st.sampled_from(LENGTHS),
)
PIECES = {
    "easy": st.one_of(st.sampled_from(EASY), RUNS),
    "hard": st.sampled_from([*EASY, *HARD]),
    "letters": st.sampled_from(["a", "B", "é", "Ж", "क", "\u094d", "\u200d", "\u200c", " ", "1"]),
    "sigma": st.sampled_from(
        ["Σ", "σ", "a", "A", "'", "\u0301", " ", ".", "\u200d", "\u00ad", "1"]
    ),
    "marks": st.sampled_from(
        ["a", "e", "A", "q", "\u0301", "\u0323", "\u0327", "\u0345", "\u0334"]
    ),
    "any": st.characters(exclude_categories=()),
}
TEXTS = st.one_of(
    *(st.lists(pieces, max_size=14).map("".join) for pieces in PIECES.values()),
    st.text(st.characters(max_codepoint=0x7F), max_size=150),
    st.text(st.characters(max_codepoint=0x7FF)),
)


@settings(max_examples=25)
@given(st.lists(TEXTS, max_size=6), st.integers(1, 3), st.data())
@example([], 1, None)
@example(["", " ", "\0", "a"], 1, None)
def test_any_text_gives_the_same_hits(
    pipeline: Pipeline, texts: list[str], keep: int, data: st.DataObject | None
) -> None:
    bits = st.lists(st.integers(0, 1), min_size=len(texts), max_size=len(texts))
    check(pipeline, texts, keep, data.draw(st.one_of(st.none(), bits)) if data else None)


@pytest.mark.parametrize("name", [*WORDS, *TOKENS])
def test_any_two_special_characters_in_a_row(name: str, stop_file: Path) -> None:
    pipeline = Pipeline.parse(name.replace("STOP", f"'{stop_file}'"))
    pieces = [*EASY, *HARD]
    assert differences(pipeline, [one + two for one in pieces for two in pieces])[0] == []


@pytest.mark.parametrize("length", LENGTHS)
def test_tokens_that_begin_and_end_anywhere(length: int) -> None:
    """Masks have words of 64 bytes, keys of 8: nothing may happen at their edges."""
    for name in ("words", "tokens", "tokens(lower=true, min_length=2)"):
        texts = [
            " " * before + sign * length + after
            for before in (0, 1, 7, 8, 55, 56, 57, 62, 63, 64, 65)
            for sign in "aZ"
            for after in ("", " ", " b", "é", " é")
        ]
        check(Pipeline.parse(name), texts)


def test_long_words_that_differ_in_one_byte_are_told_apart() -> None:
    pipeline = Pipeline.parse("tokens")
    for length in (8, 9, 15, 16, 17, 24, 31, 40):
        word = ("abcdefghij" * 5)[:length]
        others = [word[:place] + "X" + word[place + 1 :] for place in range(length)]
        tokens = {other: number for number, other in enumerate(others)}
        hits = hits_in(ByteFinder(pipeline, tokens), [f"{word} " + " ".join(others)])
        assert hits.token.tolist() == list(range(length))
        assert hits.place.tolist() == list(range(1, length + 1))


def test_words_with_the_same_key_are_told_apart() -> None:
    """Zero bytes are letters to ``tokens``: keys of eight bytes alone would not do."""
    words = ["a", "a\0", "a\0\0", "a" + "\0" * 7, "a" + "\0" * 8, "\0", "\0\0", "\0" * 8, "\0" * 9]
    tokens = {word: number for number, word in enumerate(words)}
    hits = hits_in(ByteFinder(Pipeline.parse("tokens"), tokens), [" ".join(words)])
    assert hits.token.tolist() == list(range(len(words)))


@pytest.mark.parametrize("count", [1, 2, 1000, 30_000])
def test_all_words_of_a_table_are_found_and_no_others(count: int) -> None:
    words = [f"word{number:x}" * (1 + number % 3) for number in range(2 * count)]
    tokens = {word: number for number, word in enumerate(words[:count])}
    hits = hits_in(ByteFinder(Pipeline.parse("tokens"), tokens), [" ".join(words), words[-1]])
    assert hits.token.tolist() == list(range(count))
    assert hits.lengths.tolist() == [2 * count, 1]


@pytest.mark.parametrize("name", ["words", "tokens(lower=true)", "words(lower=false)"])
def test_without_requested_tokens_there_are_no_hits(name: str) -> None:
    texts = ["some words é " * 40, "", "Ab ἀβγ averylongwordindeed"] * 50
    finder = ByteFinder(Pipeline.parse(name), {})
    for _ in range(20):
        hits = hits_in(finder, texts)
        assert hits.token.tolist() == hits.place.tolist() == []
        assert sorted(hits.lengths.tolist()) == [0] * 50 + [3] * 50 + [120] * 50


def test_a_finder_keeps_nothing_of_the_block_before(pipeline: Pipeline) -> None:
    """The buffers are used again, by small blocks after large ones."""
    blocks = [
        ["a b c é"] * 3,
        ["Zebra " * 500, "", "ein Wort Σ"],
        [""],
        [],
        ["b"] * 100,
        ["ж" * 300 + " x\u0301 b", "b" * 129],
        ["a b c é"] * 3,
    ]
    tokenize = pipeline.tokenizer()
    tokens = number_tokens([tokenize(text) for texts in blocks for text in texts])
    fast, plain = ByteFinder(pipeline, tokens), StringFinder(pipeline, tokens)
    other = fast.copy()
    for texts in blocks:
        expected = by_text(hits_in(plain, texts))
        assert by_text(hits_in(fast, texts)) == expected
        assert by_text(hits_in(other, texts)) == expected


@pytest.mark.parametrize(
    "name", ["icu", "characters", "words(lemmas=en)", "words(html=true)", "tokens(digits=false)"]
)
def test_other_pipelines_are_not_for_bytes(name: str) -> None:
    assert not can_find_in_bytes(Pipeline.parse(name))


# ------------------------------------------------------------------ texts left to Python


def left_over(pipeline: Pipeline, texts: Sequence[str]) -> list[str]:
    """Return the texts that the kernel could not do: those that are decoded."""
    return [texts[number] for number in hits_and_leftovers(pipeline, {"x": 0}, texts)[1]]


def hits_and_leftovers(
    pipeline: Pipeline, tokens: dict[str, int], texts: Sequence[str]
) -> tuple[Hits, list[int]]:
    """Find hits; texts that are left to Python become empty ones at the end, and are listed."""
    left: list[int] = []
    block = block_of(texts)

    def decode(data: bytes, number: int, start: int) -> str:
        left.append(number)
        return ""

    block = TextBlock(block.data, block.starts, block.ends, block.runs, decode)
    hits = ByteFinder(pipeline, tokens)(block, np.ones(len(texts), dtype=np.uint8))
    return hits, left


@pytest.mark.parametrize("name", ["words", "words(lower=false)", "tokens", "tokens(lower=true)"])
def test_common_texts_are_not_left_to_python(name: str) -> None:
    texts = [
        "The quick brown fox, don't!",
        "L'été à Noël: garçons naïfs, œuvres d'ÉCOLE, Ünïcödé, ¿señor? ½ ×",
        "Съешь же ещё этих мягких французских булок, ДА ВЫПЕЙ ЧАЮ",
        "σοφός άνθρωπος Σοφία Ωμέγα",
        "हिन्दी भाषा में कृष्‍ण",
        "मराठी தமிழ் বাংলা ไทย ქართული հայերեն",
        "كتاب می‌خواهم مُحَمَد",
        "שלום עולם",
        "한국어 문장 日本語の文章 中文。",
        "\U00010400\U00010428 \U0001f600 \U0001d400 \U00020000",
        "\u200cword\u200c \u200dw\u200d",
        "\xa0\x85\u2028\u3000",
    ]
    assert left_over(Pipeline.parse(name), texts) == []


def test_what_the_kernel_cannot_do_is_left_to_python() -> None:
    texts = ["İ", "ΟΔΟΣ", "e\u0301", "\u212a", "\u1100\u1161", "\u0323\u0301\u0323", "\ud800"]
    assert left_over(Pipeline.parse("words"), ["a", *texts, "b"]) == texts
    assert left_over(Pipeline.parse("tokens"), ["a", *texts, "b"]) == ["\ud800"]


# ------------------------------------------------------------------ all characters

SURROGATES = range(0xD800, 0xE000)
EVERY = "".join(map(chr, (code for code in range(0x110000) if code not in SURROGATES)))
MARK = "qqq"  # a token that no text has
#: the character is put in the place of the question mark
CONTEXTS = [
    *["?", "a?b", "A?", "?\u0301", "?\u0323", "\u05b0?", "\u0301?", "क?", "??", " ?a", "é?é"],
    *["?\u200d?", "x\u200c\u200d?", "1?\u093c", "Σ?", "?Σ", "\u1100?", "각?"],
]


@pytest.fixture(scope="module")
def known_characters() -> str:
    """All characters that any of our sources of Unicode knows; of the largest scripts a sample."""
    import regex

    letters = set(regex.findall(r"[^\p{Cn}\p{Co}\p{Cs}]", EVERY))
    letters |= {sign for sign in EVERY if unicodedata.category(sign) not in ("Cn", "Co")}
    many = set(regex.findall(r"[\p{Han}\p{Hangul}\p{Tangut}\p{Egyp}]", EVERY))
    many = {sign for sign in many if unicodedata.is_normalized("NFC", sign)}
    assert len(many) > 100_000
    return "".join(sorted(letters - many) + sorted(many)[::29])


def differences(pipeline: Pipeline, texts: Sequence[str]) -> tuple[list[str], list[int]]:
    """Return the texts whose tokens differ, and the numbers of those that were left to Python.

    The plain path reads all texts as one, with a token of its own in between.
    """
    plain = pipeline.tokenizer()(f"\n{MARK}\n".join(texts))
    tokens = {word: number for number, word in enumerate(dict.fromkeys(plain))}
    ids = np.fromiter(map(tokens.__getitem__, plain), dtype=np.int64, count=len(plain))
    between = np.flatnonzero(ids == tokens[MARK])
    lengths = np.diff(between, prepend=-1, append=len(ids)) - 1
    assert len(lengths) == len(texts)
    hits, left = hits_and_leftovers(pipeline, tokens, texts)
    kept = np.ones(len(texts), dtype=np.bool_)
    kept[left] = False
    wrong = np.zeros(len(texts), dtype=np.bool_)
    wrong[kept] = hits.lengths[: kept.sum()] != lengths[kept]
    text_of = np.repeat(np.arange(len(texts)), lengths)
    expected = np.delete(ids, between)[kept[text_of]]
    text_of = text_of[kept[text_of]]
    if not wrong.any() and hits.token.size == expected.size:
        wrong[text_of[hits.token != expected]] = True
        first = np.searchsorted(text_of, text_of)
        wrong[text_of[hits.place != np.arange(len(text_of)) - first]] = True
    else:  # a token is missing: look for it one by one
        by_place = np.split(expected, np.flatnonzero(np.diff(text_of)) + 1)
        owners = text_of[np.flatnonzero(np.diff(text_of, prepend=-1))]
        rank = np.cumsum(kept) - 1
        for owner, wanted in zip(owners.tolist(), by_place, strict=True):
            start, stop = hits.bounds[rank[owner]], hits.bounds[rank[owner] + 1]
            wrong[owner] |= hits.token[start:stop].tolist() != wanted.tolist()
    return [texts[number] for number in np.flatnonzero(wrong).tolist()], left


@pytest.mark.parametrize("name", ["words", "tokens(lower=true)"])
def test_all_characters_give_the_same_hits(name: str) -> None:
    """Eight by eight; most of them are not assigned."""
    pages = [EVERY[start : start + 8] for start in range(0, len(EVERY), 8)]
    texts = [" ".join(f"a{sign}b" for sign in page) for page in pages]
    wrong, left = differences(Pipeline.parse(name), texts)
    assert wrong == []
    assert len(left) < 700


@pytest.mark.parametrize("name", [*WORDS, *TOKENS])
def test_known_characters_give_the_same_hits_beside_others(
    name: str, known_characters: str, stop_file: Path
) -> None:
    pipeline = Pipeline.parse(name.replace("STOP", f"'{stop_file}'"))
    contexts = CONTEXTS if name == "words" else CONTEXTS[: 9 if name in WORDS else 3]
    for context in contexts:
        wrong, left = differences(
            pipeline, [context.replace("?", sign) for sign in known_characters]
        )
        assert wrong == []
        if context == "?":
            assert len(left) < 2000  # else the test says nothing


@pytest.mark.parametrize("name", ["words", "words(lower=false)", "tokens(lower=true)"])
def test_letters_of_common_scripts_are_not_left_to_python(name: str) -> None:
    common = [
        *range(0x100),
        *range(0x391, 0x3A2),  # Greek, but for the capital sigma
        *range(0x3A4, 0x3CF),
        *range(0x400, 0x530),  # Cyrillic
        *range(0x5D0, 0x5EB),  # Hebrew
        *range(0x620, 0x66A),  # Arabic and its marks
        *range(0x904, 0x940),  # Devanagari
        *range(0xE01, 0xE3B),  # Thai
        *range(0x4E00, 0xA000),  # Han
        *range(0xAC00, 0xD7A4),  # Hangul
        *range(0x3041, 0x30FF),  # kana
        *range(0x10400, 0x10450),  # Deseret
    ]
    texts = [chr(code) for code in common if unicodedata.is_normalized("NFC", chr(code))]
    assert len(texts) > 33_000
    assert left_over(Pipeline.parse(name), texts) == []


@pytest.mark.parametrize("name", ["words", "words(lower=false)"])
def test_characters_that_normal_form_joins_are_noticed(name: str) -> None:
    """Each decomposition, whole and in parts, with other marks in between."""
    pairs = set()
    for character in EVERY:
        if unicodedata.normalize("NFD", character) != character:
            parts = unicodedata.normalize("NFD", character)
            pairs |= {parts, parts[:2], parts[::-1]}
            pairs.add(composed(parts[:-1]) + parts[-1])
    syllables = {pair for pair in pairs if "\u1100" <= pair[0] <= "\u1112" or pair[0] >= "\uac00"}
    ordinary = sorted(pairs - syllables) + sorted(syllables)[::23]
    texts = [
        text
        for pair in ordinary
        for mark in ("", "\u0327", "\u0323")
        for text in (pair[0] + mark + pair[1:], pair.upper() + mark, composed(pair) + mark)
    ]
    assert differences(Pipeline.parse(name), texts)[0] == []


def composed(text: str) -> str:
    return unicodedata.normalize("NFC", text)
