/** Lazy upstreams: their tools are listed without a process once they are known, and one is started when it is called. */
import { mkdtempSync, rmSync } from "node:fs";
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
