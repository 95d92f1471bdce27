/**
 * What arrived as the result of a call: that it is an object, and in the stateless era whether it is the end or a question. Nothing else of
 * it is looked at, and all of it is passed on but for that one word, which is the wire's.
 */
import { isRecord } from "../json/record.ts";
import { BadAnswer } from "./bad-answer.ts";

export type CallResult = Readonly<Record<string, unknown>>;

/** Throws a `BadAnswer`. A server that forgets to say that its result is one is believed. */
export const parseCallResult = (came: unknown, era: "session" | "stateless"): CallResult => {
  if (!isRecord(came)) throw new BadAnswer("the result of a call is not an object");
  if (!("resultType" in came)) return came;
  const { resultType, ...result } = came;
  if (era === "session" || resultType === "complete") return result;
  if (resultType !== "input_required") throw new BadAnswer("the result of a call is of an unknown type");
  if (isRecord(came.inputRequests) || typeof came.requestState === "string") return came;
  throw new BadAnswer("the upstream asks without a question");
};
