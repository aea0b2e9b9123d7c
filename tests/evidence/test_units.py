"""Units: how they are written, and which of them make no sense."""

from __future__ import annotations

import pytest

from tealeaves.errors import InputError
from tealeaves.evidence import Unit


@pytest.mark.parametrize("text", ["window", "document(size=3)", "window(size=0)", "page"])
def test_units_that_make_no_sense_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="is not a unit"):
        Unit.parse(text)


def test_a_link_is_of_two_languages() -> None:
    link = Unit.of_link("en", "es")
    assert Unit.parse("link(languages=en+sv)") == Unit.of_link("sv", "en")
    assert Unit.parse(repr(link)) == link
    for wrong in ("link", "link(languages=en)", "link(languages=en+en)", "document(languages=a+b)"):
        with pytest.raises(InputError):
            Unit.parse(wrong)
