"""The aligners by name; each is imported when it is used."""

from __future__ import annotations

import importlib
from dataclasses import dataclass

from tealeaves.catalogue import Catalogue
from tealeaves.jobs import Advance
from tealeaves.lexicon.alignment.symmetrization import TwoWay
from tealeaves.lexicon.bitext import Bitext
from tealeaves.parameters import check_natural


@dataclass(frozen=True)
class Aligner:
    """The module of an aligner, its function, and what it needs.

    Parameters
    ----------
    name
        The name by which it is found.
    module, function
        The function takes a bitext, ``threads`` and ``advance``, and returns a :class:`TwoWay`.
    checks
        A function without arguments that raises an error if the aligner cannot run, if needed.
    packages
        Packages of others whose version may change the links.
    """

    name: str
    module: str
    function: str
    checks: str = ""
    packages: tuple[str, ...] = ()

    def align(self, bitext: Bitext, *, threads: int | None, advance: Advance | None) -> TwoWay:
        """Align the words of a bitext."""
        function = getattr(importlib.import_module(self.module), self.function)
        links: TwoWay = function(bitext, threads=threads, advance=advance)
        return links

    def check(self) -> None:
        """Raise if the package or the program is missing."""
        if self.checks:
            getattr(importlib.import_module(self.module), self.checks)()


_HERE = __name__.rpartition(".")[0]
_THOT = f"{_HERE}.thot"

#: The aligners by name: our own, those of sil-thot, and the program eflomal.
ALIGNERS = Catalogue(
    "aligner",
    lambda: (
        Aligner("hmm", f"{_HERE}.hmm", "align_hmm"),
        Aligner("fast_align", _THOT, "align_fast_align", "check_thot", ("sil-thot",)),
        Aligner("thot_eflomal", _THOT, "align_thot_eflomal", "check_thot", ("sil-thot",)),
        Aligner("eflomal", f"{_HERE}.eflomal", "align_eflomal", "check_eflomal"),
    ),
)


def aligner(name: str) -> Aligner:
    """Return the aligner of a name."""
    return ALIGNERS.find(name)


def align(
    bitext: Bitext, name: str, threads: int | None = None, advance: Advance | None = None
) -> TwoWay:
    """Align the words of a bitext with the aligner of a name, in both directions.

    Parameters
    ----------
    bitext
        The passages of both languages.
    name
        ``hmm``, ``fast_align``, ``thot_eflomal`` or ``eflomal``.
    threads
        How many threads align; by default one for each processor.
    advance
        Called with the number of passages that are done, for a progress bar.
    """
    chosen = aligner(name)
    if threads is not None:
        check_natural("threads", threads)
    return chosen.align(bitext, threads=threads, advance=advance)
