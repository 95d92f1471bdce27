"""Calls a kernel by the Python client as lines of JSON on standard input say, and writes what came of each as a line.

`aio`: a task a call. `threads`: a thread a call. `once`: one call in the main thread, which SIGINT interrupts.
"""

from __future__ import annotations

import asyncio
import importlib
import inspect
import json
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import fairlead

Message = dict[str, Any]
CANCELED = {"ok": False, "error": {"code": "canceled", "message": "canceled here", "retryable": False}}


def options_of(message: Message) -> fairlead.CallOptions:
    timeout = message.get("timeoutMs")
    return fairlead.CallOptions(
        timeout=None if timeout is None else timeout / 1000,
        idempotency_key=message.get("idempotencyKey"),
        retry=fairlead.NO_RETRY,
    )


def start(client: Any, prefix: str, message: Message) -> Any:
    """What the client gives for a call: by the typed method where the input fits it, else as any program may."""
    module = importlib.import_module(message["module"])
    name, content = message["procedure"], message["input"]
    if name not in module.procedures:
        raise fairlead.NotFoundError(fairlead.WireError("not_found", "not in the client"), name)
    procedure = module.procedures[name]
    if "timeoutMs" not in message and "idempotencyKey" not in message:
        service = getattr(module, prefix + message["className"])(client).with_options(retry=fairlead.NO_RETRY)
        method = getattr(service, re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower())
        try:
            inspect.signature(method).bind(**content)
        except TypeError:
            pass
        else:
            return method(**content)
    subscribes = procedure.kind == "subscription"
    return (client.subscribe if subscribes else client.call)(procedure, content, options_of(message))


def describe(error: fairlead.FairleadError) -> Message:
    after = error.retry_after
    fields = {
        "code": error.code,
        "message": error.message,
        "retryable": error.retryable,
        "reason": error.reason,
        "hint": error.hint,
        "data": error.data,
        "issues": list(error.issues) or None,
        "id": error.id,
        "retryAfterMs": None if after is None else round(after * 1000),
    }
    return {"ok": False, "error": {name: value for name, value in fields.items() if value is not None}}


def defect(error: Exception) -> Message:
    """What no call may end with."""
    return {"ok": False, "error": {"code": "internal", "message": f"the client raised {error!r}", "retryable": False}}


def write(message: Message, outcome: Message) -> None:
    sys.stdout.write(json.dumps({"id": message["id"], **outcome}) + "\n")
    sys.stdout.flush()


def call(client: fairlead.Client, message: Message) -> Message:
    try:
        result = start(client, "", message)
        if not isinstance(result, fairlead.Subscription):
            return {"ok": True, "value": result}
        with result as events:
            return {"ok": True, "value": [event for _, event in zip(range(message["take"]), events)]}
    except fairlead.FairleadError as error:
        return describe(error)
    except KeyboardInterrupt:
        return CANCELED


async def call_async(client: fairlead.AsyncClient, message: Message) -> Message:
    found: list[object] = []
    try:
        result = start(client, "Async", message)
        if inspect.isawaitable(result):
            return {"ok": True, "value": await result}
        async with result as events:
            async for event in events:
                found.append(event)
                if len(found) == message["take"]:
                    break
        return {"ok": True, "value": found}
    except fairlead.FairleadError as error:
        return describe(error)
    except asyncio.CancelledError:
        return CANCELED


def run_threads(url: str) -> None:
    with fairlead.Client(url) as client, ThreadPoolExecutor(16) as pool:
        for line in sys.stdin:
            message = json.loads(line)
            pool.submit(answer, client, message)


def answer(client: fairlead.Client, message: Message) -> None:
    try:
        write(message, call(client, message))
    except Exception as error:
        write(message, defect(error))


def run_once(url: str) -> None:
    with fairlead.Client(url) as client:
        message = json.loads(sys.stdin.readline())
        write(message, call(client, message))


async def run_aio(url: str) -> None:
    lines = asyncio.StreamReader(limit=2**26)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    tasks: dict[int, asyncio.Task[None]] = {}

    async with fairlead.AsyncClient(url) as client:

        async def answer_later(message: Message) -> None:
            try:
                write(message, await call_async(client, message))
            except Exception as error:
                write(message, defect(error))

        while line := await lines.readline():
            message = json.loads(line)
            if "cancel" in message:
                tasks[message["cancel"]].cancel()
            else:
                tasks[message["id"]] = asyncio.create_task(answer_later(message))


if __name__ == "__main__":
    mode, address = sys.argv[1:]
    if mode == "aio":
        asyncio.run(run_aio(address))
    else:
        {"threads": run_threads, "once": run_once}[mode](address)
