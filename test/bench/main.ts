/** `npm run bench`: all benches, or those that are named. Prints figures and judges nothing. */
import { benchBridge } from "./bridge.ts";
import { benchCodegen } from "./codegen.ts";
import { benchColdStart } from "./cold-start.ts";
import { benchConnections } from "./connections.ts";
import { benchCrashLoop } from "./crash-loop.ts";
import { benchInProcess } from "./in-process.ts";
import { benchInspector } from "./inspector.ts";
import { benchKeyed } from "./keyed.ts";
import { benchLanes } from "./lanes.ts";
import { benchLoop } from "./loop.ts";
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
  bridge: benchBridge,
  processes: benchProcesses,
  placement: benchPlacement,
  pob: benchPob,
  connections: benchConnections,
  inspector: benchInspector,
  "crash-loop": benchCrashLoop,
  relays: benchRelays,
  takeover: benchTakeover,
} as const;

const wanted = process.argv.slice(2);
for (const [name, run] of Object.entries(benches)) if (wanted.length === 0 || wanted.includes(name)) await run();
