/**
 * Where dice come from. A source gives faces and keeps every draw, so that a result can be replayed.
 *
 * Two kinds: `seeded` computes faces from a text, `scripted` hands out what the player rolled (and what a test wants).
 * Not here: what is rolled and why. No randomness: a missing seed is made at the service's edge (`input.ts`).
 */
import { createHash } from "node:crypto";
import { type DiceRecord, type Draw, diceAlgorithm } from "@fairlead/contracts/rules";
import { Refusal } from "../result/refusal.ts";

export interface Dice {
  /** Rolls one die. `purpose` is for people, `stream` names the independent row of dice it is taken from. */
  roll(sides: number, purpose: string, stream: string): number;
  /** Every draw so far, and where the dice came from. */
  record(): DiceRecord;
}

const wordRange = 2 ** 32;
const wordsPerBlock = 8;

/** An endless row of unbiased dice: words of SHA-256("<stream>|<block>|<seed>"), those at or over the largest multiple of the sides rejected. */
const createStream = (seed: string, stream: string): ((sides: number) => number) => {
  let block = Buffer.alloc(0);
  let next = 0;
  const word = (): number => {
    const offset = next % wordsPerBlock;
    if (offset === 0) {
      block = createHash("sha256")
        .update(`${stream}|${next / wordsPerBlock}|${seed}`, "utf8")
        .digest();
    }
    next += 1;
    return block.readUInt32BE(offset * 4);
  };
  return (sides) => {
    const limit = wordRange - (wordRange % sides);
    let drawn = word();
    while (drawn >= limit) drawn = word();
    return 1 + (drawn % sides);
  };
};

/**
 * Dice computed from a seed. Each stream is independent: a new die in one changes no die in another, so that a blessing
 * does not turn a hit into a miss by shifting the dice. A label splits the seed into independent dice of their own.
 */
export const seededDice = (seed: string, madeBy: DiceRecord["madeBy"], label?: string): Dice => {
  const streams = new Map<string, (sides: number) => number>();
  const draws: Draw[] = [];
  return {
    roll(sides, purpose, name) {
      const stream = label === undefined ? name : `${label}/${name}`;
      const row = streams.get(stream) ?? createStream(seed, stream);
      streams.set(stream, row);
      const value = row(sides);
      draws.push({ sides, value, purpose, stream });
      return value;
    },
    record: () => ({
      source: "seed",
      algorithm: diceAlgorithm,
      seed,
      ...(label !== undefined && { label }),
      madeBy,
      draws: [...draws],
      unused: 0,
    }),
  };
};

/** Dice that were rolled already, in order. Refuses with `not_enough_dice`, or `impossible_die` for a face that the die does not have. */
export const scriptedDice = (values: readonly number[]): Dice => {
  const draws: Draw[] = [];
  return {
    roll(sides, purpose, stream) {
      const position = draws.length;
      const value = values[position];
      if (value === undefined) {
        throw new Refusal(
          "not_enough_dice",
          `dice.values has ${values.length} value(s), and a d${sides} is still to be rolled for: ${purpose}`,
          { given: values.length, sides, purpose },
        );
      }
      if (value > sides) {
        throw new Refusal(
          "impossible_die",
          `dice.values[${position}] stands for a d${sides} (${purpose}) and cannot be that high`,
          { position, value, sides, purpose },
        );
      }
      draws.push({ sides, value, purpose, stream });
      return value;
    },
    record: () => ({ source: "values", madeBy: "caller", draws: [...draws], unused: values.length - draws.length }),
  };
};
