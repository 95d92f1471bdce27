/** The dice of a call: those that the caller sent, or else a fresh seed, which is the only randomness of the service. */
import type { DiceInput, RollingCall } from "@fairlead/contracts/rules";
import { type Dice, scriptedDice, seededDice } from "./source.ts";

const seedBytes = 16;

/** 128 random bits as text. */
export const freshSeed = (): string => Buffer.from(crypto.getRandomValues(new Uint8Array(seedBytes))).toString("hex");

export const createDice = (input: DiceInput | undefined): Dice => {
  if (input === undefined) return seededDice(freshSeed(), "server");
  return "values" in input ? scriptedDice(input.values) : seededDice(String(input.seed), "caller", input.label);
};

/** The dice that were sent with a call; the two marks roll none. */
export const requestedDice = (input: RollingCall["input"]): DiceInput | undefined =>
  "dice" in input ? input.dice : undefined;
