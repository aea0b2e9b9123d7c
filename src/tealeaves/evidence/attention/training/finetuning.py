"""Fine-tuning on labels: the encoder is trained together with a head that predicts the classes."""

from __future__ import annotations

import copy
from typing import Any

import msgspec
import numpy as np

from tealeaves.errors import InputError
from tealeaves.evidence.attention.classifiers.classifier import Classifier
from tealeaves.evidence.attention.classifiers.encoders import Encoder, limit_of
from tealeaves.evidence.attention.network.head import Dense, Head
from tealeaves.evidence.attention.training.checkpoints import fit_key
from tealeaves.evidence.attention.training.examples import Examples, split_rows
from tealeaves.evidence.attention.training.loop import EpochMeasures, Task, train_classifier
from tealeaves.evidence.attention.training.pieces import (
    Numbers,
    by_length,
    encode_texts,
    split_texts,
)
from tealeaves.evidence.attention.training.report import accuracy, largest_share, macro_f1
from tealeaves.evidence.attention.training.settings import FitOptions, FitSettings
from tealeaves.extras import require

_REASON = "fine-tuning"


def finetune(
    encoder: Encoder, examples: Examples, settings: FitSettings, options: FitOptions
) -> Classifier:
    """Train a copy of an encoder, with a new head, on labels.

    The epoch with the highest macro F1 on held-out texts is kept.

    Parameters
    ----------
    encoder, examples
        What is trained, and texts with their classes.
    settings, options
        How it is trained. The pooling ``cls`` and ``pooler`` mean the same here, as in models that
        are made for fine-tuning: the first token, through the encoder's own layer for it if it was
        trained with one.
    """
    if len(examples.labels) < 2:
        raise InputError(
            "fine-tuning needs two classes at least: masked words (--how mlm) need none"
        )
    settings = msgspec.structs.replace(settings, longest=limit_of(encoder, settings.longest))
    rows, held = split_rows(examples.classes, options.held_out, settings.seed)
    texts, _, cut = split_texts(encoder.tokenizer, examples.words, settings.longest)
    task = Classes(encoder, len(examples.labels), settings, mean=options.pooling == "mean")
    task.learn([texts[row] for row in rows], examples.classes[rows])
    task.hold_out([texts[row] for row in held], examples.classes[held])
    how = ("finetune", task.head().pooling, *examples.labels)
    fit = fit_key(how, settings, task.network, texts, [examples.classes, held])
    report = {
        **examples.report,
        "how": "finetune",
        "cut": cut,
        "fitted": len(rows),
        "held_out": len(held),
        "largest_class": largest_share(examples.classes[held]),
    }
    return train_classifier(
        task, encoder, settings, options, fit=fit, labels=examples.labels, report=report
    )


class Classes(Task):
    """Classes of texts, predicted from the first token or from the mean of all tokens."""

    kind = "finetuned"
    aim = "f1"

    def __init__(
        self, encoder: Encoder, classes: int, settings: FitSettings, *, mean: bool = False
    ) -> None:
        torch = require("torch", extra="relevance", reason=_REASON)
        self.model = trainable_copy(encoder.model)
        self._mean = mean
        # a pooler that the model was not trained with would be random at each loading
        self._pooled = encoder.pooler is not None and not mean
        self._batch = settings.batch
        self._last = _first_weights(self.model, classes, settings.seed)
        self._dropout = torch.nn.Dropout(_dropout(self.model.config))
        self.network = torch.nn.ModuleDict(
            {"encoder": self.model, "dropout": self._dropout, "classifier": self._last}
        )
        self.hold_out([], np.empty(0, dtype=np.int64))

    def learn(self, texts: list[Numbers], classes: Numbers) -> None:
        """Set the texts to learn from, as pieces."""
        self._texts, self._classes = texts, classes
        self.lengths = np.array([len(text) for text in texts], dtype=np.int64)

    def hold_out(self, texts: list[Numbers], classes: Numbers) -> None:
        """Set the texts to be measured on."""
        self._held, self._held_classes = texts, classes

    def loss(self, rows: Numbers, rng: np.random.Generator) -> Any:
        """Return the cross-entropy of the true classes."""
        torch = require("torch", extra="relevance", reason=_REASON)
        logits = self._logits([self._texts[row] for row in rows])
        true = torch.from_numpy(self._classes[rows]).to(logits.device)
        return torch.nn.functional.cross_entropy(logits, true)

    def evaluate(self) -> EpochMeasures:
        """Return macro F1 and accuracy."""
        if not self._held:
            return {}
        predicted = self.predict(self._held)
        return {
            "f1": macro_f1(self._held_classes, predicted),
            "accuracy": accuracy(self._held_classes, predicted),
        }

    def predict(self, texts: list[Numbers]) -> Numbers:
        """Return the class of each text."""
        torch = require("torch", extra="relevance", reason=_REASON)
        classes = np.empty(len(texts), dtype=np.int64)
        with torch.inference_mode():
            for rows in by_length([len(text) for text in texts], self._batch):
                logits = self._logits([texts[row] for row in rows])
                classes[rows] = logits.argmax(dim=1).cpu().numpy()
        return classes

    def _logits(self, texts: list[Numbers]) -> Any:
        read = encode_texts(self.model, texts)
        if self._pooled:
            pooled = read.pooled
        else:
            pooled = read.mean if self._mean else read.first
        return self._last(self._dropout(pooled))

    def head(self) -> Head:
        """Return the head as it is now."""
        steps = [Dense(self._last.weight.detach().clone(), self._last.bias.detach().clone())]
        if self._pooled:
            layer = self.model.pooler.dense
            weight, bias = layer.weight.detach().clone(), layer.bias.detach().clone()
            steps.insert(0, Dense(weight, bias, "tanh"))
        return Head("mean" if self._mean else "cls", tuple(steps))


def _first_weights(model: Any, classes: int, seed: int) -> Any:
    """Make the linear layer at random, but the same for a seed."""
    torch = require("torch", extra="relevance", reason=_REASON)
    config = model.config
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        last = torch.nn.Linear(config.hidden_size, classes, dtype=model.dtype)
        torch.nn.init.normal_(last.weight, std=getattr(config, "initializer_range", 0.02))
        torch.nn.init.zeros_(last.bias)
    return last


def _dropout(config: Any) -> float:
    """Return the dropout before the last layer; models call it differently."""
    names = ("classifier_dropout", "seq_classif_dropout", "hidden_dropout_prob", "dropout")
    values = (getattr(config, name, None) for name in names)
    return float(next((value for value in values if value is not None), 0.0))


def trainable_copy(model: Any) -> Any:
    """Return a copy of a model, all of whose weights can be trained."""
    torch = require("torch", extra="relevance", reason=_REASON)
    copied = copy.deepcopy(model)
    if copied.dtype not in (torch.float32, torch.float64):  # too coarse for small steps
        copied = copied.to(torch.float32)
    copied.zero_grad(set_to_none=True)
    copied.requires_grad_(requires_grad=True)
    return copied
