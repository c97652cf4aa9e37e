"""Writing synthetic documents of one domain from a grammar, the same ones for the same seed.

A grammar is a TOML file beside this module. Its `topics` hold sentence templates, its `lists` words and
phrases, its `plan`s the orders in which topics may come. In a template

    {a|b c|}            is one of the alternatives (they nest; the last one here is empty)
    <city>              is an item of the list `city`, itself a template
    <int:2-90>  <big:100-9000>  <dec:4.1-7.9>    are numbers: 17, 3,400, 6.2
    <$epicentre=city>   is chosen once a document and is the same wherever `epicentre` is named again
    ((, officials said))  is a phrase that a shortened version of the document may leave out
"""

import random
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from typing import Any

DIGRESSION = "digression"
_SLOT = re.compile(r"<([^<>]+)>")
_CHOICE = re.compile(r"\{([^{}]*)\}")
_OPTIONAL = re.compile(r"\(\((.*?)\)\)")


@dataclass(frozen=True)
class SampleDocument:
    """One synthetic document: its sentences, the topic of each, and a shortened version."""

    sentences: tuple[str, ...]
    labels: tuple[str, ...]
    in_summary: tuple[bool, ...]
    summary: tuple[str, ...]


@dataclass
class _Writer:
    """The state of one document that is being written: its generator and what is fixed so far."""

    grammar: Mapping[str, Any]
    rng: random.Random
    fixed: dict[str, str] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)

    def pick(self, items: Sequence[str]) -> str:
        # random.Random.random() is the one method whose stream Python promises to keep.
        return items[int(self.rng.random() * len(items))]

    def pick_template(self, topic: str) -> str:
        """Take a template of the topic that this document has not used yet, if there is one."""
        templates = self.grammar["topics"][topic]["sentences"]
        fresh = [template for template in templates if template not in self.used]
        # A document says nothing twice as long as its topic has more to say.
        template = self.pick(fresh or templates)
        self.used.add(template)
        return template

    def expand(self, template: str) -> str:
        """Resolve alternatives and slots until none is left."""
        while match := _CHOICE.search(template):
            choice = self.pick(match[1].split("|"))
            template = template[: match.start()] + choice + template[match.end() :]
        return _SLOT.sub(lambda match: self.slot(match[1]), template)

    def slot(self, name: str) -> str:
        if name.startswith("$"):
            variable, _, source = name[1:].partition("=")
            if variable not in self.fixed:
                self.fixed[variable] = self.slot(source or variable)
            return self.fixed[variable]
        kind, _, bounds = name.partition(":")
        if bounds:
            return self.number(kind, *map(float, bounds.split("-")))
        return self.expand(self.pick(self.grammar["lists"][name]))

    def number(self, kind: str, low: float, high: float) -> str:
        value = low + self.rng.random() * (high - low)
        if kind == "dec":
            return f"{value:.1f}"
        if kind == "big":
            step = 10 ** max(0, len(str(int(value))) - 2)
            return f"{int(value) // step * step:,}"
        return str(round(value))


def load_grammar(domain: str) -> Mapping[str, Any]:
    """Read the grammar of a bundled domain."""
    return tomllib.loads((resources.files(__package__) / f"{domain}.toml").read_text("utf-8"))


def write_document(grammar: Mapping[str, Any], seed: str, mean: float | None = None) -> SampleDocument:
    """Write one document of the domain; the same seed gives the same text on every machine."""
    writer = _Writer(grammar, random.Random(seed))  # noqa: S311 (nothing secret here)
    order = _topic_order(writer, _draw_length(writer, mean))
    drafts = [writer.expand(writer.pick_template(topic)) for topic in order]
    kept = [writer.rng.random() < grammar["topics"][topic].get("summary", 0.0) for topic in order]
    # A condensed version holds one sentence at the least.
    if not any(kept):
        kept[0] = True
    summary = [_shorten(writer, draft) for draft, keep in zip(drafts, kept, strict=True) if keep]
    sentences = [_tidy(_OPTIONAL.sub(r"\1", draft)) for draft in drafts]
    return SampleDocument(tuple(sentences), tuple(order), tuple(kept), tuple(summary))


def _draw_length(writer: _Writer, mean: float | None) -> int:
    """Draw the number of sentences from a log-normal or normal shape, within the stated bounds."""
    length = writer.grammar["length"]
    scale = (mean or length["mean"]) / length["mean"]
    draw = sum(writer.rng.random() for _ in range(12)) - 6.0  # close to a standard normal
    # A wide spread around a small mean would reach below 1 if it were symmetric.
    skewed = length["sd"] > 0.35 * length["mean"]
    if skewed:
        spread = (length["sd"] / length["mean"]) ** 2 + 1
        value = length["mean"] / spread**0.5 * 2.718281828459045 ** (draw * _ln(spread) ** 0.5)
    else:
        value = length["mean"] + draw * length["sd"]
    n_sentences = round(min(max(value, length["min"]), length["max"]) * scale)
    return int(n_sentences)


def _ln(x: float) -> float:
    """Natural logarithm of a value between 1 and 2, by its series: the same bits on every machine."""
    y = (x - 1) / (x + 1)
    return 2 * sum(y ** (2 * i + 1) / (2 * i + 1) for i in range(20))


def _topic_order(writer: _Writer, n_sentences: int) -> list[str]:
    """Choose a plan, then how many sentences each of its topics gets, then where digressions go."""
    plans = writer.grammar["plan"]
    plan = writer.pick([str(i) for i, p in enumerate(plans) for _ in range(p.get("weight", 1))])
    steps = plans[int(plan)]["order"]
    topics = writer.grammar["topics"]
    counts = {step: int(bool(topics[step].get("required"))) for step in steps}
    while sum(counts.values()) < n_sentences:
        open_steps = [step for step in counts if counts[step] < topics[step].get("max", 1)]
        if not open_steps:
            break
        counts[_weighted(writer, open_steps, [topics[step].get("weight", 1.0) for step in open_steps])] += 1
    for step in [step for step in reversed(steps[1:]) if not topics[step].get("weight", 1.0) >= 1]:
        if sum(counts.values()) > n_sentences:
            counts[step] = 0
    order = [step for step in steps for _ in range(counts[step])]
    return _digress(writer, order)


def _weighted(writer: _Writer, items: Sequence[str], weights: Sequence[float]) -> str:
    target = writer.rng.random() * sum(weights)
    for item, weight in zip(items, weights, strict=True):
        target -= weight
        if target < 0:
            return item
    return items[-1]


def _digress(writer: _Writer, order: list[str]) -> list[str]:
    """Swap a few neighbouring topics and replace a few sentences by digressions, never the first."""
    disorder = writer.grammar.get("disorder", 0.05)
    for i in range(1, len(order) - 1):
        if order[i] != order[i + 1] and writer.rng.random() < disorder:
            order[i], order[i + 1] = order[i + 1], order[i]
    chance = writer.grammar.get("digressions", 0.05)
    return [
        DIGRESSION if i > 0 and DIGRESSION in writer.grammar["topics"] and writer.rng.random() < chance else topic
        for i, topic in enumerate(order)
    ]


def _shorten(writer: _Writer, draft: str) -> str:
    """Leave out each optional phrase half of the time, as an editor who condenses would."""
    return _tidy(_OPTIONAL.sub(lambda match: match[1] if writer.rng.random() < 0.5 else "", draft))


def _tidy(text: str) -> str:
    text = re.sub(r"\s+", " ", text).strip()
    text = re.sub(r"\s+([,.;:?!])", r"\1", text)
    text = re.sub(r"(?<!\.)\.\.(?!\.)", ".", text)
    text = re.sub(r"\b([Aa]) (?=(?!one)[aeio])", r"\1n ", text)
    return text[:1].upper() + text[1:]
