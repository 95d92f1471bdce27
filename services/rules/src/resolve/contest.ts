/**
 * Contests, grapples and shoves. In 5.1 both sides roll and a tie changes nothing; 5.2 has no contests, and the target of a
 * grapple or a shove saves against the character's DC instead.
 */
import type { Change, ContestIntent, Game, GrappleIntent, Npc, RollResult } from "@fairlead/contracts/rules";
import { conditionsThat } from "../data/conditions.ts";
import { skillAbility } from "../data/skills.ts";
import type { Dice } from "../dice/source.ts";
import { impossible } from "../result/mark.ts";
import { createTrace, signed, type Trace } from "../result/trace.ts";
import { conditionsEndedBySave, creatureSave } from "../rules/creature-save.ts";
import { type D20Test, rollD20 } from "../rules/d20.ts";
import { usesMartialArts } from "../sheet/armor.ts";
import {
  abilityModifier,
  cannotAct,
  charmedBy,
  hasCondition,
  helplessCondition,
  identify,
  proficiencyBonus,
} from "../sheet/character.ts";
import { fold } from "../sheet/names.ts";
import { findTarget } from "../sheet/target.ts";
import { checkTest } from "./check.ts";
import { buildResult } from "./d20-test.ts";

interface Contest {
  readonly checkType: string;
  readonly skill: ContestIntent["skill"];
  readonly target: Npc;
  readonly opposed: number;
  readonly onSuccess: readonly Change[];
}

export const resolveContest = (game: Game, intent: ContestIntent, dice: Dice): RollResult => {
  const target = findTarget(game, intent.target);
  if (game.edition === "5.2") {
    return impossible("5.2 has no contests: set a DC, or let the creature make a saving throw", game.edition);
  }
  const { skill, opposed } = intent;
  return rollContest(game, { checkType: `${skill} Contest`, skill, target, opposed, onSuccess: [] }, dice);
};

const rollContest = (game: Game, contest: Contest, dice: Dice): RollResult => {
  const { skill, target, opposed } = contest;
  const trace = createTrace(game.edition);
  const { test, ends } = checkTest(game, { ability: skillAbility[skill], skill });
  const roll = rollD20(test, { dice, trace }, () => false);
  const parts: Trace = { ...trace, add: (_, effect, cause) => trace.add("dcOrAc", effect, cause) };
  const { die, total: against } = rollD20(opposedTest(target, opposed), { dice, trace: parts }, () => false);
  trace.add("dcOrAc", `${die} ${signed(opposed)}`, { rule: "contest", why: `the check of ${target.name}` });
  const success = roll.total > against;
  const word = success ? "wins" : roll.total === against ? "ties, and nothing changes," : "loses";
  trace.add("success", word, { rule: "contest", why: `${roll.total} against ${against}` });
  const parsed = {
    checkType: contest.checkType,
    components: roll.components,
    dieResult: roll.die,
    totalModifier: signed(roll.modifier),
    total: roll.total,
    dcOrAc: String(against),
    success,
    notes: `${game.player.name} ${word} against ${target.name}: ${roll.total} to ${against}`,
  };
  return buildResult(game, parsed, { dice, trace, ends, changes: success ? contest.onSuccess : [] });
};

/** The creature's check; what it fears is taken to be in its sight. */
export const opposedTest = (target: Npc, opposed: number): D20Test => {
  const { name } = target;
  const hampering = [...conditionsThat("checksWithDisadvantage"), "Frightened"];
  return {
    purpose: `check of ${name}`,
    stream: "opposed check",
    advantages: [],
    disadvantages: hampering
      .filter((condition) => hasCondition(target, condition))
      .map((condition) => ({ rule: "condition", why: `${name} is ${fold(condition)}` })),
    modifiers: opposed === 0 ? [] : [{ label: "Check", amount: opposed, rule: "contest", why: `modifier of ${name}` }],
    bonusDice: [],
  };
};

const sizes = ["tiny", "small", "medium", "large", "huge", "gargantuan"] as const;

const attempts = {
  grapple: { checkType: "Grapple", condition: "Grappled" },
  shove_prone: { checkType: "Shove", condition: "Prone" },
  shove_away: { checkType: "Shove", condition: undefined },
} as const;

export const resolveGrapple = (game: Game, intent: GrappleIntent, dice: Dice): RollResult => {
  const target = findTarget(game, intent.target);
  const why = grappleObstacle(game, target);
  if (why !== undefined) return impossible(why, game.edition);
  const { checkType, condition } = attempts[intent.attempt];
  const onSuccess: readonly Change[] =
    condition === undefined
      ? []
      : [
          {
            ...identify(target),
            field: "conditions",
            op: "add",
            value: condition,
            why: `${fold(checkType)} by ${game.player.name}`,
          },
        ];
  const contest = { checkType, skill: "Athletics", target, opposed: intent.opposed, onSuccess } as const;
  return game.edition === "5.1" ? rollContest(game, contest, dice) : rollGrappleSave(game, contest, dice);
};

const grappleObstacle = ({ player }: Game, target: Npc): string | undefined => {
  const idle = cannotAct(player);
  if (idle !== undefined) return `${player.name} ${idle} and cannot grapple or shove`;
  const charm = charmedBy(player, target);
  if (charm !== undefined) return charm;
  if (target.cover === "total") return `${target.name} has total cover and cannot be targeted`;
  if ((target.distance ?? 5) > 5) return `${target.name} is out of reach`;
  return sizes.indexOf(target.size) > sizes.indexOf(player.size) + 1
    ? `${target.name} is more than one size larger than ${player.name}`
    : undefined;
};

/** 5.2: the target saves, with strength or dexterity as it likes. */
const rollGrappleSave = (game: Game, { checkType, target, opposed, onSuccess }: Contest, dice: Dice): RollResult => {
  const { player } = game;
  const trace = createTrace(game.edition);
  const strength = abilityModifier(player.stats.strength);
  const nimble = usesMartialArts(player) ? abilityModifier(player.stats.dexterity) : strength;
  const dc = 8 + Math.max(strength, nimble) + proficiencyBonus(player);
  trace.add("dcOrAc", String(dc), { rule: "grapple", why: "8, the ability modifier and proficiency" });
  const helpless = helplessCondition(target);
  const roll =
    helpless === undefined ? rollD20(betterSave(game, target, opposed), { dice, trace }, () => false) : undefined;
  if (helpless !== undefined) {
    trace.add("success", "failed save without a roll", {
      rule: "condition",
      why: `${target.name} is ${fold(helpless)}`,
    });
  }
  const success = roll === undefined || roll.total < dc;
  const parsed = {
    checkType,
    components: roll?.components ?? "",
    dieResult: roll?.die ?? 0,
    totalModifier: signed(roll?.modifier ?? 0),
    total: roll?.total ?? 0,
    dcOrAc: String(dc),
    success,
    notes: `${target.name} ${success ? "fails the save" : "saves"} against DC ${dc}`,
  };
  return buildResult(game, parsed, {
    dice,
    trace,
    ends: [],
    changes: [
      ...(roll === undefined ? [] : conditionsEndedBySave(target, game.edition, savedWith(target))),
      ...(success ? onSuccess : []),
    ],
  });
};

/** Its better save; a restrained creature would not choose dexterity. */
const savedWith = (target: Npc): "strength" | "dexterity" =>
  hasCondition(target, "Restrained") ? "strength" : "dexterity";

const betterSave = ({ edition }: Game, target: Npc, opposed: number): D20Test =>
  creatureSave({ ...target, savingThrowBonus: opposed, cover: "none" }, savedWith(target), { edition });
