"""What should be known of the texts and of what reads them, before they are read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from tealeaves.text.corpus import Corpus
    from tealeaves.topics.topics import Topics

_LOOKED_AT = 200  # texts, of which the language is asked


def tell(notes: Iterable[str], *, quiet: bool) -> None:
    """Write notes to standard error."""
    for note in () if quiet else notes:
        click.echo(f"note: {note}", err=True)


def on_language(
    corpus: Corpus, models: Sequence[Topics], made_for: str, *, remedy: str
) -> list[str]:
    """Say where texts or models are of another language than the encoder was made for.

    Parameters
    ----------
    corpus, models
        What may say its language; of a corpus the first texts are asked.
    made_for
        The language of the encoder, empty where it is not known.
    remedy
        The option that names another encoder.
    """
    from tealeaves.text.languages import language_code

    if not made_for:
        return []
    said = {
        "texts": (document.language for document in islice(corpus, _LOOKED_AT)),
        "models": (model.language for model in models),
    }
    for who, languages in said.items():
        codes = {language_code(text) for text in languages if text} - {"", made_for}
        if codes:
            named = ", ".join(sorted(codes))
            return [f"minilm was made for {made_for}, but the {who} say {named}: {remedy}"]
    return []
