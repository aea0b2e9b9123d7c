"""A few verses in three languages."""

from __future__ import annotations

# English, Finnish, Swedish; the third verse has the hand twice
VERSES = {
    "GEN 1:1": ("His hand.", "Hänen kätensä.", "Hans hand."),
    "GEN 1:2": ("The hand", "Käsi", "Handen"),
    "GEN 1:3": ("hand to hand", "kädestä käteen", "hand i hand"),
    "GEN 1:4": ("a foot", "jalka", "en fot"),
    **{f"GEN 2:{n}": ("and so on", "ja niin edelleen", "och så vidare") for n in range(1, 10)},
}
LANGUAGES = ("eng", "fin", "swe")
MODEL = "l(threshold=5)"
