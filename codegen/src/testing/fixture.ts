/** Projects in temporary folders, for tests only. Packages resolve as they do in the repository. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

export interface TemporaryProject extends Disposable {
  readonly root: string;
  write(path: string, text: string): void;
}

const packages = resolve(import.meta.dirname, "../../../node_modules");

export const temporaryProject = (files: Readonly<Record<string, string>> = {}): TemporaryProject => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "fairlead-codegen-")));
  const write = (path: string, text: string): void => {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  symlinkSync(packages, join(root, "node_modules"));
  write("package.json", '{ "name": "fixture", "type": "module" }');
  for (const [path, text] of Object.entries(files)) write(path, text);
  return { root, write, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) };
};

/** A contract with one query. */
export const contractFile = (
  id: string,
  { summary = "Adds two numbers.", body = "" } = {},
): string => `import * as z from "zod";
import { defineContract, query } from "@fairlead/contracts";
${body}
export default defineContract({
  id: "${id}",
  version: "1.0.0",
  summary: "Counts.",
  procedures: {
    add: query({
      summary: "${summary}",
      input: z.object({ a: z.int().describe("One"), b: z.int().describe("Other") }),
      output: z.int().describe("Sum"),
      tool: "${id}_add",
    }),
  },
});
`;
