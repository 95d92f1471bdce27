/** How tool lists show the procedures of `pob`: in the words, and with the fields, that a model needs to choose and to call them. */
import type { ToolView } from "../core/index.ts";

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
  luaStart: { name: "lua_start", description: "Starts Path of Building", fields: { session: "" } },
  luaStop: { name: "lua_stop", description: "Stops Path of Building; the build is gone", fields: { session: "" } },
  luaLoadBuild: {
    name: "lua_load_build",
    description: "Loads a Path of Exile build to compute it",
    fields: { session: "", build_xml: "XML or share code", name: "" },
    listed: "core",
  },
  luaGetStats: {
    name: "lua_get_stats",
    description: "Stats of the loaded Path of Exile build",
    fields: { session: "", fields: "Names, like Life" },
    listed: "core",
  },
  luaGetTree: { name: "lua_get_tree", description: "Passive tree of the loaded build", fields: { session: "" } },
  luaSetTree: {
    name: "lua_set_tree",
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
    description: "What the loaded build's stats would be with these changes",
    fields: {
      session: "",
      addNodes: "Node ids",
      removeNodes: "",
      level: "",
      items: "[{slot, text?}]",
      gems: "[{group, gem, name?, level?, quality?, enabled?, remove?}]",
      config: "",
      fields: "Stats to give",
    },
  },
  luaApply: {
    name: "lua_apply",
    description: "Changes the loaded build",
    fields: {
      session: "",
      addNodes: "",
      removeNodes: "",
      level: "",
      items: "[{slot, text?}]",
      gems: "As in lua_calc_with",
      config: "",
    },
  },
  luaUndo: { name: "lua_undo", fields: { session: "" } },
  luaGetParts: {
    name: "lua_get_parts",
    description: "Items, gems and configuration of the loaded build",
    fields: { session: "" },
  },
  luaDrawTree: { name: "lua_draw_tree", listed: "full" },
  luaExport: { name: "lua_export", fields: { session: "" } },
  luaRankNodes: {
    name: "lua_rank_nodes",
    description: "Passive nodes near the loaded build's that gain most of a stat",
    fields: { session: "", stat: "Like CombinedDPS", maxPoints: "", limit: "" },
  },
} as const satisfies Readonly<Record<string, ToolView>>;
