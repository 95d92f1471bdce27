/** What a text costs the TypeScript compiler, and what it says of it. Not here: which texts (the tests of constructs). */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TemporaryProject } from "./project.ts";

const repository = join(import.meta.dirname, "../..");

const compilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  module: "nodenext",
  target: "es2024",
  lib: ["esnext", "dom"],
  types: ["node"],
  customConditions: ["@fairlead/source"],
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: true,
};

/** What the compiler prints for a text. */
export const compile = async (
  project: TemporaryProject,
  text: string,
  ...options: readonly string[]
): Promise<string> => {
  project.write("types.ts", text);
  project.write("tsconfig.json", JSON.stringify({ compilerOptions, files: ["types.ts"] }));
  const run = promisify(execFile)(
    join(repository, "node_modules/.bin/tsc"),
    ["-p", ".", "--pretty", "false", ...options],
    {
      cwd: project.root,
      maxBuffer: 1e8,
    },
  );
  return (await run.catch((failure: { readonly stdout: string }) => failure)).stdout;
};

/** Instantiations that the compiler counts for a text. */
const instantiations = async (project: TemporaryProject, text: string): Promise<number> => {
  // With several checkers, each counts again what they share.
  const stdout = await compile(project, text, "--checkers", "1", "--extendedDiagnostics");
  return Number(/^Instantiations:\s+(\d+)/m.exec(stdout)?.[1]);
};

/** Instantiations for clients that take and give each of these types. */
export const clientCost = (project: TemporaryProject, types: readonly string[]): Promise<number> =>
  instantiations(project, `import type { Client } from "@fairlead/client";\n${types.map(clientText).join("\n")}\n`);

const clientText = (type: string, index: number): string =>
  `interface T${index} { do: { input: ${type}; output: ${type}; errors: Record<never, never> } }\nexport declare const c${index}: Client<T${index}>;\nexport const r${index} = async (it: T${index}["do"]["input"]) => (await c${index}.do(it)).it;`;
