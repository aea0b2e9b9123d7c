"""The character n-grams of fastText, by which it knows words that it never saw."""

from __future__ import annotations

from collections.abc import Iterator

_END_OF_SENTENCE = b"</s>"  # a word of every model, which has no n-grams
_OFFSET = 2166136261
_PRIME = 16777619


def buckets_of(word: bytes, *, smallest: int, largest: int, buckets: int) -> list[int]:
    """Return the numbers of the buckets of a word's n-grams, as often as they occur.

    An n-gram has from ``smallest`` to ``largest`` characters of the word between its marks, ``<``
    and ``>``.
    """
    if word == _END_OF_SENTENCE or not buckets:
        return []
    return [hashed(ngram) % buckets for ngram in ngrams(word, smallest=smallest, largest=largest)]


def ngrams(word: bytes, *, smallest: int, largest: int) -> Iterator[bytes]:
    """Yield the n-grams of a word; a mark alone is none.

    >>> [ngram.decode() for ngram in ngrams("été".encode(), smallest=3, largest=4)]
    ['<ét', '<été', 'été', 'été>', 'té>']
    """
    marked = b"<" + word + b">"
    # a character starts wherever a byte does not continue one of UTF-8
    starts = [at for at, byte in enumerate(marked) if byte & 0xC0 != 0x80] + [len(marked)]
    characters = len(starts) - 1
    for first in range(characters):
        for last in range(first + max(smallest, 1), min(first + largest, characters) + 1):
            if last - first > 1 or 0 < first < characters - 1:
                yield marked[starts[first] : starts[last]]


def hashed(text: bytes) -> int:
    """Return fastText's hash: FNV-1a of 32 bits, except that it widens bytes as signed numbers.

    >>> hashed(b"<a"), hashed("é".encode())
    (1761008750, 1023043777)
    """
    found = _OFFSET
    for byte in text:
        signed = byte | 0xFFFFFF00 if byte & 0x80 else byte
        found = (found ^ signed) * _PRIME & 0xFFFFFFFF
    return found
