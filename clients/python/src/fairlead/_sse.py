"""Server-sent events: bytes in, events out, at any chunking. Follows the WHATWG event stream rules (three line endings, a byte
order mark, comments, `data` over several lines, an id that may not hold NUL, an unfinished event at the end is dropped).

Lines are split from the bytes here, since HTTP libraries split at characters that are no line endings of a stream.
Pure: no network. Not here: what an event means (`_stream.py`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_LINE_END = re.compile(rb"\r\n|\r|\n")
_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class SseEvent:
    """One event as the server sent it."""

    event: str
    """Value of `event:`; `message` when there was none."""
    data: str
    id: str | None
    """Value of the newest `id:` seen so far in the stream; `None` when none or empty."""


class SseParser:
    """Takes pieces of a stream and gives the events that are complete."""

    def __init__(self) -> None:
        self._line: list[bytes] = []
        self._head: bytes | None = b""
        self._after_return = False
        self._event = ""
        self._data: list[str] = []
        self._id: str | None = None
        self._unfinished = 0
        self._collected = 0

    @property
    def pending(self) -> int:
        """Bytes kept because their event is not complete."""
        return self._unfinished + self._collected

    def push(self, piece: bytes) -> list[SseEvent]:
        """The events that are complete with this piece."""
        fresh = self._without_mark(piece)
        # A line feed right after a carriage return belongs to it, also when the two came in different pieces.
        if self._after_return and fresh:
            self._after_return = False
            fresh = fresh.removeprefix(b"\n")
        events: list[SseEvent] = []
        start = 0
        for end in _LINE_END.finditer(fresh):
            line = b"".join((*self._line, fresh[start : end.start()]))
            self._line, self._unfinished = [], 0
            start = end.end()
            self._after_return = end.group() == b"\r" and start == len(fresh)
            self._take(line, events)
        if start < len(fresh):
            self._line.append(fresh[start:])
            self._unfinished += len(fresh) - start
        return events

    def _without_mark(self, piece: bytes) -> bytes:
        """The first bytes are kept until they can be told from a byte order mark."""
        if self._head is None:
            return piece
        start = self._head + piece
        if len(start) < len(_MARK) and _MARK.startswith(start):
            self._head = start
            return b""
        self._head = None
        return start.removeprefix(_MARK)

    def _take(self, line: bytes, events: list[SseEvent]) -> None:
        if not line:
            if self._data:
                events.append(SseEvent(self._event or "message", "\n".join(self._data), self._id))
            self._event, self._data, self._collected = "", [], 0
            return
        name, _, value = line.partition(b":")
        text = value.removeprefix(b" ").decode("utf-8", "replace")
        if name == b"data":
            self._data.append(text)
            self._collected += len(value)
        elif name == b"event":
            self._event = text
        elif name == b"id" and "\0" not in text:
            self._id = text or None
