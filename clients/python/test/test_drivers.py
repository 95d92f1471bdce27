"""Both drivers over httpx's own stand-in for a network."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack

import httpx
import pytest
from fixture import READ, WATCH

from fairlead import (
    NO_RETRY,
    AsyncClient,
    AsyncService,
    CallOptions,
    Client,
    DeadlineExceededError,
    Service,
    UnavailableError,
)


class Stream(httpx.SyncByteStream, httpx.AsyncByteStream):
    """Pieces of a reply, and whether somebody has closed it. After the last piece it waits for ever where it is awaited."""

    def __init__(self, *pieces: bytes) -> None:
        self.pieces = pieces
        self.is_closed = False

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.pieces)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self.pieces:
            yield piece
        await asyncio.Event().wait()

    def close(self) -> None:
        self.is_closed = True

    async def aclose(self) -> None:
        self.is_closed = True


def answering(stream: Stream) -> httpx.MockTransport:
    return httpx.MockTransport(lambda _: httpx.Response(200, headers={"content-type": "text/event-stream"}, stream=stream))


def failing(error: type[httpx.HTTPError]) -> httpx.MockTransport:
    def fail(request: httpx.Request) -> httpx.Response:
        raise error("it failed")

    return httpx.MockTransport(fail)


def test_leaving_a_subscription_closes_it() -> None:
    stream = Stream(b"id: 1\ndata: 1\n\n", b"id: 2\ndata: 2\n\n")
    client = Client("http://kernel", http=httpx.Client(transport=answering(stream)))
    with client.subscribe(WATCH, {}) as events:
        assert next(events) == 1
        assert events.last_event_id == "1"
        assert not stream.is_closed
    assert stream.is_closed
    assert list(events) == []


def test_leaving_an_awaited_subscription_closes_it() -> None:
    async def run() -> None:
        stream = Stream(b"id: 1\ndata: 1\n\n")
        client = AsyncClient("http://kernel", http=httpx.AsyncClient(transport=answering(stream)))
        async with client.subscribe(WATCH, {}) as events:
            async for event in events:
                assert event == 1
                assert not stream.is_closed
                break
        assert stream.is_closed
        assert [event async for event in events] == []

    asyncio.run(run())


def test_a_canceled_task_closes_its_reply() -> None:
    async def run() -> None:
        stream = Stream(b"id: 1\ndata: 1\n\n")
        client = AsyncClient("http://kernel", http=httpx.AsyncClient(transport=answering(stream)))
        seen = asyncio.Event()

        async def follow() -> None:
            async for _ in client.subscribe(WATCH, {}):
                seen.set()

        task = asyncio.create_task(follow())
        await seen.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert stream.is_closed

    asyncio.run(run())


def test_an_awaited_call_ends_at_its_deadline() -> None:
    async def run() -> None:
        stream = Stream()
        client = AsyncClient("http://kernel", http=httpx.AsyncClient(transport=answering(stream)))
        with pytest.raises(DeadlineExceededError):
            await client.call(READ, {}, CallOptions(timeout=0.5, retry=NO_RETRY))
        assert stream.is_closed

    asyncio.run(run())


def test_an_awaited_call_ends_at_its_deadline_on_a_socket() -> None:
    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    async def run() -> None:
        server = await asyncio.start_server(silent, "127.0.0.1", 0)
        async with server, AsyncClient(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}") as client:
            with pytest.raises(DeadlineExceededError):
                await client.call(READ, {}, CallOptions(timeout=0.5, retry=NO_RETRY))
        task = asyncio.current_task()
        assert task is not None and task.cancelling() == 0

    asyncio.run(run())


def dripping(pieces: Iterator[bytes], stop: threading.Event) -> tuple[str, threading.Thread]:
    """A server that sends a byte of its reply now and then, each in good time."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with listener:
            connection, _ = listener.accept()
            with connection:
                connection.recv(65_536)
                for piece in pieces:
                    if stop.wait(0.02):
                        return
                    try:
                        connection.sendall(piece)
                    except OSError:
                        return

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    return f"http://127.0.0.1:{listener.getsockname()[1]}", thread


HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n"


@pytest.mark.parametrize("head", [b"HTTP/1.1 200 OK\r\nx: ", HEAD])
def test_a_call_that_blocks_ends_at_its_deadline_however_slowly_it_is_answered(head: bytes) -> None:
    def pieces() -> Iterator[bytes]:
        yield head
        while True:
            yield b"1"

    stop = threading.Event()
    url, thread = dripping(pieces(), stop)
    with Client(url) as client, pytest.raises(DeadlineExceededError):
        client.call(READ, {}, CallOptions(timeout=1.0, retry=NO_RETRY))
    stop.set()
    thread.join(30)
    assert not thread.is_alive()


def test_open_subscriptions_leave_room_for_more() -> None:
    many = 120
    listener = socket.create_server(("127.0.0.1", 0), backlog=many)

    def serve() -> None:
        with listener, ExitStack() as opened:
            for _ in range(many):
                connection = opened.enter_context(listener.accept()[0])
                connection.recv(65_536)
                connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\ndata: 1\n\n")
            stop.wait(30)

    stop = threading.Event()
    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    with Client(f"http://127.0.0.1:{listener.getsockname()[1]}") as client, ExitStack() as opened:
        for _ in range(many):
            assert next(opened.enter_context(client.subscribe(WATCH, {}))) == 1
        stop.set()
    thread.join(30)


@pytest.mark.parametrize("url", ["127.0.0.1:5099", "localhost:5099", "ftp://kernel", "", "http://", "http://[::1"])
def test_an_address_must_be_one(url: str) -> None:
    with pytest.raises(ValueError, match="like http://127.0.0.1:5099"):
        Client(url)
    with pytest.raises(ValueError, match="like http://127.0.0.1:5099"):
        AsyncClient(url)


@pytest.mark.parametrize(
    ("error", "expected"),
    [(httpx.ConnectError, UnavailableError), (httpx.ReadTimeout, DeadlineExceededError), (httpx.ReadError, UnavailableError)],
)
def test_failures_of_the_network(error: type[httpx.HTTPError], expected: type[Exception]) -> None:
    chosen = CallOptions(timeout=30.0, retry=NO_RETRY)
    with pytest.raises(expected):
        Client("http://kernel", http=httpx.Client(transport=failing(error))).call(READ, {}, chosen)

    async def run() -> None:
        with pytest.raises(expected):
            await AsyncClient("http://kernel", http=httpx.AsyncClient(transport=failing(error))).call(READ, {}, chosen)

    asyncio.run(run())


def test_options_of_a_service_are_its_own() -> None:
    with Client("http://kernel", options=CallOptions(timeout=5.0)) as client:
        service = Service(client)
        slow = service.with_options(timeout=None, retry=NO_RETRY)
        assert (slow._options, service._options) == (CallOptions(retry=NO_RETRY), CallOptions(timeout=5.0))  # pyright: ignore[reportPrivateUsage]
        assert type(slow.with_options(idempotency_key="k")) is Service

    async def run() -> None:
        async with AsyncClient("http://kernel") as client:
            assert type(AsyncService(client).with_options(timeout=1.0)) is AsyncService

    asyncio.run(run())
