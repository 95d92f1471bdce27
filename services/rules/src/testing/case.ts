/**
 * Scripted-dice cases: a table row says what is played, which faces fall, and what must come out. For tests only.
 *
 * A row names the rule it was taken from, and its title the section of that rule. Everything it leaves out has the contract's default, decoded by the
 * contract itself; faces left over, or too few, fail the row.
 */
import { type CallerInput, decoder, type HandlerInput } from "@fairlead/contracts";
import rules, { type Game, type RollResult } from "@fairlead/contracts/rules";
import { describe, expect, test } from "vitest";
import { citeRule, type RuleId } from "../data/catalogue.ts";
import { scriptedDice } from "../dice/source.ts";
import { resolveAttack } from "../resolve/attack.ts";
import { resolveSkillCheck } from "../resolve/check.ts";
import { resolveSavingThrow } from "../resolve/save.ts";

type Procedures = (typeof rules)["procedures"];
type GameInput = CallerInput<Procedures["resolveAttack"]>["game"];
type Attack = CallerInput<Procedures["resolveAttack"]>["intent"];
type Check = CallerInput<Procedures["resolveSkillCheck"]>["intent"];
type Save = CallerInput<Procedures["resolveSavingThrow"]>["intent"];

export interface Case {
  /** What is shown. */
  readonly name: string;
  /** The rule it is about, when that is not the one of its table; the catalogue has its section. */
  readonly source?: RuleId;
  /** The editions that the row is run in; both when left out. */
  readonly editions?: readonly Game["edition"][];
  readonly player?: Partial<GameInput["player"]>;
  readonly npc?: Partial<NonNullable<GameInput["npcs"]>[number]>;
  readonly scene?: GameInput["scene"];
  readonly rulings?: GameInput["rulings"];
  readonly attack?: Partial<Attack>;
  readonly check?: Check;
  readonly save?: Save;
  readonly dice: readonly number[];
  readonly want: ExpectedResult;
  /** What 5.2 answers otherwise. */
  readonly in52?: ExpectedResult;
}

interface ExpectedResult {
  readonly die?: number;
  readonly modifier?: string;
  readonly total?: number;
  readonly ac?: string;
  readonly success?: boolean;
  readonly crit?: boolean;
  /** Damage after defences. */
  readonly damage?: number;
  /** Dice of each line of the breakdown, like "Rapier 1d8+4 piercing". */
  readonly lines?: readonly string[];
  /** Sides of every die drawn, in order. */
  readonly drawn?: readonly number[];
  readonly impossible?: RegExp;
  readonly notes?: RegExp;
  /** Ids of rules that must be, and (with a leading `!`) must not be, on the list. */
  readonly rules?: readonly string[];
  /** One for each claim. */
  readonly granted?: readonly boolean[];
  /** "Goblin currentHp=2", "Aria effects-Guidance", "Aria scene.usedThisTurn+Sneak Attack". */
  readonly changes?: readonly string[];
}

/** A player who has these features. */
export const features = (...names: string[]) => ({ features: names.map((name) => ({ name })) });

const decodeGame = decoder<HandlerInput<Procedures["resolveAttack"]>>(rules.procedures.resolveAttack.input);

/** A complete game from what a test cares about: a fighter of level 1, all scores 10, and a goblin of AC 15 with 100 hit points. */
export const buildGame = (row: Pick<Case, "player" | "npc" | "scene" | "rulings">, edition: Game["edition"]): Game => {
  const input = {
    game: {
      edition,
      player: { name: "Aria", characterClass: "Fighter", level: 1, currentHP: 10, maxHP: 10, ...row.player },
      npcs: [{ id: "goblin-1", name: "Goblin", ac: 15, currentHp: 100, maxHp: 100, ...row.npc }],
      scene: row.scene ?? {},
      rulings: row.rulings ?? {},
    },
    intent: { weapon: "Club", target: "Goblin" },
  };
  const decoded = decodeGame(input);
  if (!decoded.ok) throw new Error(`the case does not fit the contract: ${JSON.stringify(decoded.issues)}`);
  return decoded.value.game;
};

export const play = (row: Case, edition: Game["edition"]): RollResult => {
  const game = buildGame(row, edition);
  const dice = scriptedDice(row.dice);
  if (row.check !== undefined) return resolveSkillCheck(game, row.check, dice);
  if (row.save !== undefined) return resolveSavingThrow(game, row.save, dice);
  return resolveAttack(game, { weapon: "Club", target: "Goblin", ...row.attack }, dice);
};

const lineText = (line: NonNullable<RollResult["damage"]>["breakdown"][number]): string => {
  const flat = line.flatBonus === 0 ? "" : line.flatBonus < 0 ? String(line.flatBonus) : `+${line.flatBonus}`;
  return [line.label, `${line.dice}${flat}`, line.damageType ?? ""].filter((part) => part !== "").join(" ");
};

const marks = { set: "=", add: "+", remove: "-" } as const;

const verify = (result: RollResult, want: ExpectedResult, given: number): void => {
  const seen = new Set(result.rules.map(({ rule }) => rule));
  const summary = {
    ...(want.die !== undefined && { die: result.dieResult }),
    ...(want.modifier !== undefined && { modifier: result.totalModifier }),
    ...(want.total !== undefined && { total: result.total }),
    ...(want.ac !== undefined && { ac: result.dcOrAc }),
    ...(want.success !== undefined && { success: result.success }),
    ...(want.crit !== undefined && { crit: result.damage?.isCrit ?? false }),
    ...(want.damage !== undefined && { damage: result.damage?.totalDamage ?? 0 }),
    ...(want.lines !== undefined && { lines: (result.damage?.breakdown ?? []).map(lineText) }),
    ...(want.drawn !== undefined && { drawn: (result.dice?.draws ?? []).map(({ sides }) => sides) }),
    ...(want.granted !== undefined && { granted: result.claims.map(({ granted }) => granted) }),
    ...(want.changes !== undefined && {
      changes: result.changes.map(({ who, field, op, value }) => `${who} ${field}${marks[op]}${value}`),
    }),
  };
  const { impossible, notes, rules: wanted = [], ...plain } = want;
  expect(summary).toEqual(plain);
  expect(result.impossible ?? false).toBe(impossible !== undefined);
  if (impossible !== undefined) expect(result.notes).toMatch(impossible);
  else expect(result.dice?.draws.length).toBe(given);
  if (notes !== undefined) expect(result.notes).toMatch(notes);
  for (const rule of wanted) {
    if (rule.startsWith("!")) expect(seen).not.toContain(rule.slice(1));
    else expect(seen).toContain(rule);
  }
};

/** Title of a family that is not a table of rows: its name, and the section of its rule in each edition that has it. */
export const describeRule = (name: string, rule: RuleId): string =>
  `${name} (${[...new Set((["5.1", "5.2"] as const).map((edition) => citeRule(rule, edition)))].join("; ")})`;

/** Registers one test for every row and edition. `source` is the rule of each row that names no other. */
export const runCases = (family: string, source: RuleId, rows: readonly Case[]): void => {
  describe(family, () => {
    for (const row of rows) {
      for (const edition of row.editions ?? (["5.1", "5.2"] as const)) {
        const want = edition === "5.2" ? { ...row.want, ...row.in52 } : row.want;
        const section = citeRule(row.source ?? source, edition);
        test(`${edition}: ${row.name} (${section})`, () => verify(play(row, edition), want, row.dice.length));
      }
    }
  });
};
