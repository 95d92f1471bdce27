/**
 * Random restarts of services under load: every call is answered once, no handler touches what was released, nothing is lost.
 *
 * Three services, one of them bound to another: restarted by request, by a fiber that dies and by starts that fail, while plain
 * handlers, Effect handlers, peers' calls and streams run. The seed is printed.
 */
import { defineContract, FairleadError, mutation, query, subscription } from "@fairlead/contracts";
import { openMemoryKernel } from "@fairlead/kernel/memory";
import { defineService } from "@fairlead/kernel/service";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Stream from "effect/Stream";
import { expect, test } from "vitest";
import * as z from "zod";

const contractOf = (id: string) =>
  defineContract({
    id,
    version: "1.0.0",
    summary: "Counts.",
    procedures: {
      quick: query({ summary: "Answers at once.", input: z.object({ n: z.int() }), output: z.int() }),
      slow: query({ summary: "Answers later.", input: z.object({ n: z.int() }), output: z.int() }),
      add: mutation({ summary: "Adds.", retry: "unsafe", input: z.object({ n: z.int() }), output: z.int() }),
      follow: subscription({ summary: "Follows.", input: z.object({}), output: z.int() }),
    },
  });

/** What one run of a service has open: a handler that finds it closed ran over released resources. */
class Resource {
  isOpen = true;

  constructor() {
    counts.starts += 1;
  }

  readonly use = (): void => {
    if (!this.isOpen) counts.onReleased += 1;
  };
  readonly release = Effect.sync(() => {
    this.isOpen = false;
  });
}

const counts = { onReleased: 0, starts: 0, handled: new Map<number, number>() };

const handle = (n: number): number => {
  counts.handled.set(n, (counts.handled.get(n) ?? 0) + 1);
  return n;
};

/** Mulberry32: small, and the same everywhere. */
const seeded = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
};

const tick = (random: () => number): Promise<void> => {
  const turns = Math.floor(random() * 6);
  return turns === 0 ? new Promise((resolve) => setImmediate(resolve)) : after(turns);
};
const after = async (turns: number): Promise<void> => {
  for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve));
};

type Crash = () => void;

/** A service that fails every fifth of its starts, and whose background fiber can be killed. */
const plainService = (id: string, random: () => number, crashes: Map<string, Crash>) =>
  defineService(contractOf(id), () => {
    if (random() < 0.2) throw new FairleadError({ code: "unavailable", message: "not yet", retryable: true });
    return Effect.gen(function* () {
      const end = yield* Deferred.make<never, Error>();
      yield* Effect.forkScoped(Deferred.await(end));
      crashes.set(id, () => Deferred.doneUnsafe(end, Effect.fail(new Error("killed"))));
      const resource = new Resource();
      yield* Effect.addFinalizer(() => resource.release);
      const later = async (n: number): Promise<number> => {
        resource.use();
        await tick(random);
        resource.use();
        return handle(n);
      };
      return {
        handlers: {
          quick: ({ n }: { readonly n: number }) => {
            resource.use();
            return handle(n);
          },
          slow: ({ n }: { readonly n: number }) => later(n),
          add: ({ n }: { readonly n: number }) => later(n),
          follow: async function* () {
            for (let n = 0; ; n++) {
              resource.use();
              yield n;
              await tick(random);
            }
          },
        },
      };
    });
  });

/** The same in Effects, bound to another service. */
const effectService = (id: string, other: string, random: () => number) => {
  let resource: Resource;
  const layer = Layer.effectDiscard(
    Effect.acquireRelease(
      Effect.sync(() => {
        resource = new Resource();
        return resource;
      }),
      ({ release }) => release,
    ),
  );
  const later = (n: number) =>
    Effect.gen(function* () {
      const mine = resource;
      mine.use();
      yield* Effect.promise(() => tick(random));
      mine.use();
      return n;
    });
  return defineService(contractOf(id), {
    layer,
    supervision: { restartWith: [other] },
    handlers: {
      quick: ({ n }) => Effect.sync(() => handle(n)),
      slow: ({ n }) => Effect.map(later(n), handle),
      add: ({ n }) => Effect.map(later(n), handle),
      follow: () => Stream.fromEffectRepeat(later(-1)),
    },
  });
};

/** What became of the calls: each is answered exactly once, or has failed with a typed error. */
interface Tally {
  sent: number;
  answered: number;
  failed: Map<string, number>;
  wrong: number;
}

const load = async (
  kernel: ReturnType<typeof openMemoryKernel>,
  tally: Tally,
  { random, ids, isOver }: { random: () => number; ids: readonly string[]; isOver: () => boolean },
): Promise<void> => {
  while (!isOver()) {
    const id = ids[Math.floor(random() * ids.length)] ?? "";
    const kind = ["quick", "slow", "add", "follow"][Math.floor(random() * 4)] ?? "quick";
    if (kind === "follow") {
      await follow(kernel, `${id}.follow`, random);
      continue;
    }
    tally.sent += 1;
    const n = tally.sent;
    const reply = await kernel.call(`${id}.${kind}`, { n }, { timeoutMs: 600_000 });
    if (reply.ok) {
      tally.answered += 1;
      if (reply.value !== n || counts.handled.get(n) !== 1) tally.wrong += 1;
    } else {
      const { code } = reply.error;
      tally.failed.set(code, (tally.failed.get(code) ?? 0) + 1);
      if ((counts.handled.get(n) ?? 0) > 1) tally.wrong += 1;
    }
    await after(1);
  }
};

const follow = async (kernel: ReturnType<typeof openMemoryKernel>, procedure: string, random: () => number) => {
  const opened = await kernel.subscribe(procedure, {}).catch(() => undefined);
  if (opened?.ok !== true) return;
  let left = 1 + Math.floor(random() * 5);
  try {
    for await (const _ of opened.items) if (--left === 0) break;
  } catch (error) {
    if (!(error instanceof FairleadError) || error.code !== "unavailable") throw error;
  }
};

export const testRestarts = (restarts: number, seed = Date.now() % 1_000_000): void => {
  test(`${restarts} random restarts under load answer every call once (seed ${seed})`, {
    timeout: 3_600_000,
  }, async () => {
    counts.onReleased = 0;
    counts.starts = 0;
    counts.handled.clear();
    const random = seeded(seed);
    const crashes = new Map<string, Crash>();
    const ids = ["one", "two", "bound"];
    const backoff = { baseMs: 1, capMs: 2, slowMs: 4 };
    const lines: string[] = [];
    const kernel = openMemoryKernel(
      [
        plainService("one", random, crashes),
        plainService("two", random, crashes),
        effectService("bound", "one", random),
      ],
      {
        env: {},
        supervision: Object.fromEntries(ids.map((id) => [id, { backoff, graceMs: random() < 0.5 ? 1 : 3_000 }])),
        log: (_level, message) => {
          if (!lines.includes(message)) lines.push(message);
        },
      },
    );
    const tally: Tally = { sent: 0, answered: 0, failed: new Map(), wrong: 0 };
    // The first start of each is not a restart.
    const isOver = (): boolean => counts.starts >= restarts + ids.length;
    const callers = Array.from({ length: 16 }, () => load(kernel, tally, { random, ids, isOver }));
    while (!isOver()) {
      const id = ids[Math.floor(random() * ids.length)] ?? "one";
      if (random() < 0.3) crashes.get(id)?.();
      else await kernel.call("kernel.restart", { service: id });
      await after(Math.floor(random() * 40));
    }
    await Promise.all(callers);
    await kernel.close();
    const failed = [...tally.failed.values()].reduce((sum, count) => sum + count, 0);
    const twice = [...counts.handled.values()].filter((count) => count > 1).length;
    const lost = tally.sent - tally.answered - failed;
    console.info(
      JSON.stringify({
        seed,
        restarts,
        ...tally,
        failed: Object.fromEntries(tally.failed),
        twice,
        lost,
        onReleased: counts.onReleased,
        lines,
      }),
    );
    expect({ twice, lost, wrong: tally.wrong, onReleased: counts.onReleased }).toEqual({
      twice: 0,
      lost: 0,
      wrong: 0,
      onReleased: 0,
    });
    expect([...tally.failed.keys()].filter((code) => code !== "unavailable")).toEqual([]);
    expect(tally.answered).toBeGreaterThan(0);
    expect(lines).not.toContain("handlers ignore that their service stops");
  });
};
