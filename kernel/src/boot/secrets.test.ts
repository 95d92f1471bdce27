/** A canary in a secret setting, let out by its service in every way there is, and looked for in whatever leaves the kernel. */
import { mkdtempSync, readdirSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineContract, error, FairleadError, query, secret } from "@fairlead/contracts";
import { kernel as kernelContract } from "@fairlead/contracts/kernel";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import type { MemoryTransport } from "../call/memory-transport.ts";
import { defineService } from "../service/service.ts";
import { type Kernel, openKernel } from "./kernel.ts";

const canary = 'Zx9/+ "canary"\\&é~=%7';
const spellings: Readonly<Record<string, string>> = {
  plain: canary,
  json: JSON.stringify(canary).slice(1, -1),
  url: encodeURIComponent(canary),
  base64: Buffer.from(canary).toString("base64"),
  base64url: Buffer.from(canary).toString("base64url"),
};
/** Inside of a text, in each spelling. */
const text = Object.entries(spellings)
  .map(([name, spelling]) => `${name} <${spelling}>`)
  .join(", ");
const clean = Object.keys(spellings)
  .map((name) => `${name} <[redacted]>`)
  .join(", ");

const nothing = { input: z.object({}), output: z.object({}) };
const leaky = defineContract({
  id: "leaky",
  version: "1.0.0",
  summary: "Lets out what it should keep.",
  procedures: {
    declared: query({
      ...nothing,
      summary: "Fails as declared.",
      errors: {
        known: error({ code: "aborted", when: "always", data: z.object({ why: z.string().describe("Why.") }) }),
      },
    }),
    failed: query({ ...nothing, summary: "Fails." }),
    defect: query({ ...nothing, summary: "Breaks." }),
    writes: query({ ...nothing, summary: "Logs, and emits an event." }),
    off: query({ ...nothing, summary: "Is switched off." }),
  },
});
const config = z.object({ key: z.string().meta(secret).describe("Key."), limit: z.string().describe("No secret.") });

const service = defineService(
  leaky,
  (host) => ({
    handlers: {
      declared: (_, call) => {
        throw call.fail("known", { message: text, hint: text }, { why: text });
      },
      failed: () => {
        throw new FairleadError({ code: "unavailable", message: text, hint: text });
      },
      defect: () => {
        throw new TypeError(text, { cause: new Error(text) });
      },
      writes: (_, call) => {
        call.log(text);
        host.log("warn", text, { note: text, nested: [{ [canary]: text }], error: new Error(text) });
        host.log("warn", `of the environment: ${token} ${fleetSecret}`);
        host.event("leaked", { note: text, nested: [{ [canary]: text }], limit: host.config.limit });
        return {};
      },
      off: () => ({}),
    },
    info: () => ({ note: text, key: host.config.key, limit: host.config.limit }),
    checks: () => [{ name: "key", ok: false, detail: text, fix: text }],
    condition: () => ({ state: "degraded", why: text, fix: text }),
    off: () => ({ off: text }),
  }),
  { config },
);
const broken = defineService(
  defineContract({ ...leaky, id: "broken" }),
  () => {
    throw new FairleadError({ code: "failed_precondition", message: text, hint: text });
  },
  { config },
);

let kernel: Kernel;
let caller: MemoryTransport;
let url: string;
const lines: string[] = [];
const stateDir = mkdtempSync(join(tmpdir(), "fairlead-secrets-"));
const token = "a-token-of-sixteen-characters-or-more";
const fleetSecret = "what-a-fleet-signs-its-calls-with";

beforeAll(async () => {
  const section = { key: canary, limit: "shown-to-everybody" };
  kernel = await openKernel({
    config: { services: { leaky: section, broken: section } },
    flags: { port: 0, stateDir, lagMs: 60_000 },
    env: { FAIRLEAD_TOKEN: token, FAIRLEAD_NATS_SECRET: fleetSecret },
    services: [service, broken],
    writeLog: (line) => void lines.push(line),
  });
  caller = kernel.connect();
  url = (await kernel.serve()).http.replace(/\/api$/, "");
  await kernel.started();
});
afterAll(() => kernel.close());

/** Nothing in it is the canary, in any spelling; what is no secret is there. */
const expectClean = (written: string): void => {
  for (const [name, spelling] of Object.entries(spellings)) {
    expect(written, name).not.toContain(spelling);
    expect(written, name).not.toContain(JSON.stringify(spelling).slice(1, -1));
  }
};

test("errors of all kinds, whatever carries them", async () => {
  for (const name of ["declared", "failed", "defect", "off"]) {
    const reply = await caller.call(`leaky.${name}`, {});
    expect(reply.ok).toBe(false);
    expectClean(JSON.stringify(reply));
    for (const path of [`api/leaky/${name}`, `trpc/leaky.${name}`]) {
      const response = await fetch(`${url}/${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
        body: "{}",
      });
      expect(response.status).toBeGreaterThanOrEqual(400);
      expectClean(await response.text());
    }
  }
  expect(await caller.call("leaky.declared", {})).toMatchObject({
    error: { reason: "known", message: clean, hint: clean, data: { why: clean } },
  });
});

test("a service that does not start, in its error, its state and its condition", async () => {
  const reply = await caller.call("broken.failed", {});
  expect(reply).toMatchObject({ ok: false, error: { code: "unavailable" } });
  expectClean(JSON.stringify(reply));
  expect(JSON.stringify(reply)).toContain("[redacted]");
});

test("lines of the log, in messages, fields, keys and errors", async () => {
  const ofCall: string[] = [];
  // More than a caller may send: the runner's calls have it.
  const options = { onProgress: () => {}, onLog: (line: string) => void ofCall.push(line) };
  await caller.call("leaky.writes", {}, options);
  expect(ofCall).toEqual([clean]);
  await caller.call("leaky.defect", {});
  const written = lines.join("");
  expect(written).toContain("[redacted]");
  expectClean(written);
  expect(written).toContain("of the environment: [redacted] [redacted]");
  expect(written).not.toContain(token);
  expect(written).not.toContain(fleetSecret);
});

test("events, those of the kernel's own and those that are stored", async () => {
  await caller.call("leaky.writes", {});
  const events = JSON.stringify(kernel.events.kept());
  expect(events).toContain("[redacted]");
  expect(events).toContain("shown-to-everybody");
  expectClean(events);
});

test("what the kernel says about its services", async () => {
  const own = Object.keys(kernelContract.procedures);
  expect(own).toContain("info");
  for (const [name, input] of [
    ["info", { service: "leaky" }],
    ["info", { service: "broken" }],
    ["services", {}],
    ["describe", { service: "leaky" }],
    ["stats", {}],
  ] as const) {
    const reply = await caller.call(`kernel.${name}`, input);
    expect(reply.ok, name).toBe(true);
    expectClean(JSON.stringify(reply));
  }
  const info = await caller.call("kernel.info", { service: "leaky" });
  expect(info).toMatchObject({
    value: { details: { key: "[redacted]", note: clean, limit: "shown-to-everybody", checks: [{ detail: clean }] } },
  });
});

test("probes and metrics", async () => {
  for (const path of ["readyz", "livez", "metrics"]) expectClean(await (await fetch(`${url}/${path}`)).text());
});

test("files of the state folder", async () => {
  await kernel.close();
  const files = readdirSync(stateDir, { recursive: true, encoding: "utf8" })
    .map((name) => join(stateDir, name))
    .filter((path) => statSync(path).isFile());
  expect(files.length).toBeGreaterThan(0);
  for (const path of files) expectClean(readFileSync(path, "utf8"));
});

test("a wrong setting beside it is refused without it", async () => {
  const opened = openKernel({
    config: { services: { leaky: { key: canary } } },
    env: {},
    flags: { stateDir },
    services: [service],
  });
  await expect(opened).rejects.toSatisfy((cause: FairleadError) => {
    expectClean(JSON.stringify(cause));
    expectClean(String(cause.stack));
    return cause.code === "invalid_argument";
  });
});

test("short secrets are named in the log, since nothing takes them out", async () => {
  const entries: object[] = [];
  const opened = await openKernel({
    services: [service],
    config: { services: { leaky: { key: "qz7", limit: "shown" } } },
    flags: { stateDir: join(stateDir, "short") },
    env: {},
    writeLog: (_, entry) => void entries.push(entry),
  });
  await opened.close();
  expect(entries).toContainEqual(
    expect.objectContaining({ level: "warn", settings: ["services.leaky.key"], fix: expect.any(String) }),
  );
  expect(JSON.stringify(entries)).not.toContain("qz7");
});
