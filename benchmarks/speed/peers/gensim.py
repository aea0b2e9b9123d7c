"""Score topics with gensim, in its own environment: coherence, window, topics, texts, mode.

The mode ``whole`` scores once. ``steady`` scores a few topics of a few texts first, untimed, so
that everything is loaded. Timed is CoherenceModel alone: the texts as lists of tokens and the
dictionary are ready, which is the best case for gensim.
"""

from __future__ import annotations

import sys
from pathlib import Path

from gensim.corpora import Dictionary
from gensim.models import CoherenceModel

from benchmarks.speed.clock import Clock
from benchmarks.speed.texts import read_tokens

Tokens = list[list[str]]


def score(
    coherence: str, window: int, topics: Tokens, texts: Tokens, dictionary: Dictionary
) -> list[float]:
    """Count and score as gensim's manual says, in one process."""
    given = {"topics": topics, "dictionary": dictionary, "topn": 10}
    if coherence == "u_mass":
        given["corpus"] = [dictionary.doc2bow(document) for document in texts]
    else:
        given |= {"texts": texts, "window_size": window}
    model = CoherenceModel(**given, coherence=coherence, processes=1)
    return [float(value) for value in model.get_coherence_per_topic()]


def main(coherence: str, window: str, topics: str, texts: str, mode: str) -> None:
    """Read, make the dictionary, score; print the scores and the seconds of scoring."""
    documents = read_tokens(Path(texts))
    words = read_tokens(Path(topics))
    dictionary = Dictionary(documents)
    if mode == "steady":
        score(coherence, int(window), words[:5], documents[:50], dictionary)
    clock = Clock()
    clock.report(clock(lambda: score(coherence, int(window), words, documents, dictionary)))


if __name__ == "__main__":
    main(*sys.argv[1:])
