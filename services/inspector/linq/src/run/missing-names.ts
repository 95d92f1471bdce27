/** Names that a query reads of undeclared rows and that none of them has: a mistyped name gives null there, not an error. */
import { didYouMean } from "../core/suggest.ts";
import type { HostAccess } from "../type/host.ts";

/** Rows that are looked at, spread over all. */
const sampledRows = 256;

/** A sentence for each name that no row has, with what may have been meant. */
export const missingNames = (
  rows: readonly unknown[],
  reads: readonly string[],
  host: HostAccess,
): readonly string[] => {
  if (reads.length === 0 || rows.length === 0) return [];
  const step = Math.max(1, Math.ceil(rows.length / sampledRows));
  const known = new Map<string, string>();
  for (let index = 0; index < rows.length; index += step) {
    const row = rows[index];
    if (typeof row !== "object" || row === null || !isPlain(row, host)) return [];
    for (const name of host.fieldNames(row)) known.set(name.toLowerCase(), name);
  }
  const who = step === 1 ? "no row has" : `none of ${Math.ceil(rows.length / step)} rows that were looked at has`;
  return reads
    .filter((name) => !known.has(name.toLowerCase()))
    .map((name) => {
      const hint = didYouMean(name, known.values());
      return hint === undefined ? `${who} '${name}'` : `${who} '${name}'; ${hint}`;
    });
};

/** What has nothing but its own members; a map has keys, and a class may have more. */
const isPlain = (row: object, host: HostAccess): boolean =>
  host.dictionary(row) === undefined && host.listing(row) === undefined && host.findClass(row) === undefined;
