/** Runs by the typed client: started, followed, asked, cancelled and resumed, with the service of docs/runs.md. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, memoryTransport } from "@fairlead/client";
import { openMemoryKernel } from "@fairlead/kernel/memory";
import { afterAll, beforeAll, expect, expectTypeOf, test } from "vitest";
import todo from "../documents/runs/todo.service.ts";

/** As `fairlead gen` writes it. */
const descriptor = {
  id: "todo",
  procedures: {
    add: { name: "todo.add", kind: "mutation", path: "/api/todo/add", retry: "unsafe" },
    remind: { name: "todo.remind", kind: "mutation", path: "/api/todo/remind", retry: "idempotent", run: true },
    clear: { name: "todo.clear", kind: "mutation", path: "/api/todo/clear", retry: "idempotent", run: true },
  },
} as const;

interface TodoTypes {
  add: { input: { text: string }; output: { id: number }; errors: Record<never, never> };
  remind: { run: true; input: { id: number }; output: { text: string }; errors: Record<never, never> };
  clear: {
    run: true;
    questions: { sure: boolean };
    input: Record<never, never>;
    output: { deleted: number };
    errors: Record<never, never>;
  };
}

const stateDir = mkdtempSync(join(tmpdir(), "fairlead-client-runs-"));
let kernel: ReturnType<typeof openMemoryKernel>;
beforeAll(() => {
  kernel = openMemoryKernel([todo], { stateDir });
});
afterAll(async () => {
  await kernel.close();
  rmSync(stateDir, { recursive: true, force: true });
});

const client = () => createClient<TodoTypes>(descriptor, memoryTransport(kernel));

test("a run is started, waits for an answer, and gives its result", async () => {
  const { id } = await client().add({ text: "water the plants" });
  const run = await client().clear.start();
  const seen: string[] = [];
  for await (const { state, question } of run.watch()) {
    seen.push(state);
    if (question === null) continue;
    for (const odd of ["no", "", 0, 1, [], {}, undefined]) {
      const refused = client()
        .clear.run(run.id)
        .answer("sure", odd as unknown as boolean);
      await expect(refused).rejects.toMatchObject({ code: "invalid_argument" });
    }
    await expect(client().clear.run(run.id).answer("sure", true)).resolves.toMatchObject({ id: run.id });
  }
  expect(seen).toContain("waiting");
  expect(seen.at(-1)).toBe("done");
  const result = await run.result();
  expectTypeOf(result).toEqualTypeOf<{ deleted: number }>();
  expect(result).toEqual({ deleted: 1 });
  await expect(run.answer("sure", true)).rejects.toMatchObject({ reason: "not_asked" });
  await expect(run.cancel()).rejects.toMatchObject({ reason: "over" });
  expect(id).toBe(1);
});

test("one key is one run; a run that is cancelled says so, and can be resumed and declined", async () => {
  await client().add({ text: "water the plants" });
  const run = await client().clear.start({}, { key: "daily" });
  expect((await client().clear.start({}, { key: "daily" })).id).toBe(run.id);
  expect(await run.cancel()).toMatchObject({ state: "cancelled" });
  await expect(run.result()).rejects.toMatchObject({ code: "canceled" });
  await run.resume();
  for await (const { state } of run.watch()) if (state === "waiting") break;
  await run.answer("sure", false);
  expect(await run.result()).toEqual({ deleted: 0 });
});

test("what cannot be started is refused as a call is", async () => {
  await expect(client().remind.start({ id: "x" as unknown as number })).rejects.toMatchObject({
    code: "invalid_argument",
    issues: [{ path: "id" }],
  });
  await expect(client().remind.run("none").get()).rejects.toMatchObject({ reason: "unknown_run" });
});
