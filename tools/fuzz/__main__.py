"""``python -m tools.fuzz``: changed files for every reader, until Ctrl-C or a number of inputs.

Inputs that fail are kept in a folder, with the command that reads them again.
"""

from __future__ import annotations

import argparse
import collections
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_AT_ONCE = 1_000_000_000
_EVERY = 1000  # inputs between two lines of progress


def main() -> int:
    """Fuzz; return 1 if an input failed."""
    parser = argparse.ArgumentParser(prog="python -m tools.fuzz", description=__doc__)
    parser.add_argument("--seed", type=int, default=None, help="the seed of the first input")
    parser.add_argument("--inputs", type=int, default=_AT_ONCE, help="how many; default: endless")
    parser.add_argument("--only", default="", help="a part of the names of readers and examples")
    parser.add_argument("--keep", type=Path, default=ROOT / ".fuzz", help="for inputs that fail")
    given = parser.parse_args()
    seed = secrets.randbelow(_AT_ONCE) if given.seed is None else given.seed
    print(f"seed {seed}", flush=True)
    failures = fuzz(seed, given.inputs, given.only, given.keep, progress=True)
    return 1 if failures else 0


def fuzz(seed: int, inputs: int, only: str, keep: Path, *, progress: bool = False) -> list[str]:
    """Read so many inputs; return what failed, one line each."""
    outcomes: collections.Counter[str] = collections.Counter()
    failures: list[str] = []
    begun = time.monotonic()
    try:
        for number, outcome, detail in _outcomes(seed, seed + inputs, only):
            outcomes[outcome] += 1
            if outcome not in ("read", "refused"):
                failures.append(_kept(number, outcome, detail, only, keep))
                if progress:
                    print(failures[-1], flush=True)
            if progress and outcomes.total() % _EVERY == 0:
                rate = outcomes.total() / (time.monotonic() - begun)
                print(f"{dict(outcomes)}, {rate:.0f} a second, next {number + 1}", flush=True)
    except KeyboardInterrupt:
        pass
    if progress:
        print(f"{outcomes.total()} inputs: {dict(outcomes)}", flush=True)
    return failures


def _outcomes(start: int, stop: int, only: str) -> Iterator[tuple[int, str, str]]:
    """Yield the outcome of each seed; a worker that dies is replaced by another one."""
    while start < stop:
        with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
            errors = Path(folder) / "stderr"
            command = [sys.executable, "-m", "tools.fuzz.worker", str(start), str(stop), only]
            environment = {**os.environ, "FUZZ_STDERR": str(errors), "OMP_NUM_THREADS": "1"}
            environment |= {"POLARS_MAX_THREADS": "2", "TMPDIR": folder}
            process = subprocess.Popen(
                command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, encoding="utf-8"
            )
            now = start - 1
            try:
                for line in process.stdout or ():
                    number, tab, rest = line.rstrip("\n").partition("\t")
                    now = int(number)
                    if tab:
                        outcome, _, detail = rest.partition("\t")
                        yield now, outcome, detail.encode().decode("unicode_escape")
                        start = now + 1
            finally:
                if sys.exc_info()[0] is not None:  # it is not needed any more
                    process.kill()
                code = process.wait()
                if process.stdout is not None:
                    process.stdout.close()
            if start < stop:
                if now < start:
                    raise RuntimeError(f"the worker does not start: {errors.read_text()}")
                died = "time" if code == -signal.SIGALRM else f"died {code}"
                yield now, died, errors.read_text("utf-8", "replace")[-3000:]
                start = now + 1


def _kept(seed: int, outcome: str, detail: str, only: str, keep: Path) -> str:
    """Keep the input of a seed and what it does; return a line about it."""
    from tools.fuzz.worker import Fuzzer

    folder = keep / f"{seed}"
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "input").mkdir(parents=True)
    reader, path, _ = Fuzzer(folder / "input", only).make(seed)
    only_option = f" --only '{only}'" if only else ""
    again = f"python -m tools.fuzz --seed {seed} --inputs 1{only_option}"
    (folder / "failure.txt").write_text(
        f"{reader.label}: {outcome}\n{again}\n\n{detail}\n", "utf-8"
    )
    last = (detail.strip().splitlines() or [""])[-1]
    return f"{outcome}: {reader.label}: {last[:160]} ({path}; {again})"


if __name__ == "__main__":
    sys.exit(main())
