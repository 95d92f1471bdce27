/** What the table of runs keeps of their inputs, which may be large or private, and how many open ones it has room for. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { localPrincipal } from "../call/call.ts";
import { failure } from "../call/error.ts";
import { newRun, type RunState } from "../runs/run.ts";
import { lazyState } from "./lazy-state.ts";

const folder = mkdtempSync(join(tmpdir(), "fairlead-run-table-"));
const state = lazyState(folder, () => {});
afterAll(async () => {
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

it("a run that is resumed needs the room of a new one", async () => {
  const { runs } = state;
  const make = (id: string) => newRun({ id, procedure: "a.b", principal: { id: "ann", access: ["call"] }, now: 5 });
  const first = make("first");
  await runs.commit([{ kind: "insert", run: first, input: {} }]);
  await runs.commit([{ kind: "update", run: { ...first, version: 2, state: { tag: "cancelled" } }, replaces: 1 }]);
  const others = Array.from({ length: 1_000 }, (_, index) => make(`other-${index}`));
  const added = await runs.commit(others.map((run) => ({ kind: "insert", run, input: {} })));
  expect(new Set(added.map(({ tag }) => tag))).toEqual(new Set(["written"]));
  const resumed = { kind: "update", run: { ...first, version: 3 }, replaces: 2 } as const;
  expect(await runs.commit([resumed])).toEqual([{ tag: "full" }]);
  expect(await runs.find("first")).toMatchObject({ state: { tag: "cancelled" }, version: 2 });
  const [one = first] = others;
  const ended = { kind: "update", run: { ...one, version: 2, state: { tag: "cancelled" } }, replaces: 1 } as const;
  expect(await runs.commit([ended, resumed])).toEqual([{ tag: "written" }, { tag: "written" }]);
});
