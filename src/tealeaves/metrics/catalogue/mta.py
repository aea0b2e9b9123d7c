"""MTA: how many words of a topic translate each other?"""

from __future__ import annotations

from tealeaves.metrics.crosslingual.translation import MatchingAccuracy, Translations

mta = MatchingAccuracy(
    name="mta",
    summary="matching translation accuracy: share of the words that a dictionary matches",
    better="higher",
    bounds=(0.0, 1.0),
    cite="Boyd-Graber & Blei 2009",
    settings=Translations(),
    accepts=("identical",),
    formula=(
        r"\frac{1}{C} \max_{M} \lvert M \rvert, \quad M \subseteq D \cap (W_1 \times W_2), \quad "
        r"C = \max(\lvert W_1 \rvert, \lvert W_2 \rvert)"
    ),
    misleads=(
        "It judges the dictionary as much as the topic: most dictionaries lack inflected forms, "
        "names and new words. Related words that are no translations (doctor and hospital) do not "
        "count."
    ),
    details="""\
    The number of words of one language that are matched with a translation among the topic's words
    of the other, divided by the number of words C (@n, or the longer list if it is shorter). W_1
    and W_2 are the words of the two languages, D the pairs that the dictionary has; M is a
    matching, in which each word is at most once, and as many are matched as can be. Of more than
    two languages, the mean over pairs of them; a pair without a dictionary is left out of the mean,
    and lowers the support. It reads a dictionary (--dictionary en-sv=PATH) and no text.

    Defaults: all words of the topics (10 are usual: @10). Words are compared in lower case as the
    topics write them. A word of plain ASCII that the dictionary translates by itself does not
    count, for some dictionaries leave foreign words as they are (the-the); identical=true lets it.
    The support is the share of the C x C pairs of words both of which the dictionary has an entry
    of; a topic without one such pair has no number, which is not the same as no match (0).
    """,
)
