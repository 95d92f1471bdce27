/**
 * The reserved listener for those who operate the kernel: health, metrics, version and shutdown, on the owner's Unix socket and, where
 * configured, on a port of loopback. It has connections of its own, so no flood of the main port keeps it from answering, and probes
 * need no token. On the port, which every user of the system can reach, a shutdown needs one, whether the kernel has tokens or not.
 *
 * Not here: what the pages show (`transport/docs`), what a shutdown does (`boot/kernel.ts`).
 */
import { chmodSync, existsSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { dirname } from "node:path";
import type { FairleadError, WireError } from "@fairlead/contracts";
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import { isGranted, localPrincipal, type Principal } from "../call/call.ts";
import type { Log } from "../observe/log.ts";
import { longestSocketPath } from "../owner/places.ts";
import { makePrivateFolder } from "../state/private-folder.ts";
import type { Authenticate } from "./bearer.ts";
import type { IdentityRules } from "./guard.ts";
import type { GuardedRequest, Mount } from "./mount.ts";
import { sendProblem } from "./problem.ts";
import { type HttpServer, makeServer } from "./server.ts";

interface AdminParts {
  /** All pages of the kernel; those for its health are taken. */
  readonly pages: readonly Mount[];
  /** Who has a token; whoever has none may probe. */
  readonly authenticate: Authenticate;
  /** Finds out who has a token of an identity provider, for what needs one; left out where there is no provider. */
  readonly identify?: IdentityRules["identify"] | undefined;
  readonly log: Log;
  /** Begins the end of the kernel. */
  readonly shutdown: () => void;
}

const prefixes: ReadonlySet<string> = new Set(["/livez", "/readyz", "/metrics", "/version"]);

/** Whoever asks for no more than whether the kernel lives: it sees no service. */
const prober: Principal = { id: "prober", access: [], services: [] };

/** Few connections, short times, and never overloaded: its requests are small. */
const limits = { most: 64, perAddress: 64, perPrincipal: 64 };
const times = { headers: 2_000, request: 2_000, lag: Number.POSITIVE_INFINITY };

/**
 * Listens on a Unix socket that only its owner may open, until the scope closes. Succeeds with its path, or with `undefined` where
 * another kernel answers there or the system gives none: the kernel works without.
 */
export const openAdminSocket = (
  path: string,
  parts: AdminParts,
): Effect.Effect<string | undefined, never, Scope.Scope> =>
  Effect.gen(function* () {
    if (Buffer.byteLength(path) > longestSocketPath) {
      parts.log("warn", "no admin socket: its path is too long", { path, most: longestSocketPath });
      return undefined;
    }
    if (yield* answers(path)) {
      parts.log("info", "no admin socket: another kernel has it", { path });
      return undefined;
    }
    const server = yield* openServer(parts, { authenticate: () => localPrincipal, isAllowed: mayStop });
    yield* Effect.try({
      try: () => {
        makePrivateFolder(dirname(path));
        rmSync(path, { force: true });
      },
      catch: (cause) => cause,
    });
    yield* server.listen({ path });
    yield* Effect.sync(() => chmodSync(path, 0o600));
    return path;
  }).pipe(
    Effect.catch((cause) =>
      Effect.sync(() => {
        parts.log("warn", "no admin socket: it cannot be made", { path, cause });
        return undefined;
      }),
    ),
  );

/** Listens on a port of loopback until the scope closes; succeeds with the port. Fails when it cannot. */
export const openAdminPort = (port: number, parts: AdminParts): Effect.Effect<number, FairleadError, Scope.Scope> =>
  Effect.gen(function* () {
    const authenticate: Authenticate = (authorization) => parts.authenticate(authorization) ?? prober;
    // While there are no tokens everyone is local, other users of the system too: the Unix socket is the owner's way.
    const isAllowed = (principal: Principal) => principal !== localPrincipal && mayStop(principal);
    const server = yield* openServer(parts, { authenticate, isAllowed, identify: parts.identify });
    const bound = yield* server.listen({ port, host: "127.0.0.1" });
    return bound.port;
  });

/** Whether a principal may stop the kernel. */
const mayStop = (principal: Principal): boolean => isGranted(principal, "admin");

interface AdminCallers extends Pick<AdminParts, "authenticate" | "identify"> {
  readonly isAllowed: (principal: Principal) => boolean;
}

const openServer = (
  { pages, log, shutdown }: Omit<AdminParts, keyof AdminCallers>,
  callers: AdminCallers,
): Effect.Effect<HttpServer, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() =>
      makeServer({
        mounts: [...pages.filter(({ prefix }) => prefixes.has(prefix)), shutdownMount(shutdown, callers)],
        // Programs that speak to a Unix socket call it localhost.
        rules: { hosts: ["localhost"], origins: [], authenticate: callers.authenticate },
        log,
        times,
        limits,
      }),
    ),
    ({ close }) => close,
  );

/** The one path for which it is found out who calls: probes do not wait for an identity provider. */
const shutdownMount = (shutdown: () => void, { authenticate, isAllowed, identify }: AdminCallers): Mount => ({
  prefix: "/shutdown",
  handle: ({ incoming, principal }: GuardedRequest, response) => {
    const { method, headers, socket } = incoming;
    const answer = (problem: WireError | undefined): void => {
      if (problem !== undefined) sendProblem(response, problem);
      else if (!isAllowed(authenticate(headers.authorization) ?? principal)) sendProblem(response, mayNot);
      else {
        response.writeHead(202, { "content-type": "application/json", "cache-control": "no-store" });
        response.end('{"stopping":true}', shutdown);
      }
    };
    const identified = method === "POST" ? identify?.(headers.authorization, socket.remoteAddress) : undefined;
    if (identified !== undefined) return identified.then(answer);
    if (method === "POST") answer(undefined);
    else sendProblem(response, onlyPost, { status: 405, headers: { allow: "POST" } });
    return Promise.resolve();
  },
  close: () => Promise.resolve(),
});

/** True when a program answers at that socket. */
const answers = (path: string): Effect.Effect<boolean> =>
  Effect.callback((resume) => {
    if (!existsSync(path)) return resume(Effect.succeed(false));
    const socket = connect(path);
    const finish = (isAnswered: boolean): void => {
      socket.destroy();
      resume(Effect.succeed(isAnswered));
    };
    socket.once("connect", () => finish(true)).once("error", () => finish(false));
  });

const onlyPost: WireError = {
  code: "unimplemented",
  message: "a shutdown is a POST",
  hint: "send a POST without a body",
  retryable: false,
};
const mayNot: WireError = {
  code: "permission_denied",
  message: "only a token with `admin` access to all services may stop the kernel",
  hint: "use the admin socket in the state folder, or a token with `admin` access",
  retryable: false,
};
