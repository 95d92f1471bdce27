/** A run that waits for an answer in a real kernel: the one place of its procedure is free for calls and for other runs. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { confirm, defineContract, mutation } from "@fairlead/contracts";
import { afterAll, beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { type Kernel, openKernel } from "../boot/kernel.ts";
import { defineService } from "../service/service.ts";
import type { RunView } from "./open-runs.ts";

const notes = defineContract({
  id: "notes",
  version: "1.0.0",
  summary: "Notes.",
  procedures: {
    clear: mutation({
      summary: "Clears.",
      retry: "idempotent",
      input: z.object({ asks: z.int() }),
      output: z.object({ yes: z.int() }),
      policy: { concurrency: 1, queue: 0 },
      run: { concurrency: 1 },
      questions: { sure: confirm({ when: "it asks" }) },
    }),
  },
});

const service = defineService(notes, () => ({
  handlers: {
    clear: async ({ asks }, call) => {
      const answers = await Promise.all(Array.from({ length: asks }, () => call.question("sure", "Sure?")));
      return { yes: answers.filter((yes) => yes).length };
    },
  },
}));

const folder = mkdtempSync(join(tmpdir(), "fairlead-places-"));
let kernel: Kernel;
beforeAll(async () => {
  kernel = await openKernel({
    config: { stateDir: folder, log: { level: "error" } },
    services: [service],
    env: {},
    stays: true,
  });
});
afterAll(async () => {
  await kernel.close();
  rmSync(folder, { recursive: true, force: true });
});

const runOf = async (procedure: string, input: object): Promise<RunView> => {
  const reply = await kernel.connect().call(`kernel.${procedure}`, input);
  if (!reply.ok) throw new Error(reply.error.message);
  return reply.value as RunView;
};
const start = async (asks: number): Promise<string> => {
  const started = await runOf("startRun", { procedure: "notes.clear", input: { asks } });
  return (started as unknown as { readonly run: RunView }).run.id;
};
const stateOf = async (id: string): Promise<string> => (await runOf("getRun", { id })).state;
const answer = (id: string, question: string): Promise<RunView> =>
  runOf("answerRun", { id, question, action: "accept" });

it("has no place of runs and none of calls while it waits, and ends as ever", async () => {
  const waiting = await Promise.all([start(2), start(1), start(1)]);
  for (const id of waiting) await expect.poll(() => stateOf(id)).toBe("waiting");
  const call = (): Promise<unknown> => kernel.connect().call("notes.clear", { asks: 0 });
  expect(await call()).toEqual({ ok: true, value: { yes: 0 } });
  const [first = "", ...others] = waiting;
  // The second question of a handler that asks two at once is asked after the first.
  await answer(first, "sure-1");
  await expect.poll(() => stateOf(first)).toBe("waiting");
  expect(await call()).toEqual({ ok: true, value: { yes: 0 } });
  await answer(first, "sure-2");
  for (const id of others) await answer(id, "sure-1");
  for (const id of waiting) await expect.poll(() => stateOf(id)).toBe("done");
  expect((await runOf("getRun", { id: first })).output).toEqual({ yes: 2 });
  // No place was given back twice, nor kept.
  expect(await call()).toEqual({ ok: true, value: { yes: 0 } });
  const many = await Promise.all([start(1), start(0)]);
  await expect.poll(() => stateOf(many[1] ?? "")).toBe("done");
  await runOf("cancelRun", { id: many[0] });
  await expect.poll(call).toEqual({ ok: true, value: { yes: 0 } });
});
