"""Fine-tuning without labels: the encoder learns to tell words that are masked."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np

from tealeaves.errors import InputError
from tealeaves.evidence.relevance.classifier.batching import (
    Numbers,
    PieceTexts,
    by_length,
    split_texts,
)
from tealeaves.evidence.relevance.classifier.classifier import Classifier
from tealeaves.evidence.relevance.classifier.copying import fitted_copy
from tealeaves.evidence.relevance.classifier.encoders import Encoder, limit_of
from tealeaves.evidence.relevance.classifier.finished import fit_key
from tealeaves.evidence.relevance.classifier.labelling import split
from tealeaves.evidence.relevance.classifier.masked_head import MaskedHead
from tealeaves.evidence.relevance.classifier.masking import MaskedText, Masks
from tealeaves.evidence.relevance.classifier.plan import Plan
from tealeaves.evidence.relevance.classifier.presets import FitSettings
from tealeaves.evidence.relevance.classifier.reading import read_texts
from tealeaves.evidence.relevance.classifier.task import Measures, Task
from tealeaves.evidence.relevance.classifier.trained import trained
from tealeaves.evidence.relevance.classifier.training import Control
from tealeaves.evidence.relevance.network.head import Head
from tealeaves.extras import require

_REASON = "fine-tuning on masked words"


def fit_masked(
    encoder: Encoder,
    words: list[list[str]],
    settings: FitSettings,
    plan: Plan,
    *,
    report: dict[str, Any] | None = None,
    control: Control | None = None,
) -> Classifier:
    """Fit an encoder to tell masked words; the encoder that is given stays as it is.

    The epoch with the lowest perplexity of masked words in held-out texts is kept.

    Parameters
    ----------
    encoder
        What is fitted: a copy of it, and of its head for masked words where it has one.
    words
        The words of each text.
    settings
        How it is fitted.
    plan
        What is held out, and where checkpoints are.
    report
        What is known of the texts.
    control
        When checkpoints are written, and when to stop.
    """
    settings = msgspec.structs.replace(settings, longest=limit_of(encoder, settings.longest))
    split_up = split_texts(encoder.tokenizer, words, settings.longest)
    texts = _with_words(split_up)
    rows, held = split(np.zeros(len(texts.pieces), dtype=np.int64), plan.held_out, settings.seed)
    task = MaskedWords(encoder, settings)
    task.learn(texts.only(rows))
    task.hold_out(texts.only(held))
    fit = fit_key(["mlm"], settings, task.network, texts.pieces, [held])
    known = {
        **(report or {}),
        "how": "mlm",
        "cut": split_up.cut,
        "fitted": len(rows),
        "held_out": len(held),
    }
    return trained(
        task, encoder, settings, plan, fit=fit, kind="masked", report=known, control=control
    )


class MaskedWords(Task):
    """Masked words of texts, told by a head that shares its last weights with the encoder.

    Parameters
    ----------
    encoder
        What is copied, with its head where it has one.
    settings
        For the size of batches, the share of masked words and the seed.
    """

    aim = "perplexity"
    less_is_better = True
    measured_before = True

    def __init__(self, encoder: Encoder, settings: FitSettings) -> None:
        torch = require("torch", extra="relevance", reason=_REASON)
        self.model = fitted_copy(encoder.model)
        self._head = MaskedHead(self.model, encoder.masked)
        self._masks = _masks(encoder, settings.masked)
        self._settings = settings
        self.network = torch.nn.ModuleDict({"encoder": self.model, "head": self._head.parts})
        self.hold_out(PieceTexts([], []))

    def learn(self, texts: PieceTexts) -> None:
        """Set the texts to learn from."""
        self._texts = texts
        self.lengths = texts.lengths

    def hold_out(self, texts: PieceTexts) -> None:
        """Set the texts to be measured on; their masks are chosen once."""
        rng = np.random.default_rng((self._settings.seed, 1))
        pairs = zip(texts.pieces, texts.words, strict=True)
        self._held = texts
        self._held_masked = [self._masks.put(*pair, rng, always=True) for pair in pairs]

    def loss(self, rows: Numbers, rng: np.random.Generator) -> Any:
        """Return the cross-entropy of the pieces of chosen words."""
        texts = self._texts.only(rows)
        pairs = zip(texts.pieces, texts.words, strict=True)
        return self._told([self._masks.put(*pair, rng) for pair in pairs], texts.pieces)[1].mean()

    def judge(self) -> Measures:
        """Return the perplexity of pieces of masked words, and the share of words told wholly."""
        torch = require("torch", extra="relevance", reason=_REASON)
        if not self._held_masked:
            return {}
        losses, right = [], []
        with torch.inference_mode():
            for rows in by_length(self._held.lengths, self._settings.batch):
                masked = [self._held_masked[row] for row in rows]
                told, lost = self._told(masked, [self._held.pieces[row] for row in rows])
                losses.append(lost.double().cpu().numpy())
                right += _right_words(told, masked, self._held.only(rows))
        mean = np.concatenate(losses).mean()
        return {
            "perplexity": float(np.exp(np.minimum(mean, 700))),
            "accuracy": float(np.mean(right)),
        }

    def _told(self, masked: list[MaskedText], true: list[Numbers]) -> tuple[Numbers, Any]:
        """Return the most likely piece for each chosen one, and what is lost on it."""
        torch = require("torch", extra="relevance", reason=_REASON)
        last = read_texts(self.model, [text.pieces for text in masked]).last
        places = [
            (row, place) for row, text in enumerate(masked) for place in text.asked.nonzero()[0]
        ]
        which = torch.tensor(places, device=last.device).T
        logits = self._head.logits(last[which[0], which[1]])
        wanted = [pieces[text.asked] for text, pieces in zip(masked, true, strict=True)]
        target = torch.from_numpy(np.concatenate(wanted)).to(last.device)
        lost = torch.nn.functional.cross_entropy(logits, target, reduction="none")
        return logits.detach().argmax(dim=1).cpu().numpy(), lost

    def head(self) -> Head:
        """Return the head as it is now; it shares its last weights with the encoder."""
        return self._head.head()


def _right_words(told: Numbers, masked: list[MaskedText], texts: PieceTexts) -> list[bool]:
    """Tell for each masked word whether all its pieces were told."""
    found: list[bool] = []
    start = 0
    for text, pieces, words in zip(masked, texts.pieces, texts.words, strict=True):
        stop = start + int(text.asked.sum())
        right = told[start:stop] == pieces[text.asked]
        numbers = words[text.asked]
        found += [bool(right[numbers == number].all()) for number in np.unique(numbers)]
        start = stop
    return found


def _with_words(texts: PieceTexts) -> PieceTexts:
    found = texts.only([row for row, words in enumerate(texts.words) if (words >= 0).any()])
    if not found.pieces:
        raise InputError("no text has a word that can be masked")
    return found


def _masks(encoder: Encoder, share: float) -> Masks:
    tokenizer = encoder.tokenizer
    if tokenizer.mask_token_id is None:
        raise InputError(
            f"{encoder.name}: its tokenizer has no mask, so that no word can be masked"
        )
    rows = encoder.model.get_input_embeddings().weight.shape[0]
    others = np.setdiff1d(sorted(tokenizer.get_vocab().values()), tokenizer.all_special_ids)
    return Masks(tokenizer.mask_token_id, others[others < rows].astype(np.int64), share)
