"""``tealeaves lexicon extract``: files, one-line errors, killed and resumed runs."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tealeaves.lexicon.extraction.result import read_extraction, read_extractions
from tealeaves.lexicon.extraction.run import extract
from tealeaves.lexicon.extraction.target import Target
from tests.systems import SENT_SIGNALS, WINDOWS, kill_group, started

from .conftest import Done

ENGLISH = ("hand", "foot", "eye", "the", "king", "came", "house", "and")
TARGETS = ("fin", "swe", "deu", "est")


@pytest.fixture(scope="module")
def bibles(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Verses of drawn words; those of a target are the English ones with a stem and an end."""
    folder = tmp_path_factory.mktemp("bibles")
    draw = random.Random(1)
    verses = {f"GEN {n // 30 + 1}:{n % 30 + 1}": draw.choices(ENGLISH, k=8) for n in range(400)}
    (folder / "eng.tsv").write_text(_written(verses))
    for name in TARGETS:
        ends = [name[::-1], "a", "in"]
        other = {
            key: [f"{word[::-1]}{name[0]}{draw.choice(ends)}" for word in words]
            for key, words in verses.items()
        }
        (folder / f"{name}.tsv").write_text(_written(other))
    return folder


def _written(verses: dict[str, list[str]]) -> str:
    return "".join(f"{key}\t{' '.join(words)}\n" for key, words in verses.items())


def arguments(
    bibles: Path, output: Path, *more: object, targets: tuple[str, ...] = TARGETS
) -> list[str]:
    sides = [f"--target={bibles / f'{name}.tsv'}" for name in targets]
    return [
        *["lexicon", "extract", f"--source={bibles / 'eng.tsv'}", *sides],
        *["--lemmas", "hand,foot", "--model", "l", "-o", str(output), *map(str, more)],
    ]


@pytest.fixture
def here(run: Callable[..., Done]) -> Iterator[Callable[..., Done]]:
    """Run in this process; whoever handled signals before does so again in the end."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield run
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture(scope="module")
def unbroken(bibles: Path) -> Path:
    """What a run extracts that nobody stops, one target after the other."""
    output = bibles / "unbroken"
    given = arguments(bibles, output, "--jobs", 1)
    done = subprocess.run(process(given), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return output


def process(given: list[str]) -> list[str]:
    return [sys.executable, "-W", "error", "-m", "tealeaves", *given]


def same(one: Path, other: Path) -> bool:
    """Tell whether folders have the same files with the same bytes, and no others."""
    first, second = ({f.name: f.read_bytes() for f in path.iterdir()} for path in (one, other))
    assert sorted(first) == sorted(second)
    return first == second


def test_the_files_are_what_python_extracts(
    bibles: Path, unbroken: Path, here: Callable[..., Done], tmp_path: Path
) -> None:
    assert sorted(file.name for file in unbroken.iterdir()) == sorted(
        f"{name}.jsonl.gz" for name in TARGETS
    )
    targets = [bibles / f"{name}.tsv" for name in TARGETS]
    expected = extract(bibles / "eng.tsv", targets, "hand,foot", "l")
    for one in expected:
        found = read_extraction(unbroken / f"{one.target}.jsonl.gz")
        assert found.signature == one.signature
        assert found.passages == one.passages
        assert [repr(token) for token in found.tokens] == [repr(token) for token in one.tokens]
        hands = [token for token in found.tokens if token.lemma == "hand"]
        assert all("dnah" in "".join(token.expressions) for token in hands)
    done = here(*arguments(bibles, tmp_path / "two", "--jobs", 2, "--format", "table"))
    assert done.code == 0, done.err
    assert same(tmp_path / "two", unbroken)
    lines = done.out.splitlines()
    assert lines[0].split() == [
        "target", "passages", "tokens", "expressed", "sure", "expressions", "commonest", "seconds",
    ]  # fmt: skip
    assert [line.split()[:2] for line in lines[1:5]] == [[name, "400"] for name in TARGETS]


def test_the_summary_in_rows(bibles: Path, here: Callable[..., Done], tmp_path: Path) -> None:
    done = here(*arguments(bibles, tmp_path, "--format", "jsonl", targets=("fin",)))
    rows = [json.loads(line) for line in done.out.splitlines()]
    assert [(row["target"], row["lemma"]) for row in rows] == [("fin", "hand"), ("fin", "foot")]
    (found,) = read_extractions([tmp_path])
    hands = [token for token in found.tokens if token.lemma == "hand"]
    assert rows[0]["tokens"] == len(hands)
    assert rows[0]["shared"] == 400
    assert rows[0]["expressed"] == sum(bool(t.expressions) for t in hands) / len(hands)
    assert rows[0]["expressions"] == len(frozenset[str]().union(*(t.expressions for t in hands)))


def test_guesses_are_noted(bibles: Path, here: Callable[..., Done], tmp_path: Path) -> None:
    lines = (bibles / "fin.tsv").read_text().splitlines()
    keys, texts = zip(*(line.split("\t") for line in lines), strict=True)
    # a passage of every word in each verse says nothing of what expresses what
    every = " ".join(sorted({word for text in texts for word in text.split()}))
    (tmp_path / "odd.tsv").write_text("".join(f"{key}\t{every}\n" for key in keys))
    base = arguments(bibles, tmp_path / "found", targets=("fin",))
    given = [*base, "--model", "hybrid", f"--target={tmp_path / 'odd.tsv'}", "--restart"]
    done = here(*given)
    assert done.code == 0, done.err
    rows = [json.loads(line) for line in done.out.splitlines()]
    sure = {(row["target"], row["model"]): row["sure"] for row in rows if row["lemma"] == "hand"}
    assert sure["fin", "l"] is None
    assert sure["fin", "hybrid"] == 1
    assert sure["odd", "hybrid"] < 0.8
    assert done.err.startswith("note: odd: less than 80% of tokens are sure")
    assert "hybrid(least=0.1)" in done.err
    assert here(*given, "-q").err == ""


def test_each_model_has_its_own_file(
    bibles: Path, here: Callable[..., Done], tmp_path: Path
) -> None:
    more = ("--model", "l(measure=t, most=2)", "--model", "L-t", "--format", "table")
    done = here(*arguments(bibles, tmp_path, *more, targets=("fin",)))
    assert done.code == 0, done.err
    names = sorted(file.name for file in tmp_path.iterdir())
    assert names == ["fin.L-t.jsonl.gz", "fin.l-measure-t-most-2.jsonl.gz", "fin.l.jsonl.gz"]
    assert "l(measure=t, most=2)" in done.out
    assert read_extraction(tmp_path / names[1]).model == "l(measure=t, most=2)"
    done = here(*arguments(bibles, tmp_path / "no", "--model", "L", targets=("fin",)))
    assert (done.code, done.err) == (
        2, "tealeaves: error: two models would be one file: l, L\n",
    )  # fmt: skip


def test_names_lemmas_and_tokens(bibles: Path, here: Callable[..., Done], tmp_path: Path) -> None:
    (tmp_path / "lemmas.txt").write_text("hand\nfoot\n")
    base = [
        *["lexicon", "extract", "--source", f"en={bibles / 'eng.tsv'}", "--model", "l"],
        *["--target", f"suomi={bibles / 'fin.tsv'}"],
    ]
    done = here(*base, "--lemmas", f"@{tmp_path / 'lemmas.txt'}", "-o", tmp_path / "all", "-q")
    assert done.code == 0, done.err
    every = read_extraction(tmp_path / "all" / "suomi.jsonl.gz")
    assert (every.source, every.target) == ("en", "suomi")
    assert {token.lemma for token in every.tokens} == {"hand", "foot"}
    hands = [token for token in every.tokens if token.lemma == "hand"]
    kept = [hands[0], hands[7]]
    rows = [f"hand\t{token.key}\t{token.place}\t\n" for token in kept]
    (tmp_path / "sheet.tsv").write_text("lemma\tkey\tplace\texpressions\n" + "".join(rows))
    done = here(*base, "--only-tokens", tmp_path / "sheet.tsv", "-o", tmp_path / "some", "-q")
    assert done.code == 0, done.err
    some = read_extraction(tmp_path / "some" / "suomi.jsonl.gz")
    assert [repr(token) for token in some.tokens] == [repr(token) for token in kept]
    done = here(*base, "-o", tmp_path / "none")
    assert "name the words: --lemmas hand,foot" in done.err


def test_a_tagged_source_is_known_by_its_content(here: Callable[..., Done], tmp_path: Path) -> None:
    tagged = [
        {
            "id": f"d{n}",
            "forms": ["Hands", "on"],
            "words": ["hand/N" if n < 3 else "head/N", "on/P"],
        }
        for n in range(12)
    ]
    texts = [{"id": f"d{n}", "text": "kädet on" if n < 3 else "pää on"} for n in range(12)]
    for name, rows in (("en.tagged", tagged), ("fi", texts)):
        lines = [json.dumps(row) + "\n" for row in rows]
        (tmp_path / f"{name}.jsonl").write_text("".join(lines))
    sides = ["--source", tmp_path / "en.tagged.jsonl", "--target", tmp_path / "fi.jsonl"]
    for lemma in ("hand", "hand/N"):
        given = [*sides, "--lemmas", lemma, "--model", "l", "-o", tmp_path / "found", "--restart"]
        done = here("lexicon", "extract", *given)
        assert done.code == 0, done.err
        found = read_extraction(tmp_path / "found" / "fi.jsonl.gz")
        assert found.source == "en"
        assert [(t.lemma, sorted(t.expressions), t.words) for t in found.tokens] == [
            (lemma, ["#kädet#"], (0,))
        ] * 3
    for lemma, annotated, kept in [
        ("hand", "hand/N", 1), ("hand/N", "hand", 1), ("hand/N", "hand/N", 1), ("hand", "head", 0),
        ("hand/N", "hand/V", 0),
    ]:  # fmt: skip
        (tmp_path / "sheet.tsv").write_text(
            f"lemma\tkey\tplace\texpressions\n{annotated}\td1\t0\t\n"
        )
        given = [*sides, "--lemmas", lemma, "--model", "l", "-o", tmp_path / "found", "--restart"]
        done = here("lexicon", "extract", *given, "--only-tokens", tmp_path / "sheet.tsv")
        assert done.code == (0 if kept else 2), done.err
        if kept:
            found = read_extraction(tmp_path / "found" / "fi.jsonl.gz")
            assert [(t.lemma, t.key, t.place) for t in found.tokens] == [(lemma, "d1", 0)]
        else:
            source = tmp_path / "en.tagged.jsonl"
            assert f"no token that is to be kept is of {lemma} in {source}: they are" in done.err
            assert f"such as {annotated}, token 0 of d1\n" in done.err
    done = here("lexicon", "extract", *sides, "--lemmas", "hand/V", "--model", "l", "-o", tmp_path)
    assert done.code == 2
    assert "'hand/V' never occurs in" in done.err


def test_bad_input_is_one_line(bibles: Path, here: Callable[..., Done], tmp_path: Path) -> None:
    (tmp_path / "fin.tsv").write_text("GEN 1:1\tkäsi\n")
    (tmp_path / "file").write_text("")
    (tmp_path / "bare.tsv").write_text("Genesis 1:1\tkäsi\n")
    (tmp_path / "sheet.tsv").write_text("lemma\tkey\tplace\texpressions\neye\tGEN 1:1\t0\t\n")
    base = arguments(bibles, tmp_path / "found", targets=("fin",))
    for more, said in [
        (("--target", tmp_path / "fin.tsv"), "both targets are called fin; say a name before"),
        (("--target", "lost.tsv"), "lost.tsv: no such file or folder"),
        (("--target", "dan="), "dan=: the path is missing, as in dan=PATH"),
        (("--lemmas", "hnad"), "'hnad' never occurs in"),
        (("--lemmas", "hnad"), "; did you mean hand?"),
        (("--lemmas", "hnad,zebra"), "2 lemmas never occur in"),
        (("--lemmas", "hand/N"), "eng.tsv; the text is not tagged (`tealeaves lexicon tag` does"),
        (("--source", tmp_path / "bare.tsv"), "; a table needs a header line with id and text, or"),
        (("--source", tmp_path / "file"), "file: no passages"),
        (("--model", "word2vec"), "unknown model word2vec (known: "),
        (("--model", "l(most=0)"), "most must be a whole number of at least 1, not 0"),
        (("--words", "spacy"), "unknown way 'spacy' to make words of forms"),
        (("--resume", "--restart"), "give either resume (--resume) or restart"),
        (("--lemmas", "@lost.txt"), "lost.txt: no such file of lemmas"),
        (("-o", tmp_path / "file"), "file: a file, where a folder of extractions would be"),
        (("--tokens", "fin=wrods"), "unknown token pipeline wrods; did you mean words?"),
        (("--tokens", "zo=characters"), "tokens for zo, but the texts are in eng, fin"),
        (("--reader", "zo=tsv"), "reader for zo, but the texts are in eng, fin"),
        (("--only-tokens", tmp_path / "sheet.tsv"), "no token that is to be kept is of hand, foot"),
        (("-o", bibles / "eng.tsv" / "a"), "eng.tsv: a file, not a folder"),
    ]:
        done = here(*base, *more)
        assert done.code == 2
        assert said in done.err
        assert done.err.startswith("tealeaves: error: ")
        assert done.err.count("\n") == 1
        assert not (tmp_path / "found").exists()
    done = here(*base, "--lemmas", "hnad", "--skip-missing")
    assert done.code == 0
    assert f"note: never in {bibles / 'eng.tsv'}, left out: hnad\n" in done.err


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_target_that_fails_does_not_lose_the_others(
    bibles: Path, unbroken: Path, here: Callable[..., Done], tmp_path: Path, jobs: int
) -> None:
    (tmp_path / "empty.tsv").write_text("GEN 1:1\t…\n")
    (tmp_path / "other.tsv").write_text("MAT 1:1\tkäsi\n")
    bad = ["--target", tmp_path / "empty.tsv", "--target", tmp_path / "other.tsv"]
    given = arguments(bibles, tmp_path / "found", *bad, "--jobs", jobs)
    done = here(*given)
    assert done.code == 2
    assert done.err.count("\n") == 1
    assert "2 of 6 targets failed: empty: " in done.err
    assert "empty.tsv has no words; other: " in done.err
    assert "share no passage: ids such as 'GEN 1:1' in" in done.err
    assert same(tmp_path / "found", unbroken)
    assert len(done.out.splitlines()) == 8  # four targets, two lemmas
    lonely = arguments(bibles, tmp_path / "lonely", *bad[:2], targets=())
    done = here(*lonely)
    assert done.code == 2
    assert done.err == f"tealeaves: error: {tmp_path / 'empty.tsv'} has no words\n"


def test_a_killed_process_loses_only_its_target(
    bibles: Path, here: Callable[..., Done], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tealeaves.lexicon.extraction import processes

    class Deadly(processes._Pool):
        def _start(self, target: Target) -> None:
            super()._start(target)
            if target.name == "swe":
                _, worker = list(self._running.values())[-1]
                worker.kill()

    monkeypatch.setattr(processes, "_Pool", Deadly)
    done = here(*arguments(bibles, tmp_path, "--jobs", 2))
    assert done.code == 2
    how = "ended with code" if WINDOWS else "was killed: out of memory?"
    assert f"1 of 4 targets failed: swe: its process {how}" in done.err
    assert len(list(tmp_path.iterdir())) == 3


def test_existing_files_are_kept_or_refused(
    bibles: Path, unbroken: Path, here: Callable[..., Done], tmp_path: Path
) -> None:
    output = tmp_path / "found"
    given = arguments(bibles, output, "--jobs", 1)
    assert here(*given, "-q").code == 0
    first = {file: file.stat().st_mtime_ns for file in output.iterdir()}
    done = here(*given)
    assert done.code == 2
    fin = output / "fin.jsonl.gz"
    assert f"{fin} is there already: --resume keeps what is done, --restart replaces" in done.err
    fin.unlink()
    done = here(*given, "--resume", "--format", "table")
    assert done.code == 0
    assert [line.split()[-1] == "–" for line in done.out.splitlines()[1:5]] == [
        False,
        True,
        True,
        True,
    ]
    assert same(output, unbroken)
    for file, written in first.items():
        assert (file.stat().st_mtime_ns == written) == (file != fin)
    done = here(*given, "--resume", "--lemmas", "eye")
    assert done.code == 2
    assert f"4 of 4 targets failed: fin: {fin} holds another extraction: it is of other" in done.err
    assert same(output, unbroken)
    done = here(*arguments(bibles, output, "--restart", "--lemmas", "eye", targets=("fin",)))
    assert done.code == 0
    assert not same(output, unbroken)
    fin.write_text("precious")
    for more in ((), ("--resume",), ("--restart",)):
        done = here(*given, *more)
        assert done.code == 2
        assert f"{fin} exists and is no extraction: name another folder" in done.err
    assert fin.read_text() == "precious"


def test_a_killed_restart_can_be_resumed(
    bibles: Path, unbroken: Path, here: Callable[..., Done], tmp_path: Path
) -> None:
    output = tmp_path / "found"
    given = arguments(bibles, output, "--jobs", 1)
    assert here(*given, "--lemmas", "eye", "-q").code == 0
    kept = {file: file.read_bytes() for file in output.iterdir()}
    done = here(*given, "--lemmas", "hnad", "--restart")
    assert done.code == 2
    assert {file: file.read_bytes() for file in output.iterdir()} == kept  # a mistake takes nothing
    (output / "other.jsonl.gz").write_bytes(kept[output / "fin.jsonl.gz"])
    running = started(
        process([*given, "--restart"]), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    est = output / "est.jsonl.gz"  # the last of them
    while running.poll() is None and est.exists():
        time.sleep(0.001)
    assert running.poll() is None, "the run ended before it was killed"
    kill_group(running)
    running.wait()
    assert not est.exists()
    done = here(*given, "--resume", "-q")
    assert done.code == 0, done.err
    (output / "other.jsonl.gz").unlink()  # of no target: it was left alone
    assert same(output, unbroken)


@pytest.mark.parametrize("jobs", [1, 2])
def test_resuming_after_kills_gives_the_same_bytes(
    bibles: Path, unbroken: Path, tmp_path: Path, jobs: int
) -> None:
    output = tmp_path / "found"
    going_on = process(arguments(bibles, output, "--resume", "--jobs", jobs))
    draw = random.Random(os.urandom(8))
    kills = 0
    for _ in range(2):
        running = started(going_on, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        before = len(list(output.glob("*")))
        while running.poll() is None and len(list(output.glob("*"))) == before:
            time.sleep(0.001)
        time.sleep(draw.uniform(0, 0.02))
        if running.poll() is None:
            kill_group(running)
            kills += len(list(output.glob("*.jsonl.gz"))) < len(TARGETS)
        running.wait()
        read_extractions(sorted(output.glob("[!.]*.gz")))  # whatever is there is whole
    assert kills, "no kill hit a running extraction"
    done = subprocess.run(going_on, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert same(output, unbroken)  # and no half file beside them


@pytest.mark.parametrize("sent", SENT_SIGNALS)
def test_an_interrupted_run_names_the_kept_files(
    bibles: Path, unbroken: Path, tmp_path: Path, sent: signal.Signals
) -> None:
    output = tmp_path / "found"
    jobs = 1 if sent == signal.SIGINT else 2
    given = process(arguments(bibles, output, "--jobs", jobs))
    running = started(given, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    while running.poll() is None and not list(output.glob("*.gz")):
        time.sleep(0.001)
    running.send_signal(sent)
    _, error = running.communicate()
    if running.returncode != 0:  # it may have been done just then
        assert running.returncode == 130
        there = len(list(output.glob("*.gz")))
        line = f"tealeaves: error: interrupted: {output} holds the {there} that are done"
        assert error.decode() == f"{line}; --resume continues it\n"
    done = subprocess.run([*given, "--resume"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert same(output, unbroken)


def test_help_is_light() -> None:
    code = (
        "from tealeaves.cli.main import cli; "
        "cli(['lexicon', 'extract', '--help'], standalone_mode=False); "
        "import sys; print('loaded:', *sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    loaded = set(done.stdout.partition("loaded:")[2].split())
    assert loaded.isdisjoint({"numpy", "msgspec", "scipy", "tqdm", "regex"})
