"""The commands score, count, add, metrics and demo, with good and bad input."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tealeaves import demo
from tests.systems import needs_bash, needs_full_device, needs_terminals, on_terminal

from .in_process import run_in_process

KEYS = ["model", "topic", "metric", "value", "support", "signature"]


def process(*arguments: str | Path, stdin: bytes = b"") -> str:
    """Return what a process of its own writes."""
    command = [sys.executable, "-W", "error", "-m", "tealeaves", *map(str, arguments)]
    done = subprocess.run(command, input=stdin, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def output(*arguments: str | Path) -> str:
    done = run_in_process(*arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def rows(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture(scope="module")
def playground(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("playground")
    demo.copy_to(folder)
    return folder


@pytest.fixture(scope="module")
def good(playground: Path) -> Path:
    return playground / "topics" / "en" / "good.json"


@pytest.fixture(scope="module")
def shuffled(playground: Path) -> Path:
    return playground / "topics" / "en" / "shuffled.json"


@pytest.fixture(scope="module")
def corpus(playground: Path) -> Path:
    return playground / "en.jsonl"


def test_score_prints_json_lines_to_a_pipe(good: Path, shuffled: Path, corpus: Path) -> None:
    found = rows(process("score", good, shuffled, "--corpus", corpus, "-m", "npmi@10 c_v@10"))
    assert [list(row) for row in found] == [KEYS] * 4
    assert [(row["model"], row["metric"], row["topic"]) for row in found] == [
        ("good", "npmi@10", None),
        ("good", "c_v@10", None),
        ("shuffled", "npmi@10", None),
        ("shuffled", "c_v@10", None),
    ]


def test_by_topic_shows_topics_then_the_model(good: Path, corpus: Path) -> None:
    found = rows(output("score", good, "-c", corpus, "-m", "npmi@10", "--by-topic"))
    assert [row["topic"] for row in found] == [
        *["astronomy", "cooking", "football", "gardening"],
        *["medicine", "money", "music", "railways"],
        None,
    ]


def test_metrics_can_be_given_in_several_ways(good: Path, corpus: Path) -> None:
    ways = [
        ["-m", "npmi@10 c_v(compat='gensim')@10"],
        ["-m", "npmi@10", "-m", "c_v(compat=gensim)@10"],
        ["-m", 'npmi@10   c_v( compat = "gensim" )@10'],
    ]
    assert len({output("score", good, "-c", corpus, *way) for way in ways}) == 1


@pytest.mark.parametrize(
    ("form", "start"),
    [
        ("table", "model"),
        ("json", "{"),
        ("jsonl", '{"model"'),
        ("csv", "model,topic,metric"),
        ("md", "| model"),
        ("latex", r"\begin{tabular}"),
    ],
)
def test_formats(good: Path, corpus: Path, form: str, start: str) -> None:
    text = output("score", good, "-c", corpus, "-m", "npmi@10", "--format", form)
    assert text.startswith(start)
    assert "0.59" in text


def test_a_wide_table_is_turned(good: Path, shuffled: Path, corpus: Path) -> None:
    specs = " ".join(f"npmi(window={size}, eps=1e-12)@10" for size in range(10, 90, 10))
    text = output("score", good, shuffled, "-c", corpus, "-m", specs, "--format", "table")
    assert text.split()[:3] == ["metric", "good", "shuffled"]
    assert "npmi(window=80, eps=1e-12)@10 ↑" in text


def test_weight_documents(playground: Path, corpus: Path) -> None:
    middling = playground / "topics" / "en" / "middling.json"
    done = run_in_process("score", middling, "-c", corpus, "-m", "npmi@10", "--weight", "documents")
    [row] = rows(done.stdout)
    plain = rows(output("score", middling, "-c", corpus, "-m", "npmi@10"))[0]
    topics = rows(output("score", middling, "-c", corpus, "-m", "npmi@10", "--by-topic"))[:-1]
    documents = [t["documents"] for t in json.loads(middling.read_text())["topics"]]
    values = [float(str(t["value"])) for t in topics]
    expected = sum(n * v for n, v in zip(documents, values, strict=True)) / sum(documents)
    assert row["value"] == pytest.approx(expected)
    assert row["value"] != plain["value"]
    assert "weighted by 122 documents; left out are 6 outliers" in done.stderr


def test_standard_input_and_field_names(good: Path, corpus: Path) -> None:
    renamed = corpus.read_bytes().replace(b'"text":', b'"body":')
    arguments = ["score", str(good), "-c", "-", "--text-field", "body", "-m", "npmi@10"]
    expected = output("score", good, "-c", corpus, "-m", "npmi@10")
    assert process(*arguments, stdin=renamed) == expected
    assert process(*arguments, stdin=gzip.compress(renamed)) == expected


def test_output_is_also_saved(good: Path, corpus: Path, tmp_path: Path) -> None:
    output("score", good, "-c", corpus, "-m", "npmi@10", "-o", tmp_path / "scores.csv")
    assert len((tmp_path / "scores.csv").read_text().splitlines()) == 1 + 8 + 1


@needs_terminals
def test_progress_is_shown_on_a_terminal_and_not_in_a_pipe(good: Path, corpus: Path) -> None:
    arguments = ["score", str(good), "-c", str(corpus), "-m", "npmi@10"]
    command = [sys.executable, "-m", "tealeaves", *arguments]
    assert b"counting" not in subprocess.run(command, capture_output=True, check=True).stderr
    assert b"counting: 100%" in on_terminal(command, stream="stderr")


def test_counting_once_and_scoring_later(
    good: Path, shuffled: Path, corpus: Path, tmp_path: Path
) -> None:
    specs = ["-m", "npmi@10 c_v@10"]
    output("count", good, shuffled, "-c", corpus, *specs, "-o", tmp_path / "en.counts")
    later = output("score", good, shuffled, "--counts", tmp_path / "en.counts", *specs)
    assert later == output("score", good, shuffled, "-c", corpus, *specs)


def test_counts_of_parts_add_up(good: Path, corpus: Path, tmp_path: Path) -> None:
    lines = corpus.read_bytes().splitlines(keepends=True)
    for name, part in (("a", lines[:50]), ("b", lines[50:]), ("c", lines)):
        (tmp_path / f"{name}.jsonl").write_bytes(b"".join(part))
        output("count", good, "-c", tmp_path / f"{name}.jsonl", "-o", tmp_path / f"{name}.counts")
    files = [tmp_path / f"{name}.counts" for name in "abc"]
    process("add", files[0], files[1], "-o", tmp_path / "sum.counts")
    assert output("score", good, "--counts", tmp_path / "sum.counts") == output(
        "score", good, "--counts", files[2]
    )
    twice = run_in_process("add", files[0], files[0], "-o", tmp_path / "twice.counts")
    assert twice.returncode == 2
    assert "double counting" in twice.stderr
    assert not (tmp_path / "twice.counts").exists()


def test_metrics_are_listed_and_explained() -> None:
    assert "c_v" in output("metrics")
    assert "Mimno" in output("metrics", "umass")
    listed = json.loads(output("metrics", "--format", "json"))
    assert {"npmi", "c_v", "c_p", "c_a", "umass", "lcp", "ppmi"} <= {m["name"] for m in listed}


FAMILY = "npmi@10 c_v@10 c_npmi@10 c_a@10 c_p@10 c_uci@10 pmi@10 ppmi@10 umass@10 lcp@10"


def test_the_good_topics_of_the_demo_have_the_best_scores() -> None:
    for language in demo.LANGUAGES:
        table: dict[object, dict[object, float]] = {}
        asked = ("--language", language, "-m", FAMILY, "--format", "jsonl")
        for row in rows(output("demo", *asked)):
            table.setdefault(row["metric"], {})[row["model"]] = float(str(row["value"]))
        assert len(table) == 10
        for metric, values in table.items():
            assert values["good"] > values["middling"] > values["shuffled"], metric


@pytest.mark.parametrize("command", ["score", "count", "add", "metrics", "demo"])
def test_help_has_examples(command: str) -> None:
    text = output(command, "--help")
    assert "Example" in text
    assert f"tealeaves {command} " in text


def test_the_help_names_texts_and_metrics_before_judgments() -> None:
    text = output("compare", "--help")
    places = [text.index(f"\n{heading}:\n") for heading in ("Texts", "Metrics", "Judgments")]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("name", "default"),
    [
        ("gather", "those that the classifier was fitted with"),
        ("show", "those that the classifier was fitted with"),
        ("fit", "words."),
    ],
)
def test_the_help_of_relevance_says_its_own_default_of_tokens(name: str, default: str) -> None:
    text = " ".join(output("relevance", name, "--help").split())
    assert f"attention(language=en). Default: {default}" in text
    assert "with --relevance" not in text


# ---------------------------------------------------------------------- bad input


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "topics.txt").write_text("sky moon star\nsoup bread salt\n")
    (tmp_path / "texts.txt").write_text("the sky and the moon\nsoup with bread and salt\n")
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "blank.txt").write_text("\n \n")
    (tmp_path / "hole.txt").write_text("sky moon\n\nsoup bread\n")
    (tmp_path / "latin.txt").write_bytes("fine\ncaf\xe9\n".encode("latin-1"))
    (tmp_path / "bad.jsonl").write_text('{"text": "fine"}\n{"text": "broken\n')
    (tmp_path / "field.jsonl").write_text('{"body": "fine"}\n')
    (tmp_path / "bad.json").write_text('{"topics": [["sky"],\n ["moon",]]}')
    (tmp_path / "nowords.json").write_text('{"topics": [["sky", "moon"], []]}')
    (tmp_path / "typed.json").write_text('{"topics": [["sky", 7]]}')
    whole = gzip.compress(b"the sky and the moon\n" * 5000)
    (tmp_path / "short.txt.gz").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "hidden.txt").write_bytes(whole)
    (tmp_path / "junk.counts").write_bytes(b"PK\x03\x04 not really")
    (tmp_path / "x.counts.partial").write_bytes(b"")
    return tmp_path


BAD = {
    "missing topics": (["score", "nowhere.txt", "-c", "texts.txt"], "nowhere.txt: no such file"),
    "missing corpus": (["score", "topics.txt", "-c", "nowhere.txt"], "nowhere.txt: no such file"),
    "no glob match": (["score", "topics.txt", "-c", "*.xyz"], "*.xyz: no file matches"),
    "no corpus": (["score", "topics.txt"], "give a corpus (--corpus) or counts (--counts)"),
    "empty topics": (["score", "empty.txt", "-c", "texts.txt"], "empty.txt: the file is empty"),
    "empty corpus": (["score", "topics.txt", "-c", "empty.txt"], "the corpus is empty"),
    "blank corpus": (["score", "topics.txt", "-c", "blank.txt"], "none of its 2 documents"),
    "empty line": (["score", "hole.txt", "-c", "texts.txt"], "hole.txt:2: topic 1 has no words"),
    "no words": (["score", "nowords.json", "-c", "texts.txt"], "nowords.json: topic 1 has no"),
    "wrong type": (["score", "typed.json", "-c", "texts.txt"], "typed.json"),
    "utf-8": (["score", "topics.txt", "-c", "latin.txt"], "latin.txt:2: invalid UTF-8 at byte 8"),
    "json line": (["score", "topics.txt", "-c", "bad.jsonl"], "bad.jsonl:2: not a JSON object"),
    "json field": (["score", "topics.txt", "-c", "field.jsonl"], "field.jsonl:1: no field 'text'"),
    "json topics": (["score", "bad.json", "-c", "texts.txt"], "bad.json:2: not valid JSON"),
    "cut short": (["score", "topics.txt", "-c", "short.txt.gz"], "short.txt.gz: the .gz file is"),
    "metric": (["score", "topics.txt", "-c", "texts.txt", "-m", "npim"], "did you mean npmi?"),
    "parameter": (["score", "topics.txt", "-c", "texts.txt", "-m", "npmi(wind=1)"], "no parameter"),
    "window 0": (
        ["score", "topics.txt", "-c", "texts.txt", "-m", "npmi(window=0)"],
        "npmi: window must be a whole number of at least 1, or none, not 0",
    ),
    "pipeline": (["score", "topics.txt", "-c", "texts.txt", "--tokens", "word"], "mean words?"),
    "reader": (["score", "topics.txt", "-c", "texts.txt", "--reader", "xml"], "unknown reader xml"),
    "weight": (
        ["score", "topics.txt", "-c", "texts.txt", "--weight", "documents"],
        "weighting by documents needs",
    ),
    "counts": (["score", "topics.txt", "--counts", "junk.counts"], "not a complete file of counts"),
    "output": (
        ["score", "topics.txt", "-c", "texts.txt", "-o", "nowhere/x.csv"],
        "nowhere: no such folder",
    ),
    "format of output": (["score", "topics.txt", "-c", "texts.txt", "-o", "x.doc"], "saved as"),
    "count folder": (
        ["count", "topics.txt", "-c", "texts.txt", "-o", "no/x.counts"],
        "no: no such folder: make it first",
    ),
    "option": (["score", "topics.txt", "--corpsu", "texts.txt"], "--corpus"),
    "command": (["scroe"], "no command scroe; did you mean score?"),
    "late output": (["score", "topics.txt", "-c", "bad.jsonl", "-o", "x.doc"], "saved as"),
    "late weight": (
        ["score", "topics.txt", "-c", "bad.jsonl", "--weight", "documents"],
        "weighting by documents needs",
    ),
    "count to folder": (["count", "topics.txt", "-c", "texts.txt", "-o", "."], "a folder, not"),
    "both": (
        ["count", "topics.txt", "-c", "texts.txt", "-o", "x", "--resume", "--restart"],
        "give either resume (--resume) or restart (--restart), not both",
    ),
    "field of counts": (
        ["score", "topics.txt", "--counts", "junk.counts", "--text-field", "text"],
        "--text-field was decided when the counts were made",
    ),
    "commas": (["score", "topics.txt", "-c", "texts.txt", "-m", "npmi@5,c_v"], "by spaces"),
    "capitals": (["score", "topics.txt", "-c", "texts.txt", "-m", "NPMI"], "did you mean npmi?"),
    "twice": (["score", "topics.txt", "-c", "texts.txt", "-c", "texts.txt"], "counted twice"),
    "array": (["score", "topics.txt", "-c", "nowords.json"], "no field 'text'"),
    "over corpus": (
        ["score", "topics.txt", "-c", "texts.txt", "-o", "./texts.txt"],
        "saved as",
    ),
    "count over corpus": (
        ["count", "topics.txt", "-c", "texts.txt", "-o", "texts.txt"],
        "would be overwritten",
    ),
    "count over topics": (
        ["count", "topics.txt", "-c", "texts.txt", "-o", "topics.txt"],
        "would be overwritten",
    ),
    "metric as file": (
        ["score", "topics.txt", "c_v@10", "-c", "texts.txt", "-m", "npmi@10"],
        "several metrics go in quotes",
    ),
    "counts as topics": (["score", "junk.counts", "-c", "texts.txt"], "an archive, not topics"),
    "corpus as topics": (["score", "field.jsonl", "-c", "texts.txt"], "field.jsonl"),
    "hidden gz": (["score", "topics.txt", "-c", "hidden.txt"], "a .gz file by its content"),
    "partial": (["score", "topics.txt", "--counts", "x.counts.partial"], "is unfinished"),
    "unknown metric help": (["metrics", "npim"], "did you mean npmi?"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_line_and_exit_code_2(folder: Path, case: str) -> None:
    arguments, message = BAD[case]
    before = {path: path.read_bytes() for path in folder.iterdir()}
    done = run_in_process(*arguments, folder=folder)
    assert done.returncode == 2, done.stderr
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert done.stdout == ""
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize("case", ["missing topics", "json line", "command"])
def test_bad_input_in_a_real_process(folder: Path, case: str) -> None:
    arguments, message = BAD[case]
    command = [sys.executable, "-W", "error", "-m", "tealeaves", *arguments]
    done = subprocess.run(command, capture_output=True, cwd=folder)
    assert (done.returncode, done.stdout) == (2, b"")
    [line] = done.stderr.decode().splitlines()
    assert message in line


def test_without_a_command_help_is_shown() -> None:
    assert "Commands:" in process()


def test_notes_name_missing_words_and_small_corpora(folder: Path) -> None:
    (folder / "odd.txt").write_text("sky moon zebra\n")
    done = run_in_process("score", "odd.txt", "-c", "texts.txt", "-m", "npmi", folder=folder)
    notes = done.stderr.splitlines()
    assert "note: odd: not in the corpus: zebra" in notes
    assert "note: the corpus has only 2 texts: the numbers are rough" in notes
    assert run_in_process("score", "odd.txt", "-c", "texts.txt", "-q", folder=folder).stderr == ""


@needs_bash
def test_a_pipe_as_corpus(good: Path, corpus: Path) -> None:
    command = f"{sys.executable} -m tealeaves score {good} -c <(cat {corpus}) -m npmi@10"
    done = subprocess.run(["bash", "-c", command], capture_output=True, check=True)
    assert done.stdout.decode() == output("score", good, "-c", corpus, "-m", "npmi@10")


def test_a_terminal_without_arrows_still_gets_numbers(good: Path, corpus: Path) -> None:
    command = [sys.executable, "-m", "tealeaves", "demo", "-m", "npmi@10"]
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = subprocess.run(command, capture_output=True, check=True, env=environment)
    assert b"0.5911" in done.stdout


def test_a_warning_is_one_line(folder: Path) -> None:
    (folder / "twice.txt").write_text("sky moon sky\n")
    done = subprocess.run(
        [sys.executable, "-m", "tealeaves", "score", "twice.txt", "-c", "texts.txt", "-m", "npmi"],
        capture_output=True,
        cwd=folder,
    )
    assert done.returncode == 0
    assert done.stderr.decode().splitlines()[0] == (
        "tealeaves: warning: twice: topic 0 lists a word more than once (sky); it counts once"
    )


@needs_bash
@pytest.mark.parametrize("arguments", ["metrics --format json", "--help", "demo -m npmi"])
def test_a_closed_pipe_is_no_error(arguments: str) -> None:
    command = f"{sys.executable} -m tealeaves {arguments} | true"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")


@needs_full_device
@pytest.mark.parametrize(
    "arguments",
    [
        "--help",
        "--version",
        "score --help",
        "metrics",
        "metrics --format json",
        "metrics npmi",
        "train --list",
        "demo -m npmi --format table",
        "demo -m npmi --format json",
        "demo -m npmi --format csv",
        "demo -m npmi --format md",
        "demo -m npmi --format latex",
        "demo --by-topic --format jsonl",
    ],
)
def test_output_that_cannot_be_written_is_an_error(arguments: str) -> None:
    command = [sys.executable, "-m", "tealeaves", *arguments.split()]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, encoding="utf-8")
    assert done.returncode == 2
    assert done.stderr == "tealeaves: error: standard output: No space left on device\n"


@needs_bash
@pytest.mark.parametrize("arguments", ["--help", "metrics npmi", "demo -m npmi --format json"])
def test_closed_standard_output_is_an_error(arguments: str) -> None:
    command = ["bash", "-c", f"{sys.executable} -m tealeaves {arguments} >&-"]
    done = subprocess.run(command, stderr=subprocess.PIPE, encoding="utf-8")
    assert done.returncode == 2
    assert done.stderr == "tealeaves: error: standard output: Bad file descriptor\n"


@needs_full_device
def test_an_error_that_cannot_be_written_has_its_code() -> None:
    command = [sys.executable, "-m", "tealeaves", "score", "nowhere.json"]
    with Path("/dev/full").open("wb") as full:
        assert subprocess.run(command, stderr=full).returncode == 2


@needs_bash
def test_scores_are_saved_even_if_nobody_reads_them(
    good: Path, corpus: Path, tmp_path: Path
) -> None:
    saved = tmp_path / "scores.jsonl"
    command = f"{sys.executable} -m tealeaves score {good} -c {corpus} -o {saved} | true"
    subprocess.run(["bash", "-c", command], check=True)
    assert len(saved.read_text().splitlines()) == 2 * (8 + 1)


@needs_bash
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
def test_closed_streams_cause_no_traceback(good: Path, corpus: Path, closed: str) -> None:
    command = f"{sys.executable} -m tealeaves score {good} -c {corpus} -m npmi@10 {closed}"
    done = subprocess.run(["bash", "-c", command], capture_output=True)
    assert done.returncode == (2 if closed == ">&-" else 0)
    assert b"Traceback" not in done.stderr


def test_names_may_contain_any_character(corpus: Path, tmp_path: Path) -> None:
    odd = tmp_path / "odd.json"
    odd.write_text(json.dumps({"model": "a[/x] | b\n", "topics": [["sky", "moon"]]}))
    specs = " ".join(f"npmi(window={size})" for size in range(10, 25))
    for form in ("table", "md", "latex", "csv", "jsonl"):
        assert output("score", odd, "-c", corpus, "-m", specs, "--format", form)


@needs_terminals
def test_a_wide_table_by_topic_is_split_and_no_number_is_cut(good: Path, corpus: Path) -> None:
    specs = "npmi@10 c_v@10 umass(smooth=1,aggregate=sum)@10 npmi(window=10, eps=1e-12)@10 c_p@10"
    command = [sys.executable, "-m", "tealeaves", "score", str(good), "-c", str(corpus)]
    environment = {k: v for k, v in os.environ.items() if k != "COLUMNS"} | {"TERM": "dumb"}
    shown = on_terminal([*command, "-m", specs, "--by-topic"], env=environment).decode()
    lines = shown.splitlines()
    assert max(map(len, lines)) <= 80
    assert sum("astronomy" in line for line in lines) > 1
    assert "0.5994" in shown
