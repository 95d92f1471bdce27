/**
 * What of the four documents at the root can be run: the commands in shell blocks and in running text, and blocks of TypeScript.
 * Not here: how each is run (`plans.ts`).
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../e2e/command.ts";

const documents = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"] as const;
export type Document = (typeof documents)[number];

export interface Snippet {
  readonly document: Document;
  readonly text: string;
}

const texts = documents.map((document) => ({ document, text: readFileSync(join(repository, document), "utf8") }));

export const documentText = (document: Document): string =>
  texts.find((each) => each.document === document)?.text ?? "";

const block = /^```(\w*)\n([\s\S]*?)^```$/gm;

/** Blocks of a language. */
export const blocks = (language: string): readonly Snippet[] =>
  texts.flatMap(({ document, text }) =>
    [...text.matchAll(block)]
      .filter(([, found]) => found === language)
      .map(([, , code = ""]) => ({ document, text: code })),
  );

/** A line of a shell block, without what it says of itself. */
const shellLines = (code: string): readonly string[] =>
  code
    .split("\n")
    .map((line) => line.replace(/\s+# .*$/, "").trim())
    .filter((line) => line !== "");

const programs = ["npm", "npx", "node", "curl", "git", "ls", "turbo", "claude", "fairlead"];
const isCommand = (code: string): boolean =>
  programs.includes(code.replace(/^(?:[A-Z_]+=\S+ )+/, "").split(" ")[0] ?? "") && code.includes(" ");

/** Each command once, where it is first written. */
export const commands: readonly Snippet[] = texts.flatMap(({ document, text }) => {
  const inBlocks = [...text.matchAll(block)].filter(([, language]) => language === "sh");
  const inText = [...text.replace(block, "").matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code).filter(isCommand);
  const all = [...inBlocks.flatMap(([, , code = ""]) => shellLines(code)), ...inText];
  return [...new Set(all)].map((command) => ({ document, text: command }));
});

/** Codes in running text. */
export const inlineCodes = (document: Document): readonly string[] =>
  [
    ...documentText(document)
      .replace(block, "")
      .matchAll(/`([^`\n]+)`/g),
  ].map(([, code = ""]) => code);
