/** The text of the files of a new contract and its service. Texts only; they pass the house's own checks as they are. */
import { pascalCase } from "../model/letter-case.ts";
import { importNames } from "../print/text.ts";

export const contractText = (id: string, core: string): string => `/**
 * The ${id} contract: what the service takes, gives and how it fails. Edit it, then run \`fairlead gen\`.
 */
import * as z from "zod";
import { defineContract, error, query } from "${core}";

export default defineContract({
  id: "${id}",
  version: "0.1.0",
  summary: "${pascalCase(id)} greets people; say here what it is for.",
  procedures: {
    greet: query({
      summary: "Greet someone by name.",
      input: z.strictObject({ name: z.string().min(1).max(80).describe("The name to greet") }),
      output: z.object({ greeting: z.string().describe("The greeting, ready to be shown") }),
      errors: {
        blank_name: error({ code: "invalid_argument", when: "the name is only spaces", hint: "send a name" }),
      },
      examples: [{ summary: "A greeting for Ada", input: { name: "Ada" } }],
      tool: "${id}_greet",
    }),
  },
});
`;

const handlers = `export default defineService(contract, () => ({
  handlers: {
    greet: ({ name }, call) => {
      if (name.trim() === "") throw call.fail("blank_name", { message: "the name is blank" });
      return { greeting: \`Hello, \${name}.\` };
    },
  },
}));
`;

/** `contract`: the module to import it from. Imports are in alphabetical order, packages first. */
export const serviceText = (id: string, contract: string): string => {
  const imports = [
    importNames("@fairlead/kernel/service", ["defineService"], "value"),
    `import contract from "${contract}";`,
  ];
  const ordered = contract.startsWith("@") ? imports.toReversed() : imports;
  return `/**
 * The ${id} service: answers what its contract promises.
 */
${ordered.join("\n")}

${handlers}`;
};

export const configText = (
  manifest: string,
): string => `/** A service that ships as a package is added by its name: gen: { include: ["@fairlead/service-rules"] }. */
export default { manifest: "${manifest}" };
`;

export const testText = (
  id: string,
): string => `${importNames("@fairlead/kernel/memory", ["openMemoryKernel"], "value")}
import { afterAll, expect, test } from "vitest";
import service from "./service.ts";

const kernel = openMemoryKernel([service]);
afterAll(() => kernel.close());

test("greets by name", async () => {
  const reply = await kernel.call("${id}.greet", { name: "Ada" });
  expect(reply).toEqual({ ok: true, value: { greeting: "Hello, Ada." } });
});

test("refuses a blank name", async () => {
  const reply = await kernel.call("${id}.greet", { name: " " });
  expect(reply).toMatchObject({ ok: false, error: { code: "invalid_argument", reason: "blank_name" } });
});
`;

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

export interface Workspace {
  /** Version of the house's packages. */
  readonly version: string;
  /** Leads from the service's folder to the workspace's root. */
  readonly root: string;
  /** Version of Zod, which the contract imports. */
  readonly zod: string | undefined;
  /** Version of the test runner, where the workspace has it. */
  readonly vitest: string | undefined;
  /** Packages of the same version that it needs in addition to the contracts and the kernel. */
  readonly dependencies: readonly string[];
}

const exported = (name: string) => ({
  "@fairlead/source": `./src/${name}.ts`,
  types: `./dist/src/${name}.d.ts`,
  default: `./dist/src/${name}.js`,
});

/** The files of a service package other than its service and its test, by path inside it. */
export const packageTexts = (
  id: string,
  { version, root, zod, vitest, dependencies }: Workspace,
): Readonly<Record<string, string>> => ({
  "package.json": json({
    name: `@fairlead/service-${id}`,
    version,
    description: `The ${id} service.`,
    license: "MIT",
    type: "module",
    files: ["dist", "NOTICE"],
    exports: {
      ".": exported("service"),
      "./contract": exported("contract"),
      "./client": { types: `./dist/client/${id}.d.ts`, default: `./dist/client/${id}.js` },
      "./service": exported("service"),
      "./package.json": "./package.json",
    },
    scripts: {
      build: `node -e "fs.rmSync('dist', { recursive: true, force: true })" && tsc -p tsconfig.build.json && node --conditions=@fairlead/source ${root}/codegen/pack/service.ts && cp ${root}/LICENSE ${root}/NOTICE .`,
      prepack: "npm run build",
      typecheck: "tsc -p .",
      test: `vitest run --root . --config ${root}/vitest.shared.ts`,
    },
    dependencies: {
      ...Object.fromEntries(
        ["@fairlead/contracts", "@fairlead/kernel", ...dependencies].map((name) => [name, version] as const),
      ),
      ...(zod !== undefined && { zod }),
    },
    ...(vitest !== undefined && { devDependencies: { vitest } }),
  }),
  "src/contract.ts": `/** The contract of this service, for projects that plug in its package. In what is published it is beside this file; \`codegen/pack/service.ts\` puts it there. */
export { default } from "@fairlead/contracts/${id}";
`,
  "turbo.json": `{
  "extends": ["//"],
  "tags": ["service"],
  "tasks": {
    "build": {
      "dependsOn": ["^build", "@fairlead/client#build"]
    }
  }
}
`,
  "tsconfig.json": `{ "extends": "${root}/tsconfig.base.json", "include": ["src"] }\n`,
  "tsconfig.build.json": `{
  "extends": "${root}/tsconfig.build.json",
  "include": ["src"],
  "exclude": ["**/*.test.ts"],
  "compilerOptions": { "rootDir": ".", "outDir": "dist" }
}
`,
});
