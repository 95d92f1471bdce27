/** Names that a query reads of undeclared rows and that none of them has: a mistyped name gives null there, not an error. */
import { LinqError } from "../core/error.ts";
import { didYouMean } from "../core/suggest.ts";
import type { HostAccess } from "../type/host.ts";
import type { QueryRows } from "./prepared-query.ts";

/** Rows that are looked at, spread over all. */
const sampledRows = 256;

/** A sentence for each name that no row has, with what may have been meant. */
export const missingNames = (
  { list, inPlace }: QueryRows,
  reads: readonly string[],
  host: HostAccess,
): readonly string[] => {
  if (reads.length === 0 || list.length === 0) return [];
  // What is read one after the other is looked at from its beginning only.
  const step = inPlace === undefined ? 1 : Math.max(1, Math.ceil(list.length / sampledRows));
  const known = new Map<string, string>();
  let looked = 0;
  for (let index = 0; index < list.length && looked < sampledRows; index += step) {
    const row = list.at(index);
    looked++;
    if (typeof row !== "object" || row === null || !isPlain(row, host)) return [];
    const names = namesNow(row, host);
    if (names === undefined) return [];
    for (const name of names) known.set(name.toLowerCase(), name);
  }
  const who = looked === list.length ? "no row has" : `none of ${looked} rows that were looked at has`;
  return reads
    .filter((name) => !known.has(name.toLowerCase()))
    .map((name) => {
      const hint = didYouMean(name, known.values());
      return hint === undefined ? `${who} '${name}'` : `${who} '${name}'; ${hint}`;
    });
};

/** Undefined where there are too many to list them. */
const namesNow = (row: object, host: HostAccess): readonly string[] | undefined => {
  try {
    return host.fieldNames(row);
  } catch (error) {
    if (LinqError.is(error) && error.code === "pause_needed") return undefined;
    throw error;
  }
};

/** What has nothing but its own members; a map has keys, and a class may have more. */
const isPlain = (row: object, host: HostAccess): boolean =>
  host.dictionary(row) === undefined && host.listing(row) === undefined && host.findClass(row) === undefined;
