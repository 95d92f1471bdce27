/**
 * One attempt to connect: the time that it has, and the step it is in. Pure. Not here: the attempt itself (`upstream.ts`).
 */
import type { Target } from "../machine/target.ts";

/** Milliseconds. */
interface ConnectTimes {
  readonly connectMs: number;
  readonly firstConnectMs: number;
}

/**
 * Milliseconds for the attempt. A program has more of them until it was connected once: ended in the middle of an installation, it leaves one
 * behind that never works.
 */
export const attemptMs = (target: Target, times: ConnectTimes, wasConnected: boolean): number => {
  const { connectMs, firstConnectMs } = { ...times, ...target.limits };
  return target.transport === "stdio" && !wasConnected ? Math.max(connectMs, firstConnectMs) : connectMs;
};

const installers = new Set(["npx", "bunx", "pnpx", "uvx"]);
const installing: Readonly<Record<string, readonly string[]>> = {
  npm: ["exec", "x"],
  pnpm: ["dlx"],
  yarn: ["dlx"],
  bun: ["x"],
  uv: ["run", "tool"],
  pipx: ["run"],
  docker: ["run"],
  podman: ["run"],
};

/** True for a program that may install or fetch another before that one speaks. */
export const mayInstall = (target: Target): boolean => {
  if (target.transport !== "stdio") return false;
  const { command, args } = target;
  const [name = ""] = (command.split(/[/\\]/).at(-1) ?? "").toLowerCase().split(/\.(?:cmd|exe)$/);
  return installers.has(name) || (installing[name]?.includes(args[0] ?? "") ?? false);
};
