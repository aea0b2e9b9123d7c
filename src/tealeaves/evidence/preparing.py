"""Compiling everything that counting may need, before it is needed."""

from __future__ import annotations

from tealeaves.compiling.kernel import Kernel
from tealeaves.evidence.kernels.contexts import count_contexts
from tealeaves.evidence.kernels.events import count_events, find_events
from tealeaves.evidence.kernels.gensim_windows import count_windows_like_gensim
from tealeaves.evidence.kernels.sets import count_sets
from tealeaves.evidence.kernels.several_windows import count_several_windows
from tealeaves.evidence.kernels.tokens import find_hits
from tealeaves.evidence.kernels.windows import count_windows
from tealeaves.evidence.wordtable import fill_table
from tealeaves.text.characters import CASES, KINDS, character_tables
from tealeaves.text.digest import digest_texts

KERNELS: tuple[Kernel, ...] = (
    find_hits,
    fill_table,
    digest_texts,
    count_events,
    find_events,
    count_windows,
    count_several_windows,
    count_windows_like_gensim,
    count_contexts,
    count_sets,
)


def prepare() -> None:
    """Compile all kernels and make all tables, so that no later run on this machine has to."""
    for kernel in KERNELS:
        kernel.prepare()
    for kind in KINDS:
        for case in CASES:
            character_tables(kind, case)
