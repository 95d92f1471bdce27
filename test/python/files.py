"""Sends and gets files with both clients. Arguments: the kernel's address, a path, and which client. Prints one JSON document."""

import asyncio
import hashlib
import json
import sys
import tempfile
from pathlib import Path

import fairlead
from probe_clients.probe import AsyncProbe, NotKeptError, Probe

url, given, driver = sys.argv[1:]
path = Path(given)
content = path.read_bytes()
target = Path(tempfile.mkdtemp()) / "copy"
part = fairlead.FileRange(2_000_000, 2_000_009)


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def head(found: fairlead.FileHead) -> dict[str, object]:
    return {"type": found.type, "name": found.name, "size": found.size, "start": found.start, "tagged": found.etag is not None}


def blocking() -> dict[str, object]:
    with fairlead.Client(url) as client:
        probe = Probe(client)
        sent = [
            probe.keep(fairlead.File(path), as_="py"),
            probe.keep(fairlead.File(content, type="text/plain", name='a "b".bin'), as_="py-bytes"),
            probe.keep(fairlead.File(iter([content[:7], content[7:]])), as_="py-stream"),
        ]
        with path.open("rb") as opened:
            sent.append(probe.keep(fairlead.File(opened), as_="py-open"))
        whole = probe.kept(as_="py-bytes")
        read = whole.read()
        some = probe.with_options(range=part).kept(as_="py")
        piece = some.read()
        saved = probe.kept(as_="py").save(target)
        failures = []
        for wrong in (
            lambda: probe.keep(fairlead.File(b"x"), as_=""),
            lambda: probe.keep(fairlead.File(b"x", type="image/png"), as_="x"),
            lambda: probe.keep(fairlead.File(path.with_name("none")), as_="x"),
            lambda: probe.with_options(range=fairlead.FileRange(len(content))).kept(as_="py"),
            lambda: probe.keep(fairlead.File(b"x" * 8_000_001), as_="x"),
        ):
            try:
                wrong()
                failures.append("nothing")
            except fairlead.FairleadError as error:
                failures.append(error.code)
        try:
            probe.kept(as_="none")
        except NotKeptError as error:
            failures.append(error.reason)
        with probe.kept(as_="py") as left:
            next(left)
        return {
            "sent": sent,
            "whole": head(whole.head),
            "read": digest(read),
            "part": head(some.head),
            "piece": piece == content[2_000_000:2_000_010],
            "saved": saved,
            "copy": digest(target.read_bytes()),
            "failures": failures,
        }


async def awaiting() -> dict[str, object]:
    async def pieces():
        yield content[:7]
        yield content[7:]

    async with fairlead.AsyncClient(url) as client:
        probe = AsyncProbe(client)
        sent = [
            await probe.keep(fairlead.File(path), as_="py"),
            await probe.keep(fairlead.File(content, type="text/plain", name='a "b".bin'), as_="py-bytes"),
            await probe.keep(fairlead.File(pieces()), as_="py-stream"),
        ]
        with path.open("rb") as opened:
            sent.append(await probe.keep(fairlead.File(opened), as_="py-open"))
        whole = await probe.kept(as_="py-bytes")
        read = await whole.read()
        some = await probe.with_options(range=part).kept(as_="py")
        piece = await some.read()
        saved = await (await probe.kept(as_="py")).save(target)
        failures = []
        for wrong in (
            lambda: probe.keep(fairlead.File(b"x"), as_=""),
            lambda: probe.keep(fairlead.File(b"x", type="image/png"), as_="x"),
            lambda: probe.keep(fairlead.File(path.with_name("none")), as_="x"),
            lambda: probe.with_options(range=fairlead.FileRange(len(content))).kept(as_="py"),
            lambda: probe.keep(fairlead.File(b"x" * 8_000_001), as_="x"),
        ):
            try:
                await wrong()
                failures.append("nothing")
            except fairlead.FairleadError as error:
                failures.append(error.code)
        try:
            await probe.kept(as_="none")
        except NotKeptError as error:
            failures.append(error.reason)
        async with await probe.kept(as_="py") as left:
            await anext(left)
        return {
            "sent": sent,
            "whole": head(whole.head),
            "read": digest(read),
            "part": head(some.head),
            "piece": piece == content[2_000_000:2_000_010],
            "saved": saved,
            "copy": digest(target.read_bytes()),
            "failures": failures,
        }


print(json.dumps(blocking() if driver == "threads" else asyncio.run(awaiting())))
