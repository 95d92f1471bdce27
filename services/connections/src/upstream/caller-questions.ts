/**
 * What upstreams ask while they work: forms and models, passed on to whoever made the call. In the stateless era the questions come as
 * a result of the call, so it is clear whose they are. In the session era they are requests of their own: those of an HTTP
 * response belong to its call, the others to the client that `question-owners.ts` finds. What no caller can be asked is refused by an error, never
 * answered in a person's name.
 *
 * The caller's answer is passed on as received, but for defaults of the form that it left out. Not here: asking the caller's client (the kernel's transports).
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { type ClientLog, FairleadError, type Question } from "@fairlead/kernel/service";
import {
  type Client,
  isInputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type Transport,
} from "@modelcontextprotocol/client";
import { applyDefaults } from "../questions/filled-form.ts";
import { UnansweredCalls } from "../questions/unanswered-calls.ts";
import { BadAnswer } from "./bad-answer.ts";
import type { CallResult } from "./call-result.ts";
import { streamEnded } from "./http-transport.ts";
import { type OpenCall, QuestionOwners } from "./question-owners.ts";

export type AskCaller = (question: Question) => Promise<unknown>;

/** The questions that we declare to upstreams. Whether a caller can answer one is only known when it comes. */
export const capabilities = { elicitation: { form: { applyDefaults: true }, url: {} }, sampling: {}, roots: {} };

const mostRounds = 20;

/** A call, and its caller where that can be asked. */
interface AskingCall extends OpenCall {
  readonly ask: AskCaller | undefined;
  readonly clientLog?: ClientLog | undefined;
  /** The call's own: it may have to wait until it is sent. */
  readonly signal: AbortSignal;
}

export class CallerQuestions {
  readonly #call = new AsyncLocalStorage<AskingCall>();
  readonly #owners = new QuestionOwners<AskingCall>();
  #unanswered: UnansweredCalls | undefined;

  /** Answers the requests that a session-era upstream pushes. */
  serve(client: Client): void {
    for (const method of methods) {
      client.setRequestHandler(
        method,
        async ({ params }) => (await this.#pushed({ method, params: { ...params } })) as never,
      );
    }
  }

  /** Notes from now on what the process answers after its call was given up. A call over HTTP has no answer then: its stream is closed. */
  follow(transport: Transport): void {
    this.#unanswered = new UnansweredCalls(transport, () => this.#owners.allAnswered());
  }

  /** Runs a call, in which its upstream may ask. */
  async runCall<T>(call: AskingCall, run: () => Promise<T>): Promise<T> {
    await this.#owners.enter(call, call.signal);
    let isAnswered = false;
    try {
      const result = await this.#call.run(call, run);
      isAnswered = !call.signal.aborted;
      return result;
    } catch (error) {
      isAnswered = !call.signal.aborted && isAnswer(error);
      throw error;
    } finally {
      this.#owners.leave(call, isAnswered || this.#unanswered?.isEmpty === true);
    }
  }

  /** The log of the client that a message belongs to, which the upstream has sent just now. It is of no one where several clients have open calls. */
  findLog(): ClientLog | undefined {
    const call = this.#call.getStore();
    const calls = call === undefined ? this.#owners.certain : [call];
    return calls.find(({ clientLog }) => clientLog !== undefined)?.clientLog;
  }

  async #pushed(question: Question): Promise<unknown> {
    const call = this.#call.getStore();
    const owner = call === undefined ? this.#owners.find() : { call };
    if ("unknown" in owner) throw refusal(question.method, owner.unknown);
    return askWithDefaults(owner.call.ask, question);
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
  if (!isQuestion(request)) throw refusal("what it asks", "its kind is not known");
  return askWithDefaults(ask, { method: request.method, params: { ...request.params } });
};

/** The caller's answer. Rejects when its client cannot give one. */
const askWithDefaults = async (ask: AskCaller | undefined, question: Question): Promise<unknown> => {
  if (ask === undefined) throw refusal(question.method, "its transport takes no questions");
  try {
    return applyDefaults(question, await ask(question));
  } catch (error) {
    if (error instanceof FairleadError && error.code === "unimplemented") throw refusal(question.method, error.message);
    throw error;
  }
};

/** An error that the upstream has answered with, or that came after its answer. */
const isAnswer = (error: unknown): boolean =>
  error instanceof BadAnswer ||
  error instanceof FairleadError ||
  (error instanceof ProtocolError && error.data !== streamEnded);

const methods = ["elicitation/create", "sampling/createMessage", "roots/list"] as const;

const isQuestion = (request: unknown): request is { method: Question["method"]; params?: object } =>
  typeof request === "object" &&
  request !== null &&
  "method" in request &&
  methods.some((one) => one === request.method);

/** The `data` of the error for a question that no caller was asked; compared by identity. */
export const notAsked = Object.freeze({ reason: "the caller could not be asked" });

const refusal = (what: string, why: string): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InvalidRequest, `the caller could not be asked (${what}): ${why}`, notAsked);
