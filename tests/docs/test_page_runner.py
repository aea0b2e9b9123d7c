"""The page runner runs shell and Python blocks as a reader would, and reports errors."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tealeaves import demo
from tests.systems import needs_bash

from .blocks import Block, read_blocks
from .page_runner import BlockError, PageRunner
from .shell_commands import commands
from .skipped_commands import check_skipped, with_quicker_options

pytestmark = needs_bash


@pytest.fixture
def page(tmp_path: Path) -> Iterator[PageRunner]:
    demo.copy_to(tmp_path)
    runner = PageRunner(tmp_path)
    with runner.isolated():
        yield runner


def sh(text: str, line: int = 7) -> Block:
    return Block("guide.md", line, "sh", text)


def py(text: str, line: int = 7) -> Block:
    return Block("guide.md", line, "py", text)


# -------------------------------------------------------------------- finding


def test_blocks_have_language_line_and_no_indent(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_text(
        "# Title\n\n```sh\nls\n```\n\n1. a list\n\n   ```py title=x\n   if x:\n       y\n   ```\n"
        "\n````text\n```\nnot a block\n```\n````\n\n```\nbare\n```\n"
    )
    assert read_blocks(path, "page.md") == [
        Block("page.md", 4, "sh", "ls\n"),
        Block("page.md", 10, "py", "if x:\n    y\n"),
        Block("page.md", 15, "text", "```\nnot a block\n```\n"),
        Block("page.md", 21, "", "bare\n"),
    ]


def test_a_block_that_does_not_end_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_text("text\n\n```sh\nls\n")
    with pytest.raises(ValueError, match=r"page\.md:3"):
        read_blocks(path, "page.md")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ls -l  # all of it's files\n\npwd\n", [(0, "ls -l"), (2, "pwd")]),
        ("a b \\\n    c\nd\n", [(0, "a b     c"), (2, "d")]),
        ("a 'x # y' && b \"&& c\" && d\n", [(0, "a 'x # y'"), (0, 'b "&& c"'), (0, "d")]),
        ("# only a remark\n", []),
        ("a 'two\nlines' b\nc\n", [(0, "a 'two\nlines' b"), (2, "c")]),
    ],
)
def test_commands_of_a_block(text: str, found: list[tuple[int, str]]) -> None:
    assert [tuple(command) for command in commands(text)] == found


def test_a_command_that_does_not_end_is_an_error(page: PageRunner) -> None:
    with pytest.raises(BlockError, match=r"guide\.md:7.*does not end"):
        page.run(sh("ls \\\n"))


@pytest.mark.parametrize(
    ("text", "plain"),
    [("a 'b|c' \"d>e\"", True), ("a | b", False), ("a > b", False), ("a $(b)", False)],
)
def test_pipes_and_redirection_are_left_to_the_shell(text: str, *, plain: bool) -> None:
    assert next(commands(text)).is_plain is plain


# -------------------------------------------------------------------- runner


def test_commands_share_folder_and_variables(page: PageRunner, tmp_path: Path) -> None:
    page.run(sh('mkdir deep && cd deep\nwhich="npmi@10 c_v@10"\n'))
    page.run(sh('tealeaves score ../topics/en/*.json -c ../en.jsonl -m "$which" -o scores.csv\n'))
    page.run(sh("wc -l < scores.csv | tr -d ' ' > lines.txt\ncd ..\n"))
    # a head, then three models of eight topics and their own row, for two metrics
    assert (tmp_path / "deep" / "lines.txt").read_text() == f"{1 + 3 * 9 * 2}\n"
    assert page.folder == tmp_path


def test_python_shares_names_and_the_folder_of_the_commands(
    page: PageRunner, tmp_path: Path
) -> None:
    page.run(py("class Kept:\n    size = 3\n"))
    page.run(sh("mkdir made && cd made\n"))
    page.run(py("from pathlib import Path\nPath('kept.txt').write_text('x' * Kept.size)\n"))
    assert (tmp_path / "made" / "kept.txt").read_text() == "xxx"


def test_only_the_imports_of_a_doctest_are_kept(page: PageRunner) -> None:
    page.run(Block("guide.md", 1, "python", ">>> import math\n>>> kept = math.pi\n"))
    page.run(py("math.pi\n"))
    with pytest.raises(BlockError, match="kept"):
        page.run(py("kept\n"))


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("tealeaves score topics/en/good.json -c en.jsonl --corpse x", 7, "corpse"),
        ("# first\n\ntealeaves score lda.json -c en.jsonl", 9, "lda.json"),
        ("tealeaves score topics/en/good.json \\\n    -c en.jsonl -m npmy@10", 7, "npmy"),
        ("tealeaves scores", 7, "scores"),
        ("pwd\nls topics/fr/*.json", 8, "no match"),
        ('tealeaves metrics "$name"', 7, "name"),
        ("cd nowhere", 7, "no such folder"),
        ("no_such_program", 7, "no_such_program"),
        ("cat nothing | sort", 7, "nothing"),
        ("make tea", 7, "tea"),
        ('pip install "tealeaves[embed,milk]"', 7, "milk"),
        ("python -m benchmarks sugar", 7, "sugar"),
    ],
)
def test_an_error_in_a_command_names_its_line(
    page: PageRunner, text: str, line: int, message: str
) -> None:
    with pytest.raises(BlockError) as raised:
        page.run(sh(text + "\n"))
    first, _, rest = str(raised.value).partition("\n")
    assert first.startswith(f"guide.md:{line}: ")
    assert message in rest


def test_output_is_compared_line_by_line(page: PageRunner) -> None:
    command = sh("tealeaves score topics/en/*.json -c en.jsonl -m npmi@10\n")
    page.check_output(command, Block("guide.md", 11, "text", "model  npmi@10 ↑\ngood 0.5911\n…\n"))
    page.check_output(sh("tealeaves --version\necho x\n"), Block("guide.md", 11, "text", "x\n"))
    with pytest.raises(BlockError, match=r"^guide\.md:12: good 0\.5912\nis not what comes out"):
        page.check_output(command, Block("guide.md", 11, "text", "model  npmi@10 ↑\ngood 0.5912\n"))
    with pytest.raises(BlockError, match="no command scores"):
        page.check_output(sh("tealeaves scores\n"), Block("guide.md", 11, "text", "x\n"))


@pytest.mark.parametrize(
    "text", ["1 / 0", "import no_such_module", "def f(:", "open('nothing.txt')", "unknown_name"]
)
def test_an_error_in_python_names_its_line(page: PageRunner, text: str) -> None:
    with pytest.raises(BlockError, match=r"^guide\.md:12: \w+Error: "):
        page.run(py(text + "\n", line=12))


def test_nothing_reaches_the_network(page: PageRunner) -> None:
    text = "import urllib.request\nurllib.request.urlopen('http://example.org')\n"
    with pytest.raises(BlockError, match="network"):
        page.run(py(text))


def test_a_page_leaves_nothing_behind(tmp_path: Path) -> None:
    folder, path, environment = Path.cwd(), list(sys.path), dict(os.environ)
    runner = PageRunner(tmp_path)
    text = (
        "import os, sys\nsys.path.insert(0, 'mine')\nos.environ['TEA'] = 'green'\nos.chdir('/')\n"
    )
    with runner.isolated():
        runner.run(py(text))
    assert (Path.cwd(), list(sys.path), dict(os.environ)) == (folder, path, environment)


# ------------------------------------------------------------------ not run


@pytest.mark.parametrize(
    "text", ["make test JOBS=4", 'pip install ".[embed]"', "X=/y python -m benchmarks people --all"]
)
def test_skipped_commands_are_checked(text: str) -> None:
    assert check_skipped(text) == ""


def test_other_commands_are_run() -> None:
    assert check_skipped("tealeaves demo") is None


def test_slow_commands_get_quicker_options() -> None:
    arguments = ["select", "-k", "5:60:5"]
    assert with_quicker_options(arguments)[: len(arguments)] == arguments
    assert with_quicker_options(arguments)[-1] == "2"
    assert with_quicker_options(["score", "x"]) == ["score", "x"]
