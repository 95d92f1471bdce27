/**
 * A server without a socket: web requests of a runtime that has a server of its own go through the same stages as those that come by a
 * connection: guard, rates, mounts. Each request counts as a connection with one request on it.
 *
 * Not here: queues under overload, times for heads and bodies to arrive, WebSockets. The runtime has those.
 */
import * as Effect from "effect/Effect";
import { Connection, mountAt, type Serving } from "../connection.ts";
import { type Guard, makeGuard } from "../guard.ts";
import { sendProblem } from "../problem.ts";
import { overloaded } from "../refusals.ts";
import { makeServing, type ServerParts } from "../serving.ts";
import { defaultTimes } from "../settings.ts";
import { asServerResponse, FetchAnswer } from "./answer.ts";
import { asIncoming, FetchRequest } from "./incoming.ts";
import { asSocket, RequestSocket } from "./socket.ts";
import { dropRest } from "./unread-body.ts";

/** What a runtime knows of a request and does not write into it. */
interface RequestTerms {
  /** The caller's address, which some limits count by. All callers are one where it is left out. */
  readonly address?: string | undefined;
}

export interface FetchServer {
  /** Never rejects. Ends the call when `request.signal` fires or the reader of the answer leaves. */
  readonly fetch: (request: Request, terms?: RequestTerms) => Promise<Response>;
  /** Refuses new requests, ends the streams, waits for what is running up to the drain time, then ends what is left. */
  readonly close: Effect.Effect<void>;
}

/** Addresses by which a handler is reached; more of them are none of its own. */
const mostGuards = 64;

export const makeFetchServer = (parts: ServerParts): FetchServer => {
  const serving = makeServing(parts, (work) => void setImmediate(() => work(true)));
  const guardAt = guards(parts, serving);
  serving.guard = (incoming) => {
    const request: unknown = incoming;
    if (!(request instanceof FetchRequest)) throw new Error("a request came without its address");
    return guardAt(request.address)(incoming);
  };
  const open = new Set<FetchAnswer>();
  /** Requests whose answer is written, and whose body is not read to its end. */
  const unread = new Set<FetchRequest>();
  const times = { ...defaultTimes, ...parts.times };

  const fetch = (request: Request, { address }: RequestTerms = {}): Promise<Response> => {
    const url = new URL(request.url);
    const socket = new RequestSocket(address);
    const incoming = new FetchRequest(request, url, socket);
    const answer = new FetchAnswer(incoming);
    const cut = (): void => {
      answer.destroy();
      incoming.destroy();
    };
    socket.once("close", cut);
    // That a body breaks off is seen by its `close`.
    incoming.on("error", () => undefined);
    answer.on("error", () => undefined);
    const state = serving.table.admit(asSocket(socket));
    if (state === undefined) {
      answer.once("close", () => void incoming.destroy());
      sendProblem(asServerResponse(answer), overloaded);
      return answer.response;
    }
    open.add(answer);
    const leave = (): void => {
      answer.abandon();
      incoming.destroy();
    };
    request.signal.addEventListener("abort", leave, { once: true });
    const ended = (): void => {
      unread.delete(incoming);
      serving.table.leave(state);
    };
    answer.once("close", () => {
      open.delete(answer);
      // Some runtimes fire it when the answer is sent; a caller that goes breaks its body, too.
      request.signal.removeEventListener("abort", leave);
      serving.budget.leave(state);
      if (incoming.complete || incoming.destroyed) {
        ended();
        return;
      }
      unread.add(incoming);
      incoming.once("close", ended);
      const { table } = serving;
      const [linger, lingerQuiet] = [table.shortened(times.linger), table.shortened(times.lingerQuiet)];
      table.linger(state, performance.now() + linger);
      dropRest(incoming, { linger, lingerQuiet });
    });
    const connection = new Connection(state, serving);
    connection.accept({ incoming: asIncoming(incoming), response: asServerResponse(answer), proceed: undefined });
    if (request.signal.aborted) leave();
    return answer.response;
  };

  const drained = Effect.callback<void>((resume) => {
    const look = (): void => {
      const [next] = open;
      if (next === undefined) resume(Effect.void);
      else next.once("close", look);
    };
    look();
  });
  const overdue = Effect.andThen(
    Effect.sleep(times.drain),
    Effect.sync(() => {
      for (const answer of open) answer.destroy();
    }),
  );
  const close = Effect.suspend(() => {
    serving.phase = "closed";
    const mounts = Effect.promise(() => Promise.allSettled(parts.mounts.map((mount) => mount.close())));
    return Effect.raceFirst(
      Effect.all([mounts, drained], { concurrency: "unbounded", discard: true }),
      Effect.andThen(overdue, Effect.never),
    ).pipe(
      Effect.andThen(
        Effect.sync(() => {
          for (const incoming of unread) incoming.destroy();
        }),
      ),
    );
  });
  return { fetch, close };
};

/** The guard of the address that a request came to, made once for each. */
const guards = ({ rules }: ServerParts, { route }: Serving): ((url: URL) => Guard) => {
  const made = new Map<string, Guard>();
  const longestUrl = (url: string): number | undefined => mountAt(route, url)?.longestUrl;
  return ({ protocol, port }) => {
    const name = `${protocol}${port}`;
    const known = made.get(name);
    if (known !== undefined) return known;
    // Without a port the names of loopback mean the usual one, whatever the scheme.
    const address = {
      host: "localhost",
      port: port === "" ? 80 : Number(port),
      scheme: protocol === "https:" ? ("https" as const) : ("http" as const),
    };
    const guard = makeGuard({ ...rules, longestUrl }, address);
    if (made.size >= mostGuards) made.clear();
    made.set(name, guard);
    return guard;
  };
};
