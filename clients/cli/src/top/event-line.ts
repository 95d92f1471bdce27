/** An event of the kernel as a line for `fairlead top`: what changed, and calls that failed. Pure. */
import type { KernelTypes } from "@fairlead/client/kernel";
import { plain } from "./screen.ts";

type ShownEvent = KernelTypes["events"]["output"];

const most = 200;

/** `undefined` for what is not shown. */
export const eventLine = (event: ShownEvent): string | undefined => {
  const text = eventText(event);
  if (text === undefined) return undefined;
  return plain(`${event.at.slice(11, 19)}  ${event.service}  ${text}`, most);
};

/** Types that are asked for. */
export const shownTypes = ["service.state", "child.state", "run.state", "breaker.state", "call", "events.dropped"];

const eventText = ({ type, data }: ShownEvent): string | undefined => {
  switch (type) {
    case "service.state":
      return `is ${String(data.state)}`;
    case "child.state":
      return `${String(data.child)} is ${String(data.state)}`;
    case "run.state":
      return `run of ${String(data.procedure)} is ${String(data.state)}`;
    case "breaker.state":
      return `breaker of ${String(data.procedure)} is ${String(data.state)}`;
    case "events.dropped":
      return typeof data.count === "number" ? `${data.count} events were missed` : "events were missed";
    case "call":
      return data.outcome === "ok" || data.outcome === "canceled"
        ? undefined
        : `${String(data.procedure)} failed: ${String(data.outcome)}${data.reason === undefined ? "" : ` (${String(data.reason)})`}`;
    default:
      return undefined;
  }
};
