"""``tealeaves score`` and ``count`` of topics in several languages."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tealeaves import demo, load_counts

Run = Callable[..., Any]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo's files, its good topics in both languages as one file, and a dictionary."""
    folder = tmp_path_factory.mktemp("across")
    demo.copy_to(folder)
    [good, *_] = demo.multilingual_models()
    sides = {n: [list(t.words) for t in side.topics] for n, side in good.by_language.items()}
    (folder / "both.json").write_text(json.dumps({"languages": sides}))
    pairs = [
        pair
        for one, other in zip(sides["en"], sides["es"], strict=True)
        for pair in zip(one[:6], other[:6], strict=True)
    ]
    (folder / "en-es.txt").write_text("".join(f"{one} {other}\n" for one, other in pairs))
    return folder


@pytest.fixture(autouse=True)
def inside(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)


TEXTS = ("-c", "en=en.jsonl", "-c", "es=es.jsonl")


def rows(done: Any) -> list[dict[str, Any]]:
    assert done.code == 0, done.err
    return [json.loads(line) for line in done.out.splitlines()]


def test_default_metrics(run: Run) -> None:
    found = rows(run("score", "both.json", *TEXTS, "--format", "jsonl"))
    assert [row["metric"] for row in found] == ["cnpmi@10", "inpmi@10", "twc@10"]
    assert all(row["support"] == 1 for row in found)
    with_dictionary = run("score", "both.json", *TEXTS, "--dictionary", "en-es.txt")
    assert rows(with_dictionary)[-1]["metric"] == "mta@10"


def test_one_file_per_language_is_the_same_model(run: Run) -> None:
    files = "en=topics/en/good.json", "es=topics/es/good.json"
    apart = rows(run("score", *files, *TEXTS, "-m", "cnpmi@10"))
    [joined] = rows(run("score", "both.json", *TEXTS, "-m", "cnpmi@10"))
    assert [row["value"] for row in apart] == [joined["value"]]


def test_a_dictionary_needs_no_texts(run: Run) -> None:
    [row] = rows(run("score", "both.json", "--dictionary", "en-es.txt"))
    assert row["metric"] == "mta@10"
    # six of ten words of each topic are in the dictionary; two (compost, and another) are written
    # alike in both languages, and do not count
    pairs = [line.split() for line in Path("en-es.txt").read_text().splitlines()]
    assert sum(one == other for one, other in pairs) == 2
    assert row["value"] == pytest.approx((6 * 0.6 + 2 * 0.5) / 8)


def test_counts_are_saved_and_added(run: Run, tmp_path: Path) -> None:
    parts = []
    for number, wanted in enumerate((range(64), range(64, 128))):
        for name in demo.LANGUAGES:
            lines = Path(f"{name}.jsonl").read_text().splitlines()
            chosen = "".join(lines[n] + "\n" for n in wanted)
            (tmp_path / f"{name}{number}.jsonl").write_text(chosen)
        parts.append(tmp_path / f"{number}.counts")
        texts = [f"-c{name}={tmp_path}/{name}{number}.jsonl" for name in demo.LANGUAGES]
        assert run("count", "both.json", *texts, "-o", parts[-1]).code == 0
    assert run("add", *parts, "-o", tmp_path / "all.counts").code == 0
    added = rows(run("score", "both.json", "--counts", tmp_path / "all.counts"))
    whole = rows(run("score", "both.json", *TEXTS))
    assert [row["value"] for row in added] == [row["value"] for row in whole]
    [counts] = load_counts(tmp_path / "all.counts")
    assert str(counts.unit) == "link(languages=en+es)"
    again = run("add", parts[0], parts[0], "-o", tmp_path / "twice.counts")
    assert again.code == 2
    assert "double counting" in again.err


def test_side_by_side(run: Run) -> None:
    done = run(
        "score", "both.json", *TEXTS, "--dictionary", "en-es.txt", "--side-by-side",
        "--format", "table",
    )  # fmt: skip
    assert done.code == 0, done.err
    assert done.out.count("  coherent  ") == 8
    assert "incoherent" not in done.out
    assert any("=1 sky" in line and "=1 cielo" in line for line in done.out.splitlines())


def test_side_by_side_shows_the_model_last(run: Run) -> None:
    given = "--dictionary", "en-es.txt", "--side-by-side", "--format", "jsonl"
    found = rows(run("score", "both.json", *TEXTS, "-m", "cnpmi@10 mta@10", *given))
    [plain] = rows(run("score", "both.json", *TEXTS, "-m", "cnpmi@10"))
    assert len(found) == 9
    assert found[-1]["topic"] is None
    assert found[-1]["cnpmi@10"] == plain["value"]
    assert found[-1]["cnpmi@10 support"] == plain["support"]


def test_topics_show_words_of_each_language(run: Run) -> None:
    done = run("score", "both.json", *TEXTS, "--by-topic", "--format", "table", "-m", "cnpmi@10")
    assert "sky cielo planet planeta" in done.out


def test_one_language_of_several(run: Run) -> None:
    alone = rows(run("score", "topics/en/good.json", "-c", "en.jsonl", "-m", "npmi@10"))
    for texts in (("-c", "en.jsonl"), TEXTS):
        side = rows(run("score", "both.json", "--language", "en", *texts, "-m", "npmi@10"))
        assert [row["value"] for row in side] == [row["value"] for row in alone]


def test_tokens_by_language(run: Run) -> None:
    tokens = "--tokens", "es=words(stopwords=es)", "--tokens", "words(min_length=2)"
    [row] = rows(run("score", "both.json", *TEXTS, *tokens, "-m", "cnpmi@10"))
    assert (
        "en:words(lower=true,digits=false,stopwords=none,lemmas=none,min_length=2"
        in (row["signature"])
    )
    assert "es:words(lower=true,digits=false,stopwords=#" in row["signature"]


WRONG = [
    (["both.json", "-c", "en=en.jsonl"], "no texts of es"),
    (["both.json", *TEXTS, "-c", "sv=es.jsonl"], "no topics in sv"),
    (["both.json", "-c", "en.jsonl"], "give --corpus en=PATH --corpus es=PATH"),
    (["both.json", *TEXTS, "-c", "en.jsonl"], "en.jsonl and en=… es=…: say the language of each"),
    (["both.json"], "linked texts of each language"),
    (["both.json", "-m", "mta@10"], "mta needs a dictionary"),
    (["both.json", *TEXTS, "-m", "npmi@10"], "`tealeaves score --language` says which"),
    (["both.json", "--language", "sv", "-c", "en.jsonl"], "en, es"),
    (["both.json", *TEXTS, "--tokens", "sv=words"], "tokens for sv, but the texts are in en, es"),
    (["both.json", *TEXTS, "--unit", "stanza"], "stanza"),
    (["both.json", *TEXTS, "--links", "nowhere.tsv"], "nowhere.tsv"),
    (["topics/en/good.json", *TEXTS], "give PATH alone"),
    (["topics/en/good.json", "-c", "en.jsonl", "--side-by-side"], "for topics in several"),
    (
        ["topics/en/good.json", "-c", "en.jsonl", "--unit", "chapter"],
        "--unit is for texts in several languages",
    ),
    (["topics/en/good.json", "--language", "en", "-c", "en.jsonl"], "in one language only"),
    (["en=topics/en/good.json", "topics/es/good.json"], "say the language of each"),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG)
def test_an_invalid_option_is_a_one_line_error(
    run: Run, arguments: list[str], message: str
) -> None:
    done = run("score", *arguments)
    assert done.code == 2
    assert message in done.err
    assert len(done.err.splitlines()) == 1
    assert done.out == ""


def test_broken_texts_are_a_one_line_error(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.en").write_text("one\ntwo\n")
    (tmp_path / "a.es").write_text("uno\n")
    (tmp_path / "bible.tsv").write_text("GEN 1:1\tIn the beginning\nGEN one:two\tAnd the earth\n")
    (tmp_path / "other.tsv").write_text("EXO 1:1\tEstos son\nEXO 1:2\tlos nombres\n")
    (tmp_path / "right.tsv").write_text("GEN 1:1\tIn the beginning\nGEN 1:2\tAnd the earth\n")
    (tmp_path / "fr-de.txt").write_text("ciel himmel\n")
    (tmp_path / "none-en-es.txt").write_text("xyzzy abracadabra\n")
    for arguments, message in (
        (["-c", f"en={tmp_path}/a.en", "-c", f"es={tmp_path}/a.es"], "a.es"),
        (["-c", f"en={tmp_path}/bible.tsv", "-c", f"es={tmp_path}/other.tsv"], "bible.tsv:2"),
        (["-c", f"en={tmp_path}/right.tsv", "-c", f"es={tmp_path}/other.tsv"], "linked"),
        (["-m", "mta@10", "--dictionary", tmp_path / "fr-de.txt"], "fr-de"),
        (["-m", "mta@10", "--dictionary", f"en-es={tmp_path}/none-en-es.txt"], "none-en-es.txt"),
    ):
        done = run("score", "both.json", *arguments)
        assert done.code == 2, (arguments, done)
        assert message in done.err
        assert len(done.err.splitlines()) == 1, done.err


# ---------------------------------------------------------------------- files of several kinds

BIBLE = {
    "en": "JOL 2:28\tking house\nJOL 2:29\tking\nJOL 3:1\tsea ship\nJOL 3:2\tsea\n",
    # in Hebrew numbers, where chapters 3 and 4 are the end of English 2, and 3
    "es": "JOL 3:1\trey casa\nJOL 3:2\trey\nJOL 4:1\tmar sol\nJOL 4:2\tmar\n",
}
KINGS = {"languages": {"en": [["king", "house"]], "es": [["rey", "casa"]]}}


@pytest.fixture
def bibles(tmp_path: Path) -> list[str]:
    (tmp_path / "kings.json").write_text(json.dumps(KINGS))
    for name, text in BIBLE.items():
        (tmp_path / f"{name}.tsv").write_text(text)
    texts = [part for name in BIBLE for part in ("-c", f"{name}={tmp_path}/{name}.tsv")]
    return [str(tmp_path / "kings.json"), *texts]


def test_a_reader_for_one_language(run: Run, bibles: list[str]) -> None:
    reader = "--reader", "es=bible(versification=hebrew)"
    [row] = rows(run("score", *bibles, "-m", "cnpmi", "--unit", "verse", *reader))
    # king 2, rey 2, together 2 of 4 verses: 1; king-casa and house-rey 1/2; house-casa 1
    assert row["value"] == pytest.approx((1 + 0.5 + 0.5 + 1) / 4)
    wrong = run("score", *bibles, "--reader", "sv=bible")
    assert "a reader for sv, but the texts are in en, es" in wrong.err


def test_one_language_alone_is_read_like_both(run: Run, bibles: list[str], tmp_path: Path) -> None:
    of_one = "--language", "en", "-m", "npmi"
    [verses] = rows(run("score", *bibles, *of_one, "--unit", "verse", "--reader", "bible"))
    [plain] = rows(run("score", *bibles, *of_one, "--tokens", "en=words", "--unit", "verse"))
    assert verses["value"] == plain["value"] == pytest.approx(0.5)
    both = tmp_path / "both.jsonl"
    texts = [("en", "king house"), ("es", "king"), ("en", "king"), ("en", "sea"), ("en", "x")]
    lines = [{"id": str(n), "language": who, "text": t} for n, (who, t) in enumerate(texts)]
    both.write_text("".join(json.dumps(line) + "\n" for line in lines))
    [row] = rows(run("score", bibles[0], f"-cen={both}", f"-ces={both}", *of_one))
    assert row["value"] == pytest.approx(0.5)  # as of the verses: the Spanish king is no English


def test_a_glob_may_contain_an_equals_sign(run: Run, tmp_path: Path) -> None:
    for year in ("2001", "2002"):
        (tmp_path / f"year={year}").mkdir()
        (tmp_path / f"year={year}" / "x.txt").write_text(f"king house\nsea {year}\n")
    (tmp_path / "mono.txt").write_text("king house\n")
    [row] = rows(
        run("score", tmp_path / "mono.txt", "-c", f"{tmp_path}/year=*/x.txt", "-m", "npmi")
    )
    assert row["value"] == 1.0
    assert "texts=4#" in row["signature"]


def test_counts_of_other_words_are_a_one_line_error(run: Run, tmp_path: Path) -> None:
    counts = tmp_path / "few.counts"
    assert run("count", "both.json", *TEXTS, "-m", "cnpmi@1", "-o", counts).code == 0
    done = run("score", "both.json", "--counts", counts, "-m", "cnpmi@10")
    assert done.code == 2
    assert "the counts of linked documents of en and es do not contain the word" in done.err
    assert len(done.err.splitlines()) == 1


def test_counts_of_chapters_and_of_verses_cannot_be_added(
    run: Run, bibles: list[str], tmp_path: Path
) -> None:
    for unit in ("verse", "chapter"):
        out = "-o", tmp_path / f"{unit}.counts"
        assert run("count", *bibles, "-m", "cnpmi", "--unit", unit, *out).code == 0
    files = [tmp_path / f"{unit}.counts" for unit in ("verse", "chapter")]
    done = run("add", *files, "-o", tmp_path / "sum.counts")
    assert done.code == 2
    assert "do not go together" in done.err
    [row] = rows(run("score", bibles[0], "--counts", files[1], "-m", "cnpmi"))
    assert "en:chapter words(" in row["signature"]


def test_documents_without_a_link_are_noted(run: Run, tmp_path: Path) -> None:
    lines = Path("es.jsonl").read_text().splitlines()[:100]
    (tmp_path / "some.jsonl").write_text("\n".join(lines) + "\n")
    done = run("score", "both.json", "-c", "en=en.jsonl", "-c", f"es={tmp_path}/some.jsonl")
    assert "100 documents are linked, of 128 of en and 100 of es" in done.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["both.json", *TEXTS, "--relevance", "x.relevance"],
            "is for topics in one",
        ),
        (["both.json", "--unit", "chapter", "--dictionary", "en-es.txt"], "--unit is for texts"),
        (
            ["both.json", *TEXTS, "-m", "cnpmi@10", "--dictionary", "en-es.txt"],
            "is for mta@10",
        ),
        (["both.json", *TEXTS, "-c", "eng=es.jsonl"], "eng"),
        (["both.json", "-c", "en=", "-c", "es=es.jsonl"], "the path is missing"),
        (["topics/en/good.json", "-c", "en.jsonl", "--languages", "en,es"], "languages"),
    ],
)
def test_options_without_effect_are_refused(run: Run, arguments: list[str], message: str) -> None:
    done = run("score", *arguments)
    assert done.code == 2
    assert message in done.err
    assert len(done.err.splitlines()) == 1


def test_options_without_effect_on_counts_are_refused(run: Run, tmp_path: Path) -> None:
    done = run(
        "count", "topics/en/good.json", "-c", "en.jsonl", "--unit", "chapter",
        "-o", tmp_path / "x.counts",
    )  # fmt: skip
    assert done.code == 2
    assert "--unit is for texts in several languages" in done.err


def test_lists_separated_by_commas(run: Run, tmp_path: Path) -> None:
    for name, words in KINGS["languages"].items():
        (tmp_path / f"{name}.txt").write_text(",".join(words[0]) + "\n")
    files = [f"{name}={tmp_path}/{name}.txt" for name in ("en", "es")]
    dictionary = tmp_path / "en-es.txt"
    dictionary.write_text("king rey\n")
    [row] = rows(run("score", *files, "--separator", "comma", "--dictionary", dictionary))
    assert row["value"] == 0.5
