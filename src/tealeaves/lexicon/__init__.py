"""Lexicon: how words are expressed in other languages, token by token, in parallel texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tealeaves.lazy_names import lazy_names

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
    from tealeaves.lexicon.tagging import tag_texts

# The public names of each module. They are imported on first use.
_PUBLIC_NAMES = {
    "alignment.aligners": ("align",),
    "alignment.links": ("Links",),
    "annotation.annotation": ("Annotation",),
    "annotation.sample": ("Sample", "SamplePlan", "read_sample"),
    "annotation.sample_sheets": ("SampledSheets", "sample_sheets"),
    "annotation.sampling": ("draw_sample",),
    "annotation.sheets": ("read_sheets", "write_sheet"),
    "annotation.statistics": ("annotation_statistics",),
    "bitext": ("Bitext", "Passages"),
    "error.evaluation": ("Evaluation", "evaluate", "evaluate_extractions", "evaluate_rows"),
    "error.extraction_error": ("error_parts", "extraction_error"),
    "error.links": ("score_links",),
    "error.measures": ("bcubed", "indices", "lemma_errors"),
    "extraction.reading": ("Reading",),
    "extraction.registry": ("EXTRACTORS", "extractor"),
    "extraction.result": ("Extraction", "read_extractions", "save_extraction"),
    "extraction.run": ("extract",),
    "extraction.summary": ("Extractions", "FailedTargetsError"),
    "maps.semantic_map": ("SemanticMap", "map_tokens"),
    "maps.token_table": ("tabulate_tokens",),
    "passages": ("passages_of", "read_passages"),
    "tagging": ("tag_texts",),
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
    "tag_texts",
    "write_sheet",
]

__getattr__, __dir__ = lazy_names(__name__, _PUBLIC_NAMES)
