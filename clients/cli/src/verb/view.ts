/** A verb's view of a value, as text for people. Pure. */
import type { VerbView } from "@fairlead/contracts";
import { layOut, type Scope, type ViewBlock } from "@fairlead/contracts/view";
import { table } from "../terminal/table.ts";
import { printBars } from "./chart.ts";

/** The text; `undefined` where there is nothing to show, which leaves no line. */
export const renderView = (scope: Scope, view: VerbView): string | undefined => {
  const block = layOut(scope, view);
  return block === undefined ? undefined : printBlock(block);
};

const printBlock = (block: ViewBlock): string => {
  if (block.kind === "text") return block.text;
  if (block.kind === "group") return block.blocks.map(printBlock).join(block.between);
  if (block.kind === "fields") return table(block.rows);
  if (block.kind === "bars") return printBars(block.rows);
  return table(block.heads.length === 0 ? block.rows : [block.heads, ...block.rows]);
};
