/** Checks files against a scope policy. Every refusal says which file, which rule and, where there is one, what to do instead. */
import { createCoverMatcher, createGlobMatcher } from "./glob.ts";
import { foldPath, parsePath } from "./path.ts";
import { deniedNames, deniedPaths, type ScopePolicy } from "./policy.ts";

export interface ScopeViolation {
  readonly file: string;
  readonly rule: "path" | "denied" | "not_allowed" | "category" | "count" | "not_in_plan" | "lines" | "credential";
  readonly why: string;
}

const docsFile = /\.(?:md|mdx|txt|rst)$/i;
const testFolder = /^(?:__tests__|tests?|spec)$/i;
const testName = /[._-](?:tests?|spec)\..|^test_./i;

const denials = deniedPaths.map((pattern) => ({ pattern, matches: createGlobMatcher(pattern) }));

/** Why no ticket may touch this path, or undefined. Compared without case, because some file systems ignore case. */
export const findDenial = (path: string): string | undefined => {
  const folded = foldPath(path);
  const denial = denials.find(({ matches }) => matches(folded));
  if (denial !== undefined) return `it matches ${denial.pattern}, which is always denied`;
  const name = folded.slice(folded.lastIndexOf("/") + 1);
  const denied = deniedNames.find((denied) => denied.test(name));
  return denied === undefined ? undefined : `its name matches ${denied.source}, which is always denied`;
};

/** Matches the files of a session: those in its scope, in no excluded folder, and none that is always denied. */
export const createSessionMatcher = (scope: string, excludeDirs: readonly string[]): ((path: string) => boolean) => {
  const covered = scope === "**" ? () => true : createCoverMatcher(scope);
  const excluded = excludeDirs.map(createCoverMatcher);
  return (path) => covered(path) && !excluded.some((leftOut) => leftOut(path)) && findDenial(path) === undefined;
};

/** Checks many files of one ticket: the violation of a file, or undefined. */
export const createFileChecker = (policy: ScopePolicy): ((file: string) => ScopeViolation | undefined) => {
  const allowed = policy.allowed_paths.map(createCoverMatcher);
  return (file) => {
    const parsed = parsePath(file);
    if (!parsed.ok) return { file: printable(file), rule: "path", why: parsed.why };
    const { path } = parsed;
    const denied = findDenial(path);
    if (denied !== undefined) return { file: path, rule: "denied", why: denied };
    if (allowed.length > 0 && !allowed.some((covers) => covers(path)))
      return { file: path, rule: "not_allowed", why: `it is outside ${policy.allowed_paths.slice(0, 5).join(", ")}` };
    return checkCategory(policy, path);
  };
};

/** The same for one file. */
export const checkFile = (policy: ScopePolicy, file: string): ScopeViolation | undefined =>
  createFileChecker(policy)(file);

/** Documentation tickets touch documents and the sources they name, test tickets touch tests. */
const checkCategory = ({ category, named_files }: ScopePolicy, path: string): ScopeViolation | undefined => {
  if (category === "docs" && !docsFile.test(path) && !named_files.includes(path))
    return {
      file: path,
      rule: "category",
      why: "a docs ticket may touch md, mdx, txt and rst files, and others only when its `files` or `allowed_paths` name them exactly",
    };
  if (category === "test" && !isTest(path))
    return { file: path, rule: "category", why: "a test ticket may touch test files only" };
  return undefined;
};

/** What a ticket's category allows beside its paths, as a sentence for prompts; empty where it adds nothing. */
export const describeCategory = ({ category, named_files }: ScopePolicy): string => {
  if (category === "docs")
    return `A docs ticket may touch md, mdx, txt and rst files${named_files.length === 0 ? "" : `, and of other files only ${named_files.join(", ")}`}.`;
  return category === "test" ? "A test ticket may touch test files only." : "";
};

const isTest = (path: string): boolean => {
  const parts = path.split("/");
  return parts.slice(0, -1).some((folder) => testFolder.test(folder)) || testName.test(parts.at(-1) ?? "");
};

/** Every violation of a list of files, the limit on their number included. */
export const checkFiles = (policy: ScopePolicy, files: readonly string[]): readonly ScopeViolation[] => {
  const distinct = new Set(files);
  const check = createFileChecker(policy);
  const violations = [...distinct].flatMap((file) => check(file) ?? []);
  if (distinct.size > policy.max_files)
    violations.push({ file: "", rule: "count", why: `${distinct.size} files; the limit is ${policy.max_files}` });
  return violations;
};

export const checkLines = (policy: ScopePolicy, lines: number): ScopeViolation | undefined =>
  lines > policy.max_lines
    ? { file: "", rule: "lines", why: `${lines} lines; the limit is ${policy.max_lines}` }
    : undefined;

/** One line for people and prompts; at most the first ten. */
export const formatViolations = (violations: readonly ScopeViolation[]): string => {
  const lines = violations.slice(0, 10).map(({ file, why }) => (file === "" ? why : `${file}: ${why}`));
  return violations.length > 10 ? `${lines.join("; ")}; and ${violations.length - 10} more` : lines.join("; ");
};

/** A refused path with its unprintable characters escaped. */
const printable = (file: string): string => JSON.stringify(file.slice(0, 120)).slice(1, -1);
