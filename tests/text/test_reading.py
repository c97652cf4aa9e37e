"""Reading files: what is right is read to the letter, what is wrong is named with its file and line."""

import codecs
import csv
import gzip
import io
import json
import os
import sys
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from driftline.errors import InputError
from driftline.text import reading
from driftline.text.corpus import Corpus
from driftline.text.reading import ReadOptions
from driftline.text.sentences import sentencex_splitter, split

# What a text file can hold: no lone surrogates, which no encoding writes, and no NUL, which no text has.
ODD = " .!?\n\r\t\"',;'()aA1\x0b\x0c\x1c\x85\u2028\ufeff\u0301\u05d0\u0627\u3002中🙂\u202e\u200d"
TEXT = st.text(
    st.one_of(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), st.sampled_from(list(ODD)))
)
LINE = st.binary(max_size=40) | TEXT.map(str.encode)


@pytest.fixture(scope="module", name="folder")
def module_folder(tmp_path_factory):
    return tmp_path_factory.mktemp("files")


@pytest.fixture(name="limit")
def small_limit(monkeypatch):
    """At most 100 bytes a document; the limit of the csv module is one for the whole process."""
    monkeypatch.setattr(reading, "MAX_DOCUMENT_BYTES", 100)
    before = csv.field_size_limit()
    yield 100
    csv.field_size_limit(before)


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def write_table(path, columns):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pyarrow.table(columns), path)
    return path


def refusal(path, **options):
    with pytest.raises(InputError) as caught:
        Corpus.read(path, **options)
    return str(caught.value)


def outcome(path, **options):
    """Return what is said against a file, or None where it was read and holds sentences."""
    try:
        corpus = Corpus.read(path, **options)
    except InputError as error:
        return str(error)
    return None if all(len(document) for document in corpus) else "a document is empty"


def sentences_of(path, **options):
    return [document.sentences for document in Corpus.read(path, **options)]


# Options


def test_unknown_spans():
    """An unknown kind of span is refused with the kinds there are."""
    with pytest.raises(InputError, match=r"^spans: expected one of sentences, lines, paragraphs, got 'words'$"):
        ReadOptions(spans="words")


@pytest.mark.parametrize("encoding", ["utf-9", "", "base64", "undefined", "utf-8\0", None, 5])
def test_unknown_encodings(encoding):
    """What is no text encoding is refused by the option's name and value."""
    with pytest.raises(InputError, match=r"^encoding: ") as caught:
        ReadOptions(encoding=encoding)
    assert repr(encoding) in str(caught.value)


@pytest.mark.parametrize("language", [None, 5, "", "english", "EN", "d"])
def test_languages_are_codes(tmp_path, language):
    """A language that is no code is refused by the option's name, not read as English."""
    assert "language" in refusal(write(tmp_path / "a.txt", "It shook."), language=language)


def test_a_splitter_of_ones_own(tmp_path):
    """A given function cuts the paragraphs instead of the built-in one."""
    assert sentences_of(write(tmp_path / "a.txt", "a/b\n\nc"), splitter=lambda t: t.split("/")) == [("a", "b", "c")]


# Text files and folders


def test_a_folder_of_text_files(tmp_path):
    """Every .txt file below a folder is a document, in the order of its path, which is its id."""
    write(tmp_path / "b.txt", "It stopped.")
    write(tmp_path / "a.TXT", "It shook. Nobody fell.")
    write(tmp_path / "deep" / "er" / "c.d.txt", "It is over.")
    write(tmp_path / "notes.md", "No document.")
    write(tmp_path / ".hidden.txt", "No document.")

    corpus = Corpus.read(str(tmp_path))

    assert [document.id for document in corpus] == ["a", "b", "deep/er/c.d"]
    assert corpus[0].sentences == ("It shook.", "Nobody fell.")


def test_a_folder_named_like_a_file(tmp_path):
    """A folder is a folder whatever its name: as the corpus itself, and inside of one."""
    write(tmp_path / "x.txt" / "y.txt" / "z.txt", "It shook.")

    assert [document.id for document in Corpus.read(tmp_path / "x.txt")] == ["y.txt/z"]
    assert f"{tmp_path}/e.txt: holds no .txt file" == refusal(folder_at(tmp_path / "e.txt"))


def folder_at(path):
    path.mkdir()
    return path


def test_hidden_folders_are_left_out(tmp_path):
    """What a tool keeps in a hidden folder, a checkpoint for instance, is no document of the corpus."""
    write(tmp_path / "a.txt", "It shook.")
    write(tmp_path / ".ipynb_checkpoints" / "a-checkpoint.txt", "It shook.")

    assert [document.id for document in Corpus.read(tmp_path)] == ["a"]


def test_a_folder_that_cannot_be_read(tmp_path, monkeypatch):
    """A folder whose files cannot be listed is reported, not silently left out."""
    write(tmp_path / "a.txt", "It shook.")
    write(tmp_path / "locked" / "b.txt", "It shook.")
    scandir = os.scandir

    def refuse(path):
        if str(path).endswith("locked"):
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)

    assert "locked" in refusal(tmp_path)


def test_one_text_file(tmp_path):
    """A single text file is a corpus of one document, named after the file."""
    corpus = Corpus.read(write(tmp_path / "report.txt", "It shook.\nIt stopped."))

    assert [(document.id, len(document)) for document in corpus] == [("report", 2)]


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        ("sentences", ("One, two.", "Three.", "Four.")),
        ("lines", ("One,", "two. Three.", "Four.")),
        ("paragraphs", ("One, two. Three.", "Four.")),
    ],
)
def test_spans(tmp_path, spans, expected):
    """Documents are cut as the option says."""
    assert [expected] == sentences_of(write(tmp_path / "a.txt", "One,\ntwo. Three.\n\nFour.\n"), spans=spans)


def test_empty_folder(tmp_path):
    """A folder without text files is refused by its name."""
    assert f"{tmp_path}: holds no .txt file" == refusal(tmp_path)


def test_nothing_there(tmp_path):
    """A path at which nothing stands is refused by its name."""
    assert f"{tmp_path}/none.txt: there is no such file or folder" == refusal(tmp_path / "none.txt")


@pytest.mark.parametrize("name", ["n" * 300 + ".txt", "nul\0.txt"])
def test_a_path_that_cannot_be(tmp_path, name):
    """A name that the system does not even allow is refused like any other that is not there."""
    assert refusal(tmp_path / name).startswith(str(tmp_path))


def test_unknown_suffix(tmp_path):
    """A file of another kind is refused with the kinds there are."""
    assert f"{tmp_path}/a.pdf: expected a folder of .txt files, or a .txt, .jsonl, .csv or .parquet file" == refusal(
        write(tmp_path / "a.pdf", "x")
    )


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no FIFOs")
def test_a_fifo_is_not_opened(tmp_path):
    """A FIFO named like a text file, which would never answer, is refused alone and in a folder."""
    os.mkfifo(tmp_path / "x.txt")

    assert "x.txt: expected a folder or a regular file" in refusal(tmp_path / "x.txt")
    assert f"{tmp_path}/x.txt: is not a regular file" == refusal(tmp_path)


def test_a_link_to_nothing(tmp_path):
    """A broken link in a folder is refused by its name."""
    (tmp_path / "x.txt").symlink_to("nowhere")

    assert f"{tmp_path}/x.txt: is not a regular file" == refusal(tmp_path)


def test_empty_documents(tmp_path):
    """Every document without a sentence is named, or left out if that was asked for."""
    write(tmp_path / "a.txt", "")
    write(tmp_path / "b.txt", " \n\n\t\r\n")
    write(tmp_path / "c.txt", "It shook.")

    lines = refusal(tmp_path).splitlines()

    assert [f"{tmp_path}/a.txt", f"{tmp_path}/b.txt"] == [line.split(":")[0] for line in lines]
    assert all("holds no sentence (--skip-empty" in line for line in lines)
    assert [document.id for document in Corpus.read(tmp_path, skip_empty=True)] == ["c"]


def test_nothing_but_empty_documents(tmp_path):
    """A corpus of which nothing remains is refused even where empty documents are left out."""
    write(tmp_path / "a.txt", "")

    assert f"{tmp_path}: holds no document" == refusal(tmp_path, skip_empty=True)


def test_latin_1_is_not_guessed(tmp_path):
    """Bytes that are not UTF-8 are reported with their place; named, their encoding is used."""
    path = write(tmp_path / "a.txt", "Caf\u00e9 fermé.".encode("latin-1"))

    assert f"{path}: byte 3 (0xe9) is not utf-8; if the file has another encoding, name it" in refusal(path)
    assert sentences_of(path, encoding="latin-1") == [("Café fermé.",)]


@pytest.mark.parametrize("mark", [codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE])
@pytest.mark.parametrize("encoding", ["utf-8", "UTF-8", "utf8", "utf_8"])
def test_utf_16_is_told_by_its_mark(tmp_path, mark, encoding):
    """A file with the byte-order mark of UTF-16 is refused with the name of that encoding, and read with it."""
    order = "utf-16-le" if mark == codecs.BOM_UTF16_LE else "utf-16-be"
    path = write(tmp_path / "a.txt", mark + "It shook.".encode(order))

    assert f"{path}: begins with the mark of utf-16, not utf-8; pass encoding='utf-16'" == refusal(
        path, encoding=encoding
    )
    assert sentences_of(path, encoding="utf-16") == [("It shook.",)]


@pytest.mark.parametrize("encoding", ["utf-8", "utf8", "UTF-8", "utf_8", "U8"])
def test_a_byte_order_mark_is_no_text(tmp_path, encoding):
    """The mark that some editors put before UTF-8 is left out, however the encoding is spelled."""
    path = write(tmp_path / "a.txt", codecs.BOM_UTF8 + b"It shook.")

    assert sentences_of(path, encoding=encoding) == [("It shook.",)]


def test_a_binary_file(tmp_path):
    """A file with NUL characters is no text file, in any encoding."""
    path = write(tmp_path / "a.txt", b"It\0 shook.")

    for encoding in ("utf-8", "latin-1"):
        assert f"{path}: holds NUL characters, so it is no text file" == refusal(path, encoding=encoding)


def test_an_over_long_document(tmp_path, limit):
    """A file longer than the limit is refused with both sizes before it is read; one of just that size is not."""
    path = write(tmp_path / "a.txt", "a" * (limit + 1))

    assert f"{path}: one document of 101 bytes; at most 100 are read" == refusal(path)
    assert [("a" * limit,)] == sentences_of(write(path, "a" * limit))


@pytest.mark.parametrize("method", ["read_bytes", "open"])
def test_a_file_that_cannot_be_read(tmp_path, monkeypatch, method):
    """What the system says against reading is passed on with the file's name."""

    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    path = write(tmp_path / ("a.txt" if method == "read_bytes" else "a.jsonl"), "It shook.")
    monkeypatch.setattr(Path, method, refuse)

    assert f"{path}: cannot be read (Permission denied)" == refusal(path)


def test_one_document_under_two_names(tmp_path):
    """Two files that would get the same id are both named."""
    write(tmp_path / "a.TXT", "It shook.")
    write(tmp_path / "a.txt", "It stopped.")
    if len(os.listdir(tmp_path)) == 1:
        pytest.skip("the file system does not tell these names apart")

    message = refusal(tmp_path)

    assert f"{tmp_path}/a.txt: the id 'a' was already given at {tmp_path}/a.TXT" == message


@pytest.mark.skipif(sys.platform in {"win32", "darwin"}, reason="the system allows no such name")
def test_a_file_name_that_is_no_unicode(tmp_path):
    """An id is always text that can be printed and saved, even where a file's name is not."""
    (tmp_path / os.fsdecode(b"caf\xe9.txt")).write_text("It shook.")

    assert Corpus.read(tmp_path)[0].id.encode()[:3].decode() == "caf"


def test_all_problems_are_reported_together(tmp_path):
    """Each file that cannot be read is named, not only the first."""
    write(tmp_path / "a.txt", b"\xff")
    write(tmp_path / "b.txt", b"\0")
    write(tmp_path / "c.txt", "")

    assert [Path(line.split(":")[0]).name for line in refusal(tmp_path).splitlines()] == ["a.txt", "b.txt", "c.txt"]


@given(TEXT, st.sampled_from(["sentences", "lines", "paragraphs"]), st.sampled_from(["utf-8", "utf-16", "utf-32"]))
def test_any_text_comes_back(folder, text, spans, encoding):
    """Any text is read as it was written, in each encoding that can write it."""
    text = "." + text  # a byte-order mark in front would be one
    path = write(folder / "any.txt", text.encode(encoding))

    assert [split(text, spans, sentencex_splitter())] == sentences_of(path, spans=spans, encoding=encoding)


@given(st.binary(max_size=60), st.sampled_from(["utf-8", "utf-16", "ascii", "shift-jis", "utf-7"]))
def test_any_bytes_are_read_or_refused(folder, raw, encoding):
    """A text file of any bytes is read, or refused by its name."""
    path = write(folder / "bytes.txt", raw)

    told = outcome(path, encoding=encoding)

    assert told is None or told.startswith(str(path))


# .jsonl


def test_jsonl(tmp_path):
    """Each line that is not blank is a document with the fields that it names."""
    path = write(
        tmp_path / "a.jsonl",
        '{"id": "x", "text": "It shook. It stopped."}\n\n  \r\n'
        '{"sentences": ["a", "b. c"], "labels": ["l", 2], "in_summary": [true, false], "other": [1]}',
    )

    corpus = Corpus.read(path)

    assert [document.id for document in corpus] == ["x", "a-4"]
    assert corpus[0].sentences == ("It shook.", "It stopped.")
    assert (corpus[1].sentences, corpus[1].labels, corpus[1].in_summary) == (("a", "b. c"), ("l", "2"), (True, False))


def test_summaries_are_cut_as_the_text_is(tmp_path):
    """A summary in one string is cut into the same spans; sentences of it that say nothing are left out."""
    record = {"text": "It shook. It stopped.\nAll ran.", "summary": "It shook. It stopped.\nAll ran."}
    for spans, n in (("sentences", 3), ("lines", 2), ("paragraphs", 1)):
        (document,) = Corpus.from_dicts([record], spans=spans)
        assert document.summary == document.sentences
        assert len(document.summary) == n

    path = write(tmp_path / "a.jsonl", '{"text": "It shook.", "summary": ["", "It shook.", " \\n"]}')
    assert Corpus.read(path)[0].summary == ("It shook.",)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"text": "a"', "is no valid JSON (Input data was truncated)"),
        ('{"text": a}', "is no valid JSON (JSON is malformed: invalid character (byte 9))"),
        ('{"text": "a"} {}', "is no valid JSON (JSON is malformed: trailing characters (byte 15))"),
        ("text", "is no valid JSON (JSON is malformed"),
        ("[]", "Expected `object`, got `array`"),
        ("null", "Expected `object`, got `null`"),
        ('{"text": 5}', "Expected `str | null`, got `int` - at `$.text`"),
        ('{"sentences": ["a", null]}', "Expected `str`, got `null` - at `$.sentences[1]`"),
        ('{"sentences": "a"}', "Expected `array | null`, got `str` - at `$.sentences`"),
        ('{"text": "a", "labels": ["x", "y"]}', "`labels` has 2 values, but the document has 1 sentences"),
        ('{"title": "a"}', "expected either `text` or `sentences`, got neither"),
        ('{"text": "a", "sentences": ["a"]}', "expected either `text` or `sentences`, got both"),
        ('{"text": ""}', "holds no sentence"),
        ('{"text": "a", "id": "a-2"}', "the id 'a-2' was already given at {path}, line 2"),
        (b'{"text": "\xe9"}', "byte 10 (0xe9) is not utf-8"),
        (b'{"text": "a"}\0', "holds NUL characters"),
        (b"\x1f\x8b\x08\x00\xff", "byte 1 (0x8b) is not utf-8"),
        ('{"text": "a", "id": ' + "1" * 5000 + "}", "out of range"),
        ('{"text": "a", "x": ' + "[" * 100_000, "line 7: "),
    ],
)
def test_a_wrong_line_7(tmp_path, line, message):
    """What is wrong in a line is told with the file and the number of that line, blank lines counted."""
    before = "\n".join(['{"text": "It shook."}'] * 4 + ["", ""]).encode() + b"\n"
    path = write(
        tmp_path / "a.jsonl", before + (line.encode() if isinstance(line, str) else line) + b'\n{"text": "b"}\n'
    )

    told = refusal(path)

    assert told.startswith(f"{path}, line 7: ")
    assert message.format(path=path) in told
    assert len(told.splitlines()) == 1


def test_all_wrong_lines_are_reported_together(tmp_path):
    """Every wrong line of a file is named in one error."""
    path = write(tmp_path / "a.jsonl", '{"text": 1}\n{"text": "a"}\n{\n\n[]\n')

    assert [int(line.split(", line ")[1].split(":")[0]) for line in refusal(path).splitlines()] == [1, 3, 5]


@pytest.mark.parametrize("content", ["", "\n", " \n\r\n\n"])
def test_a_file_without_lines(tmp_path, content):
    """A file with nothing but blank lines holds no document."""
    path = write(tmp_path / "a.jsonl", content)

    assert f"{path}: holds no document" == refusal(path)


def test_an_over_long_line(tmp_path, limit):
    """A line longer than the limit is refused by its number before the rest of it is read."""
    path = write(tmp_path / "a.jsonl", '{"text": "a"}\n' + '{"text": "' + "a" * limit + '"}')

    assert refusal(path).endswith(f"{path}, line 2: longer than {limit} bytes")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32", "latin-1", "cp1252"])
@pytest.mark.parametrize("suffix", [".jsonl", ".csv"])
def test_lines_in_other_encodings(tmp_path, encoding, suffix):
    """Lines are read in any encoding that is named, also where a line break is more than one byte."""
    content = 'text\n"Café."\n"Été."\n' if suffix == ".csv" else '{"text": "Café."}\n{"text": "Été."}\n'
    path = write(tmp_path / f"a{suffix}", content.encode(encoding))

    assert sentences_of(path, encoding=encoding) == [("Café.",), ("Été.",)]


@given(st.lists(st.lists(TEXT.filter(bool), min_size=1, max_size=3), min_size=1, max_size=3), st.booleans())
def test_any_sentences_come_back(folder, documents, ascii_only):
    """Sentences of any text, written as JSON, are read to the letter."""
    lines = [json.dumps({"sentences": document}, ensure_ascii=ascii_only) for document in documents]
    path = write(folder / "any.jsonl", "\n".join(lines))

    assert [tuple(document) for document in documents] == sentences_of(path)


@given(st.lists(LINE | st.builds(lambda raw: b'{"text": "' + raw + b'"}', LINE), max_size=4).map(b"\n".join))
@example(b'{"text": "\\ud800"}')
@example(b'{"text": "\\ud83d\\ude42"}')
@example(b'{"text": "a", "id": 1e999}')
def test_any_lines_are_read_or_refused(folder, raw):
    """A .jsonl file of any bytes is read, or refused by its name."""
    path = write(folder / "bytes.jsonl", raw)

    told = outcome(path)

    assert told is None or told.startswith(str(path))


# .csv


def test_csv(tmp_path):
    """A row is a document; its text may go over several lines, hold commas, and quotes written twice."""
    path = write(
        tmp_path / "a.csv",
        'id,text,more\n1,"It shook, they said.\n\nThen ""nothing"".",x\n\n,plain text,y\n',
    )

    corpus = Corpus.read(path)

    assert [document.id for document in corpus] == ["1", "a-2"]
    assert [d.sentences for d in corpus] == [("It shook, they said.", 'Then "nothing".'), ("plain text",)]


def test_csv_columns_can_be_named(tmp_path):
    """The columns of the text and of the ids are chosen by name."""
    path = write(tmp_path / "a.csv", "id,text,body,key\n1,x,It shook.,k\n")

    document = Corpus.read(path, column="body", id_column="key")[0]

    assert (document.id, document.sentences) == ("k", ("It shook.",))


def test_csv_with_a_byte_order_mark(tmp_path):
    """A mark before the header, as spreadsheets write it, is no part of the first column's name."""
    assert sentences_of(write(tmp_path / "a.csv", "\ufefftext\r\nIt shook.\r\n")) == [("It shook.",)]


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        ("id,body\n1,x\n", {}, "{path}: has no column 'text' (columns: 'id', 'body'); name one with --column"),
        ("id;text\n1;x\n", {}, "{path}: has no column 'text' (columns: 'id;text'); name one with --column"),
        ("id,text\n1,x\n", {"id_column": "key"}, "{path}: has no column 'key' (columns: 'id', 'text')"),
        ("", {}, "{path}: has no column 'text' (columns: none)"),
        ("text\n", {}, "{path}: holds no document"),
        ("id,text\n1,a\n1,b\n", {}, "{path}, row 2: the id '1' was already given at {path}, row 1"),
        ("id,text\n1,a\n2,\n", {}, "{path}, row 2: holds no sentence"),
        ("id,text\n1,a\n2\n", {}, "{path}, row 2: "),
        ("id,text\n1,a\n2,It shook, they said.\n", {}, "{path}, row 2: "),
        ('text\na\n"b\nc\n', {}, "{path}, line 4: unexpected end of data"),
        ('text\na\n"b" c\n', {}, "{path}, line 3: ',' expected after '\"'"),
        ("text\na\rb\n", {}, "{path}, line 2: "),
        (b"text\na\n\xe9\n", {}, "{path}, line 3: byte 0 (0xe9) is not utf-8"),
        (b"text\na\0\n", {}, "{path}, line 2: holds NUL characters"),
    ],
)
def test_wrong_csv(tmp_path, content, options, message):
    """What is wrong in a table is told with the file and the row, or the line where no row could be made."""
    path = write(tmp_path / "a.csv", content)

    assert refusal(path, **options).startswith(message.format(path=path))


def test_a_missing_cell_is_told_by_its_column(tmp_path):
    """A row too short to have a text is refused in the words of a table, which has no `sentences`."""
    told = refusal(write(tmp_path / "a.csv", "id,body\n1\n"), column="body")

    assert "body" in told
    assert "sentences" not in told


def test_rows_before_a_broken_line_are_reported_too(tmp_path):
    """What is wrong before the place where a table cannot be read on is told together with that place."""
    told = refusal(write(tmp_path / "a.csv", b'text\n""\n\xe9\n'))

    assert "row 1: holds no sentence" in told
    assert "line 3: byte 0" in told


def test_an_over_long_field(tmp_path, limit):
    """A field longer than the limit is refused although each of its lines is short."""
    path = write(tmp_path / "a.csv", 'text\n"' + ("a" * (limit // 2) + "\n") * 3 + '"\n')

    assert refusal(path).startswith(f"{path}, line ")


def test_the_limit_of_the_csv_module_is_left_alone(tmp_path):
    """Reading a table does not change how much other programs in this process may read."""
    before = csv.field_size_limit(200_000)
    try:
        Corpus.read(write(tmp_path / "a.csv", "text\nIt shook.\n"))
        after = csv.field_size_limit()
    finally:
        csv.field_size_limit(before)

    assert after == 200_000


@given(st.lists(TEXT.map(lambda text: "." + text), min_size=1, max_size=3), st.sampled_from(["\n", "\r\n"]))
def test_any_cells_come_back(folder, texts, line_end):
    """Any text that the csv module writes is read as it was."""
    file = io.StringIO(newline="")
    csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator=line_end).writerows([["text"], *([t] for t in texts)])
    path = write(folder / "any.csv", file.getvalue())

    assert [split(text, "paragraphs", list) for text in texts] == sentences_of(path, spans="paragraphs")


@given(LINE, st.booleans())
@example(b"text\n1\n", False)
def test_any_table_is_read_or_refused(folder, raw, with_header):
    """A .csv file of any bytes is read, or refused by its name."""
    path = write(folder / "bytes.csv", b"text,id\n" + raw if with_header else raw)

    told = outcome(path)

    assert told is None or told.startswith(str(path))


# .parquet


def test_parquet(tmp_path):
    """A row is a document, with the id of the `id` column where there is one."""
    path = write_table(
        tmp_path / "a.parquet", {"id": ["x", None], "text": ["It shook. It stopped.", "b"], "n": [1, 2]}
    )

    corpus = Corpus.read(path)

    assert [(d.id, d.sentences) for d in corpus] == [("x", ("It shook.", "It stopped.")), ("a-2", ("b",))]


def test_parquet_columns_can_be_named(tmp_path):
    """The columns of the text and of the ids are chosen by name."""
    path = write_table(tmp_path / "a.parquet", {"key": [5], "body": ["It shook."], "text": ["x"]})

    document = Corpus.read(path, column="body", id_column="key")[0]

    assert (document.id, document.sentences) == ("5", ("It shook.",))


def test_the_number_0_is_an_id(tmp_path):
    """A row numbered 0 keeps that number as its id."""
    path = write_table(tmp_path / "a.parquet", {"id": [0, 1], "text": ["a", "b"]})

    assert [document.id for document in Corpus.read(path)] == ["0", "1"]


@pytest.mark.parametrize(
    ("columns", "options", "message"),
    [
        ({"body": ["a"]}, {}, "{path}: has no column 'text' (columns: 'body'); name one with --column"),
        ({"text": ["a"]}, {"id_column": "key"}, "{path}: has no column 'key' (columns: 'text')"),
        ({"text": ["a", 5][1:]}, {}, "{path}, row 1: Expected `str | null`, got `int`"),
        ({"text": [b"a"]}, {}, "{path}, row 1: Expected `str | null`, got `bytes`"),
        ({"text": ["a", None]}, {}, "{path}, row 2: "),
        ({"text": ["a", ""]}, {}, "{path}, row 2: holds no sentence"),
        ({"text": ["a"], "id": [1.5]}, {}, "{path}, row 1: Expected"),
        ({"text": ["a", "b"], "id": ["x", "x"]}, {}, "{path}, row 2: the id 'x' was already given at {path}, row 1"),
    ],
)
def test_wrong_parquet(tmp_path, columns, options, message):
    """What is wrong in a table is told with the file and the row."""
    path = write_table(tmp_path / "a.parquet", columns)

    assert refusal(path, **options).startswith(message.format(path=path))


@pytest.mark.parametrize("packed", [False, True])
def test_a_parquet_text_that_is_too_long(tmp_path, monkeypatch, packed):
    """A cell longer than a document may be is refused, also where the file says it once for many rows."""
    monkeypatch.setattr(reading, "MAX_DOCUMENT_BYTES", 100)
    texts = ["It shook.", "x" * 101]
    if packed:
        texts = pytest.importorskip("pyarrow").array(texts).dictionary_encode()
    path = write_table(tmp_path / "a.parquet", {"text": texts})

    assert f"{path}: one document of 101 bytes; at most 100 are read" == refusal(path)


def test_packed_lines_of_wide_characters(tmp_path):
    """Lines of two-byte characters cannot be told apart while they are packed: that is said."""
    path = write(tmp_path / "a.jsonl.gz", gzip.compress('{"text": "It shook."}'.encode("utf-16")))

    assert f"{path}: packed files are read in encodings like utf-8, not in 'utf-16'" == refusal(
        path, encoding="utf-16"
    )


def test_a_truncated_parquet_file(tmp_path):
    """A Parquet file cut off anywhere, or another file under its name, is refused in one line."""
    path = write_table(tmp_path / "a.parquet", {"text": ["It shook.", "It stopped."]})
    whole = path.read_bytes()

    for length in range(0, len(whole), 37):
        told = refusal(write(path, whole[:length]))
        assert told.startswith(f"{path}: is no readable Parquet file (")
        assert len(told.splitlines()) == 1


def test_parquet_text_that_is_no_unicode(tmp_path):
    """Text in a Parquet file that is not UTF-8 is refused like that in any other file."""
    pyarrow = pytest.importorskip("pyarrow")
    buffers = [
        None,
        pyarrow.py_buffer((0).to_bytes(4, "little") + (2).to_bytes(4, "little")),
        pyarrow.py_buffer(b"\xff\xfe"),
    ]
    path = write_table(tmp_path / "a.parquet", {"text": pyarrow.Array.from_buffers(pyarrow.string(), 1, buffers)})

    assert refusal(path).startswith(str(path))


@given(st.lists(TEXT.map(lambda text: "." + text), min_size=1, max_size=3))
def test_any_parquet_text_comes_back(folder, texts):
    """Any text in a Parquet file is read as it was written."""
    path = write_table(folder / "any.parquet", {"text": texts})

    assert [split(text, "paragraphs", list) for text in texts] == sentences_of(path, spans="paragraphs")


def test_parquet_without_pyarrow(tmp_path, monkeypatch):
    """Without pyarrow a Parquet file is refused with what to install."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    path = write(tmp_path / "a.parquet", b"PAR1")

    assert f"{path}: reading .parquet needs pyarrow; install driftline[data]" == refusal(path)
