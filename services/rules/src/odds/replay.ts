/** Proof of a result: the same question, with the same dice, must give the same result. */
import type { Game, Replay, RollResult, Settled } from "@fairlead/contracts/rules";
import { scripted, seeded } from "../dice/source.ts";
import { settle } from "../settle.ts";

const mostDifferences = 20;
const mostText = 200;

export const replay = (game: Game, question: Settled, result: RollResult): Replay => {
  const { dice } = result;
  const seed = dice?.source === "seed" ? dice.seed : undefined;
  const source =
    seed !== undefined && dice !== undefined
      ? seeded(seed, dice.madeBy, dice.label)
      : scripted([...(dice?.draws ?? []).map(({ value }) => value), ...spare(dice?.unused ?? 0)]);
  const differences = compare(result, settle(game, question, source), "").slice(0, mostDifferences);
  return { proved: differences.length === 0, differences, dice: seed === undefined ? "values" : "seed" };
};

/** Values that were given and not used are not in a result; any stand in for them. */
const spare = (count: number): number[] => Array.from({ length: Math.min(count, 500) }, () => 1);

type Difference = Replay["differences"][number];

const compare = (claimed: unknown, computed: unknown, path: string): Difference[] => {
  if (isRecord(claimed) && isRecord(computed)) {
    const keys = [...new Set([...Object.keys(claimed), ...Object.keys(computed)])].sort();
    return keys.flatMap((key) => compare(claimed[key], computed[key], path === "" ? key : `${path}.${key}`));
  }
  if (Array.isArray(claimed) && Array.isArray(computed)) {
    const length = Math.max(claimed.length, computed.length);
    return Array.from({ length }, (_, index) => compare(claimed[index], computed[index], `${path}[${index}]`)).flat();
  }
  return claimed === computed ? [] : [{ path, claimed: text(claimed), computed: text(computed) }];
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const text = (value: unknown): string => (value === undefined ? "" : JSON.stringify(value).slice(0, mostText));
