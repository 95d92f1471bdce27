import type { Client } from "@modelcontextprotocol/client";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Scope from "effect/Scope";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ToolFeed } from "./tool-feed.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Ending = "local" | "remote";

const open = () => {
  const endings: ((how: Ending) => void)[] = [];
  const close = vi.fn(async () => undefined);
  const listen = vi.fn(async () => ({ close, closed: new Promise<Ending>((end) => endings.push(end)) }));
  const client = {
    getProtocolEra: () => "modern",
    getServerCapabilities: () => ({ tools: { listChanged: true } }),
    listen,
  } as unknown as Client;
  const checkAlive = vi.fn();
  const feed = new ToolFeed({ client, pageMs: 1_000, hasHeaders: false, changed: () => undefined, checkAlive });
  const scope = Scope.makeUnsafe();
  return {
    start: () => Effect.runFork(Effect.forkIn(feed.run, scope)),
    stop: () => Effect.runPromise(Scope.close(scope, Exit.void)),
    end: (how: Ending) => endings.at(-1)?.(how),
    listen,
    close,
    checkAlive,
  };
};

it("asks for no changes when it was ended before it began", async () => {
  const { start, stop, listen } = open();
  await stop();
  start();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(listen).not.toHaveBeenCalled();
});

it("subscribes again after a while when its subscription ends, and asks whether the upstream is there", async () => {
  const { start, stop, end, listen, close, checkAlive } = open();
  start();
  await vi.advanceTimersByTimeAsync(0);
  end("remote");
  await vi.advanceTimersByTimeAsync(4_900);
  expect([listen.mock.calls.length, checkAlive.mock.calls.length]).toEqual([1, 1]);
  await vi.advanceTimersByTimeAsync(200);
  expect(listen).toHaveBeenCalledTimes(2);
  await stop();
  expect(close).toHaveBeenCalledTimes(2);
});

it("does not subscribe again when we have ended the subscription ourselves", async () => {
  const { start, end, listen, checkAlive } = open();
  start();
  await vi.advanceTimersByTimeAsync(0);
  end("local");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(listen).toHaveBeenCalledTimes(1);
  expect(checkAlive).not.toHaveBeenCalled();
});
