"""The words of ``docs/people-table.md`` that no number changes."""

from __future__ import annotations

from people_rows import DRAWS, SEED
from people_sets import MAIN
from people_stages import BUDGET
from people_variants import COUNTED

READING = f"""\
How to read it:

- A cell is Pearson / Spearman / phi_K with people's mean score, topic by topic. phi_K has no sign,
  and is above 0 by chance alone.
- Numbers are as they are: ↓ marks a metric of which lower is declared to be better, so that its r
  should be negative. ‡ marks one that people contradict: they prefer what it declares to be worse.
- `@15`, `@10`: a metric looks at as many words as people saw. In word intrusion they saw five of a
  topic's words and the intruder; metrics look at ten, as is usual.
- "people": Pearson's r of one person with the mean of the others, and "at most", the root of the
  reliability of people's means, which no metric can be expected to pass. A metric may be better
  than one person. Where only means were published, neither is known.
- `consensus` was taught with people's answers. These rows are of judges that were taught without
  the topics that they judge: without all sets of their corpus ("corpus left out"), or without all
  topics that share half of their words ("cluster left out"). `consensus(kind=ranks)` is taught with
  nothing. The judges that come with tealeaves were taught with all of these topics, and are not
  here: on them they would look better than they are. What judges look at was chosen with all sets
  in view.
- A topic of which a metric says nothing is left out for it: the CSV has how many there are.
- "corpus" are the texts that the topics are of, which are at hand for 20 Newsgroups. Elsewhere
  consensus does without, or takes Wikipedia (lemmas) for the corpus where it may ask no reference.
- "mean size of r" is over the {len(MAIN)} sets of the first table, or those of them where there is
  a number (how many, in brackets). What was computed on one set alone is not to be ranked with the
  others.
- "50 models" is Pearson / Spearman with the means of models; Wikitext has three models and
  Wikipedia one, too few.
- "given `{COUNTED}`" are partial correlations (Pearson), set by set: document NPMI is held fast,
  in the texts that the topics are of where these are at hand (20 Newsgroups), else in Wikipedia.
- "ms a topic" is a metric's own time, its evidence in memory; "gathering, s" is what it takes to
  get that evidence for all sets together: to count in all texts, to embed all words, or to fit a
  classifier and let {BUDGET:,} texts through it. Both are seconds of the processor. Metrics that
  need the same counts, vectors or relevance share them."""

HOW = f"""\
```sh
TEALEAVES_DATA=/path/to/data python benchmarks/people.py{{options}}
```

All metrics of the registry are tried. What is counted is counted in the texts that the topics are
of (own texts: 20 Newsgroups, prepared as its topics were; those of the others are not at hand) and
in 39,004 articles of Wikipedia (2014), by words as they are written; by lemmas, too, for the main
metrics, since that is the reference of consensus ([consensus](consensus.md) explains it). The
judges of consensus judge here as the metric does, each topic by the sources that know enough of its
words. The classifier is a probe on
MiniLM, fitted to 20 Newsgroups; {BUDGET:,} texts go through it. Vectors are of five embeddings.

{{sets}}

Khodorchenko, Butakov & Nasonov (2022); Hoyle et al. (2021), their balanced sample, with the ceiling
of all answers; Lau & Baldwin (2016). Topics whose words have a Jaccard index of .5 or more are one
cluster; intervals are of {DRAWS:,} bootstrap samples of clusters (BCa), those of phi_K of 200
random halves ([people](people.md) explains both). phi_K has 10 bins and its noise correction. All
seeds are {SEED}. Corner cases are tried the same way for all metrics of counts that have them:
words that the texts lack (`oov=zero`) and, for measures of NPMI, words that are never together
(`never=0`). The best variants are found on the very data they are shown on: where two are close,
the better one may be so by chance.

`--also FILE` adds values from elsewhere, taken at their word; of what learned from these people
only values for topics that it never saw belong there. They come first in the tables (from: file). A
line of JSON for each topic:
`{{{{"set": "hoyle2021_ratings", "model": "etm", "topic": "7", "metric": "mine", "value": 0.5}}}}`.

{{machine}}"""

VERSUS = """\
By how much Pearson's r is higher than that of the single metric with the highest mean of all,
{name} from {evidence}.
Intervals (95 %) are of the differences, in the same bootstrap samples of clusters. The single
metric is the best of all variants on the very data it is shown on."""
