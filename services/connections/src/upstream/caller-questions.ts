/**
 * What upstreams ask while they work: forms and models, passed on to whoever made the call. In the stateless era the questions come as
 * a result of the call, so it is clear whose they are. In the session era they are requests of their own: those of an HTTP
 * response belong to its call, those of a process to the one call there is; where that is not clear, the question is refused.
 *
 * The caller's answer is passed on as received, but for defaults of the form that it left out. Not here: asking the caller's client (the kernel's transports).
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { FairleadError, type Question } from "@fairlead/kernel/service";
import { type Client, isInputRequiredResult, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/client";
import { applyDefaults } from "../questions/filled-form.ts";
import type { CallResult } from "./call-result.ts";

export type AskCaller = (question: Question) => Promise<unknown>;

/** The questions that we declare to upstreams. Whether a caller can answer one is only known when it comes. */
export const capabilities = { elicitation: { form: { applyDefaults: true }, url: {} }, sampling: {} };

const mostRounds = 20;

/** An open call, and its caller where that can be asked. */
interface CallInProgress {
  readonly ask: AskCaller | undefined;
}

export class CallerQuestions {
  readonly #call = new AsyncLocalStorage<CallInProgress>();
  readonly #open = new Set<CallInProgress>();

  /** Answers the requests that a session-era upstream pushes. */
  serve(client: Client): void {
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      const answer = await this.#pushed({ method: "elicitation/create", params: { ...params } });
      return (answer ?? { action: "cancel" }) as { action: "cancel" };
    });
    client.setRequestHandler("sampling/createMessage", async ({ params }) => {
      const answer = await this.#pushed({ method: "sampling/createMessage", params: { ...params } });
      if (answer === undefined) throw cannotAnswer("sampling/createMessage");
      return answer as never;
    });
  }

  /** Runs a call, in which its upstream may ask. */
  async runCall<T>(ask: AskCaller | undefined, run: () => Promise<T>): Promise<T> {
    const asker = { ask };
    this.#open.add(asker);
    try {
      return await this.#call.run(asker, run);
    } finally {
      this.#open.delete(asker);
    }
  }

  /** Nothing when the caller cannot be asked. */
  async #pushed(question: Question): Promise<unknown> {
    const [only, ...more] = this.#open;
    const { ask } = this.#call.getStore() ?? (more.length === 0 ? only : undefined) ?? {};
    return ask === undefined ? undefined : askWithDefaults(ask, question);
  }
}

/** The members that a repeated call brings. */
type AnswerRound = {
  readonly inputResponses?: Readonly<Record<string, unknown>>;
  readonly requestState?: string;
};

/** Repeats a call with answers for as long as its result is a question. */
export const callUntilComplete = async (
  ask: AskCaller | undefined,
  send: (rounds: AnswerRound) => Promise<CallResult>,
): Promise<CallResult> => {
  let result = await send({});
  for (let round = 0; isInputRequiredResult(result); round += 1) {
    if (round === mostRounds) throw new ProtocolError(ProtocolErrorCode.InternalError, "the upstream asks without end");
    const { inputRequests = {}, requestState } = result;
    const answers = await Promise.all(
      Object.entries(inputRequests).map(async ([key, request]) => [key, await answerEmbedded(ask, request)] as const),
    );
    result = await send({
      inputResponses: Object.fromEntries(answers),
      ...(requestState !== undefined && { requestState }),
    });
  }
  return result;
};

/** One question inside a result. */
const answerEmbedded = async (ask: AskCaller | undefined, request: unknown): Promise<unknown> => {
  if (!isQuestion(request)) throw cannotAnswer("what it asks");
  const question = { method: request.method, params: { ...request.params } };
  const answer = ask === undefined ? undefined : await askWithDefaults(ask, question);
  if (answer !== undefined) return answer;
  if (request.method === "elicitation/create") return { action: "cancel" };
  throw cannotAnswer(request.method);
};

/** The caller's answer; nothing when its client cannot give one. */
const askWithDefaults = async (ask: AskCaller, question: Question): Promise<unknown> => {
  try {
    return applyDefaults(question, await ask(question));
  } catch (error) {
    if (error instanceof FairleadError && error.code === "unimplemented") return undefined;
    throw error;
  }
};

const methods = ["elicitation/create", "sampling/createMessage", "roots/list"];

const isQuestion = (request: unknown): request is { method: Question["method"]; params?: object } =>
  typeof request === "object" && request !== null && "method" in request && methods.includes(String(request.method));

const cannotAnswer = (what: string): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InvalidRequest, `the caller cannot answer ${what}`);
