/** Rolls dice that are written down: `2d6+3`. Reading them is `notation.ts`. */
import type { Roll } from "@fairlead/contracts/rules";
import { formatDice, parseDice, type Term } from "../dice/notation.ts";
import type { Dice } from "../dice/source.ts";
import { Refusal } from "../result/refusal.ts";

/** Refuses with `bad_notation`, or for the dice. */
export const rollNotation = (notation: string, dice: Dice): Roll => {
  const parsed = parseDice(notation);
  if (!parsed.ok) {
    const { at, expected } = parsed;
    throw new Refusal("bad_notation", `the dice cannot be read at ${at}: ${expected} was expected`, { at, expected });
  }
  const terms = parsed.terms.map((term) => rollTerm(term, dice));
  return {
    notation: formatDice(parsed.terms),
    total: terms.reduce((sum, { subtotal }) => sum + subtotal, 0),
    terms,
    dice: dice.record(),
  };
};

const rollTerm = (term: Term, dice: Dice): Roll["terms"][number] => {
  const written = formatDice([term]);
  if (term.kind === "flat") return { term: written, rolls: [], kept: [], subtotal: term.amount };
  const rolls = Array.from({ length: term.count }, () => dice.roll(term.sides, written, "roll"));
  const kept = term.keep === undefined ? rolls : keep(rolls, term.keep);
  return { term: written, rolls, kept, subtotal: kept.reduce((sum, face) => sum + face, 0) * term.sign + 0 };
};

/** The faces that stay, in the order rolled; of equal ones the first. */
const keep = (rolls: readonly number[], { which, count }: { which: "highest" | "lowest"; count: number }): number[] => {
  const order = rolls
    .map((face, index) => ({ face, index }))
    .sort((a, b) =>
      which === "highest" ? b.face - a.face || a.index - b.index : a.face - b.face || a.index - b.index,
    );
  const staying = new Set(order.slice(0, count).map(({ index }) => index));
  return rolls.filter((_, index) => staying.has(index));
};
