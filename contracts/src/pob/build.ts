/**
 * Shapes of a Path of Building build as its XML says it, without any calculation: what the XML-only procedures answer; and how tool lists show the procedures of `pob`,
 * which is not a file of its own, since each start would load it.
 */
import * as z from "zod";

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
    fields: { session: "" },
  },
  luaLoadBuild: {
    name: "lua_load_build",
    title: "Load build",
    description: "Loads a Path of Exile build to compute it",
    fields: { session: "", build_xml: "XML or share code", name: "" },
    listed: "core",
  },
  luaGetStats: {
    name: "lua_get_stats",
    title: "Stats of build",
    description: "Stats of the loaded Path of Exile build",
    fields: { session: "", fields: "Names, like Life" },
    listed: "core",
  },
  luaGetTree: {
    name: "lua_get_tree",
    title: "Passive tree of build",
    description: "Passive tree of the loaded build",
    fields: { session: "" },
  },
  luaSetTree: {
    name: "lua_set_tree",
    title: "Set passive tree",
    description: "Sets the loaded build's passive tree",
    fields: {
      session: "",
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
      session: "",
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
    fields: { session: "", addNodes: "", removeNodes: "", level: "", items: "", gems: "", config: "" },
  },
  luaUndo: { name: "lua_undo", title: "Undo change of build", fields: { session: "" } },
  luaGetParts: {
    name: "lua_get_parts",
    title: "Parts of build",
    description: "Items, gems and configuration of the loaded build",
    fields: { session: "" },
  },
  luaDrawTree: { name: "lua_draw_tree", title: "Draw passive tree", listed: "full" },
  luaExport: { name: "lua_export", title: "Export build", fields: { session: "" } },
  luaFindBest: {
    name: "lua_find_best",
    title: "Find best change",
    description: "Ranks items, gems, anoints, nodes or other changes of the loaded build",
    fields: { session: "", candidates: "As in lua_calc_with", goal: "{stat: weight}", atLeast: "" },
  },
  luaRankNodes: {
    name: "lua_rank_nodes",
    title: "Rank passive nodes",
    description: "Passive nodes near the loaded build's that gain most of a stat",
    fields: { session: "", stat: "Like CombinedDPS", maxPoints: "", limit: "" },
    listed: "full",
  },
} as const;
