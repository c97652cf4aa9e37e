import pytest

from driftline.errors import DriftlineWarning, InputError
from driftline.evaluation.permutations import check_permutations, read_permutations
from driftline.text.corpus import Corpus

ORDERS = {"a": [[1, 0]], "b": [[2, 1, 0], [0, 2, 1]]}


@pytest.fixture(scope="module", name="corpus")
def two_documents():
    return Corpus.from_sentences([["One.", "Two."], ["One.", "Two.", "Three."]], ids=["a", "b"])


def test_reading(tmp_path):
    """Orders are read by id, which may be a number; empty lines are passed over."""
    path = tmp_path / "orders.jsonl"
    path.write_text('{"id": 7, "perms": [[1, 0]]}\n\n{"id": "b", "perms": [], "more": 1}\n')

    assert read_permutations(path) == {"7": [[1, 0]], "b": []}


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ('{"id": "a", "perms": [[0]]}\n{"id": "a", "perms": [[0]]}', ", line 2: the id 'a' was already given"),
        ('{"id": "a"}', ", line 1: "),
        ('{"id": "a", "perms": [[0.5]]}', ", line 1: "),
        ("\n \n", ": holds no orders"),
    ],
)
def test_files_that_are_refused(tmp_path, content, told):
    """What is wrong is told with the file and the line."""
    path = tmp_path / "orders.jsonl"
    path.write_text(content)

    with pytest.raises(InputError) as caught:
        read_permutations(path)
    assert str(caught.value).startswith(f"{path}{told}")


def test_a_file_that_is_not_there(tmp_path):
    """A missing file, and a folder, are refused by name."""
    for path in (tmp_path / "none", tmp_path):
        with pytest.raises(InputError, match="there is no such file"):
            read_permutations(path)


def test_good_orders_pass_in_silence(corpus):
    """Orders that fit, or no orders, say nothing."""
    check_permutations(ORDERS, corpus, "orders")
    check_permutations({}, corpus, "orders")


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ([[0]], "orders, document 'a': order 1 is [0]"),
        ([[1, 0], [1, 1]], "orders, document 'a': order 2 is [1, 1]"),
        ([], "orders, document 'a': expected at least one order, got none"),
        ([1], "orders, document 'a': order 1 is 1"),
    ],
)
def test_orders_that_do_not_fit(corpus, wrong, told):
    """An order that is none is told with its source, its document, its number and itself."""
    with pytest.raises(InputError) as caught:
        check_permutations(ORDERS | {"a": wrong}, corpus, "orders")
    assert str(caught.value).startswith(told)


def test_orders_of_other_documents(corpus):
    """Orders for none of the documents are refused: they belong to another corpus."""
    with pytest.raises(InputError, match="orders: none of its 1 ids is that of a document"):
        check_permutations({"c": [[1, 0]]}, corpus, "orders")


def test_documents_without_orders_are_named(corpus):
    """A document that is left out is named; one of one sentence needs no orders."""
    more = Corpus((*corpus.documents, *Corpus.from_sentences([["One."]], ids=["single"])))
    with pytest.warns(DriftlineWarning, match="no orders for 1 of the 3 documents \\('b'\\); random ones are drawn"):
        check_permutations({"a": [[1, 0]]}, more, "orders")


def test_many_documents_without_orders():
    """Of many the first few are named."""
    corpus = Corpus.from_sentences([["One.", "Two."]] * 6)
    with pytest.warns(DriftlineWarning, match=r"for 5 of the 6 documents \('document-2', .*'document-4', \.\.\.\)"):
        check_permutations({"document-1": [[1, 0]]}, corpus, "orders")
