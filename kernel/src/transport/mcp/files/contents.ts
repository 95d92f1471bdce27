/**
 * A file as the contents of a resource: its text, or its bytes as base64. All of it is in memory at once, so it has a bound, and so have all that are read at
 * the same time.
 *
 * Not here: which file it is (`resources.ts`).
 */
import type { ByteSource } from "../../../call/call.ts";
import { failure } from "../../../call/error.ts";

/** Bytes of one file. */
const largestResource = 8 * 1_048_576;
/** Bytes of all files that are read at once. */
const mostHeld = 4 * largestResource;

/** What the readers of one transport have in memory. */
export interface FileMemory {
  bytes: number;
}

type FileContents =
  | { readonly uri: string; readonly mimeType: string; readonly text: string }
  | { readonly uri: string; readonly mimeType: string; readonly blob: string };

interface Reading {
  readonly uri: string;
  readonly held: FileMemory;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** Rejects with a `FairleadError` for a file that is too large, and with what its source throws. */
export const readContents = async (source: ByteSource, { uri, held, signal }: Reading): Promise<FileContents> => {
  const reserved = Math.min(source.size ?? largestResource, largestResource);
  if (source.size !== undefined && source.size > largestResource) throw tooLarge();
  if (held.bytes + reserved > mostHeld)
    throw failure("resource_exhausted", "too many files are read at once", { hint: "read it again in a moment" });
  held.bytes += reserved;
  try {
    const bytes = await collect(source, signal);
    const text = isText(source.type) ? decode(bytes) : undefined;
    return text === undefined
      ? { uri, mimeType: source.type, blob: bytes.toString("base64") }
      : { uri, mimeType: source.type, text };
  } finally {
    held.bytes -= reserved;
  }
};

const collect = async (source: ByteSource, signal: AbortSignal): Promise<Buffer> => {
  signal.throwIfAborted();
  const iterator = source.open()[Symbol.asyncIterator]();
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => undefined);
  const end = (): void => ended.reject(signal.reason);
  signal.addEventListener("abort", end, { once: true });
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      // A source may wait for bytes that never come.
      const next = await Promise.race([iterator.next(), ended.promise]);
      if (next.done === true) break;
      size += next.value.length;
      if (size > largestResource) throw tooLarge();
      parts.push(next.value);
    }
  } finally {
    signal.removeEventListener("abort", end);
    void leave(iterator);
  }
  if (source.size !== undefined && size !== source.size)
    throw new Error(`the file has ${size} bytes, and was said to have ${source.size}`);
  return Buffer.concat(parts);
};

/** Not waited for, whatever it does: nothing of it is wanted any more. */
const leave = async (iterator: AsyncIterator<Uint8Array>): Promise<void> => {
  try {
    await iterator.return?.();
  } catch {
    // What it says of its end is for no reader.
  }
};

const isText = (type: string): boolean => /^(?:text\/|application\/(?:json|xml)\b)/i.test(type);

/** Nothing where it is not UTF-8: then its bytes are sent. */
const decode = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

const tooLarge = () =>
  failure("resource_exhausted", `the file has more than the ${largestResource} bytes that MCP carries at once`, {
    hint: "a person gets it with `fairlead call` and `--out`",
  });
