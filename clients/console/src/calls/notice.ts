/** What an event says, in words for people. Pure; texts of services come out as they are, and are shown as text. */
import type { LiveEvent } from "../api/live.ts";

const states: Readonly<Record<string, string>> = {
  Starting: "is starting",
  Ready: "is ready",
  Draining: "finishes its calls and stops",
  Backoff: "failed and will be started again",
  Failed: "failed too often and stays down",
  Stopped: "has stopped",
};

export const noticeText = ({ type, data }: LiveEvent): string => {
  if (type === "service.state") return states[String(data.state)] ?? `is ${String(data.state)}`;
  if (type === "run.state") return `run ${String(data.procedure)} is ${String(data.state)}`;
  if (type === "breaker.state") return `the breaker of ${String(data.procedure)} is ${String(data.state)}`;
  if (type === "events.dropped")
    return typeof data.count === "number"
      ? `${data.count} events were missed`
      : "some events were missed: the kernel was restarted";
  const words = Object.entries(data)
    .filter(([, value]) => typeof value !== "object")
    .map(([key, value]) => `${key} ${String(value)}`)
    .join(", ");
  return words === "" ? type : `${type}: ${words}`;
};
