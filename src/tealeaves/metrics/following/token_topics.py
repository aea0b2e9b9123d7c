"""The topic of each token: as the model gave it, or the most probable one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from tealeaves.errors import InputError
from tealeaves.evidence.encoded import EncodedTexts
from tealeaves.evidence.wording import Wording
from tealeaves.metrics.alignment import refuse_other_texts, rows_of_texts
from tealeaves.metrics.following.model_texts import ModelTexts, model_texts, spans
from tealeaves.topics.distributions import missing_part, phi, theta
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tealeaves.arrays import Floats, Integers32

Assignment = Literal["auto", "given", "probable", "word"]


@dataclass(frozen=True, eq=False)
class TokenTopics:
    """The topic of each token, text by text; -1 where there is none.

    ``weights`` is p(w|t) of each token's word and its topic, where it is known.
    """

    starts: NDArray[np.int64]
    topics: Integers32
    weights: Floats | None = None

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def text_of_token(self) -> NDArray[np.int64]:
        """The text that each token stands in."""
        return np.repeat(np.arange(len(self)), np.diff(self.starts))


def assignment_of(model: Topics, assignment: Assignment) -> Assignment:
    """Return where the topics of tokens come from: given ones before probable ones."""
    if assignment != "auto":
        return assignment
    return "probable" if model.assignments is None else "given"


def lack_of_tokens(model: Topics, assignment: Assignment) -> str:
    """Say what a model lacks for its tokens to have topics."""
    chosen = assignment_of(model, assignment)
    if chosen == "given":
        return missing_part(model, "assignments")
    lack = missing_part(model, "phi")
    if chosen == "probable" and not lack and (lack := missing_part(model, "theta")):
        lack += " (assignment=word does without)"
    return f"no token assignments, and {lack}" if lack and assignment == "auto" else lack


def given_topics(model: Topics) -> TokenTopics:
    """Return the topics that the model itself gave to the tokens of its documents."""
    found = model.assignments
    if found is None:
        raise InputError(f"{model.model}: {missing_part(model, 'assignments')}")
    if missing_part(model, "phi") or (found.words < 0).any():
        return TokenTopics(found.starts, found.topics)
    weights = phi(model)[np.maximum(found.topics, 0), found.words]
    return TokenTopics(found.starts, found.topics, np.where(found.topics < 0, 0.0, weights))


def likely_topics(
    model: Topics, texts: EncodedTexts, wording: Wording, assignment: Assignment
) -> TokenTopics:
    """Return the topic that is largest: of p(w|t) p(t|d), or for ``word`` of p(w|t) alone.

    Of equal ones the first counts. Tokens of a text that the model does not know have none.
    """
    own = model_texts(model, texts, wording)
    if assignment == "word":
        best, positive = own.by_word.argmax(axis=1), own.by_word.max(axis=1, initial=0.0) > 0
        topics = np.where(positive, best, -1).astype(np.int32)[own.words]
    else:
        shares = shares_of_texts(model, texts)
        refuse_other_texts(model, texts, own.lengths)
        topics = _most_probable(own, shares)
    weights = np.where(topics < 0, 0.0, own.by_word[own.words, np.maximum(topics, 0)])
    return TokenTopics(own.starts, topics, weights)


def shares_of_texts(model: Topics, texts: EncodedTexts) -> Floats:
    """Return p(t|d) of each text; zeros where the model does not know it."""
    rows = rows_of_texts(model, texts)
    known = theta(model)
    if not len(known):
        return np.zeros((len(rows), len(model)))
    return np.where((rows < 0)[:, None], 0.0, known[rows])


def _most_probable(own: ModelTexts, shares: Floats) -> Integers32:
    text_of = own.text_of_token
    topics = np.full(len(own.words), -1, dtype=np.int32)
    for part in spans(len(own.words), shares.shape[1]):
        joint = own.by_word[own.words[part]] * shares[text_of[part]]
        topics[part] = np.where(joint.max(axis=1) > 0, joint.argmax(axis=1), -1)
    return topics
