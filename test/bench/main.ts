/**
 * `npm run bench`: all benches, or those that are named. Prints figures and judges nothing, but for `--check`, which compares ratios with the recorded
 * ones and fails, and `--record`, which records them.
 */
import { benchBridge } from "./bridge.ts";
import { checkBench, recordBench } from "./check/check.ts";
import { benchCodegen } from "./codegen.ts";
import { benchColdStart } from "./cold-start.ts";
import { benchConnections } from "./connections.ts";
import { benchCrashLoop } from "./crash-loop.ts";
import { benchInProcess } from "./in-process.ts";
import { benchInspector } from "./inspector.ts";
import { benchKeyed } from "./keyed.ts";
import { benchLanes } from "./lanes.ts";
import { benchHooks, benchLoop } from "./loop.ts";
import { benchNats } from "./nats.ts";
import { benchOverload } from "./overload.ts";
import { benchPlacement } from "./placement.ts";
import { benchPob } from "./pob.ts";
import { benchProcesses } from "./processes.ts";
import { benchRelays } from "./relays.ts";
import { benchRequests } from "./requests.ts";
import { benchRules } from "./rules.ts";
import { benchTakeover } from "./takeover.ts";

const benches = {
  codegen: benchCodegen,
  "cold-start": benchColdStart,
  requests: benchRequests,
  "in-process": benchInProcess,
  lanes: benchLanes,
  keyed: benchKeyed,
  overload: benchOverload,
  rules: benchRules,
  loop: benchLoop,
  hooks: benchHooks,
  bridge: benchBridge,
  processes: benchProcesses,
  placement: benchPlacement,
  nats: benchNats,
  pob: benchPob,
  connections: benchConnections,
  inspector: benchInspector,
  "crash-loop": benchCrashLoop,
  relays: benchRelays,
  takeover: benchTakeover,
} as const;

const words = process.argv.slice(2);
const wanted = words.filter((word) => !word.startsWith("--"));
if (words.includes("--check")) process.exitCode = (await checkBench(wanted)) ? 0 : 1;
else if (words.includes("--record")) await recordBench(words.includes("--again"));
else for (const [name, run] of Object.entries(benches)) if (wanted.length === 0 || wanted.includes(name)) await run();
