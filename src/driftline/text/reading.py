"""Reading documents from files: .txt folders, .jsonl, tables, and from mappings.

Every file may be hostile: sizes are bounded, nothing is guessed, and all problems of an input are
reported at once with the file and line they stand in.
"""

import os
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain, takewhile
from pathlib import Path
from typing import Any, BinaryIO, get_args

import msgspec

from driftline.errors import InputError
from driftline.text.corpus import MOST_PROBLEMS, Document, check_documents, raise_problems
from driftline.text.decoding import decode
from driftline.text.reading_tables import Columns, Row, csv_rows, parquet_rows
from driftline.text.sentences import Spans, Splitter, sentencex_splitter, split
from driftline.text.shards import find_shards, open_shard, stem_of, suffix_of, text_files

MAX_DOCUMENT_BYTES = 64 * 2**20
_SUFFIXES = ".txt, .jsonl, .csv or .parquet"


@dataclass(frozen=True, kw_only=True)
class ReadOptions:
    """How to read a corpus.

    >>> ReadOptions(spans="lines", skip_empty=True).encoding
    'utf-8'
    """

    spans: Spans = "sentences"
    """What a text is cut into: "sentences", "lines" (one sentence a line) or "paragraphs"."""
    column: str = "text"
    """The column of a .csv or .parquet file that holds the text."""
    id_column: str | None = None
    """The column that names the documents; by default `id` where there is one."""
    encoding: str = "utf-8"
    """The encoding of text files. Another one is never guessed: a file that does not fit is reported."""
    language: str = "en"
    """The language whose rules split sentences (ISO 639-1)."""
    skip_empty: bool = False
    """Leave out documents without a sentence instead of refusing the corpus."""
    splitter: Splitter | None = None
    """A function from a paragraph to its sentences, in place of the built-in one."""

    def __post_init__(self) -> None:
        if self.spans not in get_args(Spans):
            raise InputError(f"spans: expected one of {', '.join(get_args(Spans))}, got {self.spans!r}")
        # The splitter itself takes any string, and reads what it does not know as English.
        if not isinstance(self.language, str) or not re.fullmatch("[a-z]{2,3}(-[A-Za-z0-9]+)*", self.language):
            raise InputError(f"language: expected an ISO 639-1 code such as 'en', got {self.language!r}")
        try:
            "".encode(self.encoding)
        except (LookupError, TypeError, ValueError):
            raise InputError(f"encoding: {self.encoding!r} is not an encoding that Python knows") from None


class _Record(msgspec.Struct):
    """One line of a .jsonl file."""

    text: str | None = None
    sentences: list[str] | None = None
    id: str | int | None = None
    labels: list[str | int] | None = None
    summary: list[str] | str | None = None
    in_summary: list[bool] | None = None
    story: str | int | None = None


# Where an item came from, the id it gets if it names none, and a file to read or a record to decode.
_Item = tuple[str, str, Path | Callable[[], _Record]]


def read_documents(path: Path, options: ReadOptions) -> tuple[Document, ...]:
    """Read all documents under a path; the suffixes say in which format they are."""
    items = chain.from_iterable(_items(shard, options) for shard in find_shards(path))
    return _collect(items, options, str(path))


def stream_documents(path: Path, options: ReadOptions) -> Iterator[Document]:
    """Read the documents of one shard one after another, however many there are; ids may stand twice.

    What is wrong with it is told at its end, or as soon as there is too much of it.
    """
    problems: list[str] = []
    items = takewhile(lambda _: len(problems) <= MOST_PROBLEMS, _items(path, options))
    for _, document in _documents(items, options, problems):
        if not problems:
            yield document
    raise_problems(problems)


def _items(path: Path, options: ReadOptions) -> Iterator[_Item]:
    """List what a folder of texts or one file holds."""
    if path.is_dir():
        return _text_folder(path)
    if not path.is_file():
        raise InputError(f"{path}: expected a folder or a regular file ({_SUFFIXES})")
    readers: dict[str, Callable[[Path, ReadOptions], Iterator[_Item]]] = {
        ".txt": _text_file,
        ".jsonl": _json_lines,
        ".jsonl.gz": _json_lines,
        ".csv": _table_rows,
        ".parquet": _table_rows,
    }
    suffix = suffix_of(path)
    if suffix not in readers:
        raise InputError(f"{path}: expected a folder of .txt files, or a {_SUFFIXES} file")
    return readers[suffix](path, options)


def read_stream(stream: BinaryIO, options: ReadOptions) -> tuple[Document, ...]:
    """Read one text from standard input, under the rules that hold for files."""
    place = "standard input"
    raw = stream.read(MAX_DOCUMENT_BYTES + 1)
    if len(raw) > MAX_DOCUMENT_BYTES:
        raise InputError(f"{place}: more than {MAX_DOCUMENT_BYTES:,} bytes, the most that is read of one document")
    text = decode(raw, options.encoding, place)
    return _collect([(place, place, lambda: _Record(text=text))], options, place)


def documents_from_dicts(records: Iterable[Mapping[str, Any]], options: ReadOptions) -> tuple[Document, ...]:
    """Make documents from mappings with the keys of a .jsonl line."""

    def items() -> Iterator[_Item]:
        if not isinstance(records, Iterable):
            raise InputError(f"records: expected a list of mappings, got {records!r:.80}")
        for number, record in enumerate(records, 1):
            yield f"record {number}", f"document-{number}", partial(msgspec.convert, record, _Record)

    return _collect(items(), options, "the records")


def _collect(items: Iterable[_Item], options: ReadOptions, source: str) -> tuple[Document, ...]:
    """Make every document and report all problems together."""
    documents: list[Document] = []
    problems: list[str] = []
    places: dict[str, str] = {}
    for place, document in _documents(items, options, problems):
        if document.id in places:
            problems.append(f"{place}: the id {document.id!r} was already given at {places[document.id]}")
        places[document.id] = place
        documents.append(document)
    raise_problems(problems)
    if not documents:
        raise InputError(f"{source}: holds no document")
    return check_documents(documents)


def _documents(items: Iterable[_Item], options: ReadOptions, problems: list[str]) -> Iterator[tuple[str, Document]]:
    """Make one document after another, each with its place, and note what is wrong with the others."""
    splitter = options.splitter or sentencex_splitter(options.language)
    for place, default_id, content in _until_unreadable(items, problems):
        try:
            record = _Record(text=_read_text(content, options)) if isinstance(content, Path) else content()
            document = _document(record, default_id, options, splitter)
        except (InputError, msgspec.MsgspecError, RecursionError) as error:
            message = _told(error)
            problems.append(message if message.startswith(place) else f"{place}: {message}")
            continue
        if document.sentences:
            yield place, document
        elif not options.skip_empty:
            problems.append(
                f"{place}: holds no sentence (--skip-empty, or skip_empty=True in Python, leaves such documents out)"
            )


def _told(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "is nested too deeply"
    if isinstance(error, msgspec.DecodeError) and not isinstance(error, msgspec.ValidationError):
        return f"is no valid JSON ({error})"
    return str(error)


def _until_unreadable(items: Iterable[_Item], problems: list[str]) -> Iterator[_Item]:
    """Pass items on up to the place where a source cannot be read any further, and note why."""
    try:
        yield from items
    except InputError as error:
        problems.append(str(error))


def _name(value: str | int) -> str:
    try:
        return str(value)
    except ValueError:
        raise InputError("a number is too long to be a name") from None


def _document(record: _Record, default_id: str, options: ReadOptions, splitter: Splitter) -> Document:
    if (record.text is None) == (record.sentences is None):
        raise InputError(
            "expected either `text` or `sentences`, got " + ("neither" if record.text is None else "both")
        )
    if record.sentences is not None:
        sentences = tuple(record.sentences)
    else:
        sentences = split(record.text or "", options.spans, splitter)
    summary = record.summary
    if isinstance(summary, str):
        summary = list(split(summary, options.spans, splitter))
    for name, values in (("labels", record.labels), ("in_summary", record.in_summary)):
        if values is not None and len(values) != len(sentences):
            raise InputError(f"`{name}` has {len(values)} values, but the document has {len(sentences)} sentences")
    return Document(
        id=default_id if record.id is None else _name(record.id),
        sentences=sentences,
        labels=None if record.labels is None else tuple(map(_name, record.labels)),
        summary=None if summary is None else tuple(sentence for sentence in summary if sentence.strip()),
        in_summary=None if record.in_summary is None else tuple(record.in_summary),
        story=None if record.story is None else _name(record.story),
    )


def _text_file(path: Path, _: ReadOptions) -> Iterator[_Item]:
    yield str(path), path.stem, path


def _text_folder(folder: Path) -> Iterator[_Item]:
    for file in text_files(folder):
        name = file.relative_to(folder).with_suffix("").as_posix()
        # A name may hold bytes that are no text; an id can always be printed.
        yield str(file), os.fsencode(name).decode("utf-8", "backslashreplace"), file


def _read_text(path: Path, options: ReadOptions) -> str:
    if not path.is_file():
        raise InputError(f"{path}: is not a regular file")
    if (size := path.stat().st_size) > MAX_DOCUMENT_BYTES:
        raise InputError(f"{path}: one document of {size:,} bytes; at most {MAX_DOCUMENT_BYTES:,} are read")
    try:
        return decode(path.read_bytes(), options.encoding, str(path))
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None


def _lines(path: Path, options: ReadOptions) -> Iterator[tuple[str, str | bytes]]:
    """Read a file line by line, each with the place that it stands at."""
    if "\n".encode(options.encoding) != b"\n":  # two bytes or more, so that lines cannot be told before decoding
        if path.suffix.lower() == ".gz":
            raise InputError(f"{path}: packed files are read in encodings like utf-8, not in {options.encoding!r}")
        for number, text in enumerate(_read_text(path, options).split("\n"), 1):
            yield f"{path}, line {number}", text + "\n"
        return
    try:
        with open_shard(path) as file:
            number = 0
            while line := file.readline(MAX_DOCUMENT_BYTES + 1):
                number += 1
                place = f"{path}, line {number}"
                if len(line) > MAX_DOCUMENT_BYTES:
                    raise InputError(f"{place}: longer than {MAX_DOCUMENT_BYTES:,} bytes")
                yield place, line
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{path}: cannot be read ({getattr(error, 'strerror', None) or error})") from None


def _line_text(line: str | bytes, options: ReadOptions, place: str) -> str:
    return line if isinstance(line, str) else decode(line, options.encoding, place)


def _json_lines(path: Path, options: ReadOptions) -> Iterator[_Item]:
    decoder = msgspec.json.Decoder(_Record)
    for number, (place, line) in enumerate(_lines(path, options), 1):
        if not line.strip():
            continue

        def record(line: str | bytes = line, place: str = place) -> _Record:
            return decoder.decode(_line_text(line, options, place))

        yield place, f"{stem_of(path)}-{number}", record


def _table_rows(path: Path, options: ReadOptions) -> Iterator[_Item]:
    columns = Columns(options.column, options.id_column)
    if path.suffix.lower() == ".csv":
        lines = (_line_text(line, options, place) for place, line in _lines(path, options))
        rows = csv_rows(path, lines, columns, MAX_DOCUMENT_BYTES)
    else:
        rows = parquet_rows(path, columns, MAX_DOCUMENT_BYTES)
    for number, row in enumerate(rows, 1):
        yield f"{path}, row {number}", f"{path.stem}-{number}", partial(_row_record, row, columns)


def _row_record(row: Row, columns: Columns) -> _Record:
    return msgspec.convert(columns.values(row), _Record)
