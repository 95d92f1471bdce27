/** Serves one HTTP query and prints which modules of the kernel it ran a function of: the child process of `request-path.test.ts`. */
import { mkdtempSync, rmSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineContract, query } from "@fairlead/contracts";
import { openKernel } from "@fairlead/kernel";
import { defineService } from "@fairlead/kernel/service";
import * as z from "zod";

const contract = defineContract({
  id: "probe",
  version: "1.0.0",
  summary: "Adds.",
  procedures: { sum: query({ summary: "Adds.", input: z.object({ a: z.int(), b: z.int() }), output: z.int() }) },
});
const service = defineService(contract, () => ({ handlers: { sum: ({ a, b }) => a + b } }));
const stateDir = mkdtempSync(join(tmpdir(), "fairlead-request-path-"));
const kernel = await openKernel({
  services: [service],
  env: {},
  flags: { port: 0, lagMs: 60_000, stateDir },
  log: () => {},
});
const { http } = await kernel.serve();
const ask = async (): Promise<void> => {
  const response = await fetch(`${http}/probe/sum?a=1&b=2`);
  if ((await response.text()) !== "3") throw new Error(`the query failed with ${response.status}`);
};
await ask();
await ask();
const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
/** The modules of which a function ran at least so many times since the coverage was taken last. */
const takeModules = async (times: number): Promise<ReadonlySet<string>> => {
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const ran = result.filter(({ functions }) =>
    functions.some(({ functionName, ranges }) => functionName !== "" && (ranges[0]?.count ?? 0) >= times),
  );
  return new Set(ran.flatMap(({ url }) => /\/kernel\/src\/(.*\.ts)$/.exec(url)?.[1] ?? []));
};

// A timer of the kernel may fire during a query, and is not on its path: what ran for each query is, and no timer fires that often.
const queries = 500;
await takeModules(1);
for (let query = 0; query < queries; query += 1) await ask();
const path = await takeModules(queries);
console.log(JSON.stringify([...path].toSorted()));
await kernel.close();
rmSync(stateDir, { recursive: true });
