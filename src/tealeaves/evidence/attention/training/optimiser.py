"""The optimiser: AdamW with a rate that rises and falls, whose state is tensors with names."""

from __future__ import annotations

from typing import Any

from tealeaves.evidence.attention.training.settings import FitSettings
from tealeaves.extras import require


class Optimiser:
    """Changes the weights of a network, a module of torch, along their gradients.

    After the last of ``steps`` steps the rate is 0.
    """

    def __init__(self, network: Any, settings: FitSettings, steps: int) -> None:
        torch = require("torch", extra="relevance", reason="fine-tuning")
        self._torch = torch
        self._settings = settings
        self._steps = steps
        self._named = dict(network.named_parameters())
        weights = list(self._named.values())
        groups = [
            {"params": [w for w in weights if w.dim() > 1], "weight_decay": settings.decay},
            # biases and normalisations, which need not be small
            {"params": [w for w in weights if w.dim() <= 1], "weight_decay": 0.0},
        ]
        self._adam = torch.optim.AdamW([g for g in groups if g["params"]], lr=settings.rate)

    def step(self, number: int) -> None:
        """Make the step of this number, counted from 0, and clear the gradients."""
        weights = list(self._named.values())
        self._torch.nn.utils.clip_grad_norm_(weights, self._settings.clip)
        for group in self._adam.param_groups:
            group["lr"] = self._settings.rate * rate_share(
                number, self._steps, self._settings.warm_up
            )
        self._adam.step()
        self._adam.zero_grad(set_to_none=True)

    def tensors(self) -> dict[str, Any]:
        """Return its state; a weight that never had a gradient has none."""
        return {
            f"adam.{kind}.{name}": part
            for name, weight in self._named.items()
            for kind, part in self._adam.state.get(weight, {}).items()
        }

    def load(self, tensors: dict[str, Any]) -> None:
        """Continue with a state."""
        for full, part in tensors.items():
            start, _, rest = full.partition(".")
            kind, _, name = rest.partition(".")
            if start == "adam":
                weight = self._named[name]
                # the number of steps is kept on the processor, as AdamW does
                moved = part if kind == "step" else part.to(weight.device)
                self._adam.state[weight][kind] = moved


def rate_share(step: int, steps: int, warm_up: float) -> float:
    """Return the share of the rate that a step has: linearly up to 1, then down to 0.

    >>> [rate_share(step, 6, 1 / 3) for step in range(6)]
    [0.5, 1.0, 1.0, 0.75, 0.5, 0.25]
    """
    rising = round(warm_up * steps)
    if step < rising:
        return (step + 1) / rising
    return (steps - step) / max(steps - rising, 1)
