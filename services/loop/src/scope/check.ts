/** Checks files against a scope policy. Every refusal says which file, which rule and, where there is one, the way out. */
import { coverMatcher, globMatcher } from "./glob.ts";
import { foldPath, parsePath } from "./path.ts";
import { deniedNames, deniedPaths, type ScopePolicy } from "./policy.ts";

export interface Violation {
  readonly file: string;
  readonly rule: "path" | "denied" | "not_allowed" | "category" | "count" | "not_in_plan" | "lines" | "credential";
  readonly why: string;
}

const docsFile = /\.(?:md|mdx|txt|rst)$/i;
const testFolder = /^(?:__tests__|tests?|spec)$/i;
const testName = /[._-](?:tests?|spec)\..|^test_./i;

const denials = deniedPaths.map((pattern) => ({ pattern, matches: globMatcher(pattern) }));

/** Why no ticket may touch this path, or undefined. Compared without case, so that no file system reads it otherwise. */
export const deniedBecause = (path: string): string | undefined => {
  const folded = foldPath(path);
  const denial = denials.find(({ matches }) => matches(folded));
  if (denial !== undefined) return `it matches ${denial.pattern}, which is always denied`;
  const name = folded.slice(folded.lastIndexOf("/") + 1);
  const secretive = deniedNames.find((denied) => denied.test(name));
  return secretive === undefined ? undefined : `its name matches ${secretive.source}, which is always denied`;
};

/** Tells which files a session is about: those in its scope, in no excluded folder, and none that is always denied. */
export const sessionMatcher = (scope: string, excludeDirs: readonly string[]): ((path: string) => boolean) => {
  const covered = scope === "**" ? () => true : coverMatcher(scope);
  const excluded = excludeDirs.map(coverMatcher);
  return (path) => covered(path) && !excluded.some((leftOut) => leftOut(path)) && deniedBecause(path) === undefined;
};

/** What keeps a file out, or undefined; for many files of one ticket. */
export const fileChecker = (policy: ScopePolicy): ((file: string) => Violation | undefined) => {
  const allowed = policy.allowed_paths.map(coverMatcher);
  return (file) => {
    const parsed = parsePath(file);
    if (!parsed.ok) return { file: shown(file), rule: "path", why: parsed.why };
    const { path } = parsed;
    const denied = deniedBecause(path);
    if (denied !== undefined) return { file: path, rule: "denied", why: denied };
    if (allowed.length > 0 && !allowed.some((covers) => covers(path)))
      return { file: path, rule: "not_allowed", why: `it is outside ${policy.allowed_paths.slice(0, 5).join(", ")}` };
    return categoryViolation(policy, path);
  };
};

/** The same for one file. */
export const fileViolation = (policy: ScopePolicy, file: string): Violation | undefined => fileChecker(policy)(file);

/** Documentation tickets touch documents and the sources they name, test tickets touch tests. */
const categoryViolation = ({ category, named_files }: ScopePolicy, path: string): Violation | undefined => {
  if (category === "docs" && !docsFile.test(path) && !named_files.includes(path))
    return {
      file: path,
      rule: "category",
      why: "a docs ticket may touch md, mdx, txt and rst files, and others only when its `files` name them",
    };
  if (category === "test" && !isTest(path))
    return { file: path, rule: "category", why: "a test ticket may touch test files only" };
  return undefined;
};

const isTest = (path: string): boolean => {
  const parts = path.split("/");
  return parts.slice(0, -1).some((folder) => testFolder.test(folder)) || testName.test(parts.at(-1) ?? "");
};

/** Every violation of a list of files, the limit on their number included. */
export const filesViolations = (policy: ScopePolicy, files: readonly string[]): readonly Violation[] => {
  const distinct = new Set(files);
  const violationOf = fileChecker(policy);
  const violations = [...distinct].flatMap((file) => violationOf(file) ?? []);
  if (distinct.size > policy.max_files)
    violations.push({ file: "", rule: "count", why: `${distinct.size} files; the limit is ${policy.max_files}` });
  return violations;
};

export const linesViolation = (policy: ScopePolicy, lines: number): Violation | undefined =>
  lines > policy.max_lines
    ? { file: "", rule: "lines", why: `${lines} lines; the limit is ${policy.max_lines}` }
    : undefined;

/** One line for people and prompts; at most the first ten. */
export const violationText = (violations: readonly Violation[]): string => {
  const lines = violations.slice(0, 10).map(({ file, why }) => (file === "" ? why : `${file}: ${why}`));
  return violations.length > 10 ? `${lines.join("; ")}; and ${violations.length - 10} more` : lines.join("; ");
};

/** A refused path is shown without what made it unprintable. */
const shown = (file: string): string => JSON.stringify(file.slice(0, 120)).slice(1, -1);
