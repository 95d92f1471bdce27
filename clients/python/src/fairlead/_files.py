"""Files as they are sent and as they come: what a caller gives, the form that carries it, and what the head of a reply says of one.

Reads files on the disk that are named; not here: the network.
"""

from __future__ import annotations

import mimetypes
import os
import re
import uuid
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast
from urllib.parse import unquote

PIECE = 65_536
"""Bytes that are read of a file at once."""

_ANY_TYPE = "application/octet-stream"


@dataclass(frozen=True)
class File:
    """A file to send. Bytes and files on the disk are sent again where the procedure may be repeated; what is read as it comes is sent once."""

    content: bytes | os.PathLike[str] | Iterable[bytes] | AsyncIterable[bytes]
    """Bytes, a path, or bytes as they come: a file that is open, a generator, or, under `asyncio`, one of that."""
    type: str | None = None
    """Media type; what the name or path suggests when left out, or `application/octet-stream`."""
    name: str | None = None
    """What it is called, without folders; the last part of a path when left out."""

    @property
    def sent_name(self) -> str | None:
        return self.name if self.name is not None or not isinstance(self.content, os.PathLike) else Path(self.content).name

    @property
    def sent_type(self) -> str:
        return self.type or mimetypes.guess_type(self.sent_name or "")[0] or _ANY_TYPE

    @property
    def may_repeat(self) -> bool:
        return isinstance(self.content, (bytes, os.PathLike))

    @property
    def size(self) -> int | None:
        """Bytes, where they are known."""
        if isinstance(self.content, bytes):
            return len(self.content)
        return os.stat(self.content).st_size if isinstance(self.content, os.PathLike) else None


@dataclass(frozen=True)
class FileRange:
    """A part of a file: its first byte, counted from 0, and its last; up to its end when left out."""

    start: int
    end: int | None = None
    etag: str | None = None
    """Only where the file still has this tag; all of it otherwise."""


@dataclass(frozen=True)
class FileHead:
    """What a file is, before its bytes."""

    type: str
    name: str | None
    size: int | None
    """Bytes of the whole file, where they are known."""
    etag: str | None
    start: int
    """The first byte that comes: 0 but for a part of the file."""


@dataclass(frozen=True)
class Form:
    """A body of `multipart/form-data`: the input, then the file."""

    content_type: str
    before: bytes
    file: File
    after: bytes

    @property
    def length(self) -> int | None:
        size = self.file.size
        return None if size is None else len(self.before) + size + len(self.after)

    def pieces(self) -> Iterator[bytes]:
        """Raises `TypeError` for bytes that come asynchronously."""
        content = self.file.content
        if isinstance(content, AsyncIterable):
            raise TypeError("bytes that come asynchronously are sent by the client for asyncio")
        # A kernel that refuses the input closes the connection, and a write after that fails before the refusal is read.
        if self.length is not None and self.length <= PIECE:
            yield b"".join((self.before, *_pieces(content), self.after))
            return
        yield self.before
        yield from _pieces(content)
        yield self.after

    async def async_pieces(self, in_thread: Callable[[Callable[[], bytes]], Awaitable[bytes]]) -> AsyncIterator[bytes]:
        """`in_thread` does what blocks beside the event loop, and is awaited."""
        content = self.file.content
        if isinstance(content, AsyncIterable):
            yield self.before
            async for piece in content:
                yield piece
            yield self.after
            return
        pieces = self.pieces()
        while piece := await in_thread(lambda: _next_piece(pieces)):
            yield piece


def form(content: bytes, file: File) -> Form:
    """The form for an input that is JSON already. Raises `ValueError` for a name or type that no header can hold."""
    kind = file.sent_type
    if not re.fullmatch(r"[\x20-\x7e]+", kind):
        raise ValueError(f"{kind!r} is not a media type")
    boundary = uuid.uuid4().hex
    name = file.sent_name
    disposition = "" if name is None else f'; filename="{_quoted(name)}"'
    before = (
        f'--{boundary}\r\ncontent-disposition: form-data; name="input"\r\ncontent-type: application/json\r\n\r\n'.encode()
        + content
        + f'\r\n--{boundary}\r\ncontent-disposition: form-data; name="file"{disposition}\r\n'.encode()
        + f"content-type: {kind}\r\n\r\n".encode()
    )
    return Form(f"multipart/form-data; boundary={boundary}", before, file, f"\r\n--{boundary}--\r\n".encode())


def range_headers(wanted: FileRange | None) -> dict[str, str]:
    if wanted is None:
        return {}
    end = "" if wanted.end is None else wanted.end
    condition = {} if wanted.etag is None else {"if-range": f'"{wanted.etag}"'}
    return {"range": f"bytes={wanted.start}-{end}", **condition}


def file_head(status: int, headers: Mapping[str, str]) -> FileHead:
    """Reads the head of a reply that is a file."""
    etag = re.fullmatch(r'"(.*)"', headers.get("etag", ""))
    length = headers.get("content-length", "")
    size = int(length) if re.fullmatch(r"[0-9]{1,15}", length) else None
    start = 0
    if status == 206:
        part = re.fullmatch(r"bytes ([0-9]{1,15})-[0-9]{1,15}/([0-9]{1,15}|\*)", headers.get("content-range", ""))
        start = 0 if part is None else int(part[1])
        size = None if part is None or part[2] == "*" else int(part[2])
    return FileHead(
        type=headers.get("content-type", _ANY_TYPE),
        name=_name(headers.get("content-disposition", "")),
        size=size,
        etag=None if etag is None else etag[1],
        start=start,
    )


def _name(disposition: str) -> str | None:
    encoded = re.search(r";\s*filename\*=UTF-8''([^;\s]+)", disposition)
    if encoded is not None:
        return unquote(encoded[1])
    plain = re.search(r';\s*filename="([^"]*)"', disposition)
    return None if plain is None else plain[1]


def _quoted(name: str) -> str:
    return name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")


def _pieces(content: bytes | os.PathLike[str] | Iterable[bytes]) -> Iterator[bytes]:
    if isinstance(content, bytes):
        yield content
    elif isinstance(content, os.PathLike):
        with open(content, "rb") as file:
            yield from _read(file)
    elif hasattr(content, "read"):
        yield from _read(cast(BinaryIO, content))
    else:
        yield from content


def _read(file: BinaryIO) -> Iterator[bytes]:
    while piece := file.read(PIECE):
        yield piece


def _next_piece(pieces: Iterator[bytes]) -> bytes:
    """The next bytes; none at the end."""
    return next((piece for piece in pieces if piece), b"")
