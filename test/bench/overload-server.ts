/** The server of the overload bench: 5 ms of CPU at once, or 20 ms of waiting for 64 at a time. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { defineContract, query } from "@fairlead/contracts";
import { makeLog, openKernel } from "@fairlead/kernel";
import { defineService } from "@fairlead/kernel/service";
import * as z from "zod";

const common = { input: z.object({}), output: z.int().describe("Nothing.") };
const contract = defineContract({
  id: "load",
  version: "1.0.0",
  summary: "Answers benches.",
  procedures: {
    compute: query({ ...common, summary: "Takes 5 ms of CPU.", policy: { concurrency: 64, queue: 256 } }),
    wait: query({ ...common, summary: "Waits for 20 ms.", policy: { concurrency: 64, queue: 256 } }),
    sum: query({ ...common, summary: "Answers.", policy: { concurrency: 1_000 } }),
  },
});

const compute = (): number => {
  const end = performance.now() + 5;
  while (performance.now() < end);
  return 0;
};
const service = defineService(contract, () => ({
  handlers: { compute, wait: () => pause(20, 0), sum: () => 0 },
}));
const token = (name: string) => ({
  name,
  sha256: createHash("sha256").update(name.repeat(8)).digest("hex"),
  access: ["read", "call"],
  perSecond: 1_000_000,
  concurrent: 1_000_000,
});
const kernel = await openKernel({
  env: {},
  flags: { port: 0, stateDir: mkdtempSync(join(tmpdir(), "fairlead-bench-")), tokens: ["greedy", "polite"].map(token) },
  log: makeLog({ level: "error" }),
  services: [service],
  manifest: {
    version: 1,
    url: import.meta.url,
    services: [],
    tools: async () => [],
    openapi: async () => "{}",
    schema: async () => undefined,
    router: async () => Promise.reject(new Error("not used")),
  },
});
/** What Node alone answers. */
const raw = createServer((_, response) => response.writeHead(200, { "content-length": "0" }).end());
raw.listen(0, "127.0.0.1");
await once(raw, "listening");
const bound = raw.address();
const rawPort = typeof bound === "object" && bound !== null ? bound.port : 0;
process.send?.({ port: (await kernel.serve()).port, raw: rawPort });
process.on("disconnect", () => process.exit(0));
