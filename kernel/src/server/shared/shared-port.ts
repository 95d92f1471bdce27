/**
 * A port that several processes of a kernel serve: this one accepts, and gives each connection away or serves it. What the others do not
 * answer comes back over a Unix socket that only this user can open, and is guarded as if it had come to the port.
 */
import { rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import type { FairleadError } from "@fairlead/contracts";
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import { afterPoll } from "../drain.ts";
import { listenFailure } from "../listen-error.ts";
import type { TcpAddress } from "../server.ts";

/** New connections that the system holds while none is accepted. */
const backlog = 4_096;
/** Turns of the event loop that a stop gives connections that are not accepted yet. */
const mostTurns = 1_000;

/** Listens until the scope closes, and gives the port; port 0 lets the system choose. What connects is not read before somebody resumes it. */
export const listenAtPort = Effect.fnUntraced(function* (
  address: TcpAddress,
  accept: (socket: Socket) => void,
): Effect.fn.Return<number, FairleadError, Scope.Scope> {
  let accepted = 0;
  const server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => {
    accepted += 1;
    accept(socket);
  });
  yield* listen(server, { ...address, exclusive: true, backlog });
  // The system resets those that wait when a listener closes.
  const letIn = Effect.gen(function* () {
    for (let turn = 0; turn < mostTurns; turn += 1) {
      const before = accepted;
      yield* afterPoll;
      if (accepted === before) return;
    }
  });
  yield* Effect.addFinalizer(() => letIn);
  const bound = server.address();
  return typeof bound === "object" && bound !== null ? bound.port : address.port;
});

/** Listens at a Unix socket until the scope closes. */
export const listenAtSocket = (
  path: string,
  accept: (socket: Socket) => void,
): Effect.Effect<void, FairleadError, Scope.Scope> =>
  Effect.andThen(
    Effect.sync(() => rmSync(path, { force: true })),
    listen(createServer(accept), { path }),
  );

type ListenPlace = Parameters<typeof listenFailure>[1] & { readonly exclusive?: boolean; readonly backlog?: number };

const listen = (server: Server, target: ListenPlace): Effect.Effect<void, FairleadError, Scope.Scope> => {
  const open = Effect.callback<void, Error>((resume) => {
    const failed = (cause: Error): void => resume(Effect.fail(cause));
    server.once("error", failed);
    server.listen({ ...target }, () => {
      server.off("error", failed);
      resume(Effect.void);
    });
  });
  return Effect.acquireRelease(
    Effect.catch(open, (cause) => Effect.flatMap(listenFailure(cause, target), Effect.fail)),
    // Its connections end with whoever serves them.
    () => Effect.sync(() => void server.close()),
  );
};
