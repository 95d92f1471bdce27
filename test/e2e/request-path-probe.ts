/** Serves one HTTP query and prints which modules of the kernel it ran a function of: the child process of `request-path.test.ts`. */
import { Session } from "node:inspector/promises";
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
const kernel = await openKernel({ services: [service], flags: { port: 0 }, log: () => {} });
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
/** The modules of which a function ran since the coverage was taken last. */
const takeModules = async (): Promise<ReadonlySet<string>> => {
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const ran = result.filter(({ functions }) =>
    functions.some(({ functionName, ranges }) => functionName !== "" && (ranges[0]?.count ?? 0) > 0),
  );
  return new Set(ran.flatMap(({ url }) => /\/kernel\/src\/(.*\.ts)$/.exec(url)?.[1] ?? []));
};

// A timer of the kernel may fire during a query, and is not on its path: what ran in each of several queries is.
await takeModules();
let path: ReadonlySet<string> | undefined;
for (let query = 0; query < 10; query += 1) {
  await ask();
  const ran = await takeModules();
  path = path === undefined ? ran : path.intersection(ran);
}
console.log(JSON.stringify([...(path ?? [])].toSorted()));
await kernel.close();
