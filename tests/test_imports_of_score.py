"""A plain score imports what it needs and nothing else, so that it starts fast."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tealeaves import demo
from tealeaves.catalogue import members_of_package
from tealeaves.metrics.base import Metric
from tealeaves.metrics.registry import METRICS, _known

# libraries, and parts of the standard library that take more than a few milliseconds
HEAVY = {
    *("scipy", "polars", "pandas", "pyarrow", "rich", "tqdm", "safetensors"),
    *("altair", "torch", "sklearn", "multiprocessing", "asyncio", "sqlite3", "email", "xml"),
    *("importlib.metadata", "pickletools"),
}
# parts of tealeaves that other work needs
OTHERS = {
    *("comparison", "consensus", "estimator", "judgments", "learners", "lexicon", "models"),
    *("report", "statistics", "evidence.attention", "evidence.linked", "evidence.dictionaries"),
    *("evidence.embeddings.cache", "metrics.attention", "metrics.vectors", "metrics.crosslingual"),
    *("metrics.per_text", "metrics.topic_similarity", "tables.rows", "text.bible", "text.paired"),
    *("text.readers.table", "text.readers.parquet", "text.readers.tmx", "topics.adapters"),
}
START = "import sys; before = set(sys.modules)\n"
END = "\nprint('imported:', *set(sys.modules) - before)"
COMMAND = "from tealeaves.cli.main import main\ntry:\n    main({!r})\nexcept SystemExit as end:\n"
COMMAND += "    assert end.code == 0, end.code"


def imported(code: str) -> set[str]:
    """Return the modules that a program imports."""
    program = START + code + END
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.rpartition("imported:")[2].split())


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    """Topics and texts as plain lines."""
    topics, texts = tmp_path / "topics.txt", tmp_path / "texts.txt"
    topics.write_text(
        "".join(" ".join(topic.words) + "\n" for topic in demo.models()[0].topics), encoding="utf-8"
    )
    texts.write_text(
        "".join(f"{' '.join(text.text.split())}\n" for text in demo.corpus()), encoding="utf-8"
    )
    return str(topics), str(texts)


def commands(topics: str, texts: str) -> dict[str, str]:
    plain = ["score", topics, "--corpus", texts]
    tokens = [*plain, "--tokens", "tokens", "--metrics", "c_npmi"]
    return {
        "command": COMMAND.format(tokens),
        "rows": COMMAND.format([*tokens, "--by-topic", "--format", "csv"]),
        "default metrics": COMMAND.format(plain),
        "function": f"import tealeaves; tealeaves.score({topics!r}, {texts!r}, 'npmi umass')",
    }


@pytest.mark.parametrize("name", commands("", ""))
def test_a_plain_score_imports_nothing_heavy(name: str, files: tuple[str, str]) -> None:
    modules = imported(commands(*files)[name])
    assert "numpy" in modules
    assert "tealeaves.metrics.catalogue.coherence" in modules
    assert modules.isdisjoint(HEAVY)
    assert modules.isdisjoint(f"tealeaves.{other}" for other in OTHERS)


def test_regex_is_for_pipelines_that_use_it(files: tuple[str, str]) -> None:
    programs = commands(*files)
    assert "regex" not in imported(programs["command"])
    assert "regex" in imported(programs["default metrics"])


def test_only_the_module_of_a_metric_is_imported() -> None:
    code = "from tealeaves.metrics.registry import metric; metric('{}')"
    prefix = "tealeaves.metrics.catalogue."
    for name, module in (("topic_diversity", "diversity"), ("c_v", "coherence")):
        catalogue = {one for one in imported(code.format(name)) if one.startswith(prefix)}
        assert catalogue == {f"{prefix}{module}"}
    assert "tealeaves.consensus.catalogue" in imported(code.format("consensus"))


def test_every_metric_is_found_by_its_name_and_its_aliases() -> None:
    members = members_of_package("tealeaves.metrics.catalogue", Metric)  # type: ignore[type-abstract]
    for one in members:
        for name in (one.name, *one.aliases):
            assert _known(name) is METRICS[one.name]
    assert _known("no_such_metric") is None
