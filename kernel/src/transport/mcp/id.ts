/**
 * The id of a JSON-RPC message that cannot be parsed as a whole, so that its refusal reaches the request that waits for it: on
 * stdio nothing else tells a client which of its requests failed.
 */
import type { RequestId } from "@modelcontextprotocol/server";

const longestId = 256;
const idMember = /"id"\s*:\s*(?:(-?\d{1,16})|"((?:[^"\\]|\\.){0,256})")\s*[,}]/y;

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
  return string === undefined || string.length > longestId || string.includes("\\") ? undefined : string;
};

const closingQuote = (text: string, open: number): number => {
  for (let at = open + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x5c) at += 1;
    else if (code === 0x22) return at;
  }
  return -1;
};
