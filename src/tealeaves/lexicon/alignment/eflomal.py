"""The program eflomal, if the user has it: run, never imported, because it is under the GPL."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from tealeaves.errors import InputError
from tealeaves.files import temporary_folder
from tealeaves.jobs import Advance
from tealeaves.lexicon.alignment.links import Links
from tealeaves.lexicon.alignment.symmetrization import TwoWay
from tealeaves.lexicon.bitext import Bitext
from tealeaves.lexicon.words import Words

PROGRAM = "eflomal-align"


def check_eflomal() -> str:
    """Return the path of the program; the error says how to install it."""
    path = shutil.which(PROGRAM)
    if path is None:
        raise InputError(
            f"the aligner eflomal needs the program {PROGRAM} on the PATH: pip install eflomal "
            "(GPL; or use the models te+u, te+i, te+gdfa: aligner=thot_eflomal)"
        )
    return path


def align_eflomal(
    bitext: Bitext,
    *,
    threads: int | None = None,  # noqa: ARG001  the program decides
    advance: Advance | None = None,
) -> TwoWay:
    """Align with eflomal (Östling and Tiedemann 2016), IBM 1 + HMM + fertility.

    It samples without a seed: two runs differ a little.
    """
    program = check_eflomal()
    source, target = bitext.source.words, bitext.target.words
    advance = advance or (lambda *_: None)
    advance(0, 1)
    with temporary_folder(Path(tempfile.gettempdir()), "tealeaves-") as folder:
        names = ("source", "target", "forward", "backward")
        paths = dict(zip(names, (folder / name for name in names), strict=True))
        _write(source, paths["source"])
        _write(target, paths["target"])
        _run(
            [program, "--model", "3", "--source", str(paths["source"]),
             "--target", str(paths["target"]), "--forward-links", str(paths["forward"]),
             "--reverse-links", str(paths["backward"])]
        )  # fmt: skip
        forward, backward = (
            _read(paths[name], source.starts, np.diff(target.starts)) for name in names[2:]
        )
    advance(1, 1)
    return TwoWay(forward, backward, source.starts)


def _write(words: Words, path: Path) -> None:
    """Write one text per line, with numbers instead of words, which may contain spaces."""
    numbers, starts = words.numbers.tolist(), words.starts.tolist()
    with path.open("w", encoding="ascii", newline="\n") as stream:
        for row in range(len(words)):
            stream.write(" ".join(map(str, numbers[starts[row] : starts[row + 1]])) + "\n")


def _run(command: list[str]) -> None:
    try:
        done = subprocess.run(  # noqa: S603  the user's own program
            command, capture_output=True, encoding="utf-8", errors="replace", check=False
        )
    except OSError as error:
        raise InputError(f"{command[0]} cannot be run: {error.strerror or error}") from error
    if done.returncode:
        output = done.stderr.strip() or done.stdout.strip() or "no message"
        raise InputError(
            f"{command[0]} failed with code {done.returncode}: {output.splitlines()[-1]}"
        )


def _read(path: Path, starts: np.ndarray, lengths: np.ndarray) -> Links:
    """Read links such as ``0-1 2-2``, places in source and target, one line per passage."""
    if not path.is_file():
        raise InputError(f"{PROGRAM} wrote no {path.name} links: is it eflomal 2?")
    lines = path.read_text(encoding="ascii", errors="replace").splitlines()
    if len(lines) != len(lengths):
        raise InputError(
            f"{PROGRAM} wrote {path.name} links of {len(lines)} passages, not {len(lengths)}"
        )
    tokens, places = [], []
    sources = np.diff(starts)
    for row, line in enumerate(lines):
        for link in line.split():
            source, _, target = link.partition("-")
            if not (source.isdecimal() and target.isdecimal()) or (
                int(source) >= sources[row] or int(target) >= lengths[row]
            ):
                raise InputError(f"{PROGRAM} wrote {link!r} in line {row + 1} of {path.name} links")
            tokens.append(int(starts[row]) + int(source))
            places.append(int(target))
    return Links.from_arrays(
        int(starts[-1]), np.array(tokens, np.int64), np.array(places, np.int32)
    )
