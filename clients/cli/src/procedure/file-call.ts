/**
 * Calls that take or give a file: `--file` is sent, `--out` is written, and a terminal sees how far it is. `-` is stdin or stdout.
 *
 * A file appears at its path when all of it has come. Not here: calls without files (`run-call.ts`).
 */
import { randomUUID } from "node:crypto";
import { openAsBlob } from "node:fs";
import { lstat, open, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, extname, join, resolve, sep } from "node:path";
import {
  type CallOptions,
  createClient,
  type DownloadedFile,
  type ProcedureDescriptor,
  type Transport,
  type UploadFile,
} from "@fairlead/client";
import { type Context, text } from "../command/context.ts";
import { UsageError } from "../command/failure.ts";

interface FileCall {
  readonly transport: Transport;
  readonly descriptor: ProcedureDescriptor;
  readonly input: unknown;
  readonly flags: Readonly<Record<string, unknown>>;
}

interface AnyUpload {
  readonly run: {
    readonly upload: true;
    readonly input: unknown;
    readonly output: unknown;
    readonly errors: Record<never, never>;
  };
}

interface AnyDownload {
  readonly run: Omit<AnyUpload["run"], "upload"> & { readonly download: true };
}

/** Sends `--file`, and prints the output. */
export const uploadFile = async (
  context: Context,
  { transport, descriptor, input, flags }: FileCall,
): Promise<void> => {
  const path = text(flags.file);
  if (path === undefined) throw new UsageError(`${descriptor.name} takes a file`, "give --file <path>, or - for stdin");
  const procedures = { run: { ...descriptor, kind: "mutation", upload: true } } as const;
  const client = createClient<AnyUpload>({ id: "cli", procedures }, transport);
  const output = await client.run(input, await readFile(context, path, text(flags.mediaType)), callOptions(context));
  const isPretty = context.io.tty.out && !context.json;
  context.io.out(JSON.stringify(output ?? null, undefined, isPretty ? 2 : undefined));
};

/** Writes the file to `--out`. */
export const downloadFile = async (
  context: Context,
  { transport, descriptor, input, flags }: FileCall,
): Promise<void> => {
  const out = text(flags.out);
  if (out === undefined) throw new UsageError(`${descriptor.name} gives a file`, "give --out <path>, or - for stdout");
  const { bytes } = context.io;
  if (out === "-" && bytes === undefined) throw new UsageError("there is no stdout for bytes here", "give a path");
  await requirePlace(context, out);
  const procedures = { run: { ...descriptor, kind: "query", download: true } } as const;
  const client = createClient<AnyDownload>({ id: "cli", procedures }, transport);
  const file = await client.run(input, callOptions(context));
  if (out === "-") return copy(context, file, (part) => bytes?.write(part));
  const path = await targetPath(resolve(context.cwd, out), file);
  await save(context, file, path);
  context.say(`wrote ${path}`);
};

/** A path that ends as a folder's is not a file's, and a folder that is missing may be a slip: neither is made. Before the call, since it may cost something. */
const requirePlace = async (context: Context, out: string): Promise<void> => {
  if (out === "-") return;
  const path = resolve(context.cwd, out);
  const folder = out.endsWith("/") || out.endsWith(sep) ? path : dirname(path);
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new UsageError(`there is no folder ${folder}`, `make it with \`mkdir -p ${folder}\``);
};

const callOptions = ({ io, timeoutMs }: Context): CallOptions => ({
  signal: io.signal,
  ...(timeoutMs !== undefined && { timeoutMs }),
});

const readFile = async (context: Context, given: string, type: string | undefined): Promise<UploadFile> => {
  const { io } = context;
  if (given === "-") {
    if (io.bytes === undefined) throw new UsageError("there is no stdin for bytes here", "give a path");
    return { stream: ReadableStream.from(io.bytes.read()), ...(type !== undefined && { type }) };
  }
  const path = resolve(context.cwd, given);
  const found = await stat(path).catch((cause: unknown) => {
    throw new UsageError(`the file ${path} cannot be read`, "correct the path after --file", { cause });
  });
  if (!found.isFile()) throw new UsageError(`${path} is not a file`, "correct the path after --file");
  const name = basename(path);
  const file = new File([await openAsBlob(path)], name, { type: type ?? mediaType(name) });
  if (!isShown(context)) return file;
  // One that is counted as it goes is sent once.
  return { stream: counted(context, file), type: file.type, name };
};

const counted = (context: Context, file: File): ReadableStream<Uint8Array> => {
  const show = progressLine(context, file.size);
  return file.stream().pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(part, controller) {
        show(part.length);
        controller.enqueue(part);
      },
    }),
  );
};

/** In a folder, under the name that it was sent with: never a hidden file, and over none that is there, since the server chose the name. */
const targetPath = async (path: string, { name }: DownloadedFile): Promise<string> => {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) return path;
  let own = basename((name ?? "").replaceAll("\\", "/"));
  while (own.startsWith(".")) own = own.slice(1);
  if (own === "") throw new UsageError("the file was sent without a name", `give a path for it in ${path}`);
  const target = join(path, own);
  const isThere = await lstat(target).then(
    () => true,
    () => false,
  );
  if (isThere) throw new UsageError(`${target} is there already`, "give the path of a file after --out to replace it");
  return target;
};

const save = async (context: Context, file: DownloadedFile, path: string): Promise<void> => {
  const unfinished = `${path}.${randomUUID()}.part`;
  try {
    const handle = await open(unfinished, "wx");
    try {
      await copy(context, file, async (part) => {
        for (let at = 0; at < part.length; ) at += (await handle.write(part, at)).bytesWritten;
      });
    } finally {
      await handle.close();
    }
    await rename(unfinished, path);
  } catch (cause) {
    await rm(unfinished, { force: true });
    throw cause;
  }
};

const copy = async (
  context: Context,
  { stream, size }: DownloadedFile,
  write: (part: Uint8Array) => Promise<void> | undefined,
): Promise<void> => {
  const show = isShown(context) ? progressLine(context, size) : () => undefined;
  for await (const part of stream) {
    await write(part);
    show(part.length);
  }
};

const isShown = ({ io, json }: Context): boolean => io.tty.err && !json;

const everyMs = 200;

/** One line on the terminal, drawn over itself. */
const progressLine = (context: Context, size: number | undefined): ((bytes: number) => void) => {
  let done = 0;
  let drawnAt = Number.NEGATIVE_INFINITY;
  return (bytes) => {
    done += bytes;
    const now = performance.now();
    if (now - drawnAt < everyMs && done !== size) return;
    const isFirst = drawnAt === Number.NEGATIVE_INFINITY;
    drawnAt = now;
    context.say(`${isFirst ? "" : "\u001B[1A\u001B[2K"}${progressText(done, size)}`);
  };
};

/** `3.1 MB of 12.0 MB (26 %)`. */
export const progressText = (done: number, size: number | undefined): string => {
  const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;
  if (size === undefined || size === 0) return megabytes(done);
  return `${megabytes(done)} of ${megabytes(size)} (${Math.floor((100 * done) / size)} %)`;
};

/** By the name's end; what it does not know is bytes. `--media-type` says another. */
const mediaType = (name: string): string => mediaTypes[extname(name).toLowerCase()] ?? "application/octet-stream";

const mediaTypes: Readonly<Record<string, string>> = {
  ".csv": "text/csv",
  ".gif": "image/gif",
  ".html": "text/html",
  ".jpeg": "image/jpeg",
  ".jpg": "image/jpeg",
  ".json": "application/json",
  ".md": "text/markdown",
  ".mp3": "audio/mpeg",
  ".mp4": "video/mp4",
  ".pdf": "application/pdf",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain",
  ".webp": "image/webp",
  ".xml": "application/xml",
  ".zip": "application/zip",
};
