"""Every command is documented, and the examples of its help exist and parse."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

import click
import pytest

from tealeaves.cli.main import cli
from tealeaves.errors import TealeavesError
from tealeaves.metrics.registry import parse_metrics

from .blocks import ROOT, page_files, read_blocks
from .command_lookup import PROGRAM, find_command, option_names
from .shell_commands import commands


def all_commands(
    command: click.Command = cli, path: tuple[str, ...] = (PROGRAM,)
) -> Iterator[tuple[str, click.Command]]:
    """Yield every command and group with its full name."""
    yield " ".join(path), command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from all_commands(found, (*path, name))


COMMANDS = dict(all_commands())


def examples(command: click.Command) -> list[str]:
    """Return the examples in the help of a command; continued lines are joined."""
    _, _, rest = inspect.cleandoc(command.help or "").partition("Examples:\n")
    shown = rest.partition("\n\n")[0]
    return [found.text for found in commands(shown)]


def unknown_options(text: str) -> list[str]:
    """Return the options in a command line that the command does not have."""
    context, arguments = find_command(next(commands(text)).words)
    known = option_names(context)
    given = [word.partition("=")[0] for word in arguments if re.match("--?[a-z]", word)]
    return [option for option in given if option not in known]


def parse(line: str) -> None:
    """Parse a command without running it, and look up its metrics."""
    # in a pipe, only our own command is parsed
    text = line[line.rindex(f"{PROGRAM} ") :] if "|" in line else line
    context, arguments = find_command(next(commands(text)).words)
    command = context.command
    try:
        read = command.make_context(command.name, arguments, parent=context.parent)
    except click.exceptions.Exit:  # --help, --version
        return
    specs = read.params.get("metrics")
    if isinstance(specs, tuple) and specs:
        parse_metrics(specs)


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_examples_that_parse(name: str) -> None:
    shown = examples(COMMANDS[name])
    assert shown, f"{name} --help has no examples"
    own = [line for line in shown if f"{name} " in f"{line} "]
    assert own, f"no example of {name} --help is of that command"
    for line in shown:
        try:
            parse(line)
        except (click.ClickException, TealeavesError) as error:
            pytest.fail(f"{name} --help: {line}\n{error}")


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("tealeaves score lda.json --corpse texts.jsonl", "corpse"),
        ("tealeaves count lda.json -c texts.jsonl", "--output"),
        ("tealeaves lexicon find --source eng.tsv", "find"),
        ("tealeaves agreement", "FILE"),
        ("tealeaves score lda.json --format xls", "xls"),
        ("tealeaves score lda.json -m npmy@10", "npmy"),
        ("zcat texts.gz | tealeaves score lda.json --korpus -", "korpus"),
    ],
)
def test_a_wrong_example_is_detected(line: str, part: str) -> None:
    with pytest.raises((click.ClickException, TealeavesError)) as raised:
        parse(line)
    error = raised.value
    message = error.format_message() if isinstance(error, click.ClickException) else str(error)
    assert part.lower() in message.lower()


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != PROGRAM])
def test_command_is_in_the_guide(name: str) -> None:
    guide = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    assert re.search(rf"`{name}\b", guide), f"docs/command-line.md does not have {name}"


def mentions() -> list[str]:
    """Return the commands in running text, and in blocks that are not run."""
    found = []
    for path in page_files():
        text = path.read_text(encoding="utf-8")
        bare = re.sub(r"^\s*(`{3,}).*?^\s*\1\s*$", "", text, flags=re.DOTALL | re.MULTILINE)
        found += re.findall(rf"(?<!`)`({PROGRAM} [a-z][^`]*)`(?!`)", bare)
        for block in read_blocks(path):
            if block.language == "text":
                found += re.findall(rf"^{PROGRAM} .*", block.text, re.MULTILINE)
    return sorted({" ".join(mention.split()) for mention in found})


def test_commands_in_running_text_exist() -> None:
    found = mentions()
    assert len(found) >= 40
    wrong = {text: unknown_options(text) for text in found}
    assert not {text: unknown for text, unknown in wrong.items() if unknown}


def test_an_unknown_option_in_running_text_is_detected() -> None:
    assert unknown_options("tealeaves score --mark -c C --sort=worst -k") == ["--sort", "-k"]
    with pytest.raises(click.UsageError, match="scores"):
        unknown_options("tealeaves scores")
