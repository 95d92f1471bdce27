/**
 * The built pages of the console as a table, read from their folder: only what is in it can be sent, so no path leads out of it.
 *
 * Not here: who may have them, and headers (`mount.ts`).
 */
import { createHash } from "node:crypto";
import { type Dirent, readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";

/** One form of a file: as it is, or compressed. */
interface FileForm {
  readonly bytes: Buffer;
  /** Strong: of these very bytes. */
  readonly etag: string;
}

export interface PageFile {
  readonly type: string;
  /** True where the name has the hash of the content: it never changes. */
  readonly isImmutable: boolean;
  readonly plain: FileForm;
  readonly br?: FileForm;
  readonly gzip?: FileForm;
}

export interface PageFiles {
  /** The entry's text; `undefined` where nothing is built. */
  entry(): string | undefined;
  /** The file at a path like `/assets/main.js`. */
  find(path: string): PageFile | undefined;
}

const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".woff2": "font/woff2",
};

/** Read at the first request, and again once another build is there, which has written another `entry`. */
export const readPages = (folder: string | undefined, entry = "index.html"): PageFiles => {
  let builtAt = Number.NaN;
  let paths: ReadonlySet<string> = new Set();
  let text: string | undefined;
  const known = new Map<string, PageFile>();

  const refresh = (): void => {
    const index = folder === undefined ? undefined : join(folder, entry);
    const at = (index === undefined ? undefined : statSync(index, { throwIfNoEntry: false }))?.mtimeMs;
    if (at === builtAt) return;
    known.clear();
    paths = new Set();
    text = undefined;
    builtAt = at ?? Number.NaN;
    if (at === undefined || folder === undefined || index === undefined) return;
    paths = listFiles(folder);
    text = readFileSync(index, "utf8");
  };

  return {
    entry: () => {
      refresh();
      return text;
    },
    find: (path) => {
      if (text === undefined) refresh();
      if (folder === undefined || !paths.has(path) || types[extname(path)] === undefined) return undefined;
      const file = known.get(path) ?? readPageFile(folder, path, paths);
      known.set(path, file);
      return file;
    },
  };
};

const listFiles = (folder: string): ReadonlySet<string> => {
  const toPath = ({ parentPath, name }: Dirent): string =>
    `/${relative(folder, join(parentPath, name)).split(sep).join("/")}`;
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return new Set(entries.filter((entry) => entry.isFile()).map(toPath));
};

const readPageFile = (folder: string, path: string, paths: ReadonlySet<string>): PageFile => {
  const form = (suffix: string): FileForm => {
    const bytes = readFileSync(join(folder, `${path}${suffix}`));
    return { bytes, etag: `"${createHash("sha256").update(bytes).digest("base64url")}"` };
  };
  return {
    type: types[extname(path)] ?? "application/octet-stream",
    isImmutable: path.startsWith("/assets/"),
    plain: form(""),
    ...(paths.has(`${path}.br`) && { br: form(".br") }),
    ...(paths.has(`${path}.gz`) && { gzip: form(".gz") }),
  };
};
