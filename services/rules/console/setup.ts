/**
 * What is asked at the table: two creatures, what one of them does, and the dice. Pure. The address of the page says it, so that a link shows the same roll:
 * the same call gives the same answer.
 */
import type { CreatureByValue, Edition, Game, OddsQuestion, RollingQuestion } from "./api.ts";
import { parseList, parseSheet, sheets, type TypedSheet } from "./sheet.ts";

/** A sheet, or the name of a monster of the SRD. */
export type Side =
  | { readonly kind: "sheet"; readonly sheet: TypedSheet }
  | { readonly kind: "monster"; readonly name: string };

const deeds = ["attack", "check", "save"] as const;

export interface Setup {
  readonly edition: Edition;
  readonly actor: Side;
  readonly target: Side;
  readonly deed: (typeof deeds)[number];
  readonly weapon: string;
  /** Claims like "Sneak Attack", with commas. */
  readonly claims: string;
  readonly skill: string;
  readonly ability: string;
  readonly dc: number;
  readonly stance: "as it is" | "advantage" | "disadvantage";
  /** An ally of the actor stands beside the target. */
  readonly engaged: boolean;
}

const [aria] = sheets;

export const firstSetup: Setup = {
  edition: "5.1",
  actor: aria === undefined ? { kind: "monster", name: "Bandit" } : { kind: "sheet", sheet: aria },
  target: { kind: "monster", name: "Goblin" },
  deed: "attack",
  weapon: "Rapier",
  claims: "Sneak Attack",
  skill: "Stealth",
  ability: "dexterity",
  dc: 15,
  stance: "as it is",
  engaged: true,
};

type Search = Readonly<Record<string, string>>;

const sideText = (side: Side): string => (side.kind === "monster" ? side.name : JSON.stringify(side.sheet));

const readSide = (text: string | undefined, other: Side): Side => {
  if (text === undefined) return other;
  if (!text.startsWith("{")) return { kind: "monster", name: text };
  const parsed = parseSheet(text);
  return parsed.ok ? { kind: "sheet", sheet: parsed.sheet } : other;
};

const oneOf = <T extends string>(text: string | undefined, known: readonly T[], other: T): T =>
  known.find((each) => each === text) ?? other;

export const setupSearch = (setup: Setup): Search => {
  const { edition, deed, weapon, claims, skill, ability, dc, stance, engaged } = setup;
  return {
    edition,
    actor: sideText(setup.actor),
    target: sideText(setup.target),
    do: deed,
    ...(deed === "attack" && { weapon, claims, engaged: engaged ? "yes" : "no" }),
    ...(deed === "check" && { skill, dc: String(dc) }),
    ...(deed === "save" && { ability, dc: String(dc) }),
    stance,
  };
};

/** What the address does not say, or says wrongly, is as at first. */
export const readSetup = (search: Search): Setup => {
  const dc = Number(search.dc);
  return {
    edition: oneOf(search.edition, ["5.1", "5.2"], firstSetup.edition),
    actor: readSide(search.actor, firstSetup.actor),
    target: readSide(search.target, firstSetup.target),
    deed: oneOf(search.do, deeds, firstSetup.deed),
    weapon: search.weapon ?? firstSetup.weapon,
    claims: search.claims ?? (search.weapon === undefined ? firstSetup.claims : ""),
    skill: search.skill ?? firstSetup.skill,
    ability: search.ability ?? firstSetup.ability,
    dc: Number.isInteger(dc) && dc >= 1 && dc <= 30 ? dc : firstSetup.dc,
    stance: oneOf(search.stance, ["as it is", "advantage", "disadvantage"], "as it is"),
    engaged: search.engaged !== "no",
  };
};

export const toSource = (side: Side) => (side.kind === "monster" ? side.name : side.sheet);

interface Sides {
  readonly actor: CreatureByValue;
  readonly target: CreatureByValue;
}

/** A named boundary: a creature by value is what a game takes, which the contract says in words. */
export const toGame = ({ edition, stance, engaged }: Setup, { actor, target }: Sides): Game =>
  ({
    edition,
    player: actor.player,
    npcs: [{ ...target.npc, engaged }],
    scene: stance === "as it is" ? {} : { [stance]: ["the table says so"] },
  }) as unknown as Game;

type Intent<K extends OddsQuestion["kind"]> = Extract<OddsQuestion, { readonly kind: K }>["intent"];

/** A named boundary: the name of a skill is typed, and the service says which it does not know. */
export const asSkill = (name: string): Intent<"check">["skill"] => name as Intent<"check">["skill"];

/** The same of an ability. */
export const asAbility = (name: string): Intent<"save">["ability"] => name as Intent<"save">["ability"];

/** `target`: its name as the rules know it. */
export const toQuestion = (setup: Setup, target: string): OddsQuestion => {
  const { deed, weapon, claims, skill, ability, dc } = setup;
  const sources = parseList(claims);
  switch (deed) {
    case "attack":
      return {
        kind: "attack",
        intent: { weapon, target, ...(sources.length > 0 && { extra_damage_sources: [...sources] }) },
      };
    case "check":
      return { kind: "check", intent: { skill: asSkill(skill), dc } };
    case "save":
      return { kind: "save", intent: { ability: asAbility(ability), dc } };
  }
};

const procedures = { attack: "resolveAttack", check: "resolveSkillCheck", save: "resolveSavingThrow" } as const;

export type Dice = { readonly seed: string } | { readonly values: readonly number[] };

/** The dice of an address: `seed`, or `dice` with the faces that were rolled at the table. */
export const readDice = ({ seed, dice }: Search): Dice | undefined => {
  if (seed !== undefined) return { seed };
  if (dice === undefined) return undefined;
  const values = dice.split(",").map(Number);
  return values.every((value) => Number.isInteger(value) && value > 0) ? { values } : undefined;
};

/** The call that rolls it, as `replay` takes it. */
export const rollingQuestion = (game: Game, question: OddsQuestion, dice: Dice): RollingQuestion =>
  ({ procedure: procedures[question.kind], input: { game, intent: question.intent, dice } }) as RollingQuestion;
