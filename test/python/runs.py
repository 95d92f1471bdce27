"""Starts, follows, answers, cancels and resumes runs with both clients. Arguments: the kernel's address, and which client. Prints one JSON document."""

import asyncio
import json
import sys

import fairlead
from todo_clients.todo import AsyncTodo, Todo

url, driver = sys.argv[1:]


def words(error: fairlead.FairleadError) -> list[object]:
    return [type(error).__name__, error.code, error.reason]


def blocking() -> dict[str, object]:
    with fairlead.Client(url) as client:
        todo = Todo(client)
        todo.add(text="water the plants")
        run = todo.clear.start()
        states: list[str] = []
        with run.watch() as changes:
            for change in changes:
                states.append(change["state"])
                if change["question"] is not None:
                    todo.clear.run(run.id).answer("sure", True)
        failures: list[object] = []
        for wrong in (
            lambda: run.answer("sure", True),
            lambda: run.cancel(),
            lambda: todo.remind.run("none").get(),
            lambda: todo.remind.run("none").result(),
            lambda: todo.remind.start(id="x"),  # type: ignore[arg-type]
        ):
            try:
                wrong()
                failures.append("nothing")
            except fairlead.FairleadError as error:
                failures.append(words(error))
        added = todo.add(text="water the plants")
        daily = todo.with_options(idempotency_key=f"daily {driver}")
        again = daily.clear.start()
        same = daily.clear.start().id == again.id
        cancelled = again.cancel()["state"]
        try:
            again.result()
        except fairlead.CanceledError as error:
            failures.append(words(error))
        again.resume()
        with again.watch() as changes:
            asked = next(change for change in changes if change["state"] == "waiting")
        try:
            again.answer("sure", {"yes": False})
        except TypeError as error:
            failures.append(str(error))
        again.answer("sure", False)
        called = todo.remind(id=added["id"])
        return {
            "states": [states[-1], "waiting" in states],
            "result": run.result(),
            "failures": failures,
            "same": same,
            "cancelled": cancelled,
            "message": asked["question"] and asked["question"]["message"],
            "declined": again.result(),
            "called": called,
        }


async def awaiting() -> dict[str, object]:
    async with fairlead.AsyncClient(url) as client:
        todo = AsyncTodo(client)
        await todo.add(text="water the plants")
        run = await todo.clear.start()
        states: list[str] = []
        async with run.watch() as changes:
            async for change in changes:
                states.append(change["state"])
                if change["question"] is not None:
                    await todo.clear.run(run.id).answer("sure", True)
        failures: list[object] = []
        for wrong in (
            lambda: run.answer("sure", True),
            lambda: run.cancel(),
            lambda: todo.remind.run("none").get(),
            lambda: todo.remind.run("none").result(),
            lambda: todo.remind.start(id="x"),  # type: ignore[arg-type]
        ):
            try:
                await wrong()
                failures.append("nothing")
            except fairlead.FairleadError as error:
                failures.append(words(error))
        added = await todo.add(text="water the plants")
        daily = todo.with_options(idempotency_key=f"daily {driver}")
        again = await daily.clear.start()
        same = (await daily.clear.start()).id == again.id
        cancelled = (await again.cancel())["state"]
        try:
            await again.result()
        except fairlead.CanceledError as error:
            failures.append(words(error))
        await again.resume()
        message = None
        async with again.watch() as changes:
            async for change in changes:
                if change["question"] is not None:
                    message = change["question"]["message"]
                    break
        try:
            await again.answer("sure", {"yes": False})
        except TypeError as error:
            failures.append(str(error))
        await again.answer("sure", False)
        called = await todo.remind(id=added["id"])
        return {
            "states": [states[-1], "waiting" in states],
            "result": await run.result(),
            "failures": failures,
            "same": same,
            "cancelled": cancelled,
            "message": message,
            "declined": await again.result(),
            "called": called,
        }


print(json.dumps(blocking() if driver == "threads" else asyncio.run(awaiting())))
