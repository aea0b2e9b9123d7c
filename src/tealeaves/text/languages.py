"""Codes of languages, however a language is written."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

# a two-letter code (ISO 639-1), then what else stands for it: the codes of three letters
# (ISO 639-2 and 639-3) and the English name
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
    """Return the two-letter code of a language; nothing if it is not known.

    Regions and scripts are left out. Two letters are taken for a code, whether known or not.

    >>> language_code("en_GB"), language_code("eng"), language_code("Spanish"), language_code("ka")
    ('en', 'en', 'es', 'ka')
    >>> language_code("Klingon")
    ''
    """
    language = re.split(r"[-_]", text.strip().lower())[0]
    known = _codes().get(language, "")
    return known or (language if re.fullmatch("[a-z]{2}", language) else "")


def same_language(one: str, other: str) -> bool:
    """Whether two names stand for the same language.

    >>> same_language("en_GB", "eng"), same_language("en", "es"), same_language("l1", "l1")
    (True, False, True)
    """
    return one == other or (language_code(one) or one) == (language_code(other) or other)


def name_of(language: str, names: Iterable[str]) -> str | None:
    """Return how a language is called among some names: its own name comes first.

    >>> name_of("zh-Hans", ["zh-Hant", "zh-Hans"]), name_of("eng", ["en", "es"]), name_of("sv", [])
    ('zh-Hans', 'en', None)
    """
    listed = list(names)
    alike = [one for one in listed if same_language(one, language)]
    return language if language in listed else next(iter(alike), None)


def english_name(text: str) -> str:
    """Return the English name of a language; the text itself if the language is not known.

    >>> english_name("fin"), english_name("zh-Hans"), english_name("lao"), english_name("xx-other")
    ('Finnish', 'Chinese', 'Lao', 'xx-other')
    """
    code = _codes().get(re.split(r"[-_]", text.strip().lower())[0], "")
    return _names().get(code, text)


@cache
def _names() -> dict[str, str]:
    """Return the first name of each language: what is longer than a code, or comes last."""
    rows = (line.split() for line in _LANGUAGES.split("\n") if line)
    return {
        row[0]: next((word for word in row if len(word) > 3), row[-1]).capitalize() for row in rows
    }


@cache
def _codes() -> dict[str, str]:
    rows = (line.split() for line in _LANGUAGES.split("\n") if line)
    return {name: row[0] for row in rows for name in row}
