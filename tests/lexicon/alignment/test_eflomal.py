"""The program eflomal, played by a script that knows its command line."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tealeaves.errors import InputError
from tealeaves.lexicon.alignment.aligners import align, aligner
from tests.systems import needs_scripts

from .synthetic import bitext_of, points

# writes what it was given beside itself, and links that a test says
SCRIPT = """#!{python}
import pathlib, sys
given = dict(zip(sys.argv[1::2], sys.argv[2::2]))
here = pathlib.Path(__file__).parent
for side in ("source", "target"):
    (here / side).write_text(pathlib.Path(given["--" + side]).read_text())
{does}
"""
WRITES = """pathlib.Path(given["--forward-links"]).write_text({forward!r})
pathlib.Path(given["--reverse-links"]).write_text({backward!r})"""


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    def played(does: str) -> Path:
        program = tmp_path / "eflomal-align"
        program.write_text(SCRIPT.format(python=sys.executable, does=does))
        program.chmod(0o755)
        monkeypatch.setenv("PATH", str(tmp_path))
        return tmp_path

    return played


BITEXT = bitext_of([["a", "b b"], ["a"]], [["x", "y", "x"], ["y"]])


@needs_scripts
def test_links_are_read_and_words_are_numbers(play) -> None:  # type: ignore[no-untyped-def]
    folder = play(WRITES.format(forward="0-0 1-2\n0-0\n", backward="1-0 1-2\n\n"))
    both = align(BITEXT, "eflomal")
    assert points(both.forward) == {(0, 0), (1, 2), (2, 0)}
    assert points(both.backward) == {(1, 0), (1, 2)}
    assert (folder / "source").read_text() == "0 1\n0\n"
    assert (folder / "target").read_text() == "0 1 0\n1\n"


@needs_scripts
@pytest.mark.parametrize(
    ("does", "said"),
    [
        ("sys.exit('no memory')", "failed with code 1: no memory"),
        ("pass", "wrote no forward links: is it eflomal 2"),
        (WRITES.format(forward="0-0\n", backward=""), "links of 1 passages, not 2"),
        (WRITES.format(forward="0-3\n\n", backward="\n\n"), "'0-3' in line 1 of forward"),
        (WRITES.format(forward="\n0=1\n", backward="\n\n"), "'0=1' in line 2 of forward"),
    ],
)
def test_what_goes_wrong_is_one_line(play, does: str, said: str) -> None:  # type: ignore[no-untyped-def]
    play(does)
    with pytest.raises(InputError, match=said) as error:
        align(BITEXT, "eflomal")
    assert "\n" not in str(error.value)


def test_without_the_program_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(
        InputError, match="needs the program eflomal-align on the PATH: pip install"
    ) as caught:
        aligner("eflomal").check()
    assert "or use the models te+u, te+i, te+gdfa" in str(caught.value)
