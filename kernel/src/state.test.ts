import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Reply } from "./call.ts";
import { Keyed } from "./policy/idempotency.ts";
import { answerLifetimeMs, openState } from "./state.ts";

const folder = (): string => mkdtempSync(join(tmpdir(), "fairlead-state-"));
const use = { principal: "p", procedure: "x.pay", key: "k", input: "digest" };
const paid: Reply = { ok: true, value: { amount: 5 } };

describe("stored answers", () => {
  it("outlive the process and are replayed byte for byte", async () => {
    const place = folder();
    const first = openState(place);
    await new Keyed(async () => first.answers).run(use, async () => paid);
    first.close();
    const second = openState(place);
    const again = await new Keyed(async () => second.answers).run(use, async () => {
      throw new Error("ran twice");
    });
    expect(again).toEqual(paid);
    second.close();
  });

  it("report a run that was cut off instead of repeating it", async () => {
    const place = folder();
    const first = openState(place);
    first.answers.claim(use);
    first.close();
    const second = openState(place);
    await expect(new Keyed(async () => second.answers).run(use, async () => paid)).rejects.toMatchObject({
      code: "aborted",
    });
    second.close();
  });

  it("are not kept for a failure that may be repeated, and not for ever", async () => {
    let now = 1_000;
    const state = openState(folder(), () => now);
    const keyed = new Keyed(async () => state.answers);
    const down: Reply = { ok: false, error: { code: "unavailable", message: "down", retryable: true } };
    expect(await keyed.run(use, async () => down)).toEqual(down);
    expect(await keyed.run(use, async () => paid)).toEqual(paid);
    now += answerLifetimeMs + 1;
    expect(state.answers.claim(use)).toBe("claimed");
    state.close();
  });

  it("refuse a key that is empty or too long", async () => {
    const state = openState(folder());
    const keyed = new Keyed(async () => state.answers);
    for (const key of ["", "x".repeat(256)]) {
      await expect(keyed.run({ ...use, key }, async () => paid)).rejects.toMatchObject({ code: "invalid_argument" });
    }
    state.close();
  });
});
