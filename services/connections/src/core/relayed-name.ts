/**
 * The name under which an upstream's tool is shown: `<connection>__<tool>`, at most 64 characters of `[A-Za-z0-9_-]`. Pure.
 *
 * The same pair always gets the same name, and no two pairs share one. A pair that does not fit as it is (too long, odd characters,
 * underscores that would make the seam ambiguous, a tail that looks like ours) keeps a readable beginning and gets eight characters of
 * its hash, 40 bits: at 100,000 such tools with one beginning, a clash has odds of about one in 200.
 */
import { createHash } from "node:crypto";

const longest = 64;
const hashLength = 8;
const seam = "__";

/** Parts that leave the seam where it is: no underscore at either end, none doubled. */
const plainConnection = /^[A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*$/;
const plainTool = /^[A-Za-z0-9_-]+$/;
const looksHashed = /_[a-z2-7]{8}$/;

export const relayedName = (connection: string, tool: string): string => {
  const plain = `${connection}${seam}${tool}`;
  const fits = plain.length <= longest && plainConnection.test(connection) && plainTool.test(tool);
  if (fits && !looksHashed.test(plain)) return plain;
  const readable = `${safe(connection)}${seam}${safe(tool)}`.slice(0, longest - hashLength - 1);
  return `${readable}_${hashOf(connection, tool)}`;
};

const safe = (part: string): string => part.slice(0, longest).replace(/[^A-Za-z0-9_-]/g, "_");

const alphabet = "abcdefghijklmnopqrstuvwxyz234567";

/** 40 bits as eight characters that every client takes. JSON keeps the two parts apart, and lone surrogates too. */
const hashOf = (connection: string, tool: string): string => {
  const digest = createHash("sha256")
    .update(JSON.stringify([connection, tool]))
    .digest();
  let bits = 0n;
  for (const byte of digest.subarray(0, 5)) bits = (bits << 8n) | BigInt(byte);
  let text = "";
  for (let at = 0; at < hashLength; at += 1) {
    text = `${alphabet[Number(bits & 31n)]}${text}`;
    bits >>= 5n;
  }
  return text;
};
