"""A call as steps: what is to be sent, read and waited for, in which order, and what the answers mean. Here live the deadline of a
whole call, repeats where the contract allows them, idempotency keys, and the resumption of subscriptions.

Without I/O: a generator gives one command at a time, and gets what came of it. `client.py` and `aio.py` carry commands out; tests
answer them from a list.
"""

from __future__ import annotations

import random
import time
import uuid
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeVar

from ._files import File, FileHead, file_head
from ._json import from_json
from ._problem import http_error
from ._request import Attempt, Request, Target, build_request
from ._retry import LONGEST_WAIT, Retry, attempts_allowed, pause_after
from ._stream import EventReader, report_progress
from .errors import DeadlineExceededError, FairleadError, UnavailableError, UnknownError, WireError
from .procedure import CallOptions, Procedure

Result = TypeVar("Result")


@dataclass(frozen=True)
class Open:
    """Send a request, and answer with the `Head` of its reply. Ends the reply before it."""

    request: Request
    timeout: float | None
    """Seconds for this command; no limit when `None`."""


@dataclass(frozen=True)
class Read:
    """Answer with the next bytes of the reply; none at its end."""

    timeout: float | None


@dataclass(frozen=True)
class Pause:
    """Wait."""

    seconds: float


@dataclass(frozen=True)
class Emit:
    """Give an event to the caller; go on when it wants the next one."""

    value: object
    id: str | None


Command = Open | Read | Pause | Emit


@dataclass(frozen=True)
class Head:
    """Status and headers of a reply."""

    status: int
    content_type: str
    retry_after: str | None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    """By their names in small letters."""


class Failure(Exception):
    """A command that could not be carried out; thrown into the steps."""

    def __init__(self, kind: Literal["never_sent", "timeout", "broken"], detail: str) -> None:
        super().__init__(detail)
        self.kind = kind


Answer = Head | bytes | None
Steps = Generator[Command, Answer, Result]


def advance(steps: Steps[object], answer: Answer | Failure) -> Command:
    """The next command, after what came of the one before. Raises `StopIteration` with the result."""
    return steps.throw(answer) if isinstance(answer, Failure) else steps.send(answer)


@dataclass(frozen=True)
class Clock:
    """Time and chance."""

    now: Callable[[], float] = time.monotonic
    """Seconds; only differences matter."""
    random: Callable[[], float] = random.random


@dataclass(frozen=True)
class Call:
    """One call, with all that its attempts share."""

    target: Target
    procedure: Procedure[object]
    content: object
    options: CallOptions
    clock: Clock
    deadline: float | None = None
    file: File | None = None

    @property
    def may_repeat(self) -> bool:
        return self.procedure.may_repeat and (self.file is None or self.file.may_repeat)

    def left(self) -> float | None:
        """Seconds."""
        return None if self.deadline is None else self.deadline - self.clock.now()

    def late(self) -> DeadlineExceededError:
        name = self.procedure.name
        message = f"{name} did not answer within {self.options.timeout} s; the work may have happened"
        wire = WireError("deadline_exceeded", message, self.may_repeat, hint="allow it more time")
        return DeadlineExceededError(wire, name)


def call_steps(
    target: Target,
    procedure: Procedure[object],
    content: object,
    options: CallOptions,
    clock: Clock,
    file: File | None = None,
) -> Steps[object]:
    """The steps of a query or a mutation; they return its output, or raise a `FairleadError`. `file` is what an upload sends."""
    deadline = None if options.timeout is None else clock.now() + options.timeout
    call = Call(target, procedure, content, options, clock, deadline, file)
    return (yield from _repeated(call, lambda attempt: _attempt(call, attempt)))


def download_steps(
    target: Target, procedure: Procedure[object], content: object, options: CallOptions, clock: Clock
) -> Steps[FileHead]:
    """The steps of a download up to its bytes, which are then read to their end. The deadline is that of the first of them."""
    deadline = None if options.timeout is None else clock.now() + options.timeout
    call = Call(target, procedure, content, options, clock, deadline)

    def begin(attempt: Attempt) -> Steps[FileHead]:
        head = yield from _open(call, attempt)
        if not _is_success(head):
            raise _refusal(call, head, (yield from _read_all(call)))
        return file_head(head.status, head.headers)

    return (yield from _repeated(call, begin))


def bytes_steps(target: Target, procedure: Procedure[object]) -> Steps[bytes]:
    """The steps of the next bytes of a download that has begun."""
    return (yield from _read(Call(target, procedure, None, CallOptions(), Clock())))


def _repeated(call: Call, begin: Callable[[Attempt], Steps[Result]]) -> Steps[Result]:
    options, procedure = call.options, call.procedure
    key = options.idempotency_key or (str(uuid.uuid4()) if procedure.retry == "keyed" else None)
    number = 1
    while True:
        left = call.left()
        if left is not None and left <= 0:
            raise call.late()
        try:
            # Whoever repeats a call repeats alone.
            most = 1 if _allowed(call) > 1 else None
            return (yield from begin(Attempt(options, left, most, key, file=call.file)))
        except FairleadError as error:
            yield Pause(_pause(call, number, error))
        number += 1


def subscribe_steps(
    target: Target, procedure: Procedure[object], content: object, options: CallOptions, clock: Clock
) -> Steps[None]:
    """The steps of a subscription; they emit its events until the server ends it."""
    call = Call(target, procedure, content, options, clock)
    last, can_resume, number = options.last_event_id, True, 1
    while True:
        try:
            reader = yield from _open_events(call, Attempt(options, last_event_id=last))
            while True:
                for event in reader.read((yield from _read(call))):
                    if event.event == "end":
                        return
                    if event.event == "message":
                        last, can_resume, number = event.id, event.id is not None, 1
                        yield Emit(_output(procedure, event.data), event.id)
        except FairleadError as error:
            # Events without an id cannot be resumed from: to report the break is honest, a silent gap is not.
            if not can_resume:
                raise
            yield Pause(_pause(call, number, error))
        number += 1


def _attempt(call: Call, attempt: Attempt) -> Steps[object]:
    head = yield from _open(call, attempt)
    if _is_success(head) and head.content_type.startswith("text/event-stream"):
        reader = EventReader(call.procedure)
        while True:
            for event in reader.read((yield from _read(call))):
                if event.event == "result":
                    return _output(call.procedure, event.data)
                if event.event == "progress":
                    report_progress(event.data, call.options.on_progress)
                if event.event == "end":
                    raise reader.ended_early()
    body = yield from _read_all(call)
    if not _is_success(head):
        raise _refusal(call, head, body)
    return _output(call.procedure, body)


def _open_events(call: Call, attempt: Attempt) -> Steps[EventReader]:
    head = yield from _open(call, attempt)
    if not _is_success(head):
        raise _refusal(call, head, (yield from _read_all(call)))
    return EventReader(call.procedure)


def _open(call: Call, attempt: Attempt) -> Steps[Head]:
    request = build_request(call.target, call.procedure, call.content, attempt)
    answer = yield from _command(call, Open(request, attempt.timeout))
    if not isinstance(answer, Head):
        raise TypeError("a request is answered with the head of its reply")
    return answer


def _read(call: Call) -> Steps[bytes]:
    left = call.left()
    if left is not None and left <= 0:
        raise call.late()
    answer = yield from _command(call, Read(left))
    return answer if isinstance(answer, bytes) else b""


def _read_all(call: Call) -> Steps[bytes]:
    pieces: list[bytes] = []
    while piece := (yield from _read(call)):
        pieces.append(piece)
    return b"".join(pieces)


def _command(call: Call, command: Command) -> Steps[Answer]:
    """A command whose failure is an error of the call."""
    try:
        return (yield command)
    except Failure as failure:
        left = call.left()
        if left is not None and (failure.kind == "timeout" or left <= 0):
            raise call.late() from failure
        raise _unreachable(call, failure) from failure


def _unreachable(call: Call, failure: Failure) -> FairleadError:
    name = call.procedure.name
    wire = WireError(
        "unavailable",
        f"{name}: cannot reach {call.target.url} ({failure})",
        retryable=failure.kind == "never_sent" or call.may_repeat,
        hint="start the kernel with `fairlead up`, or check the address",
    )
    return UnavailableError(wire, name)


def _refusal(call: Call, head: Head, body: bytes) -> FairleadError:
    procedure = call.procedure
    return procedure.error(http_error(head.status, body, head.retry_after, may_repeat=call.may_repeat))


def _output(procedure: Procedure[object], text: str | bytes) -> object:
    """The output of a call; nothing at all is `None`."""
    if not text:
        return None
    try:
        return from_json(text)
    except ValueError as cause:
        hint = "check that the address is that of a Fairlead kernel"
        wire = WireError("unknown", f"the answer to {procedure.name} is not JSON", hint=hint)
        raise UnknownError(wire, procedure.name) from cause


def _pause(call: Call, number: int, error: FairleadError) -> float:
    """Seconds until the next attempt. Raises the error when there is none."""
    retry = call.options.retry or Retry()
    if number >= _allowed(call) or not error.retryable:
        raise error
    pause = pause_after(retry, number, error.retry_after, call.clock.random())
    left = call.left()
    if pause > LONGEST_WAIT or (left is not None and pause >= left):
        raise error
    return pause


def _is_success(head: Head) -> bool:
    return 200 <= head.status < 300


def _allowed(call: Call) -> int:
    """Attempts in all."""
    is_stream = call.procedure.kind == "subscription"
    return attempts_allowed(call.options.retry or Retry(), may_repeat=call.may_repeat, is_stream=is_stream)
