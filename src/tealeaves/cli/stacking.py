"""Several options as one decorator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Command = TypeVar("Command", bound=Callable[..., Any])


def stacked(*options: Callable[[Any], Any]) -> Callable[[Command], Command]:
    """Make one decorator of several options."""

    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate
