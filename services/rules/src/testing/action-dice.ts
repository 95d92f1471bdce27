/** Dice for one action of a fight, in tests that keep no log. */
import type { Dice } from "../dice/source.ts";
import type { ActionDice } from "../encounter/act.ts";

export const thrownBy = (throwDice: () => Dice): ActionDice => ({ thrown: { version: 1, dice: undefined }, throwDice });
