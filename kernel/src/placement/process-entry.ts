/**
 * What runs in a worker process: loads the module of a service, starts it, serves its calls, and stops it. Started by `process.ts`. It ends
 * with its kernel, and an error that nothing catches is reported there before it ends.
 */
import * as Effect from "effect/Effect";
import { type LinkMessage, makeLink, type Post } from "./link.ts";
import { cloneable } from "./thread-parts.ts";
import type { ThreadStart } from "./thread-protocol.ts";
import { threadService } from "./thread-service.ts";

/** Sent is what the system has: a message can wait here for room in the channel, and then it is lost when the process is killed. */
const send: Post = (message, sent) => void process.send?.(message, undefined, {}, sent);

const serve = Effect.fnUntraced(function* (start: ThreadStart) {
  const link = yield* makeLink(send);
  process.on("message", (message) => link.receive(message as LinkMessage));
  yield* link.serve(yield* threadService(link, start, Effect.runPromise));
});

process.on("disconnect", () => process.exit());
process.on("uncaughtException", (error) =>
  send({ type: "note", kind: "failed", body: cloneable(error) }, () => process.exit(1)),
);
process.once("message", (start) => void Effect.runPromise(Effect.scoped(serve(start as ThreadStart))));
