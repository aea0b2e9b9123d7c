"""Topic models that are trained here, and the choice among them."""

from tealeaves.models.inference import infer
from tealeaves.models.model import MODELS, model
from tealeaves.models.scorer import make_scorer
from tealeaves.models.selection.result import Selection
from tealeaves.models.selection.search import select
from tealeaves.models.training import train

__all__ = ["MODELS", "Selection", "infer", "make_scorer", "model", "select", "train"]
