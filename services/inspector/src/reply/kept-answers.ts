/**
 * Answers that are kept for a while, so that what changed since can be asked for. Each caller has its own, the latest ones; a handle is made of
 * the question and its answer, so the same answer has the same handle.
 */
import { createHash } from "node:crypto";
import type { Json } from "../encode/encode.ts";
import type { ToolName } from "../protocol/message.ts";

/** A question with its answer. */
interface KeptAnswer {
  readonly tool: ToolName;
  readonly input: unknown;
  readonly answer: Json;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Answers of one caller, callers, and bytes of one answer that are kept. */
const [mostAnswers, mostCallers, mostBytes] = [16, 16, 65_536];

export class KeptAnswers {
  /** By caller and handle, the latest last. Texts, which nothing changes. */
  readonly #callers = new Map<string, Map<string, string>>();

  /** The handle of an answer; undefined for one that is too large to keep. */
  keep(caller: string, kept: KeptAnswer): string | undefined {
    const text = JSON.stringify(kept);
    if (Buffer.byteLength(text) > mostBytes) return undefined;
    const { at: _, ...same } = kept;
    const handle = createHash("sha256").update(JSON.stringify(same)).digest("hex").slice(0, 8);
    const answers = this.#callers.get(caller) ?? new Map<string, string>();
    this.#callers.delete(caller);
    answers.delete(handle);
    answers.set(handle, text);
    dropFirst(answers, mostAnswers);
    this.#callers.set(caller, answers);
    dropFirst(this.#callers, mostCallers);
    return handle;
  }

  /** The named boundary: what was kept is JSON of that shape. */
  find(caller: string, handle: string): KeptAnswer | undefined {
    const text = this.#callers.get(caller)?.get(handle);
    return text === undefined ? undefined : (JSON.parse(text) as KeptAnswer);
  }
}

const dropFirst = (map: Map<string, unknown>, most: number): void => {
  for (const [first] of map) {
    if (map.size <= most) return;
    map.delete(first);
  }
};
