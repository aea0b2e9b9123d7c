"""Counts do not depend on threads, blocks, formats and interruptions."""

from __future__ import annotations

import bz2
import codecs
import csv
import gzip
import json
import random
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tealeaves.errors import EvidenceError, InputError, TealeavesError
from tealeaves.evidence import CountRequest, Counts, Term, Unit, count_corpus
from tealeaves.kernels import in_python
from tealeaves.text import Corpus, Document, Pipeline, blocks

from ...calls import call_growth  # noqa: TID252

WORDS = Pipeline.parse("words")
TOKENS = Pipeline.parse("tokens")
NAMES = ["tea", "Tea", "leaf", "été", "чай", "茶", "cup", "longerthaneight", "never"]
TOPIC = [Term((name.lower(),)) for name in NAMES]
SEQUENCES = [Term(("tea", "leaf")), Term(("leaf", "tea", "cup")), Term(("cup", "cup")), Term(())]
SETS = [TOPIC[:4], TOPIC[2:6], TOPIC[:3]]
UNITS = [Unit(), Unit("window", 10), Unit("window", 110)]
REQUESTS = [
    *(CountRequest.of(unit, [TOPIC[:6], TOPIC[3:]], SETS) for unit in UNITS),
    CountRequest.of(Unit("context", 5), [TOPIC]),
    CountRequest.of(Unit("window", 3, "gensim"), [TOPIC]),
]
WITH_SEQUENCES = [
    *(CountRequest.of(unit, [[*TOPIC, *SEQUENCES]], [SEQUENCES[:3]]) for unit in UNITS),
    CountRequest.of(Unit("context", 5), [[*TOPIC, *SEQUENCES]]),
]
SIZES = [1, 2, 3, 7, 64, 1000, 1 << 20]


def sentences(count: int, seed: int = 1) -> list[str]:
    """Make texts of all lengths, some of which only Python can split."""
    rng = random.Random(seed)
    words = [*NAMES[:-1], "x", "İ", "ΟΔΟΣ", "e\u0301te\u0301", "tea\u200cleaf", "9", "tea."]
    weights = [8] * (len(NAMES) - 1) + [8] + [1] * 6
    lengths = [0, 1, 2, 9, 10, 11, 40, 130]
    return [" ".join(rng.choices(words, weights, k=rng.choice(lengths))) for _ in range(count)]


def count_in_python(
    corpus: Corpus, pipeline: Pipeline, requests: Sequence[CountRequest]
) -> list[Counts]:
    """Count document by document, in Python."""
    with in_python():
        return count_corpus(Corpus.of(corpus), pipeline, requests)


def numbers(counts: Iterable[Counts]) -> list[object]:
    """Everything but where the texts came from."""
    return [
        (
            c.unit,
            c.totals,
            c.fingerprint.documents,
            c.fingerprint.digest,
            c.singles.tolist(),
            c.pair_counts.tolist(),
            c.set_counts.tolist(),
        )
        for c in counts
    ]


# ------------------------------------------------------------------ blocks and threads

TEXTS = sentences(25)
BODY = "\n".join(TEXTS).encode()
FILES = {
    "ends with a line break": BODY + b"\n",
    "ends without": BODY,
    "returns": BODY.replace(b"\n", b"\r\n"),
    "a mark and returns": codecs.BOM_UTF8 + BODY.replace(b"\n", b"\r\r\n") + b"\r\n",
    "blank lines": b"\n\n" + BODY.replace(b"\n", b"\n\n") + b"\n\n\n",
    "lines of eight bytes": b"tea cup\nleaf 4\n\nt\xc3\xa9a 12\n" * 20,
    "a long line": b"tea\n" + b"tea leaf cup " * 1000 + b"\ncup\n",
    "a long line and nothing else": b"tea leaf cup " * 500,
    "nothing": b"",
    "one line break": b"\n",
    "one byte": b"x",
    "a mark alone": codecs.BOM_UTF8,
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("requests", [REQUESTS, WITH_SEQUENCES], ids=["words", "sequences"])
def test_counts_do_not_depend_on_blocks_and_threads(
    tmp_path: Path, name: str, requests: list[CountRequest]
) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(FILES[name])
    corpus = Corpus.open(path)
    expected = count_in_python(corpus, WORDS, requests)
    assert expected[0].totals.documents == len(list(corpus))
    for place, size in enumerate(SIZES):
        for threads in ((1, 2), (4,), (2,), (1,))[place % 4]:
            assert (
                count_corpus(corpus, WORDS, requests, threads=threads, block_bytes=size) == expected
            )


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_a_block_that_ends_where_a_line_does(tmp_path: Path, threads: int) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"tea cup\n" * 64)
    corpus = Corpus.open(path)
    request = [CountRequest.of(Unit(), [[Term(("cup",)), Term(("tea",))]])]
    for size in (7, 8, 9, 15, 16, 17, 24, 256, 511, 512, 513):
        [counts] = count_corpus(corpus, TOKENS, request, threads=threads, block_bytes=size)
        assert counts.totals.documents == counts.totals.units == 64
        assert (counts.totals.tokens, counts.totals.empty) == (128, 0)
        assert counts.pair(Term(("cup",)), Term(("tea",))) == 64


@pytest.mark.parametrize(
    "tokens", ["words", "tokens(lower=true, min_tokens=2)", "words(html=true)"]
)
def test_a_corpus_of_several_files_and_texts_in_memory(tmp_path: Path, tokens: str) -> None:
    """More than is counted in Python, so that all default paths are taken."""
    for number in range(3):
        texts = sentences(500 * number, seed=number)
        (tmp_path / f"{number}.txt").write_text("\n".join(texts), encoding="utf-8")
    corpus = Corpus.open(tmp_path / "*.txt")
    assert corpus.size > 1 << 17
    pipeline = Pipeline.parse(tokens)
    expected = count_in_python(corpus, pipeline, REQUESTS)
    assert count_corpus(corpus, pipeline, REQUESTS) == expected
    for threads, size in ((1, 5000), (2, 777), (4, 20_000)):
        assert (
            count_corpus(corpus, pipeline, REQUESTS, threads=threads, block_bytes=size) == expected
        )
        held = count_corpus(
            Corpus.of(corpus), pipeline, REQUESTS, threads=threads, block_bytes=size
        )
        assert held == expected


@pytest.mark.parametrize("unit", [Unit(), Unit("window", 10)], ids=str)
def test_an_empty_request_counts_nothing(tmp_path: Path, unit: Unit) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(BODY)
    for terms in ([], [Term(())]):
        request = [CountRequest.of(unit, [terms])]
        expected = count_in_python(Corpus.open(path), WORDS, request)
        assert (
            count_corpus(Corpus.open(path), WORDS, request, threads=2, block_bytes=100) == expected
        )


tokens_of_texts = st.lists(st.lists(st.sampled_from("abcde"), max_size=30), max_size=8)
some_terms = [
    *(Term((word,)) for word in "abcz"),
    *[Term(("a", "b")), Term(("b", "a", "a")), Term(("c", "c"))],
]


@settings(max_examples=40)
@given(
    tokens_of_texts,
    st.integers(1, 40),
    st.sets(st.sampled_from(some_terms), min_size=1),
    st.lists(st.sets(st.sampled_from(some_terms), min_size=3), max_size=4),
)
def test_machine_code_counts_as_python_does(
    texts: list[list[str]], size: int, terms: set[Term], sets: list[set[Term]]
) -> None:
    topics = [sorted(terms), *([term] for term in some_terms)]
    requests = [
        CountRequest.of(Unit(), topics, sets),
        CountRequest.of(Unit("window", size), topics, sets),
        CountRequest.of(Unit("context", size), topics),
        CountRequest.of(Unit("window", size, "gensim"), topics),
        CountRequest.of(Unit("document", None, "gensim"), topics),
    ]
    compiled = count_corpus(Corpus.of(texts), TOKENS, requests, block_bytes=20)
    with in_python():
        assert count_corpus(Corpus.of(texts), TOKENS, requests, block_bytes=20) == compiled


def test_more_threads_than_blocks(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"tea\n" * 5)
    for threads in (5, 6, 50):
        [counts] = count_corpus(
            Corpus.open(path), TOKENS, REQUESTS[:1], threads=threads, block_bytes=4
        )
        assert counts.single(Term(("tea",))) == counts.totals.documents == 5


@pytest.mark.parametrize(("threads", "size"), [(0, 1), (-1, 1), (1, 0)])
def test_threads_and_bytes_must_be_at_least_one(threads: int, size: int) -> None:
    with pytest.raises(InputError, match="at least 1"):
        count_corpus(Corpus.of(["a"]), TOKENS, REQUESTS, threads=threads, block_bytes=size)


# ------------------------------------------------------------------ going on


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_any_checkpoint_is_resumed_to_the_same_end(tmp_path: Path, threads: int) -> None:
    rng = random.Random(threads)
    for number in range(2):
        texts = sentences(60, seed=number)
        (tmp_path / f"{number}.txt").write_text("\n".join(texts), encoding="utf-8")
    corpus = Corpus.open(tmp_path / "*.txt")
    whole = count_in_python(corpus, WORDS, REQUESTS)
    saved: list[list[Counts]] = []
    again = count_corpus(
        corpus, WORDS, REQUESTS, threads=threads, block_bytes=600, on_checkpoint=saved.append,
        checkpoint=0.0,
    )  # fmt: skip
    assert again == whole
    done = [one[0].totals.documents for one in saved]
    assert done == sorted(set(done))
    assert len(saved) > 10
    for unfinished in rng.sample(saved, 4):
        for others, size in ((1, 333), (2, 5000)):
            resumed = count_corpus(
                corpus, WORDS, REQUESTS, threads=others, block_bytes=size, resume=unfinished
            )
            assert resumed == whole


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_a_count_can_be_stopped_and_resumed_several_times(tmp_path: Path, threads: int) -> None:
    path = tmp_path / "a.txt"
    path.write_text("\n".join(sentences(150)), encoding="utf-8")
    corpus = Corpus.open(path)
    whole = count_in_python(corpus, WORDS, REQUESTS)
    rng = random.Random(threads)
    kept: list[Counts] = []
    for _ in range(4):
        saved: list[list[Counts]] = []
        answers = iter([False] * rng.randrange(1, 8) + [True])
        with pytest.raises(KeyboardInterrupt):
            count_corpus(
                corpus, WORDS, REQUESTS, threads=threads, block_bytes=rng.choice([100, 900, 2000]),
                resume=kept, checkpoint=1e9, on_checkpoint=saved.append,
                stop=partial(next, answers),
            )  # fmt: skip
        [kept] = saved
    assert count_corpus(corpus, WORDS, REQUESTS, threads=threads, resume=kept) == whole


def test_a_file_that_begins_like_another_is_not_a_copy(tmp_path: Path) -> None:
    """Half-way through the second file, both seem to hold the same texts."""
    (tmp_path / "1.txt").write_text("a b\nb c\n")
    (tmp_path / "2.txt").write_text("a b\nb c\nc d\n")
    corpus = Corpus.open(tmp_path / "*.txt")
    whole = count_in_python(corpus, TOKENS, REQUESTS)
    saved: list[list[Counts]] = []
    assert count_corpus(corpus, TOKENS, REQUESTS, threads=1, block_bytes=1) == whole
    again = count_corpus(
        corpus,
        TOKENS,
        REQUESTS,
        threads=1,
        block_bytes=1,
        on_checkpoint=saved.append,
        checkpoint=0.0,
    )
    assert again == whole
    for unfinished in saved:
        assert count_corpus(corpus, TOKENS, REQUESTS, resume=unfinished) == whole


# ------------------------------------------------------------------ formats


@pytest.fixture(scope="module")
def formats(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The same documents in many forms."""
    import polars as pl

    folder = tmp_path_factory.mktemp("formats")
    texts = [text or "tea" for text in sentences(120)]  # a folder is no place for empty files
    lines = "".join(f"{text}\n" for text in texts).encode()
    ascii_and_not = enumerate(texts)
    objects = [
        json.dumps(
            {"id": number, "text": text, "more": {"text": "no"}}, ensure_ascii=number % 2 == 0
        )
        for number, text in ascii_and_not
    ]
    files = {
        "a.txt": lines,
        "b.jsonl": "\n".join(objects).encode(),
        "c.jsonl.gz": gzip.compress("\r\n".join(objects).encode()),
        "d.txt.bz2": bz2.compress(lines),
        "e.txt.gz": gzip.compress(lines[:2000]) + gzip.compress(lines[2000:]),
    }
    for name, data in files.items():
        (folder / name).write_bytes(data)
    with (folder / "f.csv").open("w", newline="", encoding="utf-8") as stream:
        table = csv.writer(stream)
        table.writerows([("id", "text"), *((str(n), text) for n, text in enumerate(texts))])
    pl.DataFrame({"text": texts, "n": range(len(texts))}).write_parquet(folder / "g.parquet")
    (folder / "h").mkdir()
    for number, text in enumerate(texts):
        (folder / "h" / f"{number:04}.txt").write_text(text, encoding="utf-8")
    return {path.name: path for path in sorted(folder.iterdir())}


@pytest.mark.parametrize(
    "name", ["a.txt", "b.jsonl", "c.jsonl.gz", "d.txt.bz2", "e.txt.gz", "f.csv", "g.parquet", "h"]
)
def test_counts_do_not_depend_on_the_format(formats: dict[str, Path], name: str) -> None:
    expected = numbers(count_in_python(Corpus.open(formats["a.txt"]), WORDS, REQUESTS))
    corpus = Corpus.open(formats[name])
    assert numbers(count_in_python(corpus, WORDS, REQUESTS)) == expected
    for threads, size in ((1, 1 << 20), (2, 1000)):
        counts = count_corpus(corpus, WORDS, REQUESTS, threads=threads, block_bytes=size)
        assert numbers(counts) == expected
        assert counts[0].fingerprint.runs(next(iter(corpus)).source) == ((0, 120),)


@pytest.mark.parametrize("name", ["a.txt", "b.jsonl", "f.csv", "g.parquet", "h", "memory"])
def test_parts_of_a_corpus_are_the_same_in_blocks(formats: dict[str, Path], name: str) -> None:
    if name == "memory":
        corpus = Corpus.of(sentences(120))
    else:
        corpus = Corpus.open(formats[name], formats["d.txt.bz2"])
    documents = [(d.source, d.position, d.text) for d in corpus]
    for start, stop in ((0, None), (3, 3), (7, 20), (0, 1), (100, 150), (119, 121), (230, 1000)):
        for size in (1, 900, 1 << 20):
            read = [
                (source, position + number, block.text(here + number))
                for block in corpus[start:stop].blocks(size=size)
                for here, (source, position, count) in _runs(block.runs)
                for number in range(count)
            ]
            assert read == documents[start:stop]


def _runs(runs: Iterable[tuple[str, int, int]]) -> Iterable[tuple[int, tuple[str, int, int]]]:
    here = 0
    for run in runs:
        yield here, run
        here += run[2]


# ------------------------------------------------------------------ invalid UTF-8

BROKEN = {
    "overlong": b"\xc0\xaf",
    "overlong of three": b"\xe0\x9f\xbf",
    "overlong of four": b"\xf0\x8f\xbf\xbf",
    "beyond Unicode": b"\xf4\x90\x80\x80",
    "a surrogate": b"\xed\xa0\x80",
    "the last surrogate": b"\xed\xbf\xbf",
    "never": b"\xff",
    "five bytes": b"\xf8\x88\x80\x80\x80",
    "a stray byte": b"\x80",
    "two of three": b"\xe2\x82",
    "three of four": b"\xf0\x9f\x98",
    "one of two": b"\xc3",
    "broken off by ASCII": b"\xe2\x82a",
    "broken off by another": b"\xe2\xc3\xa9",
}


def outcome(count: Callable[[], list[Counts]]) -> object:
    try:
        return count()
    except TealeavesError as error:
        return type(error), str(error)


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("tokens", ["words", "tokens"])
def test_invalid_bytes_are_named_as_the_reader_of_documents_does(
    tmp_path: Path, name: str, tokens: str
) -> None:
    pipeline = Pipeline.parse(tokens)
    path = tmp_path / "a.txt"
    line = b"tea \xc3\xa9 " + BROKEN[name]
    for data in (
        line + b" cup\n",
        b"tea\n\n" + line,
        codecs.BOM_UTF8 + b"cup" * 40 + b"\r\n" + line + b"\ntea",
        b"cup\n" * 30 + line + b"\r\n",
        b"cup\n" * 30 + b"a" * 64 + BROKEN[name] + b"\n",
    ):
        path.write_bytes(data)
        corpus = Corpus.open(path)
        with pytest.raises(InputError, match=r"a\.txt:\d+: invalid UTF-8 at byte \d+") as caught:
            list(corpus)
        for threads, size in ((1, 1 << 20), (2, 16)):
            with pytest.raises(InputError) as other:
                count_corpus(corpus, pipeline, REQUESTS, threads=threads, block_bytes=size)
            assert str(other.value) == str(caught.value)


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_the_first_of_several_faults_is_named(tmp_path: Path, threads: int) -> None:
    """However long the blocks take: the first is slow, as Python has to split its texts."""
    path = tmp_path / "a.txt"
    path.write_bytes("İstanbul tea \n".encode() * 40_000 + b"\xff\n" * 99)
    with pytest.raises(InputError, match=r"a\.txt:40001: "):
        list(Corpus.open(path))
    for _ in range(2):
        with pytest.raises(InputError, match=r"a\.txt:40001: "):
            count_corpus(
                Corpus.open(path), WORDS, REQUESTS[:1], threads=threads, block_bytes=600_010
            )


@settings(max_examples=60)
@given(
    st.lists(
        st.one_of(
            st.sampled_from([*BROKEN.values(), b"\n", b"\r\n", b"\r", b" ", b"tea", b"\x00"]),
            st.sampled_from(["é", "чай", "茶", "\U0001f600", "İ", "e\u0301"]).map(str.encode),
            st.binary(max_size=3),
        ),
        max_size=12,
    ).map(b"".join),
    st.sampled_from(SIZES[:-1]),
    st.sampled_from(["words", "tokens", "tokens(lower=true)"]),
)
@example(b"\xef\xbb\xbf\xff", 1, "words")
@example(b"\xef\xbb", 1, "tokens")
def test_any_bytes_are_counted_alike_or_refused_alike(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, size: int, tokens: str
) -> None:
    path = tmp_path_factory.getbasetemp() / "bytes.txt"
    path.write_bytes(data)
    corpus = Corpus.open(path, reader="lines")
    pipeline = Pipeline.parse(tokens)
    expected = outcome(lambda: count_in_python(corpus, pipeline, REQUESTS[:2]))
    for threads in (1, 2) if isinstance(expected, list) else (1,):
        count = partial(count_corpus, corpus, pipeline, REQUESTS[:2], threads=threads)
        result = outcome(partial(count, block_bytes=size))
        assert result == expected


# ------------------------------------------------------------------ unfinished counts

A, B = Term(("a",)), Term(("b",))
FEW_REQUESTS = [CountRequest.of(Unit(), [[A, B]]), CountRequest.of(Unit("window", 2), [[A, B]])]
CORPUS = Corpus.of([["a", "b", "c"][i % 3 :] + ["a"] * (i % 2) for i in range(50)])


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "BLOCK_TEXTS", 4)


@pytest.mark.usefixtures("small_blocks")
def test_every_checkpoint_can_be_resumed_to_the_same_end() -> None:
    whole = count_corpus(CORPUS, TOKENS, FEW_REQUESTS)
    saved: list[list[Counts]] = []
    count_corpus(CORPUS, TOKENS, FEW_REQUESTS, on_checkpoint=saved.append, checkpoint=0.0)
    assert len(saved) == 13
    assert [one[0].totals.documents for one in saved[:3]] == [4, 8, 12]
    for unfinished in saved:
        assert count_corpus(CORPUS, TOKENS, FEW_REQUESTS, resume=unfinished) == whole


@pytest.mark.usefixtures("small_blocks")
def test_checkpoints_do_not_change_as_counting_goes_on() -> None:
    saved: list[list[Counts]] = []
    count_corpus(CORPUS, TOKENS, FEW_REQUESTS, on_checkpoint=saved.append, checkpoint=0.0)
    again = count_corpus(CORPUS[:4], TOKENS, FEW_REQUESTS)
    assert saved[0] == again


@pytest.mark.usefixtures("small_blocks")
def test_a_stopped_count_saves_the_counts_so_far() -> None:
    saved: list[list[Counts]] = []
    answers = iter([False, False, True])
    with pytest.raises(KeyboardInterrupt):
        count_corpus(
            CORPUS,
            TOKENS,
            FEW_REQUESTS,
            on_checkpoint=saved.append,
            checkpoint=1e9,
            stop=lambda: next(answers),
        )
    [last] = saved
    assert last[0].totals.documents == 12
    assert count_corpus(CORPUS, TOKENS, FEW_REQUESTS, resume=last) == count_corpus(
        CORPUS, TOKENS, FEW_REQUESTS
    )


def test_block_size_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = count_corpus(CORPUS, TOKENS, FEW_REQUESTS)
    for size in (1, 3, 50):
        monkeypatch.setattr(blocks, "BLOCK_TEXTS", size)
        assert count_corpus(CORPUS, TOKENS, FEW_REQUESTS) == whole


def test_only_the_same_count_is_resumed() -> None:
    unfinished = count_corpus(CORPUS[:10], TOKENS, FEW_REQUESTS)
    with pytest.raises(EvidenceError, match="other tokens"):
        count_corpus(CORPUS, Pipeline.parse("words"), FEW_REQUESTS, resume=unfinished)
    with pytest.raises(EvidenceError, match="other words"):
        count_corpus(CORPUS, TOKENS, [CountRequest.of(Unit(), [[A]])], resume=unfinished)
    with pytest.raises(EvidenceError, match="other words, metrics or windows"):
        count_corpus(
            CORPUS, TOKENS, [CountRequest.of(Unit("window", 9), [[A, B]])], resume=unfinished
        )


def test_texts_that_changed_are_not_resumed() -> None:
    unfinished = count_corpus(CORPUS[:10], TOKENS, FEW_REQUESTS)
    changed = Corpus.of([*(document.text for document in CORPUS), "one more"])
    with pytest.raises(EvidenceError, match="bring them back if they have changed, or"):
        count_corpus(changed, TOKENS, FEW_REQUESTS, resume=unfinished)


def test_resuming_a_finished_count_changes_nothing() -> None:
    whole = count_corpus(CORPUS, TOKENS, FEW_REQUESTS)
    assert count_corpus(CORPUS, TOKENS, FEW_REQUESTS, resume=whole) == whole


def test_texts_of_the_same_place_that_changed_are_not_resumed() -> None:
    documents = list(CORPUS)
    unfinished = count_corpus(Corpus.of(documents[:10]), TOKENS, FEW_REQUESTS)
    first = documents[0]
    changed = Document("other", first.id, "", "", first.source, first.position)
    with pytest.raises(EvidenceError, match="bring them back if they have changed, or"):
        count_corpus(Corpus.of([changed, *documents[1:]]), TOKENS, FEW_REQUESTS, resume=unfinished)


def test_many_sources_take_linear_time() -> None:
    def count(sources: int) -> None:
        documents = [Document("a b", source=f"s{number}") for number in range(sources)]
        count_corpus(Corpus.of(documents), TOKENS, FEW_REQUESTS)

    assert call_growth(count, 300) == pytest.approx(1, abs=0.1)


def test_double_counting_names_the_file(tmp_path: Path) -> None:
    for name in ("one.txt", "two.txt"):
        (tmp_path / name).write_text("a b\nb\n")
    corpus = Corpus.open(tmp_path / "one.txt", tmp_path / "two.txt")
    with pytest.raises(EvidenceError, match=r"of .*one\.txt = .*two\.txt are there twice"):
        count_corpus(corpus, TOKENS, FEW_REQUESTS)


def test_words_of_two_languages_are_not_looked_for_in_one_text() -> None:
    words = [Term(("die",), "de"), Term(("die",), "en")]
    with pytest.raises(InputError, match="several languages"):
        count_corpus(CORPUS, TOKENS, [CountRequest.of(Unit(), [words])])


def test_an_empty_part_counts_nothing() -> None:
    [counts, _] = count_corpus(CORPUS[3:3], TOKENS, FEW_REQUESTS)
    assert counts.totals.documents == counts.totals.units == 0
