/** Proof of a result: the same call, with the same dice, must give the same result. */
import type { ClaimedResult, Replay, RollingCall } from "@fairlead/contracts/rules";
import { createDice, requestedDice } from "../dice/input.ts";
import { type Dice, scriptedDice, seededDice } from "../dice/source.ts";
import { isRefusal, Refusal } from "../result/refusal.ts";
import { resolve } from "./resolvers.ts";

const mostDifferences = 20;
const mostText = 200;

/** Replays any call that rolls, with the dice that were sent with it, or else those of the result's own record. */
export const replay = (question: RollingCall, result: ClaimedResult): Replay => {
  const sent = requestedDice(question.input);
  if (sent === undefined && result.dice === undefined) return replayWithoutDice(question, result);
  const dice = sent === undefined ? recordedDice(result) : createDice(sent);
  return compareResults(result, resolve(question, dice), dice);
};

/** A call that rolls nothing needs no dice; for any other, the refusal says where they are missing. */
const replayWithoutDice = (question: RollingCall, result: ClaimedResult): Replay => {
  const dice = scriptedDice([]);
  try {
    return compareResults(result, resolve(question, dice), dice);
  } catch (thrown) {
    if (!isRefusal(thrown) || thrown.reason !== "not_enough_dice") throw thrown;
    const message =
      "`result.dice` is missing: send the result as it was returned, or its dice as `question.input.dice`";
    throw new Refusal("not_enough_dice", message, thrown.data);
  }
};

/** The dice of a result, as a source that gives them again. */
export const recordedDice = ({ dice: record }: ClaimedResult): Dice =>
  record?.seed !== undefined && record.source === "seed"
    ? seededDice(record.seed, record.madeBy, record.label)
    : scriptedDice([...(record?.draws ?? []).map(({ value }) => value), ...spareValues(record?.unused ?? 0)]);

export const compareResults = (claimed: object, computed: object, dice: Dice): Replay => {
  const differences = findDifferences(claimed, computed, "").slice(0, mostDifferences);
  return { proved: differences.length === 0, differences, dice: dice.record().source };
};

/** A result does not list the values that were sent and not used; any value can replace them. */
const spareValues = (count: number): number[] => Array.from({ length: Math.min(count, 500) }, () => 1);

type Difference = Replay["differences"][number];

const findDifferences = (claimed: unknown, computed: unknown, path: string): Difference[] => {
  if (isRecord(claimed) && isRecord(computed)) {
    const keys = [...new Set([...Object.keys(claimed), ...Object.keys(computed)])].sort();
    return keys.flatMap((key) => findDifferences(claimed[key], computed[key], path === "" ? key : `${path}.${key}`));
  }
  if (Array.isArray(claimed) && Array.isArray(computed)) {
    const length = Math.max(claimed.length, computed.length);
    return Array.from({ length }, (_, index) =>
      findDifferences(claimed[index], computed[index], `${path}[${index}]`),
    ).flat();
  }
  return claimed === computed ? [] : [{ path, claimed: formatValue(claimed), computed: formatValue(computed) }];
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const formatValue = (value: unknown): string => (value === undefined ? "" : JSON.stringify(value).slice(0, mostText));
