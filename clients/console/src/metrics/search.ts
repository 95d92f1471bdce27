/** What the address of the page of metrics says: minutes, order and words. What is not known is left out. Pure. */
import { type Column, columns, type Window, windows } from "./table.ts";

export interface MetricsSearch {
  readonly minutes?: Window;
  readonly sort?: Column;
  /** `up`: the least first. */
  readonly order?: "up" | "down";
  readonly words?: string;
}

export const readMetricsSearch = (search: Readonly<Record<string, unknown>>): MetricsSearch => {
  const minutes = windows.find((each) => each === Number(search.minutes));
  const sort = columns.find(({ key }) => key === search.sort)?.key;
  const order = search.order === "up" || search.order === "down" ? search.order : undefined;
  const { words } = search;
  return {
    ...(minutes !== undefined && { minutes }),
    ...(sort !== undefined && { sort }),
    ...(order !== undefined && { order }),
    ...(typeof words === "string" && words !== "" && { words }),
  };
};
