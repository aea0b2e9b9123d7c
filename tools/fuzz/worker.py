"""A process that reads changed files, one after the other, with limits of memory and time."""

from __future__ import annotations

import io
import os
import resource
import shutil
import signal
import sys
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tealeaves.cli.main import main
from tealeaves.errors import TealeavesError, TealeavesWarning
from tools.fuzz.mutations import mutated
from tools.fuzz.readers import Reader, readers

MEMORY = 2 << 30
SECONDS = 30
_CLI_SHARE = 0.1  # of the inputs go through a command


class Fuzzer:
    """Makes changed files from seeds, and reads them.

    Parameters
    ----------
    folder
        Where the changed files are written.
    only
        A part of the label of the readers that are fuzzed; all by default.
    """

    def __init__(self, folder: Path, only: str = "") -> None:
        self.folder = folder
        self.readers = [reader for reader in readers() if only in reader.label]
        self._others = [path for reader in self.readers for path in _files(reader.example)]

    def make(self, seed: int) -> tuple[Reader, Path, Random]:
        """Write the changed file of a seed; return its reader, its path, and the draws."""
        random = Random(seed)
        reader = self.readers[seed % len(self.readers)]
        target = self.folder / reader.example.name
        for old in self.folder.iterdir():
            shutil.rmtree(old) if old.is_dir() else old.unlink()
        if reader.example.is_dir():
            shutil.copytree(reader.example, target)
        else:
            shutil.copy(reader.example, target)
        changed = random.choice(_files(target))
        changed.write_bytes(
            mutated(changed.read_bytes(), random, lambda: random.choice(self._others).read_bytes())
        )
        return reader, target, random

    def outcome(self, seed: int) -> tuple[str, str]:
        """Return what became of the file of a seed: a word, and the traceback if it failed."""
        reader, path, random = self.make(seed)
        if reader.command is not None and random.random() < _CLI_SHARE:
            return _run_command(reader.command(path))
        try:
            reader.read(path)
        except TealeavesError:
            return "refused", ""
        except MemoryError:
            return "memory", traceback.format_exc()
        except BaseException as error:  # noqa: BLE001  # a panic is not even an Exception
            return type(error).__name__, traceback.format_exc()
        return "read", ""


def _files(path: Path) -> list[Path]:
    return sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]


def _run_command(arguments: list[str]) -> tuple[str, str]:
    """Run a command in this process: it must end with 0 or 2, and without a traceback."""
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    code: object = "none"
    known = warnings.showwarning
    with redirect_stdout(out), redirect_stderr(out):
        try:
            main(arguments)
        except SystemExit as ended:
            code = ended.code
        except BaseException:  # noqa: BLE001
            return "uncaught", f"{arguments}\n{traceback.format_exc()}"
        finally:
            warnings.showwarning = known
    written = out.buffer.getvalue().decode("utf-8", "replace")
    if code not in (0, None, 2) or "Traceback" in written:
        return f"exit {code}", f"{arguments}\n{written}"
    return ("read" if not code else "refused"), ""


@contextmanager
def _limits() -> Iterator[None]:
    """Limit the memory of this process; an input that takes too long ends it."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    warnings.simplefilter("error")
    warnings.simplefilter("ignore", TealeavesWarning)
    yield


def work(start: int, stop: int, only: str) -> None:
    """Read the files of some seeds; write a line before and after each."""
    report = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    written = os.open(os.environ["FUZZ_STDERR"], os.O_RDWR | os.O_CREAT | os.O_TRUNC)
    os.dup2(written, 2)
    os.environ["TEALEAVES_CACHE"] = ""
    with TemporaryDirectory(prefix="fuzz-") as folder, _limits():
        os.chdir(folder)
        fuzzer = Fuzzer(Path(folder) / "input", only)
        fuzzer.folder.mkdir()
        for seed in range(start, stop):
            report.write(f"{seed}\n")
            signal.alarm(SECONDS)
            outcome, detail = fuzzer.outcome(seed)
            signal.alarm(0)
            if outcome in ("read", "refused") and os.fstat(written).st_size:
                outcome, detail = (
                    "stderr",
                    Path(os.environ["FUZZ_STDERR"]).read_text("utf-8", "replace"),
                )
            os.ftruncate(written, 0)
            os.lseek(written, 0, os.SEEK_SET)
            report.write(f"{seed}\t{outcome}\t{detail.encode('unicode_escape').decode()}\n")


if __name__ == "__main__":
    with suppress(BrokenPipeError, KeyboardInterrupt):
        work(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
