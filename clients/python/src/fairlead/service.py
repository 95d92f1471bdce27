"""What the generated class of a service is made from: its client, the options of its calls, and how both are used.

Not here: the services (generated), and what a call does (`_steps.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Self, TypeVar

from ._files import File, FileRange
from ._json import UNSET, Unset, without_unset
from ._retry import Retry
from .aio import AsyncClient, AsyncDownload, AsyncSubscription
from .client import Client, Download, Subscription
from .procedure import CallOptions, Procedure, Progress

Output = TypeVar("Output")


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

    async def _upload(self, procedure: Procedure[Output], fields: Mapping[str, object], file: File) -> Output:
        return await self._client.upload(procedure, without_unset(fields), file, self._options)

    async def _download(self, procedure: Procedure[object], fields: Mapping[str, object]) -> AsyncDownload:
        return await self._client.download(procedure, without_unset(fields), self._options)

    def _subscribe(self, procedure: Procedure[Output], fields: Mapping[str, object]) -> AsyncSubscription[Output]:
        return self._client.subscribe(procedure, without_unset(fields), self._options)
