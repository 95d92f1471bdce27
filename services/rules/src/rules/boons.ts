/** Dice and numbers that effects add to d20 tests: Bless, Bane, Guidance, Resistance, Bardic Inspiration, Sundering Blow, exhaustion. */
import type { Change, EffectName, Game, Npc, Player, Skill } from "@fairlead/contracts/rules";
import type { RuleId } from "../data/catalogue.ts";
import { conditionSources, type Effect, effect, exhaustionLevel } from "../sheet/character.ts";
import { sameName } from "../sheet/names.ts";
import type { BonusDie, Modifier } from "./d20.ts";

type TestKind =
  | { readonly kind: "attack"; readonly target: Npc }
  | { readonly kind: "check"; readonly skill: Skill | undefined }
  | { readonly kind: "save" };

interface Boons {
  readonly bonusDice: readonly BonusDie[];
  readonly modifiers: readonly Modifier[];
  /** Effects that end with this roll; the label is that of their die, and an unrolled die ends nothing. */
  readonly ends: readonly { readonly label: string; readonly change: Change }[];
}

export const collectBoons = (game: Game, test: TestKind): Boons => {
  const { player, edition, scene } = game;
  const bonusDice: BonusDie[] = [];
  const ends: { label: string; change: Change }[] = [];
  const die = (name: EffectName, rule: RuleId, shape: Pick<BonusDie, "sides" | "sign" | "when">): void => {
    bonusDice.push({ label: name, ...shape, rule, why: `${name} is at work` });
  };
  const end = (active: Effect): void => {
    const why = `${active.name} ends with this roll`;
    ends.push({
      label: active.name,
      change: { who: player.name, field: "effects", op: "remove", value: active.name, why },
    });
  };

  const blessing = { sides: 4, sign: 1, when: "always" } as const;
  if (test.kind !== "check") {
    if (effect(player, "Bless") !== undefined) die("Bless", "bless", blessing);
    if (effect(player, "Bane") !== undefined) die("Bane", "bane", { ...blessing, sign: -1 });
  }
  const guidance =
    test.kind === "check" ? effect(player, "Guidance", (one) => guidanceApplies(one, test.skill, edition)) : undefined;
  if (guidance !== undefined) {
    die("Guidance", "guidance", blessing);
    if (edition === "5.1") end(guidance);
  }
  const resistance = effect(player, "Resistance");
  if (test.kind === "save" && edition === "5.1" && resistance !== undefined) {
    die("Resistance", "resistance-cantrip", blessing);
    end(resistance);
  }
  const inspiration = effect(player, "Bardic Inspiration");
  if (inspiration !== undefined && scene.spendInspiration) {
    const sides = inspiration.die ?? 6;
    die("Bardic Inspiration", "bardic-inspiration", {
      sides,
      sign: 1,
      when: edition === "5.2" ? "on-failure" : "always",
    });
    end(inspiration);
  }
  const opening = test.kind === "attack" ? sunderBonus(game, test.target) : [];
  return { bonusDice, modifiers: [...exhaustionPenalty(game), ...opening], ends };
};

/** 5.2 names a skill; a check without one is not helped. */
const guidanceApplies = (guidance: Effect, skill: Skill | undefined, edition: Game["edition"]): boolean =>
  edition === "5.1" || (skill !== undefined && (guidance.skill === undefined || guidance.skill === skill));

/** 5.2: +5 for the next to attack what another has sundered; one blow counts. */
const sunderBonus = ({ player, edition }: Game, target: Npc): readonly Modifier[] =>
  edition === "5.2" && sunderConditions(player, target).length > 0
    ? [{ label: "Sundering Blow", amount: 5, rule: "brutal-strike", why: `${target.name} was sundered` }]
    : [];

/** Sundering Blows of others, as the creature's conditions write them: "Sundered by Bo". */
export const sunderConditions = (player: Player, target: Npc): readonly string[] =>
  target.conditions.filter((written) =>
    conditionSources({ conditions: [written] }, "Sundered").some((by) => !sameName(by, player.name)),
  );

/** 5.2: every level takes 2 off every d20 test. */
const exhaustionPenalty = ({ player, edition }: Game): readonly Modifier[] => {
  const level = exhaustionLevel(player);
  return edition === "5.2" && level > 0
    ? [{ label: "Exhaustion", amount: -2 * level, rule: "exhaustion", why: `exhaustion level ${level}` }]
    : [];
};
