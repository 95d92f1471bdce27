/**
 * Names in the state that no rule read, each with the known name nearest to it: a mistyped skill would otherwise cost its proficiency
 * in silence. Belongings are listed only where they look like a weapon's name.
 */
import { didYouMean } from "@fairlead/contracts/did-you-mean";
import {
  type AttackIntent,
  type Game,
  gameNames,
  type NotRead,
  type Npc,
  type Player,
  type StartEncounterInput,
  sheetNames,
} from "@fairlead/contracts/rules";
import { effectNames } from "../effects/apply.ts";
import { conditionName, isExhaustion, splitOptions } from "../sheet/character.ts";
import { classLevels } from "../sheet/class-levels.ts";
import { isSheet } from "../sheet/entrant.ts";
import { baseName, fold } from "../sheet/names.ts";
import { hasFormula, parseFormula } from "../sheet/scaling-formula.ts";
import { intendedSpell } from "../sheet/spell-name.ts";
import { weaponsAtHand } from "../sheet/weapon.ts";
import { type KnownNames, knownNames } from "./known-names.ts";

type UnreadName = NotRead[number];

/** A sheet at the start of a fight may leave its hit points out. */
type Sheet = Omit<Player, "currentHP">;

const most = 40;

/** `undefined` when every name was read. */
export const findUnread = (game: Game, intent?: AttackIntent): NotRead | undefined => {
  const known = withHouseRules(knownNames[game.edition], game.rulings);
  return nearFirst([
    ...playerNames(game.player, "game.player", known),
    ...game.npcs.flatMap((npc, index) => npcNames(npc, `game.npcs[${index}]`, known)),
    ...extraFields(game.scene, "game.scene", gameNames.scene),
    ...(intent === undefined ? [] : intentNames(game, intent)),
  ]);
};

/** The same for those who begin a fight; monsters that are named have no sheet. */
export const findUnreadEntrants = ({
  edition,
  party,
  foes,
  rulings,
}: Pick<StartEncounterInput, "edition" | "party" | "foes" | "rulings">): NotRead | undefined => {
  const known = withHouseRules(knownNames[edition], rulings);
  return nearFirst([
    ...party.flatMap((one, index) => (typeof one === "string" ? [] : playerNames(one, `party[${index}]`, known))),
    ...foes.flatMap((one, index) => {
      if (typeof one === "string") return [];
      const path = `foes[${index}]`;
      return isSheet(one) ? playerNames(one, path, known) : npcNames(one, path, known);
    }),
  ]);
};

/** Those near to a known name first. */
const nearFirst = (found: readonly UnreadName[]): NotRead | undefined => {
  const near = found.filter(({ nearest }) => nearest !== undefined);
  const listed = [...near, ...found.filter(({ nearest }) => nearest === undefined)].slice(0, most);
  return listed.length === 0 ? undefined : listed;
};

/** The names that the game's own rules bring, too. */
const withHouseRules = (known: KnownNames, rulings: Game["rulings"]): KnownNames =>
  rulings.houseRules === undefined
    ? known
    : {
        ...known,
        features: [...known.features, ...effectNames("feature", rulings)],
        effects: [...known.effects, ...effectNames("effect", rulings), ...effectNames("item", rulings)],
        conditions: [...known.conditions, ...effectNames("condition", rulings)],
      };

const unread = (at: string, name: string, known: readonly string[]): UnreadName => {
  const nearest = didYouMean(fold(name), known);
  return { at, name, ...(nearest !== undefined && { nearest }) };
};

/** Names of a list that are none of the known ones; `read` is the part of a name that counts. */
const unknownNames = (
  names: readonly string[],
  at: string,
  known: readonly string[],
  read: (name: string) => string = (name) => name,
): readonly UnreadName[] => {
  const folded = new Set(known.map(fold));
  return names.flatMap((name, index) =>
    folded.has(fold(read(name))) ? [] : [{ ...unread(`${at}[${index}]`, read(name), known), name }],
  );
};

const extraFields = (part: object, at: string, known: readonly string[], own: readonly string[] = []) =>
  Object.keys(part)
    .filter((key) => !known.includes(key) && !own.includes(key))
    .map((key) => unread(`${at}.${key}`, key, known));

const playerNames = (player: Sheet, at: string, known: KnownNames): readonly UnreadName[] => {
  const armory = [...known.weapons, ...Object.keys(player.weaponDamage)];
  return [
    ...extraFields(player, at, sheetNames.player, known.ownFields),
    ...extraFields(player.stats, `${at}.stats`, sheetNames.stats),
    ...extraFields(player.worn, `${at}.worn`, sheetNames.worn),
    ...Object.entries(player.weaponDamage).flatMap(([name, stat]) =>
      extraFields(stat, `${at}.weaponDamage[${JSON.stringify(name)}]`, sheetNames.weapon),
    ),
    ...unknownNames(classNames(player), at, known.classes).map((one) => ({ ...one, at: `${at}.characterClass` })),
    ...unknownNames(player.savingThrowProficiencies, `${at}.savingThrowProficiencies`, known.abilities),
    ...unknownNames(player.skillProficiencies, `${at}.skillProficiencies`, known.skills),
    ...unknownNames(
      player.weaponProficiencies,
      `${at}.weaponProficiencies`,
      [...known.weaponProficiencies, ...armory.map(baseName)],
      baseName,
    ),
    ...unknownNames(player.armorProficiencies, `${at}.armorProficiencies`, known.armorProficiencies),
    ...unknownNames(player.weaponMasteries, `${at}.weaponMasteries`, armory, baseName),
    ...player.features.flatMap((_, index) => featureNames(player, { at, index }, known)),
    ...unknownNames(player.inventory ?? [], `${at}.inventory`, armory, baseName).filter(({ nearest }) => nearest),
    ...conditionsIn(player.conditions, `${at}.conditions`, known),
    ...(player.effects ?? []).flatMap((effect, index) =>
      extraFields(effect, `${at}.effects[${index}]`, sheetNames.effect),
    ),
    ...unknownNames(
      (player.effects ?? []).map(({ name }) => name),
      `${at}.effects`,
      known.effects,
    ),
    ...unknownNames(player.cantrips, `${at}.cantrips`, spellNames(player, known), baseName),
    ...unknownNames(player.knownSpells, `${at}.knownSpells`, spellNames(player, known), baseName),
  ];
};

interface SheetPlace {
  /** Path of the sheet. */
  readonly at: string;
  readonly index: number;
}

/** As the sheet writes them; a class with levels behind it is read apart. */
const classNames = (player: Sheet): readonly string[] => {
  const levels = [...classLevels(player).keys()];
  return player.classLevels !== undefined || levels.length > 1 ? levels : [player.characterClass];
};

const spellNames = ({ weaponDamage }: Sheet, { spells }: KnownNames): readonly string[] => [
  ...spells,
  ...Object.keys(weaponDamage).map(baseName),
];

const featureNames = (player: Sheet, place: SheetPlace, known: KnownNames): readonly UnreadName[] => {
  const feature = player.features[place.index];
  if (feature === undefined) return [];
  const at = `${place.at}.features[${place.index}]`;
  const { name, scalingFormula: formula, chosenOption = "" } = feature;
  const unreadFormula =
    formula !== undefined && (!hasFormula(name) || parseFormula(formula, player.level) === undefined);
  const options = fold(name) === "expertise" ? splitOptions(chosenOption) : [];
  return [
    ...unknownNames([name], at, known.features).map((entry) => ({ ...entry, at: `${at}.name` })),
    ...(unreadFormula ? [{ at: `${at}.scalingFormula`, name: formula }] : []),
    ...unknownNames(options, at, [...known.skills, "thieves' tools"]).map((entry) => ({
      ...entry,
      at: `${at}.chosenOption`,
    })),
    ...extraFields(feature, at, sheetNames.feature),
  ];
};

const conditionsIn = (written: readonly string[], at: string, { conditions }: KnownNames): readonly UnreadName[] => {
  const folded = new Set(conditions.map(fold));
  return written.flatMap((name, index) =>
    isExhaustion(name) || folded.has(conditionName(name))
      ? []
      : [{ ...unread(`${at}[${index}]`, conditionName(name), conditions), name }],
  );
};

const npcNames = (npc: Npc, at: string, known: KnownNames): readonly UnreadName[] => [
  ...extraFields(npc, at, gameNames.npc),
  ...conditionsIn(npc.conditions, `${at}.conditions`, known),
  ...unknownNames(npc.traits, `${at}.traits`, known.traits),
];

/** A spell's name beside a weapon, where the weapon is what attacks. */
const intentNames = (game: Game, intent: AttackIntent): readonly UnreadName[] =>
  intent.spell_name === undefined || intendedSpell(game, intent, weaponsAtHand(game)) !== undefined
    ? []
    : [{ at: "intent.spell_name", name: intent.spell_name }];
