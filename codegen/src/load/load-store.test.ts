import { readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { contractFile, type TemporaryProject, temporaryProject } from "../testing/fixture.ts";
import type { CheckedFile } from "./checked-file.ts";
import { loadSession } from "./load-session.ts";

const inLongTier = process.env.TESTS_TIER === "long";

/** Not the same when it is loaded again. */
const summary = (part = ""): string => `S\${Math.random()}${part}`;
const randomContract = (body = "", part = ""): string =>
  contractFile("sums", { summary: summary(part), body }).replace(/summary: "(S.*)"/, "summary: `$1.`");

const printed: string[] = [];
afterEach(() => printed.splice(0));

/** Loads in a new session, as a new process would. */
const load = async ({ root }: TemporaryProject, values = 1): Promise<CheckedFile> => {
  const session = loadSession();
  const contract = { file: join(root, "contracts/sums.contract.ts"), source: "sums", builtIn: false };
  const options = {
    timeoutMs: 240_000,
    proof: { values, file: undefined },
    loads: join(root, "loads.bin"),
    onOutput: (text: string) => void printed.push(text),
  };
  session.start([contract], options);
  const checked = await session.load(contract, options);
  session.save();
  await session.close();
  return checked;
};

test("a file is not loaded again by the next process, until it or one that it imports has changed", async () => {
  using made = temporaryProject({
    "contracts/sums.contract.ts": randomContract('import { part } from "./part.ts";', `\${part}`),
    "contracts/part.ts": 'import { word } from "./word.ts"; export const part: string = word;',
    "contracts/word.ts": 'export const word = "one";',
  });
  const first = await load(made);
  expect(first.diagnostics).toEqual([]);
  expect(first.services[0]?.procedures[0]?.summary).toMatch(/^S0.*one\.$/);
  expect(await load(made)).toEqual(first);
  made.write("contracts/word.ts", 'export const word = "two";');
  const second = await load(made);
  expect(second.services[0]?.procedures[0]?.summary).toMatch(/^S0.*two\.$/);
  expect(await load(made)).toEqual(second);
  // Another number of values is another proof.
  const third = await load(made, 2);
  expect(third).not.toEqual(second);
  rmSync(join(made.root, "loads.bin"));
  expect(await load(made, 2)).not.toEqual(third);
});

test("an edit of an imported file is noticed in the session that found what was kept", async () => {
  using made = temporaryProject({
    "contracts/sums.contract.ts": randomContract('import { part } from "./part.ts";', `\${part}`),
    "contracts/part.ts": 'export const part = "one";',
  });
  await load(made);
  const session = loadSession();
  const contract = { file: join(made.root, "contracts/sums.contract.ts"), source: "sums", builtIn: false };
  const options = {
    timeoutMs: 240_000,
    proof: { values: 1, file: undefined },
    loads: join(made.root, "loads.bin"),
    onOutput: () => undefined,
  };
  session.start([contract], options);
  await session.load(contract, options);
  made.write("contracts/part.ts", 'export const part = "two";');
  session.graph.changed(join(made.root, "contracts/part.ts"));
  const checked = await session.load(contract, options);
  await session.close();
  expect(checked.services[0]?.procedures[0]?.summary).toMatch(/two\.$/);
});

/** What each contract file of a session came to, by its id. */
const loadAll = async ({ root }: TemporaryProject, bodies: Readonly<Record<string, string>>): Promise<string[]> => {
  const session = loadSession();
  const contracts = Object.keys(bodies).map((id) => ({
    file: join(root, `contracts/${id}/${id}.contract.ts`),
    source: id,
    builtIn: false,
  }));
  const options = {
    timeoutMs: 240_000,
    proof: { values: 1, file: undefined },
    loads: join(root, "loads.bin"),
    onOutput: () => undefined,
  };
  session.start(contracts, options);
  const summaries: string[] = [];
  for (const contract of contracts) {
    const { services, diagnostics } = await session.load(contract, options);
    expect(diagnostics).toEqual([]);
    summaries.push(`${contract.source}: ${services[0]?.procedures[0]?.summary}`);
  }
  session.save();
  await session.close();
  return summaries;
};

test.for([
  {
    plain: "",
    prints: 'console.log("loud");',
    asksnode: 'import { existsSync } from "node:fs"; existsSync("/");',
    catches: "try { await import('./optional.ts'); } catch {}",
    imports: "import { word } from '#word'; export const again = word;",
    shares: "import { word } from 'shared'; export const again = word;",
    requires: "import '../required/required.cjs';",
    // What follows is noted for the whole thread.
    process: "globalThis.process.getBuiltinModule('fs');",
  },
  ...(inLongTier
    ? [
        { variable: "if (process.env.SUMS_MODE === '1') throw 1;" },
        { hasvariable: "Object.hasOwn(process.env, 'SUMS_MODE');" },
      ]
    : []),
])("a file that asks for more than what is kept is loaded by each process: %o", async (bodies) => {
  const contracts = Object.entries(bodies).map(([id, body]) => [
    `contracts/${id}/${id}.contract.ts`,
    contractFile(id, { summary: summary(), body }).replace(/summary: "(S.*)"/, "summary: `$1.`"),
  ]);
  using made = temporaryProject({
    ...Object.fromEntries(contracts),
    "contracts/package.json": JSON.stringify({ type: "module", imports: { "#word": "./word.ts" } }),
    "contracts/word.ts": 'export const word = "one";',
    "contracts/required/word.cjs": 'exports.word = "one";',
    "contracts/required/required.cjs": 'require("./word.cjs");',
    "contracts/node_modules/shared/package.json": JSON.stringify({ type: "module", exports: "./index.js" }),
    "contracts/node_modules/shared/index.js": 'export const word = "one";',
  });
  const first = await loadAll(made, bodies);
  const second = await loadAll(made, bodies);
  expect(first.filter((each) => second.includes(each)).map((each) => each.split(":")[0])).toEqual(
    Object.keys(bodies).filter((id) => id === "plain"),
  );
});

test("what has an error is loaded again", async () => {
  using made = temporaryProject({ "contracts/sums.contract.ts": randomContract() });
  made.write("contracts/sums.contract.ts", randomContract().replace('tool: "sums_add"', 'tool: "Sums Add"'));
  const broken = await load(made);
  expect(broken.diagnostics).not.toEqual([]);
  expect(await load(made)).not.toEqual(broken);
});

const partPackage = (folder: string, word: string): Record<string, string> => ({
  [`${folder}/package.json`]: JSON.stringify({ type: "module", version: "1.0.0", exports: "./index.js" }),
  [`${folder}/index.js`]: `export const part = "${word}";`,
});

const importsPackage = {
  "contracts/sums.contract.ts": randomContract('import { part } from "./deep/part.ts";', `\${part}`),
  "contracts/deep/part.ts": 'export { part } from "@fairlead/part";',
  ...partPackage("parts/one", "one"),
  ...partPackage("parts/two", "two"),
};

if (inLongTier) {
  test("a package that is edited in place, linked elsewhere or installed nearer is noticed, and one that stays is not loaded", async () => {
    using made = temporaryProject({ ...importsPackage, "contracts/node_modules/@fairlead/a": "" });
    const link = join(made.root, "contracts/node_modules/@fairlead/part");
    const words = async (): Promise<string | undefined> =>
      (await load(made)).services[0]?.procedures[0]?.summary.replace(/^S[\d.e-]+?(?=[a-z]+\.$)/, "");
    symlinkSync(join(made.root, "parts/one"), link);
    const first = await load(made);
    expect(first.diagnostics).toEqual([]);
    expect(await load(made)).toEqual(first);
    made.write("parts/one/index.js", 'export const part = "edited";');
    expect(await words()).toBe("edited.");
    rmSync(link);
    symlinkSync(join(made.root, "parts/two"), link);
    expect(await words()).toBe("two.");
    for (const [path, text] of Object.entries(partPackage("contracts/deep/node_modules/@fairlead/part", "nearer")))
      made.write(path, text);
    expect(await words()).toBe("nearer.");
    made.write("elsewhere/index.js", 'export const part = "elsewhere";');
    const entry = join(made.root, "contracts/deep/node_modules/@fairlead/part/index.js");
    rmSync(entry);
    symlinkSync(join(made.root, "elsewhere/index.js"), entry);
    expect(await words()).toBe("elsewhere.");
  });
}

test("a session that has imported a package keeps nothing of it once it has another version", async () => {
  using made = temporaryProject({ ...importsPackage, ...partPackage("contracts/node_modules/@fairlead/part", "one") });
  const file = join(made.root, "contracts/sums.contract.ts");
  const contract = { file, source: "sums", builtIn: false };
  const options = {
    timeoutMs: 240_000,
    proof: { values: 1, file: undefined },
    loads: join(made.root, "loads.bin"),
    onOutput: () => undefined,
  };
  const session = loadSession();
  const run = async (): Promise<void> => {
    session.start([contract], options);
    await session.load(contract, options);
    session.save();
  };
  await run();
  made.write("contracts/node_modules/@fairlead/part/index.js", 'export const part = "two";');
  writeFileSync(file, `${readFileSync(file, "utf8")}\n`);
  session.graph.changed(file);
  await run();
  await session.close();
  expect((await load(made)).services[0]?.procedures[0]?.summary).toMatch(/two\.$/);
});

if (inLongTier) {
  test("a contract that is in a package, behind a link, is noticed when it leads elsewhere", async () => {
    using made = temporaryProject({
      "one/sums.contract.ts": randomContract("", "one"),
      "two/sums.contract.ts": randomContract("", "two"),
    });
    const link = join(made.root, "contracts");
    symlinkSync(join(made.root, "one"), link);
    const first = await load(made);
    expect(await load(made)).toEqual(first);
    rmSync(link);
    symlinkSync(join(made.root, "two"), link);
    expect((await load(made)).services[0]?.procedures[0]?.summary).toMatch(/two\.$/);
  });

  test("a damaged store is an empty one", async () => {
    using made = temporaryProject({ "contracts/sums.contract.ts": randomContract() });
    const first = await load(made);
    const file = join(made.root, "loads.bin");
    const whole = readFileSync(file);
    const zeros = (from: number, to: number): Buffer => Buffer.from(whole).fill(0, from, to);
    const half = Math.floor(whole.length / 2);
    for (const damaged of [Buffer.from("damaged"), whole.subarray(0, half), zeros(half, half + 400), zeros(0, 400)]) {
      writeFileSync(file, damaged);
      const again = await load(made);
      expect(again.diagnostics).toEqual([]);
      expect(again).not.toEqual(first);
      expect(await load(made)).toEqual(again);
    }
  });

  test("a rule of a package is proved again when the package is edited in place", async () => {
    using made = temporaryProject({
      "contracts/sums.contract.ts": contractFile("sums", { body: 'import { rule } from "shared";' }).replace(
        'z.int().describe("One")',
        'z.int().refine(rule).describe("One")',
      ),
      "contracts/node_modules/shared/package.json": JSON.stringify({ type: "module", exports: "./index.js" }),
      "contracts/node_modules/shared/index.js": "export const rule = () => true;",
    });
    const contract = { file: join(made.root, "contracts/sums.contract.ts"), source: "sums", builtIn: false };
    const run = async (): Promise<string[]> => {
      const session = loadSession();
      const options = {
        timeoutMs: 240_000,
        proof: { values: 20, file: join(made.root, "proofs.json") },
        onOutput: () => undefined,
      };
      const { diagnostics } = await session.load(contract, options);
      session.save();
      await session.close();
      return diagnostics.map(({ code }) => code);
    };
    expect(await run()).toEqual([]);
    made.write("contracts/node_modules/shared/index.js", "export const rule = (value) => value > 5;");
    expect(await run()).toEqual(["schema_own_rule"]);
  });
}
