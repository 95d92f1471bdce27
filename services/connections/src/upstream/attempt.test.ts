/** How long an attempt may take, and of which programs it is known that they install others. */
import { expect, it } from "vitest";
import type { StdioTarget } from "../machine/target.ts";
import { attemptMs, mayInstall } from "./attempt.ts";

const common = { era: "auto", tools: {}, awaitsApproval: false } as const;
const program = (command: string, ...args: string[]): StdioTarget => ({
  transport: "stdio",
  command,
  args,
  env: {},
  cwd: "/",
  ...common,
});
const address = { transport: "http", url: "http://localhost/mcp", headers: {}, trusted: true, ...common } as const;
const times = { connectMs: 10, firstConnectMs: 120 };

it("gives a program more time until it was connected once, and an address never", () => {
  expect(attemptMs(program("npx"), times, false)).toBe(120);
  expect(attemptMs(program("npx"), times, true)).toBe(10);
  expect(attemptMs(address, times, false)).toBe(10);
});

it("goes by the limits of the upstream, and never gives a first attempt less than a later one", () => {
  expect(attemptMs({ ...program("npx"), limits: { firstConnectMs: 500 } }, times, false)).toBe(500);
  expect(attemptMs({ ...program("npx"), limits: { connectMs: 300 } }, times, false)).toBe(300);
  expect(attemptMs({ ...address, limits: { connectMs: 300 } }, times, true)).toBe(300);
});

it.each([
  ["npx", "-y", "server"],
  ["/usr/local/bin/npx", "server"],
  ["C:\\nodejs\\npx.cmd", "server"],
  ["npm", "exec", "server"],
  ["uvx", "server"],
  ["docker", "run", "image"],
])("%s may install", (command, ...args) => expect(mayInstall(program(command, ...args))).toBe(true));

it.each([["node", "npx"], ["npm", "start"], ["/opt/npx-like/server"]])("%s does not", (command, ...args) =>
  expect(mayInstall(program(command, ...args))).toBe(false),
);
