"""Score topics with gensim, in its own environment: coherence, window, topics, texts."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from gensim.corpora import Dictionary
from gensim.models import CoherenceModel

from texts import read_tokens


def main(coherence: str, window: str, topics: str, texts: str) -> None:
    """Read, count and score as gensim's manual says, in one process; print the scores."""
    documents = read_tokens(Path(texts))
    dictionary = Dictionary(documents)
    given = {"topics": read_tokens(Path(topics)), "dictionary": dictionary, "topn": 10}
    if coherence == "u_mass":
        given["corpus"] = [dictionary.doc2bow(document) for document in documents]
    else:
        given |= {"texts": documents, "window_size": int(window)}
    model = CoherenceModel(**given, coherence=coherence, processes=1)
    print(json.dumps([float(value) for value in model.get_coherence_per_topic()]))


if __name__ == "__main__":
    main(*sys.argv[1:])
