"""What the generated class of a service is made from: its client, the options of its calls, how both are used, and methods that can be
started as runs.

Not here: the services (generated), and what a call does (`_steps.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Concatenate, Generic, ParamSpec, Self, TypeVar, overload

from ._files import File, FileRange
from ._json import UNSET, Unset, without_unset
from ._retry import Retry
from .aio import AsyncClient, AsyncDownload, AsyncSubscription
from .client import Client, Download, Subscription
from .procedure import CallOptions, Procedure, Progress
from .runs import AsyncRun, AsyncWork, Run, Work

Output = TypeVar("Output")
Parameters = ParamSpec("Parameters")


class _WithOptions:
    """Options that all calls of an object have."""

    _options: CallOptions

    def with_options(
        self,
        *,
        timeout: float | None | Unset = UNSET,
        idempotency_key: str | None | Unset = UNSET,
        retry: Retry | None | Unset = UNSET,
        on_progress: Callable[[Progress], object] | None | Unset = UNSET,
        last_event_id: str | None | Unset = UNSET,
        range: FileRange | None | Unset = UNSET,
    ) -> Self:
        """The same service with other options; what is left out stays. See `CallOptions`."""
        options = self._options
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__)
        copy._options = CallOptions(
            timeout=options.timeout if timeout is UNSET else timeout,
            idempotency_key=options.idempotency_key if idempotency_key is UNSET else idempotency_key,
            retry=options.retry if retry is UNSET else retry,
            on_progress=options.on_progress if on_progress is UNSET else on_progress,
            last_event_id=options.last_event_id if last_event_id is UNSET else last_event_id,
            range=options.range if range is UNSET else range,
        )
        return copy


class Service(_WithOptions):
    """A service whose methods block."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._options = client.options

    def _call(self, procedure: Procedure[Output], fields: Mapping[str, object]) -> Output:
        return self._client.call(procedure, without_unset(fields), self._options)

    def _work(self, procedure: Procedure[Output], fields: Mapping[str, object]) -> Work[Output]:
        return Work(self._client, procedure, without_unset(fields), self._options)

    def find_run(self, procedure: Procedure[Output], run_id: str) -> Run[Output]:
        """The handle of a run that there is; `.run(id)` of a method says the procedure itself. Nothing is sent."""
        return Run(self._client, procedure, run_id, self._options)

    def _upload(self, procedure: Procedure[Output], fields: Mapping[str, object], file: File) -> Output:
        return self._client.upload(procedure, without_unset(fields), file, self._options)

    def _download(self, procedure: Procedure[object], fields: Mapping[str, object]) -> Download:
        return self._client.download(procedure, without_unset(fields), self._options)

    def _subscribe(self, procedure: Procedure[Output], fields: Mapping[str, object]) -> Subscription[Output]:
        return self._client.subscribe(procedure, without_unset(fields), self._options)


class AsyncService(_WithOptions):
    """A service whose methods are awaited."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client
        self._options = client.options

    async def _call(self, procedure: Procedure[Output], fields: Mapping[str, object]) -> Output:
        return await self._client.call(procedure, without_unset(fields), self._options)

    def _work(self, procedure: Procedure[Output], fields: Mapping[str, object]) -> AsyncWork[Output]:
        return AsyncWork(self._client, procedure, without_unset(fields), self._options)

    def find_run(self, procedure: Procedure[Output], run_id: str) -> AsyncRun[Output]:
        """The handle of a run that there is; `.run(id)` of a method says the procedure itself. Nothing is sent."""
        return AsyncRun(self._client, procedure, run_id, self._options)

    async def _upload(self, procedure: Procedure[Output], fields: Mapping[str, object], file: File) -> Output:
        return await self._client.upload(procedure, without_unset(fields), file, self._options)

    async def _download(self, procedure: Procedure[object], fields: Mapping[str, object]) -> AsyncDownload:
        return await self._client.download(procedure, without_unset(fields), self._options)

    def _subscribe(self, procedure: Procedure[Output], fields: Mapping[str, object]) -> AsyncSubscription[Output]:
        return self._client.subscribe(procedure, without_unset(fields), self._options)


Blocking = TypeVar("Blocking", bound=Service)
Awaiting = TypeVar("Awaiting", bound=AsyncService)


class RunnableMethod(Generic[Parameters, Output]):
    """A method that is called as any other, or started as a run."""

    def __init__(self, work: Callable[Parameters, Work[Output]], find: Callable[[str], Run[Output]]) -> None:
        self._work, self._find = work, find
        self.__doc__ = work.__doc__

    def __call__(self, *args: Parameters.args, **fields: Parameters.kwargs) -> Output:
        return self._work(*args, **fields).call()

    def start(self, *args: Parameters.args, **fields: Parameters.kwargs) -> Run[Output]:
        """Starts it with the arguments of a call. The service's `idempotency_key` is the run's key: who starts it again gets that run."""
        return self._work(*args, **fields).start()

    def run(self, run_id: str) -> Run[Output]:
        """The handle of a run that there is. Nothing is sent."""
        return self._find(run_id)


class AsyncRunnableMethod(Generic[Parameters, Output]):
    """The same for methods that are awaited."""

    def __init__(self, work: Callable[Parameters, AsyncWork[Output]], find: Callable[[str], AsyncRun[Output]]) -> None:
        self._work, self._find = work, find
        self.__doc__ = work.__doc__

    async def __call__(self, *args: Parameters.args, **fields: Parameters.kwargs) -> Output:
        return await self._work(*args, **fields).call()

    async def start(self, *args: Parameters.args, **fields: Parameters.kwargs) -> AsyncRun[Output]:
        """Starts it with the arguments of a call. The service's `idempotency_key` is the run's key: who starts it again gets that run."""
        return await self._work(*args, **fields).start()

    def run(self, run_id: str) -> AsyncRun[Output]:
        """The handle of a run that there is. Nothing is sent."""
        return self._find(run_id)


class Runnable(Generic[Blocking, Parameters, Output]):
    """A method of a generated class whose procedure may be a run, before it is a method of an object."""

    def __init__(
        self,
        work: Callable[Concatenate[Blocking, Parameters], Work[Output]],
        procedure: Callable[[], Procedure[Output]],
    ) -> None:
        self._work, self._procedure = work, procedure
        self.__doc__ = work.__doc__

    @overload
    def __get__(self, service: None, owner: type) -> Self: ...
    @overload
    def __get__(self, service: Blocking, owner: type) -> RunnableMethod[Parameters, Output]: ...
    def __get__(self, service: Blocking | None, owner: type) -> Self | RunnableMethod[Parameters, Output]:
        if service is None:
            return self
        own: Blocking = service

        def work(*args: Parameters.args, **fields: Parameters.kwargs) -> Work[Output]:
            return self._work(own, *args, **fields)

        work.__doc__ = self.__doc__
        return RunnableMethod(work, lambda run_id: own.find_run(self._procedure(), run_id))


class AsyncRunnable(Generic[Awaiting, Parameters, Output]):
    """The same for methods that are awaited."""

    def __init__(
        self,
        work: Callable[Concatenate[Awaiting, Parameters], AsyncWork[Output]],
        procedure: Callable[[], Procedure[Output]],
    ) -> None:
        self._work, self._procedure = work, procedure
        self.__doc__ = work.__doc__

    @overload
    def __get__(self, service: None, owner: type) -> Self: ...
    @overload
    def __get__(self, service: Awaiting, owner: type) -> AsyncRunnableMethod[Parameters, Output]: ...
    def __get__(self, service: Awaiting | None, owner: type) -> Self | AsyncRunnableMethod[Parameters, Output]:
        if service is None:
            return self
        own: Awaiting = service

        def work(*args: Parameters.args, **fields: Parameters.kwargs) -> AsyncWork[Output]:
            return self._work(own, *args, **fields)

        work.__doc__ = self.__doc__
        return AsyncRunnableMethod(work, lambda run_id: own.find_run(self._procedure(), run_id))


def runnable(
    procedure: Callable[[], Procedure[Output]],
) -> Callable[
    [Callable[Concatenate[Blocking, Parameters], Work[Output]]], Runnable[Blocking, Parameters, Output]
]:
    """Decorates a method whose procedure may be a run."""
    return lambda work: Runnable(work, procedure)


def async_runnable(
    procedure: Callable[[], Procedure[Output]],
) -> Callable[
    [Callable[Concatenate[Awaiting, Parameters], AsyncWork[Output]]], AsyncRunnable[Awaiting, Parameters, Output]
]:
    """The same for methods that are awaited."""
    return lambda work: AsyncRunnable(work, procedure)
