"""Models that are trained here, and the choice among them."""

from tealeaves.models.inferring import infer
from tealeaves.models.registry import all_models, model
from tealeaves.models.scorer import make_scorer
from tealeaves.models.selecting import select
from tealeaves.models.selection import Selection
from tealeaves.models.training import train

__all__ = ["Selection", "all_models", "infer", "make_scorer", "model", "select", "train"]
