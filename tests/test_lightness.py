"""``import tealeaves`` and ``--help`` load nothing heavy and take no time."""

from __future__ import annotations

import resource
import subprocess
import sys

import pytest

HEAVY = (
    "numpy",
    "scipy",
    "numba",
    "llvmlite",
    "polars",
    "pandas",
    "rich",
    "tqdm",
    "regex",
    "msgspec",
    "altair",
    "phik",
)
_HELP = "from tealeaves.cli.main import cli; cli([{}'--help'], standalone_mode=False)"
COMMANDS = {
    "import": "import tealeaves",
    "help": _HELP.format(""),
    "score": _HELP.format("'score', "),
    "train": _HELP.format("'train', "),
    "select": _HELP.format("'select', "),
    "compare": _HELP.format("'compare', "),
    "correlate": _HELP.format("'correlate', "),
    "agreement": _HELP.format("'agreement', "),
    "consensus": _HELP.format("'consensus', "),
    "consensus package": "import tealeaves.consensus",
    "report room": "import tealeaves.report",
    "report": _HELP.format("'report', "),
    "estimator": _HELP.format("'estimator', "),
    "predict": _HELP.format("'estimator', 'predict', "),
    "fit": _HELP.format("'estimator', 'fit', "),
    "lexicon": _HELP.format("'lexicon', "),
    "extract": _HELP.format("'lexicon', 'extract', "),
    "map": _HELP.format("'lexicon', 'map', "),
    "tag": _HELP.format("'lexicon', 'tag', "),
    "sample": _HELP.format("'lexicon', 'sample', "),
    "annotations": _HELP.format("'lexicon', 'annotations', "),
    "evaluate": _HELP.format("'lexicon', 'evaluate', "),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_nothing_heavy_is_loaded(name: str) -> None:
    code = f"{COMMANDS[name]}\nimport sys; print('loaded:', *sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    loaded = set(done.stdout.partition("loaded:")[2].split())
    assert "tealeaves" in loaded
    assert loaded.isdisjoint(HEAVY)


@pytest.mark.parametrize("name", COMMANDS)
def test_it_takes_less_than_three_tenths_of_a_second(name: str) -> None:
    def seconds(code: str) -> float:
        """Return the processor time of a process: the machine may be busy with others."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime

    assert min(seconds(COMMANDS[name]) for _ in range(5)) < 0.3


def test_every_public_name_can_be_had() -> None:
    code = "import tealeaves\nfor n in tealeaves.__all__: getattr(tealeaves, n)"
    subprocess.run([sys.executable, "-c", code], check=True)
