"""Lexicon: how words are expressed in other languages, token by token, in parallel texts."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tealeaves.lexicon.alignment.aligners import align
    from tealeaves.lexicon.alignment.links import Links
    from tealeaves.lexicon.bitext import Bitext, Passages
    from tealeaves.lexicon.dataset.annotation import Annotation
    from tealeaves.lexicon.dataset.sample import Sample, SamplePlan, read_sample
    from tealeaves.lexicon.dataset.sampling import draw_sample
    from tealeaves.lexicon.dataset.sheets import read_sheets, write_sheet
    from tealeaves.lexicon.dataset.statistics import annotation_statistics
    from tealeaves.lexicon.error.clusters import bcubed, indices
    from tealeaves.lexicon.error.evaluating import evaluate, evaluate_extractions, evaluate_rows
    from tealeaves.lexicon.error.evaluation import Evaluation
    from tealeaves.lexicon.error.extraction_error import extraction_error
    from tealeaves.lexicon.error.links import score_links
    from tealeaves.lexicon.error.parts import error_parts
    from tealeaves.lexicon.error.rows import lemma_errors
    from tealeaves.lexicon.extraction.extracted import Extraction
    from tealeaves.lexicon.extraction.files import read_extractions, save_extraction
    from tealeaves.lexicon.extraction.registry import EXTRACTORS, extractor
    from tealeaves.lexicon.extraction.running import extract
    from tealeaves.lexicon.passages import passages_of, read_passages
    from tealeaves.lexicon.semantic_map.semantic_map import SemanticMap
    from tealeaves.lexicon.semantic_map.semantic_map import semantic_map as map_tokens
    from tealeaves.lexicon.semantic_map.token_table import tabulate_tokens

# Where each name is, and what it is called there if not the same; loaded on first use, so that the
# room itself stays light.
_HOMES = {
    "EXTRACTORS": "extraction.registry",
    "Annotation": "dataset.annotation",
    "Bitext": "bitext",
    "Evaluation": "error.evaluation",
    "Extraction": "extraction.extracted",
    "Links": "alignment.links",
    "Passages": "bitext",
    "Sample": "dataset.sample",
    "SamplePlan": "dataset.sample",
    "SemanticMap": "semantic_map.semantic_map",
    "align": "alignment.aligners",
    "annotation_statistics": "dataset.statistics",
    "bcubed": "error.clusters",
    "draw_sample": "dataset.sampling",
    "error_parts": "error.parts",
    "evaluate": "error.evaluating",
    "evaluate_extractions": "error.evaluating",
    "evaluate_rows": "error.evaluating",
    "extract": "extraction.running",
    "extraction_error": "error.extraction_error",
    "extractor": "extraction.registry",
    "indices": "error.clusters",
    "lemma_errors": "error.rows",
    # its own name is that of the package here
    "map_tokens": "semantic_map.semantic_map:semantic_map",
    "passages_of": "passages",
    "read_extractions": "extraction.files",
    "read_passages": "passages",
    "read_sample": "dataset.sample",
    "read_sheets": "dataset.sheets",
    "save_extraction": "extraction.files",
    "score_links": "error.links",
    "tabulate_tokens": "semantic_map.token_table",
    "write_sheet": "dataset.sheets",
}

__all__ = [
    "EXTRACTORS",
    "Annotation",
    "Bitext",
    "Evaluation",
    "Extraction",
    "Links",
    "Passages",
    "Sample",
    "SamplePlan",
    "SemanticMap",
    "align",
    "annotation_statistics",
    "bcubed",
    "draw_sample",
    "error_parts",
    "evaluate",
    "evaluate_extractions",
    "evaluate_rows",
    "extract",
    "extraction_error",
    "extractor",
    "indices",
    "lemma_errors",
    "map_tokens",
    "passages_of",
    "read_extractions",
    "read_passages",
    "read_sample",
    "read_sheets",
    "save_extraction",
    "score_links",
    "tabulate_tokens",
    "write_sheet",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home, _, called = _HOMES[name].partition(":")
    return getattr(importlib.import_module(f"{__name__}.{home}"), called or name)


def __dir__() -> list[str]:
    return list(__all__)
