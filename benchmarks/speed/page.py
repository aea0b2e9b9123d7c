"""The results as a page, and as the numbers that the picture is drawn from."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.machine import machine_lines
from benchmarks.speed import tables
from benchmarks.speed.case import Outcome
from benchmarks.speed.cases import (
    AUTOGRAD,
    CHEFER,
    FLOOR,
    GENSIM,
    ONE,
    OURS,
    PLAIN,
    PLAINLY,
    SCIPY,
    SINGLE,
    STREAM,
    TOMOTOPY,
    TOPICA,
    TWO,
)
from benchmarks.speed.steps import Steps
from benchmarks.speed.work.steps import BYTES, COUNT, IMPORTS, LINES, READ, STRINGS, SUMS

GENSIM_NOTES = """\
- Times are median (least-greatest) of so many as "timed" says, ours / gensim's;
  MB is the greatest peak of any run, of the whole process.
- Before a case is timed, our `compat=gensim` metric must equal gensim's number for every topic
  (column "difference": the greatest). Timed is our exact metric, which counts windows that gensim
  loses.
- Runs are interleaved, but for gensim's first: it gives the numbers to compare, and is timed too.
  gensim is slow, so it has fewer runs; the median of two is their mean. It runs with
  `processes=1`: two made its counting 1.04 to 1.29 times faster when we tried. For document NPMI
  its window is as long as the longest document.
- Whole processes read the same prepared file, one document a line, and the same topics: start,
  import, read, count, score, print. Ours use as many threads as there are processors. What the
  first run after an installation costs is in the rows "first run".
- Steady state: we start from the bytes of the file in memory and cut, tokenise, count and score
  anew each time, with one thread. gensim starts from what suits it best: token lists and
  dictionary ready in memory, a few texts scored before; timed is only
  `CoherenceModel(...).get_coherence_per_topic()` (and, for umass, the bags of words it needs).
"""

TOPICA_NOTES = """\
- topica counts all windows, as we do. It puts eps (1e-12) where two words are never together; we
  add it to every joint probability, as gensim and Palmetto do, so the numbers with the defaults of
  both differ by 2e-8 (c_npmi) and 7e-9 (c_v). What is compared before anything is timed (column
  "difference") has an eps of 1e-300 in both, which adds nothing: then they are the same. Its u_mass
  is our `umass(smooth=1, aggregate=sum)`.
- Whole processes read the same prepared file and the same topics. topica's script splits lines and
  calls `topica.coherence`; it runs one thread, ours as many as there are processors.
- Warm: scoring again in one process that has done the same before, one thread. topica starts from
  lists of tokens. We start from the bytes of the file, which is what suits us best, and from the
  same lists: both are shown, and the promise is on bytes.
"""

TOMOTOPY_NOTES = """\
tomotopy counts windows without their first token and leaves documents without topic words out of
the total; for its c_v the reason is not known. So its results are not compared, only its times;
one run each. Its document NPMI of 500 topics is left out: a trial was stopped after nine minutes.
"""

GROWTH_NOTES = """\
- The text is the raw 20 Newsgroups and the Wikipedia sample, one document a line, in an order
  drawn once, repeated to the largest size; the smaller files are its beginning. Counted are
  windows of 10 words, tokens `words`, for the words and pairs of the 500 topics.
- Seconds are of the call `count_corpus` (library of kernels loaded, file read, counts made), and
  of the loop that reads the file in pieces of 1 MiB into one buffer and sums its bytes with numpy;
  both without starting Python. "whole process" is all of ours. Files are in the page cache.
- Both numbers of threads must give the same counts before anything is timed.
"""

PEOPLE_NOTES = """\
- Made-up data, the same each time (`benchmarks/speed/made_up.py`): 1,100 topics of 50 models with
  ten words each, five people's answers to each, 20 metrics. Computed are Pearson's r and Spearman's
  rho of every metric with people, BCa intervals of 2,000 bootstrap draws, and p of 2,000
  permutations. All 40 coefficients must agree before anything is timed (column "difference").
- Ours is timed from scores and judgments in memory: it also finds each topic's score and answers,
  looks for near-identical topics, corrects p, and computes the human ceiling.
- scipy starts from what suits it best: a table of numbers. It is `scipy.stats.bootstrap` and
  `permutation_test` for all metrics at once, with statistics that take many samples at once, as
  many as was fastest, and people ranked once a sample (`benchmarks/speed/peers/scipy.py`).
- Seconds are of the calls, without starting Python and importing. Nothing limits the threads of
  the matrix products of either.
"""

VECTOR_NOTES = """\
ISIM, INT, ISH, expressivity, embedding coherence and embedding diversity of 50 models of 22 topics
of ten words, drawn from topics of 20 Newsgroups, with all-MiniLM-L6-v2. Ours reads vectors that are
kept on disk, and takes the exact mean over all intruders. STREAM (0.3.0) draws one intruder for
each topic, and embeds word by word; each of its metrics is made once, and keeps the words it has
seen in memory. Its embedding coherence, which it rounds to five digits, must equal ours
("difference"). "Embedding" is all that happens once the model is loaded: ours in batches of words
of the same length, against `SentenceTransformer.encode(word)`.
"""

LINKED_NOTES = """\
- CNPMI: 100 topics of 10 English and 10 Spanish words in the 1,189 chapters of two Bibles, whole
  processes, from the compressed files of verses (`tealeaves score`). The plain script does the same
  with sets of words and one product of matrices (`benchmarks/speed/peers/linked.py`); its values
  must be ours.
- Samplers: 20 Newsgroups, 10,000 words, one thread, after sweeps that are not timed; a million
  tokens are what is timed. "two languages" are the odd and the even tokens of each text, which is a
  test of speed and of nothing else. tomotopy and topica sample LDA, with the same priors, on the
  same tokens; topica's `PolylingualLDA` has the same two languages as ours. Its chains cannot be
  continued, so its sweeps are timed between two of its messages of progress.
- All draw from the exact conditional but WarpLDA, topica's other sampler. It proposes and accepts
  (Metropolis-Hastings), in a time that does not grow with the number of topics; a sweep of it moves
  a chain less than a sweep of the others.
"""

RELEVANCE_NOTES = """\
- 32 texts of random words, all of 128 word pieces, through all-MiniLM-L6-v2 and a head of random
  weights; the seconds are of forward and backward passes, with the model loaded and used before,
  8 texts at once, and torch's own number of threads. Other work on the machine lengthens both
  wall and CPU seconds: look at ratios.
- "autograd" is gradient times input by torch's differentiation on the model of transformers, in the
  same batches (`benchmarks/speed/peers/relevance.py`). "Chefer et al." goes back module by module,
  with positive and negative parts of inputs and weights apart, and text by text, as its rule for
  residuals sums over all that it is given. Before anything is timed, the share of each head and
  Improved LRP beside the diagonal (its logarithm), ours by the published rule too, must agree on 4
  texts in double precision ("difference"). Timed is the rule that we take, by sizes.
- LRP and Improved LRP need the same forward pass: "both in one pass" does it once.
- All is in single precision. Half precision is not used: products of matrices in bfloat16 are
  many times slower than in float32 on this processor. The other way to make it cheaper is to let
  fewer texts through (`--budget`), with the error that this makes.
- Stored relevance is made up: 30,000 ordered pairs of words by 6 × 12 heads, of 2,000 texts with
  48 pairs each. Scored are 50 models of 22 topics of 15 words by all five metrics.
"""

SINGLE_NOTES = """\
"First run" is that after an installation: with empty caches, and a copy of the package that Python
has not compiled to bytecode; the packages that it needs are compiled, as pip does when it installs
them, and files are in the page cache. `tealeaves correlate` reads the data of "Correlations with
people" and computes the same, as a whole process. Reading, counting, agreement and the making of
the report are calls in a process that has done the same before (`benchmarks/speed/work/single.py`).
The row of Chromium is there where that is installed.
"""

STEP_NOTES = """\
CPU seconds of runs of their own (`benchmarks/speed/work/steps.py`). There is no step "decode":
tokens are found in the bytes of UTF-8 as they stand, and only texts with something the kernel does
not handle are decoded and go through strings. "Tokenise and look up" includes the digest by which
texts are known again.
"""

HOW = """\
## How to repeat

    TEALEAVES_DATA=... make bench
    TEALEAVES_DATA=... make bench BENCH="--case c_v --quick"
    TEALEAVES_DATA=... make bench BENCH="--against ../before"

Only a whole run writes this page and the picture. `TEALEAVES_DATA` names the folder that holds
`20newsgroups/processed.jsonl.gz`, `20newsgroups/raw.jsonl.gz`,
`wikipedia_en_2014_sample/articles.jsonl.gz` (field `text`) and the Bibles in `bible`. gensim,
tomotopy, topica, STREAM and Altair get environments of their own, `.venv-*`; files made from the
data are in `benchmarks/.work/speed` (1 GB). The topics in `benchmarks/speed/topics/` were made by
`benchmarks/speed/lda_topics.py` (LDA, 50 and 500 topics, top 10 words). A new measure is one more
row of `SCORINGS` in `benchmarks/speed/cases.py`, other work one more `Case` there.

`--against FOLDER` compares this version with another one, which is installed in `FOLDER/.venv`
(`git worktree add FOLDER COMMIT && make -C FOLDER demo` makes one). The runs of both alternate,
their results must be equal to the last bit, and the ratios are printed. The work is listed in
`benchmarks/speed/versions.py`.
"""


@dataclass(frozen=True)
class Environment:
    """Where and when the numbers were measured."""

    tools: dict[str, str]
    load_before: float

    def lines(self) -> list[str]:
        """Describe the machine, and whether it was idle."""
        after = os.getloadavg()[0]
        return [
            *machine_lines(),
            *(f"- {name}: {versions}" for name, versions in self.tools.items()),
            f"- Load average (1 minute) before the first run {self.load_before:.2f}, after the "
            f"last {after:.2f}; the benchmark itself is a load of 1 to 2. Above that the machine "
            "was not idle, and CPU seconds say more than wall seconds.",
        ]


def page(environment: Environment, outcomes: Sequence[Outcome], steps: tuple[Steps, Steps]) -> str:
    """Put the whole page together."""
    formats = next(one for one in outcomes if one.case.group == "formats")
    parts = [
        "# Benchmark results",
        "Written by `make bench`; do not edit.",
        "\n".join(environment.lines()),
        "## What is promised",
        tables.goal_table(outcomes),
        "![Times faster than gensim, and seconds by size of the text](results.svg)",
        "## Against gensim, 20 Newsgroups: whole processes",
        tables.peer_table(outcomes, "whole", GENSIM),
        "## Against gensim, 20 Newsgroups: steady state, from bytes in memory, one thread",
        tables.peer_table(outcomes, "steady", GENSIM),
        GENSIM_NOTES,
        "## Against topica, 20 Newsgroups: whole processes",
        tables.peer_table(outcomes, "topica", TOPICA),
        "## Against topica, 20 Newsgroups: warm, from memory, one thread",
        tables.peer_table(outcomes, "topica warm", TOPICA),
        TOPICA_NOTES,
        "## Against tomotopy: its numbers differ",
        tables.tomotopy_table(outcomes),
        TOMOTOPY_NOTES,
        "## Raw text to counts, four sizes",
        tables.growth_table(outcomes),
        GROWTH_NOTES,
        f"## Formats: {formats.case.megabytes:.0f} MB of the same text, two threads",
        tables.format_table(formats),
        "## Correlations with people, against scipy",
        tables.peer_table(outcomes, "people", SCIPY),
        PEOPLE_NOTES,
        "## Metrics of word vectors, against STREAM",
        tables.peer_table(outcomes, "vectors", STREAM),
        tables.peer_table(outcomes, "encoding", SINGLE),
        VECTOR_NOTES,
        "## Attention and relevance",
        tables.peer_table(outcomes, "lrp", AUTOGRAD),
        tables.peer_table(outcomes, "improved", CHEFER),
        tables.way_table(outcomes, "ways", PLAIN),
        tables.single_table(outcomes, "stored"),
        RELEVANCE_NOTES,
        "## Topics across languages",
        tables.peer_table(outcomes, "linked", PLAINLY),
        tables.sampler_table(outcomes, "pltm", TOMOTOPY),
        LINKED_NOTES,
        "## Without a peer",
        tables.single_table(outcomes),
        SINGLE_NOTES,
        "## Where the time goes, one thread",
        tables.step_table(steps),
        STEP_NOTES,
        "## What would be next",
        next_steps(*steps, formats),
        HOW,
    ]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def numbers(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Return what the picture shows."""
    return {
        "ratios": [_ratio(one) for one in outcomes if one.case.group in ("whole", "steady")],
        "growth": [
            _point(one, name)
            for one in outcomes
            if one.case.group == "growth"
            for name in (ONE, TWO, FLOOR)
        ],
    }


def _ratio(one: Outcome) -> dict[str, Any]:
    ratio = one.wall(GENSIM).median / one.wall(OURS).median
    return {
        "case": one.case.name.removesuffix(", steady"),
        "kind": "steady state" if one.case.inside else "whole process",
        "ratio": ratio,
        "shown": f"{ratio:.0f}x" if ratio >= 10 else f"{ratio:.1f}x",
        "goal": next((goal.least for goal in one.case.goals if goal.against == GENSIM), 0),
    }


def _point(one: Outcome, name: str) -> dict[str, Any]:
    seconds = one.wall(name).median
    return {
        "megabytes": round(one.case.megabytes),
        "who": name,
        "seconds": seconds,
        "label": f"{name}, {seconds:.2f} s",
    }


def next_steps(small: Steps, large: Steps, formats: Outcome) -> str:
    """Say where the next gain would come from, by the shares that were measured."""
    reading = large.share_of_pass(READ, LINES)
    speed = {one.name: _speed(formats, one.name) for one in formats.case.contenders}
    slowest = min(speed, key=lambda name: speed[name])
    return f"""\
- Large text: tokenising and looking up is {large.share_of_pass(BYTES):.0f} % of the pass, counting
  {large.share_of_pass(COUNT):.0f} %. The kernel takes eight bytes at a time, as one number.
  Written for the vector instructions of some processors (AVX2), and chosen where they are found, it
  could take 32.
- More threads: one thread reads and cuts lines, {reading:.0f} % of the pass, so from about
  {100 / reading:.0f} threads on the others would wait for it. Then each thread should read its own
  part of the file.
- Texts left to strings are {large.share_of_pass(STRINGS):.0f} % of the pass, and hold the GIL;
  fingerprint, totals and sums {large.share_of_pass(SUMS):.0f} %.
- Small texts: {small.fixed:.0f} % of a scoring of 20 Newsgroups is starting, importing and ending
  ({small.share(IMPORTS):.0f} % imports), {small.share(BYTES, COUNT):.0f} % tokenising and counting.
  Fewer imports gain more there than faster kernels.
- Formats: {slowest} is the slowest, with {speed[slowest]:.0f} MB of text a second against
  {speed[".txt"]:.0f} for plain lines.
"""


def _speed(formats: Outcome, name: str) -> float:
    return formats.case.megabytes / formats.wall(name).median
