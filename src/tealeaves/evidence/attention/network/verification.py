"""Whether a network is followed correctly: each classifier is tried before it is used."""

from __future__ import annotations

import copy
import warnings
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError, TealeavesWarning
from tealeaves.evidence.attention.devices import explain_memory_errors
from tealeaves.evidence.attention.network.head import HeadTrace
from tealeaves.evidence.attention.network.network import SMALLEST_LOGIT, Batch, Network
from tealeaves.evidence.attention.network.rules import RuleName

if TYPE_CHECKING:
    from tealeaves.evidence.attention.classifiers.classifier import Classifier

_SENTENCE = "the cat sat on the mat and read an old newspaper"
_TOLERANCE = 1e-3


def verified_network(classifier: Classifier, device: Any, rules: RuleName = "sizes") -> Network:
    """Return the network of a classifier, after a check that it computes what the model does.

    A network that computes something else is an error; one that loses relevance is a warning. The
    rules ``chefer`` are computed in double precision, without which they mean nothing.
    """
    what, advice = f"the network of {classifier.name}", "use a classifier with a smaller one"
    with explain_memory_errors(device, what, advice):
        return _verified(classifier, device, rules)


def _verified(classifier: Classifier, device: Any, rules: RuleName) -> Network:
    import torch

    model = classifier.model
    dtype = torch.float64 if rules == "chefer" else model.dtype
    if (model.device, model.dtype) != (device, dtype):
        # a copy, because nobody may change the model of a classifier
        model = copy.deepcopy(model).to(device=device, dtype=dtype)
    network = Network(model, classifier.head.to(device, dtype), rules)
    batch = _trial_batch(classifier, device)
    trace = network.forward(batch)
    _check_states(model, batch, trace.answer.states, classifier.name)
    lost = ((network.conserved(trace) - trace.answer.total).abs() / _size(trace.answer)).max()
    if not float(lost) < _TOLERANCE:
        warnings.warn(
            f"{classifier.name}: LRP loses {float(lost):.1%} of the relevance of a text: its "
            "numbers are doubtful",
            TealeavesWarning,
            stacklevel=3,
        )
    return network


def _trial_batch(classifier: Classifier, device: Any) -> Batch:
    import torch

    tokenizer = classifier.tokenizer
    split = tokenizer(
        [_SENTENCE.split()],
        is_split_into_words=True,
        truncation=True,
        max_length=classifier.longest,
    )
    ids = torch.tensor(split["input_ids"], device=device)
    shown = torch.ones_like(ids)
    if classifier.head.pooling != "masked":
        return Batch(ids, shown)
    positions = torch.ones((1, 1), dtype=torch.long, device=device)
    targets = ids.gather(1, positions)
    ids = ids.clone()
    ids[:, 1] = tokenizer.mask_token_id
    return Batch(ids, shown, positions, torch.ones_like(positions), targets)


def _check_states(model: Any, batch: Batch, states: Any, name: str) -> None:
    import torch

    with torch.no_grad():
        expected = model(input_ids=batch.ids, attention_mask=batch.shown).last_hidden_state
    wrong = float((states - expected).abs().max() / expected.abs().max())
    if not wrong < _TOLERANCE:
        raise InputError(
            f"{name}: the attention of this model ({model.config.model_type}) cannot be followed: "
            "it computes something else than is known of its kind"
        )


def _size(answer: HeadTrace) -> Any:
    """Return for each text how much speaks for and against its answer, which may be close to 0."""
    sizes = (answer.features * answer.weights).abs().sum(dim=-1) + answer.biases.abs()
    return (sizes * answer.present).sum(dim=1).clamp(min=SMALLEST_LOGIT)
