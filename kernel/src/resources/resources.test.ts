/** Resources of a contract: addresses, what is filled in, and how changes are followed, over a kernel and on a connection of lines. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { defineContract, query, subscription } from "@fairlead/contracts";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { type Kernel, openKernel } from "../boot/kernel.ts";
import { localPrincipal } from "../call/call.ts";
import { makeLog } from "../observe/log.ts";
import { defineService } from "../service/service.ts";
import { serveStdio } from "../transport/mcp/stdio.ts";
import { findResource, resourcesIn, resourceUri } from "./address.ts";
import { complete, fillInput } from "./choices.ts";
import { followResource } from "./follow.ts";
import { Follows } from "./follows.ts";

const nest = { about: "Its name", choices: { call: "nests", input: { near: "{}" }, path: "nests.name" } } as const;

const birds = defineContract({
  id: "birds",
  version: "1.0.0",
  summary: "Birds.",
  procedures: {
    nests: query({
      summary: "Lists nests.",
      input: z.object({ near: z.string().default("") }),
      output: z.object({ nests: z.array(z.object({ name: z.string() })) }),
      tool: "nests",
    }),
    look: query({
      summary: "Looks into a nest.",
      input: z.object({ name: z.string().max(50) }),
      output: z.object({ eggs: z.int(), song: z.string() }),
    }),
    changes: subscription({ summary: "Changes.", input: z.object({ name: z.string() }), output: z.object({}) }),
  },
  resources: {
    nest: {
      title: "Nest",
      summary: "A nest.",
      path: "nests/{name}",
      read: "look",
      fields: { name: nest },
      changes: { subscription: "changes" },
    },
    song: {
      title: "Song",
      summary: "A song.",
      path: "nests/{name}/song",
      read: "look",
      text: "song",
      type: "text/markdown",
      fields: { name: nest },
    },
    best: {
      title: "Best",
      summary: "The best nest.",
      path: "nests/best",
      read: "look",
      input: { name: "oak" },
      changes: { everyMs: 500 },
    },
  },
});

let kernel: Kernel;
let folder: string;
let eggs = 1;
let laid = Promise.withResolvers<void>();
const lay = (): void => {
  eggs += 1;
  laid.resolve();
  laid = Promise.withResolvers();
};
let watchers = 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "fairlead-birds-"));
  const service = defineService(birds, () => ({
    handlers: {
      nests: () => ({ nests: [{ name: "oak tree/1" }, { name: "élan" }] }),
      look: ({ name }) => ({ eggs, song: `# ${name}` }),
      changes: async function* (_, { signal }) {
        watchers += 1;
        try {
          while (!signal.aborted) {
            await Promise.race([
              laid.promise,
              new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true })),
            ]);
            if (!signal.aborted) yield {};
          }
        } finally {
          watchers -= 1;
        }
      },
    },
  }));
  kernel = await openKernel({
    env: {},
    services: [service],
    flags: { port: 0, stateDir: folder },
    log: makeLog({ level: "error", write: () => {} }),
  });
});

afterAll(async () => {
  await kernel.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("an address", () => {
  test("has each value as one part, whatever is in it", () => {
    const named = resourcesIn([birds]).find(({ name }) => name === "birds_song");
    if (named === undefined) throw new Error("no resource");
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }), (name) => {
        expect(findResource([birds], resourceUri(named, { name }))).toMatchObject({
          name: "birds_song",
          values: { name },
        });
      }),
    );
  });

  test("of a word wins over one of a field; what is no address is of nothing", () => {
    expect(findResource([birds], "fairlead://birds/nests/best")?.name).toBe("birds_best");
    expect(findResource([birds], "fairlead://birds/nests/other")?.name).toBe("birds_nest");
    for (const uri of [
      "fairlead://birds/nests",
      "fairlead://birds/nests/",
      "fairlead://fish/nests/best",
      "http://birds/nests/best",
      "fairlead://birds/nests/%",
      `fairlead://birds/nests/${"x".repeat(5_000)}`,
    ])
      expect(findResource([birds], uri)).toBeUndefined();
  });
});

test("an input is filled in at every depth, and what is not known is left out", () => {
  const input = { a: ["{x}", 1, { b: "{y}" }], c: "{}", d: "{x} y", e: null };
  expect(fillInput(input, { x: "{y}", y: "2" }, "typed")).toEqual({
    a: ["{y}", 1, { b: "2" }],
    c: "typed",
    d: "{x} y",
    e: null,
  });
  expect(fillInput({ x: "{toString}" }, {})).toEqual({});
});

test("what is typed is looked for from the beginning first, a hundred values at most", () => {
  expect(complete(["b-a", "Ab", "c", "ab"], "A")).toEqual({ values: ["Ab", "ab", "b-a"], total: 3 });
  expect(
    complete(
      Array.from({ length: 150 }, (_, at) => `v${at}`),
      "v",
    ),
  ).toMatchObject({ total: 150, values: { length: 100 } });
});

const follow = async (uri: string) => {
  const end = new AbortController();
  const opened = await kernel.connect().subscribe("kernel.watchResource", { uri }, { signal: end.signal });
  if (!opened.ok) throw new Error(opened.error.message);
  const seen: unknown[] = [];
  const reading = (async () => {
    for await (const { value } of opened.items) seen.push(value);
  })().catch(() => undefined);
  const stop = (): Promise<void> => {
    end.abort();
    return reading;
  };
  return { seen, stop };
};

describe("a change is known", () => {
  test("by a subscription, which ends with its follower", async () => {
    const followed = await follow("fairlead://birds/nests/oak");
    await expect.poll(() => followed.seen.length).toBe(1);
    await expect.poll(() => watchers).toBe(1);
    lay();
    await expect.poll(() => followed.seen).toMatchObject([{}, { uri: "fairlead://birds/nests/oak" }]);
    await followed.stop();
    await expect.poll(() => watchers).toBe(0);
  });

  test("by reading it again", async () => {
    const followed = await follow("fairlead://birds/nests/best");
    const seen = (): number => {
      lay();
      return followed.seen.length;
    };
    await expect.poll(seen).toBeGreaterThan(1);
    await followed.stop();
  });

  test("on a connection of lines, while its request stands", async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    let text = "";
    output.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
    const tool = { name: "nests", description: "Nests", inputSchema: { type: "object" as const } };
    const tools = async () => [{ procedure: "birds.nests", tool }] as never;
    const manifest = { ...kernel.manifest, services: [], tools };
    const surroundings = { ...kernel.surroundings, manifest };
    const server = await serveStdio(surroundings, { streams: { input, output } });
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "lines", version: "1.0.0" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const send = (message: object): void => void input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    const notifications = { resourceSubscriptions: ["fairlead://birds/nests/oak"] };
    send({ id: "sub", method: "subscriptions/listen", params: { _meta: meta, notifications } });
    await expect.poll(() => watchers).toBe(1);
    lay();
    await expect.poll(() => text).toContain("notifications/resources/updated");
    send({ method: "notifications/cancelled", params: { requestId: "sub" } });
    await expect.poll(() => watchers).toBe(0);
    send({ id: "again", method: "subscriptions/listen", params: { _meta: meta, notifications } });
    await expect.poll(() => watchers).toBe(1);
    await server.close();
    await expect.poll(() => watchers).toBe(0);
  });
});

test("a subscription that is refused, or ends, is no change until another one is open; what is refused waits longer each time", async () => {
  const found = findResource([birds], "fairlead://birds/nests/oak");
  if (found === undefined) throw new Error("no resource");
  const end = new AbortController();
  const log: string[] = [];
  const tries = ["refused", "refused", "refused", "ends", "refused", "fails", "lasts"];
  const dispatch = {
    subscribe: async () => {
      const next = tries.shift() ?? "over";
      log.push(next);
      if (next === "refused") return { ok: false, error: { code: "permission_denied", message: "no" } };
      const items = async function* () {
        if (next === "fails") throw new Error("it has failed");
        if (next === "lasts") yield {};
      };
      return { ok: true, items: items() };
    },
  } as unknown as Parameters<typeof followResource>[0]["dispatch"];
  const pause = async (milliseconds: number): Promise<void> => {
    log.push(`${milliseconds / 1_000} s`);
    if (tries.length === 0) end.abort();
  };
  const terms = { principal: localPrincipal, transport: "mcp" } as const;
  await followResource({ dispatch, terms }, found, {
    signal: end.signal,
    changed: () => log.push("changed"),
    begun: () => log.push("begun"),
    pause,
  });
  expect(log).toEqual([
    ...["refused", "begun", "5 s", "refused", "10 s", "refused", "20 s", "ends", "changed", "5 s"],
    ...["refused", "10 s", "fails", "changed", "5 s", "lasts", "changed", "changed", "5 s"],
  ]);
});

test("a thing is followed once, for as long as somebody wants it, and not too many of them", () => {
  const follows = new Follows(1);
  const signals: AbortSignal[] = [];
  const start = { run: async ({ signal }: { signal: AbortSignal }) => void signals.push(signal), changed: () => {} };
  const [first, second] = [follows.open({ key: "a", ...start }), follows.open({ key: "a", ...start })];
  expect(signals).toHaveLength(1);
  expect(follows.open({ key: "b", ...start })).toBeUndefined();
  first?.();
  first?.();
  expect(signals[0]?.aborted).toBe(false);
  second?.();
  expect(signals[0]?.aborted).toBe(true);
  expect(follows.open({ key: "b", ...start })).toBeDefined();
  follows.close();
  expect(signals[1]?.aborted).toBe(true);
  expect(follows.open({ key: "c", ...start })).toBeUndefined();
  expect(signals).toHaveLength(2);
});

test("each that follows a thing is notified; one caller does not take the places of others", () => {
  const follows = new Follows(10, 2);
  const notices: string[] = [];
  const changes: (() => void)[] = [];
  const open = (key: string, owner: string, name: string) =>
    follows.open({
      key,
      owner,
      run: async ({ changed }) => void changes.push(changed),
      changed: () => notices.push(name),
    });
  const first = open("a", "ann", "first");
  expect(open("a", "ann", "second")).toBeDefined();
  first?.();
  changes[0]?.();
  expect(notices).toEqual(["second"]);
  expect(open("b", "ann", "third")).toBeDefined();
  expect(open("c", "ann", "fourth")).toBeUndefined();
  const other = open("c", "bob", "fifth");
  expect(other).toBeDefined();
  other?.();
  expect(open("a", "ann", "sixth")).toBeDefined();
  follows.close();
});
