"""From a task to a classifier: trained, or taken from where it is finished already."""

from __future__ import annotations

from typing import Any

from tealeaves.evidence.relevance.classifier.classifier import Classifier, Kind
from tealeaves.evidence.relevance.classifier.encoders import Encoder
from tealeaves.evidence.relevance.classifier.finished import finished
from tealeaves.evidence.relevance.classifier.plan import Plan
from tealeaves.evidence.relevance.classifier.presets import FitSettings
from tealeaves.evidence.relevance.classifier.task import Task
from tealeaves.evidence.relevance.classifier.training import Control, reported, train


def trained(
    task: Task,
    encoder: Encoder,
    settings: FitSettings,
    plan: Plan,
    *,
    fit: str,
    kind: Kind,
    labels: tuple[str, ...] = (),
    report: dict[str, Any],
    control: Control | None = None,
) -> Classifier:
    """Train the network of a task, and return it as a classifier.

    Parameters
    ----------
    task
        What is learnt.
    encoder
        What its network is a copy of.
    settings, plan, control
        How it is trained, where, and when it stops.
    fit
        What identifies the fit, whatever the size of batches.
    kind, labels
        Those of the classifier.
    report
        What is known of the texts.
    """
    whole = f"{fit} {settings.batch}"  # other batches are another outcome
    if done := finished(plan, whole):
        return done
    course = train(task, settings, plan, fit=fit, control=control or Control())
    return Classifier(
        name=f"{encoder.name} {kind}",
        model=task.model,
        tokenizer=encoder.tokenizer,
        head=task.head(),
        labels=labels,
        longest=settings.longest,
        kind=kind,
        report={**report, "encoder": encoder.name, "fit": whole, **reported(course, settings)},
    )
