/**
 * The file that a tool is called with: a small one in the arguments, or a path below the folders that the client of a stdio server works in.
 *
 * A path is chosen by a model. So it is one of this machine and user only where the client has started the server itself, and only in folders that the client
 * names; links that lead out of them are followed first. Not here: sizes and media types, which dispatch judges.
 */
import { createReadStream } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { basename, isAbsolute, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { WireError } from "@fairlead/contracts";
import type { ByteStream, Question } from "../../../call/call.ts";
import { failure } from "../../../call/error.ts";
import { isRecord, readMember } from "../../../call/record.ts";
import { fileName } from "../../http/files/multipart.ts";

/** Bytes of a file in the arguments. */
const largestInline = 524_288;

interface FileWay {
  /** The argument that it came in, for messages. */
  readonly argument: string;
  /** Asks the client for its folders; left out where a path of this machine says nothing. */
  readonly ask: ((question: Question) => Promise<unknown>) | undefined;
}

/** Never rejects. */
export const takeFile = async (sent: unknown, { argument, ask }: FileWay): Promise<ByteStream | WireError> => {
  const refused = (message: string, fix: string): WireError =>
    failure("invalid_argument", message, { issues: [{ path: argument, expected: "a file", fix }] }).toJSON();
  if (!isRecord(sent)) return refused("the file is not an object", "send `text`, `base64` or `path`");
  const { text, base64, path, name, type } = sent;
  const [content, ...others] = [text, base64, path].filter((each) => each !== undefined);
  if (typeof content !== "string" || others.length > 0)
    return refused("the file has none or several of `text`, `base64` and `path`", "send one of them, a string");
  if ((name !== undefined && typeof name !== "string") || (type !== undefined && typeof type !== "string"))
    return refused("the file's name or type is not a string", "send strings, or leave them out");
  const tooLarge = (): WireError =>
    refused(
      `the file has more than the ${largestInline} bytes that arguments may have`,
      ask === undefined ? "let a person send it with `fairlead call` and `--file`" : "send its `path` instead",
    );
  const inline = (bytes: Uint8Array, words: FileWords): ByteStream | WireError =>
    bytes.length > largestInline ? tooLarge() : inMemory(bytes, words);
  if (text !== undefined) return inline(Buffer.from(content), { name, type: type ?? "text/plain" });
  if (base64 !== undefined) {
    const bytes = Buffer.from(content, "base64");
    if (bytes.toString("base64") !== content) return refused("the file is not base64", "send base64 with its padding");
    return inline(bytes, { name, type: type ?? anyType });
  }
  const file = await openPath(content, ask);
  if ("problem" in file) return refused(file.problem, file.fix);
  return { ...file, name: fileName(name ?? basename(content)), type: type ?? anyType };
};

/** The media type of a file whose sender says none. */
const anyType = "application/octet-stream";

interface FileWords {
  readonly name: string | undefined;
  readonly type: string;
}

const inMemory = (bytes: Uint8Array, { name, type }: FileWords): ByteStream => ({
  name: name === undefined ? undefined : fileName(name),
  type,
  size: bytes.length,
  async *[Symbol.asyncIterator]() {
    yield bytes;
  },
});

type OpenedPath = Pick<ByteStream, "size" | typeof Symbol.asyncIterator>;

interface RefusedPath {
  readonly problem: string;
  readonly fix: string;
}

/** Where no path is taken, and where another may be. */
const withoutPath = "send the file as `text` or `base64`";
const anotherPath = "send the path of a file in one of the client's folders, or the file as `text` or `base64`";

/** The words are the same for what is not there and what may not be read. */
const openPath = async (path: string, ask: FileWay["ask"]): Promise<OpenedPath | RefusedPath> => {
  if (ask === undefined)
    return { problem: "a path is taken from clients that start the server themselves, over stdio", fix: withoutPath };
  if (!isAbsolute(path)) return { problem: "the path is not absolute", fix: anotherPath };
  const folders = await askFolders(ask);
  if (folders === undefined)
    return { problem: "a path is taken from clients that say which folders they work in (roots)", fix: withoutPath };
  try {
    const real = await realpath(path);
    const found = await stat(real);
    if (found.isFile() && folders.some((folder) => isBelow(folder, real)))
      return {
        size: found.size,
        [Symbol.asyncIterator]: () => createReadStream(real)[Symbol.asyncIterator](),
      };
  } catch {
    // As for a file that is not below them.
  }
  return { problem: "the path is of no file in the client's folders", fix: anotherPath };
};

/** The client's folders, with links followed; nothing where it does not say. */
const askFolders = async (ask: NonNullable<FileWay["ask"]>): Promise<readonly string[] | undefined> => {
  const answer = await ask({ method: "roots/list", params: {} }).catch(() => undefined);
  const roots: unknown = readMember(answer, "roots");
  if (!Array.isArray(roots)) return undefined;
  const found = await Promise.all(roots.slice(0, mostRoots).map((root) => folderAt(readMember(root, "uri"))));
  return found.filter((folder) => folder !== undefined);
};

const mostRoots = 64;

const folderAt = async (uri: unknown): Promise<string | undefined> => {
  try {
    return await realpath(fileURLToPath(String(uri)));
  } catch {
    return undefined;
  }
};

const isBelow = (folder: string, path: string): boolean => {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
};
