"""A content model in words: the text that `driftline show` prints and that can stand beside a model file."""

from collections.abc import Iterator, Sequence

from driftline.errors import InputError
from driftline.model.content_model import ContentModel
from driftline.model.topics import Neighbour, Topic, etcetera_reason, topics
from driftline.text.excerpt import excerpt

_BARS = "▁▂▃▄▅▆▇█"
_WIDTH = 100


def counted(n: int, thing: str) -> str:
    """Say how many there are of something, in the singular where there is one.

    >>> counted(1, "document"), counted(1200, "document")
    ('1 document', '1,200 documents')
    """
    return f"{n:,} {thing}" if n == 1 else f"{n:,} {thing}s"


def describe(model: ContentModel, state: int | None = None) -> str:
    """Describe a model, or one topic of it, as plain text."""
    explained = topics(model)
    if state is None:
        return "\n".join([*_summary(model), "", *overview(explained), "", *_details(model, explained)])
    if not 0 <= state < model.n_states:
        raise InputError(f"topic: expected a number from 0 to {model.n_states - 1}, got {state}")
    return "\n".join(_topic(model, explained, explained[state]))


def overview(explained: Sequence[Topic], most: int | None = None) -> list[str]:
    """One line a topic, in the order in which they stand in documents; only the largest ones if `most` says so."""
    largest = sorted(explained, key=lambda topic: -topic.n_sentences)[:most]
    width = min(44, max(len(topic.label) for topic in largest))
    lines = [f"topic  share  {'begin..end':10}  {'label':{width}}  most often followed by"]
    # The insertion state has no place in the flow; it comes last.
    for topic in sorted(largest, key=lambda topic: (topic.is_insertion, topic.position)):
        after = " ".join(f"{_name(n)} {n.share:.0%}" for n in topic.after[:3])
        lines.append(
            f"{topic.state:5}  {topic.share:5.1%}  {sparkline(topic.positions):10}  "
            f"{excerpt(topic.label, width):{width}}  {after}"
        )
    if n_left := len(explained) - len(largest):
        lines.append(f"       ... and {n_left} smaller ones")
    return lines


def sparkline(shares: Sequence[float]) -> str:
    """Draw shares as a row of bars, the largest one at full height.

    >>> sparkline([0.0, 0.5, 1.0])
    '▁▅█'
    """
    top = max(shares) or 1.0
    return "".join(_BARS[round(share / top * (len(_BARS) - 1))] for share in shares)


def _summary(model: ContentModel) -> Iterator[str]:
    record = model.record
    yield (
        f"A content model of {counted(record.n_documents, 'document')} ({counted(record.n_sentences, 'sentence')}): "
        f"{counted(model.n_states - 1, 'topic')} and everything else."
    )
    if record.ending == "labels":
        yield "Its states were given as labels."
    else:
        moved = f"after {counted(len(record.moved), 'iteration')}"
        endings = {
            "converged": "no sentence moved any more",
            "cycle": "the topics began to repeat themselves",
            "diverged": "more and more sentences moved, so that one topic would have swallowed others",
        }
        yield f"Re-estimation ended {moved}: {endings.get(record.ending, 'that was the limit')}."
    if record.n_added_documents:
        yield f"Of the documents, {record.n_added_documents:,} were added later."
    if record.n_sampled_sentences < record.n_sentences - record.n_added_sentences:
        yield f"The first clusters were made from a sample of {record.n_sampled_sentences:,} sentences."
    if record.n_arbitrary_merges:
        yield (
            f"{record.n_arbitrary_merges:,} merges joined clusters with nothing in common between some of their "
            "sentences, because few clusters were asked for."
        )
    yield f"Signature: {model.signature}"


def _details(model: ContentModel, explained: Sequence[Topic]) -> Iterator[str]:
    for topic in sorted(explained, key=lambda topic: (topic.is_insertion, topic.position)):
        yield from _topic(model, explained, topic)
        yield ""


def _topic(model: ContentModel, explained: Sequence[Topic], topic: Topic) -> Iterator[str]:
    yield f"[{topic.state}] {topic.label}"
    yield (
        f"    {counted(topic.n_sentences, 'sentence')} ({topic.share:.1%}) "
        f"in {counted(topic.n_documents, 'document')}; place {sparkline(topic.positions)} "
        f"(mean {topic.position:.0%} of the way)"
    )
    if topic.is_insertion:
        yield f"    {etcetera_reason(model)}"
    if topic.bigrams:
        yield "    bigrams: " + ", ".join(f"{' '.join(b.words)} ({b.lift:.0f}x)" for b in topic.bigrams)
    yield f"    before:  {_neighbours(topic.before, explained, 'the beginning')}"
    yield f"    after:   {_neighbours(topic.after, explained, 'the end')}"
    for example in topic.examples:
        yield f"    - {excerpt(example.text, _WIDTH)}"


def _neighbours(neighbours: Sequence[Neighbour], explained: Sequence[Topic], edge: str) -> str:
    named = (
        f"{edge} {n.share:.0%}" if n.state is None else f"[{n.state}] {explained[n.state].label} {n.share:.0%}"
        for n in neighbours[:4]
    )
    return "; ".join(named) or "nothing (it holds no sentence)"


def _name(neighbour: Neighbour) -> str:
    return "end" if neighbour.state is None else f"[{neighbour.state}]"
