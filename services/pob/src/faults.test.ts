import { afterEach, describe, expect, test } from "vitest";
import { closeTestKernels, hasLuajit, load, openTestKernel } from "./testing/test-kernel.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

afterEach(closeTestKernels);

const faults = [
  ["garbage", "answered"],
  ["partial", "answered"],
  ["flood", "answered"],
  ["slow", "answered"],
  ["broken", "unavailable"],
  ["huge", "unavailable"],
  ["exit", "unavailable"],
  ["half", "unavailable"],
  ["family", "unavailable"],
  ["silence", "deadline_exceeded"],
  ["stubborn", "deadline_exceeded"],
] as const;

describe.runIf(hasLuajit)("a fork that misbehaves", () => {
  test.each(faults.filter((_, at) => inLongTier || at % 2 === 0))(
    "%s: %s within the time limit, and the next call is not harmed",
    async (fault, outcome) => {
      // What ends with its deadline is waited for. Then the next call waits for SIGKILL, two seconds after SIGTERM, and for another process.
      const timeoutMs = outcome === "deadline_exceeded" ? "14000" : "60000";
      const kernel = openTestKernel("fork", {
        POB_ARGS: `HeadlessWrapper.lua --fault=${fault}`,
        POB_TIMEOUT_MS: timeoutMs,
      });
      await load(kernel);
      const reply = await kernel.callForError("luaGetStats", { fields: ["Life", "Fault"] });
      expect(reply.code ?? "answered").toBe(outcome);
      expect(await kernel.call("luaGetTree")).toMatchObject({
        classId: 3,
        nodes: [1, 10, 11, 40],
        meta: { engine: "custom" },
      });
    },
  );

  test("what it cannot do, it says it cannot", async () => {
    const kernel = openTestKernel("fork");
    await load(kernel);
    for (const name of ["luaRankNodes", "luaDrawTree"]) {
      expect(await kernel.callForError(name)).toMatchObject({
        reason: "unsupported",
        hint: expect.stringContaining("shim"),
      });
    }
  });
});
