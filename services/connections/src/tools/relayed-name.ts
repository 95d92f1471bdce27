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
/** Between a connection's name and its tool's. */
export const nameSeparator = "__";

/** Parts that leave the seam where it is: no underscore at either end, none doubled. */
const plainConnection = /^[A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*$/;
const plainTool = /^[A-Za-z0-9_-]+$/;
/** Our hashes have a digit, so that no word of eight letters looks like one. */
const looksHashed = /_(?=[a-z]*[2-7])[a-z2-7]{8}$/;

export const relayedName = (connection: string, tool: string): string => {
  const plain = `${connection}${nameSeparator}${tool}`;
  const fits = plain.length <= longest && plainConnection.test(connection) && plainTool.test(tool);
  if (fits && !looksHashed.test(plain)) return plain;
  const readable = `${safe(connection)}${nameSeparator}${safe(tool)}`.slice(0, longest - hashLength - 1);
  return `${readable}_${hashName(connection, tool)}`;
};

/** What the names of all tools of a connection begin with. Connections whose names differ in odd characters alone may share it. */
export const relayedPrefix = (connection: string): string => `${safe(connection)}${nameSeparator}`;

const safe = (part: string): string => part.slice(0, longest).replace(/[^A-Za-z0-9_-]/g, "_");

const alphabet = "abcdefghijklmnopqrstuvwxyz234567";

/** 40 bits as eight characters that every client takes; again until there is a digit. JSON keeps the parts apart. */
const hashName = (connection: string, tool: string): string => {
  for (let round = 0; ; round += 1) {
    const digest = createHash("sha256")
      .update(JSON.stringify([connection, tool, round]))
      .digest();
    const text = base32(digest.subarray(0, 5));
    if (/[2-7]/.test(text)) return text;
  }
};

const base32 = (bytes: Uint8Array): string => {
  let bits = 0n;
  for (const byte of bytes) bits = (bits << 8n) | BigInt(byte);
  const places = Array.from({ length: hashLength }, (_, at) => BigInt(5 * (hashLength - 1 - at)));
  return places.map((place) => alphabet[Number((bits >> place) & 31n)]).join("");
};
