"""Runs come back from their files as they were."""

from __future__ import annotations

import json
import math
import pickle
from pathlib import Path

import msgspec
import numpy as np
import pytest

from tealeaves import demo, score, select
from tealeaves.comparison import compare_scores
from tealeaves.errors import InputError
from tealeaves.judgments.correlation.correlation import correlate
from tealeaves.judgments.judgments import Judgments
from tealeaves.metrics.scores import Score
from tealeaves.report.report import save_report
from tealeaves.report.run import Run, read_run, save_run
from tealeaves.report.run.files import VERSION, _encode
from tealeaves.report.run.results import make_run, run_of
from tealeaves.topics.topics import Topic, Topics


def there_and_back(run: Run, folder: Path) -> Run:
    save_run(run, folder / "a.run")
    return read_run(folder / "a.run")


def same(one: object, other: object) -> bool:
    """Compare plain data, where NaN is NaN."""
    return repr(one) == repr(other)


def plain(run: Run) -> object:
    """Return all that a run holds; arrays are lists."""
    return msgspec.to_builtins(run, enc_hook=_encode)


def test_all_that_was_found_comes_back(tmp_path: Path) -> None:
    run = make_run(demo.models(), demo.corpus(), "npmi@10 umass@10", judgments=_people())
    back = there_and_back(run, tmp_path)
    assert same(plain(back), plain(run))
    assert back.explanations is not None
    assert len(back.explanations.topics) == 24
    assert back.explanations.topics[0].reasons
    [correlations] = back.correlations
    scores = score(demo.models(), demo.corpus(), "npmi@10 umass@10")
    expected = correlate(scores, _people())
    assert same(correlations.to_dicts(), expected.to_dicts())
    assert correlations.parts[0].human.tolist() == expected.parts[0].human.tolist()


def test_scores_can_be_pickled_and_hold_no_evidence_that_was_not_asked_for() -> None:
    scores = score([["a", "b"]], ["a b", "b c"], "npmi")
    assert scores.evidence is None
    also = score([["a", "b"]], ["a b", "b c"], "npmi", also="consensus@10")
    assert also.evidence is not None
    assert pickle.loads(pickle.dumps(also)).to_dicts() == scores.to_dicts()


def test_a_comparison_comes_back(tmp_path: Path) -> None:
    models = demo.models()
    scores = score(models, demo.corpus(), "npmi@10")
    found = compare_scores(scores, models)
    run = run_of(found, models, scores=scores)
    back = there_and_back(run, tmp_path)
    assert str(back.comparison) == str(found)
    assert back.tested is back.comparison
    assert back.analysis is not None
    assert back.analysis.comparison is None  # the same is not kept twice


def test_topics_side_by_side_come_back(tmp_path: Path) -> None:
    demo.copy_to(tmp_path)
    corpus = {name: tmp_path / f"{name}.jsonl" for name in ("en", "es")}
    run = make_run(demo.multilingual_models(), corpus, "cnpmi@10")
    back = there_and_back(run, tmp_path)
    assert back.explanations is None
    assert list(map(str, back.side_by_side)) == list(map(str, run.side_by_side))
    assert len(back.side_by_side) == 1
    assert back.models[0].languages == ["en", "es"]


def test_a_selection_comes_back(tmp_path: Path) -> None:
    texts = ["red blue green", "cat dog cow", "red green", "dog cow"] * 10
    found = select("lda_vb", texts, [2, 3], runs=2, also="consensus@10")
    back = there_and_back(run_of(found), tmp_path)
    [selection] = back.selections
    assert selection.explain() == found.explain()
    assert str(selection) == str(found)
    best = [found.best_of(candidate).label for candidate in found.ranking]
    assert [model.name for model in back.models] == best
    assert {row.model for row in back.scores.rows} == set(best)
    assert back.analysis is not None
    assert back.analysis.comparison is None  # a selection has its own tests


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 0.1, -0.0, 1e-300])
def test_numbers_come_back_as_they_were(value: float, tmp_path: Path) -> None:
    models = [Topics.of([["a", "b"]], model="m")]
    scores = score(models, ["a b"], "npmi")
    scores.rows = [
        Score("m", 0, "npmi", value, 1.0, "s"),
        Score("m", None, "npmi", value, 1.0, "s"),
    ]
    back = there_and_back(run_of(scores, models), tmp_path)
    assert repr(back.scores.rows[0].value) == repr(value)


@pytest.mark.parametrize("name", ["3", "null", "nan", "true", "<script>", "שלום", "a\u2028b", ""])
def test_ids_and_words_stay_text(name: str, tmp_path: Path) -> None:
    topic = Topic(name, tuple(dict.fromkeys((name or "x", "null", "nan", "1"))))
    models = [Topics((topic,), model="m")]
    back = there_and_back(run_of(score(models, ["nan null 1"], "npmi"), models), tmp_path)
    assert back.models[0].topics[0].id == name
    assert back.models[0].topics[0].words == topic.words
    assert back.scores.rows[0].topic == name


def test_weights_are_probabilities_of_the_words_that_are_kept(tmp_path: Path) -> None:
    phi = np.array([[3.0, 1.0, 0.0, 4.0]])
    model = Topics(
        (Topic(0, ("d", "a", "b")),), vocabulary=("a", "b", "c", "d"), topic_word=phi, model="m"
    )
    back = there_and_back(run_of(score([model], ["a b"], "npmi"), [model]), tmp_path)
    assert back.models[0].topics[0].weights == (4 / 8, 3 / 8, 1 / 8)
    assert back.models[0].as_topics()[0].weights == (0.5, 0.375, 0.125)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "not a complete file of a run: it is empty"),
        ("[1, 2]", "not a complete file of a run"),
        ('{"format": "toys"}', "tealeaves score --run"),
        ('{"format": "tealeaves run", "version": 99}', "file version 99; .*: install a newer"),
        (
            '{"format": "tealeaves run", "version": 1}',
            "version 1; .* reads version 2: it is of before the first release: run again",
        ),
        (f'{{"format": "tealeaves run", "version": {VERSION}}}', "a damaged run"),
        (
            f'{{"format": "tealeaves run", "version": {VERSION}, "run": {{"origins": 3}}}}',
            "a damaged run",
        ),
    ],
)
def test_what_is_no_run_is_refused(content: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.run"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=said) as refused:
        read_run(path)
    assert "bad.run" in str(refused.value)


def test_a_run_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    content = f'{{"format":"tealeaves run","version":{VERSION},"run":{{"title":"x"}}}}'.encode()
    path.write_bytes(content.replace(b'"x"', b'"\xff"'))
    with pytest.raises(InputError, match=r"a\.run: .*invalid UTF-8 at byte"):
        read_run(path)


def test_a_run_has_its_own_suffix(tmp_path: Path) -> None:
    run = make_run([["a", "b"]], ["a b"], "npmi")
    with pytest.raises(InputError, match=r"saved as \.run"):
        save_run(run, tmp_path / "a.json")


def test_bytes_that_are_no_text_do_not_lose_the_run(tmp_path: Path) -> None:
    models = [Topics.of([["caf\udce9", "tea"]], model="caf\udce9")]
    run = run_of(score(models, ["tea"], "npmi"), models, command=["tealeaves", "caf\udce9.json"])
    back = there_and_back(run, tmp_path)
    assert back.models[0].name == "caf\ufffd"
    assert back.models[0].topics[0].words[0] == "caf\ufffd"
    assert back.origins[0].command[1] == "caf\ufffd.json"
    save_report(run, tmp_path / "a.html", title="caf\udce9")
    assert "caf\ufffd" in (tmp_path / "a.html").read_text(encoding="utf-8")


def test_the_file_is_plain_json(tmp_path: Path) -> None:
    save_run(make_run([["a", "b"]], ["a b", "b c"], "npmi"), tmp_path / "a.run")
    found = json.loads((tmp_path / "a.run").read_text(encoding="utf-8"))
    assert found["format"] == "tealeaves run"
    assert found["run"]["models"][0]["topics"][0]["words"] == ["a", "b"]


def _people() -> Judgments:
    return Judgments.of(demo.judgments())
