"""scikit-learn: LatentDirichletAllocation, NMF, MiniBatchNMF, with their vectoriser or pipeline.

``components_`` (K×V) are pseudo-counts or factors: each row is divided by its sum. ``documents``
are texts, or the matrix that the vectoriser makes of them; ``transform`` gives their p(t|d). If the
components are factors, W H = (W D) (D⁻¹ H) with the sums D of the rows of H: p(t|d) is W D, divided
by its sum.
"""

from __future__ import annotations

from typing import Any

from tealeaves.errors import InputError
from tealeaves.topics.adapters.adapter import Adapter
from tealeaves.topics.assembly import (
    TopicsOptions,
    call_library,
    check_not_negative,
    positions_with_words,
    topics_from_matrices,
    whole_numbers_or_none,
)
from tealeaves.topics.topics import Topics


def is_sklearn_model(model: Any) -> bool:
    """Recognise an estimator with components, its pair with a vectoriser, or a pipeline of both."""
    if isinstance(model, list | tuple):
        others = [part for part in model[:3] if not _is_estimator(part)]
        return len(model) == 2 and len(others) == 1 and _is_vectorizer(others[0])
    return _is_estimator(model) or _is_pipeline(model)


def convert_sklearn_model(model: Any, options: TopicsOptions) -> Topics:
    """Make topics of an estimator and its vectoriser."""
    import numpy as np

    estimator, vectorizer = _estimator_and_vectorizer(model, options.vectorizer)
    if not hasattr(estimator, "components_"):
        raise InputError(f"{options.name}: the model is not fitted: call fit first")
    components = np.asarray(estimator.components_, dtype=np.float64)
    check_not_negative(components, type(estimator).__name__, options)
    words = _vectorizer_words(estimator, vectorizer, options)
    positions = positions_with_words(range(len(components)), components.any(axis=1), options)
    theta, known = None, {}
    if options.documents is not None:
        counts = _document_matrix(vectorizer, options)
        theta = np.asarray(call_library(estimator.transform, counts, options=options))[:, positions]
        if hasattr(estimator, "beta_loss"):  # NMF and MiniBatchNMF; LDA gives probabilities
            theta = theta * components[positions].sum(axis=1)
        known = _count_tokens(counts)
    return topics_from_matrices(
        options,
        components[positions],
        words,
        theta,
        axes=options.topic_word_axes or "topics words",
        normalize=True,
        topic_ids=positions,
        **known,
    )


def _is_estimator(model: Any) -> bool:
    untrained = hasattr(model, "n_components") and hasattr(model, "fit_transform")
    return (hasattr(model, "components_") or untrained) and hasattr(model, "transform")


def _is_vectorizer(model: Any) -> bool:
    return hasattr(model, "get_feature_names_out") and hasattr(model, "transform")


def _is_pipeline(model: Any) -> bool:
    steps = getattr(model, "steps", None)
    return isinstance(steps, list) and bool(steps) and _is_estimator(steps[-1][-1])


def _estimator_and_vectorizer(model: Any, vectorizer: Any = None) -> tuple[Any, Any]:
    if isinstance(model, list | tuple):
        first, second = model
        return (first, second) if _is_estimator(first) else (second, first)
    if _is_pipeline(model):
        steps_before = model[:-1] if len(model.steps) > 1 else None
        return model.steps[-1][-1], vectorizer or steps_before
    return model, vectorizer


def _vectorizer_words(estimator: Any, vectorizer: Any, options: TopicsOptions) -> Any:
    if options.vocabulary is not None:
        return options.vocabulary
    if vectorizer is None and hasattr(estimator, "feature_names_in_"):  # fitted on a frame
        return estimator.feature_names_in_
    if vectorizer is None:
        raise InputError(
            f"{options.name}: a scikit-learn model does not know its words: give "
            "(model, vectorizer), adapt(model, vectorizer=...) or a Pipeline"
        )
    if not hasattr(vectorizer, "get_feature_names_out"):
        raise InputError(
            f"{options.name}: a {type(vectorizer).__name__} has no words: it is no vectoriser"
        )
    return call_library(vectorizer.get_feature_names_out, options=options)


def _document_matrix(vectorizer: Any, options: TopicsOptions) -> Any:
    """Return the estimator's input; documents that are a matrix need no vectoriser."""
    documents = options.documents
    if isinstance(documents, str):
        raise InputError(f"{options.name}: documents is one text: give a list of texts")
    if hasattr(documents, "shape") and getattr(documents, "ndim", 2) == 2:
        return documents
    if vectorizer is None:
        raise InputError(f"{options.name}: documents that are texts need their vectorizer=")
    return call_library(vectorizer.transform, list(documents), options=options)


def _count_tokens(counts: Any) -> dict[str, Any]:
    """Count the tokens of each document and each word; nothing if the matrix holds weights."""
    import numpy as np

    if whole_numbers_or_none(getattr(counts, "data", counts)) is None:
        return {}
    lengths, frequency = (np.asarray(counts.sum(axis=axis)).ravel() for axis in (1, 0))
    return {
        "document_lengths": whole_numbers_or_none(lengths),
        "term_frequency": whole_numbers_or_none(frequency),
    }


SKLEARN = Adapter(
    "scikit-learn",
    is_sklearn_model,
    convert_sklearn_model,
    library="scikit-learn",
    options=("documents", "vectorizer", "vocabulary"),
    named_object=lambda model: _estimator_and_vectorizer(model)[0],
)
