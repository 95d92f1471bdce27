/** What the table of runs keeps of their inputs, which may be large or private. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { localPrincipal } from "../call/call.ts";
import { failure } from "../call/error.ts";
import { newRun, type RunState } from "../runs/run.ts";
import { lazyState } from "./lazy-state.ts";

const folder = mkdtempSync(join(tmpdir(), "fairlead-run-table-"));
const state = lazyState(folder, () => {});
afterEach(async () => {
  await state.close();
  rmSync(folder, { recursive: true, force: true });
});

it("an input is kept for a run that may be resumed, and goes with the success of the others", async () => {
  const { runs } = state;
  const end = async (id: string, ended: RunState) => {
    const run = newRun({ id, procedure: "a.b", principal: localPrincipal, now: 5 });
    await runs.commit([{ kind: "insert", run, input: { card: 4 } }]);
    expect(await runs.input(id)).toEqual({ card: 4 });
    await runs.commit([{ kind: "update", run: { ...run, version: 2, state: ended }, replaces: 1 }]);
    expect(await runs.find(id)).toMatchObject({ state: ended });
    return runs.input(id);
  };
  expect(await end("done", { tag: "done", output: 1 })).toBeNull();
  expect(await end("failed", { tag: "failed", error: failure("internal", "no").toJSON() })).toEqual({ card: 4 });
  expect(await end("cancelled", { tag: "cancelled" })).toEqual({ card: 4 });
});
