/** Reads an OpenAPI document from a file or an address, as JSON or YAML. */
import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { UsageError } from "../command/failure.ts";

/** Bytes of a document that are read. */
const mostBytes = 64 * 1_048_576;
const fetchMs = 60_000;

/** What is parsed of it, unchecked. A file is named from `folder`. */
export const readApiDocument = async (source: string, folder: string): Promise<unknown> => {
  const text = /^https?:\/\//.test(source) ? await fetchText(source) : await readText(resolve(folder, source));
  const isJson = text.trimStart().startsWith("{");
  try {
    if (isJson) return JSON.parse(text);
    const { parse } = await import("yaml");
    // A document may name the same thing at thousands of places.
    return parse(text, { maxAliasCount: 10_000 });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.split("\n")[0] : String(cause);
    throw new UsageError(`${source} is not ${isJson ? "JSON" : "YAML"}: ${why}`, "give an OpenAPI document", { cause });
  }
};

const readText = async (path: string): Promise<string> => {
  try {
    refuseLarge(path, (await stat(path)).size);
    return await readFile(path, "utf8");
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw new UsageError(`${path} cannot be read`, "give the path of an OpenAPI document, or its address", { cause });
  }
};

const fetchText = async (url: string): Promise<string> => {
  const response = await fetch(url, { signal: AbortSignal.timeout(fetchMs) }).catch((cause: unknown) => {
    throw new UsageError(`${url} gives no answer`, "correct the address, or give the path of a file", { cause });
  });
  if (!response.ok) throw new UsageError(`${url} answers with status ${response.status}`, "correct the address");
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.byteLength;
    refuseLarge(url, bytes);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
};

const refuseLarge = (source: string, bytes: number): void => {
  if (bytes > mostBytes)
    throw new UsageError(`${source} is over ${mostBytes / 1_048_576} MB`, "give a smaller document");
};
