/** States and events of connections in words for people. Pure. Texts of upstreams come out as they are, and are shown as text. */
import { duration, type Tone } from "@fairlead/console/kit";
import type { ConnectionEvent, ConnectionStatus } from "./api.ts";

export const tones: Readonly<Record<ConnectionStatus["state"], Tone>> = {
  connected: "good",
  connecting: "accent",
  reconnecting: "warn",
  blocked: "bad",
};

export const signs: Readonly<Record<ConnectionStatus["state"], string>> = {
  connected: "●",
  connecting: "○",
  reconnecting: "▲",
  blocked: "✕",
};

const steps: Readonly<Record<string, string>> = {
  connect: "opening a socket",
  start: "starting its program",
  install: "installing its program",
  handshake: "agreeing on a protocol",
  tools: "listing its tools",
};

export const stepText = (step: string): string => steps[step] ?? step;

/** What it does about its state; `now` in milliseconds since the epoch. */
export const actualText = (
  { state, progress, attempt, nextRetry, tools, server }: ConnectionStatus,
  now: number,
): string => {
  if (state === "connected") return `connected to ${server ?? "it"}, ${count(tools, "tool")}`;
  const begun = attempt === 0 ? "" : `attempt ${attempt + 1}, `;
  if (progress !== null)
    return `${begun}${stepText(progress.step)} for ${duration(Math.max(0, now - Date.parse(progress.since)))}`;
  if (nextRetry === null) return state === "blocked" ? "blocked until somebody acts" : `${begun}not begun yet`;
  const left = Math.max(0, Date.parse(nextRetry) - now);
  const next = left < 1_000 ? "next try now" : `next try in ${duration(left)}`;
  return `${count(attempt, "failure")} in a row, ${next}`;
};

export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;

const names = (tools: readonly string[]): string =>
  tools.length <= 3 ? tools.join(", ") : `${tools.slice(0, 3).join(", ")} and ${tools.length - 3} more`;

/** How much it matters. */
export const eventTone = ({ type }: ConnectionEvent): Tone => {
  if (type === "Connected" || type === "Approved") return "good";
  if (type === "Reconnecting" || type === "Quarantined" || type === "Drifted" || type === "Dropped") return "warn";
  return type === "Blocked" ? "bad" : "plain";
};

export const eventTitle = ({ type }: ConnectionEvent): string =>
  ({
    Connecting: "Connecting",
    Connected: "Connected",
    Reconnecting: "Retrying",
    Blocked: "Blocked",
    ToolsRefreshed: "Tools listed",
    Quarantined: "Kept back",
    ToolsAdded: "New tools",
    Approved: "Approved",
    Drifted: "Differs",
    Removed: "Removed",
    Snapshot: "Snapshot",
    Dropped: "Missed",
  })[type];

export const eventText = (event: ConnectionEvent): string => {
  switch (event.type) {
    case "Connecting":
      return `to ${event.endpoint}`;
    case "Connected":
      return `with ${count(event.tools, "tool")}`;
    case "Reconnecting":
      return `${event.error}; attempt ${event.attempt + 1} in ${duration(event.delayMs)}`;
    case "Blocked":
      return event.error;
    case "ToolsRefreshed":
      return `it offers ${count(event.tools, "tool")} now`;
    case "Quarantined":
      return `what ${names(event.tools)} ${event.tools.length === 1 ? "says" : "say"} has changed`;
    case "ToolsAdded":
      return names(event.tools);
    case "Approved":
      return names(event.tools);
    case "Drifted":
      return `from what ${event.importer} was made of`;
    case "Removed":
      return "it is gone";
    case "Snapshot":
      return count(event.connections.length, "connection");
    case "Dropped":
      return event.count === null ? "events of before the kernel's restart" : count(event.count, "event");
  }
};

/** The connection that an event is about; `undefined` for one that is about all. */
export const eventName = (event: ConnectionEvent): string | undefined => ("name" in event ? event.name : undefined);
