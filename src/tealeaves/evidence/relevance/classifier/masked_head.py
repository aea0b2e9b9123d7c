"""The head that tells masked words, while it is fitted."""

from __future__ import annotations

from typing import Any

from tealeaves.evidence.relevance.network.head import Dense, Head, Scaling
from tealeaves.extras import require


class MaskedHead:
    """A linear layer with GELU and a normalisation, then the encoder's own word vectors.

    A new one begins as near to passing everything on as can be: then the answer is the piece
    whose vector is nearest, which is learnt from much faster than from random weights.

    Parameters
    ----------
    model
        The encoder that is fitted.
    given
        The head that the encoder was trained with, where there is one.
    """

    def __init__(self, model: Any, given: Head | None = None) -> None:
        torch = require("torch", extra="relevance", reason="fine-tuning on masked words")
        first, last = (given or _new(model)).steps
        self._vectors = model.get_input_embeddings()
        self._function = first.function
        self._act = {"": torch.nn.Identity(), "gelu": torch.nn.GELU(), "relu": torch.nn.ReLU(),
                     "tanh": torch.nn.Tanh()}[first.function]  # fmt: skip
        self._eps = first.norm.eps if first.norm else None
        named = {"weight": first.weight, "bias": first.bias, "out": last.bias}
        if first.norm:
            named |= {"norm_weight": first.norm.weight, "norm_bias": first.norm.bias}
        if not torch.equal(
            last.weight.to(model.dtype), self._vectors.weight
        ):  # of a model that does not share
            named["out_weight"] = last.weight
        kept = {name: part for name, part in named.items() if part is not None}
        #: A module of torch with the weights that the encoder does not have.
        self.parts = torch.nn.ParameterDict(
            {
                name: torch.nn.Parameter(part.detach().clone().to(model.dtype))
                for name, part in kept.items()
            }
        )

    def logits(self, tokens: Any) -> Any:
        """Return a number for each piece of the vocabulary, for each of some tokens."""
        functional = require("torch.nn.functional", extra="relevance", reason="masked words")
        weight, bias, norm = self._first()
        found = self._act(functional.linear(tokens, weight, bias))
        if norm:
            found = functional.layer_norm(
                found, (len(norm.weight),), norm.weight, norm.bias, norm.eps
            )
        return functional.linear(found, *self._last())

    def head(self) -> Head:
        """Return it as it is now."""
        weight, bias, norm = self._first()
        scaling = norm and Scaling(_fixed(norm.weight), _fixed(norm.bias), norm.eps)
        first = Dense(_fixed(weight), _fixed(bias), self._function, scaling)
        out_weight, out = self._last()
        shared = out_weight.detach()  # not copied: it is a large part of the model
        return Head("masked", (first, Dense(shared, _fixed(out))))

    def _first(self) -> tuple[Any, Any, Scaling | None]:
        parts = self.parts
        norm = None
        if self._eps is not None:
            norm = Scaling(parts["norm_weight"], parts["norm_bias"], self._eps)
        return parts["weight"], parts.get("bias"), norm

    def _last(self) -> tuple[Any, Any]:
        own = "out_weight" in self.parts
        weight = self.parts["out_weight"] if own else self._vectors.weight
        return weight, self.parts.get("out")


def _fixed(tensor: Any) -> Any:
    return None if tensor is None else tensor.detach().clone()


def _new(model: Any) -> Head:
    torch = require("torch", extra="relevance", reason="fine-tuning on masked words")
    vectors = model.get_input_embeddings().weight.detach()
    pieces, size = vectors.shape
    if size == model.config.hidden_size:
        weight = torch.eye(size)
    else:  # vectors of pieces are made wider by a linear layer, which is gone back here
        weight = model.embeddings_project.weight.detach().T
    eps = float(getattr(model.config, "layer_norm_eps", 1e-12))
    norm = Scaling(torch.ones(size), torch.zeros(size), eps)
    first = Dense(weight, torch.zeros(size), "gelu", norm)
    return Head("masked", (first, Dense(vectors, torch.zeros(pieces))))
