/** `npm run bench`: all benches, or those that are named. Prints figures and judges nothing. */
import { benchBridge } from "./bridge.ts";
import { benchColdStart } from "./cold-start.ts";
import { benchInProcess } from "./in-process.ts";
import { benchPob } from "./pob.ts";
import { benchRequests } from "./requests.ts";
import { benchRules } from "./rules.ts";

const benches = {
  "cold-start": benchColdStart,
  requests: benchRequests,
  "in-process": benchInProcess,
  rules: benchRules,
  bridge: benchBridge,
  pob: benchPob,
} as const;

const wanted = process.argv.slice(2);
for (const [name, run] of Object.entries(benches)) if (wanted.length === 0 || wanted.includes(name)) await run();
