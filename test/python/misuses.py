"""What no caller may write: each line that says so is refused by both checkers of types, and no other."""

from __future__ import annotations

import fairlead
from fairlead_services.pob import Pob
from probe_clients.probe import AsyncProbe, EchoInput, Probe, TooBigError


def block(client: fairlead.Client, other: fairlead.AsyncClient, error: TooBigError) -> None:
    probe = Probe(client)
    probe.sum()  # refused
    probe.sum(1)  # refused
    probe.sum(a="1")  # refused
    probe.sum(a=1, c=2)  # refused
    probe.sum(a=1, b=None)  # refused
    probe.echo(text="x", chain={"value": 1, "next": {"value": "2"}})  # refused
    probe.nothing()  # refused
    content: EchoInput = {"tags": []}  # refused
    print(content, probe.sum(a=1)["value"])  # refused
    print(error.data["most"])  # refused
    probe.with_options(timeout="2")  # refused
    AsyncProbe(client)  # refused
    Probe(other)  # refused
    pob = Pob(client)
    pob.lua_rank_nodes(statistic="Life")  # refused
    pob.lua_rank_nodes.start(statistic="Life")  # refused
    pob.lua_start.start()  # refused
    print(pob.lua_rank_nodes.start(stat="Life")["nodes"])  # refused
    pob.lua_rank_nodes.run(7)  # refused
