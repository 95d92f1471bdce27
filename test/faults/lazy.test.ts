/** Tools of known upstreams are listed before these are up; a lazy one has no process until it is called. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { type Board, openBoard } from "./board.ts";
import { freshMark, marked } from "./processes.ts";

const peer = fileURLToPath(new URL("./peers/v1.ts", import.meta.url));

const toolsOf = async (board: Board): Promise<readonly string[]> => {
  const { tools } = (await board.ask("tools", {})) as { readonly tools: readonly { readonly name: string }[] };
  return tools.map(({ name }) => name);
};

it("is started to learn its tools, later for a call alone, and again when it is another", async () => {
  const mark = freshMark();
  const stateDir = mkdtempSync(join(tmpdir(), "fairlead-lazy-"));
  onTestFinished(() => rmSync(stateDir, { recursive: true }));
  const lazy = (...more: string[]) => ({
    command: process.execPath,
    args: ["--conditions=@fairlead/source", peer, "stdio", ...more],
    env: { MARK: mark },
    start: "lazy",
  });
  const open = (upstream: unknown): Promise<Board> =>
    openBoard({ times: { connectMs: 15_000 }, upstreams: { up: upstream } }, { stateDir });

  const first = await open(lazy());
  await first.becomes("up", "connected");
  const known = await toolsOf(first);
  expect(known).toContain("up__echo");
  await first.close();
  expect(marked(mark)).toEqual([]);

  const second = await open(lazy());
  await expect.poll(() => toolsOf(second)).toEqual(known);
  expect(await second.status("up")).toMatchObject({ state: "connecting", tools: known.length, attempt: 0 });
  expect(marked(mark)).toEqual([]);
  expect(await second.call("up__echo", { message: "here" })).toMatchObject({ ok: true, text: "here" });
  expect(marked(mark)).not.toEqual([]);
  expect(await second.status("up")).toMatchObject({ state: "connected" });
  await second.close();

  const third = await open(lazy("another"));
  await third.becomes("up", "connected");
  await third.close();
});

/** A server of one tool, in a file that can be taken away. */
const onlyTool = `
  const answers = {
    initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "one", version: "1" } },
    "tools/list": { tools: [{ name: "echo", description: "Says it again.", inputSchema: { type: "object" } }] },
    "tools/call": { content: [{ type: "text", text: "here" }] },
    ping: {},
  };
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method } = JSON.parse(line);
    if (id === undefined) return;
    const result = answers[method];
    const answer = result === undefined ? { error: { code: -32601, message: "no such method" } } : { result };
    process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...answer }) + "\\n");
  });
`;

it("lists what a known upstream had at once, also where it cannot be reached, and not what another one had", async () => {
  const stateDir = mkdtempSync(join(tmpdir(), "fairlead-known-"));
  onTestFinished(() => rmSync(stateDir, { recursive: true }));
  const script = join(stateDir, "one.cjs");
  const open = (...more: string[]): Promise<Board> =>
    openBoard(
      { times: { connectMs: 15_000 }, upstreams: { up: { command: process.execPath, args: [script, ...more] } } },
      { stateDir },
    );
  writeFileSync(script, onlyTool);
  const first = await open();
  await first.becomes("up", "connected");
  expect(await toolsOf(first)).toEqual(["up__echo"]);
  await first.close();

  const again = await open();
  expect(await toolsOf(again)).toEqual(["up__echo"]);
  expect(await again.call("up__echo", {})).toMatchObject({ ok: true, text: "here" });
  await again.close();

  rmSync(script);
  const without = await open();
  expect(await toolsOf(without)).toEqual(["up__echo"]);
  await without.close();
  const another = await open("another");
  expect(await toolsOf(another)).toEqual([]);
  await another.close();
});
