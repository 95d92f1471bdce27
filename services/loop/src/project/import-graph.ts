/**
 * Which folders import which, read from the text of sources: relative imports of JavaScript and TypeScript, packages of Python. A guess
 * for ranking, and no more: the text of a line is enough. Pure.
 */
import { posix } from "node:path";

/** Relative, as in `from "./a.ts"`, `import("../b")` and `require("./c")`. */
const scriptImport = /\b(?:from|import|require)[ \t(]{0,4}["'](\.[^"'\n]{1,300})["']/g;

/** Like `from a.b import c` and `import a.b`, at the beginning of a line. */
const pythonImport = /^(?:from|import) ([A-Za-z_.][\w.]{0,200})/gm;

const isScript = (path: string): boolean => /\.[cm]?[jt]sx?$/.test(path);

/** Whether imports of such a file are understood. */
export const isSource = (path: string): boolean => isScript(path) || path.endsWith(".py");

interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** What a source imports, as paths of the project without regard to endings; a package of Python's by a file in it. */
const findImports = ({ path, text }: SourceFile, known: ReadonlySet<string>): readonly string[] => {
  const here = (to: string): string => posix.join(posix.dirname(path), to);
  if (isScript(path)) return [...text.matchAll(scriptImport)].map(([, to = ""]) => here(to));
  return [...text.matchAll(pythonImport)]
    .map(([, to = ""]) => (to.startsWith(".") ? here(to.slice(1).replaceAll(".", "/")) : to.replaceAll(".", "/")))
    .map((to) => (known.has(`${to}.py`) ? to : `${to}/__init__`));
};

/** How many other folders import each folder; `toFolder` gives the folder that a file counts to. */
export const countImporters = (
  sources: readonly SourceFile[],
  toFolder: (path: string) => string,
): ReadonlyMap<string, number> => {
  const importers = new Map<string, Set<string>>();
  const known = new Set(sources.map(({ path }) => path));
  for (const source of sources) {
    const from = toFolder(source.path);
    for (const to of new Set(findImports(source, known).map(toFolder)))
      if (to !== from) importers.set(to, (importers.get(to) ?? new Set()).add(from));
  }
  return new Map([...importers].map(([folder, others]) => [folder, others.size]));
};
