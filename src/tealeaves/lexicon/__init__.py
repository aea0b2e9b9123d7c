"""Lexicon: how words are expressed in other languages, token by token, in parallel texts."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tealeaves.lexicon.alignment.aligners import align
    from tealeaves.lexicon.alignment.links import Links
    from tealeaves.lexicon.annotation.annotation import Annotation
    from tealeaves.lexicon.annotation.sample import Sample, SamplePlan, read_sample
    from tealeaves.lexicon.annotation.sample_sheets import SampledSheets, sample_sheets
    from tealeaves.lexicon.annotation.sampling import draw_sample
    from tealeaves.lexicon.annotation.sheets import read_sheets, write_sheet
    from tealeaves.lexicon.annotation.statistics import annotation_statistics
    from tealeaves.lexicon.bitext import Bitext, Passages
    from tealeaves.lexicon.error.evaluation import (
        Evaluation,
        evaluate,
        evaluate_extractions,
        evaluate_rows,
    )
    from tealeaves.lexicon.error.extraction_error import error_parts, extraction_error
    from tealeaves.lexicon.error.links import score_links
    from tealeaves.lexicon.error.measures import bcubed, indices, lemma_errors
    from tealeaves.lexicon.extraction.reading import Reading
    from tealeaves.lexicon.extraction.registry import EXTRACTORS, extractor
    from tealeaves.lexicon.extraction.result import Extraction, read_extractions, save_extraction
    from tealeaves.lexicon.extraction.run import extract
    from tealeaves.lexicon.extraction.summary import Extractions, FailedTargetsError
    from tealeaves.lexicon.maps.semantic_map import SemanticMap, map_tokens
    from tealeaves.lexicon.maps.token_table import tabulate_tokens
    from tealeaves.lexicon.passages import passages_of, read_passages

# The module of each name. It is imported on first use, so that importing the package is fast.
_MODULES = {
    "EXTRACTORS": "extraction.registry",
    "Annotation": "annotation.annotation",
    "Bitext": "bitext",
    "Evaluation": "error.evaluation",
    "Extraction": "extraction.result",
    "Extractions": "extraction.summary",
    "FailedTargetsError": "extraction.summary",
    "Links": "alignment.links",
    "Passages": "bitext",
    "Reading": "extraction.reading",
    "Sample": "annotation.sample",
    "SamplePlan": "annotation.sample",
    "SampledSheets": "annotation.sample_sheets",
    "SemanticMap": "maps.semantic_map",
    "align": "alignment.aligners",
    "annotation_statistics": "annotation.statistics",
    "bcubed": "error.measures",
    "draw_sample": "annotation.sampling",
    "error_parts": "error.extraction_error",
    "evaluate": "error.evaluation",
    "evaluate_extractions": "error.evaluation",
    "evaluate_rows": "error.evaluation",
    "extract": "extraction.run",
    "extraction_error": "error.extraction_error",
    "extractor": "extraction.registry",
    "indices": "error.measures",
    "lemma_errors": "error.measures",
    "map_tokens": "maps.semantic_map",
    "passages_of": "passages",
    "read_extractions": "extraction.result",
    "read_passages": "passages",
    "read_sample": "annotation.sample",
    "read_sheets": "annotation.sheets",
    "sample_sheets": "annotation.sample_sheets",
    "save_extraction": "extraction.result",
    "score_links": "error.links",
    "tabulate_tokens": "maps.token_table",
    "write_sheet": "annotation.sheets",
}

__all__ = [
    "EXTRACTORS",
    "Annotation",
    "Bitext",
    "Evaluation",
    "Extraction",
    "Extractions",
    "FailedTargetsError",
    "Links",
    "Passages",
    "Reading",
    "Sample",
    "SamplePlan",
    "SampledSheets",
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
    "sample_sheets",
    "save_extraction",
    "score_links",
    "tabulate_tokens",
    "write_sheet",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return list(__all__)
