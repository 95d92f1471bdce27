/** The service's procedures, as its contract has them. */
import type { ConnectionsTypes } from "@fairlead/client/connections";
import { serviceApi } from "@fairlead/console/kit";

export const api = serviceApi<ConnectionsTypes>("connections");

export type ConnectionStatus = ConnectionsTypes["list"]["output"][number];
export type NumberedEvent = ConnectionsTypes["events"]["output"];
export type ConnectionEvent = NumberedEvent["event"];
export type QuarantinedTool = ConnectionsTypes["quarantine"]["output"]["tools"][number];
export type Plan = ConnectionsTypes["plan"]["output"];
