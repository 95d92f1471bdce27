"""Runs: a procedure that goes on without its caller. `todos.clear.start()` starts one and gives its handle, `todos.clear.run(id)` finds it
again.

Not here: what is sent for it (`_runs.py`), and the methods that can be started (`service.py`).
"""

from __future__ import annotations

from typing import Generic, TypeVar, cast

from ._runs import (
    RUN_PROCEDURES,
    Answer,
    RunSnapshot,
    answer_content,
    handle_options,
    result_of,
    start_content,
    started_id,
)
from .aio import AsyncClient, AsyncSubscription
from .client import Client, Subscription
from .procedure import CallOptions, Procedure

Output = TypeVar("Output")


class Run(Generic[Output]):
    """A run, for callers that block. It goes on whether anyone holds this or not."""

    def __init__(self, client: Client, procedure: Procedure[Output], run_id: str, options: CallOptions) -> None:
        self._client = client
        self._procedure = procedure
        self._options = handle_options(options)
        self.id = run_id

    def get(self) -> RunSnapshot[Output]:
        """What it is now."""
        return self._call("getRun", {"id": self.id})

    def watch(self) -> Subscription[RunSnapshot[Output]]:
        """What it is now and after each change, until it has ended. A broken stream is opened again."""
        watch = cast(Procedure[RunSnapshot[Output]], RUN_PROCEDURES["watchRun"])
        return self._client.subscribe(watch, {"id": self.id}, self._options)

    def result(self) -> Output:
        """Waits for its end. Raises the error that it failed with, or `CanceledError`."""
        last: RunSnapshot[Output] | None = None
        with self.watch() as changes:
            for last in changes:
                pass
        return result_of(last, self.id, self._procedure)

    def answer(self, name: str, answer: Answer) -> RunSnapshot[Output]:
        """Answers the question of that name, which it has to wait for. The first answer counts."""
        asked = cast(RunSnapshot[object], self.get())
        return self._call("answerRun", answer_content(asked, name, answer, self._procedure))

    def cancel(self) -> RunSnapshot[Output]:
        """Ends it; its handler is interrupted."""
        return self._call("cancelRun", {"id": self.id})

    def resume(self) -> RunSnapshot[Output]:
        """Queues it again after it failed or was cancelled, with the answers that it got."""
        return self._call("resumeRun", {"id": self.id})

    def _call(self, name: str, content: object) -> RunSnapshot[Output]:
        return cast(RunSnapshot[Output], self._client.call(RUN_PROCEDURES[name], content, self._options))


class Work(Generic[Output]):
    """What a call of a procedure that may be a run is made from: it is called, or started."""

    def __init__(self, client: Client, procedure: Procedure[Output], content: object, options: CallOptions) -> None:
        self._client, self._procedure, self._content, self._options = client, procedure, content, options

    def call(self) -> Output:
        return self._client.call(self._procedure, self._content, self._options)

    def start(self) -> Run[Output]:
        sent = start_content(self._procedure, self._content, self._options)
        reply = self._client.call(RUN_PROCEDURES["startRun"], sent, handle_options(self._options))
        return Run(self._client, self._procedure, started_id(reply, self._procedure), self._options)


class AsyncRun(Generic[Output]):
    """A run, for `asyncio`. It goes on whether anyone holds this or not."""

    def __init__(self, client: AsyncClient, procedure: Procedure[Output], run_id: str, options: CallOptions) -> None:
        self._client = client
        self._procedure = procedure
        self._options = handle_options(options)
        self.id = run_id

    async def get(self) -> RunSnapshot[Output]:
        """What it is now."""
        return await self._call("getRun", {"id": self.id})

    def watch(self) -> AsyncSubscription[RunSnapshot[Output]]:
        """What it is now and after each change, until it has ended. A broken stream is opened again."""
        watch = cast(Procedure[RunSnapshot[Output]], RUN_PROCEDURES["watchRun"])
        return self._client.subscribe(watch, {"id": self.id}, self._options)

    async def result(self) -> Output:
        """Waits for its end. Raises the error that it failed with, or `CanceledError`."""
        last: RunSnapshot[Output] | None = None
        async with self.watch() as changes:
            async for last in changes:
                pass
        return result_of(last, self.id, self._procedure)

    async def answer(self, name: str, answer: Answer) -> RunSnapshot[Output]:
        """Answers the question of that name, which it has to wait for. The first answer counts."""
        asked = cast(RunSnapshot[object], await self.get())
        return await self._call("answerRun", answer_content(asked, name, answer, self._procedure))

    async def cancel(self) -> RunSnapshot[Output]:
        """Ends it; its handler is interrupted."""
        return await self._call("cancelRun", {"id": self.id})

    async def resume(self) -> RunSnapshot[Output]:
        """Queues it again after it failed or was cancelled, with the answers that it got."""
        return await self._call("resumeRun", {"id": self.id})

    async def _call(self, name: str, content: object) -> RunSnapshot[Output]:
        return cast(RunSnapshot[Output], await self._client.call(RUN_PROCEDURES[name], content, self._options))


class AsyncWork(Generic[Output]):
    """The same for `asyncio`."""

    def __init__(
        self, client: AsyncClient, procedure: Procedure[Output], content: object, options: CallOptions
    ) -> None:
        self._client, self._procedure, self._content, self._options = client, procedure, content, options

    async def call(self) -> Output:
        return await self._client.call(self._procedure, self._content, self._options)

    async def start(self) -> AsyncRun[Output]:
        sent = start_content(self._procedure, self._content, self._options)
        reply = await self._client.call(RUN_PROCEDURES["startRun"], sent, handle_options(self._options))
        return AsyncRun(self._client, self._procedure, started_id(reply, self._procedure), self._options)
