"""Whether topics are English, as the embeddings are that are asked where none is named."""

from __future__ import annotations

from enum import Enum

import numpy as np

from tealeaves.consensus.judges import STATIC, WORDLLAMA, Judges
from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.requests import EmbeddingRequest
from tealeaves.text.languages import language_code
from tealeaves.topics.topics import Topics

_ENGLISH = "en"

# Words that are cut into many pieces have short vectors. Of 24 languages, the usual words of
# English news have a mean length of +.6 deviations in minilm_static and of +.2 in wordllama, others
# at most -.6 and -.03. The jargon of a narrow field is cut as a foreign language is: but a guess.
_SHORTEST = {STATIC: -0.4, WORDLLAMA: -0.25}
_FEWEST_KNOWN = 1 / 3


class English(Enum):
    """What is known of a model's language: it says so, it says otherwise, or it is a guess."""

    SAID = "said"
    NOT = "not"
    LIKELY = "likely"
    UNLIKELY = "unlikely"


def english(model: Topics, top: int | None, evidence: Evidence, judges: Judges) -> English:
    """Tell whether a model is English: by what it says, else by how its words are cut."""
    if code := language_code(model.language):
        return English.SAID if code == _ENGLISH else English.NOT
    words = sorted({word for topic in model.topics for word in topic.words[:top]})
    for name, shortest in _SHORTEST.items():
        length = _mean_length(words, name, evidence, judges)
        if length is not None:
            return English.LIKELY if length >= shortest else English.UNLIKELY
    return English.LIKELY


def _mean_length(words: list[str], name: str, evidence: Evidence, judges: Judges) -> float | None:
    """Return how long the vectors of words are, in deviations; -inf if most have none."""
    if not evidence.has(EmbeddingRequest(name, frozenset(words))):
        return None
    vectors = evidence.vectors(name)
    taught = judges.taught(name, vectors.fingerprint)
    if taught is None or taught.lengths is None:
        return None
    lengths = np.linalg.norm(vectors.of(words), axis=1)
    known = lengths[np.isfinite(lengths)]
    if len(known) < _FEWEST_KNOWN * len(words):
        return -np.inf
    return float((known.mean() - taught.lengths.mean) / taught.lengths.deviation)
