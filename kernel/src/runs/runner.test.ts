/** Runs over a store in memory and handlers that the test is in the middle of: attempts, what they report, and writes that get lost. */
import { type Procedure, query } from "@fairlead/contracts";
import { afterEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { type CallRequest, localPrincipal, type Reply } from "../call/call.ts";
import { failure } from "../call/error.ts";
import { memoryRunStore } from "../testing/memory-run-store.ts";
import { openRuns, type Runs, type RunView } from "./open-runs.ts";
import type { RunStore } from "./store.ts";

const common = { summary: "Works.", input: z.object({}), output: z.object({}) };
const repeated = query({ ...common, run: { attempts: 3, baseMs: 1, capMs: 1, onRestart: "resume" } });
/** As a contract in JavaScript can say it. */
const unrepeated = (retry: Procedure["retry"]): Procedure => ({ ...repeated, retry }) as Procedure;

const opened: Runs[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((runs) => runs.close()));
});

type Handler = (request: CallRequest) => Promise<Reply> | Reply;
const open = async (handler: Handler, procedure: Procedure = repeated, store: RunStore = memoryRunStore()) => {
  const startable = { procedure, access: "call" as const, check: () => {} };
  const parts = {
    kernel: "one",
    claims: "yes" as const,
    store,
    stays: true,
    call: async (request: CallRequest) => handler(request),
    find: () => startable,
    isClosing: () => false,
    isDraining: () => false,
    onState: () => {},
    uptime: () => performance.now(),
    now: Date.now,
    random: () => 0,
  };
  const runs = await openRuns(parts);
  opened.push(runs);
  return runs;
};
const start = async (runs: Runs): Promise<string> =>
  (await runs.start({ procedure: "a.b", input: {} }, localPrincipal)).run.id;
const until = async (runs: Runs, id: string, fits: (run: RunView) => boolean): Promise<RunView> => {
  for await (const { run } of runs.watch(id, localPrincipal)) if (fits(run)) return run;
  throw new Error("it has ended, and was never so");
};
const untilIn = (runs: Runs, id: string, ...states: readonly RunView["state"][]): Promise<RunView> =>
  until(runs, id, ({ state }) => states.includes(state));
const failed = (): Reply => ({ ok: false, error: failure("unavailable", "not now").toJSON() });
const done: Reply = { ok: true, value: {} };

describe("an attempt", () => {
  it("has a number of its own, after a resumption too", async () => {
    const seen: unknown[] = [];
    const runs = await open(({ run }) => {
      seen.push(run?.attempt);
      return failed();
    });
    const id = await start(runs);
    expect(await untilIn(runs, id, "failed")).toMatchObject({ attempt: 3 });
    await runs.resume(id, localPrincipal);
    expect(await untilIn(runs, id, "failed")).toMatchObject({ attempt: 6 });
    expect(seen).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it("is not made again where there is no room for one more open run, and is once there is", async () => {
    const store = memoryRunStore();
    let attempts = 0;
    const runs = await open(
      () => {
        attempts += 1;
        return attempts === 1 ? { ok: false, error: failure("not_found", "gone").toJSON() } : done;
      },
      repeated,
      store,
    );
    const id = await start(runs);
    await untilIn(runs, id, "failed");
    store.isFull = true;
    await expect(runs.resume(id, localPrincipal)).rejects.toMatchObject({ code: "resource_exhausted" });
    expect(await runs.get(id, localPrincipal)).toMatchObject({ state: "failed", attempt: 1 });
    store.isFull = false;
    await runs.resume(id, localPrincipal);
    expect(await untilIn(runs, id, "done")).toMatchObject({ attempt: 2 });
    expect(attempts).toBe(2);
  });

  it.each(["unsafe", "keyed"] as const)("is the only one of what is %s", async (retry) => {
    const runs = await open(failed, unrepeated(retry));
    expect(await untilIn(runs, await start(runs), "failed")).toMatchObject({ attempt: 1 });
  });

  it.each(["unsafe", "keyed"] as const)("of what is %s is not made again by a later kernel", async (retry) => {
    const store = memoryRunStore();
    const began = Promise.withResolvers<void>();
    const first = await open(
      () => {
        began.resolve();
        return Promise.withResolvers<Reply>().promise;
      },
      unrepeated(retry),
      store,
    );
    const id = await start(first);
    await began.promise;
    await first.close();
    const second = await open(() => done, unrepeated(retry), store);
    expect(await second.get(id, localPrincipal)).toMatchObject({ state: "failed", error: { code: "unavailable" } });
  });
});

/** What a handler asks as `call.question` does. */
const sure = (name = "sure") =>
  ({
    method: "elicitation/create",
    params: { message: "Sure?", requestedSchema: { properties: {} }, _meta: { "fairlead/question": name } },
  }) as const;

describe("a question", () => {
  it("of an attempt that has ended keeps no later one from asking, and has no answer", async () => {
    const left = Promise.withResolvers<unknown>();
    const late = Promise.withResolvers<unknown>();
    let first: CallRequest | undefined;
    const runs = await open(async (request) => {
      if (request.run?.attempt === 1) {
        first = request;
        left.resolve(
          request.ask?.(sure()).then(
            () => "answered",
            (error: unknown) => error,
          ),
        );
        return failed();
      }
      late.resolve(
        first?.ask?.(sure("late")).then(
          () => "answered",
          (error: unknown) => error,
        ),
      );
      first?.onProgress?.({ progress: 99 });
      return { ok: true, value: await request.ask?.(sure()) };
    });
    const id = await start(runs);
    const waiting = await until(runs, id, ({ attempt, state }) => attempt === 2 && state === "waiting");
    expect(waiting).toMatchObject({ question: { id: "sure-1" }, progress: null });
    expect(await left.promise).toMatchObject({ code: "canceled" });
    expect(await late.promise).toMatchObject({ code: "canceled" });
    await runs.answer(id, { question: "sure-1", action: "accept" }, localPrincipal);
    expect(await untilIn(runs, id, "done")).toMatchObject({ output: { action: "accept" } });
  });
});

describe("the place of a run", () => {
  const alone = query({ ...common, run: { concurrency: 1 } });

  it("is another's while it waits for an answer, and it goes on when it has one again", async () => {
    const names = ["a", "b", "c"];
    const begun: string[] = [];
    const goOn = Promise.withResolvers<void>();
    const runs = await open(async ({ run, ask }) => {
      const name = names.shift() ?? "";
      begun.push(name);
      if (name === "b") await goOn.promise;
      else await ask?.(sure());
      begun.push(`${name} goes on`);
      return { ok: true, value: { run: run?.id } };
    }, alone);
    const first = await start(runs);
    await untilIn(runs, first, "waiting");
    const second = await start(runs);
    await expect.poll(() => begun).toEqual(["a", "b"]);
    const third = await start(runs);
    await runs.answer(first, { question: "sure-1", action: "accept" }, localPrincipal);
    expect((await runs.get(third, localPrincipal)).state).toBe("queued");
    expect(begun).toEqual(["a", "b"]);
    goOn.resolve();
    await untilIn(runs, second, "done");
    await untilIn(runs, first, "done");
    // Before one that has not begun.
    await untilIn(runs, third, "waiting");
    expect(begun).toEqual(["a", "b", "b goes on", "a goes on", "c"]);
  });

  it("is not taken by one that was cancelled while it waited for it", async () => {
    const goOn = Promise.withResolvers<void>();
    let begun = 0;
    const runs = await open(async ({ ask }) => {
      begun += 1;
      if (begun === 1) await ask?.(sure());
      if (begun === 2) await goOn.promise;
      return done;
    }, alone);
    const first = await start(runs);
    await untilIn(runs, first, "waiting");
    const second = await start(runs);
    await expect.poll(() => begun).toBe(2);
    await runs.answer(first, { question: "sure-1", action: "accept" }, localPrincipal);
    await runs.cancel(first, localPrincipal);
    goOn.resolve();
    await untilIn(runs, second, "done");
    await untilIn(runs, await start(runs), "done");
    await untilIn(runs, await start(runs), "done");
  });
});

describe("what a handler in JavaScript reports", () => {
  const report = async (what: (request: CallRequest) => void) => {
    const runs = await open((request) => {
      what(request);
      return done;
    });
    return untilIn(runs, await start(runs), "done");
  };
  const progress = (raw: object) => report(({ onProgress }) => onProgress?.(raw as never));

  it("is kept where it is progress, and left out where it is none", async () => {
    expect(await progress({ progress: 0 / 0 })).toMatchObject({ progress: null });
    expect(await progress({ progress: 1n })).toMatchObject({ progress: null });
    const kept = await progress({ progress: 1, total: 1 / 0, message: "x".repeat(5_000), other: 1n });
    expect(kept.progress).toEqual({ progress: 1, message: "x".repeat(1_000) });
  });

  it("is a line of log, whatever it is", async () => {
    expect(await report(({ onLog }) => onLog?.(7 as never))).toMatchObject({ log: [{ text: "7" }] });
  });
});

describe("the store", () => {
  /** As SQLite's: what has no form in JSON fails the commit. */
  const jsonStore = () => {
    const store = memoryRunStore();
    store.before = async (writes) => void JSON.stringify(writes);
    return store;
  };

  it("gets all runs but the one that has no form in JSON, which fails", async () => {
    const store = jsonStore();
    let bad: string | undefined;
    const runs = await open(
      ({ run }) => {
        bad ??= run?.id;
        return run?.id === bad
          ? { ok: false, error: { ...failure("internal", "x").toJSON(), data: 1n } as never }
          : done;
      },
      unrepeated("unsafe"),
      store,
    );
    const [first, second] = await Promise.all([start(runs), start(runs)]);
    expect(await untilIn(runs, first, "failed", "done")).toMatchObject({
      state: "failed",
      error: { code: "internal" },
    });
    expect(await untilIn(runs, second, "failed", "done")).toMatchObject({ state: "done", output: {} });
    expect(store.runs.get(first)?.state.tag).toBe("failed");
    expect(bad).toBe(first);
  });

  it("keeps no result that has no form in JSON: the run fails", async () => {
    const runs = await open(() => ({ ok: true, value: { a: 1n } }), unrepeated("unsafe"));
    expect(await untilIn(runs, await start(runs), "failed")).toMatchObject({ error: { code: "internal" } });
  });

  it("refuses an input that has no form in JSON", async () => {
    const runs = await open(() => done, repeated, jsonStore());
    await expect(runs.start({ procedure: "a.b", input: 1n }, localPrincipal)).rejects.toMatchObject({
      code: "invalid_argument",
    });
    expect(await untilIn(runs, await start(runs), "done")).toMatchObject({ state: "done" });
  });

  /** Commits, and reports the first of those that fit as failed. */
  const withLostReply = (fits: (tag: string, kind: string) => boolean) => {
    const store = memoryRunStore();
    let isLost = false;
    const commit: RunStore["commit"] = async (writes) => {
      const results = await store.commit(writes);
      const isMeant = writes.some((write) => "run" in write && fits(write.run.state.tag, write.kind));
      if (isLost || !isMeant) return results;
      isLost = true;
      throw failure("unavailable", "the thread that writes the kernel's state has ended");
    };
    return { ...store, commit };
  };

  it.each(["running", "done"])("has lost only the acknowledgement of a run that is %s", async (tag) => {
    const store = withLostReply((written) => written === tag);
    const aborted: string[] = [];
    const runs = await open(
      ({ run, signal }) => {
        signal?.addEventListener("abort", () => aborted.push(run?.id ?? ""));
        return done;
      },
      repeated,
      store,
    );
    const id = await start(runs);
    expect(await untilSaved(runs, id)).toMatchObject({ state: "done" });
    expect(store.runs.get(id)?.state.tag).toBe("done");
    expect(aborted).toEqual([]);
  });

  it("has lost the acknowledgement of a start, and the run is worked on", async () => {
    const store = withLostReply((_, kind) => kind === "insert");
    const began = Promise.withResolvers<string>();
    const runs = await open(
      ({ run }) => {
        began.resolve(run?.id ?? "");
        return done;
      },
      repeated,
      store,
    );
    await expect(start(runs)).rejects.toMatchObject({ code: "unavailable" });
    expect(await untilSaved(runs, await began.promise)).toMatchObject({ state: "done" });
  });
});

/** The run once it has ended, however often the disk fails meanwhile. */
const untilSaved = async (runs: Runs, id: string): Promise<RunView> =>
  untilIn(runs, id, "done", "failed").catch(() => untilSaved(runs, id));

describe("places", () => {
  it("are free once no more of the work goes on, also of a handler that ignores its signal", async () => {
    const began: CallRequest[] = [];
    const two = Promise.withResolvers<void>();
    const runs = await open(
      (request) => {
        request.onWork?.(true);
        if (began.push(request) === 2) two.resolve();
        return Promise.withResolvers<Reply>().promise;
      },
      query({ ...common, run: { concurrency: 1 } }),
    );
    const id = await start(runs);
    await until(runs, id, ({ state }) => state === "running");
    await runs.cancel(id, localPrincipal);
    const next = await start(runs);
    expect(await runs.get(next, localPrincipal)).toMatchObject({ state: "queued" });
    began[0]?.onWork?.(false);
    expect(await untilIn(runs, next, "running")).toMatchObject({ attempt: 1 });
    await two.promise;
  });
});
