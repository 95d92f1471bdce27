"""The client that blocks: carries the steps of a call out on `httpx.Client`, one thread a call.

Not here: what the steps are (`_steps.py`). The client for `asyncio` is `aio.py`.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, InvalidStateError
from contextlib import ExitStack
from types import TracebackType
from typing import Generic, Self, TypeVar, cast

import httpx

from ._download import PartFile
from ._files import File, FileHead, Form
from ._http import CONNECT_TIMEOUT, LIMITS, as_failure, head_of
from ._request import Target, Token
from ._steps import (
    Answer,
    Clock,
    Command,
    Emit,
    Failure,
    Open,
    Pause,
    Read,
    Steps,
    advance,
    bytes_steps,
    call_steps,
    download_steps,
    subscribe_steps,
)
from .procedure import CallOptions, Procedure

Result = TypeVar("Result")
Event = TypeVar("Event")


class Client:
    """A connection to a kernel, shared by all its services: `Client("http://127.0.0.1:5099")`. Threads may share it."""

    def __init__(
        self,
        url: str,
        *,
        token: Token | None = None,
        headers: Mapping[str, str] | None = None,
        options: CallOptions | None = None,
        http: httpx.Client | None = None,
    ) -> None:
        """`token` is sent with each request, a function is called before it; `options` are the defaults of every call; `http` is a
        client of your own, for proxies and certificates, which is yours to close."""
        self.target = Target(url, token, headers or {})
        self.options = options or CallOptions()
        self._http = http or httpx.Client(limits=LIMITS)
        self._is_ours = http is None

    def call(self, procedure: Procedure[Result], content: object, options: CallOptions | None = None) -> Result:
        """Calls a procedure that is known at run time alone; the methods of a service are typed. Raises a `FairleadError`."""
        steps = call_steps(self.target, procedure, content, options or self.options, Clock())
        with _Exchange(self._http) as exchange:
            return cast(Result, exchange.run(steps))

    def upload(
        self, procedure: Procedure[Result], content: object, file: File, options: CallOptions | None = None
    ) -> Result:
        """Calls a procedure that takes a file. Raises a `FairleadError`."""
        steps = call_steps(self.target, procedure, content, options or self.options, Clock(), file)
        with _Exchange(self._http) as exchange:
            return cast(Result, exchange.run(steps))

    def download(self, procedure: Procedure[object], content: object, options: CallOptions | None = None) -> Download:
        """Calls a procedure that gives a file: its head has come, and its bytes come as they are read. Raises a `FairleadError`."""
        steps = download_steps(self.target, procedure, content, options or self.options, Clock())
        exchange = _Exchange(self._http)
        try:
            head = exchange.run(steps)
        except BaseException:
            exchange.close()
            raise
        return Download(head, exchange, lambda: bytes_steps(self.target, procedure))

    def subscribe(
        self, procedure: Procedure[Result], content: object, options: CallOptions | None = None
    ) -> Subscription[Result]:
        """Opens a subscription. Nothing is sent before the first event is wanted."""
        steps = subscribe_steps(self.target, procedure, content, options or self.options, Clock())
        return Subscription(self._http, steps)

    def close(self) -> None:
        if self._is_ours:
            self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Download:
    """A file that a procedure gives, for a `for` loop over its bytes. Read it to its end, or close it, by `close` or a `with` block."""

    def __init__(self, head: FileHead, exchange: _Exchange, next_bytes: Callable[[], Steps[bytes]]) -> None:
        self._exchange = exchange
        self._next_bytes = next_bytes
        self.head = head
        """What the file is: type, name, size, etag, and its first byte here."""

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        try:
            piece = self._exchange.run(self._next_bytes())
        except BaseException:
            self.close()
            raise
        if piece:
            return piece
        self.close()
        raise StopIteration

    def read(self) -> bytes:
        """All of its bytes."""
        return b"".join(self)

    def save(self, path: str | os.PathLike[str]) -> int:
        """Writes it to a path, in place of what was there, once all of it has come; gives its bytes."""
        with self, PartFile(path) as part:
            for piece in self:
                part.write(piece)
        return part.size

    def close(self) -> None:
        self._exchange.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Subscription(Generic[Event]):
    """The events of a subscription, for a `for` loop. Leaving a `with` block, or `close`, ends it and the handler behind it."""

    def __init__(self, http: httpx.Client, steps: Steps[None]) -> None:
        self._exchange = _Exchange(http)
        self._steps = steps
        self.last_event_id: str | None = None
        """Of the newest event; `with_options(last_event_id=...)` goes on after it in another run."""

    def __iter__(self) -> Iterator[Event]:
        return self

    def __next__(self) -> Event:
        answer: Answer | Failure = None
        try:
            while True:
                command = advance(self._steps, answer)
                if isinstance(command, Emit):
                    self.last_event_id = command.id
                    return cast(Event, command.value)
                answer = self._exchange.carry_out(command)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        self._steps.close()
        self._exchange.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Exchange:
    """At most one open reply."""

    def __init__(self, http: httpx.Client) -> None:
        self._http = http
        self._open = ExitStack()
        self._pieces: Iterator[bytes] = iter(())

    def run(self, steps: Steps[Result]) -> Result:
        """Carries all steps out."""
        answer: Answer | Failure = None
        try:
            while True:
                answer = self.carry_out(advance(steps, answer))
        except StopIteration as end:
            return cast(Result, end.value)

    def carry_out(self, command: Command) -> Answer | Failure:
        try:
            match command:
                case Open() as opening:
                    self.close()
                    return self._take(_within(opening.timeout, lambda: self._send(opening), httpx.Response.close))
                case Read(timeout):
                    return _within(timeout, lambda: next(self._pieces, b""))
                case Pause(seconds):
                    time.sleep(seconds)
                    return None
                case _:
                    return None
        except TimeoutError:
            return Failure("timeout", "no answer in time")
        except (httpx.HTTPError, httpx.StreamError) as error:
            return as_failure(error)

    def _send(self, command: Open) -> httpx.Response:
        request = command.request
        connect = min(command.timeout or CONNECT_TIMEOUT, CONNECT_TIMEOUT)
        timeout = httpx.Timeout(command.timeout, connect=connect, pool=connect)
        body = request.body.pieces() if isinstance(request.body, Form) else request.body
        built = self._http.build_request(
            request.method, request.url, headers=request.headers, content=body, timeout=timeout
        )
        return self._http.send(built, stream=True)

    def _take(self, reply: httpx.Response) -> Answer:
        self._open.callback(reply.close)
        self._pieces = reply.iter_bytes()
        return head_of(reply)

    def close(self) -> None:
        self._pieces = iter(())
        self._open.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _within(seconds: float | None, work: Callable[[], Result], discard: Callable[[Result], object] | None = None) -> Result:
    """Does the work, in a thread of its own where it has a time limit; raises `TimeoutError` when it takes longer.

    The timeouts of httpx are for one operation of a socket each, so that a reply which comes byte by byte would never end.
    `discard` gets a result that came too late.
    """
    if seconds is None:
        return work()
    future: Future[Result] = Future()

    def run() -> None:
        try:
            result = work()
        except BaseException as error:
            if not future.cancelled():
                _ignore_late(lambda: future.set_exception(error))
            return
        if not _ignore_late(lambda: future.set_result(result)) and discard is not None:
            discard(result)

    threading.Thread(target=run, name="fairlead-call", daemon=True).start()
    try:
        return future.result(max(0.0, min(seconds, threading.TIMEOUT_MAX)))
    except TimeoutError:
        if future.cancel():
            raise
        return future.result()
    except BaseException:
        future.cancel()
        raise


def _ignore_late(settle: Callable[[], None]) -> bool:
    """Whether somebody still waited."""
    try:
        settle()
    except InvalidStateError:
        return False
    return True
