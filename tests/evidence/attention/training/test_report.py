"""What a user is told of a classifier, line by line."""

from __future__ import annotations

from tealeaves.evidence.attention.training.report import report_lines

TEXTS = {"corpus": "news", "read": 11314, "fitted": 1800, "held_out": 200, "cut": 1012,
         "longest": 128}  # fmt: skip


def test_lines_of_classes() -> None:
    report = {
        **TEXTS,
        "labels": "clusters",
        "classes": 20,
        "f1": 0.54321,
        "accuracy": 0.55,
        "largest_class": 0.06,
        "notes": ["3 texts without a label were left out"],
        "converged": False,
        "encoder": "minilm",
        "pooling": "mean",
        "seconds": 1234.5678,
    }
    assert report_lines(report) == [
        "texts: 1,800 fitted on, 200 held out, of 11,314 in news",
        "labels: 20 clusters of the texts",
        "cut: 1,012 texts, longer than 128 word pieces",
        "held out: macro F1 0.543, accuracy 0.550; the largest class has 0.060 of the texts",
        "note: the search for weights did not end: they are about the best",
        "note: 3 texts without a label were left out",
        "encoder: minilm, pooling mean",
        "time: 1,235 seconds",
    ]


def test_lines_of_masked_words() -> None:
    report = {
        **TEXTS,
        "perplexity": 12.345678,
        "perplexity_before": 4321.0,
        "accuracy": 0.31,
        "accuracy_before": 0.02,
        "epochs": [{}, {}, {}],
        "best_epoch": 2,
        "encoder": "rubert",
        "seconds": 2.0,
    }
    assert report_lines(report)[2:] == [
        "held out: perplexity 12.35, 4321 before; 0.310 of masked words predicted, 0.020 before",
        "epochs: 3, of which number 2 is kept",
        "encoder: rubert",
        "time: 2 seconds",
    ]


def test_nothing_is_said_of_what_is_not_known() -> None:
    assert report_lines({"model": "owner/name"}) == []
    nothing_held_out = {"fitted": 1, "held_out": 0, "cut": 0, "longest": 8, "perplexity": None}
    assert report_lines(nothing_held_out) == [
        "texts: 1 fitted on, 0 held out",
        "cut: 0 texts, longer than 8 word pieces",
    ]
