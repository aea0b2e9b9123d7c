"""The cases: what is scored, and what a peer is asked for the same work."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from texts import HERE, prepared_texts, read_tokens


@dataclass(frozen=True)
class Case:
    """One piece of work for both tools: read the texts, count, score the topics.

    Parameters
    ----------
    name
        As shown in the table.
    topics
        File in ``topics/``, one topic a line.
    measure
        Our name of the measure; timed is its exact default, compared its ``compat=gensim``.
    peer
        gensim's name of the coherence.
    window
        gensim's window in tokens; ``"document"`` is a window as long as the longest document,
        which is how gensim counts documents. ``None`` for measures without a window.
    goal
        How many times faster than gensim the whole process must be, if that is promised.
    """

    name: str
    topics: str
    measure: str
    peer: str
    window: int | Literal["document"] | None
    goal: float | None = None

    @property
    def texts(self) -> Path:
        """The corpus, one document a line."""
        return prepared_texts()

    @property
    def topic_file(self) -> Path:
        """The topics, one a line."""
        return HERE / "topics" / self.topics

    @property
    def timed(self) -> str:
        """The metric that is timed."""
        return f"{self.measure}@10"

    @property
    def compared(self) -> str:
        """The metric that must equal the peer's number."""
        return f"{self.measure}(compat=gensim)@10"

    @property
    def peer_window(self) -> int | None:
        """The peer's window as a number of tokens."""
        if self.window == "document":
            return max(len(document) for document in read_tokens(self.texts))
        return self.window


CASES = (
    Case("c_npmi, 500 topics", "ng_k500.txt", "c_npmi", peer="c_npmi", window=10, goal=10),
    Case("document NPMI, 500 topics", "ng_k500.txt", "npmi", peer="c_npmi", window="document"),
    Case("c_v, 50 topics", "ng_k50.txt", "c_v", peer="c_v", window=110),
    Case("umass, 500 topics", "ng_k500.txt", "umass", peer="u_mass", window=None),
)
