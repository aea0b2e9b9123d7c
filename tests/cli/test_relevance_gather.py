"""``tealeaves relevance gather``."""

from __future__ import annotations

import importlib.util
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tealeaves import Topics
from tealeaves.errors import InputError
from tealeaves.evidence.attention.classifiers.classifier import Classifier
from tealeaves.evidence.attention.notes import language_notes
from tealeaves.evidence.attention.relevance_file import load_relevance
from tealeaves.text.corpus import Corpus
from tealeaves.text.document import Document

from .relevance_commands import GatherCommand, Run, check_error

# ------------------------------------------------------------------ gathering


def test_a_summary_and_a_file(gather: GatherCommand) -> None:
    done = gather("a.relevance")
    assert done.code == 0
    found = load_relevance(gather.into / "a.relevance")
    totals = found.totals
    message = (
        f"a.relevance: tiny read {totals.used} of 80 texts; 8 words, {len(found.rows)} ordered"
    )
    assert message in done.err
    assert totals.used + totals.without == 80
    assert not (gather.into / "a.relevance.partial").exists()
    assert found.has_heads
    assert gather("quiet.relevance", "-q").err == ""


def test_only_the_first_words(gather: GatherCommand) -> None:
    gather("a.relevance", "--top", 2)
    found = load_relevance(gather.into / "a.relevance")
    assert [str(term) for term in found.terms] == ["w0", "w1", "w3", "w4"]
    assert found.pairs is not None
    assert found.pairs.tolist() == [[0, 1], [2, 3]]


def test_all_pairs(gather: GatherCommand) -> None:
    gather("sums.relevance", "--all-pairs", "--budget", 10)
    gather("heads.relevance", "--all-pairs", "--by-head", "--budget", "all")
    sums, heads = (load_relevance(gather.into / f"{n}.relevance") for n in ("sums", "heads"))
    assert sums.pairs is None
    assert (sums.has_heads, heads.has_heads) == (False, True)
    assert (sums.totals.used, heads.totals.left) == (10, 0)
    assert sums.totals.left > 0


@pytest.mark.parametrize("budget", ["0", "-3", "many", "1.5"])
def test_an_invalid_budget_is_refused(gather: GatherCommand, budget: str) -> None:
    message = f"{budget} is neither a number of texts nor all"
    check_error(gather("a.relevance", "--budget", budget), message)


@pytest.mark.parametrize(
    ("more", "changed", "message"),
    [
        ([], {"topics": "single.txt"}, "these topics have no two words"),
        ([], {"topics": "none.txt"}, "none.txt: no such file"),
        ([], {"texts": "none"}, "none.txt"),
        ([], {"classifier": "single.txt"}, "single.txt: a file; a classifier is a folder"),
        ([], {"classifier": "."}, "no model in"),
        ([], {"classifier": "none"}, "none: no such folder, and no name of the hub"),
        (["--classifier", "typo"], {}, "typo: no such folder of a classifier"),
        ([], {"classifier": "tiny/encoder"}, "without a head that predicts classes"),
        ([], {"topics": "foreign.txt"}, "no text has two words of one topic, as tokens reads them"),
        (["--tokens", "wrds"], {}, "wrds"),
        (["--device", "abacus"], {}, "device abacus: torch cannot use it here"),
        (["--heads-of", "none.relevance"], {}, "none.relevance: no such file"),
        (["--resume", "--restart"], {}, "give either resume (--resume) or restart"),
        (["--target", "true"], {}, "target=true: no text has a label that the classifier knows"),
    ],
)
def test_bad_input_is_refused(
    gather: GatherCommand, more: list[str], changed: dict[str, str], message: str
) -> None:
    check_error(gather("a.relevance", *more, **changed), message)
    assert not list(gather.into.iterdir())


def test_texts_must_be_given(run: Run, relevance_folder: Path, tmp_path: Path) -> None:
    done = run(
        "relevance", "gather", relevance_folder / "topics.txt", "-o", tmp_path / "a.relevance"
    )
    check_error(done, "give the texts with --corpus")


def test_other_files_are_not_overwritten(gather: GatherCommand) -> None:
    file = gather.into / "precious.txt"
    file.write_text("a poem")
    check_error(gather("precious.txt"), "precious.txt exists and holds no relevance: name another")
    assert file.read_text() == "a poem"
    gather("a.relevance", "--budget", 5)
    done = gather("a.relevance", "--heads-of", gather.into / "a.relevance")
    check_error(done, "a.relevance: it is an input and would be overwritten")
    # relevance neither, unless it is said
    kept = (gather.into / "a.relevance").read_bytes()
    message = f"{gather.into / 'a.relevance'} holds relevance already: --restart replaces it"
    check_error(gather("a.relevance", "--budget", 6), message)
    assert (gather.into / "a.relevance").read_bytes() == kept
    assert gather("a.relevance", "--budget", 6, "--restart").code == 0
    assert load_relevance(gather.into / "a.relevance").totals.used == 6


def test_the_published_rules(gather: GatherCommand) -> None:
    for name, rules in (("sizes", "sizes"), ("chefer", "chefer")):
        done = gather.run(
            "relevance", "gather", gather.folder / "topics.txt", "--tokens", "tokens",
            "-c", gather.folder / "texts" / "april.txt", "--classifier", gather.folder / "tiny",
            "--budget", 6, "--rules", rules, "-o", gather.into / name,
        )  # fmt: skip
        assert done.code == 0, done.err
    sizes, chefer = (load_relevance(gather.into / name) for name in ("sizes", "chefer"))
    assert (sizes.stamp.rules, chefer.stamp.rules) == ("sizes", "chefer")
    np.testing.assert_allclose(sizes.sums[:, :2], chefer.sums[:, :2], atol=1e-5)  # LRP is the same
    assert not np.allclose(sizes.sums[:, 2], chefer.sums[:, 2], atol=1e-6)
    assert "rules=chefer" in chefer.provenance


# ------------------------------------------------------------------ tokens and languages


def lowered(gather: GatherCommand, output: str, *more: object, topics: str = "topics.txt") -> Any:
    """Gather without saying tokens; the classifier was fitted with `tokens`."""
    return gather.run(
        "relevance", "gather", gather.folder / topics, "-c", gather.folder / "texts" / "april.txt",
        "--classifier", gather.folder / "tiny", "--no-improved", "--budget", 5,
        "-o", gather.into / output, *more,
    )  # fmt: skip


def test_texts_are_read_with_the_tokens_of_the_classifier(gather: GatherCommand) -> None:
    done = lowered(gather, "a.relevance")
    assert done.code == 0, done.err
    assert load_relevance(gather.into / "a.relevance").stamp.pipeline.expression == "tokens"
    message = "note: the texts are read with the tokens of the classifier, tokens (--tokens names"
    assert done.err.startswith(message)
    assert lowered(gather, "b.relevance", "-q").err == ""
    done = lowered(gather, "c.relevance", "--tokens", "icu")
    assert load_relevance(gather.into / "c.relevance").stamp.pipeline.expression == "icu"
    message = "note: the classifier was fitted with the tokens tokens, and now reads icu\n"
    assert done.err.startswith(message)
    assert "note" not in lowered(gather, "d.relevance", "--tokens", "tokens").err


def test_models_with_other_tokens_are_noted(gather: GatherCommand) -> None:
    model = Topics.of([["w0", "w1", "w2"]], model="m")
    replace(model, tokens="words(min_length=2)").save(gather.into / "made.json")
    done = lowered(gather, "a.relevance", topics=str(gather.into / "made.json"))
    assert done.code == 0, done.err
    assert load_relevance(gather.into / "a.relevance").stamp.pipeline.expression == "tokens"
    assert done.err.splitlines()[0] == (
        "note: the texts are read with the tokens of the classifier, tokens, not with those that "
        "models were made with, words(min_length=2) (--tokens names others)"
    )


def test_a_run_with_other_tokens_is_not_resumed(
    gather: GatherCommand, loaded: list[object]
) -> None:
    """Errors are reported before a network is loaded, and by their expressions."""
    assert gather("a.relevance", "--budget", 5).code == 0
    loaded.clear()
    done = gather("a.relevance", "--budget", 5, "--resume", "--tokens", "icu")
    message = f"{gather.into / 'a.relevance'} holds other relevance: its tokens are tokens, not icu"
    check_error(done, f"{message} (--restart replaces it)")
    more = gather.run(
        "relevance", "gather", gather.folder / "topics.txt", "--resume", "--tokens", "tokens",
        "-c", gather.folder / "texts" / "april.txt", "--classifier", gather.folder / "tiny",
        "-o", gather.into / "a.relevance",
    )  # fmt: skip
    check_error(more, "it was gathered without Improved LRP (--restart replaces it)")
    assert not loaded


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The classifiers that are loaded."""
    found: list[object] = []
    opened = Classifier.open

    def counted(name: Any) -> Classifier:
        found.append(name)
        return opened(name)

    monkeypatch.setattr(Classifier, "open", staticmethod(counted))
    return found


def test_languages_that_the_encoder_was_not_made_for() -> None:
    spanish = Document("el gato", language="spa")
    english = Document("the cat", language="en_GB")
    silent = Document("???")
    model = replace(Topics.of([["gato"]]), language="es")
    cases: list[tuple[list[Document], list[Topics], str, list[str]]] = [
        ([english, spanish], [], "en", ["minilm was made for en, but the texts say es: X"]),
        ([english, silent], [], "en", []),
        ([silent], [model], "en", ["minilm was made for en, but the models say es: X"]),
        ([spanish], [model], "", []),
    ]
    for documents, models, made_for, notes in cases:
        assert language_notes(Corpus.of(documents), models, made_for, remedy="X") == notes


def test_another_language_is_noted_before_the_default_classifier_is_fitted(
    gather: GatherCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(*_: Any, **__: Any) -> Any:
        raise InputError("not fitted")

    monkeypatch.setattr("tealeaves.evidence.attention.topic_relevance.default_classifier", none)
    texts = gather.into / "es.jsonl"
    texts.write_text('{"text": "w0 w1", "language": "es"}\n')
    done = gather.run("relevance", "gather", gather.folder / "foreign.txt", "-c", texts,
                      "-o", gather.into / "a.relevance")  # fmt: skip
    assert done.err.splitlines() == [
        "note: minilm was made for en, but the texts say es: --classifier names another",
        "tealeaves: error: not fitted",
    ]


# ------------------------------------------------------------------ missing packages


@pytest.mark.parametrize("package", ["torch", "transformers"])
def test_missing_packages_are_named(
    gather: GatherCommand, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    import sys

    find_spec = importlib.util.find_spec

    def without(name: str, *given: Any) -> Any:
        return None if name == package else find_spec(name, *given)

    monkeypatch.setattr("tealeaves.evidence.attention.classifiers.encoders.find_spec", without)
    monkeypatch.setitem(sys.modules, package, None)
    for name in ("tiny", "tiny/encoder"):
        done = gather("a.relevance", classifier=name)
        check_error(done, f"needs the package {package}: pip install")
        assert "tealeaves[relevance]" in done.err


def test_the_probe_needs_its_packages_too(
    run: Run, relevance_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    find_spec = importlib.util.find_spec

    def without(name: str, *given: Any) -> Any:
        return None if name == "sklearn" else find_spec(name, *given)

    monkeypatch.setattr("tealeaves.evidence.attention.classifiers.encoders.find_spec", without)
    texts = ["-c", relevance_folder / "texts" / "may.txt", "--tokens", "tokens"]
    done = run(
        "relevance",
        "gather",
        relevance_folder / "topics.txt",
        *texts,
        "-o",
        tmp_path / "a.relevance",
    )
    check_error(done, 'needs the package scikit-learn: pip install "tealeaves[relevance]"')


def test_the_topics_that_people_judged(
    gather: GatherCommand, relevance_folder: Path, tmp_path: Path
) -> None:
    """Both have the same two topics, so that both files ask for the same pairs."""
    rows = ["model,topic,words,answer"]
    rows += ["m,0,w0 w1 w2 w3 w4,3", "m,1,w3 w4 w5 w6 w7,1"]
    (tmp_path / "judged.csv").write_text("\n".join(rows) + "\n")
    assert gather("named.relevance").code == 0
    found = gather.run(
        "relevance", "gather", "--human", tmp_path / "judged.csv",
        "-c", relevance_folder / "texts" / "april.txt", "--tokens", "tokens",
        "--classifier", relevance_folder / "tiny", "--no-improved",
        "-o", tmp_path / "judged.relevance",
    )  # fmt: skip
    assert found.code == 0, found.err
    named, judged = (load_relevance(tmp_path / f"{n}.relevance") for n in ("named", "judged"))
    assert named == judged
    neither = gather.run(
        "relevance",
        "gather",
        "-c",
        relevance_folder / "texts" / "april.txt",
        "-o",
        tmp_path / "none",
    )
    assert neither.code == 2
    assert "give TOPICS" in neither.err
