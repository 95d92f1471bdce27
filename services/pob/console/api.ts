/** The service's procedures, as its contract has them. */
import type { PobTypes } from "@fairlead/client/pob";
import { serviceApi } from "@fairlead/console/kit";

export const api = serviceApi<PobTypes>("pob");

export type BuildSummary = PobTypes["parseBuild"]["output"];
type BuildStats = PobTypes["luaGetStats"]["output"];
export type CuratedStat = BuildStats["curated"][number];
export type TreeLayout = PobTypes["luaGetLayout"]["output"];
export type LayoutNode = TreeLayout["nodes"][number];
export type LoadReport = PobTypes["luaLoadBuild"]["output"];
export type BuildParts = PobTypes["luaGetParts"]["output"];
export type BuildChanges = PobTypes["luaCalcWith"]["input"];
export type WhatIf = PobTypes["luaCalcWith"]["output"];
export type RankingItem = PobTypes["luaFollowRanking"]["output"];
export type Notice = LoadReport["notices"][number];
