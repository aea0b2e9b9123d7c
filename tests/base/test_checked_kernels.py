"""The tests of kernels, run with kernels that check every place of every array.

Such a library ends the process if a kernel reads or writes outside an array. It is compiled twice:
as it is, and without the vector instructions of x86, which is what other processors run.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tealeaves import kernels
from tests.base.test_kernels import every_kernel

ROOT = Path(__file__).resolve().parents[2]
COMPILER = shutil.which("cc")
TESTED = [
    "tests/evidence/counting/test_hits.py",
    "tests/evidence/counting/test_counters.py",
    "tests/models/polylingual/test_kernels.py",
    "tests/models/polylingual/test_lanes.py",
    "tests/lexicon/alignment/test_posteriors.py",
    "tests/lexicon/alignment/test_symmetrization.py",
    "tests/lexicon/alignment/test_views.py",
    "tests/lexicon/forms/test_groups.py",
    "tests/lexicon/forms/test_habits.py",
    "tests/lexicon/markers/test_measures.py",
    "tests/lexicon/markers/test_substrings.py",
    "tests/learners/test_trees.py",
    "tests/metrics/catalogue/test_stability.py",
    "tests/text/test_blocks.py",
]


def compile_library(target: Path, *flags: str) -> None:
    sources = map(str, (ROOT / "src" / "native").glob("*.c"))
    include = sysconfig.get_paths()["include"]
    command = [str(COMPILER), "-O1", "-std=c11", "-fPIC", "-shared", "-ffp-contract=off"]
    subprocess.run(
        [*command, *flags, f"-I{include}", *sources, "-o", str(target), "-lm"], check=True
    )


@pytest.mark.skipif(COMPILER is None, reason="there is no C compiler")
@pytest.mark.parametrize("flags", [["-DPORTABLE"], []], ids=["portable", "this processor"])
def test_no_kernel_leaves_its_arrays(flags: list[str], tmp_path: Path) -> None:
    library = tmp_path / "checked.so"
    compile_library(library, "-DCHECKED", *flags)
    plugins = ["-p", "no:cacheprovider", "-p", "tests.loaded_kernels"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-s", *plugins, *TESTED],
        cwd=ROOT,
        env=os.environ | {kernels.LIBRARY: str(library)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    [loaded] = [line for line in done.stdout.splitlines() if line.startswith("loaded:")]
    assert set(loaded.split()[1:]) == {one.name for one in every_kernel()}


@pytest.mark.skipif(COMPILER is None, reason="there is no C compiler")
def test_a_place_outside_an_array_ends_the_process(tmp_path: Path) -> None:
    library = tmp_path / "checked.so"
    compile_library(library, "-DCHECKED")
    code = (
        "import numpy as np\n"
        "from tealeaves.evidence.counting.kernels.events import count_events\n"
        "count_events(np.array([5], dtype=np.int32), np.zeros(2, dtype=np.int64))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {kernels.LIBRARY: str(library)},
        capture_output=True,
        text=True,
    )
    assert done.returncode != 0
    assert "gram_start has 2 elements, not 7" in done.stderr
