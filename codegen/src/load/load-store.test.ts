import { rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { contractFile, type TemporaryProject, temporaryProject } from "../testing/fixture.ts";
import type { CheckedFile } from "./checked-file.ts";
import { loadSession } from "./load-session.ts";

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

/** With times of long ago: what was written just before it is loaded is not kept. */
const project = (files: Readonly<Record<string, string>>): TemporaryProject => {
  const made = temporaryProject(files);
  for (const path of Object.keys(files)) settle(made, path);
  return made;
};
const settle = ({ root }: TemporaryProject, path: string): void => utimesSync(join(root, path), 1, 1);

test("a file is not loaded again by the next process, until it or one that it imports has changed", async () => {
  using made = project({
    "contracts/sums.contract.ts": randomContract('import { part } from "./part.ts";', `\${part}`),
    "contracts/part.ts": 'import { word } from "./word.ts"; export const part: string = word;',
    "contracts/word.ts": 'export const word = "one";',
  });
  const first = await load(made);
  expect(first.diagnostics).toEqual([]);
  expect(first.services[0]?.procedures[0]?.summary).toMatch(/^S0.*one\.$/);
  expect(await load(made)).toEqual(first);
  made.write("contracts/word.ts", 'export const word = "two";');
  settle(made, "contracts/word.ts");
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
  using made = project({
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

test.for([
  ["reads an environment variable", "if (process.env.SUMS_MODE === '1') throw 1;"],
  ["lists environment variables", "Object.keys(process.env);"],
  ["reads files", 'import { existsSync } from "node:fs"; existsSync("/");'],
  ["prints", 'console.log("loud");'],
] as const)("a file that %s is loaded by each process", async ([, body]) => {
  using made = project({ "contracts/sums.contract.ts": randomContract(body) });
  const first = await load(made);
  expect(first.diagnostics).toEqual([]);
  expect(await load(made)).not.toEqual(first);
});

test("what was written just before it was loaded, and what has an error, is loaded again", async () => {
  using made = temporaryProject({ "contracts/sums.contract.ts": randomContract() });
  expect(await load(made)).not.toEqual(await load(made));
  made.write("contracts/sums.contract.ts", randomContract().replace('tool: "sums_add"', 'tool: "Sums Add"'));
  settle(made, "contracts/sums.contract.ts");
  const broken = await load(made);
  expect(broken.diagnostics).not.toEqual([]);
  expect(await load(made)).not.toEqual(broken);
});

test("a damaged store is an empty one", async () => {
  using made = project({ "contracts/sums.contract.ts": randomContract() });
  const first = await load(made);
  made.write("loads.bin", "damaged");
  const second = await load(made);
  expect(second).not.toEqual(first);
  expect(await load(made)).toEqual(second);
});
