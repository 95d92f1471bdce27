/**
 * What questions are asked of: the programs that are attached, or the configured source while there is none. Each attached program has roots of its
 * own, by different names, so a question goes to the program whose root it names. Not here: how a program is found and opened (`inspector-port.ts`).
 */
import type { Limits } from "@fairlead/linq/limits";
import { type ClassCounts, type HeapInfo, type HeapQuestion, lookAtHeap } from "../heap/heap.ts";
import type { RedactionOptions } from "../host/redaction.ts";
import type { ToolAnswer, ToolBackend } from "../protocol/backend.ts";
import type { ToolName } from "../protocol/message.ts";
import { registrationName } from "../protocol/registration.ts";
import { RemoteProcess } from "../remote/remote-process.ts";
import { AttachError } from "./attach-error.ts";
import {
  closeInspectorPort,
  type InspectorPort,
  isAnswering,
  openInspectorPort,
  readFromProcess,
  type SignalledProcesses,
} from "./inspector-port.ts";
import { mergeAnswers } from "./merged-answer.ts";
import { readNodeProcess } from "./node-process.ts";
import { findingModules, nameRoots, parseModules } from "./program-roots.ts";

type CallRule = "refused" | "checked";

/** As the contract shows it. */
interface TargetInfo {
  readonly pid: number;
  readonly title: string;
  readonly roots: string[];
  readonly opened: boolean;
  readonly calls: CallRule;
  readonly since: string;
}

interface AttachedProgram {
  readonly info: TargetInfo;
  readonly port: InspectorPort;
  readonly remote: RemoteProcess;
  /** Of its last heap snapshot. */
  counts?: ClassCounts;
}

interface TargetOptions {
  readonly limits: Limits;
  /** Milliseconds for one slice of a question. */
  readonly timeoutMs: number;
  readonly redact: RedactionOptions;
  /** Megabytes of a heap that may be looked at; 0 for none. */
  readonly heapMb: number;
  readonly now: () => number;
}

const megabyte = 1_048_576;

interface HeapInput extends Pick<HeapQuestion, "limit" | "orderBy" | "wanted"> {
  readonly pid: number;
}

export class Targets implements ToolBackend {
  readonly #options: TargetOptions;
  readonly #configured: ToolBackend;
  readonly #targets = new Map<number, AttachedProgram>();
  readonly #signalled: SignalledProcesses = new Map();
  /** One change after the other: a program is opened and closed by one of them. */
  #changing: Promise<unknown> = Promise.resolve();

  constructor(options: TargetOptions, configured: ToolBackend) {
    this.#options = options;
    this.#configured = configured;
  }

  list(): TargetInfo[] {
    return [...this.#targets.values()].map(({ info }) => info);
  }

  /** Attaches to a program; one that is attached already is detached before, since its modules may have changed. Throws `AttachError`. */
  attach(pid: number, calls: CallRule): Promise<TargetInfo> {
    return this.#change(async () => {
      if (pid === process.pid)
        throw new AttachError(
          "not_node",
          `Process ${pid} is this kernel: name its objects with inspect({ … }), with the source \`registered\``,
        );
      const found = await readNodeProcess(pid);
      const before = this.#targets.get(pid);
      await before?.remote.close();
      this.#targets.delete(pid);
      const isOpen = before !== undefined && (await isAnswering(before.port, found));
      const port = isOpen ? before.port : await openInspectorPort(found, this.#signalled);
      const modules = await this.#modules(port);
      const taken = new Set(this.list().flatMap(({ roots }) => roots.map((name) => name.toLowerCase())));
      const roots = modules === null ? undefined : nameRoots(parseModules(modules), taken);
      const { limits, timeoutMs, redact, now } = this.#options;
      const remote = new RemoteProcess({
        limits,
        timeoutMs,
        redact,
        address: port.address,
        roots,
        calls,
        name: `process ${pid}`,
      });
      const info: TargetInfo = {
        pid,
        title: found.title,
        roots: Object.keys(roots ?? {}),
        opened: port.isOurs,
        calls,
        since: new Date(now()).toISOString(),
      };
      this.#targets.set(pid, { info, port, remote });
      return info;
    });
  }

  /** Detaches from one program, or from all. Throws `AttachError`. */
  detach(pid?: number): Promise<number[]> {
    return this.#change(async () => {
      const known = [...this.#targets.keys()];
      if (pid !== undefined && !known.includes(pid)) throw notAttached(pid, this.list());
      const leaving = pid === undefined ? known : [pid];
      const left = await Promise.allSettled(leaving.map((each) => this.#let(each)));
      for (const each of left) if (each.status === "rejected") throw each.reason;
      return leaving;
    });
  }

  /** Looks at the heap of a program, which stands still meanwhile. Throws `AttachError`. */
  async heap({ pid, ...asked }: HeapInput): Promise<HeapInfo> {
    const { heapMb } = this.#options;
    if (heapMb === 0)
      throw new AttachError("not_allowed", "Heaps are not looked at here: a snapshot stops the program for seconds");
    const program = this.#targets.get(pid);
    if (program === undefined) throw notAttached(pid, this.list());
    const question = { ...asked, address: program.port.address, mostBytes: heapMb * megabyte };
    const found = await lookAtHeap(question, program.counts);
    if ("tooLarge" in found)
      throw new AttachError(
        "too_large",
        `The heap of process ${pid} has ${Math.ceil(found.tooLarge / megabyte)} MB in use; ${heapMb} are allowed`,
      );
    program.counts = found.counts;
    return found.info;
  }

  async ask(tool: ToolName, input: unknown, signal: AbortSignal): Promise<ToolAnswer> {
    const targets = [...this.#targets.values()];
    if (targets.length === 0) return this.#configured.ask(tool, input, signal);
    const asked = chooseTargets(targets, tool, input);
    const answers = await Promise.all(asked.map((target) => this.#askOne(target, [tool, input], signal)));
    return mergeAnswers(answers);
  }

  async close(): Promise<void> {
    try {
      await this.detach();
    } catch (error) {
      // A busy program; no caller waits for the words.
      if (!(error instanceof AttachError)) throw error;
    }
    await this.#configured.close();
  }

  async #askOne(
    target: AttachedProgram,
    [tool, input]: readonly [ToolName, unknown],
    signal: AbortSignal,
  ): Promise<ToolAnswer> {
    const answer = await target.remote.ask(tool, input, signal);
    const { pid } = target.info;
    if (answer.kind !== "gone" || isAlive(pid)) return answer;
    if (this.#targets.get(pid) === target) this.#targets.delete(pid);
    await target.remote.close();
    return { kind: "gone", why: `process ${pid} has ended, and is attached no more` };
  }

  /** A program that gives no answer is left as it was. */
  async #modules(port: InspectorPort): Promise<unknown> {
    try {
      return await readFromProcess(port, findingModules(registrationName));
    } catch (error) {
      // Where it is too busy to close it too, it is known as ours for the next time.
      await closeInspectorPort(port, this.#signalled).catch(() => undefined);
      throw error;
    }
  }

  async #let(pid: number): Promise<void> {
    const target = this.#targets.get(pid);
    this.#targets.delete(pid);
    await target?.remote.close();
    if (target !== undefined) await closeInspectorPort(target.port, this.#signalled);
  }

  #change<T>(work: () => Promise<T>): Promise<T> {
    const change = this.#changing.then(work);
    this.#changing = change.catch(() => undefined);
    return change;
  }
}

const notAttached = (pid: number, targets: readonly TargetInfo[]): AttachError =>
  new AttachError("not_attached", `Process ${pid} is not attached`, { known: targets.map((each) => each.pid) });

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** The program whose root the text names first; all of them where a question is about no root. */
const chooseTargets = (
  targets: readonly AttachedProgram[],
  tool: ToolName,
  input: unknown,
): readonly AttachedProgram[] => {
  const text = mainText(tool, input);
  if (targets.length === 1 || isAboutAll(text, tool)) return targets;
  for (const [word] of text.matchAll(/[\p{L}_$][\p{L}\d_$]*/gu)) {
    const named = targets.filter(({ info }) => info.roots.some((root) => root.toLowerCase() === word.toLowerCase()));
    if (named.length > 0) return named;
  }
  // Of a program that named its roots itself, they are not known here.
  const unknown = targets.filter(({ info }) => info.roots.length === 0);
  return (unknown.length > 0 ? unknown : targets).slice(-1);
};

/** The roots, and what is asked of types. */
const isAboutAll = (text: string, tool: ToolName): boolean =>
  tool === "explore" && /^\s*(?:$|type:|search:|instances:)/.test(text);

/** The named boundary: inputs were decoded by the contract before they came here. */
const mainText = (tool: ToolName, input: unknown): string => {
  const { target = "", expr = "", from = "" } = input as Readonly<Record<string, string | undefined>>;
  return { explore: target, eval: expr, query: from }[tool];
};
