/** What `docs/contracts.md` says of each construct's check, and whether more random values say anything else. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { compare } from "./construct-check.ts";
import { constructs } from "./constructs.ts";

const words = (verdict: string): readonly string[] =>
  verdict.split(", ").filter((word) => !["", "agrees"].includes(word));

/** The verdicts of the table by construct, as the first and the last cell of each row have them. */
const table = new Map(
  readFileSync(join(import.meta.dirname, "../../docs/contracts.md"), "utf8")
    .split("\n")
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|")))
    .map((cells) => [cells.at(1)?.slice(1, -1) ?? "", cells.at(-2) ?? ""]),
);

/** What is found on so many random values for each construct, and the table does not say. */
export const findUndocumented = (seed: number, count: number): readonly string[] =>
  Object.values(constructs)
    .flat()
    .flatMap((source, index) => {
      const known = words(table.get(source) ?? "no row");
      const fresh = words(compare(source, { seed: seed + index, count })).filter((word) => !known.includes(word));
      return fresh.map((word) => `${source}: ${word}`);
    });
