/**
 * What generating 500 procedures costs: all of it from nothing, again with nothing changed, and in watch mode after one edit;
 * then what the generated flat types cost the compiler, with tRPC's own client making 100 calls.
 *
 * The proof of schemas is measured as a ratio to a run without it: the first time, and when it is known from an earlier process.
 * Prints numbers, judges nothing.
 */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { type GenerateResult, generate, watch } from "@fairlead/codegen";
import { genConfigSchema } from "@fairlead/contracts";

const services = 50;
const proceduresEach = 10;
const calls = 100;

const repository = resolve(import.meta.dirname, "../..");
const run = promisify(execFile);

const contractText = (service: number): string => {
  const procedures = Array.from(
    { length: proceduresEach },
    (_, index) => `
    do${index}: query({
      summary: "Does thing ${index}.",
      input: z.object({
        id: z.string().describe("Which one"),
        count: z.int().min(0).describe("How many"),
        mode: z.enum(["fast", "slow"]).describe("How"),
        tags: z.array(z.string()).optional().describe("Labels"),
        place: z.object({ x: z.number().describe("Across"), y: z.number().describe("Up") }).describe("Where"),
      }),
      output: z.object({
        id: z.string().describe("Which one"),
        total: z.number().describe("Sum"),
        done: z.boolean().describe("Whether it is done"),
        owner: z.object({ name: z.string().describe("Name"), age: z.int().describe("Years") }).describe("Whose"),
        items: z.array(z.object({ sku: z.string().describe("Number"), price: z.number().describe("Euro") })).describe("What"),
      }),
      errors: { no_such${index}: error({ code: "not_found", when: "there is none" }) },
      tool: "s${service}_do${index}",
    }),`,
  ).join("");
  return `import * as z from "zod";
import { defineContract, error, query } from "@fairlead/contracts";
export default defineContract({ id: "s${service}", version: "1.0.0", summary: "Service ${service}.", procedures: {${procedures}
} });
`;
};

const consumerText = (): string => {
  const lines = Array.from({ length: calls }, (_, index) => {
    const path = `s${index % services}.do${index % proceduresEach}`;
    const input = '{ id: "a", count: 1, mode: "fast", place: { x: 1, y: 2 } }';
    return `export const r${index} = (await client.${path}.query(${input})).items.map((item) => item.price);`;
  });
  return `import { createTRPCClient, httpBatchLink } from "@trpc/client";
import type { AppRouter } from "./gen/app-router.ts";
const client = createTRPCClient<AppRouter>({ links: [httpBatchLink({ url: "http://localhost" })] });
${lines.join("\n")}
`;
};

const timed = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
  const start = performance.now();
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  const wall = Math.round(performance.now() - start);
  console.log(`${name}: ${wall} ms, ${Math.round((user + system) / 1_000)} ms CPU`);
  return result;
};

const watched = async (options: Parameters<typeof generate>[0], file: string): Promise<void> => {
  const stop = new AbortController();
  let arrived: (result: GenerateResult) => void = () => undefined;
  const next = (): Promise<GenerateResult> => new Promise((resolve) => (arrived = resolve));
  const first = next();
  const running = watch(options, (result) => arrived(result), stop.signal);
  await first;
  const text = await readFile(file, "utf8");
  for (const round of [1, 2, 3, 4, 5]) {
    const result = next();
    await timed(`watch mode, edit ${round} to the last file written`, async () => {
      await writeFile(file, text.replace("Does thing 3.", `Does thing 3, round ${round}.`));
      return result;
    });
  }
  stop.abort();
  await running;
};

const typeCost = async (root: string): Promise<void> => {
  const options = {
    compilerOptions: {
      strict: true,
      module: "nodenext",
      target: "es2024",
      lib: ["es2024", "dom"],
      types: [],
      customConditions: ["@fairlead/source"],
      noEmit: true,
      skipLibCheck: true,
      allowImportingTsExtensions: true,
    },
    files: ["consumer.ts"],
  };
  await writeFile(join(root, "package.json"), '{ "type": "module" }');
  await writeFile(join(root, "tsconfig.json"), JSON.stringify(options));
  await writeFile(join(root, "consumer.ts"), consumerText());
  const { stdout } = await run(join(repository, "node_modules/.bin/tsc"), ["-p", root, "--extendedDiagnostics"]).catch(
    (failure: { readonly stdout: string }) => failure,
  );
  const wanted = /^(?:Types|Instantiations|Memory used|Check time|Total time|.*error)/;
  console.log(
    stdout
      .split("\n")
      .filter((line) => wanted.test(line))
      .slice(0, 20)
      .join("\n"),
  );
};

/** Milliseconds of processor time of a new process that generates once. */
const costOfProcess = async (root: string, proof: number): Promise<number> => {
  const script = `import { generate } from "@fairlead/codegen"; import { genConfigSchema } from "@fairlead/contracts";
    const before = process.cpuUsage();
    await generate({ root: ${JSON.stringify(root)}, config: genConfigSchema.parse({ proof: ${proof} }) });
    const { user, system } = process.cpuUsage(before); console.log((user + system) / 1000); process.exit(0);`;
  const options = ["--conditions=@fairlead/source", "--input-type=module", "-e", script];
  return Number((await run(process.execPath, options, { cwd: join(repository, "test") })).stdout);
};

/** The least of three: other processes only ever add to it. */
const least = async (cost: () => Promise<number>): Promise<number> =>
  Math.min(await cost(), await cost(), await cost());

const proofCost = async (root: string): Promise<void> => {
  const forget = () => rm(join(root, "node_modules/.cache"), { recursive: true, force: true });
  const without = await least(() => costOfProcess(root, 0));
  const known = await least(() => costOfProcess(root, 50));
  const first = await least(async () => {
    await forget();
    return costOfProcess(root, 50);
  });
  const ratio = (cost: number): string => `${(cost / without).toFixed(2)} of a run without proof`;
  console.log(`proof of all schemas: the first time ${ratio(first)}, known ${ratio(known)}`);
};

export const benchCodegen = async (): Promise<void> => {
  const root = await mkdtemp(join(tmpdir(), "fairlead-bench-"));
  try {
    await mkdir(join(root, "contracts"));
    await mkdir(join(root, "node_modules"));
    for (const name of ["@fairlead", "@trpc", "zod"])
      await symlink(join(repository, "node_modules", name), join(root, "node_modules", name));
    for (let service = 0; service < services; service += 1) {
      await writeFile(join(root, `contracts/s${service}.contract.ts`), contractText(service));
    }
    const options = { root, config: genConfigSchema.parse({}) };
    const count = services * proceduresEach;
    const { ok, written } = await timed(`${count} procedures from nothing`, () => generate(options));
    console.log(`ok: ${ok}, files: ${written.length}`);
    await timed("again, modules loaded, nothing changed", () => generate(options));
    await watched(options, join(root, "contracts/s7.contract.ts"));
    await proofCost(root);
    await typeCost(root);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
};
