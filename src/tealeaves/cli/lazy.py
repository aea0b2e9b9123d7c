"""Groups of commands whose modules are imported when they are run."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any, ClassVar

import click


class LazyGroup(click.Group):
    """A group that imports a command when it is asked for; ``modules`` says from where."""

    modules: ClassVar[Mapping[str, str]] = {}

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names, in the order in which they are shown."""
        return list(self.modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import a command."""
        if cmd_name not in self.modules:
            return None
        module = importlib.import_module(self.modules[cmd_name])
        command: click.Command = module.command
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Find a command, or say which may have been meant."""
        from tealeaves.errors import did_you_mean

        if args and args[0] not in self.modules:
            hint = did_you_mean(args[0], self.modules)
            ctx.fail(f"no command {args[0]}{hint}")
        return super().resolve_command(ctx, args)
