/**
 * A kernel process with twenty programs as upstreams, none of them its own child: behind shells that wait for them, and behind npx. Says
 * `up` when all are connected. `node kernel-process.ts <mark> <state folder>`
 */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { openMemoryKernel } from "@fairlead/kernel/memory";
import connections from "@fairlead/service-connections";

const [, , mark = "", stateDir = ""] = process.argv;
const peer = (name: string): string => fileURLToPath(new URL(`./peers/${name}`, import.meta.url));

/** A shell that would live without its program, and the program without its shell. */
const behindShell = (command: string) => ({ command: "sh", args: ["-c", `exec 3<&0; ${command} <&3 & wait`] });

/** npx, its shell, the package's command, and that one's program. */
const behindNpx = (): Readonly<Record<string, unknown>> => {
  const bin = join(stateDir, "node_modules/.bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "small"), `#!/bin/sh\nexec 3<&0; sh "${peer("small.sh")}" <&3 & wait\n`);
  chmodSync(join(bin, "small"), 0o755);
  return { command: "npx", args: ["--no", "small"], cwd: stateDir };
};

const several = (count: number, name: string, upstream: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`${name}${at}`, { ...upstream, era: "legacy", env: { MARK: mark } }]),
  );

const upstreams = {
  ...several(12, "shell", behindShell(`sh "${peer("small.sh")}"`)),
  ...several(4, "node", behindShell(`"${process.execPath}" --conditions=@fairlead/source "${peer("v1.ts")}" stdio`)),
  ...several(4, "npx", behindNpx()),
};
const config = { connections: { upstreams, times: { connectMs: 60_000 } } };
const kernel = openMemoryKernel([connections], { stateDir, config });

const isUp = async (): Promise<boolean> => {
  const reply = await kernel.call("connections.list", {});
  const list = reply.ok ? (reply.value as readonly { readonly state: string }[]) : [];
  return list.length === Object.keys(upstreams).length && list.every(({ state }) => state === "connected");
};
while (!(await isUp())) await pause(50);
console.log("up");
