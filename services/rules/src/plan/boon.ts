/**
 * What a spell without a roll leaves on a creature, ends on it, or does by its hit points: a plan of changes. Not here: the casting (`sure-spell.ts`).
 */
import type { Change, Game, Npc } from "@fairlead/contracts/rules";
import type { Boon, SureSpell } from "../data/sure-spells.ts";
import { hasCondition, identify } from "../sheet/character.ts";
import { fold } from "../sheet/names.ts";

/** In a sentence, and the changes. */
interface BoonOutcome {
  readonly note: string;
  readonly changes: readonly Change[];
}

export interface BoonPlan {
  /** Hit points that a pool needs to reach this creature; `undefined` where nothing is rolled. */
  readonly need: number | undefined;
  readonly works: BoonOutcome;
  readonly fails: BoonOutcome;
}

/** The creature that it is on; the caster's changes have no id. */
interface BoonTarget {
  readonly npc: Npc;
  readonly about: Pick<Change, "who" | "id">;
  /** Hit points of those that a pool reaches first, and of the creature. */
  readonly through: number | undefined;
}

type BoonPlanResult = { readonly ok: true; readonly boon: BoonPlan } | { readonly ok: false; readonly why: string };

/** `written` is the name in the call, which may have the caster's choice in brackets. */
export const planBoon = (
  game: Game,
  spell: SureSpell & { readonly boon: Boon },
  { written, target }: { readonly written: string; readonly target: BoonTarget },
): BoonPlanResult => {
  const { boon, name } = spell;
  const { npc, about } = target;
  const chosen = chooseMark(boon, written);
  if (boon.choices.length > 0 && chosen === undefined)
    return {
      ok: false,
      why: `${name} is one of several: write ${boon.choices.map((one) => sayChoice(name, one)).join(", ")}`,
    };
  const leaves = chosen === undefined ? boon.leaves : [chosen];
  const cured = npc.conditions.filter((condition) =>
    boon.cures.some((one) => hasCondition({ conditions: [condition] }, one)),
  );
  const picked = fold(choiceIn(written) ?? "");
  const ended = boon.curesOne ? pickOne(cured, picked) : cured;
  const left = leaves.map((mark) => leave(game, spell, { mark, target }));
  const said = [
    ...leaves.map(
      (mark) =>
        `${boon.aimed ? game.player.name : npc.name} has ${mark}${boon.aimed && spell.range > 0 ? ` on ${npc.name}` : ""}`,
    ),
    ...ended.map((condition) => `${condition} of ${npc.name} ends`),
  ];
  const limit = boon.upTo !== undefined && npc.currentHp > boon.upTo;
  const why = limit ? `${npc.name} has more than ${boon.upTo} hit points` : `nothing of it is on ${npc.name}`;
  const nothing: BoonOutcome = { note: `${name} does nothing: ${why}`, changes: [] };
  const works: BoonOutcome =
    limit || said.length === 0
      ? nothing
      : {
          note: said.join(". "),
          changes: [
            ...left,
            ...ended.map((value): Change => ({ ...about, field: "conditions", op: "remove", value, why: name })),
          ],
        };
  return {
    ok: true,
    boon: {
      need: boon.pool ? (target.through ?? npc.currentHp) : undefined,
      works,
      fails: { note: `${name} does not reach ${npc.name}`, changes: [] },
    },
  };
};

/** "fire" of "Protection from Energy (fire)". */
const choiceIn = (written: string): string | undefined => /\(([^()]{1,60})\)\s{0,9}$/.exec(written)?.[1];

const sayChoice = (spell: string, choice: string): string =>
  choice.startsWith(`${spell} (`) ? choice : `${spell} (${choice})`;

const abilityOf: Readonly<Record<string, string>> = {
  strength: "Bull's Strength",
  dexterity: "Cat's Grace",
  constitution: "Bear's Endurance",
  intelligence: "Fox's Cunning",
  wisdom: "Owl's Wisdom",
  charisma: "Eagle's Splendor",
};

const chooseMark = ({ choices }: Boon, written: string): string | undefined => {
  const word = fold(choiceIn(written) ?? "");
  if (word === "") return undefined;
  return choices.find(
    (choice) => fold(choice) === word || fold(choiceIn(choice) ?? "") === word || choice === abilityOf[word],
  );
};

/** The condition that the caster names, or the first. */
const pickOne = (cured: readonly string[], picked: string): readonly string[] =>
  [cured.find((condition) => picked !== "" && hasCondition({ conditions: [condition] }, picked)) ?? cured[0]].flatMap(
    (condition) => condition ?? [],
  );

const leave = (
  { player }: Game,
  { name, range, boon }: SureSpell,
  { mark, target: { npc, about } }: { readonly mark: string; readonly target: BoonTarget },
): Change => {
  if (boon?.aimed !== true) return { ...about, field: "conditions", op: "add", value: mark, why: name };
  const { who, id = who } = identify(npc);
  return { who: player.name, field: "effects", op: "add", value: range === 0 ? mark : `${mark}: ${id}`, why: name };
};
