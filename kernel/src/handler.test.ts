import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineContract, download, mutation, query, subscription, upload } from "@fairlead/contracts";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { type Handler, type HandlerOptions, handler } from "./handler.ts";
import type { Manifest } from "./host/manifest.ts";
import { makeLog } from "./observe/log.ts";
import { defineService } from "./service/service.ts";
import { eventually } from "./testing/wire-fixture.ts";
import { defineRouter } from "./transport/trpc/router.ts";

const blockBytes = 65_536;

const shed = defineContract({
  id: "shed",
  version: "1.0.0",
  summary: "Does what a test asks for.",
  procedures: {
    sum: query({ summary: "Adds.", input: z.object({ a: z.int(), b: z.int() }), output: z.int() }),
    wait: query({ summary: "Never answers.", input: z.object({}), output: z.int() }),
    pay: mutation({ summary: "Once per key.", retry: "keyed", input: z.object({}), output: z.int() }),
    count: subscription({ summary: "Counts for ever.", input: z.object({}), output: z.int() }),
    put: upload({
      summary: "Reads the first block, and the rest when it may.",
      retry: "unsafe",
      input: z.object({}),
      file: { maxBytes: 100 * blockBytes },
      output: z.int(),
    }),
    get: download({ summary: "Gives blocks for ever.", input: z.object({}) }),
  },
});

const seen = { paid: 0, ended: 0, given: 0, left: 0, goOn: Promise.withResolvers<void>() };

const service = defineService(shed, () => ({
  handlers: {
    sum: ({ a, b }) => a + b,
    wait: (_, { signal }) =>
      new Promise<never>((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          seen.ended += 1;
          reject(signal.reason);
        });
      }),
    pay: () => {
      seen.paid += 1;
      return seen.paid;
    },
    count: async function* (_, { signal }) {
      for (let n = 1; !signal.aborted; n += 1) {
        yield n;
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    put: async (_, { file }) => {
      let size = 0;
      for await (const part of file) {
        size += part.length;
        await seen.goOn.promise;
      }
      return size;
    },
    get: () => ({
      type: "application/octet-stream",
      open: async function* () {
        try {
          for (;;) {
            seen.given += 1;
            yield Buffer.alloc(blockBytes, 1);
          }
        } finally {
          seen.left += 1;
        }
      },
    }),
  },
}));

const manifest: Manifest = {
  version: 1,
  url: import.meta.url,
  services: [{ id: "shed", module: "./none.ts" }],
  tools: async () => [],
  openapi: async () => '{"openapi":"3.1.0"}',
  schema: async () => undefined,
  router: async () => defineRouter((parts) => ({ shed: { sum: parts.query("shed.sum") } })),
};

const log = makeLog({ level: "error", write: () => {} });
const open: Handler[] = [];
const make = (options: HandlerOptions = {}): Handler => {
  const made = handler(manifest, [service], { env: {}, log, ...options });
  open.push(made);
  return made;
};
afterAll(() => Promise.all(open.map((each) => each.close())));
beforeEach(() => {
  seen.goOn = Promise.withResolvers();
});

const secret = "correct-horse-battery-staple";
const token = {
  name: "ada",
  sha256: createHash("sha256").update(secret).digest("hex"),
  access: ["read" as const, "call" as const],
};
const at = (path: string, init: RequestInit & { readonly duplex?: "half" } = {}): Request =>
  new Request(`http://localhost:8787${path}`, init);

describe("the guard", () => {
  test("no caller is let in by an oversight", () => {
    const refusal = expect.objectContaining({ code: "failed_precondition", hint: expect.stringContaining("anyone") });
    expect(() => make()).toThrow(refusal);
    expect(() => make({ config: { tokens: [] }, env: { FAIRLEAD_TOKEN: "" } })).toThrow(refusal);
    const identity = { issuer: "https://login.example.com", scopes: {} };
    expect(() => make({ config: { identity } })).toThrow(expect.objectContaining({ code: "failed_precondition" }));
  });

  test("a token is needed where there is one, and says who calls", async () => {
    const answer = make({ config: { tokens: [token] } });
    const refused = await answer(at("/api/shed/sum?a=1&b=2"));
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    const headers = { authorization: `Bearer ${secret}` };
    const taken = await answer(at("/api/shed/sum?a=1&b=2", { headers }));
    expect([taken.status, await taken.text(), taken.headers.get("content-length")]).toEqual([200, "3", "1"]);
  });

  test("the variable FAIRLEAD_TOKEN is one, too", async () => {
    const answer = make({ env: { FAIRLEAD_TOKEN: secret } });
    expect((await answer(at("/api/shed/sum?a=1&b=2"))).status).toBe(401);
  });

  test("another host and pages of others are refused, configured ones are not", async () => {
    const answer = make({ anyone: true, config: { hosts: ["api.example.com"], origins: ["https://app.example.com"] } });
    const to = async (url: string, headers: Record<string, string> = {}) =>
      (await answer(new Request(`${url}/api/shed/sum?a=1&b=2`, { headers }))).status;
    expect(await to("https://evil.example.com")).toBe(403);
    expect(await to("https://api.example.com")).toBe(200);
    expect(await to("https://api.example.com", { host: "evil.example.com" })).toBe(403);
    expect(await to("https://localhost")).toBe(200);
    expect(await to("http://127.0.0.1:3000")).toBe(200);
    expect(await to("https://api.example.com", { origin: "https://api.example.com" })).toBe(200);
    expect(await to("https://api.example.com", { origin: "http://api.example.com" })).toBe(403);
    expect(await to("https://api.example.com", { origin: "https://evil.example.com" })).toBe(403);
    const preflight = await answer(
      new Request("https://api.example.com/api/shed/sum", {
        method: "OPTIONS",
        headers: { origin: "https://app.example.com", "access-control-request-method": "POST" },
      }),
    );
    expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([
      204,
      "https://app.example.com",
    ]);
  });

  test("requests of one address are as many as connections of one may be", async () => {
    const answer = make({ anyone: true, address: () => "203.0.113.7" });
    const controller = new AbortController();
    const many = Array.from({ length: 500 }, () => answer(at("/api/shed/wait", { signal: controller.signal })));
    const more = await answer(at("/api/shed/sum?a=1&b=2"));
    expect([more.status, await more.json()]).toEqual([503, expect.objectContaining({ code: "unavailable" })]);
    controller.abort();
    await Promise.all(many);
    await expect.poll(async () => (await answer(at("/api/shed/sum?a=1&b=2"))).status).toBe(200);
  });
});

describe("what cannot be opened", () => {
  test("a token that is too short and a service that is given twice are refused at once", () => {
    const short = expect.objectContaining({ message: "FAIRLEAD_TOKEN is too short" });
    expect(() => make({ env: { FAIRLEAD_TOKEN: "short" } })).toThrow(short);
    const twice = expect.objectContaining({ message: "the service shed is given twice" });
    expect(() => handler(manifest, [service, service], { env: {}, log, anyone: true })).toThrow(twice);
  });

  test("what is found with the first request is answered, logged, and does not hinder the end", async () => {
    const lines: unknown[] = [];
    const noted: NonNullable<HandlerOptions["log"]> = (level, _, fields) => lines.push([level, fields?.cause]);
    const answer = make({ anyone: true, log: noted, config: { services: { sehd: {} } } });
    const refused = await answer(at("/livez"));
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(lines).toEqual([
      ["error", expect.objectContaining({ issues: [expect.objectContaining({ path: "services.sehd" })] })],
    ]);
    await answer.close();
  });
});

test("answers what a listening kernel does, and nothing that needs its files", async () => {
  const answer = make({ anyone: true });
  expect((await answer(at("/livez"))).status).toBe(200);
  expect((await answer(at("/openapi.json"))).status).toBe(200);
  expect((await answer(at("/console"))).status).toBe(404);
  const head = await answer(at("/trpc/shed.sum", { method: "HEAD" }));
  expect([head.status, head.body]).toEqual([204, null]);
  const posted = await answer(
    at("/trpc/shed.sum", { method: "POST", body: '{"a":1,"b":2}', headers: { "content-type": "application/json" } }),
  );
  expect(await posted.json()).toEqual({ result: { data: 3 } });
  const wrong = await answer(at("/api/shed/sum", { method: "PUT" }));
  expect([wrong.status, wrong.headers.get("allow"), wrong.headers.get("connection")]).toEqual([
    405,
    "GET, POST, QUERY",
    null,
  ]);
  const run = await answer(at("/api/kernel/listRuns"));
  expect([run.status, await run.text()]).toEqual([412, expect.stringContaining("state folder")]);
});

/** A store that instances share. */
const makeAnswers = (): NonNullable<HandlerOptions["answers"]> => {
  const kept = new Map<string, string>();
  return {
    claim: async ({ key }) => {
      const found = kept.get(key);
      if (found !== undefined) return JSON.parse(found);
      kept.set(key, "");
      return "claimed";
    },
    finish: async ({ key, input }, reply) => void kept.set(key, JSON.stringify({ tag: "answered", input, reply })),
    release: async ({ key }) => void kept.delete(key),
  };
};
const pay = async (answer: Handler): Promise<string> => {
  const headers = { "idempotency-key": "a", "content-type": "application/json" };
  return (await answer(at("/api/shed/pay", { method: "POST", body: "{}", headers }))).text();
};

test("answers of keyed calls are kept by the instance, or where it is said", async () => {
  const warned: string[] = [];
  const warnings: NonNullable<HandlerOptions["log"]> = (level, message) => {
    if (level === "warn") warned.push(message);
  };
  const [one, other] = [make({ anyone: true, log: warnings }), make({ anyone: true })];
  const first = await pay(one);
  expect(warned.splice(0)).toEqual([expect.stringContaining("this instance alone")]);
  expect(await pay(one)).toBe(first);
  expect(await pay(other)).not.toBe(first);
  const answers = makeAnswers();
  const shared = [make({ anyone: true, answers, log: warnings }), make({ anyone: true, answers })] as const;
  const second = await pay(shared[0]);
  expect(await pay(shared[1])).toBe(second);
  expect(warned).toEqual([]);
});

test("given answers are used where there is a state folder, too, in which runs stay", async () => {
  const folder = mkdtempSync(join(tmpdir(), "fairlead-handler-"));
  const answers = makeAnswers();
  const inFolder = make({ anyone: true, answers, env: { FAIRLEAD_STATE_DIR: folder } });
  const first = await pay(inFolder);
  expect(await pay(make({ anyone: true, answers }))).toBe(first);
  expect((await inFolder(at("/api/kernel/listRuns"))).status).toBe(200);
  await inFolder.close();
  rmSync(folder, { recursive: true });
});

describe("what goes on for a while", () => {
  test("ends with the request's signal", async () => {
    const answer = make({ anyone: true });
    const controller = new AbortController();
    const before = seen.ended;
    const waiting = answer(at("/api/shed/wait", { signal: controller.signal }));
    await eventually(() => seen.ended === before);
    controller.abort();
    expect((await waiting).status).toBe(503);
    await eventually(() => seen.ended === before + 1);
    const late = await answer(at("/api/shed/wait", { signal: AbortSignal.abort() }));
    expect(late.status).toBe(503);
  });

  test("a stream is sent as it comes, and ends when its reader leaves", async () => {
    const answer = make({ anyone: true });
    const { body, headers } = await answer(at("/api/shed/count", { headers: { accept: "text/event-stream" } }));
    expect(headers.get("content-type")).toBe("text/event-stream");
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!text.includes("data: 3\n")) text += (await reader?.read())?.value ?? "";
    expect(text).toMatch(/^data: 1\n\ndata: 2\n\n/);
    await reader?.cancel();
    const health = await answer(at("/metrics"));
    expect(await health.text()).toContain("shed.count");
  });

  test("a download waits for its reader", async () => {
    const answer = make({ anyone: true });
    const [given, left] = [seen.given, seen.left];
    const { body } = await answer(at("/api/shed/get"));
    const reader = body?.getReader();
    expect((await reader?.read())?.value?.length).toBe(blockBytes);
    await new Promise((resolve) => setImmediate(resolve));
    expect(seen.given - given).toBeLessThan(8);
    await reader?.cancel();
    await eventually(() => seen.left === left + 1);
    expect(seen.given - given).toBeLessThan(8);
  });

  test("a body that is refused is read and dropped, and cancelled when it does not end", async () => {
    const answer = make({ config: { tokens: [token] } });
    const send = async (blocks: number) => {
      const found = { sent: 0, ended: false, cancelled: false };
      const body = new ReadableStream<Uint8Array>({
        pull: (controller) => {
          found.sent += 1;
          if (found.sent <= blocks) return controller.enqueue(new Uint8Array(1_048_576));
          found.ended = true;
          return controller.close();
        },
        cancel: () => {
          found.cancelled = true;
        },
      });
      const { status } = await answer(at("/api/shed/put", { method: "POST", body, duplex: "half" }));
      expect(status).toBe(401);
      return found;
    };
    const short = await send(3);
    await eventually(() => short.ended);
    expect(short.cancelled).toBe(false);
    const endless = await send(Number.POSITIVE_INFINITY);
    await eventually(() => endless.cancelled);
    expect(endless.sent).toBeGreaterThan(64);
    expect(endless.sent).toBeLessThan(80);
  });

  test("a refused body that stays away is cancelled at the end, and not when its answer is sent", async () => {
    const answer = make({ config: { tokens: [token] } });
    const controller = new AbortController();
    const cancelled = Promise.withResolvers<void>();
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      cancel: () => {
        isCancelled = true;
        cancelled.resolve();
      },
    });
    await answer(at("/api/shed/put", { method: "POST", body, duplex: "half", signal: controller.signal }));
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    await new Promise((resolve) => setImmediate(resolve));
    expect(isCancelled).toBe(false);
    await answer.close();
    await cancelled.promise;
  });

  test("an upload waits for its handler, and breaks the call when it breaks", async () => {
    const answer = make({ anyone: true });
    let sent = 0;
    const blocks = (count: number, end: (controller: ReadableStreamDefaultController<Uint8Array>) => void) =>
      new ReadableStream<Uint8Array>({
        pull: (controller) => {
          if (sent >= count) return end(controller);
          sent += 1;
          controller.enqueue(new Uint8Array(blockBytes));
        },
      });
    const headers = { "content-type": "application/octet-stream" };
    const put = (body: ReadableStream<Uint8Array>) =>
      answer(at("/api/shed/put", { method: "POST", headers, body, duplex: "half" }));
    const whole = put(blocks(50, (controller) => controller.close()));
    await eventually(() => sent > 0);
    await new Promise((resolve) => setImmediate(resolve));
    expect(sent).toBeLessThan(8);
    seen.goOn.resolve();
    expect(await (await whole).json()).toBe(50 * blockBytes);
    sent = 0;
    const broken = await put(blocks(3, (controller) => controller.error(new Error("the disk is gone"))));
    expect(broken.ok).toBe(false);
  });
});

test("the end: streams end, later requests are refused", async () => {
  const answer = make({ anyone: true });
  const { body } = await answer(at("/api/shed/count", { headers: { accept: "text/event-stream" } }));
  const reader = body?.getReader();
  await reader?.read();
  const closed = answer.close();
  const ended = (async () => {
    for (let part = await reader?.read(); part?.done === false; ) part = await reader?.read();
  })();
  await Promise.all([closed, ended]);
  expect((await answer(at("/livez"))).status).toBe(503);
  await make({ anyone: true }).close();
});
