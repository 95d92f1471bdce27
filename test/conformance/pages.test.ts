/** A list in pages, read to its end by each client and the command line, against one kernel. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClient, fetchTransport } from "@fairlead/client";
import { afterAll, beforeAll, expect, expectTypeOf, test } from "vitest";
import { runHere } from "../e2e/command-here.ts";
import { python } from "../python/bridge.ts";
import { pythonEnv } from "../python/interpreter.ts";
import { projectFolder, type RunningProject, startProject } from "./kernel.ts";
import { type ProbeTypes, probe } from "./project/gen/probe.ts";

let project: RunningProject;
beforeAll(async () => {
  project = await startProject();
});
afterAll(() => project.kernel.close());

const below = 50;
const squares = [0, 1, 2, 3, 4, 5, 6, 7].map((root) => ({ root, square: root * root }));

test("the TypeScript client reads items and pages", async () => {
  const client = createClient<ProbeTypes>(probe, fetchTransport({ url: project.url }));
  const items = client.squares.items({ below });
  expectTypeOf(items).toEqualTypeOf<AsyncIterable<{ root: number; square: number }>>();
  expect(await Array.fromAsync(items)).toEqual(squares);
  const pages = await Array.fromAsync(client.squares.pages({ below, pageSize: 5 }));
  expect(pages.map(({ items, total }) => [items.length, total])).toEqual([
    [5, 8],
    [3, 8],
  ]);
  expect(client.sum).not.toHaveProperty("items");
  await expect(client.squares({ below, cursor: "none" })).rejects.toMatchObject({
    code: "invalid_argument",
    issues: [{ path: "cursor" }],
  });
});

const script = `
import asyncio, json, sys
import fairlead
from probe_clients.probe import AsyncProbe, Probe
url, below = sys.argv[1], int(sys.argv[2])
with fairlead.Client(url) as client:
    print(json.dumps(list(fairlead.items(Probe(client).squares, below=below))))
async def main():
    async with fairlead.AsyncClient(url) as client:
        print(json.dumps([item async for item in fairlead.async_items(AsyncProbe(client).squares, below=below, pageSize=5)]))
asyncio.run(main())
`;

test.skipIf(python === undefined)("the Python client reads items, both of its drivers", async () => {
  const env = pythonEnv(join(projectFolder, "gen"));
  const { stdout } = await promisify(execFile)(python ?? "", ["-c", script, project.url, String(below)], { env });
  expect(
    stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual([squares, squares]);
});

test("the command line prints an item a line with --all", async () => {
  const run = (...args: string[]) => runHere([...args, "--url", project.url], { cwd: projectFolder });
  const all = await run("probe", "squares", "--below", String(below), "--page-size", "2", "--all");
  expect(all).toMatchObject({ code: 0, err: "", out: squares.map((each) => `${JSON.stringify(each)}\n`).join("") });
  const some = await run("call", "probe.squares", "-d", `{"below":${below}}`, "--all", "--limit", "4");
  expect(some.out.trim().split("\n")).toHaveLength(4);
  expect(await run("call", "probe.sum", "-d", '{"a":1}', "--all")).toMatchObject({
    code: 2,
    err: expect.stringContaining("probe.sum gives no pages"),
  });
});

test("a kernel in the command's own process does it, too", async () => {
  const { out } = await runHere(["call", "probe.squares", "-d", '{"below":9}', "--all", "--local"], {
    cwd: projectFolder,
  });
  expect(out).toBe(
    squares
      .slice(0, 3)
      .map((each) => `${JSON.stringify(each)}\n`)
      .join(""),
  );
});
