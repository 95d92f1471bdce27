/** The child spec of a session's process, from the settings: command, dialect, limits, timeouts. */
import type { SubprocessSpec } from "@fairlead/kernel/subprocess";
import { forkDialect } from "../engine/fork/fork-protocol.ts";
import { shimDialect } from "../engine/shim/shim-engine.ts";
import type { PobSettings } from "../setup/settings.ts";

/** `prepare` runs in each new process before its first request; `name` is for people. */
export const buildProcessSpec = (
  settings: PobSettings,
  { name, prepare }: Required<Pick<SubprocessSpec, "name" | "prepare">>,
): SubprocessSpec => ({
  name,
  command: settings.command,
  args: settings.args,
  cwd: settings.cwd,
  env: {
    set:
      settings.kind === "shim"
        ? {}
        : { POB_API_STDIO: "1", LUA_PATH: "../runtime/lua/?.lua;../runtime/lua/?/init.lua;;" },
  },
  dialect: settings.kind === "shim" ? shimDialect : forkDialect,
  ...(settings.kind !== "custom" && { deny: ["network", "writing"] }),
  limits: { addressBytes: settings.mostMemoryBytes },
  startMs: 30_000,
  prepareMs: 60_000,
  requestMs: settings.timeoutMs,
  // A hang leaves the next call most of its own time.
  unresponsiveMs: Math.min(5_000, settings.timeoutMs / 4),
  stop: { graceMs: 500, termMs: 2_000 },
  prepare,
  hint:
    settings.problem?.fix ??
    (settings.kind === "custom" ? customHint : undefined) ??
    `install LuaJIT (apt-get install luajit, or brew install luajit) or set POB_CMD; verify POB_FORK_PATH (now ${settings.cwd})`,
});

const customHint =
  "POB_ARGS must start something that answers in JSON lines as the fork does; leave it out to have that decided by what is found";
