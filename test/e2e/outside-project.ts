/**
 * The files of a project outside this repository, as its owner would write them: a contract and a service of its own, two services
 * that ship as packages, a program that calls both with the generated client, and nothing generated.
 */

const contract = `import { defineContract, error, query } from "@fairlead/contracts";
import * as z from "zod";

export default defineContract({
  id: "greeter",
  version: "1.0.0",
  summary: "Greets people.",
  procedures: {
    greet: query({
      summary: "Greets someone by name.",
      input: z.object({
        name: z.string().min(1).max(200).describe("Whom to greet."),
        times: z.int().min(1).max(3).default(1).describe("How loud."),
      }),
      output: z.object({ greeting: z.string().describe("The greeting.") }),
      errors: {
        stranger: error({
          code: "not_found",
          when: "nobody knows the name",
          data: z.object({ known: z.array(z.string().describe("A name.")).describe("Who is known.") }),
        }),
      },
      examples: [{ summary: "Ada", input: { name: "Ada" } }],
    }),
  },
});
`;

const service = `import { defineService } from "@fairlead/kernel/service";
import greeter from "../../contracts/greeter.contract.ts";

const known = ["Ada", "Grace"];

export default defineService(greeter, () => ({
  handlers: {
    greet: ({ name, times }, call) => {
      if (!known.includes(name)) throw call.fail("stranger", { message: "nobody knows that name" }, { known });
      return { greeting: \`Hello, \${name}\${"!".repeat(times)}\` };
    },
  },
}));
`;

const config = `import { defineConfig } from "@fairlead/kernel";

export default defineConfig({
  manifest: "./gen/manifest.ts",
  stateDir: "./state",
  gen: { include: ["@fairlead/service-rules", "@fairlead/service-pob"], loadTimeoutMs: 60_000 },
});
`;

/** Prints one JSON document: what it got over HTTP and in memory, and the declared error it was refused with. */
const program = `import { createClient, fetchTransport, isReason, memoryTransport } from "@fairlead/client";
import { openMemoryKernel } from "@fairlead/kernel/memory";
import { type PobTypes, pob } from "@fairlead/service-pob/client";
import contract from "@fairlead/service-rules/contract";
import packaged from "@fairlead/service-rules/service";
import { type GreeterTypes, greeter } from "./gen/greeter.ts";
import { type RulesTypes, rules } from "./gen/rules.ts";
import service from "./services/greeter/service.ts";

const transport = fetchTransport({ url: process.argv[2] ?? "" });
const client = createClient<GreeterTypes>(greeter, transport);
const remote = await client.greet({ name: "Ada" });

const kernel = openMemoryKernel([service]);
const direct = await createClient<GreeterTypes>(greeter, memoryTransport(kernel)).greet({ name: "Ada", times: 2 });
await kernel.close();

let known: readonly string[] = [];
try {
  await client.greet({ name: "Nobody" });
} catch (error) {
  if (isReason(error, client.greet, "stranger")) known = error.data.known;
}

await createClient<RulesTypes>(rules, transport).markNoCheck({ intent: { reason: "the door is open" } });
// What a package brings is typed without a project: its client, its contract, its service.
const builds = createClient<PobTypes>(pob, transport);
if (packaged.contract.id !== contract.id || typeof builds.parseBuild !== "function") throw new Error("the packages do not fit");

// @ts-expect-error a name is a text
client.greet({ name: 1 }).catch((error) => console.log(JSON.stringify({ remote, direct, known, code: error.code })));
`;

const compiler = {
  compilerOptions: {
    target: "es2024",
    lib: ["esnext"],
    module: "nodenext",
    types: ["node"],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    erasableSyntaxOnly: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
  },
  include: ["**/*.ts"],
};

/** The files by path. `dependencies` as package.json has them. */
export const projectFiles = (dependencies: Readonly<Record<string, string>>): Readonly<Record<string, string>> => ({
  "package.json": JSON.stringify({ name: "outside", version: "1.0.0", private: true, type: "module", dependencies }),
  "tsconfig.json": JSON.stringify(compiler),
  "fairlead.config.ts": config,
  "contracts/greeter.contract.ts": contract,
  "services/greeter/service.ts": service,
  "program.ts": program,
});
