/**
 * Takes calls of other nodes: what is signed, fresh, new and of a key that this node owns goes to dispatch, and is answered line by line.
 *
 * Not here: what a message looks like (`message.ts`), who owns what (`node.ts`), the transports of callers (`transport/`).
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Contract, FairleadError, type WireError } from "@fairlead/contracts";
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import type { CallRequest, Dispatch } from "../../call/call.ts";
import type { Log } from "../../observe/log.ts";
import { procedureDigest } from "../wire/digest.ts";
import { SeenCalls } from "../wire/seen-calls.ts";
import type { Signer } from "../wire/signature.ts";
import {
  digestBody,
  freshMs,
  mostCallBytes,
  type NodeCall,
  type NodeReply,
  readHead,
  readNodeCall,
  writeLine,
} from "./message.ts";

/** Signed calls that are known again: 13,000 a second for half a minute. */
const mostSeen = 400_000;

/** Milliseconds that calls which have ended have for the way of their answers. */
const closeMs = 1_000;

interface PeerServerOptions {
  readonly listen: { readonly host: string; readonly port: number };
  /** Id of this node. */
  readonly node: string;
  readonly signer: Signer;
  readonly log: Log;
}

/** What answers calls, once there is something that can. */
export interface PeerService {
  readonly dispatch: Pick<Dispatch, "call" | "subscribe">;
  readonly contract: (service: string) => Contract | undefined;
  /** The epoch by which this node owns the shard, waiting a moment for what it is about to own. */
  readonly owned: (shard: number) => Promise<number | undefined>;
}

interface PeerServer {
  readonly port: number;
  /** From now on calls are answered; before, all have moved. */
  readonly begin: (service: PeerService) => void;
}

/** Listens for as long as the scope. */
export const openPeerServer = Effect.fnUntraced(function* (
  options: PeerServerOptions,
): Effect.fn.Return<PeerServer, FairleadError, Scope.Scope> {
  const calls = new PeerCalls(options);
  const server = yield* Effect.acquireRelease(
    Effect.callback<Server, FairleadError>((resume) => {
      const opened = createServer({ noDelay: true, keepAliveTimeout: 60_000 }, (incoming, outgoing) =>
        calls.take(incoming, outgoing),
      );
      opened.once("error", (cause) => resume(Effect.fail(cannotListen(options, cause))));
      opened.listen(options.listen, () => resume(Effect.succeed(opened)));
    }),
    (opened) =>
      Effect.andThen(
        Effect.timeoutOption(
          Effect.callback<void>((resume) => {
            opened.close(() => resume(Effect.void));
            opened.closeIdleConnections();
          }),
          closeMs,
        ),
        Effect.sync(() => opened.closeAllConnections()),
      ),
  );
  server.on("error", (error) => options.log("error", "the listener for other nodes failed", { error }));
  return { port: (server.address() as AddressInfo).port, begin: (service) => calls.begin(service) };
});

const cannotListen = ({ listen: { host, port } }: PeerServerOptions, cause: Error): FairleadError =>
  new FairleadError(
    {
      code: "failed_precondition",
      message: `this node cannot listen for others at ${host}:${port}: ${cause.message}`,
      hint: "give `cluster.listen` an address of this machine and a free port",
    },
    { cause },
  );

class PeerCalls {
  readonly #options: PeerServerOptions;
  readonly #seen = new SeenCalls(mostSeen);
  #service: PeerService | undefined;

  constructor(options: PeerServerOptions) {
    this.#options = options;
  }

  begin(service: PeerService): void {
    this.#service = service;
  }

  take(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { node, signer, log } = this.#options;
    const head = readHead(incoming.headers, node, signer);
    if (head === undefined) {
      log("warn", "a call from node to node is not signed with this cluster's secret, or its clock is wrong", {
        from: incoming.socket.remoteAddress,
      });
      refuse(outgoing, 401);
      return;
    }
    const refusal = this.#refuseHead(head);
    if (refusal !== undefined) {
      refuse(outgoing, refusal);
      return;
    }
    this.#answer(incoming, outgoing, head).catch((error: unknown) => {
      log("error", "a call of another node could not be answered", { error });
      outgoing.destroy();
    });
  }

  /** The status of a refusal: it is too long, has come before, or is one of too many to be known again. */
  #refuseHead({
    call,
    length,
    time,
  }: {
    readonly call: string;
    readonly length: string;
    readonly time: string;
  }): number | undefined {
    if (Number(length) > mostCallBytes) return 413;
    const known = this.#seen.add(call, Number(time) + freshMs);
    if (known === "new") return undefined;
    return known === "again" ? 409 : 503;
  }

  async #answer(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    { call, digest }: { readonly call: string; readonly digest: string },
  ): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of incoming as AsyncIterable<Buffer>) parts.push(part);
    const body = Buffer.concat(parts);
    const said = digestBody(body) === digest ? readNodeCall(body.toString("utf8")) : undefined;
    if (said === undefined) {
      refuse(outgoing, 400);
      return;
    }
    const lines = new Lines(outgoing, (reply, at) => writeLine(reply, { call, at }, this.#options.signer));
    const epoch = await this.#service?.owned(said.shard);
    if (this.#service === undefined || epoch === undefined) {
      lines.last({ kind: "moved" });
      return;
    }
    const other = this.#refuseOther(said, this.#service);
    if (other !== undefined) {
      lines.last({ kind: "error", value: other });
      return;
    }
    lines.write({ kind: "taken", value: epoch });
    await run(this.#service.dispatch, said, lines);
  }

  /** What is wrong where this node has another contract than its caller. */
  #refuseOther({ procedure, digest }: NodeCall, { contract }: PeerService): WireError | undefined {
    const [service = "", name = ""] = procedure.split(".");
    const own = contract(service)?.procedures[name];
    if (own !== undefined && procedureDigest(own) === digest) return undefined;
    const what = own === undefined ? "does not have it" : "has it by another contract";
    return new FairleadError({
      code: "unavailable",
      message: `${procedure} belongs to a node of the cluster that ${what}`,
      hint: "run the same services in the same versions on all nodes",
      retryable: true,
    }).toJSON();
  }
}

const refuse = (outgoing: ServerResponse, status: number): void => {
  outgoing.writeHead(status, { connection: "close" });
  outgoing.end();
};

/** The answer, written no faster than it is read. */
class Lines {
  readonly gone = new AbortController();
  readonly #outgoing: ServerResponse;
  readonly #write: (reply: NodeReply, at: number) => string;
  #at = 0;

  constructor(outgoing: ServerResponse, write: (reply: NodeReply, at: number) => string) {
    this.#outgoing = outgoing;
    this.#write = write;
    outgoing.once("close", () => {
      if (!outgoing.writableFinished) this.gone.abort();
    });
    outgoing.on("error", () => this.gone.abort());
  }

  write(reply: NodeReply): boolean {
    if (!this.#outgoing.headersSent) this.#outgoing.writeHead(200, { "content-type": "application/x-ndjson" });
    return this.#outgoing.write(this.#write(reply, this.#at++));
  }

  async writeWhenRead(reply: NodeReply): Promise<void> {
    if (this.write(reply) || this.gone.signal.aborted) return;
    await new Promise<void>((resolve) => {
      this.#outgoing.once("drain", resolve);
      this.gone.signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }

  last(reply: NodeReply): void {
    this.write(reply);
    this.#outgoing.end();
  }
}

const run = async (dispatch: PeerService["dispatch"], said: NodeCall, lines: Lines): Promise<void> => {
  const request = toRequest(said, lines);
  if (!said.isStream) {
    const reply = await dispatch.call(request);
    lines.last(reply.ok ? { kind: "value", value: reply.value } : { kind: "error", value: reply.error });
    return;
  }
  const opened = await dispatch.subscribe(request);
  if (!opened.ok) {
    lines.last({ kind: "error", value: opened.error });
    return;
  }
  try {
    for await (const { id, value } of opened.items) {
      await lines.writeWhenRead({ kind: "item", value, ...(id !== undefined && { id }) });
      if (lines.gone.signal.aborted) return;
    }
    lines.last({ kind: "end" });
  } catch (cause) {
    if (!(cause instanceof FairleadError)) throw cause;
    lines.last({ kind: "error", value: cause.toJSON() });
  }
};

const toRequest = (said: NodeCall, lines: Lines): CallRequest => {
  const {
    procedure,
    input,
    principal,
    timeoutMs,
    traceparent,
    idempotencyKey,
    attempts,
    run: attempt,
    notes,
    lastEventId,
  } = said;
  return {
    procedure,
    input,
    principal: principal as CallRequest["principal"],
    transport: "cluster",
    signal: lines.gone.signal,
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(traceparent !== undefined && { trace: { traceparent } }),
    ...(idempotencyKey !== undefined && { idempotencyKey, keyIsClaimed: true as const }),
    ...(attempts !== undefined && { attempts }),
    ...(attempt !== undefined && { run: attempt }),
    ...(lastEventId !== undefined && { lastEventId }),
    ...(notes.includes("progress") && { onProgress: (value) => void lines.write({ kind: "progress", value }) }),
    ...(notes.includes("line") && { onLog: (value) => void lines.write({ kind: "line", value }) }),
  };
};
