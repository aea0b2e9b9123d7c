"""Commands and their help: groups that import lazily, and options under headings."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

# The headings of options, in the order of the help.
TEXTS = "Texts"
MODEL = "Model"
METRICS = "Metrics"
JUDGMENTS = "Judgments"
STATISTICS = "Statistics"
OUTPUT = "Output"
SOURCES = "Further sources"
LANGUAGES = "Several languages"
FILES = "How files are read"
WORK = "Work"
_HEADINGS = (
    TEXTS,
    MODEL,
    METRICS,
    JUDGMENTS,
    STATISTICS,
    OUTPUT,
    SOURCES,
    LANGUAGES,
    FILES,
    WORK,
)

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


class HeadedOption(click.Option):
    """An option that the help lists under a heading."""

    def __init__(self, *names: Any, heading: str = "", **settings: Any) -> None:
        super().__init__(*names, **settings)
        self.heading = heading


class HeadedCommand(click.Command):
    """A command whose help lists options under their headings, the most needed first."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write one section for each heading; options without one come last."""
        sections: dict[str, list[tuple[str, str]]] = {heading: [] for heading in _HEADINGS}
        rest: list[tuple[str, str]] = []
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and isinstance(parameter, click.Option):
                sections.get(getattr(parameter, "heading", ""), rest).append(record)
        headed = any(sections.values())
        sections["Other options" if headed else "Options"] = rest
        for heading, records in sections.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)


class LazyGroup(click.Group):
    """A group that imports a command when it is run; ``modules`` names the module of each.

    Without a command it shows its help.
    """

    def __init__(self, *, modules: Mapping[str, str], **options: Any) -> None:
        super().__init__(invoke_without_command=True, **options)
        self.modules = modules

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, or show the help if none is named."""
        result = super().invoke(ctx)
        if ctx.invoked_subcommand is None:
            click.echo(ctx.get_help())
        return result

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands in the order of the help."""
        return list(self.modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        if cmd_name not in self.modules:
            return None
        module = importlib.import_module(self.modules[cmd_name])
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands with the whole first sentence of their help."""
        rows = []
        for name in self.list_commands(ctx):
            command = self.get_command(ctx, name)
            if command is not None:
                rows.append((name, command.get_short_help_str(limit=1000)))
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Find a command, or suggest the one that may have been meant."""
        from tealeaves.errors import did_you_mean

        if args and args[0] not in self.modules:
            hint = did_you_mean(args[0], self.modules)
            ctx.fail(f"no command {args[0]}{hint}")
        return super().resolve_command(ctx, args)


def command(name: str) -> Callable[[Callable[..., Any]], HeadedCommand]:
    """Declare a command whose help has headings."""
    return click.command(name, cls=HeadedCommand)


def option(*names: str, heading: str = "", **settings: Any) -> Callable[[Decorated], Decorated]:
    """Declare an option under a heading."""
    return click.option(*names, cls=HeadedOption, heading=heading, **settings)
