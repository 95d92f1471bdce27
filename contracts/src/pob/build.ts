/**
 * Shapes of a Path of Building build as its XML says it, without any calculation: what the XML-only procedures answer; and how tool lists show the procedures of `pob`,
 * which is not a file of its own, since each start would load it.
 */
import * as z from "zod";
import { error } from "../core/error.ts";

/** Longest build that is read: 8 MiB of XML. */
export const maxBuildChars = 8 * 1024 * 1024;

const nodeId = z.int().min(0).max(2_147_483_647);

/** A build as text: XML, or a share code; at most `maxBuildChars` characters. */
export const buildText = z
  .string()
  .min(1)
  .max(maxBuildChars)
  .describe("The build: Path of Building's XML, or a share code as its export gives it.");

/** Where a build comes from: sent along, or a file of the configured folder. */
export const buildSource = z
  .union([
    z.strictObject({ build: buildText }).describe("The build itself."),
    z
      .strictObject({ file: z.string().min(1).max(300).describe("Name of a build as `listBuilds` gives it.") })
      .describe("A file in the folder of builds."),
  ])
  .describe("The build itself, or a file of the configured folder.");

const gem = z.object({
  name: z.string().describe("Name of the gem."),
  level: z.int().describe("Level of the gem."),
  quality: z.int().describe("Quality in percent."),
  enabled: z.boolean().describe("Whether it is switched on."),
});

/** One socket group with its gems. */
const skillGroup = z.object({
  label: z.string().describe("The player's own label; empty when there is none."),
  slot: z.string().nullable().describe("Slot of the item it is socketed in."),
  enabled: z.boolean().describe("Whether the group is switched on."),
  gems: z.array(gem).describe("Gems in their order."),
});

/** One item, worn or only in the list. */
const buildItem = z.object({
  slot: z.string().nullable().describe("Slot it is worn in; null when it only lies in the list."),
  rarity: z.string().describe("NORMAL, MAGIC, RARE, UNIQUE or RELIC."),
  name: z.string().describe("Its name, or its base where it has none."),
});

/** The active passive tree; node ids in ascending order. */
export const passiveTree = z
  .object({
    treeVersion: z.string().describe("Version of the passive tree, like `3_28`."),
    classId: z.int().describe("Id of the class in that tree."),
    ascendClassId: z.int().describe("Id of the ascendancy within the class; 0 for none."),
    secondaryAscendClassId: z.int().describe("Id of the second ascendancy; 0 for none."),
    nodes: z.array(nodeId).describe("Allocated nodes, ascending."),
    masteryEffects: z
      .record(z.string().regex(/^\d+$/, "the id of a node, in digits"), z.int())
      .describe("Chosen effect of each allocated mastery: node id to effect id."),
  })
  .describe("A passive tree.");

/** What the XML says, without computing anything. */
export const buildSummary = z.object({
  level: z.int().describe("Level of the character."),
  className: z.string().describe("Class."),
  ascendancy: z.string().nullable().describe("Ascendancy, when one is chosen."),
  mainSkill: z.string().nullable().describe("Name of the main skill's first active gem."),
  tree: passiveTree.nullable().describe("The active passive tree; null when the build has none."),
  skills: z.array(skillGroup).describe("Skill groups of the active set."),
  items: z.array(buildItem).describe("Items of the active set, worn ones first."),
  notes: z.string().describe("The player's notes, at most 2,000 characters."),
  storedStats: z
    .record(z.string(), z.number())
    .describe("Numbers stored in the file when it was last saved. Stored, not computed: they may be out of date."),
});

/** One problem of a build, and what fixes it. */
export const problem = z.object({
  severity: z.enum(["error", "warning"]).describe("An error keeps Path of Building from loading it."),
  where: z.string().describe("Part of the build."),
  message: z.string().describe("What is wrong."),
  fix: z.string().describe("How to fix it."),
});

const change = z.object({
  what: z.string().describe("What differs, like `level` or `items: Weapon 1`."),
  a: z.string().nullable().describe("In the first build; null when it is absent there."),
  b: z.string().nullable().describe("In the second build; null when it is absent there."),
});

/** How two builds differ, as text and as data. */
export const comparison = z.object({
  text: z.string().describe("The differences in words, for reading."),
  changes: z.array(change).describe("All differences but the tree's."),
  tree: z
    .object({
      onlyA: z.array(nodeId).describe("Nodes only the first build has."),
      onlyB: z.array(nodeId).describe("Nodes only the second build has."),
      both: z.int().describe("How many nodes both have."),
    })
    .describe("How the passive trees differ."),
});

const slotName = z.string().min(1).max(60);
const title = z.string().min(1).max(100);

/** Changes of a build's trees and sets, of its groups of skills, its flasks and its notes. */
export const partChanges = {
  sets: z
    .array(
      z.strictObject({
        of: z.enum(["tree", "items", "skills"]).describe("Passive trees, sets of items, or sets of skills."),
        do: z
          .enum(["select", "new", "copy", "rename", "remove"])
          .describe("A new one and a copy are selected, so that the rest of the change is made to them."),
        set: z
          .union([z.int().min(1).max(500), title])
          .optional()
          .describe("Which one: its number, or its title. Not with `new`."),
        title: title.optional().describe("Title of a new one, a copy or a renamed one."),
      }),
    )
    .max(10)
    .optional()
    .describe("Trees and sets to select, make, copy, rename or remove, before everything else."),
  groups: z
    .array(
      z.strictObject({
        group: z.int().min(1).max(200).optional().describe("Number of the skill group; a new one when left out."),
        label: z.string().max(100).optional().describe("Your label."),
        slot: z.string().max(60).optional().describe("Slot of the item it is socketed in; empty for none."),
        enabled: z.boolean().optional().describe("Whether it is switched on."),
        inFullDps: z.boolean().optional().describe("Whether it counts in Full DPS."),
        activeSkill: z.int().min(1).max(50).optional().describe("Which of its active skills is shown, from 1."),
        part: z.int().min(1).max(50).optional().describe("Which part of that skill is shown, from 1."),
        remove: z.boolean().optional().describe("Take the group out."),
      }),
    )
    .max(30)
    .optional()
    .describe("Skill groups to make, change or remove, before gems."),
  flasks: z
    .array(
      z.strictObject({
        slot: slotName.describe("Slot, like `Flask 1`."),
        active: z.boolean().describe("Whether its effect counts."),
      }),
    )
    .max(10)
    .optional()
    .describe("Flasks to switch on or off."),
  notes: z.string().max(100_000).optional().describe("The player's notes, in place of those there are."),
};

/** The sets of a build of one kind, in their order. */
const setList = z.array(
  z.object({
    set: z.int().describe("Its number."),
    title: z.string().describe("Its title."),
    active: z.boolean().describe("Whether it is the one that counts."),
  }),
);

/** Trees and sets of a build. */
export const buildSets = z.object({
  tree: setList.describe("Passive trees."),
  items: setList.describe("Sets of items."),
  skills: setList.describe("Sets of skills."),
});

/** What can be searched. */
export const searchKinds = ["node", "gem", "unique", "base", "option"] as const;

/** What a search found. */
export const searchResult = z.object({
  kind: z.enum(searchKinds).describe("What it is."),
  id: z.int().optional().describe("Id of a node."),
  name: z.string().describe("Its name, as changes take it."),
  type: z.string().optional().describe("Like Notable, Support, the base of a unique, or the type of an option."),
  lines: z.array(z.string()).describe("Its lines, at most 30; of an option its label and its values."),
  allocated: z.boolean().optional().describe("Whether a node is allocated."),
  points: z.int().optional().describe("Points to get to a node that is not."),
});

/** A node of the tree that has a name of its own. */
export const namedNode = z.object({
  node: z.int().describe("Id of the node."),
  name: z.string().describe("Its name."),
  type: z.string().describe("Notable, Keystone, Mastery or Socket."),
  ascendancy: z.string().optional().describe("The ascendancy it belongs to."),
  lines: z.array(z.string()).describe("What it does; of a mastery its chosen effect."),
});

/** A picture of a tree. */
export const treePicture = z.object({
  svg: z.string().describe("The picture: kept nodes grey, nodes to gain green, nodes to lose red."),
  drawn: z.int().describe("Nodes in the picture."),
  leftOut: z.array(z.int()).describe("Nodes without a place in the loaded tree."),
});

/** The builds of the folder. */
export const buildList = z.object({
  folder: z.string().nullable().describe("The folder; null when none is configured."),
  builds: z
    .array(
      z.object({
        file: z.string().describe("Name to give to the other procedures."),
        bytes: z.int().describe("Size of the file."),
        modified: z.iso.datetime().describe("When it was last changed; UTC."),
      }),
    )
    .describe("At most 1,000, newest first."),
});

/** A text that is not a build. */
export const bad_build = error({
  code: "invalid_argument",
  when: "the text is neither a build's XML nor a share code of one, or Path of Building refuses it",
  data: z.object({ problems: z.array(z.string()).describe("What is wrong, at most ten.") }),
  hint: "export the build again; validate_build says what is wrong with it",
});

/** A file that is not in the folder. */
export const unknown_file = error({
  code: "not_found",
  when: "the folder of builds has no such file, or none is configured",
  data: z.object({ known: z.array(z.string()).describe("Builds there are; at most 40.") }),
  hint: "call list_builds; set POB_BUILDS_PATH to the folder",
});

/** A session without a build. */
export const not_loaded = error({
  code: "failed_precondition",
  when: "no build is loaded",
  hint: "call lua_load_build first",
});

/** A tree, class or ascendancy that there is not. */
export const unknown_tree = error({
  code: "invalid_argument",
  when: "the tree version, the class or an ascendancy does not exist in this copy of Path of Building",
  hint: "call lua_get_tree for what the loaded build has",
});

/** A change that does not fit. */
export const bad_change = error({
  code: "invalid_argument",
  when: "a slot, item, gem, group, option or mastery of a change does not exist or does not fit",
  hint: "the message says which; nothing was changed",
});

/** What a driver cannot do. */
export const unsupported = error({
  code: "unimplemented",
  when: "this way of driving Path of Building cannot do it",
  hint: "set POB_DRIVER=shim: Fairlead's own shim drives the same checkout and can do it",
});

/** The head of an empty build. */
export const newBuild = z.strictObject({
  className: z.string().min(1).max(40).describe("Class, like Witch."),
  ascendancy: z.string().min(1).max(40).optional().describe("Ascendancy; none when left out."),
  level: z.int().min(1).max(100).default(1).describe("Level of the character."),
  treeVersion: z.string().max(40).optional().describe("Version of the passive tree; the newest when left out."),
  name: z.string().min(1).max(200).optional().describe("Name for the build."),
});

/** Passive nodes that were planned. */
export const plannedNodes = z.object({
  nodes: z
    .array(namedNode.omit({ ascendancy: true }))
    .describe("Nodes to allocate, in an order in which each connects; none when no node is worth a point."),
  score: z.number().describe("How much better the build is with all of them, by the goal."),
  lacking: z.number().describe("How far it is below `atLeast`, in proportion and summed up; 0 when it has all."),
  stats: z
    .record(z.string(), z.union([z.number(), z.string()]).nullable())
    .describe("The wanted stats with all of them."),
  tried: z.int().describe("Sets of nodes that were computed."),
  exact: z
    .boolean()
    .describe("True when every set of nodes within these points was computed, so that no other plan is better."),
  complete: z.boolean().describe("False when the time was up: it is the best so far."),
});

/** How tool lists show the procedures of `pob`: in the words, and with the fields, that a model needs to choose and to call them. */
export const tools = {
  parseBuild: {
    name: "parse_build",
    description:
      "Reads a Path of Exile build from XML or a share code: class, level, skills, items, tree, stored stats",
    fields: { source: "{build: XML or code} or {file: name}" },
    listed: "core",
  },
  validateBuild: { name: "validate_build", listed: "full" },
  compareBuilds: { name: "compare_builds", listed: "full" },
  convertBuild: { name: "convert_build", listed: "full" },
  listBuilds: { name: "list_builds", description: "Lists the Path of Exile builds in the folder" },
  luaStart: {
    name: "lua_start",
    title: "Start Path of Building",
    description: "Starts Path of Building",
    fields: {},
  },
  luaStop: {
    name: "lua_stop",
    title: "Stop Path of Building",
    description: "Stops Path of Building; the build is gone",
    fields: {},
  },
  luaLoadBuild: {
    name: "lua_load_build",
    title: "Load build",
    description: "Loads a Path of Exile build to compute it",
    fields: { session: "Name; all lua_ tools take it", build_xml: "XML or share code", name: "" },
    listed: "core",
  },
  luaNewBuild: { name: "lua_new_build", title: "New build", listed: "full" },
  luaSearch: {
    name: "lua_search",
    title: "Search game data",
    description: "Finds nodes, gems, items, options for builds",
    fields: { text: "Words" },
  },
  luaGetStats: {
    name: "lua_get_stats",
    title: "Stats of build",
    description: "Stats of the loaded Path of Exile build",
    fields: { fields: "Names, like Life" },
    listed: "core",
  },
  luaGetTree: {
    name: "lua_get_tree",
    title: "Passive tree of build",
    description: "Passive tree of the loaded build",
    fields: {},
  },
  luaSetTree: {
    name: "lua_set_tree",
    title: "Set passive tree",
    description: "Sets the loaded build's passive tree",
    fields: {
      classId: "",
      ascendClassId: "",
      nodes: "All node ids",
      masteryEffects: "{node: effect}",
    },
  },
  luaCalcWith: {
    name: "lua_calc_with",
    title: "Calculate build with changes",
    description: "What the loaded build's stats would be with changes",
    fields: {
      addNodes: "Node ids",
      removeNodes: "",
      level: "",
      items: "[{slot, text?}]; also anoints: [{slot, node}]",
      gems: "[{group, gem, name?, level?, quality?, enabled?, remove?}]",
      config: "",
      fields: "Stats to give",
    },
  },
  luaApply: {
    name: "lua_apply",
    title: "Change build",
    description: "Changes the loaded build; fields as in lua_calc_with",
    fields: { addNodes: "", removeNodes: "", level: "", items: "", gems: "", config: "" },
  },
  luaUndo: { name: "lua_undo", title: "Undo change of build", fields: {} },
  luaGetParts: {
    name: "lua_get_parts",
    title: "Parts of build",
    description: "Items, gems and configuration of the loaded build",
    fields: {},
  },
  luaDrawTree: { name: "lua_draw_tree", title: "Draw passive tree", listed: "full" },
  luaExport: { name: "lua_export", title: "Export build", fields: {} },
  luaFindBest: {
    name: "lua_find_best",
    title: "Find best change",
    description: "Ranks items, gems, anoints, nodes or other changes of the loaded build",
    fields: { candidates: "As in lua_calc_with", points: "Or plan nodes", goal: "{stat: weight}" },
  },
  luaRankNodes: {
    name: "lua_rank_nodes",
    title: "Rank passive nodes",
    description: "Passive nodes near the loaded build's that gain most of a stat",
    fields: { stat: "Like CombinedDPS", maxPoints: "", limit: "" },
    listed: "full",
  },
} as const;
/** Of what compares many changes in copies of the process. */
export const longWork = {
  description: "Reports progress. Runs in copies of the process side by side; the answer does not depend on how many.",
  policy: { deadlineMs: 120_000 },
  run: {},
} as const;
