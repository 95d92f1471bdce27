"""What a caller may write; both checkers of types say nothing against it. `misuses.py` is the other half."""

from __future__ import annotations

from typing import assert_type

import fairlead
from fairlead_services.pob import AsyncPob, LuaRankNodesOutput, Pob
from probe_clients.probe import (
    AsyncProbe,
    CountOutput,
    EchoInput,
    EchoOutput,
    PayOutput,
    Probe,
    ProbeEchoInputChain,
    SumOutput,
    TooBigError,
    TooBigErrorData,
)


def block(client: fairlead.Client) -> None:
    probe = Probe(client).with_options(timeout=2.5, retry=fairlead.Retry(attempts=5), on_progress=lambda each: each["progress"])
    assert_type(probe.sum(a=1), SumOutput)
    assert_type(probe.sum(a=1, b=fairlead.UNSET), SumOutput)
    chain: ProbeEchoInputChain = {"value": 1, "next": {"value": 2}}
    content: EchoInput = {"text": "x", "tags": ("a", "b"), "maybe": None, "chain": chain}
    echo = probe.echo(**content)
    assert_type(echo, EchoOutput)
    assert_type(echo["tags"], list[str])
    assert_type(echo["maybe"], float | None)
    assert_type(probe.with_options(idempotency_key="k").pay(amount=5), PayOutput)
    with probe.count(to=3) as events:
        assert_type(events, fairlead.Subscription[CountOutput])
        assert_type([event["value"] for event in events], list[int])
    try:
        probe.sum(a=2000)
    except TooBigError as error:
        assert_type(error.data, TooBigErrorData)
        assert_type(error.data["limit"], int)
    except fairlead.OutOfRangeError as error:
        assert_type(error.data, object)
        assert_type(error.issues, tuple[fairlead.Issue, ...])


async def wait(client: fairlead.AsyncClient) -> None:
    probe = AsyncProbe(client)
    assert_type(await probe.sum(a=1), SumOutput)
    async for event in probe.count(to=3):
        assert_type(event, CountOutput)


def start(client: fairlead.Client) -> None:
    pob = Pob(client).with_options(idempotency_key="daily")
    assert_type(pob.lua_rank_nodes(stat="Life"), LuaRankNodesOutput)
    run = pob.lua_rank_nodes.start(stat="Life")
    assert_type(run, fairlead.Run[LuaRankNodesOutput])
    assert_type(pob.lua_rank_nodes.run(run.id), fairlead.Run[LuaRankNodesOutput])
    assert_type(run.result(), LuaRankNodesOutput)
    with run.watch() as changes:
        assert_type([change["output"] for change in changes], list[LuaRankNodesOutput | None])
    assert_type(run.answer("sure", True)["state"], fairlead.RunState)


async def start_and_wait(client: fairlead.AsyncClient) -> None:
    pob = AsyncPob(client)
    assert_type(await pob.lua_rank_nodes(stat="Life"), LuaRankNodesOutput)
    run = await pob.lua_rank_nodes.start(stat="Life")
    assert_type(run, fairlead.AsyncRun[LuaRankNodesOutput])
    assert_type(await run.result(), LuaRankNodesOutput)
    async for change in run.watch():
        assert_type(change, fairlead.RunSnapshot[LuaRankNodesOutput])
