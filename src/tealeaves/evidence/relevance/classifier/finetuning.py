"""Fine-tuning on labels: the encoder is fitted together with a head that tells the classes."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np

from tealeaves.errors import InputError
from tealeaves.evidence.relevance.classifier.batching import Numbers, by_length, split_texts
from tealeaves.evidence.relevance.classifier.classifier import Classifier
from tealeaves.evidence.relevance.classifier.copying import fitted_copy
from tealeaves.evidence.relevance.classifier.encoders import Encoder, limit_of
from tealeaves.evidence.relevance.classifier.finished import fit_key
from tealeaves.evidence.relevance.classifier.labelling import Examples, split
from tealeaves.evidence.relevance.classifier.measuring import accuracy, largest_share, macro_f1
from tealeaves.evidence.relevance.classifier.plan import Plan
from tealeaves.evidence.relevance.classifier.presets import FitSettings
from tealeaves.evidence.relevance.classifier.reading import read_texts
from tealeaves.evidence.relevance.classifier.task import Measures, Task
from tealeaves.evidence.relevance.classifier.trained import trained
from tealeaves.evidence.relevance.classifier.training import Control
from tealeaves.evidence.relevance.network.head import Dense, Head
from tealeaves.extras import require

_REASON = "fine-tuning"


def finetune(
    encoder: Encoder,
    examples: Examples,
    settings: FitSettings,
    plan: Plan,
    *,
    control: Control | None = None,
) -> Classifier:
    """Fit an encoder and a new head to labels; the encoder that is given stays as it is.

    The epoch with the highest macro F1 on held-out texts is kept.

    Parameters
    ----------
    encoder
        What is fitted: a copy of it.
    examples
        Texts with their classes.
    settings
        How it is fitted.
    plan
        What is held out, and where checkpoints are. Its pooling ``cls`` and ``pooler`` mean the
        same here, as in models that are made for fine-tuning: the first token, through the
        encoder's own layer for it where it was trained with one.
    control
        When checkpoints are written, and when to stop.
    """
    if len(examples.labels) < 2:
        raise InputError("fine-tuning needs two classes at least: how=mlm needs none")
    settings = msgspec.structs.replace(settings, longest=limit_of(encoder, settings.longest))
    rows, held = split(examples.classes, plan.held_out, settings.seed)
    split_up = split_texts(encoder.tokenizer, examples.words, settings.longest)
    texts = split_up.pieces
    task = Classes(encoder, len(examples.labels), settings, mean=plan.pooling == "mean")
    task.learn([texts[row] for row in rows], examples.classes[rows])
    task.hold_out([texts[row] for row in held], examples.classes[held])
    how = ("finetune", task.head().pooling, *examples.labels)
    fit = fit_key(how, settings, task.network, texts, [examples.classes, held])
    report = {
        **examples.report,
        "how": "finetune",
        "cut": split_up.cut,
        "fitted": len(rows),
        "held_out": len(held),
        "largest_class": largest_share(examples.classes[held]),
    }
    return trained(
        task,
        encoder,
        settings,
        plan,
        fit=fit,
        kind="finetuned",
        labels=examples.labels,
        report=report,
        control=control,
    )


class Classes(Task):
    """Classes of texts, told by a linear layer on the encoder.

    Parameters
    ----------
    encoder
        What is copied.
    classes
        How many there are.
    settings
        For the size of batches, and the seed of the linear layer.
    mean
        Whether the linear layer is put on the mean of all tokens, not on the first one.
    """

    aim = "f1"

    def __init__(
        self, encoder: Encoder, classes: int, settings: FitSettings, *, mean: bool = False
    ) -> None:
        torch = require("torch", extra="relevance", reason=_REASON)
        self.model = fitted_copy(encoder.model)
        self._mean = mean
        # a pooler that the model was not trained with would be random, and anew at each loading
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

    def judge(self) -> Measures:
        """Return macro F1 and accuracy."""
        if not self._held:
            return {}
        found = self.predict(self._held)
        return {
            "f1": macro_f1(self._held_classes, found),
            "accuracy": accuracy(self._held_classes, found),
        }

    def predict(self, texts: list[Numbers]) -> Numbers:
        """Return the class of each text."""
        torch = require("torch", extra="relevance", reason=_REASON)
        found = np.empty(len(texts), dtype=np.int64)
        with torch.inference_mode():
            for rows in by_length([len(text) for text in texts], self._batch):
                logits = self._logits([texts[row] for row in rows])
                found[rows] = logits.argmax(dim=1).cpu().numpy()
        return found

    def _logits(self, texts: list[Numbers]) -> Any:
        read = read_texts(self.model, texts)
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
    found = (getattr(config, name, None) for name in names)
    return float(next((value for value in found if value is not None), 0.0))
