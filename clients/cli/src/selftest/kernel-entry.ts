/**
 * The process of a kernel that the self-test starts and kills: the user's configuration and services beside the self-test's own, on a free
 * port of loopback and a throw-away folder. Prints `{"port":…}` once it listens. `node kernel-entry.ts <folder of the project> <state folder>`
 */

import { flushCompileCache } from "node:module";
import { pathToFileURL } from "node:url";
import { openKernel } from "@fairlead/kernel";
import { loadManifest } from "@fairlead/kernel/manifest";
import { loadConfigFile } from "../command/config-file.ts";

const [, , folder = ".", stateDir = ""] = process.argv;
const { root, value } = await loadConfigFile(folder, undefined);
const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
const own = { id: "selftest", module: new URL(`./probe-service.${extension}`, import.meta.url).href };
const manifest = await loadManifest(
  typeof value.manifest === "string" ? value.manifest : undefined,
  pathToFileURL(`${root}/`).href,
);
const { only } = value;
const kernel = await openKernel({
  // Nothing of the network is the user's: the self-test calls from this machine alone.
  config: {
    ...value,
    ...(Array.isArray(only) && { only: [...only, own.id] }),
    tokens: [],
    hosts: [],
    origins: [],
    host: "127.0.0.1",
    admin: undefined,
    otlp: undefined,
    // A slow machine is no fault: what is refused as overload there would count as one.
    lagMs: 60_000,
    log: { level: "error" },
    // It crashes on purpose, again and again.
    supervision: {
      ...(typeof value.supervision === "object" && value.supervision),
      [own.id]: { intensity: { restarts: 1_000_000 }, backoff: { baseMs: 1, capMs: 10, slowMs: 10 } },
    },
  },
  root,
  env: process.env,
  manifest: { ...manifest, services: [...manifest.services, own] },
  flags: { port: 0, stateDir },
});
await kernel.started();
const { port } = await kernel.serve();
// One that is killed would leave nothing of what it has compiled to the next.
flushCompileCache();
process.on("uncaughtException", (error) => {
  if (kernel.ascribe(error) === undefined) process.exit(70);
});
// What is left is what it keeps: a last resort also gives back the pages that V8 holds for new objects, 130 MB after a burst.
process.on("SIGUSR2", () => {
  globalThis.gc?.({ type: "major", flavor: "last-resort", execution: "sync" });
  const { heapUsed, external, rss } = process.memoryUsage();
  process.stdout.write(`${JSON.stringify({ bytes: heapUsed + external, resident: rss })}\n`);
});
process.once("SIGTERM", () => void kernel.close().then(() => process.exit(0)));
process.stdout.write(`${JSON.stringify({ port })}\n`);
