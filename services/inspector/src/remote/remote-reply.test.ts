/** A reply that its caller leaves in the middle of a slice: it is ended and forgotten in the process when the slice is over. */
import { expect, test } from "vitest";
import { DebuggerError, DebuggerSession } from "./debugger-session.ts";
import { RemoteReply } from "./remote-reply.ts";

/** A connection whose slices end as the test says. */
class HeldSession extends DebuggerSession {
  readonly released: string[] = [];
  readonly slice = Promise.withResolvers<unknown>();

  constructor() {
    super({ address: "127.0.0.1:0", timeoutMs: 1_000 }, () => undefined);
  }

  override awaited(): Promise<unknown> {
    return this.slice.promise;
  }

  override release(objectId: string, last = ""): void {
    this.released.push(objectId, last);
  }
}

const ended = ["reply", expect.stringContaining("end")];

test.each([
  ["gives a part", ({ slice }: HeldSession) => slice.resolve({ isLast: false, text: "" })],
  ["fails", ({ slice }: HeldSession) => slice.reject(new DebuggerError("it is gone"))],
])("released in the middle of a slice that %s", async (_, settle) => {
  const session = new HeldSession();
  const reply = new RemoteReply(session, () => Promise.resolve("reply"));
  const slice = reply.slice();
  reply.release();
  expect(session.released).toEqual([]);
  settle(session);
  await slice;
  expect(session.released).toEqual(ended);
  reply.release();
  expect(session.released).toEqual(ended);
});
