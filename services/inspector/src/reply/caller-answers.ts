/** What a caller gets of an answer: with a handle for `diff:`, within its bound in tokens. What it was asked of is the business of the backends. */
import type { Json } from "../encode/encode.ts";
import type { ToolName } from "../protocol/message.ts";
import { cutAnswer } from "./cut.ts";
import { findChanges } from "./difference.ts";
import { KeptAnswers } from "./kept-answers.ts";

/** Asks the inspected program. */
type AskTool = (tool: ToolName, input: unknown) => Promise<Json>;

interface CallerQuestion {
  readonly tool: ToolName;
  readonly input: Readonly<Record<string, unknown>>;
  /** Id of the principal: no caller sees what another one was answered. */
  readonly caller: string;
  readonly ask: AskTool;
}

/** The handle of a target `diff:`; undefined for any other. */
const diffHandle = ({ tool, input }: Pick<CallerQuestion, "tool" | "input">): string | undefined => {
  const target = tool === "explore" ? String(input.target).trim() : "";
  return target.startsWith("diff:") ? target.slice(5).trim() : undefined;
};

export class CallerAnswers {
  readonly #kept = new KeptAnswers();
  readonly #maxTokens: number | undefined;

  /** @param maxTokens the host's bound; a caller's counts where it is lower */
  constructor(maxTokens: number | undefined) {
    this.#maxTokens = maxTokens;
  }

  /** The answer to a question; undefined for the difference to an answer that is not kept. */
  async answer(question: CallerQuestion): Promise<Json | undefined> {
    const handle = diffHandle(question);
    if (handle !== undefined) {
      const found = await this.#difference(handle, question);
      return found === undefined ? undefined : this.#within(found, question);
    }
    const { tool, input, ask } = question;
    return this.#within(this.#withHandle(await ask(tool, input), question), question);
  }

  async #difference(handle: string, question: CallerQuestion): Promise<Json | undefined> {
    const kept = this.#kept.find(question.caller, handle);
    if (kept === undefined) return undefined;
    const { tool, input, answer, at } = kept;
    const now = await question.ask(tool, input);
    const changes = findChanges(answer, now, tool);
    const { limit, offset } = question.input;
    const start = Number(offset ?? 0);
    const shown = changes.slice(start, start + Number(limit ?? 50)).map((change): Json => ({ ...change }));
    const more = changes.length - start - shown.length;
    const next = this.#kept.keep(question.caller, { tool, input, answer: now, at: Date.now() });
    return {
      since: new Date(at).toISOString(),
      count: changes.length,
      changes: shown,
      ...(more > 0 ? { more } : {}),
      ...(next === undefined ? {} : { handle: next }),
    };
  }

  /** Types and searches do not change, and what `eval` gives has no place for it. */
  #withHandle(answer: Json, { tool, input, caller }: CallerQuestion): Json {
    if (tool === "eval" || typeof answer !== "object" || answer === null || Array.isArray(answer)) return answer;
    if (tool === "explore" && /^\s*(?:type|search):/.test(String(input.target))) return answer;
    const handle = this.#kept.keep(caller, { tool, input, answer, at: Date.now() });
    return handle === undefined ? answer : { ...answer, handle };
  }

  #within(answer: Json, { tool, input }: CallerQuestion): Json {
    const wanted = typeof input.maxTokens === "number" ? input.maxTokens : Number.POSITIVE_INFINITY;
    const maxTokens = Math.min(wanted, this.#maxTokens ?? Number.POSITIVE_INFINITY);
    return Number.isFinite(maxTokens) ? cutAnswer(answer, { tool, input, maxTokens }) : answer;
  }
}
