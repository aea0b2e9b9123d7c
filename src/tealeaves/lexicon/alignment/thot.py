"""Aligners of sil-thot: fast_align's model, and one like eflomal's.

sil-thot holds Python's global lock while it trains, so the two directions are trained one after the
other, whatever the number of threads. It makes no links in passages of more than 1024 words.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from tealeaves.extras import require
from tealeaves.jobs import Advance
from tealeaves.lexicon.alignment.links import Links
from tealeaves.lexicon.alignment.symmetrization import TwoWay
from tealeaves.lexicon.bitext import Bitext
from tealeaves.lexicon.words import Words

Sentences = list[list[str]]

_ITERATIONS = 5  # as in fast_align itself
_SEED = 1
_STEPS = 100  # of the progress of each direction


def check_thot() -> Any:
    """Return sil-thot's aligners; the error says how to install them."""
    return require("thot.alignment", extra="align", reason="this aligner")


def align_fast_align(
    bitext: Bitext,
    *,
    threads: int | None = None,  # noqa: ARG001
    advance: Advance | None = None,
) -> TwoWay:
    """Align with the model of fast_align (Dyer, Chahuneau and Smith 2013).

    That is IBM model 2 that favours the diagonal, with variational Bayes, in 5 iterations:
    ``fast_align -d -o -v``.
    """
    return _align(bitext, lambda module: module.FastAlignModel(), advance)


def align_thot_eflomal(
    bitext: Bitext,
    *,
    threads: int | None = None,  # noqa: ARG001
    advance: Advance | None = None,
) -> TwoWay:
    """Align by Gibbs sampling with a seed, as eflomal does (Östling and Tiedemann 2016).

    The links are those that three samplers have most often. Fewer passages get more iterations.
    """
    return _align(bitext, _eflomal, advance)


def _eflomal(module: Any) -> Any:
    model = module.EflomalAlignmentModel()
    model.seed, model.deterministic = _SEED, True
    # the samples of the training are better than new ones of the trained model, and save time
    model.emit_training_alignments = True
    return model


def _align(bitext: Bitext, new_model: Callable[[Any], Any], advance: Advance | None) -> TwoWay:
    module = check_thot()
    source, target = bitext.source.words, bitext.target.words
    sides = [_sentences(source), _sentences(target)]
    directions = []
    for direction, (one, other) in enumerate((sides, sides[::-1])):

        def report(done: int, total: int, before: int = direction * _STEPS) -> None:
            if advance:
                advance(before + done * _STEPS // total, 2 * _STEPS)

        directions.append(_links(_trained(new_model(module), one, other, report), one, other))
        report(1, 1)
    forward, backward = directions
    return TwoWay(forward.reversed(target.starts, source.starts), backward, source.starts)


def _sentences(words: Words) -> Sentences:
    """Return texts with numbers instead of words, because some words have a meaning to thot."""
    names = np.array([str(number) for number in range(len(words.vocabulary))], object)
    named, starts = names[words.numbers].tolist(), words.starts.tolist()
    return [named[begin:end] for begin, end in itertools.pairwise(starts)]


def _trained(model: Any, one: Sentences, other: Sentences, report: Advance) -> Any:
    """Train a model that explains the words of the other side by those of one."""
    for pair in zip(one, other, strict=True):
        model.add_sentence_pair(*pair)
    model.start_training()
    iterations = getattr(model, "scheduled_iterations", _ITERATIONS)
    for iteration in range(iterations):
        report(iteration, iterations)
        model.train()
    model.end_training()
    return model


def _links(model: Any, one: Sentences, other: Sentences) -> Links:
    """Return the links from each word of the other side to the word of one that explains it."""
    if model.emit_training_alignments:
        alignments = [model.get_training_alignment(row) for row in range(len(one))]
    else:
        alignments = model.get_best_alignments(one, other)
    # places are counted from 1; 0 is no word
    places = np.array([place for _, grid in alignments for place in grid.to_list()], np.int32)
    tokens = np.flatnonzero(places)
    return Links.from_arrays(len(places), tokens, places[tokens] - 1)
