/** The service's procedures, as its contract has them. */
import type { RulesTypes } from "@fairlead/client/rules";
import { serviceApi } from "@fairlead/console/kit";

export const api = serviceApi<RulesTypes>("rules");

export type Edition = "5.1" | "5.2";
export type Odds = RulesTypes["odds"]["output"];
export type OddsQuestion = RulesTypes["odds"]["input"]["question"];
export type Game = RulesTypes["odds"]["input"]["game"];
export type Result = RulesTypes["attack"]["output"];
export type CreatureByValue = RulesTypes["creatures"]["output"]["creatures"][number];
export type CreatureSource = RulesTypes["creatures"]["input"]["of"][number];
export type Encounter = RulesTypes["encounterState"]["output"];
export type EncounterCreature = Encounter["creatures"][number];
export type Classification = RulesTypes["playerRoll"]["output"];
export type RollingQuestion = RulesTypes["replay"]["input"]["question"];
