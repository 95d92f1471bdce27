/** The service's procedures, as its contract has them. */
import type { LoopTypes } from "@fairlead/client/loop";
import { serviceApi } from "@fairlead/console/kit";

export const api = serviceApi<LoopTypes>("loop");

export type RunEntry = LoopTypes["listRuns"]["output"]["runs"][number];
export type RunSnapshot = LoopTypes["viewRun"]["output"];
export type Ticket = RunSnapshot["tickets"][number];
export type LogPage = LoopTypes["showRun"]["output"];
export type SessionLine = LogPage["events"][number];
export type RunFile = LoopTypes["listRunFiles"]["output"]["files"][number];
export type SessionStatus = LoopTypes["sessionStatus"]["output"];
export type SessionPhase = RunSnapshot["phase"];
