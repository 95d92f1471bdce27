"""What the kernel says in server-sent events: the items of a subscription, or the progress of a call and then its result.

Pure: pieces of the stream in, what they mean out. Not here: the framing (`_sse.py`) and the network.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import cast

from ._problem import parse_json, wire_error
from ._sse import SseEvent, SseParser
from .errors import FairleadError, UnavailableError, WireError
from .procedure import Procedure, Progress

_LONGEST_EVENT = 16 * 1_048_576
"""Bytes: a server that never ends an event must not fill the memory."""


class EventReader:
    """The events of one reply. Raises the error that an `error` event carries, or one for a stream that breaks."""

    def __init__(self, procedure: Procedure[object]) -> None:
        self._procedure = procedure
        self._parser = SseParser()

    def read(self, piece: bytes) -> Iterator[SseEvent]:
        """The events that are complete with this piece; an empty one is the end of the connection."""
        if not piece:
            raise self._broken("the server closed the stream without ending it")
        for event in self._parser.push(piece):
            if event.event == "error":
                wire = wire_error(parse_json(event.data)) or WireError("unknown", "the stream failed")
                raise self._procedure.error(wire)
            yield event
        if self._parser.pending > _LONGEST_EVENT:
            raise self._broken(f"an event is longer than {_LONGEST_EVENT} bytes")

    def ended_early(self) -> FairleadError:
        """For a stream that ended before it said its result."""
        return self._broken("the server ended the stream without a result")

    def _broken(self, what: str) -> FairleadError:
        wire = WireError("unavailable", f"{self._procedure.name}: {what}", retryable=self._procedure.may_repeat)
        return UnavailableError(wire, self._procedure.name)


def report_progress(data: str, on_progress: Callable[[Progress], object] | None) -> None:
    """Hands on what is a progress report; anything else is nothing that a caller could use."""
    content = parse_json(data)
    if on_progress is not None and isinstance(content, dict) and "progress" in content:
        on_progress(cast(Progress, content))
