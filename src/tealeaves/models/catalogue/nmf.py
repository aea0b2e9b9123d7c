"""Non-negative matrix factorisation of tf-idf weights."""

from __future__ import annotations

from typing import Any, Literal

from tealeaves.extras import require
from tealeaves.models.model import DEFAULT_K, ModelSettings, Natural, TopicNumber
from tealeaves.models.sklearn import SklearnModel


class NmfSettings(ModelSettings, frozen=True, kw_only=True):
    """The parameters of NMF.

    Parameters
    ----------
    k
        The number of topics.
    iterations
        The largest number of iterations.
    init
        The start: ``random`` differs between seeds, and so shows how much the start matters;
        ``nndsvda`` is nearly the same for each seed.
    """

    k: TopicNumber = DEFAULT_K
    iterations: Natural = 1000
    init: Literal["random", "nndsvda"] = "random"


def _make(library: Any, settings: NmfSettings) -> Any:
    return library.NMF(
        n_components=settings.k,
        init=settings.init,
        random_state=settings.seed,
        max_iter=settings.iterations,
    )


def _tfidf(counts: Any) -> Any:
    text = require("sklearn.feature_extraction.text", extra="models", reason="training nmf")
    return text.TfidfTransformer().fit_transform(counts)


nmf = SklearnModel(
    name="nmf",
    summary="non-negative matrix factorisation of tf-idf weights (scikit-learn)",
    cite="Lee & Seung 1999",
    settings=NmfSettings(),
    make=_make,
    weigh=_tfidf,
)
