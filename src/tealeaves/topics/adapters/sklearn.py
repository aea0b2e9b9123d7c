"""scikit-learn: LatentDirichletAllocation, NMF, MiniBatchNMF, with their vectoriser or pipeline.

``components_`` (K×V) are pseudo-counts or factors: each row is divided by its sum. ``documents``,
texts or the matrix that the vectoriser makes of them, give p(t|d) through ``transform``. Of factors
W H the sums D of the rows of H go to the documents, W H = (W D) (D⁻¹ H): p(t|d) is W D, divided by
its sum.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from tealeaves.errors import InputError
from tealeaves.topics.adapters.given import calling, refuse_negative, whole_or_none
from tealeaves.topics.adapters.parts import Parts, from_matrices, with_words
from tealeaves.topics.topics import Topics

LIBRARY = "scikit-learn"
USES = frozenset({"documents", "vectorizer", "vocabulary"})


class Fitted(NamedTuple):
    """An estimator, and what makes its input of texts."""

    estimator: Any
    vectorizer: Any


def fits(model: Any) -> bool:
    """An estimator with components, one paired with its vectoriser, or a pipeline of both."""
    if isinstance(model, list | tuple):
        others = [one for one in model[:3] if not _is_estimator(one)]
        return len(model) == 2 and len(others) == 1 and _is_vectorizer(others[0])
    return _is_estimator(model) or _is_pipeline(model)


def kind(model: Any) -> Any:
    """Return the estimator, which names the model."""
    return _fitted(model, None).estimator


def convert(model: Any, parts: Parts) -> Topics:
    """Make topics of an estimator and its vectoriser."""
    import numpy as np

    estimator, vectorizer = _fitted(model, parts.vectorizer)
    if not hasattr(estimator, "components_"):
        raise InputError(f"{parts.name}: the model is not fitted: call fit first")
    components = np.asarray(estimator.components_, dtype=np.float64)
    refuse_negative(components, type(estimator).__name__, parts)
    words = _words(estimator, vectorizer, parts)
    ids = list(range(len(components)))
    kept = with_words(ids, [not row.any() for row in components], parts)
    theta, known = None, {}
    if parts.documents is not None:
        counts = _matrix(vectorizer, parts)
        theta = np.asarray(calling(estimator.transform, counts, parts=parts))[:, kept]
        if hasattr(estimator, "beta_loss"):  # NMF and MiniBatchNMF; LDA gives probabilities
            theta = theta * components[kept].sum(axis=1)
        known = _totals(counts)
    stated = replace(parts, topic_word_axes=parts.topic_word_axes or "topics words")
    return from_matrices(
        stated, components[kept], words, theta, normalize=True, topic_ids=kept, **known
    )


def _is_estimator(model: Any) -> bool:
    untrained = hasattr(model, "n_components") and hasattr(model, "fit_transform")
    return (hasattr(model, "components_") or untrained) and hasattr(model, "transform")


def _is_vectorizer(model: Any) -> bool:
    return hasattr(model, "get_feature_names_out") and hasattr(model, "transform")


def _is_pipeline(model: Any) -> bool:
    steps = getattr(model, "steps", None)
    return isinstance(steps, list) and bool(steps) and _is_estimator(steps[-1][-1])


def _fitted(model: Any, vectorizer: Any) -> Fitted:
    if isinstance(model, list | tuple):
        first, second = model
        return Fitted(first, second) if _is_estimator(first) else Fitted(second, first)
    if _is_pipeline(model):
        before = model[:-1] if len(model.steps) > 1 else None
        return Fitted(model.steps[-1][-1], vectorizer or before)
    return Fitted(model, vectorizer)


def _words(estimator: Any, vectorizer: Any, parts: Parts) -> Any:
    if parts.vocabulary is not None:
        return parts.vocabulary
    if vectorizer is None and hasattr(estimator, "feature_names_in_"):  # fitted on a frame
        return estimator.feature_names_in_
    if vectorizer is None:
        raise InputError(
            f"{parts.name}: a scikit-learn model does not know its words: give "
            "(model, vectorizer), adapt(model, vectorizer=...) or a Pipeline"
        )
    if not hasattr(vectorizer, "get_feature_names_out"):
        raise InputError(f"{parts.name}: a {type(vectorizer).__name__} has no words: no vectoriser")
    return calling(vectorizer.get_feature_names_out, parts=parts)


def _matrix(vectorizer: Any, parts: Parts) -> Any:
    """Return what the estimator takes: documents that are numbers as they are."""
    documents = parts.documents
    if isinstance(documents, str):
        raise InputError(f"{parts.name}: documents is one text: give a list of texts")
    if hasattr(documents, "shape") and getattr(documents, "ndim", 2) == 2:
        return documents
    if vectorizer is None:
        raise InputError(f"{parts.name}: documents that are texts need their vectorizer=")
    return calling(vectorizer.transform, list(documents), parts=parts)


def _totals(counts: Any) -> dict[str, Any]:
    """Sum up documents and words, where the matrix holds counts and not weights."""
    import numpy as np

    if whole_or_none(getattr(counts, "data", counts)) is None:
        return {}
    lengths, frequency = (np.asarray(counts.sum(axis=axis)).ravel() for axis in (1, 0))
    return {
        "document_lengths": whole_or_none(lengths),
        "term_frequency": whole_or_none(frequency),
    }
