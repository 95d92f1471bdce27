/**
 * The closed table of infrastructure error codes: the sixteen that gRPC and Connect use, and what each one is on every wire.
 * A service never adds a code; it declares errors of its own, each of which belongs to one of these.
 *
 * Not here: messages (they are for people and written where the failure is known).
 */

/** When sending the same request again can help: `never`, `always` (it was refused before it ran), or only when the procedure is safe to repeat. */
export type RetryHelp = "never" | "always" | "if-repeatable";

interface CodeRow {
  /** HTTP status of the reply. */
  readonly http: number;
  /** tRPC v11 error key (`TRPCError.code`). */
  readonly trpc: string;
  /** JSON-RPC 2.0 error number: the one tRPC v11 gives the key above, so that both envelopes agree. */
  readonly jsonrpc: number;
  /** MCP form: `tool` is a tool result with `isError`, `protocol` a JSON-RPC error. */
  readonly mcp: "tool" | "protocol";
  /** Exit code of the command line. */
  readonly exit: number;
  readonly retry: RetryHelp;
  /** When it happens, in words for the documentation. */
  readonly when: string;
}

const rows = {
  canceled: {
    http: 499,
    trpc: "CLIENT_CLOSED_REQUEST",
    jsonrpc: -32099,
    mcp: "tool",
    exit: 130,
    retry: "never",
    when: "the caller gave up before the answer was ready",
  },
  unknown: {
    http: 500,
    trpc: "INTERNAL_SERVER_ERROR",
    jsonrpc: -32603,
    mcp: "tool",
    exit: 1,
    retry: "never",
    when: "a failure of another system arrived without a code",
  },
  invalid_argument: {
    http: 400,
    trpc: "BAD_REQUEST",
    jsonrpc: -32600,
    mcp: "tool",
    exit: 7,
    retry: "never",
    when: "the input does not match the contract, whatever the state of the system",
  },
  deadline_exceeded: {
    http: 504,
    trpc: "GATEWAY_TIMEOUT",
    jsonrpc: -32603,
    mcp: "tool",
    exit: 4,
    retry: "if-repeatable",
    when: "the deadline passed before the answer was ready; the work may have happened",
  },
  not_found: {
    http: 404,
    trpc: "NOT_FOUND",
    jsonrpc: -32004,
    mcp: "tool",
    exit: 6,
    retry: "never",
    when: "the procedure or what it names does not exist",
  },
  already_exists: {
    http: 409,
    trpc: "CONFLICT",
    jsonrpc: -32009,
    mcp: "tool",
    exit: 8,
    retry: "never",
    when: "what should be created exists already",
  },
  permission_denied: {
    http: 403,
    trpc: "FORBIDDEN",
    jsonrpc: -32003,
    mcp: "tool",
    exit: 3,
    retry: "never",
    when: "the caller is known but may not do this",
  },
  resource_exhausted: {
    http: 429,
    trpc: "TOO_MANY_REQUESTS",
    jsonrpc: -32029,
    mcp: "tool",
    exit: 4,
    retry: "always",
    when: "a rate, size or concurrency limit was reached; nothing ran",
  },
  failed_precondition: {
    http: 412,
    trpc: "PRECONDITION_FAILED",
    jsonrpc: -32012,
    mcp: "tool",
    exit: 5,
    retry: "never",
    when: "the system is not in the state this needs; the message says which",
  },
  aborted: {
    http: 409,
    trpc: "CONFLICT",
    jsonrpc: -32009,
    mcp: "tool",
    exit: 8,
    retry: "if-repeatable",
    when: "a concurrent change won, or the same idempotency key is in use",
  },
  out_of_range: {
    http: 400,
    trpc: "BAD_REQUEST",
    jsonrpc: -32600,
    mcp: "tool",
    exit: 5,
    retry: "never",
    when: "a value is past the end of what exists now",
  },
  unimplemented: {
    http: 501,
    trpc: "NOT_IMPLEMENTED",
    jsonrpc: -32603,
    mcp: "tool",
    exit: 6,
    retry: "never",
    when: "the procedure exists in the contract but is switched off or not offered this way",
  },
  internal: {
    http: 500,
    trpc: "INTERNAL_SERVER_ERROR",
    jsonrpc: -32603,
    mcp: "tool",
    exit: 1,
    retry: "never",
    when: "a defect of ours; the id finds the log line",
  },
  unavailable: {
    http: 503,
    trpc: "SERVICE_UNAVAILABLE",
    jsonrpc: -32603,
    mcp: "tool",
    exit: 4,
    retry: "if-repeatable",
    when: "the service is starting, restarting, shedding load or cannot be reached",
  },
  data_loss: {
    http: 500,
    trpc: "INTERNAL_SERVER_ERROR",
    jsonrpc: -32603,
    mcp: "tool",
    exit: 5,
    retry: "never",
    when: "stored data is lost or damaged beyond repair",
  },
  unauthenticated: {
    http: 401,
    trpc: "UNAUTHORIZED",
    jsonrpc: -32001,
    mcp: "protocol",
    exit: 3,
    retry: "never",
    when: "a token is required and none, or a wrong one, was sent",
  },
} as const satisfies Record<string, CodeRow>;

/** One of the sixteen infrastructure codes. */
export type Code = keyof typeof rows;

/** What each code is on every wire: HTTP status, codes of tRPC and JSON-RPC, exit code, and whether a repeat can help. */
export const codes: Readonly<Record<Code, CodeRow>> = rows;

/** All codes in the table's order; generated documents list them in this order. */
export const codeNames = Object.keys(rows) as readonly Code[];

/** Whether a value is one of the sixteen codes. */
export const isCode = (value: unknown): value is Code => typeof value === "string" && Object.hasOwn(rows, value);
