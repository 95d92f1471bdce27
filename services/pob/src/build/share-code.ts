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

/** XML from XML or from a share code. */
export const decodeBuildText = (text: string): DecodedBuild => {
  const trimmed = text.trimStart();
  return trimmed.startsWith("<") || trimmed.startsWith("\ufeff<")
    ? { ok: true, xml: trimmed.replace(/^\ufeff/, "") }
    : decodeShareCode(trimmed);
};

const decodeFailure = (why: string): DecodedBuild => ({ ok: false, why });
