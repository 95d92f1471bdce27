/**
 * The process as the commands see it: two streams to write to, one to read, the environment, and the signal that ends them.
 * Data goes to stdout, words for people to stderr.
 */
import { once } from "node:events";
import { styleText } from "node:util";

/** Of a terminal, in characters. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
}

export interface Io {
  /** Data: the text and a line feed where it lacks one. */
  out(text: string): void;
  /** Words for people. */
  err(text: string): void;
  readonly tty: { readonly in: boolean; readonly out: boolean; readonly err: boolean; readonly size: () => Size };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Fires once on SIGINT or SIGTERM, whose name is the reason, and when the reader of stdout is gone. */
  readonly signal: AbortSignal;
  stdin(): Promise<string>;
  /** stdin and stdout as bytes; left out where they are texts only. */
  readonly bytes?: {
    read(): AsyncIterable<Uint8Array>;
    /** Resolves when there is room for more. */
    write(part: Uint8Array): Promise<void>;
  };
  /** Asks a person, and gives the line that they type; left out where there is no terminal. Rejects when the command is ended. */
  readonly prompt?: (question: string) => Promise<string>;
  /** Resolves when what was written has left the process. */
  flush(): Promise<void>;
}

/** How npm was called that started this process, where a shell does not find the command by itself. */
const underNpm: ReadonlySet<string | undefined> = new Set(["exec", "run-script"]);

/** Words for people, with `npx` before the commands that they name where npm started this one. */
export const nameInShell = (text: string, env: Io["env"]): string =>
  underNpm.has(env.npm_command) ? text.replaceAll("`fairlead ", "`npx fairlead ") : text;

/** Longest input read from stdin, in characters. */
const maxInput = 64 * 1_048_576;

/** Reason of the signal when the reader of stdout went away, as `head` does: no error, and nothing more to print. */
export const outputClosed = "EPIPE";

/** A second signal this soon after the first is the same one, sent on by a parent such as npm. */
const sameSignalMs = 300;

export const processIo = (): Io => {
  const controller = new AbortController();
  let firstAt = 0;
  const onSignal = (signal: "SIGINT" | "SIGTERM"): void => {
    if (!controller.signal.aborted) {
      firstAt = performance.now();
      controller.abort(signal);
    } else if (performance.now() - firstAt > sameSignalMs) process.exit(exitOfSignal(signal));
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  process.stdout.on("error", () => controller.abort(outputClosed));
  process.stderr.on("error", () => undefined);
  return {
    out: (text) => void process.stdout.write(endLine(text)),
    err: (text) => void process.stderr.write(endLine(text)),
    tty: {
      in: process.stdin.isTTY === true,
      out: process.stdout.isTTY === true,
      err: process.stderr.isTTY === true,
      size: () => ({ columns: process.stdout.columns ?? 80, rows: process.stdout.rows ?? 24 }),
    },
    env: process.env,
    signal: controller.signal,
    bytes: {
      read: () => process.stdin,
      write: async (part) => {
        if (!process.stdout.write(part)) await once(process.stdout, "drain", { signal: controller.signal });
      },
    },
    stdin: async () => {
      let text = "";
      process.stdin.setEncoding("utf8");
      for await (const piece of process.stdin) {
        text += piece;
        if (text.length > maxInput) throw new RangeError(`stdin holds more than ${maxInput} characters`);
      }
      return text;
    },
    ...(process.stdin.isTTY === true &&
      process.stderr.isTTY === true && { prompt: (question) => promptLine(question, controller.signal) }),
    flush: () => new Promise((resolve) => void process.stdout.write("", () => resolve())),
  };
};

const promptLine = async (question: string, signal: AbortSignal): Promise<string> => {
  const { createInterface } = await import("node:readline/promises");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(question, { signal });
  } finally {
    terminal.close();
  }
};

const endLine = (text: string): string => (text.endsWith("\n") ? text : `${text}\n`);

export const exitOfSignal = (reason: unknown): number =>
  reason === outputClosed ? 0 : reason === "SIGTERM" ? 143 : 130;

export type Paint = (style: Parameters<typeof styleText>[0], text: string) => string;

/** Colours for a stream: as `--color` says, else as NO_COLOR and FORCE_COLOR say, else on a terminal only. */
export const paintFor = (when: string, io: Io, stream: "out" | "err"): Paint => {
  const { NO_COLOR: no, FORCE_COLOR: force } = io.env;
  const automatic =
    no !== undefined && no !== "" ? false : force !== undefined && force !== "" ? force !== "0" : io.tty[stream];
  const on = when === "always" || (when !== "never" && automatic);
  return on ? (style, text) => styleText(style, text, { validateStream: false }) : (_, text) => text;
};
