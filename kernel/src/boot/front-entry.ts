/**
 * What runs in a front: it serves the connections that the kernel gives it, and ends with the kernel. Started by `fronts/fronts.ts`. An
 * error that nothing catches is reported there before the process ends.
 */
import type { Socket } from "node:net";
import * as Effect from "effect/Effect";
import type { FrontStart } from "../fronts/front-protocol.ts";
import { type LinkMessage, makeLink, type Post } from "../placement/link.ts";
import { makeFront, toFault } from "./front-kernel.ts";

const send: Post = (message, sent) => void process.send?.(message, undefined, {}, sent);

const serve = Effect.fnUntraced(function* (start: FrontStart) {
  const link = yield* makeLink(send);
  const { server, take } = makeFront(link, start, Effect.runPromise);
  process.on("message", (message, handle) => {
    if (handle === undefined) link.receive(message as LinkMessage);
    else take(handle as Socket);
  });
  yield* link.serve(server);
});

process.on("disconnect", () => process.exit());
process.on("uncaughtException", (error) =>
  send({ type: "note", kind: "failed", body: toFault(error) }, () => process.exit(1)),
);
process.once("message", (start) => void Effect.runPromise(Effect.scoped(serve(start as FrontStart))));
