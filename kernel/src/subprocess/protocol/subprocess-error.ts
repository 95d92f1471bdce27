/**
 * What can go wrong with a child process, as a tagged union for programs and as a sentence with a hint for people.
 *
 * `sent` says whether the request may have reached the child: if not, it can be repeated whatever it does. Not here: noticing
 * the faults (`child.ts`, `exchange.ts`).
 */
import { type Code, FairleadError, type WireError } from "@fairlead/contracts";

/** How a process ended. Exactly one of the two is given. */
export interface Exit {
  readonly code?: number;
  readonly signal?: NodeJS.Signals;
}

/** Why a request to a child failed. */
export type Fault =
  /** `permission`: the program is there, and may not be executed. */
  | { readonly kind: "missing"; readonly what: "program" | "folder" | "permission"; readonly path: string }
  /** The program is there, and this system cannot execute it: it is for another one, or its interpreter is missing. */
  | { readonly kind: "unrunnable"; readonly path: string; readonly why: string }
  | { readonly kind: "spawn"; readonly why: string }
  | { readonly kind: "unfit"; readonly why: string }
  /** Nothing that could be a handshake came in time; `printed` are the last lines it did print. */
  | { readonly kind: "silent"; readonly ms: number; readonly printed: readonly string[] }
  /** Its handshake came, but it was not prepared in time. */
  | { readonly kind: "unprepared"; readonly ms: number }
  /** It ended; `unfinished` counts the bytes of a message it had begun. */
  | {
      readonly kind: "exited";
      readonly exit: Exit;
      readonly while: "starting" | "working";
      readonly unfinished: number;
    }
  | { readonly kind: "stopped" }
  | { readonly kind: "timeout"; readonly ms: number; readonly where: "start" | "queue" | "child" }
  /** It wrote nothing for so long after a request's deadline. */
  | { readonly kind: "unresponsive"; readonly ms: number }
  /** The request cannot be written as JSON. */
  | { readonly kind: "unwritable"; readonly why: string }
  | { readonly kind: "canceled" }
  | { readonly kind: "garbled"; readonly why: string; readonly text: string }
  | { readonly kind: "too-long"; readonly maxBytes: number }
  | { readonly kind: "full"; readonly what: "queue" | "pipe"; readonly limit: number };

interface FaultContext {
  /** Name of the subprocess, as its service calls it. */
  readonly name: string;
  /** The request may have been read by the child. */
  readonly sent: boolean;
  /** Last lines of its stderr. */
  readonly stderr?: readonly string[];
  /** What to do when the program is missing or does not start, from its service: one text, or one for each cause. */
  readonly hint?: string | ((fault: Fault) => string | undefined);
}

/** A request to a child that failed, with the fault and whether the child had read it. Its code is one of the closed table. */
export class SubprocessError extends FairleadError {
  readonly fault: Fault;
  readonly sent: boolean;

  constructor(fault: Fault, context: FaultContext) {
    const { code, message, hint, retryable } = describe(fault, context);
    super({ code, message, retryable, ...(hint !== undefined && { hint }) });
    this.fault = fault;
    this.sent = context.sent;
  }
}

interface FailedContext extends Pick<FaultContext, "name" | "hint"> {
  /** True when only a start or a restart brings it back. */
  readonly down: boolean;
  /** What to do then. */
  readonly downHint?: string;
}

/** The hint of a fault that another process does not have. */
const sendAgain = "send the request again: it is restarted";

/** A subprocess is down because its starts failed; carries the diagnosis of the last one. */
export class FailedError extends FairleadError {
  readonly sent = false;

  constructor(last: WireError, { name, down, hint, downHint }: FailedContext) {
    const next = down ? (downHint ?? `fix the cause, then restart ${name}`) : "send the request again in a moment";
    const cause = (typeof hint === "string" ? hint : undefined) ?? (last.hint === sendAgain ? undefined : last.hint);
    super({
      code: last.code === "failed_precondition" ? last.code : "unavailable",
      message: down ? `${name} is down: ${last.message}` : last.message,
      hint: [cause, next].filter((part) => part !== undefined).join("; "),
      retryable: !down,
    });
  }
}

interface Description {
  readonly code: Code;
  readonly message: string;
  readonly hint: string | undefined;
  readonly retryable: boolean;
}

const describe = (fault: Fault, { name, stderr = [], hint: hints }: FaultContext): Description => {
  const hint = typeof hints === "function" ? hints(fault) : hints;
  const passing = (code: Code, message: string, next: string): Description => ({
    code,
    message: `${name} ${message}`,
    hint: next,
    retryable: true,
  });
  const lasting = (message: string, next: string): Description => ({
    code: "failed_precondition",
    message: `${name} ${message}`,
    hint: hint ?? next,
    retryable: false,
  });
  switch (fault.kind) {
    case "missing":
      if (fault.what === "permission")
        return lasting(`cannot start: ${fault.path} is not executable`, `run \`chmod +x ${fault.path}\``);
      return lasting(
        `cannot start: the ${fault.what} ${fault.path} does not exist`,
        fault.what === "program" ? "install it, or configure its path" : "configure a folder that exists",
      );
    case "unrunnable":
      return lasting(
        `cannot start: ${fault.path} is not executable here: ${fault.why}`,
        "install the program for this system, or configure the path of another",
      );
    case "spawn":
      return passing("unavailable", `cannot start: ${fault.why}`, hint ?? "see the message of the system");
    case "unfit":
      return lasting(`started but does not fit: ${fault.why}`, "install a version that fits");
    case "silent":
      return passing(
        "unavailable",
        `sent no handshake within ${fault.ms} ms; it printed ${fault.printed.length === 0 ? "nothing" : quoted(fault.printed)}${tail(stderr)}`,
        hint ?? "run its command by hand to see what it does",
      );
    case "unprepared":
      return passing(
        "unavailable",
        `started, but was not prepared within ${fault.ms} ms${tail(stderr)}`,
        hint ?? "allow more time with `prepareMs`, or prepare less",
      );
    case "exited":
      return passing(
        "unavailable",
        `${exitText(fault.exit)} while ${fault.while}${fault.unfinished > 0 ? `, ${fault.unfinished} bytes into a message` : ""}${tail(stderr)}`,
        fault.while === "starting" ? (hint ?? "run its command by hand to see what it does") : sendAgain,
      );
    case "stopped":
      return passing("unavailable", "was stopped", sendAgain);
    case "timeout":
      return passing("deadline_exceeded", timeoutText(fault.where, fault.ms), timeoutHint(fault.where));
    case "unresponsive":
      return passing(
        "unavailable",
        `wrote nothing for ${fault.ms} ms after a request had run out of time, and was killed${tail(stderr)}`,
        sendAgain,
      );
    case "unwritable":
      return {
        code: "invalid_argument",
        message: `the request to ${name} cannot be written as JSON: ${fault.why}`,
        hint: "send plain values: no circles, no bigint, no functions",
        retryable: false,
      };
    case "canceled":
      return { code: "canceled", message: `the request to ${name} was given up`, hint: undefined, retryable: false };
    case "garbled":
      return passing(
        "unavailable",
        `answered with something that is ${fault.why}: ${fault.text.slice(0, 200)}`,
        sendAgain,
      );
    case "too-long":
      return {
        code: "unavailable",
        message: `${name} answered with a line of more than ${fault.maxBytes} bytes`,
        hint: "ask for less at once",
        retryable: false,
      };
    case "full":
      return passing(
        "resource_exhausted",
        fault.what === "queue"
          ? `has ${fault.limit} requests waiting already`
          : `does not read: ${fault.limit} bytes wait for it`,
        "wait and send the request again; nothing was sent",
      );
  }
};

/** `exited with code 3`, `was killed by SIGKILL`. */
const exitText = ({ code, signal }: Exit): string =>
  signal !== undefined ? `was killed by ${signal}` : `exited with code ${code ?? "unknown"}`;

const timeoutText = (where: "start" | "queue" | "child", ms: number): string => {
  switch (where) {
    case "start":
      return `was still starting after ${ms} ms`;
    case "queue":
      return `did not come to the request within ${ms} ms: others were before it`;
    case "child":
      return `did not answer within ${ms} ms`;
  }
};

const timeoutHint = (where: "start" | "queue" | "child"): string =>
  where === "child" ? "allow more time if the work is large" : "send the request again, or allow more time";

const tail = (stderr: readonly string[]): string => (stderr.length === 0 ? "" : `; its last words: ${quoted(stderr)}`);

const quoted = (lines: readonly string[]): string => JSON.stringify(lines.join(" | ").slice(-400));
