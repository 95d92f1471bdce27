/**
 * Ids of JSON-RPC messages: how long one may be, since every answer repeats it, and the id of a message that cannot be parsed as a
 * whole, so that its refusal reaches the request that waits for it. On stdio nothing else identifies the request that failed.
 */
import type { RequestId } from "@modelcontextprotocol/server";

/** Bytes of JSON. */
const longestId = 256;
const idMember = /"id"\s*:\s*(?:(-?\d{1,16})|"((?:[^"\\]|\\.){0,256})")\s*[,}]/y;

/** Why the ids of a message, or of a batch, cannot be answered; `undefined` when they can. */
export const idProblem = (value: unknown): string | undefined =>
  (Array.isArray(value) ? value : [value]).some(hasLongId)
    ? `A request id must not be longer than ${longestId} bytes`
    : undefined;

const hasLongId = (message: unknown): boolean =>
  typeof message === "object" &&
  message !== null &&
  "id" in message &&
  typeof message.id === "string" &&
  isLong(message.id);

const isLong = (id: string): boolean =>
  id.length > longestId || Buffer.byteLength(JSON.stringify(id)) > longestId + '""'.length;

/** The `id` member of the outermost object; `null` when there is none that can be read. Linear, and never throws. */
export const idIn = (text: string): RequestId | null => {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x7b || code === 0x5b) depth += 1;
    else if (code === 0x7d || code === 0x5d) depth -= 1;
    else if (code === 0x22) {
      const id = depth === 1 ? memberAt(text, at) : undefined;
      if (id !== undefined) return id;
      at = closingQuote(text, at);
      if (at === -1) return null;
    }
  }
  return null;
};

const memberAt = (text: string, at: number): RequestId | undefined => {
  idMember.lastIndex = at;
  const [, number, string] = idMember.exec(text) ?? [];
  if (number !== undefined) return Number(number);
  return string === undefined || string.includes("\\") || isLong(string) ? undefined : string;
};

const closingQuote = (text: string, open: number): number => {
  for (let at = open + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x5c) at += 1;
    else if (code === 0x22) return at;
  }
  return -1;
};
