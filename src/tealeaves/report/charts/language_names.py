"""Codes of languages as names: the same in charts and on pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from tealeaves.text.languages import english_name


def language_names(codes: Iterable[str]) -> dict[str, str]:
    """Return the English name of each language; what is no known code is its own name.

    Two codes of one language keep their codes: two translations, say.

    >>> language_names(["fin", "xx-other"])
    {'fin': 'Finnish', 'xx-other': 'xx-other'}
    >>> language_names(["arb", "ar"])
    {'arb': 'Arabic (arb)', 'ar': 'Arabic (ar)'}
    """
    names = {code: english_name(code) for code in codes}
    times = Counter(names.values())
    return {
        code: f"{name} ({code})" if times[name] > 1 and name != code else name
        for code, name in names.items()
    }
