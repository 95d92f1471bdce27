/** Shapes of what Path of Building itself computes: what the `lua_*` procedures take and answer. */
import * as z from "zod";
import { buildSets, namedNode, partChanges, passiveTree } from "./build.ts";

/** Name of a session; each has a process and a build of its own. The caller's default session when left out. */
export const sessionName = z
  .string()
  .regex(/^[\w.-]{1,40}$/, "1 to 40 letters, digits, `_`, `-` or `.`")
  .optional()
  .describe("Which of your sessions, each with a loaded build of its own; left out, the usual one.");

/** What computed the answer, and whether its build was loaded again since the last one. */
export const engineMeta = z
  .object({
    engine: z.enum(["shim", "fork", "custom"]).describe("How Path of Building is driven."),
    version: z.string().describe("Version of Path of Building."),
    treeVersion: z.string().nullable().describe("Tree version of the loaded build."),
    recovered: z
      .boolean()
      .describe("True once after the process had died: the build and its edits were loaded again before this answer."),
  })
  .describe("What computed this, and for which tree.");

const statValue = z.union([z.number(), z.string()]);

/** Stats by Path of Building's names; a number, or a text where it shows one. */
export const statMap = z.record(z.string(), statValue).describe("Name to value, as Path of Building names them.");

/** Path of Building's names of the stats that people decide by, the most important first. What they mean is in `docs/pob.md`. */
export const curatedStatNames = [
  "FullDPS",
  "CombinedDPS",
  "TotalDPS",
  "TotalDotDPS",
  "TotalDot",
  "IgniteDPS",
  "BleedDPS",
  "PoisonDPS",
  "ImpaleDPS",
  "CullingDPS",
  "MinionTotalDPS",
  "MinionCombinedDPS",
  "AverageHit",
  "AverageDamage",
  "Speed",
  "CritChance",
  "CritMultiplier",
  "HitChance",
  "TotalEHP",
  "SecondMinimalMaximumHitTaken",
  "Life",
  "LifeUnreserved",
  "EnergyShield",
  "Ward",
  "Mana",
  "ManaUnreserved",
  "Armour",
  "Evasion",
  "PhysicalDamageReduction",
  "PhysicalMaximumHitTaken",
  "FireMaximumHitTaken",
  "ColdMaximumHitTaken",
  "LightningMaximumHitTaken",
  "ChaosMaximumHitTaken",
  "EffectiveBlockChance",
  "EffectiveSpellBlockChance",
  "EffectiveSpellSuppressionChance",
  "AttackDodgeChance",
  "SpellDodgeChance",
  "MeleeEvadeChance",
  "ProjectileEvadeChance",
  "FireResist",
  "ColdResist",
  "LightningResist",
  "ChaosResist",
  "FireResistOverCap",
  "ColdResistOverCap",
  "LightningResistOverCap",
  "LifeRegenRecovery",
  "LifeLeechGainRate",
  "EnergyShieldRegenRecovery",
  "EnergyShieldRecharge",
  "ManaRegenRecovery",
  "ManaPerSecondCost",
  "ManaCost",
  "Accuracy",
  "Str",
  "Dex",
  "Int",
  "EffectiveMovementSpeedMod",
  "Cooldown",
  "MinionLife",
  "ActiveMinionLimit",
] as const;

/** One of the stats that people decide by, with label, unit and which direction is better. */
export const curatedStat = z.object({
  name: z.enum(curatedStatNames).describe("Path of Building's name for it."),
  label: z.string().describe("Its name for people."),
  value: z.number().describe("Its value."),
  unit: z.enum(["number", "percent", "per_second", "seconds", "multiplier"]).describe("What the value counts."),
  better: z.enum(["higher", "lower"]).describe("Which direction is good for the player."),
  group: z
    .enum(["damage", "pool", "defence", "avoidance", "resistance", "recovery", "attribute", "speed", "minion"])
    .describe("What it belongs to."),
});

/**
 * What kind of part of a build Path of Building did not take as it is written; `docs/pob.md` has each of them. `unknown_line`: without
 * effect. `unknown_base`, `unknown_gem`: left out. `read_as`: taken for another. `completed`: a unique got its lines from Path of
 * Building's list. `unique_without_lines`: counts as its base. `unused_item`: its slot refused it. `unused_support`: supports nothing.
 * `requirement`: not met, computed as if it were. `bad_option`: an option or a value that there is not. `not_checked`: a fork cannot say.
 */
export const noticeKinds = [
  "unknown_line",
  "unknown_base",
  "unknown_gem",
  "read_as",
  "completed",
  "unique_without_lines",
  "unused_item",
  "unused_support",
  "requirement",
  "bad_option",
  "not_checked",
] as const;

/** A part of a build that Path of Building did not take as it is written: its numbers are those of the build without it. */
export const buildNotice = z.object({
  kind: z.enum(noticeKinds).describe("What happened to it; `message` says it in words."),
  where: z.string().describe("Like `Helmet`, `group 2, gem 3`, `node 54447 (Name)` or `customMods, line 2`."),
  text: z.string().describe("What the build has there."),
  message: z.string().describe("What Path of Building makes of it."),
  nearest: z.string().optional().describe("What was probably meant."),
});

/** Most notices of one answer. */
const mostNotices = 200;

/** What a change of the loaded build added to them. */
export const newNotices = z
  .array(buildNotice)
  .describe(`What Path of Building did not take as it is written, new with this change; at most ${mostNotices}.`);

/** A passive tree to set in the loaded build. */
export const treeInput = z.strictObject({
  session: sessionName,
  classId: z.int().min(0).max(20).describe("Id of the class in the tree."),
  ascendClassId: z.int().min(0).max(20).describe("Id of the ascendancy within the class; 0 for none."),
  secondaryAscendClassId: z.int().min(0).max(20).optional().describe("Id of the second ascendancy."),
  nodes: z.array(z.int().min(0)).max(1_000).describe("All nodes to be allocated."),
  masteryEffects: passiveTree.shape.masteryEffects.optional(),
  treeVersion: z
    .string()
    .regex(/^\d+_\d+(?:[A-Za-z_]\w*)?$/, "a version like 3_25")
    .optional()
    .describe("Version of the passive tree; the build's own when left out."),
  named: z.array(namedNode).optional().describe("Not read, as `meta`."),
  meta: engineMeta.optional().describe("Not read: an answer of luaGetTree can be given back as it is."),
});

/** A node that was asked for and is not in the tree, and why. */
export const droppedNode = z.object({
  node: z.int().describe("Id of the node."),
  why: z
    .enum(["unknown", "not_connected", "mastery_without_effect"])
    .describe("Why Path of Building did not allocate it."),
});

const level = z.int().min(1).max(100);

/** Changes to the loaded build, made as one edit, which one undo takes back. */
export const changes = z.strictObject({
  session: sessionName,
  addNodes: z.array(z.int().min(0)).max(1_000).optional().describe("Passive nodes to allocate."),
  removeNodes: z.array(z.int().min(0)).max(1_000).optional().describe("Passive nodes to give back."),
  masteryEffects: passiveTree.shape.masteryEffects.optional(),
  level: level.optional().describe("Level of the character."),
  items: z
    .array(
      z.strictObject({
        slot: z.string().min(1).max(60).describe("Slot, like `Weapon 1`."),
        text: z
          .string()
          .min(1)
          .max(10_240)
          .optional()
          .describe(
            "The item as the game copies it; leave out to take it off. A unique without its lines gets them, in the middle of their ranges.",
          ),
      }),
    )
    .max(30)
    .optional()
    .describe("Items to put on or take off."),
  ...partChanges,
  anoints: z
    .array(
      z.strictObject({
        slot: z.string().min(1).max(60).describe("Slot of the item, like `Amulet`."),
        node: z
          .union([z.string().min(1).max(100), z.int().min(0)])
          .describe("The notable that it allocates: its name, or its id."),
        place: z
          .int()
          .min(1)
          .max(4)
          .optional()
          .describe("Which enchantment gives way to it, from 1; the first when left out."),
      }),
    )
    .max(10)
    .optional()
    .describe("Notables for items to allocate."),
  gems: z
    .array(
      z.strictObject({
        group: z.int().min(1).describe("Number of the skill group, from 1."),
        gem: z.int().min(1).max(50).describe("Place of the gem in the group, from 1; one behind the last adds a gem."),
        name: z.string().min(1).max(100).optional().describe("Name of the gem to put there."),
        level: z.int().min(1).max(40).optional().describe("Level of the gem."),
        quality: z.int().min(0).max(100).optional().describe("Quality in percent."),
        enabled: z.boolean().optional().describe("Whether it is switched on."),
        remove: z.boolean().optional().describe("Take the gem out."),
      }),
    )
    .max(50)
    .optional()
    .describe("Gems to add, change or remove."),
  config: z
    .record(z.string().max(100), z.union([z.number(), z.boolean(), z.string().max(200), z.null()]))
    .optional()
    .describe("Configuration options by Path of Building's names; null resets one."),
  mainSocketGroup: z
    .int()
    .min(1)
    .max(200)
    .optional()
    .describe("Number of the skill group that counts as the main skill."),
});

const statName = z.string().min(1).max(100);

/** What a change is wanted for: which stats count, and by how much. */
export const goal = {
  goal: z
    .record(statName, z.number().min(-1_000).max(1_000))
    .refine((weights) => Object.keys(weights).length >= 1 && Object.keys(weights).length <= 20, {
      error: "1 to 20 stats",
    })
    .meta({ minProperties: 1, maxProperties: 20 })
    .optional()
    .describe(
      "1 to 20 stats to gain and their weights, like {FullDPS: 0.7, TotalEHP: 0.3}; CombinedDPS when left out. A score of 0.05 is 5 % more of a stat with weight 1; less of a stat with a negative weight is better.",
    ),
  atLeast: z
    .record(statName, z.number())
    .refine((least) => Object.keys(least).length <= 20, { error: "at most 20 stats" })
    .meta({ maxProperties: 20 })
    .optional()
    .describe("What at most 20 stats must have at least, like {Life: 4500}. What lacks some comes last."),
};

/** Most changes that are compared in one call. */
export const mostCandidates = 200;

/** One of the changes that are compared. */
export const candidate = changes.omit({ session: true }).extend({
  label: z.string().min(1).max(200).optional().describe("Your name for it, given back with its row."),
});

/** A candidate with what it would do, or why it cannot be made. */
const candidateRow = z.object({
  candidate: z.int().describe("Its place in `candidates`, from 1."),
  label: z.string().optional().describe("Its label."),
  score: z
    .number()
    .nullable()
    .describe("How much better the build is with it, by the goal; null when it cannot be made."),
  lacking: z
    .number()
    .nullable()
    .describe(
      "How far it is below `atLeast`, in proportion and summed up; 0 when it has all, null when it cannot be made.",
    ),
  stats: z
    .record(z.string(), statValue.nullable())
    .describe("The wanted stats with it; null where the build has no such stat. Empty when it cannot be made."),
  dropped: z.array(droppedNode).describe("Requested nodes that would not be allocated."),
  notices: newNotices,
  problem: z.string().optional().describe("Why it cannot be made. The others are compared all the same."),
});

/** Old and new value of one stat; `delta` is null unless both are numbers. */
export const statChange = z.object({
  name: z.string().describe("Path of Building's name of the stat."),
  old: statValue.nullable().describe("Value now; null when the stat does not exist now."),
  new: statValue.nullable().describe("Value afterwards; null when the stat would not exist."),
  delta: z.number().nullable().describe("New less old; null when one of them is not a number."),
});

/** What an edit did to the stats. */
export const editedStats = {
  changes: z.array(statChange).describe("Stats that it changed, the most important first; at most 40."),
  changed: z.int().describe("How many stats it changed in all."),
};

/** A node with what it and the path to it would gain, per point. */
const rankedNode = z.object({
  node: z.int().describe("Id of the node."),
  name: z.string().describe("Its name."),
  type: z.string().describe("Normal, Notable or Keystone."),
  points: z.int().describe("Points to get there, itself included."),
  gain: z.number().describe("What the stat gains with the whole path."),
  perPoint: z.number().describe("That gain for each point spent."),
  path: z.array(z.int()).describe("Nodes to allocate, itself included, ascending."),
});

/** Items, skills and configuration of a build, with the numbers that changes take. */
export const buildParts = z.object({
  items: z
    .array(
      z.object({
        slot: z.string().describe("Slot it is worn in."),
        name: z.string().describe("Its name."),
        base: z.string().describe("Its base."),
        rarity: z.string().describe("Its rarity."),
        text: z.string().describe("The item as text."),
        active: z.boolean().optional().describe("Of a flask: whether its effect counts."),
      }),
    )
    .describe("Worn items."),
  groups: z
    .array(
      z.object({
        group: z.int().describe("Number of the group."),
        label: z.string().optional().describe("The player's label."),
        slot: z.string().optional().describe("Slot it is socketed in."),
        enabled: z.boolean().describe("Whether it is switched on."),
        main: z.boolean().describe("Whether it is the main skill."),
        inFullDps: z.boolean().describe("Whether it counts in Full DPS."),
        activeSkill: z.int().optional().describe("Which of its active skills is shown."),
        gems: z
          .array(
            z.object({
              name: z.string().describe("Name of the gem."),
              level: z.int().describe("Its level."),
              quality: z.int().describe("Its quality in percent."),
              enabled: z.boolean().describe("Whether it is switched on."),
              problem: z.string().optional().describe("Why Path of Building does not use it."),
            }),
          )
          .describe("Gems in their places."),
      }),
    )
    .describe("Skill groups."),
  config: z
    .record(z.string(), z.union([z.number(), z.boolean(), z.string()]))
    .describe("Configuration options that are set."),
  sets: buildSets.optional().describe("Passive trees and sets; left out where a fork cannot say."),
  notes: z.string().optional().describe("The player's notes; left out where a fork cannot say."),
  notices: z
    .array(buildNotice)
    .describe(`Parts that Path of Building does not use as they are written; at most ${mostNotices}.`),
});

/** Candidates against each other. */
export const bestChanges = z.object({
  base: candidateRow.shape.stats.describe("The wanted stats now."),
  rows: z.array(candidateRow).describe("The best first; those that cannot be made last."),
  failed: z.int().describe("Candidates that cannot be made."),
  unknown: z.array(z.string()).describe("Wanted stats that the build lacks now, or that count but are not numbers: 0."),
  whole: z
    .boolean()
    .describe("True when each candidate was computed in whole, because what is left out otherwise changed the best."),
});

/** A build that was loaded, and what of it was not taken as it is written. */
export const loadedBuild = z.object({
  status: z.string().describe("What happened, in a sentence."),
  level: z.int().describe("Level of the character."),
  className: z.string().describe("Class as Path of Building reads it."),
  ascendancy: z.string().nullable().describe("Ascendancy, when one is chosen."),
  treeVersion: z.string().describe("Version of the passive tree."),
  nodes: z.int().describe("Nodes that are allocated."),
  warnings: z.array(z.string()).describe("What was not taken over as the build says it."),
  notices: z
    .array(buildNotice)
    .describe(`Parts of the build that Path of Building did not take as they are written; at most ${mostNotices}.`),
});

/** Nodes by what they gain. */
export const rankedNodes = z.object({
  base: z.number().describe("The stat now."),
  candidates: z.int().describe("Nodes that were tried."),
  retried: z
    .int()
    .describe("Nodes that were tried again without LuaJIT's compiler, since a copy of the process had died at them."),
  nodes: z.array(rankedNode).describe("The best, by gain for each point."),
});
