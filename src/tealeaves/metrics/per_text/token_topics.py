"""The topic of each token: the model's own assignment, or the most probable topic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from tealeaves.errors import InputError
from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.texts import EncodedTexts
from tealeaves.evidence.wording import Wording
from tealeaves.metrics.per_text.alignment import check_own_texts, document_rows
from tealeaves.metrics.per_text.model_texts import (
    ModelTexts,
    PerTextMetric,
    model_texts,
    row_blocks,
)
from tealeaves.topics.distributions import missing_part, phi, theta
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Floats, Integers, Integers32

Assignment = Literal["auto", "given", "probable", "word"]


@dataclass(frozen=True, repr=False, eq=False)
class TokenMetric(PerTextMetric):
    """A metric of the topics of tokens; ``settings.assignment`` says where these come from."""

    why_undefined: ClassVar[str] = "because no word of the texts belongs to them"

    def lacks(self, model: Topics) -> str:
        """Say what is missing for tokens to have topics."""
        return self.lack_of_words or _lack_of_token_topics(model, self.settings.assignment)

    def reads_texts(self, model: Topics) -> bool:
        """Return whether the texts are needed: not where the model has token assignments."""
        return assignment_of(model, self.settings.assignment) != "given"

    def provenance_of(self, model: Topics, models: Sequence[Topics], evidence: Evidence) -> str:
        """Return where the topics of the tokens come from."""
        texts = super().provenance_of(model, models, evidence)
        if self.settings.assignment != "auto":
            return texts
        assignment = f"assignment={assignment_of(model, self.settings.assignment)}"
        return f"{assignment}|{texts}" if texts else assignment

    def token_topics(self, model: Topics, evidence: Evidence, wording: Wording) -> TokenTopics:
        """Return the topic of each token of each text."""
        assignment = assignment_of(model, self.settings.assignment)
        if assignment == "given":
            return _given_topics(model)
        return _largest_topics(model, evidence.texts, wording, assignment)


@dataclass(frozen=True, eq=False)
class TokenTopics:
    """The topic of each token, text by text; -1 where there is none.

    ``weights`` is p(w|t) of each token's word and its topic, where it is known.
    """

    starts: Integers
    topics: Integers32
    weights: Floats | None = None

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def text_of_token(self) -> Integers:
        """The number of the text that each token is in."""
        return np.repeat(np.arange(len(self)), np.diff(self.starts))


def assignment_of(model: Topics, assignment: Assignment) -> Assignment:
    """Return where the topics of tokens come from; auto prefers given to probable ones."""
    if assignment != "auto":
        return assignment
    return "probable" if model.assignments is None else "given"


def _lack_of_token_topics(model: Topics, assignment: Assignment) -> str:
    """Say what a model lacks for its tokens to have topics."""
    chosen = assignment_of(model, assignment)
    if chosen == "given":
        return missing_part(model, "assignments")
    lack = missing_part(model, "phi")
    if chosen == "probable" and not lack and (lack := missing_part(model, "theta")):
        lack += " (assignment=word does without)"
    return f"no token assignments, and {lack}" if lack and assignment == "auto" else lack


def _given_topics(model: Topics) -> TokenTopics:
    """Return the topics that the model itself assigned to the tokens of its documents."""
    assignments = model.assignments
    if assignments is None:
        raise InputError(f"{model.model}: {missing_part(model, 'assignments')}")
    starts, topics, words = assignments.starts, assignments.topics, assignments.words
    if missing_part(model, "phi") or (words < 0).any():
        return TokenTopics(starts, topics)
    weights = phi(model)[np.maximum(topics, 0), words]
    return TokenTopics(starts, topics, np.where(topics < 0, 0.0, weights))


def _largest_topics(
    model: Topics, texts: EncodedTexts, wording: Wording, assignment: Assignment
) -> TokenTopics:
    """Return for each token the topic of the largest p(w|t) p(t|d); for ``word``, of p(w|t).

    Of equal ones the first counts. Tokens of a text that the model does not know have none.
    """
    tokens = model_texts(model, texts, wording)
    if assignment == "word":
        best, positive = tokens.by_word.argmax(axis=1), tokens.by_word.max(axis=1, initial=0.0) > 0
        topics = np.where(positive, best, -1).astype(np.int32)[tokens.words]
    else:
        shares = document_shares(model, texts)
        check_own_texts(model, texts, tokens.lengths)
        topics = _most_probable(tokens, shares)
    weights = np.where(topics < 0, 0.0, tokens.by_word[tokens.words, np.maximum(topics, 0)])
    return TokenTopics(tokens.starts, topics, weights)


def _most_probable(tokens: ModelTexts, shares: Floats) -> Integers32:
    text_of = tokens.text_of_token
    topics = np.full(len(tokens.words), -1, dtype=np.int32)
    for part in row_blocks(len(tokens.words), shares.shape[1]):
        joint = tokens.by_word[tokens.words[part]] * shares[text_of[part]]
        topics[part] = np.where(joint.max(axis=1) > 0, joint.argmax(axis=1), -1)
    return topics


def document_shares(model: Topics, texts: EncodedTexts) -> Floats:
    """Return the model's p(t|d) of each text; zeros where the model does not know it."""
    rows = document_rows(model, texts)
    known = theta(model)
    if not len(known):
        return np.zeros((len(rows), len(model)))
    return np.where((rows < 0)[:, None], 0.0, known[rows])


def group_means(values: Floats, groups: Integers, size: int) -> Floats:
    """Return the mean of the values of each group, NaN where it has none."""
    counts = np.bincount(groups, minlength=size)
    sums = np.bincount(groups, weights=values, minlength=size)
    means: Floats = np.divide(sums, counts, out=np.full(size, np.nan), where=counts > 0)
    return means
