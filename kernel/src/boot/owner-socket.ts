/**
 * Callers on the private socket of the process that owns a state folder. A connection begins with one line of JSON, and then MCP goes over it
 * line by line as over stdin and stdout; one that begins with anything else is HTTP. Either way the caller proves with the key of the lock
 * file that it is the same user.
 *
 * Not here: who owns the folder, and listening (the command line), HTTP itself (`owner-http.ts`), which is loaded for its first caller.
 */
import { timingSafeEqual } from "node:crypto";
import type { Duplex } from "node:stream";
import { toWireError } from "../call/error.ts";
import { loadOnce } from "../call/load-once.ts";
import { type AttachReply, helloProblem, longestHello, parseHello, type RepeatableTools } from "../owner/hello.ts";
import { type StdioServer, serveStdio } from "../transport/mcp/stdio.ts";
import type { Surroundings } from "../transport/transport.ts";

interface OwnerSocketParts {
  readonly surroundings: Surroundings;
  /** What callers must send. */
  readonly key: string;
  /** Serves connections of HTTP; loads what it needs when it is called first. */
  readonly openHttp: () => Promise<(socket: Duplex) => void>;
  /** Starts services that were left for their first use: these, or all where the list is empty. */
  readonly start: (services: readonly string[]) => void;
}

export interface OwnerSocket {
  /** Serves a connection, until one of the two ends it. */
  readonly accept: (socket: Duplex) => void;
  /** Lets calls of attached stdio servers finish for a moment, and ends their connections. HTTP ends with its own scope. */
  readonly close: () => Promise<unknown>;
}

const newline = 0x0a;
const brace = 0x7b;

export const makeOwnerSocket = ({ surroundings, key, openHttp, start }: OwnerSocketParts): OwnerSocket => {
  const attached = new Set<StdioServer>();
  const http = loadOnce(openHttp);
  let isClosing = false;

  const acceptHttp = (socket: Duplex, first: Buffer): void => {
    socket.pause();
    start([]);
    http().then(
      (take) => {
        socket.unshift(first);
        take(socket);
        // The server reads on from its handle once the first bytes have been read from here.
        process.nextTick(() => socket.resume());
      },
      () => socket.destroy(),
    );
  };

  const refuse = (socket: Duplex, error: unknown): void => {
    const report = {
      procedure: "attaching",
      repeatable: true,
      defect: () => surroundings.log("error", "attaching failed", { error: String(error) }),
    };
    socket.end(replyLine({ ok: false, error: toWireError(error, report) }));
  };

  const attach = (socket: Duplex, line: string): void => {
    const hello = parseHello(line);
    if (hello === undefined || !sameText(hello.key, key)) {
      socket.end(replyLine({ ok: false, error: helloProblem }));
      return;
    }
    start(hello.services);
    const streams = { input: socket, output: socket };
    Promise.all([
      repeatableTools(surroundings),
      serveStdio(surroundings, { streams, services: hello.services, choice: hello.choice }),
    ]).then(
      ([repeatable, server]) => {
        attached.add(server);
        socket.write(replyLine({ ok: true, repeatable }));
        socket.resume();
        if (isClosing) void server.close();
        void server.done.then(() => {
          attached.delete(server);
          socket.end();
        });
      },
      (error) => refuse(socket, error),
    );
  };

  const accept = (socket: Duplex): void => {
    let held = Buffer.alloc(0);
    socket.on("error", () => socket.destroy());
    const take = (chunk: Buffer): void => {
      held = Buffer.concat([held, chunk]);
      if (held[0] !== brace) {
        socket.off("data", take);
        acceptHttp(socket, held);
        return;
      }
      const end = held.indexOf(newline);
      if (end === -1) {
        if (held.length > longestHello) socket.destroy();
        return;
      }
      socket.off("data", take).pause();
      const rest = held.subarray(end + 1);
      if (rest.length > 0) socket.unshift(rest);
      attach(socket, held.toString("utf8", 0, end));
    };
    socket.on("data", take);
  };

  return {
    accept,
    close: () => {
      isClosing = true;
      return Promise.allSettled([...attached].map((server) => server.close()));
    },
  };
};

const replyLine = (reply: AttachReply): string => `${JSON.stringify(reply)}\n`;

const sameText = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
};

/** The tools whose calls may be sent again to the next owner. Those that services relay are never among them. */
const repeatableTools = ({ manifest, catalog }: Surroundings): Promise<RepeatableTools> =>
  manifest.tools().then((entries) => {
    const named = (retries: readonly string[]): readonly string[] =>
      entries.flatMap(({ procedure, tool }) =>
        retries.includes(catalog.find(procedure)?.procedure.retry ?? "unsafe") ? [tool.name] : [],
      );
    return { always: named(["safe", "idempotent"]), keyed: named(["keyed"]) };
  });
