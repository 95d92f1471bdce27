/**
 * What went wrong with an upstream, and whether waiting can fix it. Pure: from an observation to its meaning.
 *
 * `transient` is retried for ever; `permanent` blocks until something changes, with a look every minute; `doubtful` is transient first, as a
 * page that a balancer shows during a deployment, and permanent when it stays; `session` means that the upstream is there but has
 * forgotten our session; it is reconnected at once.
 */
import { cleanText } from "@fairlead/contracts";
import { findErrorLine } from "./error-line.ts";
import { findInstallFailure, type InstallFailure } from "./install-failure.ts";

export type FaultKind = "transient" | "permanent" | "doubtful" | "session";

/**
 * `connect`: the address is looked up and a socket opened. `start`: the program is started. `install`: a program such as `npx` runs and has
 * not spoken MCP yet. `handshake`: the revision is agreed on. `tools`: the tools are listed.
 */
export type ConnectStep = "connect" | "start" | "install" | "handshake" | "tools";

export interface ConnectionFault {
  readonly kind: FaultKind;
  /** Stable name, for programs. */
  readonly reason: FaultReason;
  /** What failed, for people. */
  readonly message: string;
  /** What to do about it, where something can be done. */
  readonly hint?: string;
  /** The step of the attempt that failed; left out for a connection that was up. */
  readonly step?: ConnectStep;
  /** Milliseconds that the upstream wants us to stay away (`Retry-After`). */
  readonly retryAfterMs?: number;
}

type FaultReason =
  | "asked"
  | "bad_address"
  | "bad_answer"
  | "bad_certificate"
  | "bad_header"
  | "bad_status"
  | "closed"
  | "exited"
  | "forbidden"
  | "install_failed"
  | "insufficient_scope"
  | "missing_command"
  | "missing_folder"
  | "missing_secret"
  | "missing_variable"
  | "no_sandbox"
  | "not_found"
  | "refused"
  | "removed"
  | "session_expired"
  | "silent"
  | "timeout"
  | "unapproved"
  | "unauthorized"
  | "unreachable"
  | "unsupported";

/** What was seen of an upstream. `opening`: while connecting, not on a connection that had worked. */
export type Observation =
  | { readonly what: "spawn"; readonly command: string; readonly code: string }
  /** The one to start a program in is not there. */
  | { readonly what: "folder"; readonly path: string; readonly use?: "sandbox" }
  /** It cannot be held as it is to be. */
  | { readonly what: "sandbox"; readonly why: string }
  | { readonly what: "exit"; readonly code: number | null; readonly signal: string | null; readonly stderr: string }
  | { readonly what: "socket"; readonly code: string; readonly message: string }
  | {
      readonly what: "status";
      readonly status: number;
      readonly opening: boolean;
      /** True when the request named a session. */
      readonly session: boolean;
      /** Set when the address has no path. */
      readonly noPath?: true;
      /** Set where tokens are had by OAuth. */
      readonly oauth?: true;
      /** `Retry-After`, in milliseconds. */
      readonly retryAfterMs?: number;
    }
  /** A refusal that names the rights which are missing. */
  | { readonly what: "scope"; readonly scope: string }
  | { readonly what: "rpc"; readonly code: number; readonly message: string }
  | { readonly what: "timeout"; readonly ms: number; readonly opening: boolean; readonly installing?: true }
  | { readonly what: "closed" }
  | { readonly what: "silent"; readonly misses: number }
  | { readonly what: "answer"; readonly message: string }
  | { readonly what: "address"; readonly message: string }
  | { readonly what: "header"; readonly name: string; readonly why: string }
  | { readonly what: "variable"; readonly name: string; readonly at: string }
  | { readonly what: "secret"; readonly name: string; readonly why: string }
  | { readonly what: "unapproved"; readonly endpoint: string };

const fault = (kind: FaultKind, reason: FaultReason, message: string, hint?: string): ConnectionFault => ({
  kind,
  reason,
  // Some of the words are the upstream's.
  message: cleanText(message, longestMessage),
  ...(hint !== undefined && { hint }),
});

const longestMessage = 300;

/** JSON-RPC's number for a fault of its own that the other side did not expect. */
const internalError = -32_603;

/** Ways in which a shell or a launcher says that the program is not there or cannot be run. */
const notRunnable = new Set([126, 127]);

const certificate = /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

export const classify = (seen: Observation): ConnectionFault => {
  switch (seen.what) {
    case "spawn":
      return ["EAGAIN", "ENOMEM", "EMFILE", "ENFILE"].includes(seen.code)
        ? fault("transient", "missing_command", `${seen.command} could not be started: ${seen.code}`)
        : missingCommand(seen.command, seen.code);
    case "folder":
      return fault(
        "permanent",
        "missing_folder",
        `the folder ${seen.path}, ${seen.use === "sandbox" ? "which its sandbox names" : "to start it in"}, is not there`,
        `make it, or correct \`${seen.use ?? "cwd"}\` in the configuration`,
      );
    case "sandbox":
      return fault(
        "permanent",
        "no_sandbox",
        `the program is not started, since this system cannot hold it as \`sandbox\` says: ${seen.why}`,
        "see `fairlead doctor` for what the system lacks, or take `sandbox` out and trust the program",
      );
    case "exit":
      return exitFault(seen);
    case "socket":
      return socketFault(seen);
    case "status":
      return statusFault(seen);
    case "scope":
      return fault(
        "permanent",
        "insufficient_scope",
        `the upstream requires rights that the token does not give: ${seen.scope}`,
        "run `fairlead conn login`, or give it a token that has them",
      );
    case "rpc":
      if (seen.code === internalError) {
        return fault("transient", "bad_answer", `the upstream failed in the handshake: ${seen.message} (${seen.code})`);
      }
      return fault(
        "permanent",
        "unsupported",
        `the upstream refused the handshake: ${seen.message} (${seen.code})`,
        "check that it is an MCP server, and which revisions it speaks",
      );
    case "timeout":
      return fault(
        "transient",
        "timeout",
        `no answer within ${seen.ms} ms${seen.opening ? " while connecting" : ""}`,
        seen.installing ? "if it only installs slowly, give it more time: `limits.firstConnectMs`" : undefined,
      );
    case "closed":
      return fault("transient", "closed", "the upstream ended the connection");
    case "silent":
      return fault("transient", "silent", `${seen.misses} pings in a row went unanswered`);
    case "answer":
      return fault(
        "doubtful",
        "bad_answer",
        `the upstream's answer is not what MCP says: ${seen.message}`,
        "fix the upstream, then `fairlead conn reconnect`",
      );
    case "address":
      return fault("permanent", "bad_address", seen.message, "use an https address, or name it in the configuration");
    case "header":
      return fault(
        "permanent",
        "bad_header",
        `the header ${JSON.stringify(seen.name)} cannot be sent: ${seen.why}`,
        "correct it under `headers`",
      );
    case "unapproved":
      return fault(
        "permanent",
        "unapproved",
        `it is not what was approved: it would be ${seen.endpoint}`,
        "look at it with `fairlead conn status`, then `fairlead conn approve`",
      );
    case "secret":
      return fault(
        "permanent",
        "missing_secret",
        `the secret ${seen.name} could not be read: ${seen.why}`,
        `see to what \`secrets.${seen.name}\` of the configuration names, then \`fairlead conn reconnect\``,
      );
    case "variable":
      return fault(
        "permanent",
        "missing_variable",
        `the environment variable ${seen.name}, which \`${seen.at}\` names, is not set`,
        `set ${seen.name} and start the kernel again, or give it a default: \${${seen.name}:-…}`,
      );
  }
};

/** A reconnect that a person requested, in the form of a fault. */
export const reconnectRequested: ConnectionFault = fault("transient", "asked", "asked to reconnect");

/** What ends the calls of a connection that is gone. */
export const connectionRemoved: ConnectionFault = fault("permanent", "removed", "the connection was removed");

/** What ends the calls of a connection whose address or program is another now. */
export const targetChanged: ConnectionFault = fault("transient", "closed", "the connection leads elsewhere now");

const missingCommand = (command: string, code: string): ConnectionFault =>
  fault(
    "permanent",
    "missing_command",
    `${command} could not be started: ${code}`,
    "install it, or correct the command in the configuration",
  );

const exitFault = ({ code, signal, stderr }: Extract<Observation, { what: "exit" }>): ConnectionFault => {
  const failed = findInstallFailure(stderr);
  if (failed !== undefined) return installFault(failed);
  const words = findErrorLine(stderr);
  const said = words === "" ? "" : `; it wrote: ${words}`;
  const how = signal === null ? `with code ${code ?? "unknown"}` : `by ${signal}`;
  return code !== null && notRunnable.has(code)
    ? missingCommand("the program", `exit ${code}${said}`)
    : fault("transient", "exited", `the upstream's process ended ${how}${said}`);
};

const installFault = (failed: InstallFailure): ConnectionFault =>
  failed.kind === "incomplete"
    ? fault(
        "permanent",
        "install_failed",
        `the program is installed in part only, in ${failed.folder}: ${failed.why}`,
        `remove it with \`rm -rf '${failed.folder}'\`, then \`fairlead conn reconnect\` installs it again`,
      )
    : fault(
        failed.passes ? "transient" : "permanent",
        "install_failed",
        `npm could not install the program: ${failed.code === "ENOEXECUTABLE" ? "" : `${failed.code}: `}${failed.why}`,
        failed.passes ? undefined : "correct the package in the configuration, or what npm names",
      );

const socketFault = ({ code, message }: Extract<Observation, { what: "socket" }>): ConnectionFault => {
  if (code === "ECONNREFUSED") return fault("transient", "refused", "nothing listens at that address");
  if (certificate.test(code)) {
    return fault(
      "permanent",
      "bad_certificate",
      `the upstream's certificate was not accepted: ${code}`,
      "install a valid certificate",
    );
  }
  if (["ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT"].includes(code)) {
    return fault("transient", "unreachable", `the upstream's host cannot be reached: ${code}`);
  }
  return fault("transient", "closed", `the connection broke: ${code === "" ? message : code}`);
};

const tryUsualPath = "the address has no path: most MCP servers are at `/mcp`";

const statusFault = ({
  status,
  opening,
  session,
  noPath,
  oauth,
  retryAfterMs,
}: Extract<Observation, { what: "status" }>): ConnectionFault => {
  if (status === 401) {
    return fault(
      "permanent",
      "unauthorized",
      "the upstream requires a token (401)",
      oauth
        ? "run `fairlead conn login`: there is no token, or it is not taken any more"
        : "give it one under `headers`, or set `oauth` and run `fairlead conn login`",
    );
  }
  if (status === 403)
    return fault("permanent", "forbidden", "the upstream refuses us (403)", "check the token's rights");
  if (status === 404 && session) return fault("session", "session_expired", "the upstream has forgotten the session");
  if (status === 408 || status === 425 || status === 429 || status >= 500) {
    const busy = fault("transient", "bad_status", `the upstream answered ${status}`);
    return retryAfterMs === undefined ? busy : { ...busy, retryAfterMs };
  }
  if (!opening) return fault("transient", "bad_status", `the upstream answered ${status}`);
  if (status === 404 || status === 410) {
    return fault(
      "permanent",
      "not_found",
      `there is no MCP server at that address (${status})`,
      noPath ? tryUsualPath : "check the path",
    );
  }
  return fault(
    "permanent",
    "bad_status",
    `the upstream answered ${status} to the handshake`,
    noPath ? tryUsualPath : "check the address",
  );
};
