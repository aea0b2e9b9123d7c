"""The outputs of MALLET's polylingual model, written as ``PolylingualTopicModel`` writes them."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tealeaves.errors import InputError, TealeavesWarning
from tealeaves.topics import MultilingualTopics, Topics, read_topics

Token = tuple[int, int]  # word, topic
Tuple = Sequence[Sequence[Token]]  # the tokens of each language
VOCABULARIES = [["cat", "dog", "soup"], ["gato", "perro", "sopa"]]
ALPHA, BETAS = [0.5, 1.5], [0.1, 0.25]
# the second lacks Spanish, the third both
TUPLES: list[Tuple] = [
    [[(0, 0), (1, 0), (0, 0)], [(0, 0), (2, 1)]],
    [[(2, 1), (0, 1)], []],
    [[], []],
    [[(1, 0)], [(1, 0), (0, 0)]],
]
WORDS = [[["cat", "dog"], ["soup", "cat"]], [["gato", "perro"], ["sopa"]]]


def counts(tuples: Sequence[Tuple], language: int, topics: int) -> list[list[int]]:
    """The tokens of each topic and word of a language, in a plain loop."""
    table = [[0] * len(VOCABULARIES[language]) for _ in range(topics)]
    for sides in tuples:
        for word, topic in sides[language]:
            table[topic][word] += 1
    return table


def keys_text(
    words: Sequence[Sequence[Sequence[str]]] = WORDS,
    alpha: Sequence[str] = ("0.5", "1.5"),
    betas: Sequence[str] = ("0.1", "0.25"),
) -> str:
    """As printTopWords does: a topic, then a line for each language."""
    lines = []
    for topic, weight in enumerate(alpha):
        lines.append(f"{topic}\t{weight}\n")
        for language, listed in enumerate(words):
            said = "".join(f"{word} " for word in listed[topic])
            lines.append(f" {language}\t{len(listed[topic])}\t{betas[language]}\t{said}\n")
    return "".join(lines)


def state_text(tuples: Sequence[Tuple] = TUPLES) -> str:
    """As printState does: a line for each token, without weights."""
    lines = ["#doc lang pos typeindex type topic\n"]
    for document, sides in enumerate(tuples):
        for language, tokens in enumerate(sides):
            for position, (word, topic) in enumerate(tokens):
                name = VOCABULARIES[language][word]
                lines.append(f"{document} {language} {position} {word} {name} {topic}\n")
    return "".join(lines)


def documents_text(tuples: Sequence[Tuple] = TUPLES, topics: int = 2) -> str:
    """As printDocumentTopics does: no name, pairs by their share, two spaces at the end."""
    lines = ["#doc source topic proportion ...\n"]
    for document, sides in enumerate(tuples):
        tokens = [topic for side in sides for _, topic in side]
        pairs = [
            (k, tokens.count(k) / len(tokens) if tokens else float("nan")) for k in range(topics)
        ]
        said = "".join(
            f"{k} {'NaN' if share != share else share} "
            for k, share in sorted(pairs, key=lambda pair: -pair[1])
        )
        lines.append(f"{document} {said} \n")
    return "".join(lines)


def folder(path: Path, **files: str) -> Path:
    path.mkdir(exist_ok=True)
    for name, text in files.items():
        if name == "state":
            (path / "state.gz").write_bytes(gzip.compress(text.encode()))
        else:
            (path / f"{name}.txt").write_text(text, encoding="utf-8")
    return path


def multilingual(result: Topics) -> MultilingualTopics:
    assert isinstance(result, MultilingualTopics)
    return result


def file(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_topic_keys_alone(tmp_path: Path) -> None:
    path = file(tmp_path / "keys.txt", keys_text())
    assert read_topics(path) == MultilingualTopics.of_languages(
        dict(zip("01", WORDS, strict=True)), model="keys"
    )


@pytest.mark.parametrize("said", ["en,es", "en, es", ["en", "es"], ("en", "es")])
def test_languages_are_named_by_the_caller(tmp_path: Path, said: Any) -> None:
    path = file(tmp_path / "keys.txt", keys_text())
    result = multilingual(read_topics(path, languages=said))
    assert result.languages == ("en", "es")
    assert result.side("es")[1].words == ("sopa",)


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("en", r"keys.txt: 2 languages, but 1 named \(en\): name all"),
        ("en,es,fr", r"keys.txt: 2 languages, but 3 named \(en, es, fr\)"),
        (["en", "en"], r"keys.txt: the languages \(--languages\) have one twice: en, en"),
        (["en", "e s"], r"keys.txt: 'e s' is no name of a language"),
    ],
)
def test_wrong_names_of_languages_are_an_error(tmp_path: Path, said: Any, message: str) -> None:
    path = file(tmp_path / "keys.txt", keys_text())
    with pytest.raises(InputError, match=message):
        read_topics(path, languages=said)


def test_names_of_languages_have_no_meaning_for_a_plain_file(tmp_path: Path) -> None:
    path = file(tmp_path / "plain.json", '[["a"]]')
    with pytest.raises(InputError, match="languages has no meaning for such a file"):
        read_topics(path, languages="en,es")


def test_numbers_may_have_a_decimal_comma_or_an_exponent(tmp_path: Path) -> None:
    text = keys_text(alpha=("0,5", "5"), betas=("1.0E-4", "0.01"))
    path = file(tmp_path / "keys.txt", text.replace("\n", "\r\n"))
    assert len(read_topics(path)) == 2


def test_a_topic_without_words_in_one_language_is_left_out_of_all(tmp_path: Path) -> None:
    words = [[["cat"], ["dog"], ["soup"]], [["gato"], [], ["sopa"]]]
    path = file(tmp_path / "keys.txt", keys_text(words, alpha=("1", "1", "1")))
    with pytest.warns(TealeavesWarning, match="topic 1 has no words in some language"):
        result = multilingual(read_topics(path))
    assert [topic.id for topic in result.topics] == [0, 2]
    assert [topic.words for topic in result.side("1").topics] == [("gato",), ("sopa",)]


def test_no_topic_with_words_everywhere_is_an_error(tmp_path: Path) -> None:
    path = file(tmp_path / "keys.txt", keys_text([[["cat"]], [[]]], alpha=("1",)))
    with pytest.raises(InputError, match=r"keys.txt: every topic has no words in some"):
        read_topics(path)


def test_one_language_is_plain_topics(tmp_path: Path) -> None:
    path = file(tmp_path / "keys.txt", keys_text(WORDS[:1]))
    assert read_topics(path) == Topics.of(WORDS[0], model="keys")
    assert read_topics(path, languages=["en"]) == Topics.of(WORDS[0], model="keys", language="en")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("1\t1.5", "2\t1.5"), r"keys.txt:4: topic 2 instead of 1"),
        ((" 1\t1\t", " 2\t1\t"), r"keys.txt:6: language 2 instead of 1"),
        ((" 1\t1\t0.25\tsopa \n", ""), r"topic 1 has 1 languages, the first has 2"),
        ((" 1\t2\t0.25\tgato perro \n", ""), r"keys.txt:5: topic 1 has more languages.*first, 1"),
        (("sopa \n", "sopa \n 2\t1\t0.1\tx \n"), r"keys.txt:7: topic 1 has more languages"),
        (("sopa \n", "sopa \n2\t1.5\n"), r"topic 2 has 0 languages, the first has 2"),
    ],
)
def test_wrong_topic_keys_are_an_error_that_names_the_place(
    tmp_path: Path, change: tuple[str, str], message: str
) -> None:
    text = keys_text()
    assert change[0] in text
    path = file(tmp_path / "keys.txt", text.replace(*change))
    with pytest.raises(InputError, match=message) as caught:
        read_topics(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_foreign_line_is_an_error_and_no_other_format(tmp_path: Path) -> None:
    path = file(tmp_path / "keys.txt", keys_text() + "and so on\n")
    with pytest.raises(InputError, match=r"keys.txt:7: not a line of polylingual topic keys"):
        read_topics(path)


def check_state(result: Topics, tuples: Sequence[Tuple], alpha: Any, betas: Any) -> None:
    """Compare with φ and θ of a plain loop over the tokens."""
    topics = multilingual(result)
    for language, name in enumerate(topics.languages):
        side = topics.side(name)
        assert side.vocabulary is not None
        assert side.topic_word is not None
        assert side.assignments is not None
        table = counts(tuples, language, len(alpha))
        used = [v for v in range(len(VOCABULARIES[language])) if any(row[v] for row in table)]
        assert side.vocabulary == tuple(VOCABULARIES[language][v] for v in used)
        phi = [
            [(row[v] + betas[language]) / (sum(row) + len(used) * betas[language]) for v in used]
            for row in table
        ]
        np.testing.assert_allclose(side.topic_word, phi, atol=1e-12)
        expected = [[topic for _, topic in sides[language]] for sides in tuples]
        assert [row.tolist() for row, _ in side.assignments] == expected
        assert side.term_frequency is not None
        assert side.term_frequency.tolist() == [sum(row[v] for row in table) for v in used]
    assert topics.document_topic is not None
    for row, sides in zip(topics.document_topic, tuples, strict=True):
        tokens = [topic for side in sides for _, topic in side]
        whole = len(tokens) + sum(alpha)
        theta = [(tokens.count(k) + a) / whole if whole else 0 for k, a in enumerate(alpha)]
        np.testing.assert_allclose(row, theta, atol=1e-12)
    assert topics.document_languages is not None
    assert topics.document_languages.tolist() == [[bool(one) for one in sides] for sides in tuples]
    assert topics.document_lengths is not None
    assert topics.document_lengths.tolist() == [sum(map(len, sides)) for sides in tuples]


def test_a_state_alone_is_not_smoothed_and_says_so(tmp_path: Path) -> None:
    path = folder(tmp_path / "m", state=state_text()) / "state.gz"
    with pytest.warns(TealeavesWarning, match="has no α and β: .* are not smoothed"):
        result = read_topics(path, languages="en,es", top=1)
    check_state(result, TUPLES, [0, 0], [0, 0])
    # of cat 2, dog 2 (topic 0), and of soup 1, cat 1 (topic 1), the first types
    assert [topic.words for topic in multilingual(result).side("en").topics] == [("cat",), ("cat",)]


def test_a_folder_joins_the_state_with_the_weights_of_the_keys(tmp_path: Path) -> None:
    path = folder(tmp_path / "m", state=state_text(), keys=keys_text(), doc_topics=documents_text())
    result = read_topics(path)
    check_state(result, TUPLES, ALPHA, BETAS)
    assert result.model == "m"
    assert [topic.words for topic in multilingual(result).side("1").topics] == [
        ("gato", "perro"),
        ("sopa",),
    ]


def test_tuples_without_tokens_at_the_end_are_known_from_the_document_topics(
    tmp_path: Path,
) -> None:
    tuples = [*TUPLES, [[], []]]
    path = folder(
        tmp_path / "m", state=state_text(tuples), keys=keys_text(), docs=documents_text(tuples)
    )
    check_state(read_topics(path), tuples, ALPHA, BETAS)


def test_keys_and_document_topics(tmp_path: Path) -> None:
    path = folder(tmp_path / "m", keys=keys_text(), docs=documents_text())
    result = multilingual(read_topics(path, languages=["en", "es"]))
    assert result.document_topic is not None
    # 4 of 5 tokens, 0 of 2, none, 3 of 3
    assert result.document_topic.tolist() == [[0.8, 0.2], [0, 1], [0, 0], [1, 0]]
    assert result.documents_per_topic() == ([2, 1], 1)


def test_state_and_document_topics_without_keys(tmp_path: Path) -> None:
    # the last topic of three has no tokens, which the state cannot know
    path = folder(tmp_path / "m", state=state_text(), docs=documents_text(topics=3))
    with pytest.warns(TealeavesWarning, match="not smoothed"):
        check_state(read_topics(path), TUPLES, [0, 0], [0, 0])


def test_shares_below_a_threshold_are_zero(tmp_path: Path) -> None:
    text = "#doc source topic proportion ...\n0 1 0.6  \n1  \n"
    result = read_topics(folder(tmp_path / "m", keys=keys_text(), docs=text))
    assert result.document_topic is not None
    assert result.document_topic.tolist() == [[0, 0.6], [0, 0]]


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (
            {"keys": keys_text(alpha=("1",)), "state": state_text()},
            r"m: the topic keys have 1 topics in 2 languages, the state 2 in 2: are they of one",
        ),
        (
            {"keys": keys_text(WORDS[:1]), "state": state_text()},
            r"m: the topic keys have 2 topics in 1 languages, the state 2 in 2: are they of one",
        ),
        (
            {"keys": keys_text(), "state": state_text(), "docs": documents_text(TUPLES[:2])},
            r"m: the state has 4 documents, the document topics 2: are the files of one model",
        ),
        (
            {"keys": keys_text(), "docs": documents_text(topics=3)},
            r"docs.txt:2: topic 2, but there are 2 topics",
        ),
        (
            {"keys": keys_text(), "docs": documents_text().replace("\n1 ", "\n2 ")},
            r"docs.txt:3: document '2' instead of 1",
        ),
        (
            {"keys": keys_text(), "docs": documents_text().replace("\n1 ", "\n1 name ")},
            r"docs.txt:3: not the number of a document, then pairs",
        ),
        (
            {"keys": keys_text(), "docs": "#doc source topic proportion ...\n0 0 0.9 1 0.9  \n"},
            r"docs.txt:2: not the number of a document, then pairs",
        ),
        ({"keys": keys_text(), "other": keys_text()}, r"m: two files of polylingual topic keys"),
    ],
)
def test_files_of_different_models_are_an_error(
    tmp_path: Path, files: dict[str, str], message: str
) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read_topics(folder(tmp_path / "m", **files))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("0 0 1 1 dog 0", "0 0 1 dog 0"), r":3: not a line of a polylingual MALLET state"),
        (("0 0 1 1 dog 0", "0 -1 1 1 dog 0"), r":3: not a line of a polylingual MALLET state"),
        (("0 0 1 1 dog 0", "0 9999 1 1 dog 0"), r":3: not a line of a polylingual MALLET state"),
        (("0 0 1 1 dog 0", "0 0 1 1 dog x"), r":3: not a line of a polylingual MALLET state"),
        (("0 0 1 1 dog 0", "0 0 1 0 dog 0"), r":3: word 0 is dog, but was cat above"),
        (("0 0 1 1 dog 0", "9999999999 0 1 1 dog 0"), r":3: document 9999999999 after 0"),
        (("0 0 1 1 dog 0", "0 0 1 1 dog -2"), r":3: not a line of a polylingual MALLET state"),
        (("0 0 1 1 dog 0", "0 0 -1 1 dog 0"), r":3: not a line of a polylingual MALLET state"),
        (("0 0 1 1 dog 0", "0 0 1 -1 dog 0"), r":3: not a line of a polylingual MALLET state"),
        (("0 0 1 1 dog 0", "0 0 1 1 dog 99999999999"), r":3: not a line of a polylingual"),
        (("0 0 1 1 dog 0", "0 0 1 1 dog 999"), r"highest topic is 999 in a state of 10 tokens"),
        (("0 0 1 1 dog 0", "0 3 1 1 dog 0"), r"a MALLET state without tokens of language 2"),
    ],
)
@pytest.mark.filterwarnings("ignore:.*not smoothed")
def test_a_wrong_state_is_an_error_that_names_the_line(
    tmp_path: Path, change: tuple[str, str], message: str
) -> None:
    assert change[0] in state_text()
    path = file(tmp_path / "state.txt", state_text().replace(*change))
    with pytest.raises(InputError, match=message) as caught:
        read_topics(path)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


def test_a_state_without_tokens_is_an_error(tmp_path: Path) -> None:
    path = file(tmp_path / "state.txt", state_text([]))
    with pytest.raises(InputError, match=r"state.txt: a MALLET state without tokens$"):
        read_topics(path)


def test_a_word_may_hold_spaces(tmp_path: Path) -> None:
    text = state_text().replace(" dog ", " guide dog ")
    with pytest.warns(TealeavesWarning, match="not smoothed"):
        result = multilingual(read_topics(file(tmp_path / "state.txt", text)))
    assert result.side("0")[0].words == ("cat", "guide dog")


def test_document_topics_alone_have_no_words(tmp_path: Path) -> None:
    path = file(tmp_path / "docs.txt", documents_text())
    with pytest.raises(InputError, match="document topics of MALLET, without words"):
        read_topics(path)


TOKENS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1)), max_size=4)


@settings(deadline=None, max_examples=40)
@given(st.lists(st.tuples(TOKENS, TOKENS), max_size=4))
def test_a_folder_of_any_tokens_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, drawn: list[tuple[list[Token], list[Token]]]
) -> None:
    tuples: list[Tuple] = [*TUPLES, *drawn]
    path = folder(
        tmp_path_factory.getbasetemp() / "polylingual",
        state=state_text(tuples),
        keys=keys_text(),
        docs=documents_text(tuples),
    )
    check_state(read_topics(path), tuples, ALPHA, BETAS)


def test_what_is_read_is_written_and_read_back(tmp_path: Path) -> None:
    path = folder(tmp_path / "m", state=state_text(), keys=keys_text(), doc_topics=documents_text())
    read_topics(path, languages="en,es").save(tmp_path / "m.topics")
    back = read_topics(tmp_path / "m.topics")
    check_state(back, TUPLES, ALPHA, BETAS)
    assert back == read_topics(path, languages="en,es")
