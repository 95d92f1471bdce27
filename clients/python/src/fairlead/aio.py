"""The client for `asyncio`: carries the steps of a call out on `httpx.AsyncClient`. A task that is cancelled closes its
connection, and the kernel interrupts the handler.

Not here: what the steps are (`_steps.py`). The client that blocks is `client.py`.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import AsyncExitStack
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


class AsyncClient:
    """A connection to a kernel, shared by all its services: `AsyncClient("http://127.0.0.1:5099")`."""

    def __init__(
        self,
        url: str,
        *,
        token: Token | None = None,
        headers: Mapping[str, str] | None = None,
        options: CallOptions | None = None,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        """`token` is sent with each request, a function is called before it; `options` are the defaults of every call; `http` is a
        client of your own, for proxies and certificates, which is yours to close."""
        self.target = Target(url, token, headers or {})
        self.options = options or CallOptions()
        self._http = http or httpx.AsyncClient(limits=LIMITS)
        self._is_ours = http is None

    async def call(self, procedure: Procedure[Result], content: object, options: CallOptions | None = None) -> Result:
        """Calls a procedure that is known at run time alone; the methods of a service are typed. Raises a `FairleadError`."""
        steps = call_steps(self.target, procedure, content, options or self.options, Clock())
        async with _Exchange(self._http) as exchange:
            return cast(Result, await exchange.run(steps))

    async def upload(
        self, procedure: Procedure[Result], content: object, file: File, options: CallOptions | None = None
    ) -> Result:
        """Calls a procedure that takes a file. Raises a `FairleadError`."""
        steps = call_steps(self.target, procedure, content, options or self.options, Clock(), file)
        async with _Exchange(self._http) as exchange:
            return cast(Result, await exchange.run(steps))

    async def download(
        self, procedure: Procedure[object], content: object, options: CallOptions | None = None
    ) -> AsyncDownload:
        """Calls a procedure that gives a file: its head has come, and its bytes come as they are read. Raises a `FairleadError`."""
        steps = download_steps(self.target, procedure, content, options or self.options, Clock())
        exchange = _Exchange(self._http)
        try:
            head = await exchange.run(steps)
        except BaseException:
            await exchange.close()
            raise
        return AsyncDownload(head, exchange, lambda: bytes_steps(self.target, procedure))

    def subscribe(
        self, procedure: Procedure[Result], content: object, options: CallOptions | None = None
    ) -> AsyncSubscription[Result]:
        """Opens a subscription. Nothing is sent before the first event is wanted."""
        steps = subscribe_steps(self.target, procedure, content, options or self.options, Clock())
        return AsyncSubscription(self._http, steps)

    async def close(self) -> None:
        if self._is_ours:
            await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


class AsyncDownload:
    """A file that a procedure gives, for an `async for` loop over its bytes. Read it to its end, or close it, by `close` or an `async with` block."""

    def __init__(self, head: FileHead, exchange: _Exchange, next_bytes: Callable[[], Steps[bytes]]) -> None:
        self._exchange = exchange
        self._next_bytes = next_bytes
        self.head = head
        """What the file is: type, name, size, etag, and its first byte here."""

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        try:
            piece = await self._exchange.run(self._next_bytes())
        except BaseException:
            await self.close()
            raise
        if piece:
            return piece
        await self.close()
        raise StopAsyncIteration

    async def read(self) -> bytes:
        """All of its bytes."""
        return b"".join([piece async for piece in self])

    async def save(self, path: str | os.PathLike[str]) -> int:
        """Writes it to a path, in place of what was there, once all of it has come; gives its bytes."""
        async with self:
            with PartFile(path) as part:
                async for piece in self:
                    await asyncio.to_thread(part.write, piece)
        return part.size

    async def close(self) -> None:
        await self._exchange.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


class AsyncSubscription(Generic[Event]):
    """The events of a subscription, for an `async for` loop. Leaving an `async with` block, or `close`, ends it and the handler."""

    def __init__(self, http: httpx.AsyncClient, steps: Steps[None]) -> None:
        self._exchange = _Exchange(http)
        self._steps = steps
        self.last_event_id: str | None = None
        """Of the newest event; `with_options(last_event_id=...)` goes on after it in another run."""

    def __aiter__(self) -> AsyncIterator[Event]:
        return self

    async def __anext__(self) -> Event:
        answer: Answer | Failure = None
        try:
            while True:
                try:
                    command = advance(self._steps, answer)
                except StopIteration:
                    raise StopAsyncIteration from None
                if isinstance(command, Emit):
                    self.last_event_id = command.id
                    return cast(Event, command.value)
                answer = await self._exchange.carry_out(command)
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        self._steps.close()
        await self._exchange.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


class _Exchange:
    """At most one open reply."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http
        self._open = AsyncExitStack()
        self._pieces: AsyncIterator[bytes] | None = None

    async def run(self, steps: Steps[Result]) -> Result:
        """Carries all steps out."""
        answer: Answer | Failure = None
        while True:
            try:
                command = advance(steps, answer)
            except StopIteration as end:
                return cast(Result, end.value)
            answer = await self.carry_out(command)

    async def carry_out(self, command: Command) -> Answer | Failure:
        try:
            match command:
                case Open(_, timeout):
                    return await _within(timeout, self._send(command))
                case Read(timeout):
                    return await _within(timeout, self._next_piece())
                case Pause(seconds):
                    await asyncio.sleep(seconds)
                    return None
                case Emit():
                    return None
        except TimeoutError:
            return Failure("timeout", "no answer in time")
        except (httpx.HTTPError, httpx.StreamError) as error:
            return as_failure(error)

    async def _next_piece(self) -> bytes:
        return b"" if self._pieces is None else await anext(self._pieces, b"")

    async def _send(self, command: Open) -> Answer:
        await self.close()
        request = command.request
        body = request.body.async_pieces(asyncio.to_thread) if isinstance(request.body, Form) else request.body
        built = self._http.build_request(
            request.method,
            request.url,
            headers=request.headers,
            content=body,
            timeout=httpx.Timeout(None, connect=CONNECT_TIMEOUT, pool=CONNECT_TIMEOUT),
        )
        reply = await self._http.send(built, stream=True)
        self._open.push_async_callback(reply.aclose)
        self._pieces = reply.aiter_bytes()
        return head_of(reply)

    async def close(self) -> None:
        self._pieces = None
        await self._open.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


async def _within(seconds: float | None, work: Coroutine[object, object, Result]) -> Result:
    """Raises `TimeoutError` when the work takes longer.

    A task of its own, in place of `asyncio.timeout`: with the httpcore of Debian 12 one cancellation is left over, so that Python 3.11.2
    takes the timeout for a cancellation by the caller.
    """
    task = asyncio.ensure_future(work)
    try:
        done, _ = await asyncio.wait({task}, timeout=seconds)
    except asyncio.CancelledError:
        task.cancel()
        await asyncio.wait({task})
        raise
    if task in done:
        return task.result()
    task.cancel()
    await asyncio.wait({task})
    raise TimeoutError
