"""MALLET's outputs, written as ``ParallelTopicModel`` writes them."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.errors import InputError, TealeavesWarning
from tealeaves.topics import Topics, read_topics

Token = tuple[int, int]  # word, topic
VOCABULARY = ["cat", "dog", "soup", "bread"]
ALPHA, BETA = [0.5, 1.5], 0.1
DOCUMENTS: list[list[Token]] = [[(0, 0), (1, 0), (0, 0)], [(2, 1), (3, 1), (0, 1)], [(1, 0)]]
NAMES = ["a", "b", "c"]


def keys_text(words: Sequence[Sequence[str]], weight: str = "0.05") -> str:
    """As printTopWords does: the number, the weight, and each word with a space behind it."""
    return "".join(
        f"{number}\t{weight}\t{''.join(f'{word} ' for word in listed)}\n"
        for number, listed in enumerate(words)
    )


def state_text(
    documents: Sequence[Sequence[Token]] = DOCUMENTS,
    names: Sequence[str] = NAMES,
    vocabulary: Sequence[str] = VOCABULARY,
    alpha: Sequence[float] | None = ALPHA,
) -> str:
    """As printState does: a line for each token."""
    lines = ["#doc source pos typeindex type topic"]
    if alpha is not None:
        lines += ["#alpha : " + "".join(f"{one} " for one in alpha), f"#beta : {BETA}"]
    lines += [
        f"{number} {name} {position} {word} {vocabulary[word]} {topic}"
        for number, (name, tokens) in enumerate(zip(names, documents, strict=True))
        for position, (word, topic) in enumerate(tokens)
    ]
    return "\n".join(lines) + "\n"


def shares(
    documents: Sequence[Sequence[Token]] = DOCUMENTS, alpha: Sequence[float] = ALPHA
) -> list[list[float]]:
    """As getTopicProbabilities does, in a plain loop."""
    rows = []
    for tokens in documents:
        counts = [sum(topic == k for _, topic in tokens) for k in range(len(alpha))]
        whole = len(tokens) + sum(alpha)
        rows.append([(count + a) / whole for count, a in zip(counts, alpha, strict=True)])
    return rows


def dense_text(rows: Sequence[Sequence[float]], names: Sequence[str] = NAMES) -> str:
    """As printDenseDocumentTopics does."""
    return "".join(
        f"{number}\t{name}" + "".join(f"\t{share}" for share in row) + "\n"
        for number, (name, row) in enumerate(zip(names, rows, strict=True))
    )


def sparse_text(
    rows: Sequence[Sequence[float]],
    names: Sequence[str] = NAMES,
    sign: str = "\t",
    least: float = 0,
) -> str:
    """As printDocumentTopics does: the topics of a document, largest first."""
    lines = ["#doc name topic proportion ..."]
    for number, (name, row) in enumerate(zip(names, rows, strict=True)):
        line = f"{number}{sign}{name}{sign}"
        for share, topic in sorted(((share, k) for k, share in enumerate(row)), reverse=True):
            if share >= least:
                line += f"{topic}{sign}{share}{sign}"
        lines.append(line)
    return "\n".join(lines) + "\n"


def write_folder(folder: Path, **texts: str) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        if name == "state":
            (folder / "topic-state.gz").write_bytes(gzip.compress(text.encode()))
        else:
            (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    return folder


def weights_text() -> str:
    """As printTopicWordWeights does: counts and the prior, every word of every topic."""
    rows = [
        [
            sum((word, k) == token for tokens in DOCUMENTS for token in tokens) + BETA
            for word in range(4)
        ]
        for k in range(2)
    ]
    return "".join(
        f"{k}\t{VOCABULARY[word]}\t{weight}\n"
        for k, row in enumerate(rows)
        for word, weight in enumerate(row)
    )


KEYS = keys_text([["cat", "dog"], ["soup", "bread", "cat"]])


def test_topic_keys_are_read_with_their_ids(tmp_path: Path) -> None:
    write_folder(tmp_path, lda=KEYS)
    result = read_topics(tmp_path / "lda.txt")
    assert result == Topics.of([["cat", "dog"], ["soup", "bread", "cat"]], model="lda")


@pytest.mark.parametrize("weight", ["0.05", "5", "2.5", "0,05", "1.0E-4"])
def test_any_weight_that_java_prints_is_one(tmp_path: Path, weight: str) -> None:
    write_folder(tmp_path, lda=keys_text([["cat", "dog"]], weight))
    assert read_topics(tmp_path / "lda.txt")[0].words == ("cat", "dog")


def test_some_lines_of_topic_keys_keep_their_numbers(tmp_path: Path) -> None:
    write_folder(tmp_path, lda="7\t0.5\tcat dog\n3\t0.1\tsoup\n")
    assert [topic.id for topic in read_topics(tmp_path / "lda.txt").topics] == [7, 3]


def test_the_labels_of_labelled_lda_are_ids(tmp_path: Path) -> None:
    write_folder(tmp_path, lda="pets\t120\tcat dog \nfood\t80\tsoup \n")
    assert [topic.id for topic in read_topics(tmp_path / "lda.txt").topics] == ["pets", "food"]


def test_a_topic_without_words_is_left_out_and_named(tmp_path: Path) -> None:
    write_folder(tmp_path, lda=keys_text([["cat", "dog"], [], ["soup"]]))
    with pytest.warns(TealeavesWarning, match="lda: topic 1 has no words"):
        result = read_topics(tmp_path / "lda.txt")
    assert [topic.id for topic in result.topics] == [0, 2]


@pytest.mark.parametrize("with_keys", [False, True])
def test_a_topic_without_tokens_is_left_out_of_all_that_is_joined(
    tmp_path: Path, with_keys: bool
) -> None:
    """Topics 0 and 2 have the tokens of ``DOCUMENTS``, topic 1 has none.

    θ of document 0, of 3 tokens of topic 0: (3 + 0.5) and (0 + 1.5) of the two that are left.
    """
    tokens = [[(word, 2 * topic) for word, topic in document] for document in DOCUMENTS]
    alpha = [0.5, 4.0, 1.5]
    texts = {"state": state_text(tokens, alpha=alpha)}
    if with_keys:
        texts["keys"] = keys_text([["cat", "dog"], [], ["soup", "bread", "cat"]])
        texts["documents"] = dense_text(shares(tokens, alpha))
    with pytest.warns(TealeavesWarning, match="topic 1 has no words"):
        result = read_topics(write_folder(tmp_path, **texts))
    assert [topic.id for topic in result.topics] == [0, 2]
    assert result.document_topic is not None
    np.testing.assert_allclose(
        result.document_topic, [[3.5 / 5, 1.5 / 5], [0.5 / 5, 4.5 / 5], [1.5 / 3, 1.5 / 3]]
    )
    assert result.topic_word is not None
    np.testing.assert_allclose(result.topic_word[1], [1.1 / 3.4, 0.1 / 3.4, *[1.1 / 3.4] * 2])
    assert result.assignments is not None
    assert result.assignments.topics.tolist() == [0, 0, 0, 1, 1, 1, 0]


def test_weights_of_a_topic_without_tokens_are_left_out(tmp_path: Path) -> None:
    rows = weights_text().replace("1\t", "2\t")
    none = "".join(f"1\t{word}\t{BETA}\n" for word in VOCABULARY)
    first = rows.index("2\tcat")
    write_folder(tmp_path, w=rows[:first] + none + rows[first:])
    with pytest.warns(TealeavesWarning, match="w: topic 1 has no words"):
        result = read_topics(tmp_path / "w.txt")
    assert [topic.id for topic in result.topics] == [0, 2]
    assert result.topic_word is not None
    np.testing.assert_allclose(result.topic_word[1], [1.1 / 3.4, 0.1 / 3.4, *[1.1 / 3.4] * 2])


def test_a_wrong_file_of_document_topics_is_named(tmp_path: Path) -> None:
    folder = write_folder(tmp_path, keys=KEYS, doc_topics="0\ta\tnothing\n")
    with pytest.warns(TealeavesWarning, match=r"without document topics: doc_topics\.txt is"):
        assert read_topics(folder).document_topic is None
    write_folder(tmp_path, other=dense_text(shares()))
    assert read_topics(folder).document_topic is not None


def test_words_that_are_numbers_are_no_topic_keys(tmp_path: Path) -> None:
    """One topic a line, separated by tabs: three words, of which two are numbers."""
    write_folder(tmp_path, lda="0\t1\tcat\n1\t2\tdog\n")
    assert read_topics(tmp_path / "lda.txt")[0].words == ("0", "1", "cat")


def test_a_state_gives_all_matrices(tmp_path: Path) -> None:
    """Worked out by hand: topic 0 has cat twice and dog twice, topic 1 soup, bread and cat once."""
    write_folder(tmp_path, state=state_text())
    result = read_topics(tmp_path / "topic-state.gz")
    assert result.model == "topic-state"
    assert result.vocabulary == ("cat", "dog", "soup", "bread")
    assert [topic.words for topic in result.topics] == [("cat", "dog"), ("cat", "soup", "bread")]
    assert result.topic_word is not None
    np.testing.assert_allclose(
        result.topic_word,
        [[2.1 / 4.4, 2.1 / 4.4, 0.1 / 4.4, 0.1 / 4.4], [1.1 / 3.4, 0.1 / 3.4, *[1.1 / 3.4] * 2]],
    )
    assert result[0].weights == pytest.approx((2.1 / 4.4, 2.1 / 4.4))
    assert result.document_topic is not None
    np.testing.assert_allclose(
        result.document_topic, [[3.5 / 5, 1.5 / 5], [0.5 / 5, 4.5 / 5], [1.5 / 3, 1.5 / 3]]
    )
    assert result.document_ids == ("a", "b", "c")
    assert result.document_lengths is not None
    assert result.document_lengths.tolist() == [3, 3, 1]
    assert result.term_frequency is not None
    assert result.term_frequency.tolist() == [3, 2, 1, 1]
    assert result.assignments is not None
    assert [
        list(zip(words.tolist(), topics.tolist(), strict=True))
        for topics, words in result.assignments
    ] == DOCUMENTS


def test_documents_without_tokens_and_types_that_do_not_occur_are_left_out(tmp_path: Path) -> None:
    write_folder(tmp_path, state=state_text([[], [(3, 0)], [], [(1, 1)]], ["w", "x", "y", "z"]))
    result = read_topics(tmp_path / "topic-state.gz")
    assert result.vocabulary == ("dog", "bread")
    assert result.document_lengths is not None
    assert result.document_lengths.tolist() == [0, 1, 0, 1]
    assert result.document_topic is not None
    np.testing.assert_allclose(result.document_topic[0], [0.25, 0.75])  # the prior: 0.5 and 1.5
    assert result.document_ids is None  # two are not known
    assert result.assignments is not None
    assert result.assignments.words.tolist() == [1, 0]


def test_sources_and_words_may_have_spaces(tmp_path: Path) -> None:
    names = ["file:/my texts/1 0 2.txt", "two  spaces", "plain"]
    vocabulary = ["new york", "dog", "a 0 b", "bread"]
    write_folder(tmp_path, state=state_text(names=names, vocabulary=vocabulary))
    result = read_topics(tmp_path / "topic-state.gz")
    assert result.vocabulary == tuple(vocabulary)
    assert result.document_ids == tuple(names)


@pytest.mark.parametrize("names", [["NA"] * 3, ["null-source", "b", "c"], ["a", "a", "b"]])
def test_unknown_sources_are_no_ids(tmp_path: Path, names: list[str]) -> None:
    write_folder(tmp_path, state=state_text(names=names))
    assert read_topics(tmp_path / "topic-state.gz").document_ids is None


def test_a_state_without_parameters_is_not_smoothed(tmp_path: Path) -> None:
    write_folder(tmp_path, state=state_text(alpha=None))
    with pytest.warns(TealeavesWarning, match="no #alpha and #beta.*not smoothed"):
        result = read_topics(tmp_path / "topic-state.gz")
    assert result.topic_word is not None
    np.testing.assert_allclose(result.topic_word[0], [0.5, 0.5, 0, 0])
    assert result.document_topic is not None
    np.testing.assert_allclose(result.document_topic, [[1, 0], [0, 1], [1, 0]])


@given(
    st.lists(
        st.lists(st.tuples(st.integers(0, 3), st.integers(0, 1)), max_size=6),
        min_size=1,
        max_size=5,
    )
)
def test_any_state_gives_the_tokens_back(
    tmp_path_factory: pytest.TempPathFactory, documents: list[list[Token]]
) -> None:
    documents = [[(0, 0), (1, 1)], *documents]  # no topic is empty
    names = [f"d{number}" for number in range(len(documents))]
    folder = write_folder(
        tmp_path_factory.getbasetemp() / "any", state=state_text(documents, names)
    )
    result = read_topics(folder / "topic-state.gz")
    while not documents[-1]:  # a state does not show a last document without tokens
        documents.pop()
    assert result.vocabulary is not None
    assert result.assignments is not None
    texts = [
        [
            (VOCABULARY.index(result.vocabulary[word]), int(topic))
            for topic, word in zip(topics, words, strict=True)
        ]
        for topics, words in result.assignments
    ]
    assert texts == documents
    assert result.document_topic is not None
    np.testing.assert_allclose(result.document_topic, shares(documents))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("0 a 0 0 cat 0", "0 a 0 0"), r":4: not a line of a MALLET state"),
        (("0 a 0 0 cat 0", "0 a 0 x cat 0"), r":4: not a line of a MALLET state"),
        (("0 a 0 0 cat 0", "0 a 0 0 cat 99999999999"), r":4: not a line of a MALLET state"),
        (("0 a 0 0 cat 0", "0 a 0 0 cat 2"), r"a token has topic 2, but there are 2 values of α"),
        (("0 a 0 0 cat 0", "0 a 0 0 cat -2"), r":4: not a line of a MALLET state"),
        (("0 a 0 0 cat 0", "0 a 0 0 cat -12"), r":4: not a line of a MALLET state"),
        (("0 a 0 0 cat 0", "0 a -1 0 cat 0"), r":4: not a line of a MALLET state"),
        (("0 a 0 0 cat 0", "0 a 0 -1 cat 0"), r":4: not a line of a MALLET state"),
        (("0 a 0 0 cat 0", "-1 a 0 0 cat 0"), r":4: not a line of a MALLET state"),
        (("1 b 0 2 soup 1", "9999999999 b 0 2 soup 1"), r":7: document 9999999999 after 0"),
        (("1 b 0 2 soup 1", "10070 b 0 2 soup 1"), r":7: document 10070 after 0.*one by one"),
        (("2 c 0 1 dog 0", "0 c 0 1 dog 0"), r":10: document 0 after 1.*in their order"),
        (("2 c 0 1 dog 0", "2 c 0 1 wolf 0"), r":10: word 1 is wolf, but was dog above"),
        (("#alpha : 0.5", "#alpha : x"), r":2: not a line of a MALLET state"),
    ],
)
def test_a_wrong_state_is_an_error_that_names_the_line(
    tmp_path: Path, change: tuple[str, str], message: str
) -> None:
    text = state_text()
    assert change[0] in text
    write_folder(tmp_path, state=text.replace(*change, 1))
    with pytest.raises(InputError, match=message) as caught:
        read_topics(tmp_path / "topic-state.gz")
    assert str(tmp_path / "topic-state.gz") in str(caught.value)


def test_a_state_without_tokens_or_cut_short_is_an_error(tmp_path: Path) -> None:
    write_folder(tmp_path, state=state_text([], []))
    with pytest.raises(InputError, match="a MALLET state without tokens"):
        read_topics(tmp_path / "topic-state.gz")
    data = gzip.compress(state_text().encode())
    (tmp_path / "topic-state.gz").write_bytes(data[:-6])
    with pytest.raises(InputError, match=r"the \.gz file is cut short"):
        read_topics(tmp_path / "topic-state.gz")


@pytest.mark.parametrize(
    "text",
    [
        dense_text(shares()),
        "#doc name topic proportion ...\n" + dense_text(shares()),
        sparse_text(shares()),
        sparse_text(shares(), sign=" "),
    ],
)
def test_document_topics_are_joined_to_the_keys(tmp_path: Path, text: str) -> None:
    folder = write_folder(tmp_path / "lda.v2", keys=KEYS, composition=text)
    result = read_topics(folder)
    assert result.model == "lda.v2"
    assert result.topics == Topics.of([["cat", "dog"], ["soup", "bread", "cat"]]).topics
    assert result.document_ids == ("a", "b", "c")
    assert result.document_topic is not None
    np.testing.assert_allclose(result.document_topic, shares())


@pytest.mark.parametrize("sign", ["\t", " "])
def test_names_may_have_spaces_and_numbers(tmp_path: Path, sign: str) -> None:
    names = ["chapter 7", "file:/a b/c d.txt", "9"]
    folder = write_folder(tmp_path, keys=KEYS, documents=sparse_text(shares(), names, sign))
    assert read_topics(folder).document_ids == tuple(names)
    folder = write_folder(tmp_path, keys=KEYS, documents=dense_text(shares(), names))
    assert read_topics(folder).document_ids == tuple(names)


def test_names_with_tabs_do_not_move_the_shares(tmp_path: Path) -> None:
    folder = write_folder(
        tmp_path, keys=KEYS, documents=dense_text(shares(), ["a\tb", "c", "d\t0.5"])
    )
    result = read_topics(folder)
    assert result.document_topic is not None
    np.testing.assert_allclose(result.document_topic, shares())
    assert result.document_ids == ("a b", "c", "d 0.5")


def test_documents_without_names_have_no_ids(tmp_path: Path) -> None:
    folder = write_folder(tmp_path, keys=KEYS, documents=dense_text(shares(), ["no-name"] * 3))
    assert read_topics(folder).document_ids is None


def test_shares_under_the_threshold_are_zero(tmp_path: Path) -> None:
    folder = write_folder(tmp_path, keys=KEYS, documents=sparse_text(shares(), least=0.4))
    result = read_topics(folder)
    assert result.document_topic is not None
    np.testing.assert_allclose(result.document_topic, [[0.7, 0], [0, 0.9], [0.5, 0.5]])


def test_with_a_state_no_share_is_lost_to_the_threshold(tmp_path: Path) -> None:
    texts = {"documents": sparse_text(shares(), least=0.4), "state": state_text()}
    result = read_topics(write_folder(tmp_path, keys=KEYS, **texts))
    assert result.document_topic is not None
    np.testing.assert_allclose(result.document_topic, shares())


def test_all_outputs_make_one_model(tmp_path: Path) -> None:
    names = ["x", "y", "z", "empty"]
    rows = [*shares(), [0.25, 0.75]]
    folder = write_folder(
        tmp_path / "run", keys=KEYS, documents=dense_text(rows, names), state=state_text()
    )
    (folder / "corpus.mallet").write_bytes(b"\xac\xed\x00\x05sr")
    (folder / "diagnostics.xml").write_text("<?xml version='1.0' ?>\n<model></model>\n")
    (folder / "empty.txt").touch()
    (folder / ".hidden.txt").write_text(KEYS)
    (folder / "more").mkdir()
    result = read_topics(folder)
    assert result[1].words == ("soup", "bread", "cat")  # the keys' own order
    assert result.document_ids == tuple(names)
    assert result.documents == 4
    assert result.document_lengths is not None
    assert result.document_lengths.tolist() == [3, 3, 1, 0]
    assert result.topic_word is not None
    assert result.assignments is not None


def test_weights_and_state_give_the_same_words(tmp_path: Path) -> None:
    write_folder(tmp_path, weights=weights_text(), state=state_text())
    result, state = read_topics(tmp_path / "weights.txt"), read_topics(tmp_path / "topic-state.gz")
    assert [topic.words for topic in result.topics] == [topic.words for topic in state.topics]
    assert result.vocabulary == state.vocabulary
    assert result.topic_word is not None
    assert state.topic_word is not None
    np.testing.assert_allclose(result.topic_word, state.topic_word)


def test_weights_are_joined_to_keys_and_documents(tmp_path: Path) -> None:
    result = read_topics(write_folder(tmp_path, k=KEYS, w=weights_text(), d=dense_text(shares())))
    assert result[1].words == ("soup", "bread", "cat")
    assert result.topic_word is not None
    np.testing.assert_allclose(result.topic_word[0], [2.1 / 4.4, 2.1 / 4.4, 0.1 / 4.4, 0.1 / 4.4])
    assert result.document_ids == ("a", "b", "c")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("1\tcat", "1\twolf"), r"w\.txt:5: topic '1' and word 'wolf' are not in their place"),
        (("1\tdog", "2\tdog"), r"w\.txt:6: topic '2' and word 'dog' are not in their place"),
        (("1\tbread\t1.1\n", ""), r"w\.txt: the last topic lacks words"),
    ],
)
def test_wrong_weights_are_an_error_that_names_the_line(
    tmp_path: Path, change: tuple[str, str], message: str
) -> None:
    assert change[0] in weights_text()
    write_folder(tmp_path, w=weights_text().replace(*change))
    with pytest.raises(InputError, match=message):
        read_topics(tmp_path / "w.txt")


def test_document_topics_alone_are_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    write_folder(tmp_path, composition=dense_text(shares()))
    for path in (tmp_path, tmp_path / "composition.txt"):
        with pytest.raises(InputError, match=r"without words: put --output-topic-keys.*folder"):
            read_topics(path)


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (
            {"keys": KEYS, "state": state_text(alpha=[1, 1, 1])},
            r"the files have 2 and 3 topics: are they of one model\?",
        ),
        (
            {"keys": KEYS, "d": dense_text([[0.2, 0.3, 0.5]], ["a"])},
            r"d\.txt:1: the last 2 shares sum to 0\.8, not to 1",
        ),
        ({"keys": KEYS, "d": dense_text([[1.0]], ["a"])}, r"d\.txt:1: 1 shares, but there are 2"),
        (
            {"keys": KEYS, "d": sparse_text([[0.0, 0.0, 1.0]], ["a"])},
            r"d\.txt:2: topic 2, but there are 2 topics",
        ),
        (
            {"d": dense_text(shares()[:2], NAMES[:2]), "state": state_text()},
            r"the state has 3 documents, the document topics 2",
        ),
        (
            {"keys": KEYS, "d": "#doc name topic proportion ...\n5\ta\t0\t1.0\t\n"},
            r"d\.txt:2: document '5' instead of 0",
        ),
        (
            {"keys": KEYS, "d": "#doc name topic proportion ...\n0\ta\tmuch\tlittle\n"},
            r"d\.txt:2: 2 shares, but there are 2 topics",
        ),
        ({"keys": "1\t1\ta b\n0\t1\tc\n", "state": state_text()}, r"topics 0 to 1 in their order"),
        ({"keys": KEYS, "other": KEYS}, r"two files of topic keys, keys\.txt and other\.txt"),
    ],
)
def test_files_that_do_not_belong_together_are_refused(
    tmp_path: Path, texts: dict[str, str], message: str
) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read_topics(write_folder(tmp_path, **texts))
    assert str(tmp_path) in str(caught.value)
