"""How work tells whoever waits how far it is."""

from __future__ import annotations

from collections.abc import Callable

#: called with how much is done, and of how much
Advance = Callable[[int, int], None]
