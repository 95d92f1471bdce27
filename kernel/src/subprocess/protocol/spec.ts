/** A subprocess as a service describes it. Everything comes from configuration or code, never from a caller. */
import type { TraceContext } from "../../call/call.ts";
import type { Denial, FolderAccess } from "../contain/containment.ts";
import type { Dialect } from "./dialect.ts";
import type { Message } from "./line.ts";
import type { Fault } from "./subprocess-error.ts";

/** A process of a service: what to run, and its limits. */
export interface SubprocessSpec {
  /** For people: error messages, events, `fairlead services`. */
  readonly name: string;
  /** A program, looked up in PATH when it has no slash. Never a shell's line. */
  readonly command: string;
  readonly args: readonly string[];
  /** An existing folder. */
  readonly cwd: string;
  readonly env?: EnvironmentSpec;
  /** What it has to do without, where that can be had. */
  readonly deny?: readonly Denial[];
  /** Folders that are exceptions where it is denied writing. */
  readonly folders?: FolderAccess;
  readonly dialect: Dialect;
  /** Milliseconds until the handshake must have come. Default 10,000. */
  readonly startMs?: number;
  /** Milliseconds a request may take when its caller does not say. Default 10,000. */
  readonly requestMs?: number;
  /** Milliseconds after a request's deadline within which the child must write something, or it is killed. Default 5,000. */
  readonly unresponsiveMs?: number;
  /** Milliseconds to end by itself after `quit` and the end of its input, then after SIGTERM. Default 1,000 and 2,000. */
  readonly stop?: { readonly graceMs?: number; readonly termMs?: number };
  readonly limits?: Partial<SubprocessLimits>;
  /** Work between handshake and readiness, like loading what the last process had loaded. Failing fails the start. */
  readonly prepare?: (ask: Ask) => Promise<void>;
  /** Milliseconds that `prepare` may take. Default 30,000. */
  readonly prepareMs?: number;
  /** What to do when it cannot start, for people: one text, or one for each cause. Without a text, the kernel's own. */
  readonly hint?: string | ((fault: Fault) => string | undefined);
  /** What to do when it is down until somebody starts it. Default: fix the cause and restart it. */
  readonly downHint?: string;
  /** Which lines of its stderr an error quotes, of the last 40. Default: the last four. */
  readonly quote?: (lines: readonly string[]) => readonly string[];
}

export interface EnvironmentSpec {
  /** Variables handed on from the kernel's own environment, in addition to `PATH`, `HOME`, `LANG` and `TZ`. */
  readonly pass?: readonly string[];
  readonly set?: Readonly<Record<string, string>>;
}

export interface SubprocessLimits {
  /** Longest line it may write. 20 MiB. */
  readonly lineBytes: number;
  /** Characters waiting in its input pipe above which requests are refused. 1 MiB. */
  readonly pipeChars: number;
  /** Requests waiting for their turn. 256. */
  readonly queue: number;
  /** Bytes of stderr remembered. 256 KB. */
  readonly stderrBytes: number;
  /** Lines of noise remembered. */
  readonly noiseLines: number;
  /** Bytes of address space that each of its processes may take; more is refused by the system. None; Linux only. */
  readonly addressBytes?: number;
}

export const defaultLimits: SubprocessLimits = {
  lineBytes: 20 * 1024 * 1024,
  pipeChars: 1024 * 1024,
  queue: 256,
  stderrBytes: 256 * 1024,
  noiseLines: 20,
};

/** A request inside of a call inherits the call's deadline, cancellation and trace; these make its time shorter, never longer. */
export interface RequestOptions {
  /** Milliseconds from now to the answer, waiting included. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Sent to the child where its dialect has a place for it. Default: the trace of the call that is served. */
  readonly trace?: TraceContext;
  /** Inherits nothing of the call: for work that others wait for, too. */
  readonly detached?: boolean;
  /** Called for every partial answer that comes before the last one. */
  readonly onPart?: (message: Message) => void;
}

/** Sends one request and gives the child's answer as received. Rejects with a `SubprocessError`. */
export type Ask = (body: Message, options?: RequestOptions) => Promise<Message>;

const alwaysPassed = ["PATH", "HOME", "LANG", "TZ"];

/** The environment a child gets: named variables only. */
export const environment = (
  { pass = [], set = {} }: EnvironmentSpec,
  own: Readonly<Record<string, string | undefined>>,
): Record<string, string> => {
  const passed = [...alwaysPassed, ...pass].flatMap((name) => {
    const value = own[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(passed), ...set };
};
