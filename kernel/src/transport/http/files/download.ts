/**
 * Sends the file of a download: all of it, the part that was asked for (RFC 9110, section 14), or that the client has it already. A part is written when the
 * reader has taken the one before.
 *
 * Not here: which file it is (the handler).
 */
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { ByteRange, ByteSource } from "../../../call/call.ts";
import { StreamWriter } from "../../../server/response/stream.ts";
import { fileName } from "./multipart.ts";

/** How the file is to be sent. */
type Plan =
  | { readonly status: 200 }
  | { readonly status: 206; readonly range: ByteRange }
  | { readonly status: 304 }
  | { readonly status: 416 };

/**
 * Resolves when all was written or the client is gone. Rejects where the file could not be read; the response is cut off then. A file whose client is gone
 * already is not opened.
 */
export const sendDownload = async (response: ServerResponse, file: ByteSource): Promise<void> => {
  if (response.destroyed) return;
  try {
    await send(response, file);
  } catch (cause) {
    response.destroy();
    throw cause;
  }
};

const send = async (response: ServerResponse, file: ByteSource): Promise<void> => {
  const plan = planDownload(response.req.headers, file);
  const size = plan.status === 206 ? plan.range.end - plan.range.start + 1 : file.size;
  response.writeHead(plan.status, {
    ...commonHeaders(file),
    ...(plan.status === 206 && { "content-range": `bytes ${plan.range.start}-${plan.range.end}/${file.size}` }),
    ...(plan.status === 416 && { "content-range": `bytes */${file.size}`, "content-length": 0 }),
    ...(plan.status < 300 && size !== undefined && { "content-length": size }),
  });
  if (plan.status >= 300) return void response.end();
  await write(response, file.open(plan.status === 206 ? plan.range : undefined), size);
};

/** A page that a file is shown as would be one of this server: it is stored, not shown, and runs nothing. */
const commonHeaders = ({ type, name, size, etag }: ByteSource): Record<string, string> => ({
  "content-type": type,
  "content-disposition": disposition(name),
  "cache-control": etag === undefined ? "no-store" : "private, no-cache",
  "x-content-type-options": "nosniff",
  "content-security-policy": "sandbox; default-src 'none'",
  ...(size !== undefined && { "accept-ranges": "bytes" }),
  ...(etag !== undefined && { etag: `"${etag}"` }),
});

/** RFC 6266: the name in UTF-8, and for old readers in what ASCII has of it. */
const disposition = (sent: string | undefined): string => {
  const name = fileName(sent);
  if (name === undefined) return "attachment";
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
};

/** What a request with these headers is answered with. One range at a time: of several, the whole file is the answer. */
const planDownload = (headers: IncomingHttpHeaders, { size, etag }: ByteSource): Plan => {
  const known = headers["if-none-match"];
  if (etag !== undefined && known !== undefined && (known.trim() === "*" || listsTag(known, etag)))
    return { status: 304 };
  const { range } = headers;
  if (range === undefined || size === undefined) return { status: 200 };
  const condition = headers["if-range"];
  if (condition !== undefined && (etag === undefined || condition !== `"${etag}"`)) return { status: 200 };
  return planRange(range, size);
};

const listsTag = (header: string, etag: string): boolean =>
  header.split(",").some((each) => each.trim().replace(/^W\//, "") === `"${etag}"`);

const planRange = (header: string, size: number): Plan => {
  const [, from = "", to = ""] = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/.exec(header) ?? [];
  if (from === "" && to === "") return { status: 200 };
  const [first, last] = [Number(from), Number(to)];
  if (from === "") return last === 0 || size === 0 ? { status: 416 } : part(Math.max(0, size - last), size - 1);
  if (to !== "" && last < first) return { status: 200 };
  return first >= size ? { status: 416 } : part(first, to === "" ? size - 1 : Math.min(last, size - 1));
};

const part = (start: number, end: number): Plan => ({ status: 206, range: { start, end } });

/** Writes so many bytes, or all. A source that ends too early, or goes on, is not what it said: the reader must not take that for the file. */
const write = async (
  response: ServerResponse,
  bytes: AsyncIterable<Uint8Array>,
  size: number | undefined,
): Promise<void> => {
  const iterator = bytes[Symbol.asyncIterator]();
  const closed = Promise.withResolvers<void>();
  response.once("close", closed.resolve);
  try {
    // A source may wait for bytes that never come: who is gone does not wait with it.
    await Promise.race([writeAll(new StreamWriter(response), iterator, size), closed.promise]);
  } finally {
    response.off("close", closed.resolve);
    void leave(iterator);
  }
};

/** Not waited for, whatever it does: its reader is gone. */
const leave = async (iterator: AsyncIterator<Uint8Array>): Promise<void> => {
  try {
    await iterator.return?.();
  } catch {
    // What it says of its end is for no reader.
  }
};

const writeAll = async (
  writer: StreamWriter,
  bytes: AsyncIterator<Uint8Array>,
  size: number | undefined,
): Promise<void> => {
  let left = size;
  for (let next = await bytes.next(); next.done !== true; next = await bytes.next()) {
    if (writer.isGone) return;
    if (left !== undefined) left -= next.value.length;
    if (left !== undefined && left < 0)
      throw new Error(`the file has more than the ${size} bytes that it was said to have`);
    await writer.write(next.value);
  }
  if (writer.isGone) return;
  if (left !== undefined && left > 0) throw new Error(`the file has ${left} bytes less than it was said to have`);
  writer.end();
};
