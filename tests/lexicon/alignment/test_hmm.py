"""Our aligner on languages with known links, made up and real."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tealeaves import kernels
from tealeaves.errors import InputError, TealeavesWarning
from tealeaves.lexicon.alignment import hmm
from tealeaves.lexicon.alignment.aligners import align
from tealeaves.lexicon.alignment.hmm import Posteriors, Trainer, align_hmm, chosen_views
from tealeaves.lexicon.alignment.views import LENGTHS, TokenGrid, WordView, beginnings, endings
from tealeaves.lexicon.bitext import Bitext, Passages
from tealeaves.lexicon.error.links import score_links
from tealeaves.lexicon.words import Words

from .planted import Kind, planted
from .synthetic import bitext_of, points, synthetic


def grid_of(bitext: Bitext) -> TokenGrid:
    return TokenGrid(bitext.source.words, bitext.target.words)


@pytest.mark.parametrize("kind", ["suffixing", "prefixing", "isolating"])
def test_links_of_a_made_up_language_are_found(kind: Kind) -> None:
    bitext, known = planted(kind)
    found = align_hmm(bitext)
    assert score_links(found.likely().above(0.5), known).aer < 0.03
    for how in ("forward", "backward", "union", "intersection", "gdfa"):
        assert score_links(found.joined(how), known).aer < 0.05, how


def test_whole_words_alone_would_not_find_them() -> None:
    bitext, known = planted("suffixing")
    grid = grid_of(bitext)
    whole = Trainer(grid, [WordView.of(grid, grid.target.numbers)]).train()
    cells = np.flatnonzero(whole.forward + whole.backward >= 1)
    tokens = np.searchsorted(grid.firsts, cells, "right") - 1
    links = zip(tokens.tolist(), (cells - grid.firsts[tokens]).tolist(), strict=True)
    assert score_links(links, known).aer > 0.2


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(
    ("kind", "part"), [("suffixing", beginnings), ("prefixing", endings), ("isolating", None)]
)
def test_a_language_shows_where_it_inflects(kind: Kind, part: object, seed: int) -> None:
    grid = grid_of(planted(kind, seed=seed)[0])
    whole, *others = chosen_views(grid)
    assert np.array_equal(whole, grid.target.numbers)
    assert len(others) == (part is not None)
    if callable(part):
        parts = [part(grid.target, letters) for letters in LENGTHS]
        assert any(np.array_equal(others[0], numbers) for numbers in parts)


def test_each_source_token_keeps_its_likeliest_link() -> None:
    bitext, _ = planted("suffixing", passages=60)
    grid, steps = grid_of(bitext), []
    found = align_hmm(bitext, advance=lambda done, of: steps.append((done, of)))
    views = [WordView.of(grid, numbers) for numbers in chosen_views(grid)]
    trained = Trainer(grid, views).train()
    mean = (trained.forward.astype(float) + trained.backward) / 2
    links = found.likely()
    for token, (first, last) in enumerate(zip(grid.firsts[:-1], grid.firsts[1:], strict=True)):
        places, sure = links.of_token(token)
        own = mean[first:last]
        assert int(own.argmax()) in places
        assert sure == pytest.approx(own[places], rel=1e-6)
        assert set(np.flatnonzero(own >= 0.01 + 1e-6)) <= set(places)
        assert np.all((sure >= 0.01) | (sure == sure.max()))
    for one, all_of in ((found.forward, trained.forward), (found.backward, trained.backward)):
        assert np.array_equal(one.probabilities, all_of[all_of >= 0.5])
    assert steps == [(step, 18) for step in range(1, 19)]


def test_directions_are_not_mixed_up() -> None:
    # two target words for each source word: forward explains each target word by one source word,
    # so it alone can link a source word twice
    source = [[f"s{n % 9}", f"s{(n * 2 + 1) % 9}"] for n in range(90)]
    target = [[f"{kind}{word[1:]}" for word in text for kind in "ab"] for text in source]
    both = align(bitext_of(source, target), "hmm")
    assert np.diff(both.forward.starts).max() > 1
    assert np.diff(both.backward.starts).max() == 1


def test_it_is_called_by_its_name() -> None:
    bitext, known = synthetic()
    found = align(bitext, "hmm", threads=None)
    assert isinstance(found, Posteriors)
    assert score_links(points(found.likely().above(0.5)), known).aer < 0.02
    again = align(bitext, "hmm", threads=3)
    assert again.likely().probabilities.tobytes() == found.likely().probabilities.tobytes()


@pytest.mark.parametrize(
    ("source", "target"),
    [
        pytest.param([["a"]], [["x"]], id="one word"),
        pytest.param([["a", "a"]] * 3, [["x"] * 4] * 3, id="vocabularies of one word"),
        pytest.param([["a"], [], ["b", "a"], ["c"]], [["x"], ["y"], [], []], id="empty passages"),
        pytest.param([[]], [[]], id="nothing"),
    ],
)
def test_odd_texts_are_aligned(source: list[list[str]], target: list[list[str]]) -> None:
    one, other = Words.of(source), Words.of(target)
    keys = tuple(map(str, range(len(source))))
    found = align_hmm(Bitext(Passages("x", keys, one, one), Passages("y", keys, other, other)))
    beside = [len(b) for a, b in zip(source, target, strict=True) for _ in a]
    assert np.array_equal(np.diff(found.likely().starts) > 0, np.array(beside, int) > 0)
    assert len(found.joined("gdfa").starts) == sum(map(len, source)) + 1
    assert np.all((found.likely().probabilities > 0) & (found.likely().probabilities <= 1))


def test_passages_that_are_too_long_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    bitext = bitext_of([["a"] * 30] * 4, [["x"] * 30] * 4)
    monkeypatch.setattr(hmm, "MOST_CELLS", 3600)
    align_hmm(bitext)
    monkeypatch.setattr(hmm, "MOST_CELLS", 3599)
    with pytest.raises(InputError, match=r"^xx and yy: passages of about 30 words are too long"):
        align_hmm(bitext)


def rows_of(path: Path) -> Iterator[list[str]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        next(lines)
        for line in lines:
            yield line.rstrip("\n").split("\t")


@pytest.mark.reference
def test_words_of_the_bible_are_aligned_as_people_do(reference_data: Path) -> None:
    """Every sixth verse: Hebrew and Greek to Finnish. fast_align has .27 to .32 on all verses."""
    folder = reference_data / "aligned_en_fi"
    verses = {row[0]: row[3].lower().split() for row in rows_of(folder / "verses.tsv.gz")}
    # a Greek lemma may hold a space: a word begins where a Strong number does
    words = {
        ref: [
            word.split("|")[0].rstrip("abcdefgh") for word in re.split(r" (?=[HG][^ |]*\|)", text)
        ]
        for ref, text in rows_of(folder / "source.tsv.gz")
    }
    refs = [ref for ref in verses if verses[ref] and words.get(ref)][::6]
    bitext = bitext_of([words[ref] for ref in refs], [verses[ref] for ref in refs])
    first = dict(zip(refs, bitext.source.words.starts.tolist(), strict=False))
    sure: set[tuple[int, int]] = set()
    possible: set[tuple[int, int]] = set()
    for ref, _, links in rows_of(folder / "links.tsv.gz"):
        for link in links.split() if ref in first else ():
            token, place, mark = re.fullmatch(r"(\d+)-(\d+)(.*)", link).groups()  # type: ignore[union-attr]
            (possible if mark else sure).add((first[ref] + int(token), int(place)))
    score = score_links(align_hmm(bitext).likely().above(0.5), sure, possible)
    assert score.aer < 0.21
    assert min(score.precision, score.recall) > 0.7


def test_passages_that_are_far_too_long_are_refused_in_one_line() -> None:
    words = Words.of([["a"], ["b"] * 3001])
    side = Passages("en", ("1", "2"), words, words, "en.tsv")
    with pytest.raises(InputError, match=r"en\.tsv: passage '2' has 3001 words.*3000 at most"):
        align_hmm(Bitext(side, side))


def test_much_text_is_refused_where_kernels_are_not_compiled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bitext = bitext_of([["a"] * 300] * 2, [["x"] * 250] * 2)  # 150,000 cells
    grid = grid_of(bitext)
    monkeypatch.setattr(kernels, "are_compiled", lambda: False)
    with pytest.warns(TealeavesWarning, match="alignment takes about fifty times as long"):
        hmm._check_size(bitext, grid)
    more = bitext_of([["a"] * 300, ["a"] * 301], [["x"] * 250] * 2)
    with pytest.raises(InputError, match=r"^alignment of so much text needs.*a C compiler.*pip"):
        align_hmm(more)
    monkeypatch.undo()
    hmm._check_size(more, grid_of(more))
