/** What is new in a list of tools that an upstream has given: events for those who look after it, and lines of the log. Pure. */
import type { ToolChange } from "../tools/changes.ts";
import type { ToolOffer } from "../tools/offer.ts";
import type { Pins } from "../tools/pins.ts";

/** What happens to the tools of a connection. */
export type OfferEvent =
  | { readonly type: "ToolsAdded"; readonly name: string; readonly tools: readonly string[] }
  | {
      readonly type: "Quarantined";
      readonly name: string;
      readonly tools: readonly string[];
      readonly changes: readonly (ToolChange & { readonly tool: string })[];
    };

interface OfferNews {
  readonly message: string;
  readonly tools: readonly string[];
  readonly event: OfferEvent;
}

/** Changes in one event. */
const mostChanges = 50;
/** Names in one event. */
const mostNames = 100;

/** @param pins what was known of its tools before: of an upstream that is seen for the first time all are new, and none is news */
export const offerNews = (name: string, before: { offer: ToolOffer; pins: Pins }, offer: ToolOffer): OfferNews[] => {
  const waiting = new Set(before.offer.quarantined.map(({ found }) => found));
  const fresh = offer.quarantined.filter(({ found }) => !waiting.has(found));
  const isKnown = Object.keys(before.pins).length > 0;
  const later = Object.keys(offer.pins).filter((tool) => isKnown && !Object.hasOwn(before.pins, tool));
  const news: OfferNews[] = [];
  if (fresh.length > 0) {
    const tools = fresh.map(({ tool }) => tool);
    const changes = fresh.flatMap((each) => each.changes.map((change) => ({ tool: each.tool, ...change })));
    const event = { type: "Quarantined", name, tools, changes: changes.slice(0, mostChanges) } as const;
    news.push({ message: "tool definitions changed and are kept back", tools, event });
  }
  if (later.length > 0) {
    const event = { type: "ToolsAdded", name, tools: later.slice(0, mostNames) } as const;
    news.push({
      message: "tools that were not there when it was first connected are shown from now on",
      tools: event.tools,
      event,
    });
  }
  return news;
};
