"""Single instructions that Python has no name for; :mod:`.lowering` says them to LLVM."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tealeaves.compiling.arrays import U8


def load64(data: U8, place: int) -> int:
    """Return the eight bytes from ``place`` on as a number, the first byte the least."""
    return int.from_bytes(data[place : place + 8].tobytes(), "little")


def store64(data: U8, place: int, value: int) -> None:
    """Write a number to the eight bytes from ``place`` on, the least byte first."""
    data[place : place + 8] = list(int(value).to_bytes(8, "little"))


def trailing_zeros(value: int) -> int:
    """Return the number of the lowest bit that is set; 64 if none is."""
    return (int(value) & -int(value)).bit_length() - 1 if value else 64
