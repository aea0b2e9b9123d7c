"""Lexicon: how words are expressed in other languages, token by token, in parallel texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tealeaves.lazy_names import lazy_names

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
    from tealeaves.lexicon.tagging import tag_texts

# The public names of each module. They are imported on first use.
_PUBLIC_NAMES = {
    "alignment.aligners": ("align",),
    "alignment.links": ("Links",),
    "bitext": ("Bitext", "Passages"),
    "dataset.annotation": ("Annotation",),
    "dataset.sample": ("Sample", "SamplePlan", "read_sample"),
    "dataset.sampling": ("draw_sample",),
    "dataset.sheets": ("read_sheets", "write_sheet"),
    "dataset.statistics": ("annotation_statistics",),
    "error.clusters": ("bcubed", "indices"),
    "error.evaluating": ("evaluate", "evaluate_extractions", "evaluate_rows"),
    "error.evaluation": ("Evaluation",),
    "error.extraction_error": ("extraction_error",),
    "error.links": ("score_links",),
    "error.parts": ("error_parts",),
    "error.rows": ("lemma_errors",),
    "extraction.extracted": ("Extraction",),
    "extraction.files": ("read_extractions", "save_extraction"),
    "extraction.registry": ("EXTRACTORS", "extractor"),
    "extraction.running": ("extract",),
    "passages": ("passages_of", "read_passages"),
    # the name of the function is that of its package
    "semantic_map.semantic_map": ("SemanticMap", "semantic_map as map_tokens"),
    "semantic_map.token_table": ("tabulate_tokens",),
    "tagging": ("tag_texts",),
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
    "tag_texts",
    "write_sheet",
]

__getattr__, __dir__ = lazy_names(__name__, _PUBLIC_NAMES)
