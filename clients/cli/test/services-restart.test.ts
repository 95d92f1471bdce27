/** `fairlead services restart` and `services ls` beside a kernel in the test's own process. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineContract, FairleadError, query } from "@fairlead/contracts";
import { kernel as kernelContract } from "@fairlead/contracts/kernel";
import { type Kernel, openKernel } from "@fairlead/kernel";
import { defineService } from "@fairlead/kernel/service";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { parseError } from "./command-process.ts";
import { runHere } from "./in-process.ts";

/** Any schemas: nothing is called. */
const { input, output } = kernelContract.procedures.services;
const shop = defineContract({
  id: "shop",
  version: "1.0.0",
  summary: "Sells.",
  procedures: { find: query({ summary: "Finds.", input, output }) },
});

let folder: string;
let kernel: Kernel;
let url: string;
/** What the next starts fail with. */
let failure: FairleadError | undefined;
/** What the next starts wait for. */
let gate: Promise<unknown>;
const lines: { readonly message: string }[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "fairlead-restart-"));
  const service = defineService(
    shop,
    async () => {
      await gate;
      if (failure !== undefined) throw failure;
      return { handlers: { find: () => ({ services: [] }) } };
    },
    {
      supervision: { backoff: { baseMs: 3_600_000, capMs: 3_600_000, slowMs: 3_600_000 }, intensity: { restarts: 0 } },
    },
  );
  kernel = await openKernel({
    services: [service],
    env: {},
    flags: { port: 0, lagMs: 60_000, stateDir: folder },
    log: (_level, message) => void lines.push({ message }),
  });
  url = (await kernel.serve()).http.replace(/\/api$/, "");
  await kernel.started();
});
afterEach(() => {
  failure = undefined;
  gate = Promise.resolve();
});
afterAll(async () => {
  await kernel.close();
  rmSync(folder, { recursive: true });
});

const run = (...args: readonly string[]) => runHere(["services", ...args, "--url", url], { cwd: folder });

test("restart waits until the service is ready", async () => {
  expect(await run("restart", "shop")).toMatchObject({ code: 0, out: "shop is ready\n" });
});

test("restart fails with the reason, and ls says when the service is started again; the log says each once", async () => {
  lines.length = 0;
  failure = new FairleadError({ code: "unavailable", message: "the database is away" });
  const ended = await run("restart", "shop");
  expect(ended).toMatchObject({ code: 4, out: "" });
  const { nextStartAt } = parseError(ended).data as { readonly nextStartAt: string };
  expect(parseError(ended)).toMatchObject({
    code: "unavailable",
    message: `shop is not ready: it is in Backoff, and is started again at ${nextStartAt}: the database is away`,
  });
  const listed = await run("ls");
  expect(listed.out).toContain(`Backoff, started again at ${nextStartAt}, degraded: the database is away`);
  failure = undefined;
  expect(await run("restart", "shop", "--json")).toMatchObject({ code: 0 });
  const ofService = lines.map(({ message }) => message).filter((message) => message.startsWith("service "));
  expect(ofService).toEqual(["service did not start", "service works again"]);
});

test("restart does not wait with --no-wait", async () => {
  const opened = Promise.withResolvers<void>();
  gate = opened.promise;
  expect(await run("restart", "shop", "--no-wait")).toMatchObject({ code: 0, out: "shop is restarting\n" });
  opened.resolve();
});
