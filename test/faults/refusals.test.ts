/** How an upstream's refusals and its death in a call are told: which code, and whether the same call may be sent again. */
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Board, openBoard } from "./board.ts";

const peer = {
  command: process.execPath,
  args: ["--conditions=@fairlead/source", fileURLToPath(new URL("./peers/v1.ts", import.meta.url)), "stdio"],
};

let board: Board;
beforeEach(async () => {
  board = await openBoard({ upstreams: { up: peer }, times: { connectMs: 15_000, idleMs: 400, pingMs: 700 } });
  await board.becomes("up", "connected");
});
afterEach(() => board.close());

it.each([
  [-32_602, "arguments_refused", "invalid_argument"],
  [-32_601, "not_offered", "unimplemented"],
  [-32_600, "upstream_error", "unknown"],
  [-32_603, "upstream_error", "unknown"],
  [-32_000, "upstream_error", "unknown"],
  [7, "upstream_error", "unknown"],
])("JSON-RPC error %s is told as %s", async (code, reason, expected) => {
  const failed = await board.call("up__refuse", { code });
  expect(failed).toMatchObject({
    ok: false,
    error: { code: expected, reason, retryable: false, data: { connection: "up", code } },
  });
  if (!failed.ok) expect(failed.error.message).toContain("it is refused");
});

it.each([
  ["up__die", false, "it may have run; look before you try again"],
  ["up__dieHarmless", true, "try again shortly"],
])("killed in a call of %s: may be sent again: %s", async (tool, retryable, hint) => {
  const failed = await board.call(tool);
  expect(failed).toMatchObject({
    ok: false,
    error: { reason: "upstream_unavailable", data: { sent: true }, retryable, hint },
  });
});
