/** Runs of a real kernel on a state folder of their own: start, questions, ends, restarts, and who sees what. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ask, confirm, defineContract, error, mutation, query } from "@fairlead/contracts";
import Database from "better-sqlite3";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { type Kernel, openKernel } from "../boot/kernel.ts";
import type { Principal } from "../call/call.ts";
import { defineService } from "../service/service.ts";
import type { RunView } from "./open-runs.ts";

const notes = defineContract({
  id: "notes",
  version: "1.0.0",
  summary: "Notes.",
  procedures: {
    export: mutation({
      summary: "Exports.",
      retry: "idempotent",
      input: z.object({ fail: z.string().optional() }),
      output: z.object({ notes: z.int() }),
      errors: {
        empty: error({ code: "failed_precondition", when: "there is nothing", data: z.object({ at: z.int() }) }),
      },
      run: { attempts: 3, baseMs: 1, capMs: 2, onRestart: "resume" },
    }),
    clear: mutation({
      summary: "Clears.",
      retry: "idempotent",
      input: z.object({}),
      output: z.object({ cleared: z.boolean(), where: z.string() }),
      run: { onRestart: "resume" },
      questions: {
        sure: confirm({ when: "there are many" }),
        where: ask({ when: "always", answer: z.object({ folder: z.string().min(2) }) }),
      },
    }),
    hang: mutation({
      summary: "Hangs.",
      retry: "unsafe",
      input: z.object({}),
      output: z.object({}),
      run: { concurrency: 1 },
    }),
    read: query({ summary: "Reads.", input: z.object({}), output: z.object({}) }),
  },
});

let attempts = 0;
const aborted: string[] = [];

const service = defineService(notes, () => ({
  handlers: {
    export: ({ fail }, call) => {
      attempts += 1;
      call.log(`attempt ${call.run?.attempt}`);
      call.progress({ progress: 1, total: 2 });
      if (fail === "declared") throw call.fail("empty", { message: "nothing is there" }, { at: 3 });
      if (fail === "always" || (fail === "twice" && attempts < 3)) throw new Error("broken");
      return { notes: 7 };
    },
    clear: async (_, call) => {
      const { folder } = await call.question("where", "Where?");
      return { cleared: await call.question("sure", `Clear ${folder}?`), where: folder };
    },
    hang: (_, call) =>
      new Promise((resolve) => {
        call.progress({ progress: 1 });
        call.signal.addEventListener("abort", () => {
          aborted.push(call.run?.id ?? "");
          resolve({});
        });
      }),
    read: () => ({}),
  },
}));

const folders: string[] = [];
const kernels: Kernel[] = [];
const openIn = (folder: string, stays = true): Promise<Kernel> =>
  openKernel({ config: { stateDir: folder, log: { level: "error" } }, services: [service], env: {}, stays });
const open = async (folder: string, stays = true): Promise<Kernel> => {
  const kernel = await openIn(folder, stays);
  kernels.push(kernel);
  return kernel;
};
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "fairlead-runs-"));
  folders.push(folder);
  return folder;
};
const close = async (kernel: Kernel): Promise<void> => {
  kernels.splice(kernels.indexOf(kernel), 1);
  await kernel.close();
};
afterEach(async () => {
  attempts = 0;
  await Promise.all(kernels.splice(0).map((kernel) => kernel.close()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const ann: Principal = { id: "ann", access: ["read", "call"] };
const call = async (kernel: Kernel, procedure: string, input: object, principal?: Principal) =>
  kernel.connect(principal).call(`kernel.${procedure}`, input);
const value = async (kernel: Kernel, procedure: string, input: object, principal?: Principal): Promise<RunView> => {
  const reply = await call(kernel, procedure, input, principal);
  if (!reply.ok) throw new Error(`${procedure}: ${reply.error.message}`);
  return reply.value as RunView;
};
const start = async (
  kernel: Kernel,
  procedure: string,
  input: object = {},
  principal?: Principal,
): Promise<RunView> => {
  const reply = await call(kernel, "startRun", { procedure: `notes.${procedure}`, input }, principal);
  if (!reply.ok) throw new Error(reply.error.message);
  return (reply.value as { readonly run: RunView }).run;
};
/** The run once it is in one of these states, by its own stream of changes. */
const until = (kernel: Kernel, id: string, ...states: readonly RunView["state"][]): Promise<RunView> =>
  untilIt(kernel, id, ({ state }) => states.includes(state));
/** The run once its handler has said something. */
const untilAtWork = (kernel: Kernel, id: string): Promise<RunView> =>
  untilIt(kernel, id, ({ progress, state }) => state === "running" && progress !== null);
const untilIt = async (kernel: Kernel, id: string, fits: (run: RunView) => boolean): Promise<RunView> => {
  const opened = await kernel.connect().subscribe("kernel.watchRun", { id });
  if (!opened.ok) throw new Error(opened.error.message);
  for await (const { value } of opened.items) {
    const run = value as RunView;
    if (fits(run)) return run;
  }
  throw new Error("it has ended, and was never so");
};

describe("a run", () => {
  let kernel: Kernel;
  const folder = mkdtempSync(join(tmpdir(), "fairlead-runs-"));
  beforeAll(async () => {
    kernel = await openIn(folder);
  });
  afterAll(async () => {
    await kernel.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("ends with its output, and shows what it said", async () => {
    const { id, state } = await start(kernel, "export");
    expect(state).toBe("queued");
    expect(await until(kernel, id, "done")).toMatchObject({
      output: { notes: 7 },
      attempt: 1,
      progress: { progress: 1, total: 2 },
      log: [{ text: "attempt 1" }],
      principal: "local",
    });
    // The list is for many, and leaves out what may be large.
    const { items } = (await value(kernel, "listRuns", {})) as unknown as { readonly items: readonly RunView[] };
    expect(items.find((run) => run.id === id)).toMatchObject({ state: "done", output: null, log: [] });
  });

  it("is tried again where that may help, and says what failed", async () => {
    const { id } = await start(kernel, "export", { fail: "twice" });
    expect(await until(kernel, id, "done", "failed")).toMatchObject({ state: "done", attempt: 3 });

    const { id: hopeless } = await start(kernel, "export", { fail: "always" });
    expect(await until(kernel, hopeless, "failed")).toMatchObject({ attempt: 3, error: { code: "internal" } });
    const { id: declared } = await start(kernel, "export", { fail: "declared" });
    expect(await until(kernel, declared, "failed")).toMatchObject({
      attempt: 1,
      error: { reason: "empty", data: { at: 3 } },
    });
    expect(await call(kernel, "listRuns", { state: "failed" })).toMatchObject({
      value: { items: [{ id: declared }, { id: hopeless }] },
    });
  });

  it("is refused at once for what a call would be refused for", async () => {
    const started = (procedure: string, input: object, principal?: Principal) =>
      call(kernel, "startRun", { procedure, input }, principal);
    expect(await started("notes.export", { fail: 1 })).toMatchObject({ error: { code: "invalid_argument" } });
    expect(await started("notes.read", {})).toMatchObject({ error: { reason: "not_startable" } });
    expect(await started("notes.none", {})).toMatchObject({ error: { reason: "not_startable" } });
    const bob: Principal = { id: "bob", access: ["call"], services: ["kernel"] };
    expect(await started("notes.export", {}, bob)).toMatchObject({ error: { code: "permission_denied" } });
  });

  it("is one for each key of a caller", async () => {
    const keyed = (principal?: Principal) =>
      call(kernel, "startRun", { procedure: "notes.export", input: {}, key: "k" }, principal);
    const [first, second, other] = [await keyed(), await keyed(), await keyed(ann)];
    expect(first).toMatchObject({ value: { created: true } });
    const { id } = (first as { value: { run: RunView } }).value.run;
    expect(second).toMatchObject({ value: { created: false, run: { id } } });
    expect(other).toMatchObject({ value: { created: true } });
    expect(other).not.toMatchObject({ value: { run: { id } } });
  });

  it("is seen by its own caller and by an administrator alone", async () => {
    const { id } = await start(kernel, "export", {}, ann);
    await until(kernel, id, "done");
    const bob: Principal = { id: "bob", access: ["read", "call"] };
    expect(await call(kernel, "getRun", { id }, bob)).toMatchObject({ error: { reason: "unknown_run" } });
    expect(await call(kernel, "cancelRun", { id }, bob)).toMatchObject({ error: { reason: "unknown_run" } });
    expect(await call(kernel, "listRuns", {}, bob)).toMatchObject({ value: { items: [] } });
    expect(await call(kernel, "getRun", { id }, ann)).toMatchObject({ ok: true });
    const { items } = (await value(kernel, "listRuns", {})) as unknown as { readonly items: readonly RunView[] };
    expect(items.map((run) => run.id)).toContain(id);
  });

  it("is seen by no token of its caller that may not use its procedure", async () => {
    const { id } = await start(kernel, "clear", {}, ann);
    await until(kernel, id, "waiting");
    const narrow: Principal = { id: "ann", access: ["read", "call"], services: ["kernel"] };
    const reader: Principal = { id: "ann", access: ["read"] };
    const grants: Principal = {
      ...ann,
      grants: [
        { access: ["read", "call"], services: ["kernel"] },
        { access: ["read"], services: ["notes"] },
      ],
    };
    const unknown = { error: { reason: "unknown_run" } };
    for (const principal of [narrow, reader, grants]) {
      expect(await call(kernel, "getRun", { id }, principal)).toMatchObject(unknown);
      expect(await call(kernel, "listRuns", {}, principal)).toMatchObject({ value: { items: [] } });
    }
    for (const principal of [narrow, grants]) {
      const answer = { id, question: "where-1", action: "accept", content: { folder: "attic" } };
      expect(await call(kernel, "answerRun", answer, principal)).toMatchObject(unknown);
      expect(await call(kernel, "cancelRun", { id }, principal)).toMatchObject(unknown);
      expect(await call(kernel, "resumeRun", { id }, principal)).toMatchObject(unknown);
    }
    expect(await value(kernel, "cancelRun", { id }, ann)).toMatchObject({ state: "cancelled" });
  });

  it("is cancelled at work, and lets the next one begin", async () => {
    const { id } = await start(kernel, "hang");
    const { id: next } = await start(kernel, "hang");
    await untilAtWork(kernel, id);
    expect(await value(kernel, "getRun", { id: next })).toMatchObject({ state: "queued" });
    expect(await value(kernel, "cancelRun", { id })).toMatchObject({ state: "cancelled" });
    await until(kernel, next, "running");
    expect(aborted).toContain(id);
    expect(await call(kernel, "cancelRun", { id })).toMatchObject({
      error: { reason: "over", data: { state: "cancelled" } },
    });
    await value(kernel, "cancelRun", { id: next });
  });
});

describe("a question of a run", () => {
  it("is answered once, by the first of many at the same time", async () => {
    const kernel = await open(newFolder());
    const { id } = await start(kernel, "clear");
    const { question } = await until(kernel, id, "waiting");
    expect(question).toMatchObject({
      id: "where-1",
      kind: "form",
      message: "Where?",
      schema: { required: ["folder"] },
    });
    const answer = (folder: string) =>
      call(kernel, "answerRun", { id, question: "where-1", action: "accept", content: { folder } });
    expect(await answer("x")).toMatchObject({ error: { code: "invalid_argument" } });
    const replies = await Promise.all(Array.from({ length: 20 }, (_, at) => answer(`folder ${at}`)));
    expect(replies.filter(({ ok }) => ok)).toHaveLength(1);
    expect(replies.filter((reply) => !reply.ok && reply.error.reason === "answered")).toHaveLength(19);
    const won = replies.findIndex(({ ok }) => ok);
    const { question: second } = await until(kernel, id, "waiting");
    expect(second).toMatchObject({ id: "sure-1", kind: "confirm", message: `Clear folder ${won}?` });
    await value(kernel, "answerRun", { id, question: "sure-1", action: "decline" });
    expect(await until(kernel, id, "done")).toMatchObject({ output: { cleared: false, where: `folder ${won}` } });
  });

  it("outlives the kernel with the answers before it", async () => {
    const folder = newFolder();
    const first = await open(folder);
    const { id } = await start(first, "clear");
    await until(first, id, "waiting");
    await value(first, "answerRun", { id, question: "where-1", action: "accept", content: { folder: "attic" } });
    await until(first, id, "waiting");
    await close(first);
    const second = await open(folder);
    expect(await value(second, "getRun", { id })).toMatchObject({ state: "waiting", question: { id: "sure-1" } });
    await value(second, "answerRun", { id, question: "sure-1", action: "accept" });
    expect(await until(second, id, "done")).toMatchObject({
      output: { cleared: true, where: "attic" },
      attempt: 2,
    });
  });
});

describe("the end of a kernel", () => {
  it("fails a run at work that may not be repeated, and it can be resumed", async () => {
    const folder = newFolder();
    const first = await open(folder);
    const { id } = await start(first, "hang");
    await untilAtWork(first, id);
    await close(first);
    const second = await open(folder);
    expect(await value(second, "getRun", { id })).toMatchObject({
      state: "failed",
      error: { code: "unavailable" },
    });
    expect(await value(second, "resumeRun", { id })).toMatchObject({ state: "queued" });
    await untilAtWork(second, id);
    expect(await call(second, "resumeRun", { id })).toMatchObject({ error: { reason: "not_over" } });
  });

  it("is waited for by no run that starts in a kernel which ends with its caller", async () => {
    const kernel = await open(newFolder(), false);
    expect(await call(kernel, "startRun", { procedure: "notes.export", input: {} })).toMatchObject({
      error: { code: "failed_precondition", hint: expect.stringContaining("fairlead up") },
    });
  });

  it("leaves the runs of a folder to the first kernel that has it", async () => {
    const folder = newFolder();
    const first = await open(folder);
    const { id } = await start(first, "hang");
    await untilAtWork(first, id);
    const second = await open(folder);
    expect(await value(second, "getRun", { id })).toMatchObject({ state: "running" });
    expect(await call(second, "cancelRun", { id })).toMatchObject({ error: { code: "unavailable" } });
    expect(await value(first, "cancelRun", { id })).toMatchObject({ state: "cancelled" });
  });
});

describe("a question of a call", () => {
  it("goes to its caller, and is refused where the caller cannot be asked", async () => {
    const kernel = await open(newFolder());
    const seen: unknown[] = [];
    const reply = await kernel.connect().call(
      "notes.clear",
      {},
      {
        ask: async ({ params }) => {
          seen.push(params.message);
          return { action: "accept", content: { folder: "attic" } };
        },
      },
    );
    expect(reply).toMatchObject({ ok: true, value: { cleared: true, where: "attic" } });
    expect(seen).toEqual(["Where?", "Clear attic?"]);
    expect(await kernel.connect().call("notes.clear", {})).toMatchObject({
      error: { code: "failed_precondition", hint: expect.stringContaining("start it as a run") },
    });
  });
});

describe("what happens around a run", () => {
  it("a damaged record is that run's loss alone", async () => {
    const folder = newFolder();
    const first = await open(folder);
    const [damaged, sound] = [await start(first, "clear"), await start(first, "clear")];
    for (const { id } of [damaged, sound]) await until(first, id, "waiting");
    await close(first);
    const database = new Database(join(folder, "kernel/kernel.sqlite"), { fileMustExist: true });
    database.prepare("UPDATE runs SET record = substr(record, 1, 20) WHERE id = ?").run(damaged.id);
    database.close();
    const second = await open(folder);
    expect(await call(second, "getRun", { id: damaged.id })).toMatchObject({ ok: false, error: { code: "data_loss" } });
    const listed = await call(second, "listRuns", {});
    expect(listed).toMatchObject({ ok: true, value: { items: [{ id: sound.id, state: "waiting" }] } });
    const { id } = await start(second, "export");
    expect(await until(second, id, "done")).toMatchObject({ output: { notes: 7 } });
  });

  it("goes on after a restart of its service, a question that is open included", async () => {
    const kernel = await open(newFolder());
    const { id } = await start(kernel, "clear");
    await until(kernel, id, "waiting");
    expect(await call(kernel, "restart", { service: "notes" })).toMatchObject({ ok: true });
    await vi.waitFor(
      async () => {
        const reply = await call(kernel, "services", {});
        const { services } = reply.ok
          ? (reply.value as { services: { id: string; state: string; restarts: number }[] })
          : { services: [] };
        expect(services.find((each) => each.id === "notes")).toMatchObject({ state: "Ready" });
      },
      { timeout: 60_000 },
    );
    const question = (await value(kernel, "getRun", { id })).question;
    expect(question).toMatchObject({ id: "where-1" });
    await value(kernel, "answerRun", { id, question: "where-1", action: "accept", content: { folder: "attic" } });
    await untilIt(kernel, id, (run) => run.question?.name === "sure");
    await value(kernel, "answerRun", { id, question: "sure-1", action: "accept" });
    expect(await until(kernel, id, "done")).toMatchObject({ attempt: 2, output: { cleared: true, where: "attic" } });
  });
});
