/**
 * Dice notation: `2d6+1d4-3`, `4d6kh3`, `2d20kl1`. A text becomes a list of terms, within caps.
 *
 *   expression = [ "-" ] term { ( "+" | "-" ) term }
 *   term       = number | [ number ] "d" number [ ( "kh" | "kl" | "dh" | "dl" ) number ]
 *
 * Spaces are allowed between tokens, letters in either case. Not here: rolling (`source.ts`), odds (`odds/`).
 */

/** `keep` counts the dice that stay: the highest or the lowest ones. */
export type Term =
  | { readonly kind: "flat"; readonly amount: number }
  | {
      readonly kind: "dice";
      readonly sign: 1 | -1;
      readonly count: number;
      readonly sides: number;
      readonly keep?: { readonly which: "highest" | "lowest"; readonly count: number };
    };

type ParsedNotation =
  | { readonly ok: true; readonly terms: readonly Term[] }
  | { readonly ok: false; readonly at: number; readonly expected: string };

/** Nothing over these is parsed: they bound memory, time and the size of a reply. */
export const caps = { length: 100, terms: 20, dice: 100, sides: 1_000, flat: 10_000 } as const;

const number = /\d{1,9}/y;
const keeping = /k[hl]|d[hl]/iy;
const space = /[ \t]*/y;

export const parseDice = (text: string): ParsedNotation => {
  if (text.length > caps.length) return { ok: false, at: caps.length, expected: `at most ${caps.length} characters` };
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  };
  const fail = (expected: string): ParsedNotation => ({ ok: false, at, expected });
  const terms: Term[] = [];
  let diceSoFar = 0;

  take(space);
  let sign: 1 | -1 = text[at] === "-" ? -1 : 1;
  if (sign === -1) at += 1;
  for (;;) {
    take(space);
    const lead = take(number);
    if (text[at]?.toLowerCase() === "d") {
      at += 1;
      const sides = Number(take(number) ?? 0);
      const count = lead === undefined ? 1 : Number(lead);
      if (sides < 1 || sides > caps.sides) return fail(`a die of 1 to ${caps.sides} sides`);
      diceSoFar += count;
      if (count < 1 || diceSoFar > caps.dice) return fail(`1 to ${caps.dice} dice in all`);
      const word = take(keeping)?.toLowerCase();
      if (word === undefined) {
        terms.push({ kind: "dice", sign, count, sides });
      } else {
        const chosen = Number(take(number) ?? 0);
        if (chosen < 1 || chosen > count) return fail(`a number from 1 to ${count} after ${word}`);
        const kept = word.startsWith("k") ? chosen : count - chosen;
        const which = word === "kh" || word === "dl" ? "highest" : "lowest";
        terms.push({ kind: "dice", sign, count, sides, keep: { which, count: kept } });
      }
    } else if (lead === undefined) {
      return fail("a number or dice like 2d6");
    } else {
      const amount = Number(lead);
      if (amount > caps.flat) return fail(`a number up to ${caps.flat}`);
      terms.push({ kind: "flat", amount: sign * amount + 0 });
    }
    take(space);
    if (at === text.length) return { ok: true, terms };
    if (terms.length === caps.terms) return fail(`at most ${caps.terms} terms`);
    if (text[at] !== "+" && text[at] !== "-") return fail("+, - or the end");
    sign = text[at] === "-" ? -1 : 1;
    at += 1;
  }
};

/** Writes terms back; `parseDice` of it gives the same terms. */
export const formatDice = (terms: readonly Term[]): string =>
  terms
    .map((term, index) => {
      const negative = term.kind === "flat" ? term.amount < 0 : term.sign < 0;
      const lead = negative ? "-" : index === 0 ? "" : "+";
      if (term.kind === "flat") return `${lead}${Math.abs(term.amount)}`;
      const keep = term.keep === undefined ? "" : formatKeep(term.keep, term.count);
      return `${lead}${term.count}d${term.sides}${keep}`;
    })
    .join("");

const formatKeep = (keep: { which: "highest" | "lowest"; count: number }, dice: number): string =>
  keep.count > 0 ? `k${keep.which[0]}${keep.count}` : `d${keep.which === "highest" ? "l" : "h"}${dice}`;
