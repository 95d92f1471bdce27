/**
 * What one upstream offers us at the moment: its list, judged by our rules and pins. Pure.
 */
import { type Judged, judge, type Pins, type Quarantined } from "./pins.ts";
import type { ToolRules } from "./target.ts";
import { definitionsOf, isAllowed, isLeft, type Left, shownTool, type UpstreamTool } from "./tool-list.ts";

export interface Offer {
  /** What is shown and can be called. */
  readonly tools: readonly UpstreamTool[];
  readonly quarantined: readonly Quarantined[];
  /** What is not shown, and why. */
  readonly left: readonly Left[];
  readonly pins: Pins;
  /** All that it offers, kept back or not, as it is or would be shown. */
  readonly present: readonly UpstreamTool[];
}

export const nothing: Offer = { tools: [], quarantined: [], left: [], pins: {}, present: [] };

export interface Asker {
  readonly connection: string;
  readonly rules: ToolRules;
  readonly pins: Pins;
}

export const offerOf = ({ connection, rules, pins }: Asker, list: readonly unknown[]): Offer => {
  const { definitions, left } = definitionsOf(list);
  const judged: Judged = judge(
    pins,
    definitions.filter(({ name }) => isAllowed(name, rules)),
  );
  const results = judged.approved.map((definition) => shownTool(connection, rules, definition));
  const tools = results.filter(isShown);
  const kept = judged.quarantined.map(({ definition }) => shownTool(connection, rules, definition));
  return {
    tools,
    present: [...tools, ...kept.filter(isShown)],
    quarantined: judged.quarantined,
    left: [...left, ...results.filter(isLeft)],
    pins: judged.pins,
  };
};

const isShown = (result: UpstreamTool | Left): result is UpstreamTool => !isLeft(result);
