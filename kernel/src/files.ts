/**
 * Files of services: one that was uploaded, saved whole or not at all, and one on the disk as what a download gives; see `docs/files.md`.
 *
 * Not here: how files are sent and received (the transports).
 */
import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { basename } from "node:path";
import type { ByteSource, ByteStream } from "./call/call.ts";

export type { ByteRange, ByteSource, ByteStream } from "./call/call.ts";

/**
 * Writes an upload to a path of the service's choice and resolves with its bytes. Nothing is at the path before all of it has come and is on the disk; a file
 * that was there is replaced. Rejects, and leaves nothing behind, where the sender hangs up or the call ends.
 */
export const saveFile = async (file: ByteStream, path: string): Promise<number> => {
  const unfinished = `${path}.${randomUUID()}.part`;
  try {
    const size = await writeParts(file, unfinished);
    await rename(unfinished, path);
    return size;
  } catch (cause) {
    await rm(unfinished, { force: true });
    throw cause;
  }
};

const writeParts = async (file: ByteStream, path: string): Promise<number> => {
  await using handle = await open(path, "wx");
  let size = 0;
  for await (const part of file) {
    for (let at = 0; at < part.length; ) at += (await handle.write(part, at)).bytesWritten;
    size += part.length;
  }
  await handle.sync();
  return size;
};

interface FileDescription {
  /** Media type, like `image/png`. Default: `application/octet-stream`. */
  readonly type?: string;
  /** The name that it is sent with. Default: that of the path. */
  readonly name?: string;
}

/**
 * A file on the disk as what a download gives. Its tag changes with its size and the time it was written. Rejects with Node's error where there is no such
 * file.
 */
export const openFile = async (
  path: string,
  { type = "application/octet-stream", name = basename(path) }: FileDescription = {},
): Promise<ByteSource> => {
  const found = await stat(path, { bigint: true });
  if (!found.isFile()) throw new Error(`${path} is not a file`);
  return {
    type,
    name,
    size: Number(found.size),
    etag: `${found.size.toString(36)}-${found.mtimeNs.toString(36)}`,
    open: (range) => createReadStream(path, range),
  };
};
