/** Resources that are followed in the stateless era: who hears of a change, and what ends with the connection. */
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineContract, query, subscription } from "@fairlead/contracts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { type Kernel, openKernel } from "../../../boot/kernel.ts";
import { localPrincipal } from "../../../call/call.ts";
import type { Manifest } from "../../../host/manifest.ts";
import { makeLog } from "../../../observe/log.ts";
import type { ResourceSource } from "../../../resources/resources.ts";
import { defineService } from "../../../service/service.ts";
import { envelope, modern, rpc, send } from "../../../testing/mcp-fake-client.ts";
import { LineFollows } from "./listen.ts";

const nothing = z.object({});
const boxes = defineContract({
  id: "boxes",
  version: "1.0.0",
  summary: "A box of each caller.",
  procedures: {
    look: query({ summary: "Looks into it.", input: nothing, output: nothing }),
    letters: subscription({ summary: "Letters of the caller.", input: nothing, output: nothing }),
    rings: subscription({ summary: "Rings at the caller's door.", input: nothing, output: nothing }),
  },
  resources: {
    box: { title: "Box", summary: "A box.", path: "box", read: "look", changes: { subscription: "letters" } },
    bell: { title: "Bell", summary: "A bell.", path: "bell", read: "look", changes: { subscription: "rings" } },
  },
});
const [box, bell] = ["fairlead://boxes/box", "fairlead://boxes/bell"];

/** What waits for the next letter or ring of somebody. */
const waiting = new Map<string, Set<() => void>>();
const change = (what: string): void => {
  for (const wake of waiting.get(what) ?? []) wake();
};
const watchers = (what: string): number => waiting.get(what)?.size ?? 0;

async function* changesOf(what: string, signal: AbortSignal): AsyncGenerator<Record<string, never>> {
  let woken = Promise.withResolvers<void>();
  const wake = (): void => woken.resolve();
  const all = waiting.get(what) ?? new Set();
  waiting.set(what, all.add(wake));
  signal.addEventListener("abort", wake, { once: true });
  try {
    while (!signal.aborted) {
      await woken.promise;
      woken = Promise.withResolvers();
      if (!signal.aborted) yield {};
    }
  } finally {
    all.delete(wake);
  }
}

/** Resources are those of services with a tool in the list. */
const manifest: Manifest = {
  version: 1,
  url: import.meta.url,
  services: [],
  tools: async () => [
    {
      procedure: "boxes.look",
      wrapped: false,
      tool: { name: "boxes_look", description: "Looks", inputSchema: { type: "object" } },
    },
  ],
  openapi: async () => "{}",
  schema: async () => undefined,
  router: async () => {
    throw new Error("not asked for");
  },
};

const secrets = { ann: "a".repeat(32), bob: "b".repeat(32) };
let kernel: Kernel;
let folder: string;
let url: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "fairlead-boxes-"));
  const service = defineService(boxes, () => ({
    handlers: {
      look: () => ({}),
      letters: (_, { principal, signal }) => changesOf(`letters ${principal.id}`, signal),
      rings: (_, { principal, signal }) => changesOf(`rings ${principal.id}`, signal),
    },
  }));
  const tokens = Object.entries(secrets).map(([name, secret]) => ({
    name,
    sha256: createHash("sha256").update(secret).digest("hex"),
    access: ["read" as const],
  }));
  kernel = await openKernel({
    env: {},
    services: [service],
    manifest,
    config: { tokens },
    flags: { port: 0, stateDir: folder },
    log: makeLog({ level: "error", write: () => {} }),
  });
  url = `http://127.0.0.1:${(await kernel.serve()).port}`;
});

afterAll(async () => {
  await kernel.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The addresses of the notices that come, in their order. */
const listen = async (who: keyof typeof secrets, resourceSubscriptions: readonly string[]) => {
  const hangUp = new AbortController();
  const params = { _meta: envelope, notifications: { resourceSubscriptions } };
  const response = await send(url, rpc("subscriptions/listen", params, "sub"), {
    headers: {
      authorization: `Bearer ${secrets[who]}`,
      "mcp-protocol-version": modern,
      "mcp-method": "subscriptions/listen",
    },
    signal: hangUp.signal,
  });
  let text = "";
  const reading = (async () => {
    for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) text += part;
  })().catch(() => undefined);
  const seen = (): readonly string[] =>
    text
      .split("\n")
      .filter((line) => line.startsWith("data: ") && line.includes("resources/updated"))
      .map((line) => JSON.parse(line.slice(6)).params.uri);
  const stop = (): Promise<void> => {
    hangUp.abort();
    return reading;
  };
  return { seen, stop };
};

describe("a change of a resource", () => {
  test("reaches those alone whose change it is", async () => {
    const bob = await listen("bob", [box, bell]);
    const ann = await listen("ann", [box]);
    await expect
      .poll(() => [watchers("letters ann"), watchers("letters bob"), watchers("rings bob")])
      .toEqual([1, 1, 1]);
    change("letters ann");
    await expect.poll(ann.seen).toEqual([box]);
    // What was sent to bob before this is in his stream before it.
    change("rings bob");
    await expect.poll(bob.seen).toContain(bell);
    expect(bob.seen()).toEqual([bell]);
    await Promise.all([ann.stop(), bob.stop()]);
    await expect.poll(() => [watchers("letters ann"), watchers("letters bob")]).toEqual([0, 0]);
  });

  test("reaches each stream of a caller, by one subscription, until the last has ended", async () => {
    const [first, second] = [await listen("ann", [box]), await listen("ann", [box])];
    await expect.poll(() => watchers("letters ann")).toBe(1);
    change("letters ann");
    await expect.poll(first.seen).toEqual([box]);
    await expect.poll(second.seen).toEqual([box]);
    await first.stop();
    const changeAgain = (): readonly string[] => {
      change("letters ann");
      return second.seen();
    };
    await expect.poll(changeAgain).toContain(box);
    await expect.poll(() => changeAgain().length).toBeGreaterThan(1);
    expect(watchers("letters ann")).toBe(1);
    await second.stop();
    await expect.poll(() => watchers("letters ann")).toBe(0);
  });
});

test("what was asked for on a connection that has ended meanwhile is not followed", async () => {
  const read = Promise.withResolvers<{ ok: true; value: object }>();
  const asked: string[] = [];
  const dispatch = {
    call: () => {
      asked.push("read");
      return read.promise;
    },
    subscribe: () => {
      asked.push("subscribe");
      return Promise.resolve({ ok: true, items: (async function* () {})() });
    },
  } as unknown as ResourceSource["dispatch"];
  const source: ResourceSource = {
    contracts: [boxes],
    dispatch,
    terms: { principal: localPrincipal, transport: "mcp" },
  };
  const follows = new LineFollows(
    () => source,
    () => {},
  );
  const message = rpc("subscriptions/listen", { notifications: { resourceSubscriptions: [box] } }, "late");
  follows.take(message as Parameters<LineFollows["take"]>[0]);
  follows.close();
  read.resolve({ ok: true, value: {} });
  await new Promise(setImmediate);
  expect(asked).toEqual(["read"]);
});
