/**
 * The Path of Building contract: reading builds needs nothing; computing them drives the user's own copy of Path of Building.
 *
 * Procedures named `lua…` need that copy and LuaJIT and are switched on with `POB_LUA_ENABLED`; the others always work. The shapes
 * are in `pob/`.
 */
import * as z from "zod";
import { defineContract, error, mutation, query } from "./core/index.ts";
import {
  bad_build,
  bad_change,
  buildList,
  buildSource,
  buildSummary,
  buildText,
  comparison,
  longWork,
  maxBuildChars,
  namedNode,
  newBuild,
  not_loaded,
  passiveTree,
  plannedNodes,
  problem,
  searchKinds,
  searchResult,
  tools,
  treePicture,
  unknown_file,
  unknown_tree,
  unsupported,
} from "./pob/build.ts";
import { drawnProcedures, notSaved, savedBuild, savedFile } from "./pob/drawn.ts";
import {
  bestChanges,
  buildNotice,
  buildParts,
  candidate,
  changes,
  curatedStat,
  curatedStatNames,
  droppedNode,
  editedStats,
  engineMeta,
  goal,
  loadedBuild,
  mostCandidates,
  newNotices,
  noticeKinds,
  sessionName,
  statChange,
  statMap,
  treeInput,
} from "./pob/engine.ts";
import { prompts, resources } from "./pob/prompts.ts";

/** Shapes for those who receive them from elsewhere. */
export {
  buildNotice as buildNoticeSchema,
  curatedStatNames,
  namedNode as namedNodeSchema,
  noticeKinds,
  searchResult as searchResultSchema,
};

const reading = { bad_build, unknown_file };
const session = { not_loaded };

const bigInput = { bytes: maxBuildChars + 65_536, string: maxBuildChars } as const;
const exampleBuild =
  '<PathOfBuilding><Build level="20" targetVersion="3_0" className="Witch" ascendClassName="None"/><Tree activeSpec="1"><Spec treeVersion="3_28" classId="3" ascendClassId="0" nodes="54447"/></Tree></PathOfBuilding>';

const statusText = z.string().describe("What happened, in a sentence.");

/** Path of Exile builds: reading them needs nothing; `lua*` procedures need the user's own Path of Building (POB_LUA_ENABLED=true). */
export const pob = defineContract({
  id: "pob",
  version: "1.0.0",
  summary: "Reads Path of Exile builds, and computes them with the user's own Path of Building.",
  procedures: {
    parseBuild: query({
      tool: tools.parseBuild,
      summary: "Reads a build from XML or a share code: class, level, main skill, items, gems, tree, stored stats.",
      description: "Needs no Path of Building. Stats are those stored in the file, not computed.",
      input: z.strictObject({ source: buildSource }),
      output: buildSummary,
      errors: reading,
      examples: [{ summary: "A small build", input: { source: { build: exampleBuild } } }],
      policy: { limits: bigInput },
    }),
    validateBuild: query({
      tool: tools.validateBuild,
      summary: "Says what is wrong with a build, before Path of Building is asked to load it.",
      input: z.strictObject({ build: buildText }),
      output: z.object({
        valid: z.boolean().describe("True when there is no error."),
        problems: z.array(problem).describe("Errors first; at most 50."),
      }),
      examples: [{ summary: "A small build", input: { build: exampleBuild } }],
      policy: { limits: bigInput },
    }),
    compareBuilds: query({
      tool: tools.compareBuilds,
      summary: "Compares two builds: class, level, skills, items, configuration and passive trees.",
      input: z.strictObject({
        a: buildSource.describe("The first build."),
        b: buildSource.describe("The second build."),
      }),
      output: comparison,
      errors: reading,
      policy: { limits: { bytes: 2 * maxBuildChars + 65_536, string: maxBuildChars } },
    }),
    convertBuild: query({
      tool: tools.convertBuild,
      summary: "Turns a share code into XML, or XML into a share code.",
      input: z.strictObject({ source: buildSource }),
      output: z.object({
        xml: z.string().describe("The build as XML."),
        code: z.string().describe("The same as a share code."),
      }),
      errors: reading,
      policy: { limits: bigInput },
    }),
    listBuilds: query({
      tool: tools.listBuilds,
      summary: "Lists the builds in the configured folder.",
      input: z.strictObject({}),
      output: buildList,
    }),
    saveBuild: mutation({
      tool: false,
      summary: "Writes a build into the configured folder, as XML.",
      input: z.strictObject({ source: buildSource, ...savedBuild }),
      output: savedFile,
      retry: "unsafe",
      access: "admin",
      hints: { destructive: true },
      errors: { ...reading, not_saved: notSaved },
      policy: { limits: bigInput },
    }),
    luaStart: mutation({
      tool: tools.luaStart,
      summary: "Starts Path of Building. Does nothing when it runs; starts it again when it had failed.",
      retry: "idempotent",
      input: z.strictObject({ session: sessionName }),
      output: statusText,
      policy: { deadlineMs: 60_000 },
    }),
    luaStop: mutation({
      tool: tools.luaStop,
      summary: "Stops Path of Building and forgets the loaded build. Does nothing when it is not running.",
      retry: "idempotent",
      input: z.strictObject({ session: sessionName }),
      output: statusText,
    }),
    luaLoadBuild: mutation({
      tool: tools.luaLoadBuild,
      summary: "Loads a build into Path of Building, from XML or a share code.",
      description: "A build that cannot be loaded leaves the one that was loaded before as it was.",
      retry: "idempotent",
      input: z.strictObject({
        session: sessionName,
        build_xml: buildText,
        name: z.string().min(1).max(200).optional().describe("Name for the build."),
      }),
      output: loadedBuild.extend({ meta: engineMeta }),
      errors: { bad_build },
      policy: { deadlineMs: 60_000, limits: bigInput },
    }),
    luaNewBuild: mutation({
      tool: tools.luaNewBuild,
      summary: "Begins an empty build of a class, in place of the loaded one.",
      retry: "idempotent",
      input: newBuild.extend({ session: sessionName }),
      output: loadedBuild.extend({ meta: engineMeta }),
      errors: { bad_build, unknown_tree, unsupported },
      policy: { deadlineMs: 60_000 },
      examples: [{ summary: "An Occultist", input: { className: "Witch", ascendancy: "Occultist", level: 90 } }],
    }),
    luaSearch: query({
      tool: tools.luaSearch,
      summary: "Finds passive nodes, gems, uniques, bases and options by words of their names or lines.",
      input: z.strictObject({
        session: sessionName,
        text: z.string().min(2).max(100).describe("Words; all must be in the name or the lines. Case does not count."),
        kinds: z
          .array(z.enum(searchKinds))
          .min(1)
          .max(5)
          .optional()
          .describe("What to search; everything when left out."),
        limit: z.int().min(1).max(200).default(20).describe("Most results, the best fits first."),
      }),
      output: z.object({
        found: z.array(searchResult).describe("Whole names first, then beginnings, names, and lines."),
        total: z.int().describe("How many there are in all."),
        meta: engineMeta,
      }),
      errors: { ...session, unsupported },
      examples: [
        { summary: "Notables and gems with minions", input: { text: "minion damage", kinds: ["node", "gem"] } },
      ],
    }),
    luaGetStats: query({
      tool: tools.luaGetStats,
      summary: "The loaded build's stats, as Path of Building computes them.",
      input: z.strictObject({
        session: sessionName,
        fields: z
          .array(z.string().min(1).max(100))
          .max(1_000)
          .optional()
          .describe("Names of the stats to give; all when left out."),
      }),
      output: z.object({
        stats: statMap,
        curated: z.array(curatedStat).describe("The most useful of them with unit and direction."),
        unknown: z.array(z.string()).describe("Requested names that this build has no stat for."),
        meta: engineMeta,
      }),
      errors: session,
      examples: [
        { summary: "Life and damage", input: { fields: ["Life", "TotalDPS"] } },
        { summary: "Everything", input: {} },
      ],
    }),
    luaGetTree: query({
      tool: tools.luaGetTree,
      summary: "The loaded build's passive tree.",
      input: z.strictObject({ session: sessionName }),
      output: passiveTree.extend({
        named: z
          .array(namedNode)
          .optional()
          .describe("Allocated nodes with names of their own; left out where a fork cannot say."),
        meta: engineMeta,
      }),
      errors: session,
    }),
    luaSetTree: mutation({
      tool: tools.luaSetTree,
      summary: "Sets class, ascendancy, nodes and masteries of the loaded build, and recalculates.",
      description:
        "Answers the tree as it is then, with the requested nodes that could not be allocated and those that came by themselves.",
      retry: "idempotent",
      input: treeInput,
      output: z.object({
        tree: passiveTree,
        dropped: z.array(droppedNode).describe("Requested nodes that are not allocated."),
        added: z
          .array(z.int())
          .describe("Nodes that are allocated though the request did not name them, like the class's start."),
        notices: newNotices,
        ...editedStats,
        meta: engineMeta,
      }),
      errors: { ...session, unknown_tree, bad_change },
      examples: [
        { summary: "A witch with three nodes", input: { classId: 3, ascendClassId: 0, nodes: [54447, 57226, 57264] } },
      ],
    }),
    luaCalcWith: query({
      tool: tools.luaCalcWith,
      summary: "What would change with other nodes, items, gems, level or configuration. Changes nothing.",
      input: changes.extend({
        fields: z
          .array(z.string().min(1).max(100))
          .max(1_000)
          .optional()
          .describe("Only these stats; all when left out. A name that is not a stat at all is refused."),
        limit: z.int().min(1).max(2_000).default(100).describe("Most stats to answer, the most important first."),
      }),
      output: z.object({
        changes: z.array(statChange).describe("Changed stats only, the most important first."),
        changed: z.int().describe("How many stats change in all."),
        unknown: z
          .array(z.string())
          .describe("Requested names that this build has no stat for, neither now nor afterwards."),
        dropped: z.array(droppedNode).describe("Requested nodes that would not be allocated."),
        notices: newNotices,
        meta: engineMeta,
      }),
      errors: { ...session, unknown_tree, bad_change, unsupported },
      examples: [{ summary: "One more node and level 21", input: { addNodes: [57264], level: 21 } }],
    }),
    luaApply: mutation({
      tool: tools.luaApply,
      summary: "Changes nodes, items, gems, level or configuration of the loaded build, and recalculates.",
      retry: "unsafe",
      input: changes,
      output: z.object({
        dropped: z.array(droppedNode).describe("Requested nodes that are not allocated."),
        added: z.array(z.int()).describe("Nodes that are allocated though the request did not name them."),
        notices: newNotices,
        ...editedStats,
        meta: engineMeta,
      }),
      errors: { ...session, unknown_tree, bad_change, unsupported },
      examples: [{ summary: "Level 21", input: { level: 21 } }],
    }),
    luaUndo: mutation({
      tool: tools.luaUndo,
      summary: "Takes the last change of the loaded build back.",
      retry: "unsafe",
      input: z.strictObject({ session: sessionName }),
      output: z.object({
        undone: z.string().describe("What was taken back."),
        left: z.int().describe("Changes that can still be taken back."),
        ...editedStats,
        meta: engineMeta,
      }),
      errors: {
        ...session,
        nothing_to_undo: error({
          code: "failed_precondition",
          when: "the build is as it was loaded",
          hint: "nothing needs to be done",
        }),
      },
      policy: { deadlineMs: 60_000 },
    }),
    luaGetParts: query({
      tool: tools.luaGetParts,
      summary: "Items, skills and configuration of the loaded build, with the numbers that luaApply takes.",
      input: z.strictObject({ session: sessionName }),
      output: buildParts.extend({ meta: engineMeta }),
      errors: { ...session, unsupported },
    }),
    luaDrawTree: query({
      tool: tools.luaDrawTree,
      summary: "Draws the loaded build's passive tree as SVG, or how another build's tree differs from it.",
      description:
        "Places come from the user's own copy of Path of Building. Nodes that exist only in another tree version are left out.",
      input: z.strictObject({ session: sessionName, against: buildSource.optional() }),
      output: treePicture.extend({ meta: engineMeta }),
      errors: { ...session, ...reading, unsupported },
    }),
    luaExport: query({
      tool: tools.luaExport,
      summary: "The loaded build with its changes, as XML and as a share code.",
      input: z.strictObject({ session: sessionName }),
      output: z.object({
        xml: z.string().describe("The build as Path of Building saves it."),
        code: z.string().describe("The same as a share code."),
        meta: engineMeta,
      }),
      errors: { ...session, unsupported },
    }),
    luaFindBest: query({
      tool: tools.luaFindBest,
      summary: "Which of many items, gems, anoints or other changes is best for the loaded build. Changes nothing.",
      description: `${longWork.description} A candidate that cannot be made is a row with its reason.`,
      input: z.strictObject({
        session: sessionName,
        candidates: z
          .array(candidate)
          .min(1)
          .max(mostCandidates)
          .optional()
          .describe("Changes to compare, each by itself: any that luaApply takes."),
        points: z
          .int()
          .min(1)
          .max(20)
          .optional()
          .describe(
            "Instead of candidates: plan passive nodes for so many points, with the paths to them. It adds ordinary nodes only.",
          ),
        seconds: z.int().min(1).max(100).default(60).describe("Time for a plan; then the best so far is the answer."),
        ...goal,
        show: z
          .array(z.string().min(1).max(100))
          .max(30)
          .optional()
          .describe("More stats to answer for each candidate. Fewer are faster."),
        limit: z.int().min(1).max(mostCandidates).default(50).describe("Most rows to answer, the best first."),
        workers: z.int().min(1).max(8).default(2).describe("Processes to use."),
      }),
      output: bestChanges.extend({ plan: plannedNodes.optional().describe("With `points`."), meta: engineMeta }),
      errors: { ...session, unsupported },
      policy: { deadlineMs: 120_000, limits: { bytes: 4_194_304 } },
      run: {},
      examples: [
        {
          summary: "Two levels and an anoint, for damage with enough life",
          input: {
            candidates: [{ label: "level 21", level: 21 }, { anoints: [{ slot: "Amulet", node: "Whispers of Doom" }] }],
            goal: { CombinedDPS: 0.7, TotalEHP: 0.3 },
            atLeast: { Life: 4500 },
          },
        },
      ],
    }),
    ...drawnProcedures,
  },
  prompts,
  resources,
});
