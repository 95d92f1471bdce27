/**
 * A page of docs/ that builds a project, as steps: files that it shows with a title, changes of them as `diff` blocks, and shell blocks with what they print.
 *
 * Not here: carrying the steps out (`test/e2e/guide.ts`).
 */
import { readFileSync } from "node:fs";

export type Step =
  | { readonly kind: "file"; readonly path: string; readonly text: string }
  | { readonly kind: "change"; readonly path: string; readonly hunks: readonly Hunk[] }
  | {
      readonly kind: "shell";
      readonly lines: readonly string[];
      /** What it prints, with `…` for anything; nothing is expected where the page shows nothing. */
      readonly prints?: string;
    };

interface Hunk {
  readonly before: string;
  readonly after: string;
}

interface Block {
  readonly language: string;
  readonly title: string | undefined;
  readonly text: string;
}

const fence = /^```(\w+)(?: title="([^"]+)")?\n([\s\S]*?)^```$/gm;

const blocks = (page: string): readonly Block[] =>
  [...page.matchAll(fence)].map(([, language = "", title, text = ""]) => ({ language, title, text }));

/** Lines of a kind of a diff and the unmarked ones, without their first character. */
const side = (hunk: string, mark: "+" | "-"): string =>
  hunk
    .split("\n")
    .filter((line) => line.startsWith(mark) || line.startsWith(" "))
    .map((line) => `${line.slice(1)}\n`)
    .join("");

const hunks = (text: string): readonly Hunk[] =>
  text.split("@@\n").map((hunk) => ({ before: side(hunk, "-"), after: side(hunk, "+") }));

/** The steps of a page, in order. Throws for a block that is none of them, since it would not be run. */
export const readSteps = (file: string): readonly Step[] => {
  const found = blocks(readFileSync(new URL(`../../docs/${file}`, import.meta.url), "utf8"));
  return found.flatMap(({ language, title, text }, index): readonly Step[] => {
    if (language === "text" && found[index - 1]?.language === "sh") return [];
    if (language === "diff" && title !== undefined) return [{ kind: "change", path: title, hunks: hunks(text) }];
    if (title !== undefined) return [{ kind: "file", path: title, text }];
    if (language !== "sh") throw new Error(`docs/${file}: a block of ${language} without a title: ${text}`);
    const next = found[index + 1];
    const lines = text.split("\n").filter((line) => line !== "");
    return [{ kind: "shell", lines, ...(next?.language === "text" && { prints: next.text }) }];
  });
};

/** The text with the hunks applied. Throws where one fits nowhere, or in two places. */
export const changed = (text: string, path: string, changes: readonly Hunk[]): string =>
  changes.reduce((now, { before, after }) => {
    const parts = now.split(before);
    if (parts.length !== 2) throw new Error(`${parts.length - 1} places of ${path} have these lines:\n${before}`);
    return parts.join(after);
  }, text);

/** The files of a page as they are at its end. */
export const finalFiles = (steps: readonly Step[]): ReadonlyMap<string, string> => {
  const files = new Map<string, string>();
  for (const step of steps) {
    if (step.kind === "file") files.set(step.path, step.text);
    if (step.kind === "change") files.set(step.path, changed(files.get(step.path) ?? "", step.path, step.hunks));
  }
  return files;
};

/** The expected output as an expression. */
export const expected = (prints: string): RegExp =>
  new RegExp(
    `^${prints
      .trim()
      .split("…")
      .map((part) => RegExp.escape(part))
      .join("[^\\n]*")}$`,
  );
