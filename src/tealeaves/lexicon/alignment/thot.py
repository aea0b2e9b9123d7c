"""Aligners of sil-thot: fast_align's model, and one of eflomal's type.

sil-thot holds Python's lock while it trains, so the two directions are trained one after the
other, however many threads there are. It makes no links in passages of more than 1024 words.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from tealeaves.extras import require
from tealeaves.lexicon.advancing import Advance
from tealeaves.lexicon.alignment.links import Links
from tealeaves.lexicon.alignment.two_way import TwoWay
from tealeaves.lexicon.bitext import Bitext
from tealeaves.lexicon.words import Words

Sentences = list[list[str]]
# makes a model of the module
Make = Callable[[Any], Any]

_ITERATIONS = 5  # as fast_align itself has it
_SEED = 1
_PARTS = 100  # in how many parts a direction is counted as done


def check_thot() -> Any:
    """Return sil-thot's aligners, or say how to install them."""
    return require("thot.alignment", extra="align", reason="this aligner")


def align_fast_align(
    bitext: Bitext,
    *,
    threads: int | None = None,  # noqa: ARG001
    advance: Advance | None = None,
) -> TwoWay:
    """Align with the model of fast_align (Dyer, Chahuneau and Smith 2013).

    That is IBM 2 with places drawn to the diagonal and variational Bayes, in 5 iterations:
    ``fast_align -d -o -v``.
    """
    return _align(bitext, lambda module: module.FastAlignModel(), advance)


def align_thot_eflomal(
    bitext: Bitext,
    *,
    threads: int | None = None,  # noqa: ARG001
    advance: Advance | None = None,
) -> TwoWay:
    """Align by Gibbs sampling, as eflomal does it (Östling and Tiedemann 2016); seeded.

    The links are those that three samplers found most often. Fewer passages get more iterations.
    """
    return _align(bitext, _eflomal, advance)


def _eflomal(module: Any) -> Any:
    model = module.EflomalAlignmentModel()
    model.seed, model.deterministic = _SEED, True
    # what was sampled in training is better than, and saves, sampling anew with the trained model
    model.emit_training_alignments = True
    return model


def _align(bitext: Bitext, make: Make, advance: Advance | None) -> TwoWay:
    module = check_thot()
    source, target = bitext.source.words, bitext.target.words
    sides = [_sentences(source), _sentences(target)]
    found = []
    for direction, (one, other) in enumerate((sides, sides[::-1])):

        def told(done: int, of: int, before: int = direction * _PARTS) -> None:
            if advance:
                advance(before + done * _PARTS // of, 2 * _PARTS)

        found.append(_links(_trained(make(module), one, other, told), one, other))
        told(1, 1)
    return TwoWay(found[0].turned(target.starts, source.starts), found[1], source.starts)


def _sentences(words: Words) -> Sentences:
    """Return texts with numbers for words, since some words have a meaning to thot."""
    names = np.array([str(number) for number in range(len(words.vocabulary))], object)
    named, starts = names[words.numbers].tolist(), words.starts.tolist()
    return [named[begin:end] for begin, end in itertools.pairwise(starts)]


def _trained(model: Any, one: Sentences, other: Sentences, told: Advance) -> Any:
    """Train a model that explains the words of the other side by those of one."""
    for pair in zip(one, other, strict=True):
        model.add_sentence_pair(*pair)
    model.start_training()
    iterations = getattr(model, "scheduled_iterations", _ITERATIONS)
    for iteration in range(iterations):
        told(iteration, iterations)
        model.train()
    model.end_training()
    return model


def _links(model: Any, one: Sentences, other: Sentences) -> Links:
    """Return for each word of the other side the word of this one that explains it, if any."""
    if model.emit_training_alignments:
        found = [model.get_training_alignment(row) for row in range(len(one))]
    else:
        found = model.get_best_alignments(one, other)
    # places are counted from 1; 0 is no word
    places = np.array([place for _, grid in found for place in grid.to_list()], np.int32)
    tokens = np.flatnonzero(places)
    return Links.gathered(len(places), tokens, places[tokens] - 1)
