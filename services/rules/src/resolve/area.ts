/**
 * One casting on several creatures, "Goblin 1; Goblin 2": the dice of its damage or healing are rolled once, and each creature saves for itself.
 * Not here: the casting on one of them (`spell-save.ts`, `sure-spell.ts`).
 */
import type { Game, RollResult } from "@fairlead/contracts/rules";
import type { Dice } from "../dice/source.ts";
import { impossible } from "../result/mark.ts";
import { applySpending } from "../sheet/spending.ts";

/** The names in a target: "Goblin 1; Goblin 2". */
export const splitTargets = (target: string): readonly string[] => {
  const names = target
    .split(";")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  return names.length === 0 ? [target] : names;
};

/** The casting on one creature of the area. */
export interface AreaPart {
  readonly target: string;
  readonly result: RollResult;
}

/** Resolves each creature of the area, in order; the first pays for all. A part that the rules forbid is the answer, and nothing else counts. */
export const resolveParts = (
  game: Game,
  targets: readonly string[],
  { dice, resolve }: { readonly dice: Dice; readonly resolve: (game: Game, target: string, dice: Dice) => RollResult },
): readonly AreaPart[] => {
  const shared = shareDice(dice);
  const parts: AreaPart[] = [];
  let after = game;
  for (const target of targets) {
    const result = resolve(after, target, shared());
    if (result.impossible === true) return [{ target, result }];
    parts.push({ target, result });
    after = applySpending(after, result.changes);
  }
  return parts;
};

/** Dice whose damage, or healing, is the same for every creature. */
const shareDice = (dice: Dice): (() => Dice) => {
  const thrown = new Map<string, number[]>();
  return () => {
    const places = new Map<string, number>();
    return {
      roll(sides, purpose, stream) {
        if (!stream.startsWith("damage: ")) return dice.roll(sides, purpose, stream);
        const faces = thrown.get(stream) ?? [];
        thrown.set(stream, faces);
        const place = places.get(stream) ?? 0;
        places.set(stream, place + 1);
        const known = faces[place];
        if (known !== undefined) return known;
        const face = dice.roll(sides, purpose, stream);
        faces.push(face);
        return face;
      },
      record: () => dice.record(),
    };
  };
};

/** One answer for the whole area: the first creature's numbers, and under `targets` those of each. */
export const joinParts = (game: Game, parts: readonly AreaPart[], dice: Dice): RollResult => {
  const [first] = parts;
  if (first === undefined) return impossible("no creature is in the area", game.edition);
  if (parts.length === 1) return first.result;
  return {
    ...first.result,
    notes: parts.map(({ result }) => result.notes).join(". "),
    dice: dice.record(),
    rules: parts.flatMap(({ result }) => result.rules),
    changes: parts.flatMap(({ result }) => result.changes),
    targets: parts.map(({ target, result }) => ({
      target,
      total: result.total,
      success: result.success,
      damage: result.damage?.totalDamage ?? 0,
    })),
  };
};
