/**
 * Adding a service, as the guide says: in a copy of this repository, with one command and one generation. Nothing that people
 * wrote changes besides the new contract and the new service's folder.
 */
import { execFile } from "node:child_process";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Command, environmentOf, run } from "./command.ts";
import { copyRepository, type RepositoryCopy } from "./repository-copy.ts";

let copy: RepositoryCopy;
let command: Command;

const execute = promisify(execFile);

/** This very Node comes first, then the programs of the copy's `node_modules`; proxies and certificates may be needed. */
const environment = () => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(NODE_EXTRA_CA_CERTS|.*_PROXY)$/i.test(name))),
  ...environmentOf({}),
  PATH: [dirname(process.execPath), join(copy.folder, "node_modules/.bin"), process.env.PATH ?? ""].join(":"),
});

/** Runs a program in one of the copy's folders; rejects when it fails. */
const program = (name: string, args: readonly string[], folder = ".") =>
  execute(name, args, { cwd: join(copy.folder, folder), env: environment(), maxBuffer: 16 * 1_048_576 });

const npm = (args: readonly string[], folder?: string) => program("npm", args, folder);

beforeAll(async () => {
  copy = await copyRepository();
  command = { bin: join(copy.folder, "clients/cli/bin/fairlead.js"), cwd: copy.folder };
});
afterAll(() => copy.remove());

it("what is generated is what the contracts say, to begin with", async () => {
  const { code, out } = await run(command, ["gen", "--check"]);
  expect({ code, out }).toEqual({ code: 0, out: "everything generated is current\n" });
});

it("one command writes the contract and the service, and nothing else", async () => {
  expect(await run(command, ["new", "quokkacensus"])).toMatchObject({ code: 0, err: "" });
  const written = copy.changed();
  expect(written).toContain("services/quokkacensus/src/service.ts");
  expect(written.filter((path) => !path.startsWith("services/quokkacensus/"))).toEqual([
    "contracts/src/quokkacensus.contract.ts",
  ]);
});

it("installing names it in the lockfile, and changes nothing else", async () => {
  const before = new Set(copy.changed());
  await npm(["install", "--package-lock-only", "--prefer-offline", "--ignore-scripts"]);
  expect(copy.changed().filter((path) => !before.has(path))).toEqual(["package-lock.json"]);
  await copy.link("services/quokkacensus");
});

it("one generation changes generated files, and nothing else", async () => {
  const before = new Set(copy.changed());
  expect(await run(command, ["gen"])).toMatchObject({ code: 0 });
  const generated = copy.changed().filter((path) => !before.has(path));
  expect(generated).toEqual(
    expect.arrayContaining(["clients/typescript/gen/quokkacensus.ts", "contracts/gen/quokkacensus.schema.json"]),
  );
  expect(generated.filter((path) => !path.includes("/gen/"))).toEqual([]);
  expect([...before].filter((path) => !copy.changed().includes(path))).toEqual([]);
  expect(await run(command, ["gen", "--check"])).toMatchObject({ code: 0 });
});

it("the new procedure answers", async () => {
  expect(await run(command, ["call", "quokkacensus.greet", "-d", '{"name":"Ada"}'])).toMatchObject({
    code: 0,
    out: '{"greeting":"Hello, Ada."}\n',
    err: "",
  });
  expect(await run(command, ["call", "quokkacensus.greet", "-d", '{"name":" "}'])).toMatchObject({ code: 5, out: "" });
});

it("the test that came with it passes, and so do the checks of the house on where files stand", async () => {
  const tested = await npm(["run", "--silent", "test"], "services/quokkacensus");
  expect(tested.stdout).toMatch(/2 passed/);
  await program("tsc", ["-p", "services/quokkacensus"]);
  await program("biome", ["check", "services/quokkacensus", "contracts/src/quokkacensus.contract.ts"]);
  await program(
    "vitest",
    ["run", "--root", ".", "--config", "../vitest.shared.ts", "architecture/rooms.test.ts"],
    "test",
  );
});
