/**
 * Share codes: XML, compressed with zlib, in base64 with `-` and `_`. Codes of every age are read, with and without padding;
 * what they unpack to is capped while it is unpacked. Not here: what the XML says.
 */
import { deflateSync, inflateSync } from "node:zlib";
import { maxBuildChars } from "./limits.ts";

type DecodedBuild = { readonly ok: true; readonly xml: string } | { readonly ok: false; readonly why: string };

const strict = new TextDecoder("utf-8", { fatal: true });

/** The share code of a build's XML, as Path of Building writes it. */
export const encodeShareCode = (xml: string): string =>
  deflateSync(Buffer.from(xml), { level: 9 }).toString("base64url");

export const decodeShareCode = (code: string): DecodedBuild => {
  const text = code
    .trim()
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/(?<!=)=+$/, "");
  if (!/^[A-Za-z0-9_-]+$/.test(text)) return decodeFailure("it has characters that no share code has");
  try {
    const bytes = inflateSync(Buffer.from(text, "base64url"), { maxOutputLength: maxBuildChars });
    return { ok: true, xml: strict.decode(bytes) };
  } catch (error) {
    if (error instanceof RangeError) return decodeFailure(`it unpacks to more than ${maxBuildChars} bytes`);
    return decodeFailure(
      error instanceof TypeError
        ? "what it unpacks to is not text"
        : "it is not compressed as share codes are, or is cut off",
    );
  }
};

/** XML from XML, from a share code, or from a text with a share code in it: broken into lines, quoted, or at the end of a link. */
export const decodeBuildText = (text: string): DecodedBuild => {
  const trimmed = text.trimStart();
  if (trimmed.startsWith("<") || trimmed.startsWith("\ufeff<"))
    return { ok: true, xml: trimmed.replace(/^\ufeff/, "") };
  const joined = joinLines(trimmed);
  if (/^[A-Za-z0-9+/_-]+={0,2}$/.test(joined)) return decodeShareCode(joined);
  const inside = findCode(trimmed);
  if (inside !== undefined) return decodeShareCode(inside);
  const host = /https?:\/\/([\w.-]{1,100})/.exec(trimmed)?.[1];
  return host === undefined ? decodeShareCode(trimmed) : decodeFailure(explainLink(host));
};

/** What mail, chats and terminals put between the lines of a code. */
const joinLines = (text: string): string => text.replace(/[\s>|`"'\u200b]/g, "");

/** The longest run of a code's letters that begins as codes do; shorter ones are words and names. */
const findCode = (text: string): string | undefined => {
  const runs = text.split(/[^A-Za-z0-9+_-]+/).filter((run) => /^e[NJ]/.test(run) && run.length >= leastCode);
  return runs.toSorted((a, b) => b.length - a.length)[0];
};

const leastCode = 60;

const explainLink = (host: string): string =>
  `that is a link to ${host}, and nothing is fetched from there; open it, copy the code that it shows, and give that`;

const decodeFailure = (why: string): DecodedBuild => ({ ok: false, why });
