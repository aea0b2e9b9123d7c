"""``tealeaves train``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tealeaves import demo, read_topics
from tealeaves.models import train

from .in_process import run_in_process


def run(*arguments: str | Path, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    return run_in_process("train", *arguments, folder=folder)


@pytest.mark.parametrize("suffix", ["topics", "json"])
def test_the_saved_model_is_the_trained_model(playground: Path, suffix: str) -> None:
    output = playground / f"lda.{suffix}"
    done = run(
        *["lda", "-k", "4", "--corpus", str(playground / "en.jsonl"), "--set", "iterations=50"],
        *["--set", "eta=0.1", "--seed", "7", "--samples", "2", "-o", str(output)],
    )
    assert done.returncode == 0, done.stderr
    expected = train("lda(k=4, iterations=50, eta=0.1, samples=2)", demo.corpus("en"), seed=7)
    saved = read_topics(output)
    assert saved == expected
    assert (saved.model, saved.family) == ("lda-4-7", "lda(k=4, iterations=50, eta=0.1)")
    for name in ("topic_word", "document_topic", "samples", "term_frequency", "document_lengths"):
        assert np.array_equal(getattr(saved, name), getattr(expected, name)), name
    assert saved.assignments is not None
    assert expected.assignments is not None
    assert np.array_equal(saved.assignments.topics, expected.assignments.topics)
    assert saved.document_ids == tuple(document.id for document in demo.corpus("en"))
    lines = done.stdout.splitlines()
    assert len(lines) == 4
    assert " ".join(expected[0].words[:10]) in lines[0]
    assert 'note: stop words are left out, as with --tokens "words(stopwords=en)"' in done.stderr


def test_an_expression_and_a_default_name(playground: Path) -> None:
    done = run("nmf(k=3, seed=5)", "-c", "es.jsonl", "-q", folder=playground)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    saved = read_topics(playground / "nmf-3-5.topics")
    assert (len(saved), saved.language) == (3, "es")


def test_without_a_language_stop_words_stay_with_a_note(tmp_path: Path) -> None:
    (tmp_path / "texts.txt").write_text("the cat\nthe dog\nthe cat and dog\na dog and cat\n")
    done = run("nmf", "-k", "2", "-c", "texts.txt", "--set", "max_df=1", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "stop words stay" in done.stderr


def test_without_lists_of_stop_words_it_warns_even_when_quiet(playground: Path) -> None:
    code = "import sys; sys.modules['stopwordsiso'] = None; from tealeaves.cli.main import main\n"
    code += "main(['train', 'nmf', '-k', '2', '-c', 'en.jsonl', '-q', '-o', 'stop.topics'])"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, cwd=playground, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stderr == (
        "tealeaves: warning: stop words stay in the texts: the option stopwords needs the package "
        'stopwordsiso: pip install "tealeaves[langs]"\n'
    )


def test_the_list_has_all_models() -> None:
    done = run("--list")
    for name in ("lda(k=20", "nmf(k=20", "hdp(", "Blei et al. 2003"):
        assert name in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["lad", "-c", "en.jsonl"], "unknown model lad; did you mean lda?"),
        (["lda"], "give the texts with --corpus"),
        ([], "name a model, such as lda"),
        (["lda", "-c", "nowhere.txt"], "nowhere.txt: no such file"),
        (["lda", "-c", "empty.txt"], "the corpus is empty"),
        (
            ["lda", "-k", "0", "-c", "en.jsonl"],
            "k must be a whole number of at least 1 and of at most 32767, not 0",
        ),
        (["lda", "-k", "500", "-c", "en.jsonl"], "more topics than texts"),
        (["lda", "-c", "en.jsonl", "-o", "x.csv"], "saved as .topics or .json"),
        (["lda", "-c", "en.jsonl", "-o", "no/x.topics"], "no: no such folder: make it first"),
        (["lda", "-c", "en.jsonl", "-o", "en.jsonl"], "would be overwritten"),
        (["lda", "-c", "en.jsonl", "--set", "eta"], "give NAME=VALUE"),
        (["lda", "-c", "en.jsonl", "--set", "eat=1"], "no parameter eat; did you mean eta?"),
        (["lda", "-c", "en.jsonl", "--set", "eta=x"], "eta must be a number of more than 0, not x"),
        (["lda(k=9)", "-c", "en.jsonl", "-k", "5"], "k is given twice: leave one out"),
        (["lda(seed=1)", "-c", "en.jsonl", "--seed", "5"], "seed is given twice"),
        (["lda", "-c", "en.jsonl", "-k", "5", "--set", "k=6"], "k is given twice"),
        (["nmf", "-c", "en.jsonl", "--samples", "3"], "nmf has no parameter samples"),
    ],
)
def test_bad_input_is_one_line_and_code_2(
    playground: Path, arguments: list[str], message: str
) -> None:
    (playground / "empty.txt").write_text("")
    done = run(*arguments, folder=playground)
    assert done.returncode == 2
    errors = [line for line in done.stderr.splitlines() if not line.startswith("note:")]
    assert len(errors) == 1
    assert message in errors[0]
    assert done.stdout == ""


def test_the_help_has_examples_and_is_light() -> None:
    code = "from tealeaves.cli.main import cli; cli(['train', '--help'], standalone_mode=False)"
    code += "\nimport sys; assert not {'numpy', 'msgspec', 'tomotopy'} & set(sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "tealeaves train lda -k 20 --corpus" in done.stdout


def test_texts_in_several_languages_keep_stop_words_with_a_note(playground: Path) -> None:
    texts = ["-k", "2", "-c", "en=en.jsonl", "-c", "es=es.jsonl", "--set", "iterations=2"]
    done = run("pltm", *texts, "-o", "stay.topics", folder=playground)
    assert done.returncode == 0, done.stderr
    assert (
        "note: stop words stay in the texts, except words in more than 30% of the texts (max_df): "
        'leave them out with --tokens for each language, as in --tokens "en=words(stopwords=en)"'
    ) in done.stderr
    tokens = ["--tokens", "en=words(stopwords=en)", "--tokens", "es=words(stopwords=es)"]
    done = run("pltm", *texts, *tokens, "-o", "go.topics", folder=playground)
    assert done.returncode == 0, done.stderr
    assert "stop words" not in done.stderr
