/**
 * One suite over every way in and every place that a service can run in: the same input gives the same output or the same error. Run by
 * `suite.test.ts` and `thread.test.ts`.
 */
import { randomUUID } from "node:crypto";
import type { WireError } from "@fairlead/contracts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cases } from "./cases.ts";
import { type RunningProject, startProject } from "./kernel.ts";
import { openMemory } from "./memory.ts";
import type { Outcome, Wire } from "./wire.ts";

export interface NamedWire {
  readonly name: string;
  /** MCP tools do not stream, so those wires have no subscriptions. */
  readonly streams: boolean;
  /** False where the server is not told that a caller has hung up. Default true. */
  readonly seesHangUp?: boolean;
  readonly open: (project: RunningProject) => Promise<Wire>;
}

/** What must not differ: ids are per failure, and the paths of oversized input are the transport's to word. */
const comparable = (outcome: Outcome): unknown => {
  if (outcome.ok) return outcome;
  const { id, message, hint, ...rest } = outcome.error;
  return { ok: false, error: { ...rest, hasId: id !== undefined } };
};

/** Runs the cases over these wires, against one kernel. `config` is what its configuration has in addition, or starts what that needs. */
export const testWires = (wires: readonly NamedWire[], config: object | (() => Promise<object>) = {}): void => {
  let project: RunningProject;
  beforeAll(async () => {
    project = await startProject(typeof config === "function" ? await config() : config);
  });
  afterAll(() => project.kernel.close());

  describe.each(wires)("over $name", ({ streams, seesHangUp = true, open }) => {
    let wire: Wire;
    let memory: Wire;
    beforeAll(async () => {
      wire = await open(project);
      memory = openMemory(project.kernel);
    });
    afterAll(() => wire?.close());

    it.each(cases)("$name", async ({ procedure, input, options, error }) => {
      const outcome = await wire.call(procedure, input, options);
      if (error === undefined) expect(outcome).toMatchObject({ ok: true });
      else expect(outcome).toMatchObject({ ok: false, error });
      const reference = await memory.call(procedure, input, options);
      if (procedure === "probe.off") return;
      expect(comparable(outcome)).toEqual(comparable(reference));
      if (outcome.ok && reference.ok) expect(JSON.stringify(outcome.value)).toBe(JSON.stringify(reference.value));
    });

    it("shows nothing of a defect", async () => {
      const outcome = await wire.call("probe.crash", {});
      expect(JSON.stringify(outcome)).not.toMatch(/secret|TypeError|\.ts/);
    });

    it("refuses a procedure that is not there", async () => {
      expect(await wire.call("probe.nothing", {})).toMatchObject({ ok: false, error: { code: "not_found" } });
    });

    it("hides a procedure that is switched off", async () => {
      const outcome = await wire.call("probe.off", {});
      expect(outcome.ok).toBe(false);
      expect(["unimplemented", "not_found"]).toContain((outcome as { readonly error: WireError }).error.code);
    });

    it("runs a keyed call once for its key", async () => {
      const options = { idempotencyKey: randomUUID() };
      const first = await wire.call("probe.pay", { amount: 5 }, options);
      expect(first).toMatchObject({ ok: true, value: { amount: 5 } });
      expect(await wire.call("probe.pay", { amount: 5 }, options)).toEqual(first);
      expect(await wire.call("probe.pay", { amount: 6 }, options)).toMatchObject({
        ok: false,
        error: { code: "failed_precondition" },
      });
    });

    if (!seesHangUp) return;

    it("interrupts the handler when the caller gives up", async () => {
      const name = randomUUID();
      const controller = new AbortController();
      const waiting = wire.call("probe.wait", { name }, { signal: controller.signal });
      const seen = async (): Promise<unknown> => wire.call("probe.ended", { name });
      await expect.poll(seen).toMatchObject({ value: { started: 1, ended: 0 } });
      controller.abort();
      expect(await waiting).toMatchObject({ ok: false, error: { code: "canceled" } });
      await expect.poll(seen).toMatchObject({ value: { started: 1, ended: 1 } });
    });

    if (!streams) return;

    it("streams, and ends the handler when the reader leaves", async () => {
      const subscribe = wire.subscribe?.bind(wire);
      if (subscribe === undefined) throw new Error("this wire should stream");
      expect(await subscribe("probe.count", { to: 3 }, 5)).toEqual([{ value: 1 }, { value: 2 }, { value: 3 }]);
      const name = randomUUID();
      expect(await subscribe("probe.endless", { name }, 1)).toEqual([{ value: 1 }]);
      await expect.poll(() => wire.call("probe.ended", { name })).toMatchObject({ value: { started: 1, ended: 1 } });
    });
  });
};
