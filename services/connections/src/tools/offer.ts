/**
 * What one upstream offers us at the moment: its list, checked by our rules and pins. Pure.
 */
import { checkPins, type PinCheck, type Pins, type QuarantinedTool } from "./pins.ts";
import {
  isAllowed,
  isUnusable,
  parseDefinitions,
  type ToolContext,
  toShownTool,
  type UnusableTool,
  type UpstreamTool,
} from "./tool-list.ts";

export interface ToolOffer {
  /** What is shown and can be called. */
  readonly tools: readonly UpstreamTool[];
  readonly quarantined: readonly QuarantinedTool[];
  /** What the upstream offers and our rules do not want; its names. */
  readonly filtered: readonly string[];
  /** What cannot be shown, and why. */
  readonly unusable: readonly UnusableTool[];
  readonly pins: Pins;
  /** All that it offers, kept back or not, as it is or would be shown. */
  readonly all: readonly UpstreamTool[];
  /** How many the upstream has offered, shown or not. */
  readonly offered: number;
}

export const emptyOffer: ToolOffer = {
  tools: [],
  quarantined: [],
  filtered: [],
  unusable: [],
  pins: {},
  all: [],
  offered: 0,
};

/** @param showing `most`: tools that are taken of the list, 1,000 when left out */
export const createOffer = (
  showing: ToolContext & { readonly most?: number | undefined },
  pins: Pins,
  list: readonly unknown[],
): ToolOffer => {
  const { definitions, unusable } = parseDefinitions(list, showing.most);
  const allowed = definitions.filter(({ name }) => isAllowed(name, showing.rules));
  const checked: PinCheck = checkPins(pins, allowed);
  const named = [
    ...(showing.rules.allow ?? []).map((name) => ({ name, rule: "allow" })),
    ...(["rename", "describe", "annotate", "policy"] as const).flatMap((rule) =>
      Object.keys(showing.rules[rule] ?? {}).map((name) => ({ name, rule })),
    ),
  ];
  const offered = new Set(definitions.map(({ name }) => name));
  const missing = named
    .filter(({ name }) => !offered.has(name))
    .map(({ name, rule }) => ({ name, why: `\`tools.${rule}\` names it, and the upstream has no such tool` }));
  const results = checked.approved.map((definition) => toShownTool(showing, definition));
  const { tools, duplicates } = dropDuplicates(results.filter(isShown));
  const kept = checked.quarantined.map(({ definition }) => toShownTool(showing, definition));
  return {
    tools,
    all: [...tools, ...kept.filter(isShown)],
    quarantined: checked.quarantined,
    filtered: definitions.flatMap(({ name }) => (isAllowed(name, showing.rules) ? [] : [name])),
    unusable: [...unusable, ...results.filter(isUnusable), ...duplicates, ...missing],
    pins: checked.pins,
    offered: list.length,
  };
};

/** Of two tools that our rules show under one name, the first keeps it. */
const dropDuplicates = (
  all: readonly UpstreamTool[],
): { readonly tools: readonly UpstreamTool[]; readonly duplicates: readonly UnusableTool[] } => {
  const owners = new Map<string, string>();
  const duplicates: UnusableTool[] = [];
  const tools = all.filter(({ name, shown }) => {
    const owner = owners.get(shown.name);
    if (owner === undefined) owners.set(shown.name, name);
    else duplicates.push({ name, why: `${owner} is shown as ${shown.name} already` });
    return owner === undefined;
  });
  return { tools, duplicates: duplicates };
};

const isShown = (result: UpstreamTool | UnusableTool): result is UpstreamTool => !isUnusable(result);
