/**
 * Where a contract file waits that did not finish to load: Node does not say which top-level await of which module is pending, so the text of the
 * file, and of what it imports by a relative path, is read for them.
 *
 * Not here: noticing that it waits (`loading-thread`).
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { readTokens, type SourceToken } from "./source-line.ts";

/** Modules that are read, so that a large project is not read for the words of one error. */
const mostModules = 200;

/** The top-level awaits of a module and of those that it imports, in the order in which they run, as `path:line`. */
export const topLevelAwaits = (file: string): readonly string[] => {
  const seen = new Set<string>();
  const found: string[] = [];
  const visit = (module: string): void => {
    if (seen.has(module) || seen.size >= mostModules) return;
    seen.add(module);
    const tokens = readModule(module);
    for (const imported of relativeImports(tokens)) {
      const path = modulePath(resolve(dirname(module), imported));
      if (path !== undefined) visit(path);
    }
    for (const { line } of tokens.filter(isAwait)) found.push(`${module}:${line}`);
  };
  visit(file);
  return [...new Set(found)];
};

const readModule = (file: string): readonly SourceToken[] => {
  try {
    return readTokens(readFileSync(file, "utf8"));
  } catch {
    return [];
  }
};

/** What TypeScript writes as `.js` may be a `.ts`. */
const modulePath = (path: string): string | undefined =>
  [path, path.replace(/\.([cm]?)js$/, ".$1ts")].find((each) => existsSync(each));

/** `await` outside of brackets, where no function can be around it but one that is written as an arrow. */
const isAwait = ({ text, isName, depth }: SourceToken, at: number, tokens: readonly SourceToken[]): boolean =>
  isName && text === "await" && depth === 0 && !isAfterText(tokens[at + 1]) && !isInArrow(tokens.slice(0, at));

/** A text that says `await` is a token of the same kind: what follows it begins no value. */
const isAfterText = (next: SourceToken | undefined): boolean => next === undefined || ";,:.?+=".includes(next.text);

const isInArrow = (before: readonly SourceToken[]): boolean => {
  const begin = before.findLastIndex(
    ({ text, isName, depth }) => depth === 0 && (isName ? starts.has(text) : text === ";"),
  );
  return before
    .slice(begin + 1)
    .some(({ text, depth }, at, all) => depth === 0 && text === ">" && all[at - 1]?.text === "=");
};

/** Words that a statement begins with. */
const starts: ReadonlySet<string> = new Set(["const", "let", "var", "export", "import", "for"]);

const relativeImports = (tokens: readonly SourceToken[]): readonly string[] =>
  tokens.flatMap(({ text, isName }, at) => {
    const before = tokens[at - 1];
    return isName && /^\.{1,2}\//.test(text) && (before?.text === "from" || before?.text === "import") ? [text] : [];
  });
