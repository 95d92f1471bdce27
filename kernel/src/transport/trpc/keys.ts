/**
 * Idempotency keys of a tRPC request. A key belongs to one operation: in a batch they come as a list, one place for each operation, in
 * the header `fairlead-idempotency-keys` (percent-encoded, separated by commas, empty where an operation has none).
 *
 * A plain `idempotency-key` header, which is all that tRPC's own links know, is the key of the only keyed operation there is; where
 * there are more, each has a key made of it and of its place, so that sending the same batch again repeats none of them.
 */
import { createHash } from "node:crypto";
import type { WireError } from "@fairlead/contracts";
import { isIdempotencyKey, keyShape } from "../../call/call.ts";
import type { GuardedRequest } from "../../server/mount.ts";
import type { CatalogEntry } from "../transport.ts";

/** The key of each operation, by its place. */
type OperationKeys = readonly (string | undefined)[];

const listHeader = "fairlead-idempotency-keys";

/** The keys of the operations of a request, or why they cannot be read. */
export const readKeys = (
  { incoming, idempotencyKey }: GuardedRequest,
  called: readonly (CatalogEntry | undefined)[],
): OperationKeys | WireError => {
  const list = incoming.headers[listHeader];
  if (list !== undefined) return parseList(String(list), called.length);
  if (idempotencyKey === undefined) return [];
  const keyed = called.filter((entry) => entry?.procedure.retry === "keyed").length;
  if (keyed === 0) return called.map(() => idempotencyKey);
  return called.map((entry, at) => {
    if (entry?.procedure.retry !== "keyed") return undefined;
    return keyed > 1 ? keyAt(idempotencyKey, at) : idempotencyKey;
  });
};

const parseList = (list: string, count: number): OperationKeys | WireError => {
  const keys = list.split(",").map((part) => decode(part.trim()));
  return keys.length === count && keys.every((key) => key === "" || isIdempotencyKey(key))
    ? keys.map((key) => (key === "" ? undefined : key))
    : malformed(count);
};

/** What is not a percent-encoding is not a key, either. */
const decode = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return " ";
  }
};

/** Of the batch's key and a place; as short as a key has to be, however long that key is. */
const keyAt = (key: string, at: number): string => {
  const whole = `${key}.${at}`;
  return isIdempotencyKey(whole) ? whole : `${createHash("sha256").update(key).digest("hex")}.${at}`;
};

const malformed = (count: number): WireError => ({
  code: "invalid_argument",
  message: `the header ${listHeader} is not a list of keys for ${count} operations`,
  hint: "send one place for each operation, separated by commas, empty where there is no key",
  issues: [
    { path: listHeader, expected: `${count} keys, each ${keyShape}, percent-encoded`, fix: "send a UUID for each" },
  ],
  retryable: false,
});
