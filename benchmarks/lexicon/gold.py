"""The gold of the lexicon: a Bible in four columns, tokens annotated in it, lemmas and links.

The texts are those of ``aligned_en_fi``: Hebrew and Greek words as Strong numbers, English, English
lemmas with tags, Finnish. The tokens are those of ``gold_source_lemmas`` and of
``gold_english_lemmas``. The gold lemmas of Finnish words may not be passed on in other form: they
are joined each time, and never written.
"""

from __future__ import annotations

import gzip
import random
import re
import tarfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path, PurePath
from typing import NamedTuple

from tealeaves.lexicon import Bitext, Links, Passages
from tealeaves.lexicon.words import Words

# a Greek lemma may hold a space: a word begins where a Strong number does
_SOURCE_WORDS = re.compile(r" (?=[HG][^ |]*[|])")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"  # after a Strong number they tell homonyms apart
_PARTS = {"NN": "N", "AJ": "A", "ORD": "A", "VV": "V"}
_ADJECTIVES = ("same", "other")
_LINK = re.compile(r"(\d+)-(\d+)(.*)")
_LEMMAS = "helfi_aika_lemmas_verbatim/fi-FABC-2020m3-AIKA-morphology.tar.xz"
_SPACE = "\u2423"  # how the file of lemmas writes a space
_SPLIT = 7


class Setting(NamedTuple):
    """Which tokens are extracted: the words of a source, in a target, by a file of gold."""

    title: str
    gold: str
    source: str
    target: str


SETTINGS = {
    "source": Setting(
        "Hebrew and Greek lemmas, Finnish target", "gold_source_lemmas", "strong", "finnish"
    ),
    "tagged": Setting(
        "Tagged English lemmas, Finnish target", "gold_english_lemmas", "tagged", "finnish"
    ),
    "english": Setting(
        "Hebrew and Greek lemmas, English target", "gold_source_lemmas", "strong", "english"
    ),
}


class GoldToken(NamedTuple):
    """An annotated token: what is looked for, where it stands, and the target words it has."""

    lemma: str
    pos: str
    ref: str
    place: int
    targets: tuple[int, ...]


# ---------------------------------------------------------------------- texts


def strong_numbers(words: str) -> list[str]:
    """Return the Strong numbers of the words of a verse, without the letters of homonyms."""
    return [word.partition("|")[0].rstrip(_LETTERS) for word in _SOURCE_WORDS.split(words)]


def tagged_words(words: str) -> list[str]:
    """Return lemmas with their part of speech; words of other classes are bare lemmas.

    Tags become parts of speech as when tealeaves tags English itself.
    """
    lemmas = []
    for word in words.split(" "):
        lemma, _, tag = word.rpartition("/")
        part = next((pos for start, pos in _PARTS.items() if tag.startswith(start)), "")
        lemma = lemma.lower()
        part = "A" if lemma in _ADJECTIVES else part
        lemmas.append(f"{lemma}/{part}" if part else lemma)
    return lemmas


def _lower(words: str) -> list[str]:
    return words.lower().split(" ")


# for each side its file, its column, and how that becomes words
_SIDES: dict[str, tuple[str, int, Callable[[str], list[str]]]] = {
    "strong": ("source", 1, strong_numbers),
    "english": ("verses", 1, _lower),
    "tagged": ("verses", 2, tagged_words),
    "finnish": ("verses", 3, _lower),
}


def passages(data: Path, side: str, keep: Callable[[str], bool] = lambda _: True) -> Passages:
    """Return the verses of a side, or those of them that are kept, by their key."""
    name, column, words_of = _SIDES[side]
    keys: list[str] = []

    def texts() -> Iterator[list[str]]:
        for row in rows_of(data / "aligned_en_fi" / f"{name}.tsv.gz"):
            if keep(row[0]):
                keys.append(row[0])
                yield words_of(row[column])

    words = Words.of(texts())
    return Passages(side, tuple(keys), words, words)


def bitext(data: Path, setting: Setting, keep: Callable[[str], bool] = lambda _: True) -> Bitext:
    """Return both sides of a setting."""
    return Bitext.of(*(passages(data, side, keep) for side in (setting.source, setting.target)))


def rows_of(path: Path) -> Iterator[list[str]]:
    """Yield the rows of a compressed table, without its head."""
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        next(stream)
        for line in stream:
            yield line.rstrip("\n").split("\t")


# ---------------------------------------------------------------------- tokens


def gold_tokens(data: Path, setting: Setting) -> list[GoldToken]:
    """Read the annotated tokens of a setting, in the order of the file."""
    lines = (data / setting.gold / "gold.tsv").read_text(encoding="utf-8").splitlines()
    head = lines[0].split("\t")
    column = "en_idx" if setting.target == "english" else "fi_idx"
    tokens = []
    for line in lines[1:]:
        row = dict(zip(head, line.split("\t"), strict=True))
        targets = tuple(int(place) for place in row[column].split(",") if place)
        if setting.source == "tagged":
            pos, place = row["bin"][0], row["en_idx"]
            lemma = f"{row['lemma']}/{pos}"
        else:
            pos, place, lemma = row["pos"], row["src_idx"], row["strong"]
        tokens.append(GoldToken(lemma, pos, row["ref"], int(place), targets))
    return tokens


def held_out(tokens: list[GoldToken]) -> set[str]:
    """Return the half of the lemmas that nothing may ever be tuned on."""
    lemmas = sorted({token.lemma for token in tokens})
    random.Random(_SPLIT).shuffle(lemmas)
    return set(lemmas[len(lemmas) // 2 :])


# ---------------------------------------------------------------------- labels


def target_forms(data: Path, setting: Setting) -> dict[str, list[str]]:
    """Return the target words of each verse in lower case, as they stand in the text."""
    side = passages(data, setting.target)
    return dict(zip(side.keys, side.words, strict=True))


def finnish_lemmas(data: Path) -> dict[str, list[tuple[str, str]]]:
    """Return the form and the gold lemma of each Finnish word, verse by verse."""
    verses: dict[str, list[tuple[str, str]]] = {}
    with tarfile.open(data / _LEMMAS) as archive:
        for member in archive:
            stream = archive.extractfile(member) if member.name.endswith(".txt") else None
            book = PurePath(member.name).name[:2]
            if stream is not None and book.isdigit():
                _read_book(book, stream.read().decode("utf-8"), verses)
    return verses


def _read_book(book: str, text: str, verses: dict[str, list[tuple[str, str]]]) -> None:
    """Read one book: a line VERSE begins a verse, and its second column says which of the source.

    A verse that the source does not have (VERSE.ADD) has no second column.
    """
    verse: list[tuple[str, str]] = []
    for line in text.splitlines():
        columns = line.split("\t")
        if len(columns) < 5:
            continue
        here, there, lemma, tag, form = columns[:5]
        if tag.startswith("VERSE"):
            chapter, number = (there if ":" in there else here)[2:].split(":")
            verse = verses.setdefault(f"{book}{chapter[:3]:0>3}{number[:3]:0>3}", [])
            continue
        form = form.replace(_SPACE, "").strip()
        if tag != "PUNC" and any(letter.isalnum() for letter in form):
            verse.append((form, lemma))


def joined_lemmas(data: Path) -> dict[str, list[str]]:
    """Return the gold lemma of each Finnish word of the aligned verses whose words agree.

    A word without a lemma (numbers have none) is its own.
    """
    known = finnish_lemmas(data)
    joined = {}
    for ref, *_, finnish in rows_of(data / "aligned_en_fi" / "verses.tsv.gz"):
        words = known.get(ref, [])
        if [form for form, _ in words] == finnish.split(" "):
            joined[ref] = [lemma or form.lower() for form, lemma in words]
    return joined


def annotated(token: GoldToken, words: Mapping[str, list[str]]) -> frozenset[str]:
    """Return what a token is expressed by."""
    return frozenset(words[token.ref][place] for place in token.targets)


class Labels(NamedTuple):
    """What the tokens are expressed by, and the same words as they stand, if that differs."""

    title: str
    sets: list[frozenset[str]]
    forms: list[frozenset[str]] | None = None


def labels_of(data: Path, setting: Setting, tokens: list[GoldToken]) -> list[Labels]:
    """Return what people annotated: gold lemmas in Finnish, words as they stand in English.

    Where a verse cannot be joined with gold lemmas, words are themselves. English words are taken
    as lemmas too, and then without the articles and prepositions that belong to a Hebrew word.
    """
    forms = target_forms(data, setting)
    raw = [annotated(token, forms) for token in tokens]
    if setting.target == "english":
        return [Labels("all words", raw), content_words(data, tokens, forms)]
    lemmas = {**forms, **joined_lemmas(data)}
    return [Labels("gold lemmas", [annotated(token, lemmas) for token in tokens], raw)]


def content_words(data: Path, tokens: list[GoldToken], forms: Mapping[str, list[str]]) -> Labels:
    """Return the lemmas of the nouns, adjectives and verbs; of all words where there are none."""
    side = passages(data, "tagged", {token.ref for token in tokens}.__contains__)
    words = dict(zip(side.keys, side.words, strict=True))
    sets, raw = [], []
    for token in tokens:
        places = [place for place in token.targets if "/" in words[token.ref][place]]
        content = token._replace(targets=tuple(places) or token.targets)
        lemmas = annotated(content, words)
        sets.append(frozenset(word.partition("/")[0] for word in lemmas))
        raw.append(annotated(content, forms))
    return Labels("lemmas of content words", sets, raw)


# ---------------------------------------------------------------------- links


def gold_links(data: Path, verses: Bitext) -> tuple[Links, Links]:
    """Return the links from source words to Finnish: the sure ones, and all.

    Sure are those by the stem of a word; by an affix alone, or optional, they are possible.
    """
    starts = dict(zip(verses.keys, verses.source.words.starts.tolist(), strict=False))
    sure, possible = [], []
    for ref, _, links in rows_of(data / "aligned_en_fi" / "links.tsv.gz"):
        for link in links.split() if ref in starts else ():
            match = _LINK.fullmatch(link)
            assert match, link
            linked = (starts[ref] + int(match[1]), int(match[2]), 1.0)
            possible.append(linked)
            if not match[3]:
                sure.append(linked)
    number = len(verses.source.words.numbers)
    return Links.of(number, sure), Links.of(number, possible)
