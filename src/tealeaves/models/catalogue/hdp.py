"""The hierarchical Dirichlet process, which finds the number of topics itself."""

from __future__ import annotations

from typing import Any

from tealeaves.models.model import GibbsSettings, Natural, Positive
from tealeaves.models.tomotopy import TomotopyModel


class HdpSettings(GibbsSettings, frozen=True, kw_only=True):
    """The parameters of the HDP.

    Parameters
    ----------
    initial_k
        The number of topics at the start.
    alpha, gamma
        The concentrations of the processes of tables and of topics: larger ones give more topics.
    eta
        The prior of each word in a topic.
    """

    initial_k: Natural = 10
    alpha: Positive = 0.1
    gamma: Positive = 0.1
    eta: Positive = 0.2


def _make(library: Any, settings: HdpSettings) -> Any:
    return library.HDPModel(
        initial_k=settings.initial_k,
        alpha=settings.alpha,
        gamma=settings.gamma,
        eta=settings.eta,
        seed=settings.seed,
    )


hdp = TomotopyModel(
    name="hdp",
    summary="hierarchical Dirichlet process, which finds the number of topics (tomotopy)",
    cite="Teh et al. 2006",
    settings=HdpSettings(),
    make=_make,
)
