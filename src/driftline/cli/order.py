"""`driftline order`: put the sentences of a document in order."""

import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from driftline.cli.alarm import warn_foreign
from driftline.cli.common import (
    Encoding,
    Json,
    Language,
    ModelPath,
    OrderingOption,
    Spans,
    print_json,
    print_text,
    progress,
    read_corpus,
    real_option,
    with_ordering,
)

MOST_SHOWN, LEAST_SHOWN = 3, 0.05
"""How many reasons a step shows, and from what share of the score on."""

if TYPE_CHECKING:
    from driftline.tasks.explaining import Explanation
    from driftline.tasks.ordering import Ordering
    from driftline.text.corpus import Document


_DECIDING = 3  # pairs of neighbours that an explanation names
_MOST_NATS = 700.0  # past which a ratio of probabilities is no float


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: driftline order reports.driftline facts.txt --explain")(order)


def order(
    model: ModelPath,
    file: Annotated[Path, typer.Argument(help="A text, a sentence a line, or a .jsonl file; - is standard input.")],
    explain: Annotated[bool, typer.Option("--explain", help="Say what decided, and show the runner-up.")] = False,
    time_limit: Annotated[
        float, real_option("Seconds a document; up to 20 sentences need far less.", metavar="SECONDS")
    ] = 10.0,
    ordering: OrderingOption = None,
    spans: Spans = "lines",
    encoding: Encoding = "utf-8",
    language: Language = "en",
    json: Json = False,
) -> None:
    """Put sentences in their most probable order, with proof up to 20 of them."""
    from driftline.model.topics import topics
    from driftline.storage import load
    from driftline.tasks.domain import domain_fit
    from driftline.tasks.explaining import explain_order
    from driftline.tasks.ordering import order as put_in_order

    loaded = with_ordering(load(model), ordering)
    corpus = read_corpus(file, spans=spans, encoding=encoding, language=language)
    labels = [topic.label for topic in topics(loaded)]
    records = []
    for number, document in enumerate(corpus):
        _warn_of_one(document, language)
        domain = domain_fit(loaded, document)
        warn_foreign(document, domain)
        with progress(f"Ordering {document.id}"):
            best = put_in_order(loaded, document, time_limit=time_limit)
            reasons = explain_order(loaded, document, best, time_limit=time_limit) if explain else None
        if json:
            records.append({**_record(document, best, reasons, labels), "domain": domain})
            continue
        if len(corpus) > 1:
            print_text(("\n" if number else "") + f"{document.id}:")
        lines = (
            _explained(document, best, reasons, labels, loaded.ordering)
            if reasons
            else _plain(document, best, loaded.ordering)
        )
        print_text("\n".join(lines))
    if json:
        print_json({"signature": loaded.signature, "documents": records})


def _warn_of_one(document: "Document", language: str) -> None:
    """Tell somebody who gave a text in one line that sentences were expected one a line."""
    from driftline.text.sentences import sentencex_splitter

    if len(document) == 1 and (n := len(sentencex_splitter(language)(document.sentences[0]))) > 1:
        print_text(
            f"driftline: {document.id} holds {n} sentences in one line; expected one a line "
            "(--spans sentences splits a text)",
            file=sys.stderr,
        )


def _plain(document: "Document", best: "Ordering", ordering: str) -> list[str]:
    lines = [document.sentences[place] for place in best.order]
    if not best.proved:
        print_text(f"driftline: {_proof(best, ordering)}", file=sys.stderr)
    return lines


def _proof(best: "Ordering", ordering: str) -> str:
    named = _score_of(ordering)
    if best.proved:
        return f"proved best ({named} {best.log_probability:.3f})"
    return (
        f"the best order found ({named} {best.log_probability:.3f}), not proved best: "
        f"no order can be above {best.upper_bound:.3f}"
    )


def _score_of(ordering: str) -> str:
    """Name what an order of this kind is searched by."""
    return "score" if ordering == "best" else "log-probability"


def _explained(
    document: "Document", best: "Ordering", reasons: "Explanation", labels: Sequence[str], ordering: str
) -> list[str]:
    from driftline.text.excerpt import excerpt

    lines = ["place  was  topic                               p    swap  sentence"]
    for place, step in enumerate(reasons.steps, 1):
        cost = "" if step.swap_cost is None else f"{step.swap_cost:.2f}"
        label = excerpt(f"[{step.state}] {labels[step.state]}", 32)
        text = excerpt(document.sentences[step.sentence], 60)
        lines.append(f"{place:5}  {step.sentence + 1:3}  {label:32}  {step.probability:4.0%}  {cost:>6}  {text}")
        decisive = [reason for reason in step.reasons if abs(reason.gain) >= LEAST_SHOWN][:MOST_SHOWN]
        lines += [f"{'':12}{reason.gain:+6.2f}  {reason.evidence}" for reason in decisive]
    if len(reasons.steps) > 1:
        lines += ["", _WHAT_P_AND_SWAP_ARE.format(_score_of(ordering)), _deciding(reasons)]
    lines += ["", f"This order is {_proof(best, ordering)}.", _runner_up(reasons, ordering)]
    return lines


_WHAT_P_AND_SWAP_ARE = (
    "p: how probable the topic is after the one before it, or as the first. "
    "swap: how much lower the {} would be if the sentence and the one before it changed places."
)


def _deciding(reasons: "Explanation") -> str:
    """Name the neighbours whose order matters most."""
    pairs = [(step.swap_cost or 0.0, before.sentence, step.sentence) for before, step in pairwise(reasons.steps)]
    ranked = sorted(pairs, reverse=True)[:_DECIDING]
    return "What decided most: " + ", ".join(
        f"{before + 1} before {after + 1} ({cost:.2f})" for cost, before, after in ranked
    )


def _runner_up(reasons: "Explanation", ordering: str) -> str:
    from math import exp

    if reasons.runner_up is None or reasons.runner_up_gap is None:
        return (
            "There is no other order of these sentences." if reasons.runner_up_proved else "No other order was met."
        )
    known = "" if reasons.runner_up_proved else " (the best other one that was found)"
    places = " ".join(str(place + 1) for place in reasons.runner_up)
    gap = reasons.runner_up_gap
    times = f", {exp(gap):.3g} times less probable" if ordering != "best" and 0 < gap < _MOST_NATS else ""
    return f"The runner-up is {gap:.3f} lower{times}{known}: {places}"


def _record(
    document: "Document", best: "Ordering", reasons: "Explanation | None", labels: Sequence[str]
) -> dict[str, object]:
    from dataclasses import asdict

    record: dict[str, object] = {
        "id": document.id,
        **asdict(best),
        "sentences": [document.sentences[place] for place in best.order],
    }
    if reasons is not None:
        record["explanation"] = asdict(reasons)
        record["labels"] = [labels[step.state] for step in reasons.steps]
    return record
