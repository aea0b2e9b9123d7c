"""Semantic maps: tokens that many languages express alike lie near each other."""

from tealeaves.lexicon.semantic_map.colexification import (
    Colexification,
    GroupPair,
    MainExpression,
    colexify,
)
from tealeaves.lexicon.semantic_map.distances import Distances, token_distances
from tealeaves.lexicon.semantic_map.groups import Groups, group_tokens
from tealeaves.lexicon.semantic_map.inventory import Inventory, count_expressions
from tealeaves.lexicon.semantic_map.mds import Layout, classical_mds, smacof
from tealeaves.lexicon.semantic_map.semantic_map import SemanticMap, semantic_map
from tealeaves.lexicon.semantic_map.token_table import Occurrence, TokenTable, tabulate_tokens
from tealeaves.statistics.seriation import seriation_order

__all__ = [
    "Colexification",
    "Distances",
    "GroupPair",
    "Groups",
    "Inventory",
    "Layout",
    "MainExpression",
    "Occurrence",
    "SemanticMap",
    "TokenTable",
    "classical_mds",
    "colexify",
    "count_expressions",
    "group_tokens",
    "semantic_map",
    "seriation_order",
    "smacof",
    "tabulate_tokens",
    "token_distances",
]
