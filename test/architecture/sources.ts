/**
 * The repository as the architecture tests see it: its hand-written sources and what each imports. Reads text; runs nothing.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

export interface Source {
  /** Path from the repository's root. */
  readonly path: string;
  readonly text: string;
  /** Specifiers of all static and literal dynamic imports and re-exports. */
  readonly imports: readonly string[];
}

/** Paths of all files that git knows or would take. */
export const files: readonly string[] = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((path) => path !== "");

export const read = (path: string): string => readFileSync(join(root, path), "utf8");

const specifier = /(?:\bfrom\s*|\bimport\s*\(\s*|^import\s+)"([^"]+)"/gm;

/** Folders of all packages that people get: every workspace but this one. */
export const packages: readonly string[] = files
  .flatMap((path) => /^(.+)\/package\.json$/.exec(path)?.[1] ?? [])
  .filter((folder) => folder !== "clients/cli/bin" && !folder.startsWith("test"));

/** Packages in the folder of another one. */
const nested = (folder: string): readonly string[] => packages.filter((inner) => inner.startsWith(`${folder}/`));

/** Hand-written TypeScript below a folder, tests and packages of their own left out. */
export const sources = (folder: string): readonly Source[] =>
  files
    .filter(
      (path) => path.startsWith(`${folder}/`) && /\.tsx?$/.test(path) && !/\.(test|test-d|soak|d)\.ts$/.test(path),
    )
    .filter((path) => !path.includes("/gen/") && !path.endsWith("vitest.config.ts"))
    .filter((path) => !nested(folder).some((inner) => path.startsWith(`${inner}/`)))
    .map((path) => {
      const text = read(path);
      const code = text.replace(/`(?:[^`\\]|\\.)*`/g, "``");
      return {
        path,
        text,
        imports: [...code.matchAll(specifier)].flatMap(([, name]) => (name === undefined ? [] : [name])),
      };
    });

/** The file a relative import leads to, from the repository's root. */
export const target = (from: string, name: string): string => join(dirname(from), name);
