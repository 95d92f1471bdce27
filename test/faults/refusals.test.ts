/** How an upstream's refusals and its death in a call are told: which code, and whether the same call may be sent again. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Board, type Called, calmTimes, openBoard } from "./board.ts";
import { peerProgram } from "./peers/program.ts";
import { serveV1 } from "./peers/v1.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

const hangingIn = (seen: Called): unknown => (seen.ok ? JSON.parse(seen.text).hanging : undefined);

let board: Board;
beforeEach(async () => {
  board = await openBoard({ upstreams: { up: peerProgram("v1", "stdio") }, times: calmTimes });
  await board.becomes("up", "connected");
});
afterEach(() => board.close());

const refusals = [
  [-32_602, "arguments_refused", "invalid_argument"],
  [-32_601, "not_offered", "unimplemented"],
  [-32_600, "upstream_error", "unknown"],
  [-32_603, "upstream_error", "unknown"],
  [-32_000, "upstream_error", "unknown"],
  [7, "upstream_error", "unknown"],
] as const;

it.each(refusals.filter((_, at) => inLongTier || at % 3 === 0))(
  "JSON-RPC error %s becomes %s",
  async (code, reason, expected) => {
    const failed = await board.call("up__refuse", { code });
    expect(failed).toMatchObject({
      ok: false,
      error: { code: expected, reason, retryable: false, data: { connection: "up", code } },
    });
    if (!failed.ok) expect(failed.error.message).toContain("it is refused");
  },
);

if (inLongTier) {
  it.each(["up", "far"])("removed in a call of %s: it says so, and that waiting is of no use", async (name) => {
    const far = await serveV1();
    await board.add("far", far.url);
    await board.becomes("far", "connected");
    const hanging = board.call(`${name}__hang`);
    await expect.poll(async () => hangingIn(await board.call(`${name}__seen`))).toBe(1);
    await board.ask("remove", { name });
    const failed = await hanging;
    expect(failed).toMatchObject({
      ok: false,
      error: {
        code: "failed_precondition",
        reason: "connection_removed",
        message: `${name} was removed during the call of ${name}__hang, which may have run`,
        hint: expect.stringContaining(`fairlead conn add ${name}`),
        retryable: false,
        data: { connection: name, sent: true },
      },
    });
    await far.close();
  });
}

it("led elsewhere in a call: it says so", async () => {
  const [one, other] = [await serveV1(), await serveV1()];
  await board.add("far", one.url);
  await board.becomes("far", "connected");
  const hanging = board.call("far__hang");
  await expect.poll(() => one.state.hanging).toBe(1);
  await board.add("far", other.url);
  const failed = await hanging;
  expect(failed).toMatchObject({ ok: false, error: { reason: "upstream_unavailable", data: { sent: true } } });
  if (!failed.ok) expect(failed.error.message).toContain("leads elsewhere now");
  await one.close();
  await other.close();
});

if (inLongTier) {
  it("a folder that is not there is reported as that", async () => {
    const none = await openBoard({ upstreams: { none: { command: process.execPath, cwd: "/surely/not/there" } } });
    await none.becomes("none", "blocked");
    expect((await none.status("none")).lastError).toMatchObject({
      reason: "missing_folder",
      message: "the folder /surely/not/there, to start it in, is not there",
    });
    await none.close();
  });

  it("a program that is not there is no matter of waiting", async () => {
    const none = await openBoard({ upstreams: { none: { command: "surely-not-there" } } });
    await none.becomes("none", "blocked");
    expect(await none.call("none__echo")).toMatchObject({
      ok: false,
      error: { retryable: false, hint: expect.stringContaining("install it"), data: { reason: "missing_command" } },
    });
    await none.close();
  });
}

it.each(
  (
    [
      ["up__die", false, "it may have run; look before you try again"],
      ["up__dieHarmless", true, "try again shortly"],
    ] as const
  ).filter((_, at) => inLongTier || at % 2 === 0),
)("killed in a call of %s: may be sent again: %s", async (tool, retryable, hint) => {
  const failed = await board.call(tool);
  expect(failed).toMatchObject({
    ok: false,
    error: { reason: "upstream_unavailable", data: { sent: true }, retryable, hint },
  });
});
