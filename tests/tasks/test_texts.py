import pytest

from driftline.errors import InputError
from driftline.tasks.texts import sentence_texts
from driftline.text.corpus import Corpus, Document


def test_all_kinds_of_documents():
    """Documents and lists, of text and of words, give their sentences as text."""
    texts = ("it shook", "all ran")

    assert sentence_texts(Document("a", texts)) == texts
    assert sentence_texts(list(texts)) == texts
    assert sentence_texts([["it", "shook"], ["all", "ran"]]) == texts
    assert sentence_texts(Corpus.from_words([[["it", "shook"], ["all", "ran"]]])[0]) == texts


@pytest.mark.parametrize("document", ["It shook.", 7, None, [], Document("a", ())])
def test_what_is_no_document(document):
    """A bare string, what is no list, and what holds no sentence are refused."""
    with pytest.raises(InputError, match="document: "):
        sentence_texts(document)
