"""Whether a network is followed rightly: what a classifier is tried on before it is used."""

from __future__ import annotations

import copy
import warnings
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError, TealeavesWarning
from tealeaves.evidence.relevance.memory import memory_named
from tealeaves.evidence.relevance.network.answer import Answer
from tealeaves.evidence.relevance.network.head import Dense, Head, Scaling
from tealeaves.evidence.relevance.network.network import Batch, Network
from tealeaves.evidence.relevance.network.sharing import RuleName
from tealeaves.evidence.relevance.running import NOTHING

if TYPE_CHECKING:
    from tealeaves.evidence.relevance.classifier.classifier import Classifier

_TRIED = "the cat sat on the mat and read an old newspaper"
_TOLERANCE = 1e-3


def network_of(classifier: Classifier, device: Any, rules: RuleName = "sizes") -> Network:
    """Return the network of a classifier, after a look whether it computes what the model does.

    A network that computes something else is an error; one that loses relevance is warned of. The
    rules ``chefer`` are computed in double precision, without which they mean nothing.
    """
    what, advice = f"the network of {classifier.name}", "use a classifier with a smaller one"
    with memory_named(device, what, advice):
        return _checked(classifier, device, rules)


def _checked(classifier: Classifier, device: Any, rules: RuleName) -> Network:
    model, kind = classifier.model, _kind(classifier.model, rules)
    if (model.device, model.dtype) != (device, kind):
        # the classifier's own is nobody's to change
        model = copy.deepcopy(model).to(device=device, dtype=kind)
    network = Network(model, _moved(classifier.head, device, kind), rules)
    batch = _tried(classifier, device)
    trace = network.forward(batch)
    _check_forward(model, batch, trace.answer.states, classifier.name)
    lost = ((network.conserved(trace) - trace.answer.total).abs() / _size(trace.answer)).max()
    if not float(lost) < _TOLERANCE:
        warnings.warn(
            f"{classifier.name}: LRP loses {float(lost):.1%} of the relevance of a text: its "
            "numbers are to be doubted",
            TealeavesWarning,
            stacklevel=3,
        )
    return network


def _kind(model: Any, rules: RuleName) -> Any:
    import torch

    return torch.float64 if rules == "chefer" else model.dtype


def _tried(classifier: Classifier, device: Any) -> Batch:
    import torch

    tokenizer = classifier.tokenizer
    found = tokenizer(
        [_TRIED.split()], is_split_into_words=True, truncation=True, max_length=classifier.longest
    )
    ids = torch.tensor(found["input_ids"], device=device)
    batch = Batch(ids, torch.ones_like(ids))
    if classifier.head.pooling != "masked":
        return batch
    places = torch.ones((1, 1), dtype=torch.long, device=device)
    targets = ids.gather(1, places)
    ids = ids.clone()
    ids[:, 1] = tokenizer.mask_token_id
    return Batch(ids, batch.shown, places, torch.ones_like(places), targets)


def _check_forward(model: Any, batch: Batch, states: Any, name: str) -> None:
    import torch

    with torch.no_grad():
        expected = model(input_ids=batch.ids, attention_mask=batch.shown).last_hidden_state
    wrong = float((states - expected).abs().max() / expected.abs().max())
    if not wrong < _TOLERANCE:
        raise InputError(
            f"{name}: the attention of this model ({model.config.model_type}) cannot be followed: "
            "it computes something else than is known of its kind"
        )


def _size(answer: Answer) -> Any:
    """Return for each text how much speaks for and against its answer, which may be near 0."""
    sizes = (answer.features * answer.weights).abs().sum(dim=-1) + answer.biases.abs()
    return (sizes * answer.there).sum(dim=1).clamp(min=NOTHING)


def _moved(head: Head, device: Any, kind: Any) -> Head:
    def moved(tensor: Any) -> Any:
        return None if tensor is None else tensor.to(device=device, dtype=kind)

    return Head(
        head.pooling,
        tuple(
            Dense(
                moved(step.weight),
                moved(step.bias),
                step.function,
                step.norm
                and Scaling(moved(step.norm.weight), moved(step.norm.bias), step.norm.eps),
            )
            for step in head.steps
        ),
    )
