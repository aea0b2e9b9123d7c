"""The command that a line of words calls, and its options."""

from __future__ import annotations

import click

from tealeaves.cli.main import cli

PROGRAM = "tealeaves"


def find_command(words: list[str]) -> tuple[click.Context, list[str]]:
    """Return the context of the command that the words call, and its arguments."""
    context = click.Context(cli, info_name=PROGRAM, **cli.context_settings)
    rest = words[1:]
    while rest and rest[0][0] != "-" and isinstance(context.command, click.Group):
        _, found, rest = context.command.resolve_command(context, rest)
        assert found is not None
        context = click.Context(found, info_name=found.name, parent=context)
    return context, rest


def option_names(context: click.Context) -> set[str]:
    """Return the names of all options of a command."""
    return {name for option in context.command.get_params(context) for name in option.opts}
