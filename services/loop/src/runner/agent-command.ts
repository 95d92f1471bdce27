/**
 * One call of an agent: its own words without a shell, the prompt on its input, its output read, a limit on its time and on what is kept of
 * its output. Its process group ends with it and with this process, even a killed one.
 */
import { type CommandEnd, runToEnd } from "@fairlead/kernel/subprocess";
import { invalidArgument } from "../session/declared-error.ts";
import type { Project } from "../session/project.ts";
import { splitWords } from "../value/words.ts";
import type { AgentSandbox } from "./agent-sandbox.ts";

export interface AgentCommand {
  readonly argv: readonly [string, ...string[]];
  /** Milliseconds a call may take. */
  readonly timeLimitMs: number;
  /** Names of variables that it gets. */
  readonly pass: readonly string[];
  readonly sandbox: AgentSandbox;
}

interface AgentCall {
  readonly project: Project;
  /** Absolute. */
  readonly folder: string;
  readonly prompt: string;
  readonly signal: AbortSignal;
}

type AgentEnd =
  | { readonly kind: "answered"; readonly output: string }
  /** It failed, and what it printed may still be an answer. */
  | { readonly kind: "failed"; readonly why: string; readonly output: string }
  | { readonly kind: "canceled" }
  /** It cannot be started at all. */
  | { readonly kind: "missing"; readonly why: string };

/** Bytes kept of each stream: the end of it, where the report is. */
const kept = { output: 4_194_304, errors: 8_192 } as const;

const variables = ["LC_ALL", "TMPDIR", "USER", "LOGNAME", "SHELL"];

export const parseAgent = (text: string): readonly [string, ...string[]] => {
  const [program, ...rest] = splitWords(text) ?? [];
  if (program !== undefined && program !== "") return [program, ...rest];
  throw invalidArgument([
    {
      path: "agent",
      expected: "a program and its arguments, with every quotation mark closed",
      fix: "correct it: like 'claude -p'; no shell reads it",
    },
  ]);
};

export const callAgent = async (
  { argv: [command, ...args], timeLimitMs, pass, sandbox }: AgentCommand,
  { project, folder, prompt, signal }: AgentCall,
): Promise<AgentEnd> => {
  const printed = createTail(kept.output);
  const held = await sandbox.hold(project, folder);
  const { end, output: errors } = await runToEnd({
    command,
    args,
    cwd: folder,
    env: { pass: [...variables, ...pass], set: { NO_COLOR: "1", TERM: "dumb", ...held.variables } },
    ...held.spec,
    input: prompt,
    timeLimitMs,
    outputBytes: kept.errors,
    onStdout: printed.push,
    signal,
  }).finally(held.release);
  const output = printed.text();
  const said = lastLine(errors) || lastLine(output);
  const failed = (why: string): AgentEnd => ({ kind: "failed", why: said === "" ? why : `${why}: ${said}`, output });
  switch (end.kind) {
    case "exited":
      return end.exit.code === 0 ? { kind: "answered", output } : failed(describeExit(end));
    case "timeout":
      return failed(`its time of ${Math.round(timeLimitMs / 1_000)} s was over`);
    case "canceled":
      return { kind: "canceled" };
    case "missing":
      return { kind: "missing", why: `the ${end.what} ${end.path} is not there, or may not be used` };
    case "unrunnable":
      return { kind: "missing", why: `${end.path} cannot be executed: ${end.why}` };
    case "spawn":
      return { kind: "missing", why: end.why };
  }
};

const describeExit = ({ exit }: Extract<CommandEnd, { kind: "exited" }>): string =>
  exit.signal === undefined ? `it ended with exit code ${exit.code}` : `it was ended by ${exit.signal}`;

const lastLine = (text: string): string => text.trim().split("\n").at(-1)?.slice(0, 300) ?? "";

/** The last bytes of a stream. */
const createTail = (bytes: number) => {
  let chunks: Uint8Array[] = [];
  let total = 0;
  const join = (): Buffer => Buffer.concat(chunks).subarray(-bytes);
  return {
    push: (chunk: Uint8Array): void => {
      chunks.push(chunk);
      total += chunk.length;
      if (total <= 2 * bytes) return;
      chunks = [join()];
      total = bytes;
    },
    text: (): string => join().toString("utf8"),
  };
};
