/** A verb's view of a value, for those who show it: a terminal, a page. */
export type { VerbView } from "../verb.ts";
export type { ChartRow } from "./chart.ts";
export { layOut, type ViewBlock } from "./layout.ts";
export { fractionText, largestRatio, partsFilled, percentText } from "./ratio.ts";
export { allHold, fillInput, isMissing, itemsAt, itemsOutside, type Scope, valueAt } from "./scope.ts";
export { fillText, showValue } from "./text.ts";
