/** What is written down is read again while the kernel runs: shown as a plan, and what is not different keeps its connection. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openBoard } from "./board.ts";
import { serveV1 } from "./peers/v1.ts";

it("a changed .mcp.json and script are planned, applied, and take nothing along when they cannot be read", async () => {
  const folder = mkdtempSync(join(tmpdir(), "fairlead-declared-"));
  const peer = await serveV1();
  const [list, script] = [join(folder, ".mcp.json"), join(folder, "startup.lua")];
  const write = (servers: Readonly<Record<string, unknown>>, lua: string): void => {
    writeFileSync(list, JSON.stringify({ mcpServers: servers }));
    writeFileSync(script, lua);
  };
  write({ kept: { url: peer.url }, gone: { url: peer.url } }, `mcp_add("scripted", "${peer.url}")`);
  const board = await openBoard({ mcpJson: list, startup: script });
  const names = async () =>
    ((await board.ask("list", {})) as readonly { readonly name: string }[]).map(({ name }) => name);
  const changes = async (procedure: "plan" | "applyPlan") => {
    const { changes: all, problems } = (await board.ask(procedure, {})) as {
      readonly changes: readonly { readonly name: string; readonly change: string }[];
      readonly problems: readonly string[];
    };
    return { all: all.map(({ name, change }) => `${change} ${name}`), problems };
  };
  for (const name of ["kept", "gone", "scripted"]) await board.becomes(name, "connected");
  const { generation } = await board.status("kept");
  await board.add("own", peer.url);
  expect(await changes("plan")).toEqual({ all: [], problems: [] });

  write({ kept: { url: peer.url }, later: { url: peer.url } }, `mcp_add("scripted", "${peer.url}?again")`);
  const expected = { all: ["removed gone", "added later", "changed scripted"], problems: [] };
  expect(await changes("plan")).toEqual(expected);
  expect(await names()).toEqual(["gone", "kept", "own", "scripted"]);
  expect(await changes("applyPlan")).toEqual(expected);
  expect(await names()).toEqual(["kept", "later", "own", "scripted"]);
  expect((await board.status("kept")).generation).toBe(generation);
  await board.becomes("scripted", "connected");
  expect(await changes("applyPlan")).toEqual({ all: [], problems: [] });

  writeFileSync(list, "{ half");
  const { all, problems } = await changes("applyPlan");
  expect(all).toEqual([]);
  expect(problems).toEqual([expect.stringContaining("is not JSON")]);
  expect(await names()).toEqual(["kept", "later", "own", "scripted"]);

  write(
    { kept: { url: peer.url, disabled: true }, later: { url: `${peer.url}/x` } },
    `mcp_add("scripted", "${peer.url}?again")`,
  );
  expect((await changes("applyPlan")).all).toEqual(["changed kept", "changed later"]);
  expect(await names()).toEqual(["later", "own", "scripted"]);
  await board.becomes("later", "blocked");
  expect((await board.status("later")).lastError).toMatchObject({ reason: "unapproved" });
  await board.close();
  await peer.close();
  rmSync(folder, { recursive: true });
});
