/**
 * What one upstream offers us at the moment: its list, judged by our rules and pins. Pure.
 */
import { type Judged, judge, type Pins, type Quarantined } from "./pins.ts";
import {
  definitionsOf,
  isAllowed,
  isLeft,
  type Left,
  type Showing,
  shownTool,
  type UpstreamTool,
} from "./tool-list.ts";

export interface Offer {
  /** What is shown and can be called. */
  readonly tools: readonly UpstreamTool[];
  readonly quarantined: readonly Quarantined[];
  /** What the upstream offers and our rules do not want; its names. */
  readonly filtered: readonly string[];
  /** What cannot be shown, and why. */
  readonly left: readonly Left[];
  readonly pins: Pins;
  /** All that it offers, kept back or not, as it is or would be shown. */
  readonly present: readonly UpstreamTool[];
}

export const nothing: Offer = { tools: [], quarantined: [], filtered: [], left: [], pins: {}, present: [] };

export const offerOf = (showing: Showing, pins: Pins, list: readonly unknown[]): Offer => {
  const { definitions, left } = definitionsOf(list);
  const wanted = definitions.filter(({ name }) => isAllowed(name, showing.rules));
  const judged: Judged = judge(pins, wanted);
  const named = [
    ...(showing.rules.allow ?? []).map((name) => ({ name, rule: "allow" })),
    ...Object.keys(showing.rules.rename ?? {}).map((name) => ({ name, rule: "rename" })),
  ];
  const offered = new Set(definitions.map(({ name }) => name));
  const missing = named
    .filter(({ name }) => !offered.has(name))
    .map(({ name, rule }) => ({ name, why: `\`tools.${rule}\` names it, and the upstream has no such tool` }));
  const results = judged.approved.map((definition) => shownTool(showing, definition));
  const { tools, doubled } = once(results.filter(isShown));
  const kept = judged.quarantined.map(({ definition }) => shownTool(showing, definition));
  return {
    tools,
    present: [...tools, ...kept.filter(isShown)],
    quarantined: judged.quarantined,
    filtered: definitions.flatMap(({ name }) => (isAllowed(name, showing.rules) ? [] : [name])),
    left: [...left, ...results.filter(isLeft), ...doubled, ...missing],
    pins: judged.pins,
  };
};

/** Of two tools that our rules show under one name, the first keeps it. */
const once = (
  all: readonly UpstreamTool[],
): { readonly tools: readonly UpstreamTool[]; readonly doubled: readonly Left[] } => {
  const owners = new Map<string, string>();
  const doubled: Left[] = [];
  const tools = all.filter(({ name, shown }) => {
    const owner = owners.get(shown.name);
    if (owner === undefined) owners.set(shown.name, name);
    else doubled.push({ name, why: `${owner} is shown as ${shown.name} already` });
    return owner === undefined;
  });
  return { tools, doubled };
};

const isShown = (result: UpstreamTool | Left): result is UpstreamTool => !isLeft(result);
