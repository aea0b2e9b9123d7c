"""Codes and names of languages: ``en``, ``eng``, ``en_GB`` and ``English`` are the same."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

# the two-letter code (ISO 639-1), the codes of three letters (ISO 639-2 and 639-3), English names
_LANGUAGES = """
af afr afrikaans
am amh amharic
ar ara arb arabic
bg bul bulgarian
bn ben bengali bangla
br bre breton
ca cat catalan
cs ces cze czech
da dan danish
de deu ger german
el ell gre greek
en eng english
eo epo esperanto
es spa spanish castilian
et est estonian
eu eus baq basque
fa fas per pes persian farsi
fi fin finnish
fr fra fre french
ga gle irish
gl glg galician
gu guj gujarati
ha hau hausa
he heb hebrew
hi hin hindi
hr hrv croatian
hu hun hungarian
hy hye arm armenian
id ind indonesian
it ita italian
ja jpn japanese
ka kat geo georgian
kk kaz kazakh
km khm khmer
ko kor korean
ku kur kurdish
la lat latin
lo lao
lt lit lithuanian
lv lav lvs latvian
mr mar marathi
ms msa may zsm malay
my mya bur burmese
nl nld dut dutch
no nor nb nob nn nno norwegian
pl pol polish
pt por portuguese
ro ron rum romanian
ru rus russian
sk slk slo slovak
sl slv slovenian slovene
so som somali
sr srp serbian
st sot sotho
sv swe swedish
sw swa swh swahili
ta tam tamil
te tel telugu
th tha thai
tl tgl fil tagalog filipino
tr tur turkish
uk ukr ukrainian
ur urd urdu
vi vie vietnamese
yo yor yoruba
zh zho chi cmn chinese mandarin
zu zul zulu
"""


def language_code(text: str) -> str:
    """Return the two-letter code of a language; an empty string if it is not known.

    Regions and scripts are left out. Any two letters are taken for a code, known or not.

    >>> language_code("en_GB"), language_code("eng"), language_code("Spanish"), language_code("ka")
    ('en', 'en', 'es', 'ka')
    >>> language_code("Klingon")
    ''
    """
    language = _without_region(text)
    code = _codes().get(language, "")
    return code or (language if re.fullmatch("[a-z]{2}", language) else "")


def same_language(one: str, other: str) -> bool:
    """Tell whether two names stand for the same language.

    >>> same_language("en_GB", "eng"), same_language("en", "es"), same_language("l1", "l1")
    (True, False, True)
    """
    return one == other or (language_code(one) or one) == (language_code(other) or other)


def find_language(language: str, names: Iterable[str]) -> str | None:
    """Return which of some names stands for a language: its own name, or else the first other.

    >>> find_language("zh-Hans", ["zh-Hant", "zh-Hans"]), find_language("eng", ["en", "es"])
    ('zh-Hans', 'en')
    >>> find_language("sv", ["en", "es"]) is None
    True
    """
    names = list(names)
    if language in names:
        return language
    return next((name for name in names if same_language(name, language)), None)


def english_name(text: str) -> str:
    """Return the English name of a language; the text itself if it is not known.

    >>> english_name("fin"), english_name("zh-Hans"), english_name("lao"), english_name("xx-other")
    ('Finnish', 'Chinese', 'Lao', 'xx-other')
    """
    code = _codes().get(_without_region(text), "")
    return _names().get(code, text)


def _without_region(text: str) -> str:
    return re.split(r"[-_]", text.strip().lower())[0]


@cache
def _names() -> dict[str, str]:
    """Return the name of each code: the first word longer than a code, or the last word."""
    return {
        row[0]: next((word for word in row if len(word) > 3), row[-1]).capitalize()
        for row in _rows()
    }


@cache
def _codes() -> dict[str, str]:
    return {name: row[0] for row in _rows() for name in row}


def _rows() -> list[list[str]]:
    return [line.split() for line in _LANGUAGES.strip().splitlines()]
