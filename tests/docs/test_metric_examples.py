"""The examples on the pages of metrics run; command line and Python give the same value."""

from __future__ import annotations

import importlib
import json
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tealeaves import demo, train
from tealeaves.cli.main import cli
from tealeaves.metrics.registry import METRICS
from tealeaves.text.paired.corpus import PairedCorpus

WEBSITE = Path(__file__).parents[2] / "website"
RELEVANCE = {"attention_sum", "cooccurrence", "improved_lrp_sum", "lrp_sum", "relevance_count"}


@pytest.fixture(scope="module")
def examples() -> Iterator[Any]:
    sys.path.insert(0, str(WEBSITE))
    try:
        yield importlib.import_module("metric_pages")
    finally:
        sys.path.remove(str(WEBSITE))
        sys.modules.pop("metric_pages", None)


@pytest.fixture(scope="module")
def playground(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that the examples name: the demo, and models trained on it."""
    pytest.importorskip("tomotopy")
    folder = tmp_path_factory.mktemp("examples") / "playground"
    demo.copy_to(folder)
    for name, seed in (("lda", 0), ("run1", 1), ("run2", 2)):
        train(f"lda(k=4, samples=2, seed={seed})", folder / "en.jsonl").save(
            folder / f"{name}.topics"
        )
    paired = PairedCorpus.open({one: folder / f"{one}.jsonl" for one in ("en", "es")})
    train("pltm(k=4)", paired).save(folder / "both.topics")
    (folder / "en-es.txt").write_text("water agua\nsky cielo\n", encoding="utf-8")
    return folder


def value_of(output: str) -> float:
    rows = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    return float(rows[-1]["value"])


@pytest.mark.parametrize("name", sorted(set(METRICS) - RELEVANCE))
def test_command_and_python_agree(
    examples: Any, playground: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    metric = METRICS[name]
    if "vectors" in metric.source:
        pytest.importorskip("wordllama")
    monkeypatch.chdir(playground)
    _, *words = shlex.split(examples.example_command(metric))
    done = CliRunner().invoke(cli, [*words, "-q"])
    assert done.exit_code == 0, done.output
    space: dict[str, Any] = {}
    exec(examples.example_code(metric), space)
    *_, model = space["scores"].models
    assert model.metric == examples.usual_expression(metric)
    assert value_of(done.output) == pytest.approx(model.value, rel=1e-9)


@pytest.mark.parametrize("name", sorted(RELEVANCE))
def test_the_example_needs_a_file_of_relevance(
    examples: Any, playground: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    # gathering relevance would take long: the error shows that the example asks for the file
    monkeypatch.chdir(playground)
    _, *words = shlex.split(examples.example_command(METRICS[name]))
    done = CliRunner().invoke(cli, words)
    assert "en.relevance: no such file of relevance" in str(done.exception) + done.output
