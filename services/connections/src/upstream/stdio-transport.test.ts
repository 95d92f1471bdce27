/** Whose the process of an upstream is. */
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Scope from "effect/Scope";
import { expect, it } from "vitest";
import type { StdioTarget } from "../machine/target.ts";
import { StdioTransport } from "./stdio-transport.ts";

const target: StdioTarget = {
  transport: "stdio",
  command: process.execPath,
  args: ["-e", "setInterval(() => undefined, 1_000)"],
  cwd: process.cwd(),
  env: {},
  era: "auto",
  tools: {},
  awaitsApproval: false,
};

const open = () => {
  const scope = Scope.makeUnsafe();
  const options = { env: {}, shown: (text: string) => text, ownersFolders: () => [], scope, onStep: () => undefined };
  const transport = new StdioTransport(target, options);
  const closed = Promise.withResolvers<void>();
  transport.onclose = closed.resolve;
  return { transport, closed: closed.promise, endService: () => Effect.runPromise(Scope.close(scope, Exit.void)) };
};

/** Its group; the program itself may be in a namespace. */
const isAlive = (pid: number | null): boolean => {
  try {
    return process.kill(-(pid ?? 0), 0);
  } catch {
    return false;
  }
};

it("ends with the service's run when nothing has closed it", async () => {
  const { transport, closed, endService } = open();
  await transport.start();
  const { pid } = transport;
  expect(isAlive(pid)).toBe(true);
  await endService();
  await closed;
  expect(isAlive(pid)).toBe(false);
});

it("is ended when it is closed, also while it is being started", async () => {
  const { transport, closed, endService } = open();
  const starting = transport.start();
  await transport.close();
  await starting;
  await closed;
  expect(isAlive(transport.pid)).toBe(false);
  await endService();
});

it("leaves no process once the service's run has ended", async () => {
  const { transport, closed, endService } = open();
  await endService();
  await transport.start();
  await closed;
  expect(isAlive(transport.pid)).toBe(false);
});
