"""The page of the results, section by section."""

from __future__ import annotations

import platform
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.checkpoints import stored
from benchmarks.consensus.odd_words import TITLES, MarkedLists, intruders, odd_words
from benchmarks.consensus.training_sets import (
    NEWSGROUPS,
    OWN_TOKENS,
    RATINGS,
    WIKI,
    WIKIPEDIA_TOKENS,
    Judged,
    ReadSets,
    judged_sets,
)
from benchmarks.consensus.trials import (
    FULL,
    FULL_NAMES,
    SEEDS,
    AgreementWithPeople,
    Unseen,
    agreement,
    by_ranks,
    corpus_left_out,
    coverage_of_clusters,
    coverage_of_corpora,
    far,
    looked_up,
    training_signals,
    unseen,
)
from benchmarks.consensus.variations import other_embeddings, other_numbers, other_signals
from benchmarks.markdown import table
from tealeaves.arrays import Bools, Floats
from tealeaves.consensus.predictors import Predictors, all_parts
from tealeaves.evidence.counts import Counts
from tealeaves.evidence.embeddings.embeddings import WordVectors
from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.wording import Wording
from tealeaves.metrics.evaluation import evaluate, score
from tealeaves.metrics.registry import metric
from tealeaves.text.pipeline import Pipeline
from tealeaves.topics.topics import Topics
from tealeaves.version import __version__

MAIN = (NEWSGROUPS, RATINGS, WIKI[10])


class StudyInputs(NamedTuple):
    """What the tables are made of; ``plain`` is the same with a reference of words as written."""

    read: ReadSets
    plain: ReadSets
    marked: MarkedLists
    lured: list[Judged]
    predictors: Predictors
    vectors: Mapping[str | None, WordVectors]


Section = Callable[[StudyInputs], str]


def page(inputs: Callable[[], StudyInputs], folder: Path, made_by: Any) -> str:
    """Return the whole page; the sections are kept in a folder, and only missing ones are made."""
    parts = [
        "# Consensus against people",
        f"Made by `python -m benchmarks consensus` with tealeaves {__version__}, Python "
        f"{platform.python_version()}, {time.strftime('%Y-%m-%d')}; seeds {SEEDS}. All numbers "
        "are of topics that the predictors were not fitted to. r is Pearson's, ρ Spearman's.",
    ]
    for name, section in _SECTIONS.items():
        parts.append(stored(folder / f"{name}.json", made_by, partial(_made, section, inputs)))
        print(f"{name} is done", file=sys.stderr, flush=True)
    return "\n\n".join(parts) + "\n"


def _made(section: Section, inputs: Callable[[], StudyInputs]) -> str:
    return section(inputs())


def _r(value: AgreementWithPeople) -> str:
    return f"{value.r:.3f}"


def _both(value: AgreementWithPeople) -> str:
    return f"{value.r:.3f} / {value.rho:.3f}"


def baselines(read: ReadSets, judged: Judged) -> dict[str, Floats]:
    """Return single metrics of a set: document NPMI on its texts, and C_V on Wikipedia."""
    texts = read.own if judged.own else read.wikipedia
    top = judged.words
    npmi, wiki = f"npmi@{top}", f"c_v(never=0, oov=zero)@{top}"
    return {
        "document NPMI, own texts" if judged.own else "document NPMI, Wikipedia": _scored(
            judged.models, npmi, texts
        ),
        "C_V, Wikipedia": _scored(judged.models, wiki, read.wikipedia),
    }


def _scored(models: Sequence[Topics], metric: str, counts: Sequence[Counts]) -> Floats:
    scores = score(list(models), None, metric, counts=list(counts))
    return np.array([row.value for row in scores.topics])


# ---------------------------------------------------------------------- sections


def _newsgroups(inputs: StudyInputs) -> str:
    judged, training_set = judged_sets()[NEWSGROUPS], inputs.read.training_sets[NEWSGROUPS]
    whole = training_signals(inputs.read.training_sets, FULL, FULL_NAMES)
    learned = unseen(whole, judged)
    looked = looked_up(judged, training_set.clusters)
    chosen = far(learned)
    rows = [
        ["consensus", *_three(learned, judged, chosen)],
        ["without agreement", *_three(unseen(whole.less("agreement"), judged), judged, chosen)],
        ["look-up of similar word lists", *_three(looked, judged, chosen)],
    ]
    ranks = by_ranks(training_set)
    single = {"consensus(kind=ranks)": ranks, **baselines(inputs.read, judged)}
    for name, values in single.items():
        all_ = _r(agreement(values, judged.human))
        rows.append([name, all_, all_, _r(agreement(values, judged.human, chosen))])
    return "\n\n".join(
        [
            "## 20 Newsgroups: unseen models, unseen clusters",
            "Each model left out in turn, with all topics of the same words as one of its; "
            "clusters of topics (Jaccard index .5) left out in ten folds, the mean of five deals; "
            f"and of the first, the {int(chosen.sum())} topics that share fewer than 12 of 15 "
            "words with any that was used for fitting. The last three rows are not fitted. "
            "Pearson's r.",
            table(["", "unseen models", "unseen clusters", "far from all"], rows),
        ]
    )


def _three(predictions: Unseen, judged: Judged, chosen: Bools) -> list[str]:
    clusters = [agreement(values, judged.human).r for values in predictions.cluster]
    return [
        _r(agreement(predictions.model, judged.human)),
        f"{np.mean(clusters):.3f}",
        _r(agreement(predictions.model, judged.human, chosen)),
    ]


def _corpora(inputs: StudyInputs) -> str:
    sets, training_sets = judged_sets(), inputs.read.training_sets
    rows: dict[str, dict[str, Floats]] = {
        "consensus": corpus_left_out(training_sets, FULL, FULL_NAMES),
        "consensus(kind=ranks)": {name: by_ranks(training_sets[name]) for name in sets},
    }
    for name, judged in sets.items():
        for label, values in baselines(inputs.read, judged).items():
            rows.setdefault(label.split(",")[0], {})[name] = values
        for label, values in baselines(inputs.plain, judged).items():
            if label.startswith("C_V"):
                rows.setdefault("C_V, words as written", {})[name] = values
    shown = []
    for label, columns in rows.items():
        said = {name: agreement(values, sets[name].human) for name, values in columns.items()}
        shown.append(_line(label, said))
    return "\n\n".join(
        [
            "## A corpus left out",
            "Fitted to the other two corpora, r / ρ; the mean is over the three sets of ratings. "
            "C_V, `c_v(never=0, oov=zero)`, is on Wikipedia, lemmatised as the reference of "
            "consensus or as written; document NPMI on the topics' own texts, where these are "
            "available, else on Wikipedia.",
            table(["", "mean r", *TITLES.values()], shown),
        ]
    )


def _only_the_corpus(inputs: StudyInputs) -> str:
    sets, training_sets = judged_sets(), inputs.read.training_sets
    learned = corpus_left_out(training_sets, ("corpus",), ())
    rows = []
    for name, judged in sets.items():
        own = next(iter(baselines(inputs.read, judged).values()))
        texts = ["corpus" if judged.own else "reference"]
        ranks = by_ranks(training_sets[name], texts)
        said = [agreement(values, judged.human) for values in (learned[name], ranks, own)]
        rows.append([TITLES[name], *map(_both, said)])
    return "\n\n".join(
        [
            "## With the corpus alone",
            "No reference and no vectors, fitted without the corpus of the set. For sets whose "
            "texts are not available, Wikipedia is the corpus. r / ρ.",
            table(["", "consensus", "by ranks", "document NPMI"], rows),
        ]
    )


def _sources(inputs: StudyInputs) -> str:
    rows = []
    for parts, names in all_parts():
        values = corpus_left_out(inputs.read.training_sets, parts, names)
        said = {n: agreement(values[n], judged_sets()[n].human) for n in TITLES}
        label = _label(parts, names)
        mean = np.mean([said[name].r for name in MAIN])
        rows.append([label, f"{mean:.3f}", *(_r(said[name]) for name in TITLES)])
    return "\n\n".join(
        [
            "## By the given sources",
            "A corpus left out, as above; each row is a predictor of its own. Pearson's r.",
            table(["", "mean", *TITLES.values()], rows),
        ]
    )


def _plain(inputs: StudyInputs) -> str:
    """The same predictors, but Wikipedia is not lemmatised."""
    sets = judged_sets()
    rows = []
    for label, read in (("lemmatised", inputs.read), ("words as written", inputs.plain)):
        values = _other_texts(inputs.read, read)
        said = {n: agreement(values[n], sets[n].human) for n in TITLES}
        rows.append(_line(label, said))
    return "\n\n".join(
        [
            "## A reference as it is written",
            "Fitted with a lemmatised reference, without the set's corpus, and asked with another. "
            "r / ρ.",
            table(["", "mean r", *TITLES.values()], rows),
        ]
    )


def _other_texts(first: ReadSets, other: ReadSets) -> dict[str, Floats]:
    whole, sets = training_signals(first.training_sets, FULL, FULL_NAMES), judged_sets()
    predictions = {}
    for corpus in dict.fromkeys(one.corpus for one in sets.values()):
        model = whole.without(corpus).model()
        for name, one in sets.items():
            if one.corpus == corpus:
                predictions[name] = model.predict(
                    other.training_sets[name].signals(FULL, FULL_NAMES)
                )
    return predictions


def _changes(inputs: StudyInputs) -> str:
    others, numbers = (
        [_line(label, said) for label, said in changed(inputs.read.training_sets)]
        for changed in (other_embeddings, other_numbers)
    )
    head = ["", "mean r", *TITLES.values()]
    return "\n\n".join(
        [
            "## Embeddings that no predictor was fitted with",
            "Predictors of one embedding, fitted with minilm_static without the set's corpus, are "
            "asked about vectors of others; the scale of similarity comes from the words of each "
            "model. "
            "r / ρ.",
            table(head, others),
            "## Numbers that were set by hand",
            "One changed at a time, and fitted anew without the set's corpus. r / ρ.",
            table(head, numbers),
            "## Signals that were tried and left out",
            "The signals of consensus were chosen with all data in view. Here are fewer, and more: "
            "other numbers of the relations, which should rise, and frequency and form of words, "
            "which may fall; last, that list which does best in the two corpora of the fit, each "
            "left out in turn. r / ρ.",
            table(
                head,
                [_line(label, said) for label, said in other_signals(inputs.read.training_sets)],
            ),
        ]
    )


def _line(label: str, said: Mapping[str, AgreementWithPeople]) -> list[str]:
    mean = np.mean([said[name].r for name in MAIN])
    return [label, f"{mean:.3f}", *(_both(said[name]) for name in TITLES)]


def _intervals(inputs: StudyInputs) -> str:
    rows, ranges = [], []
    for parts, names in all_parts():
        near = coverage_of_clusters(inputs.read.training_sets, parts, names)
        new = coverage_of_corpora(inputs.read.training_sets, parts, names)
        label = _label(parts, names)
        if parts in _SHOWN:
            rows += [
                [label, TITLES[name], *_covered(near[name]), *_covered(new[name])] for name in near
            ]
        shown = [sorted(one.share for one in some.values()) for some in (near, new)]
        ranges.append([label, *(f"{some[0]:.1%} to {some[-1]:.1%}" for some in shown)])
    head = ["sources", "set", "clusters: inside", "width", "bias"]
    return "\n\n".join(
        [
            "## Intervals of 90 %",
            "How many of people's scores lie in them, on clusters and on corpora that neither the "
            "predictor nor its interval was fitted to, by set; for some predictors with the mean "
            "width, and the mean of people less prediction, on the scale from 0 to 1.",
            table(["sources", "unseen clusters", "unseen corpora"], ranges),
            table([*head, "corpora: inside", "width", "bias"], rows),
        ]
    )


_SHOWN = (FULL, ("reference", "vectors", "several", "length"), ("corpus",), ("vectors", "length"))


def _label(parts: Sequence[str], names: Sequence[str]) -> str:
    texts = [part for part in parts if part in ("corpus", "reference")]
    lengths = "" if "length" in parts or "wordllama" not in names else ", no lengths"
    return " + ".join([*texts, *names]) + lengths


def _covered(coverage: tuple[float, float, float]) -> list[str]:
    share, width, bias = coverage
    return [f"{share:.1%}", f"{width:.2f}", f"{bias:+.3f}"]


def _speed(inputs: StudyInputs) -> str:
    """Score a thousand topics from memory, with all sources, as `score` does."""
    models = judged_sets()[NEWSGROUPS].models[:46]
    there = Wording(Pipeline.parse(WIKIPEDIA_TOKENS))
    here = Wording(Pipeline.parse(OWN_TOKENS), reference=there)
    evidence = Evidence(
        inputs.read.own,
        vectors=inputs.vectors,
        reference=Evidence(inputs.read.wikipedia),
        wording=here,
    )
    size = sum(map(len, models))
    start = time.perf_counter()
    evaluate(models, [metric("consensus@10")], evidence)
    took = time.perf_counter() - start
    return "\n\n".join(
        [
            "## Speed",
            f"{size} topics of {len(models)} models by ten words, all sources, evidence in memory, "
            f"with signatures and notes: {took:.2f} s, one thread.",
        ]
    )


_SECTIONS: Mapping[str, Section] = {
    "newsgroups": _newsgroups,
    "corpora": _corpora,
    "only_the_corpus": _only_the_corpus,
    "sources": _sources,
    "plain": _plain,
    "changes": _changes,
    "intervals": _intervals,
    "odd_words": lambda inputs: odd_words(inputs.marked, inputs.read.training_sets),
    "intruders": lambda inputs: intruders(inputs.lured, inputs.read.training_sets),
    "speed": _speed,
}
