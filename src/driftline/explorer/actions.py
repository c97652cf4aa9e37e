"""What pages can ask for beside views: work on a text, and a label for a topic. Everything sent is checked."""

from collections.abc import Callable
from typing import Annotated, Any

import msgspec

from driftline.errors import InputError
from driftline.explorer.subject import Subject
from driftline.explorer.views import trial

_Sentences = Annotated[list[str], msgspec.Meta(min_length=1, max_length=trial.MOST_SENTENCES)]


class _Request(msgspec.Struct, forbid_unknown_fields=True):
    """What every request has in common: nothing that it does not name."""


class Text(_Request):
    """A text to be read, or sentences as they are."""

    text: str = ""
    sentences: list[str] = []
    language: Annotated[str, msgspec.Meta(max_length=12)] = "en"

    def answer(self, subject: Subject) -> object:
        """Cut it into sentences and tag them."""
        sentences = self.sentences or list(trial.read_text(self.text, self.language))
        return trial.read_sentences(subject, sentences)


class Order(_Request):
    """An order of sentences, by their places."""

    sentences: _Sentences
    order: list[int]

    def answer(self, subject: Subject) -> object:
        """Score and rank it."""
        return trial.score(subject, self.sentences, self.order)


class Sentences(_Request):
    """Sentences in no order."""

    sentences: _Sentences

    def answer(self, subject: Subject) -> object:
        """Put them in order, with proof and reasons."""
        return trial.put_in_order(subject, self.sentences)


class Draft(_Request):
    """A text in its own order."""

    sentences: _Sentences

    def answer(self, subject: Subject) -> object:
        """Check it."""
        return trial.check_draft(subject, self.sentences)


class Summary(_Request):
    """A document to be summarized in so many sentences."""

    sentences: _Sentences
    length: Annotated[int, msgspec.Meta(ge=1, le=trial.MOST_SENTENCES)]

    def answer(self, subject: Subject) -> object:
        """Choose the sentences."""
        return trial.shorten(subject, self.sentences, self.length)


class Label(_Request):
    """A label for a topic; an empty one takes it back."""

    label: str


ACTIONS: dict[str, type[Text | Draft | Order | Sentences | Summary]] = {
    "/try/tag": Text,
    "/try/check": Draft,
    "/try/score": Order,
    "/try/order": Sentences,
    "/try/summarize": Summary,
}

Answer = Callable[[Subject], object]


def parse(body: bytes, kind: type[Any]) -> Any:  # noqa: ANN401 (an instance of the kind that was asked for)
    """Read a request, or say what is wrong with it."""
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise InputError(f"the request is not understood: {error}") from None
