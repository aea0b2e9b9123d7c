"""Fine-tuning without labels: the encoder learns to predict words that are masked."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from tealeaves.errors import InputError
from tealeaves.evidence.attention.classifiers.classifier import Classifier
from tealeaves.evidence.attention.classifiers.encoders import Encoder, limit_of
from tealeaves.evidence.attention.network.head import Dense, Head, Scaling
from tealeaves.evidence.attention.training.checkpoints import fit_key
from tealeaves.evidence.attention.training.examples import split_rows
from tealeaves.evidence.attention.training.finetuning import trainable_copy
from tealeaves.evidence.attention.training.loop import EpochMeasures, Task, train_classifier
from tealeaves.evidence.attention.training.pieces import (
    Numbers,
    PieceTexts,
    by_length,
    encode_texts,
    split_texts,
)
from tealeaves.evidence.attention.training.settings import FitOptions, FitSettings
from tealeaves.extras import require

_REASON = "fine-tuning on masked words"
# the shares of chosen words that are masked and replaced, as in BERT; the others are left
_MASKED, _REPLACED = 0.8, 0.1


def fit_masked(
    encoder: Encoder,
    words: list[list[str]],
    settings: FitSettings,
    options: FitOptions,
    report: dict[str, Any] | None = None,
) -> Classifier:
    """Train a copy of an encoder to predict masked words, and of its head for them if it has one.

    The epoch with the lowest perplexity of masked words in held-out texts is kept.

    Parameters
    ----------
    encoder, words
        What is trained, and the words of each text.
    settings, options
        How it is trained.
    report
        What is known about the texts.
    """
    settings = msgspec.structs.replace(settings, longest=limit_of(encoder, settings.longest))
    all_texts = split_texts(encoder.tokenizer, words, settings.longest)
    texts = _with_words(all_texts)
    one_class = np.zeros(len(texts.pieces), dtype=np.int64)
    rows, held = split_rows(one_class, options.held_out, settings.seed)
    task = MaskedWords(encoder, settings)
    task.learn(texts.only(rows))
    task.hold_out(texts.only(held))
    fit = fit_key(["mlm"], settings, task.network, texts.pieces, [held])
    known = {
        **(report or {}),
        "how": "mlm",
        "cut": all_texts.cut,
        "fitted": len(rows),
        "held_out": len(held),
    }
    return train_classifier(task, encoder, settings, options, fit=fit, report=known)


class MaskedWords(Task):
    """Masked words of texts, predicted by a head that shares its last weights with the encoder."""

    kind = "masked"
    aim = "perplexity"
    less_is_better = True
    measured_before = True

    def __init__(self, encoder: Encoder, settings: FitSettings) -> None:
        torch = require("torch", extra="relevance", reason=_REASON)
        self.model = trainable_copy(encoder.model)
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
        masked = [self._masks.put(*pair, rng) for pair in pairs]
        return self._predict(masked, texts.pieces)[1].mean()

    def evaluate(self) -> EpochMeasures:
        """Return the perplexity of pieces of masked words, and the share of words predicted."""
        torch = require("torch", extra="relevance", reason=_REASON)
        if not self._held_masked:
            return {}
        losses, right = [], []
        with torch.inference_mode():
            for rows in by_length(self._held.lengths, self._settings.batch):
                masked = [self._held_masked[row] for row in rows]
                texts = self._held.only(rows)
                predicted, loss = self._predict(masked, texts.pieces)
                losses.append(loss.double().cpu().numpy())
                right += _right_words(predicted, masked, texts)
        mean = np.concatenate(losses).mean()
        return {
            "perplexity": float(np.exp(np.minimum(mean, 700))),
            "accuracy": float(np.mean(right)),
        }

    def _predict(self, masked: list[MaskedText], true: list[Numbers]) -> tuple[Numbers, Any]:
        """Return the most likely piece for each chosen one, and its loss."""
        torch = require("torch", extra="relevance", reason=_REASON)
        last = encode_texts(self.model, [text.pieces for text in masked]).last
        chosen = [
            (row, place) for row, text in enumerate(masked) for place in text.chosen.nonzero()[0]
        ]
        rows, places = torch.tensor(chosen, device=last.device).T
        logits = self._head.logits(last[rows, places])
        wanted = [pieces[text.chosen] for text, pieces in zip(masked, true, strict=True)]
        target = torch.from_numpy(np.concatenate(wanted)).to(last.device)
        loss = torch.nn.functional.cross_entropy(logits, target, reduction="none")
        return logits.detach().argmax(dim=1).cpu().numpy(), loss

    def head(self) -> Head:
        """Return the head as it is now; it shares its last weights with the encoder."""
        return self._head.head()


def _right_words(predicted: Numbers, masked: list[MaskedText], texts: PieceTexts) -> list[bool]:
    """Tell for each masked word whether all its pieces were predicted."""
    words_right: list[bool] = []
    start = 0
    for text, pieces, words in zip(masked, texts.pieces, texts.words, strict=True):
        stop = start + int(text.chosen.sum())
        right = predicted[start:stop] == pieces[text.chosen]
        numbers = words[text.chosen]
        words_right += [bool(right[numbers == number].all()) for number in np.unique(numbers)]
        start = stop
    return words_right


def _with_words(texts: PieceTexts) -> PieceTexts:
    rows = [row for row, words in enumerate(texts.words) if (words >= 0).any()]
    if not rows:
        raise InputError("no text has a word that can be masked")
    return texts.only(rows)


def _masks(encoder: Encoder, share: float) -> Masks:
    tokenizer = encoder.tokenizer
    if tokenizer.mask_token_id is None:
        raise InputError(
            f"{encoder.name}: its tokenizer has no mask, so that no word can be masked"
        )
    rows = encoder.model.get_input_embeddings().weight.shape[0]
    others = np.setdiff1d(sorted(tokenizer.get_vocab().values()), tokenizer.all_special_ids)
    return Masks(tokenizer.mask_token_id, others[others < rows].astype(np.int64), share)


class MaskedText(NamedTuple):
    """A text with masks: its pieces as they are shown, and which of them belong to chosen words."""

    pieces: Numbers
    chosen: NDArray[np.bool_]


class Masks:
    """Chooses a share of the words of a text, and replaces them by masks or other pieces.

    ``mask`` is the number of the piece that masks others, ``others`` are those that may replace a
    word. At least one word is chosen in each text.
    """

    def __init__(self, mask: int, others: Numbers, share: float) -> None:
        self._mask = mask
        self._others = others
        self._share = share

    def put(
        self, pieces: Numbers, words: Numbers, rng: np.random.Generator, *, always: bool = False
    ) -> MaskedText:
        """Choose words of a text, with all their pieces.

        Of the chosen words 80 % are masked, 10 % replaced by random pieces and 10 % left, unless
        they are ``always`` masked.

        >>> masks = Masks(4, np.array([7]), 0.5)
        >>> words = np.array([-1, 0, 0, 1, -1])
        >>> text = np.array([2, 10, 11, 12, 3])
        >>> masks.put(text, words, np.random.default_rng(1), always=True).pieces.tolist()
        [2, 4, 4, 12, 3]
        """
        present = np.unique(words[words >= 0])
        count = min(len(present), max(1, round(self._share * len(present))))
        chosen = rng.choice(present, count, replace=False)
        fate = np.zeros(count) if always else rng.random(count)
        shown = pieces.copy()
        masked = np.isin(words, chosen[fate < _MASKED])
        shown[masked] = self._mask
        replaced = np.isin(words, chosen[(fate >= _MASKED) & (fate < _MASKED + _REPLACED)])
        shown[replaced] = rng.choice(self._others, int(replaced.sum()))
        return MaskedText(shown, np.isin(words, chosen))


class MaskedHead:
    """A linear layer with GELU and a normalisation, then the encoder's own word vectors.

    It starts as ``trained``, the head that the encoder was trained with. A new one passes its input
    on almost unchanged: the answer is the piece with the nearest vector, from which learning is
    much faster than from random weights.
    """

    def __init__(self, model: Any, trained: Head | None = None) -> None:
        torch = require("torch", extra="relevance", reason="fine-tuning on masked words")
        first, last = (trained or _new_head(model)).steps
        self._vectors = model.get_input_embeddings()
        self._function = first.function
        self._act = {"": torch.nn.Identity(), "gelu": torch.nn.GELU(), "relu": torch.nn.ReLU(),
                     "tanh": torch.nn.Tanh()}[first.function]  # fmt: skip
        self._eps = first.norm.eps if first.norm else None
        named = {"weight": first.weight, "bias": first.bias, "out": last.bias}
        if first.norm:
            named |= {"norm_weight": first.norm.weight, "norm_bias": first.norm.bias}
        shares_vectors = torch.equal(last.weight.to(model.dtype), self._vectors.weight)
        if not shares_vectors:
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
        states = self._act(functional.linear(tokens, weight, bias))
        if norm:
            states = functional.layer_norm(
                states, (len(norm.weight),), norm.weight, norm.bias, norm.eps
            )
        return functional.linear(states, *self._last())

    def head(self) -> Head:
        """Return the head as it is now."""
        weight, bias, norm = self._first()
        scaling = norm and Scaling(_copied(norm.weight), _copied(norm.bias), norm.eps)
        first = Dense(_copied(weight), _copied(bias), self._function, scaling)
        out_weight, out = self._last()
        shared = out_weight.detach()  # not copied, because it is a large part of the model
        return Head("masked", (first, Dense(shared, _copied(out))))

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


def _copied(tensor: Any) -> Any:
    return None if tensor is None else tensor.detach().clone()


def _new_head(model: Any) -> Head:
    torch = require("torch", extra="relevance", reason="fine-tuning on masked words")
    vectors = model.get_input_embeddings().weight.detach()
    pieces, size = vectors.shape
    if size == model.config.hidden_size:
        weight = torch.eye(size)
    else:  # a linear layer makes the vectors of pieces wider, and is reversed here
        weight = model.embeddings_project.weight.detach().T
    eps = float(getattr(model.config, "layer_norm_eps", 1e-12))
    norm = Scaling(torch.ones(size), torch.zeros(size), eps)
    first = Dense(weight, torch.zeros(size), "gelu", norm)
    return Head("masked", (first, Dense(vectors, torch.zeros(pieces))))
