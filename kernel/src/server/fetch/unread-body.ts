/**
 * The end of a request whose body was not read to its end when its answer was written. A runtime that is left with unread bytes may reset
 * the connection, which takes from the client the answer that it has not read: so what still comes is read and dropped, for so long and
 * so many bytes as at a connection of the kernel's own (`connections/lingering.ts`), and then cancelled.
 */
import { type LingerTimes, mostDropped } from "../connections/lingering.ts";
import type { FetchRequest } from "./incoming.ts";

/** The request emits `close` once it has come to its end or has been cancelled. Milliseconds. */
export const dropRest = (incoming: FetchRequest, { linger, lingerQuiet }: LingerTimes): void => {
  // Those who read it before take nothing more.
  for (const event of ["data", "readable"]) incoming.removeAllListeners(event);
  let dropped = 0;
  incoming.on("data", (chunk: Uint8Array) => {
    dropped += chunk.length;
    if (dropped > mostDropped) incoming.destroy();
  });
  incoming.resume();
  const after = (ms: number, work: () => void): void =>
    AbortSignal.timeout(ms).addEventListener("abort", () => {
      if (!incoming.destroyed) work();
    });
  const watch = (): void => {
    const before = dropped;
    after(lingerQuiet, () => (dropped === before ? void incoming.destroy() : watch()));
  };
  after(linger, () => void incoming.destroy());
  watch();
};
