/** A service on the other side of a link, as the kernel calls it there. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import { expect, it } from "vitest";
import { type Link, type LinkMessage, makeLink } from "./link.ts";
import type { ThreadCall } from "./thread-protocol.ts";
import { threadService } from "./thread-service.ts";

const start = {
  service: "placed",
  module: new URL("../testing/placed.fixture.ts", import.meta.url).href,
  section: undefined,
  env: {},
  stays: true,
  stateDir: mkdtempSync(join(tmpdir(), "fairlead-thread-service-")),
};

const waitCall: ThreadCall = {
  id: 1,
  procedure: "wait",
  input: { session: "a" },
  principal: { id: "local", access: ["read", "call"] },
  leftMs: 600_000,
  traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
  idempotencyKey: undefined,
  lastEventId: undefined,
  progress: false,
  ask: false,
};

it("enters a handler once it is certain that the kernel learns of that: a call whose beginning is not known is sent again", async () => {
  const posted: string[] = [];
  const entered = Deferred.makeUnsafe<void>();
  const waiting: (() => void)[] = [];
  const ends: Link[] = [];
  const nearPost = (message: LinkMessage): void => ends[1]?.receive(message);
  const farPost = (message: LinkMessage, sent?: () => void): void => {
    const what = "kind" in message ? message.kind : message.type;
    posted.push(what);
    if (what === "event") Deferred.doneUnsafe(entered, Effect.void);
    ends[0]?.receive(message);
    // The channel is full: what is sent waits in this process.
    if (sent !== undefined) waiting.push(sent);
  };
  const run = Effect.gen(function* () {
    const near = yield* makeLink(nearPost);
    const far = yield* makeLink(farPost);
    ends.push(near, far);
    yield* Effect.forkScoped(far.serve(yield* threadService(far, start, Effect.runPromise)));
    yield* near.request("start", { seq: 0 });
    yield* Effect.forkScoped(near.request("call", waitCall), { startImmediately: true });
    yield* near.request("checks", undefined);
    expect(posted.filter((what) => what === "begun" || what === "event")).toEqual(["begun"]);
    for (const sent of waiting) sent();
    yield* Deferred.await(entered);
  });
  await Effect.runPromise(Effect.scoped(run));
});
