"""Small random models, heads and texts on which the rules of relevance are tried."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tealeaves.evidence.attention.batches import BatchMaker
from tealeaves.evidence.attention.classifiers.classifier import Classifier, Kind
from tealeaves.evidence.attention.frame import Frame, RelevanceStamp, Target
from tealeaves.evidence.attention.heads import FixedHeads, HeadStatistics
from tealeaves.evidence.attention.network.head import Dense, Head, Pooling, Scaling
from tealeaves.evidence.attention.network.network import Batch
from tealeaves.evidence.attention.sample import SampledText
from tealeaves.evidence.attention.texts import TextReader, occurrence_pairs
from tealeaves.evidence.counts import PipelineStamp
from tealeaves.evidence.requests import RelevanceRequest, Term
from tealeaves.text.document import Document
from tealeaves.text.pipeline import Pipeline

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

WORDS = [
    "cat",
    "dog",
    "bird",
    "song",
    "soup",
    "bread",
    "new",
    "york",
    "red",
    "car",
    "road",
    "wheel",
    "a",
    "b",
    "c",
    "d",
]
PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS, "##s", "##ing", "##x"]
PIECES += [f"w{number}" for number in range(99 - len(PIECES))]
HIDDEN, LAYERS, HEADS = 32, 3, 4
FAMILIES = ("bert", "roberta", "xlm-roberta", "camembert", "electra", "electra-small", "distilbert")


def tiny(family: str = "bert", *, seed: int = 0, dtype: Any = torch.float64) -> Any:
    """Make an encoder of 3 layers and 4 heads, all of whose weights and biases are random."""
    config, model = _FAMILIES[family.split("-small")[0]]
    changes: dict[str, Any] = {"embedding_size": 24} if family == "electra-small" else {}
    made = model(config(**{**_SIZES, **changes, **_NAMES.get(family, {})}))
    return randomised(made, seed).to(dtype).eval()


def randomised(model: Any, seed: int) -> Any:
    """Draw all weights; those of normalisations are about 1."""
    draw = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            found = 0.25 * torch.randn(weight.shape, generator=draw)
            is_scale = weight.dim() == 1 and name.endswith("weight")
            weight.copy_(found + 1 if is_scale else found)
    return model


_SIZES: dict[str, Any] = {
    "vocab_size": 99, "hidden_size": HIDDEN, "num_hidden_layers": LAYERS,
    "num_attention_heads": HEADS, "intermediate_size": 37, "max_position_embeddings": 40,
    "pad_token_id": 0,
}  # fmt: skip
_NAMES = {
    "distilbert": {"dim": HIDDEN, "n_layers": LAYERS, "n_heads": HEADS, "hidden_dim": 37},
    "electra": {"embedding_size": HIDDEN},
}
_FAMILIES = {
    "bert": (transformers.BertConfig, transformers.BertModel),
    "roberta": (transformers.RobertaConfig, transformers.RobertaModel),
    "xlm-roberta": (transformers.XLMRobertaConfig, transformers.XLMRobertaModel),
    "camembert": (transformers.CamembertConfig, transformers.CamembertModel),
    "electra": (transformers.ElectraConfig, transformers.ElectraModel),
    "distilbert": (transformers.DistilBertConfig, transformers.DistilBertModel),
}


def a_head(pooling: Pooling = "cls", *, steps: bool = False, dtype: Any = torch.float64) -> Head:
    """Make a head of 5 classes, or of all word pieces where words are masked.

    With ``steps`` it is as those of transformers: a pooler with tanh, or for masked words a layer
    with GELU and a normalisation.
    """
    draw = torch.Generator().manual_seed(7)

    def random(*shape: int) -> Any:
        return (0.3 * torch.randn(shape, generator=draw)).to(dtype)

    made: tuple[Dense, ...] = ()
    if steps and pooling == "masked":
        norm = Scaling(1 + random(HIDDEN), random(HIDDEN), 1e-12)
        made = (Dense(random(HIDDEN, HIDDEN), random(HIDDEN), "gelu", norm),)
    elif steps:
        made = (Dense(random(HIDDEN, HIDDEN), random(HIDDEN), "tanh"),)
    outputs = len(PIECES) if pooling == "masked" else 5
    return Head(pooling, (*made, Dense(random(outputs, HIDDEN), random(outputs))))


#: Every kind of head that classifiers have.
HEADS_OF_MODELS: list[tuple[Pooling, bool]] = [
    ("cls", False), ("cls", True), ("mean", False), ("mean", True), ("masked", False),
    ("masked", True),
]  # fmt: skip


def some_texts(lengths: tuple[int, ...] = (9, 4, 6), *, seed: int = 3) -> list[Any]:
    """Draw the word pieces of texts, none of them special but the ends."""
    random = np.random.default_rng(seed)
    return [
        torch.from_numpy(np.array([2, *random.integers(5, 99, size - 2), 3])) for size in lengths
    ]


def a_batch(texts: list[Any], pooling: Pooling = "cls", *, pad: int = 0) -> Batch:
    """Fill up texts to the longest; where words are masked, ask for two places of the first."""
    size = max(map(len, texts))
    ids = torch.full((len(texts), size), pad)
    shown = torch.zeros((len(texts), size), dtype=torch.long)
    for row, text in enumerate(texts):
        ids[row, : len(text)] = text
        shown[row, : len(text)] = 1
    if pooling != "masked":
        return Batch(ids, shown)
    places = torch.tensor([[1, 3] if row == 0 else [2, 0] for row in range(len(texts))])
    there = torch.tensor([[1, 1] if row == 0 else [1, 0] for row in range(len(texts))])
    targets = torch.tensor([[11, 12] if row == 0 else [13 + row, 0] for row in range(len(texts))])
    return Batch(ids, shown, places, there, targets)


def single(batch: Batch, row: int) -> Batch:
    """Return one text of a batch by itself, without padding and without empty places."""
    size = int(batch.shown[row].sum())
    ids, shown = batch.ids[row : row + 1, :size], batch.shown[row : row + 1, :size]
    if batch.positions is None or batch.present is None or batch.targets is None:
        return Batch(ids, shown)
    some = int(batch.present[row].sum())
    parts = (batch.positions, batch.present, batch.targets)
    return Batch(ids, shown, *(part[row : row + 1, :some] for part in parts))


def tokenizer_in_memory() -> Any:
    vocabulary = {piece: number for number, piece in enumerate(PIECES)}
    return transformers.BertTokenizer(vocab=vocabulary)


def a_classifier(
    pooling: Pooling = "cls", *, longest: int = 40, dtype: Any = torch.float64
) -> Classifier:
    """Make a random classifier of the classes v to z, or of masked words."""
    labels = () if pooling == "masked" else tuple("vwxyz")
    head = a_head(pooling, steps=True, dtype=dtype)
    kind: Kind = "masked" if pooling == "masked" else "given"
    model = tiny(dtype=dtype)
    return Classifier("toy", model, tokenizer_in_memory(), head, labels, longest, kind)


def a_frame(
    topics: list[str],
    *,
    statistics: HeadStatistics | None = None,
    all_pairs: bool = False,
    improved: bool = True,
) -> Frame:
    """Ask for the pairs of topics; words are parted by spaces, tokens of a word by ``_``."""
    terms = [[Term(tuple(word.split("_"))) for word in topic.split()] for topic in topics]
    request = RelevanceRequest.of(terms)
    names, asked = request.terms_and_positions()
    pipeline = Pipeline.parse("words")
    stamp = RelevanceStamp(
        "toy", "0123456789abcdef99", "given", 40, LAYERS, HEADS, "predicted", "1",
        PipelineStamp(repr(pipeline), pipeline.signature), improved,
    )  # fmt: skip
    if statistics is None:
        levels = np.arange(1.0, 1 + LAYERS * HEADS).reshape(LAYERS, HEADS)
        statistics = HeadStatistics(1, levels[:, ::-1] / 12, levels)
    fixed = FixedHeads.of(statistics)
    return Frame(stamp, names, None if all_pairs else asked, statistics, fixed)


def chosen_texts(
    texts: list[str], frame: Frame, *, longest: int = 40, label: str = ""
) -> list[SampledText]:
    """Read texts, all of which hold an asked pair."""
    reader = TextReader(tokenizer_in_memory(), frame.terms, longest)
    found = []
    for position, text in enumerate(texts):
        read = reader.read(text.split())
        pairs = occurrence_pairs(read, frame)
        assert len(pairs)
        document = Document(text, label=label, source="toy", position=position)
        found.append(SampledText(document, read, pairs))
    return found


def asking_of(classifier: Classifier) -> BatchMaker:
    """Ask a classifier for what it predicts, or for masked words."""
    target: Target = "masked" if classifier.head.pooling == "masked" else "predicted"
    return BatchMaker(classifier, target, seed=0, device=torch.device("cpu"))
