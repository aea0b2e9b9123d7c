"""Commands and their help: groups that import lazily, and options under headings."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from tealeaves.printing import echo
from tealeaves.system import expanded_patterns

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
    """An option that the help lists under a heading.

    ``requires`` names options of which one must be given too, ``excludes`` options that must not
    be given with it. ``"--plot"`` is an option with any value and ``"TOPICS"`` an argument;
    ``"--by model"`` is an option with this value, which may also be the default if it is required.
    """

    def __init__(
        self,
        *names: Any,
        heading: str = "",
        requires: str | Sequence[str] = (),
        excludes: str | Sequence[str] = (),
        **settings: Any,
    ) -> None:
        super().__init__(*names, **settings)
        self.heading = heading
        self.requires = (requires,) if isinstance(requires, str) else tuple(requires)
        self.excludes = (excludes,) if isinstance(excludes, str) else tuple(excludes)

    def check(self, context: click.Context) -> None:
        """Raise if the option is given without what it requires, or with what it excludes."""
        if not _is_given(self, context):
            return
        known = [one for one in self.requires if _parameter(one, context)]
        if known and not any(_holds(one, context) for one in known):
            needed = " or ".join(known)
            raise click.UsageError(f"{self.opts[-1]} has no effect without {needed}")
        for other in self.excludes:
            if _holds(other, context, by_default=False):
                raise click.UsageError(f"give either {self.opts[-1]} or {other}, not both")


def _is_given(parameter: click.Parameter, context: click.Context) -> bool:
    """Tell whether the user gave an option or argument."""
    source = context.get_parameter_source(str(parameter.name))
    if source in (None, ParameterSource.DEFAULT, ParameterSource.DEFAULT_MAP):
        return False
    return context.params.get(str(parameter.name)) not in (None, (), False)


def _holds(condition: str, context: click.Context, *, by_default: bool = True) -> bool:
    """Tell whether ``--option`` is given, or, for ``--option value``, has that value."""
    parameter = _parameter(condition, context)
    if parameter is None:
        return False
    given = _is_given(parameter, context)
    value = condition.partition(" ")[2]
    if not value:
        return given
    actual = context.params.get(str(parameter.name))
    values = actual if isinstance(actual, tuple) else (actual,)
    return (given or by_default) and value in map(str, values)


def _parameter(condition: str, context: click.Context) -> click.Parameter | None:
    """Return the option or argument of a condition; None if the command does not have it."""
    name = condition.partition(" ")[0]
    for parameter in context.command.params:
        if name in parameter.opts or name.lower() in parameter.opts:  # TOPICS is an argument
            return parameter
    return None


class HeadedCommand(click.Command):
    """A command whose help lists options under their headings, the most needed first.

    ``hint`` returns what to say of an option that the command does not have.
    """

    def __init__(
        self, *names: Any, hint: Callable[[str], str] | None = None, **settings: Any
    ) -> None:
        super().__init__(*names, **settings)
        self.hint = hint

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the command line; suggest an option for one that is not known."""
        try:
            rest = super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            name = error.option_name
            hint = self.hint(name.lstrip("-")) if self.hint else ""
            raise click.UsageError(f"no option {name}{hint or self._nearest(name)}") from error
        for parameter in self.params:
            if isinstance(parameter, click.Argument) and parameter.nargs == -1:  # files
                name = str(parameter.name)
                ctx.params[name] = tuple(expanded_patterns(ctx.params[name]))
        return rest

    def _nearest(self, name: str) -> str:
        from tealeaves.errors import did_you_mean

        # without dashes, which all names share
        known = {one.lstrip("-"): one for each in self.params for one in each.opts}
        near = did_you_mean(name.lstrip("-"), [one for one in known if len(one) > 1])
        return re.sub(r"mean (.+)\?", lambda match: f"mean {known[match[1]]}?", near)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, unless its options contradict each other."""
        for parameter in self.params:
            if isinstance(parameter, HeadedOption):
                parameter.check(ctx)
        return super().invoke(ctx)

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
            echo(ctx.get_help())
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


def command(
    name: str, hint: Callable[[str], str] | None = None
) -> Callable[[Callable[..., Any]], HeadedCommand]:
    """Declare a command whose help has headings; ``hint`` is said of options that it lacks."""
    return click.command(name, cls=HeadedCommand, hint=hint)


def option(*names: str, heading: str = "", **settings: Any) -> Callable[[Decorated], Decorated]:
    """Declare an option under a heading; its help shows the default, and N for a whole number."""
    if settings.get("default") not in (None, ""):
        settings.setdefault("show_default", True)
    if settings.get("type") is int or isinstance(settings.get("type"), click.IntRange):
        settings.setdefault("metavar", "N")
    return click.option(*names, cls=HeadedOption, heading=heading, **settings)
