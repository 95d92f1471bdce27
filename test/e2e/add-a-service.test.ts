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

const execute = promisify(execFile);

let copy: RepositoryCopy;
let command: Command;

/** A program of the copy's own `node_modules`, run in one of its folders; rejects when it fails. */
const tool = (name: string, args: readonly string[], folder = ".") => {
  const bin = join(copy.folder, "node_modules/.bin");
  const env = { ...environmentOf({}), PATH: [dirname(process.execPath), bin, process.env.PATH ?? ""].join(":") };
  return execute(join(bin, name), args, { cwd: join(copy.folder, folder), env, maxBuffer: 16 * 1_048_576 });
};

beforeAll(async () => {
  copy = await copyRepository();
  command = { bin: join(copy.folder, "clients/cli/bin/fairlead.js"), cwd: copy.folder };
  expect(await run(command, ["gen", "--check"])).toMatchObject({ code: 0 });
}, 60_000);
afterAll(() => copy.remove());

it("one command writes the contract and the service, and nothing else", async () => {
  expect(await run(command, ["new", "weather"])).toMatchObject({ code: 0, err: "" });
  const written = copy.changed();
  expect(written).toContain("services/weather/src/service.ts");
  expect(written.filter((path) => !path.startsWith("services/weather/"))).toEqual([
    "contracts/src/weather.contract.ts",
  ]);
});

it("one generation changes generated files, and nothing else", async () => {
  await copy.link("services/weather");
  const before = new Set(copy.changed());
  expect(await run(command, ["gen"])).toMatchObject({ code: 0, err: "" });
  const generated = copy.changed().filter((path) => !before.has(path));
  expect(generated).toEqual(
    expect.arrayContaining(["clients/typescript/gen/weather.ts", "contracts/gen/weather.schema.json"]),
  );
  expect(generated.filter((path) => !path.includes("/gen/"))).toEqual([]);
  expect([...before].filter((path) => !copy.changed().includes(path))).toEqual([]);
  expect(await run(command, ["gen", "--check"])).toMatchObject({ code: 0 });
});

it("the new procedure answers", async () => {
  expect(await run(command, ["call", "weather.greet", "-d", '{"name":"Ada"}'])).toMatchObject({
    code: 0,
    out: '{"greeting":"Hello, Ada."}\n',
    err: "",
  });
  expect(await run(command, ["call", "weather.greet", "-d", '{"name":" "}'])).toMatchObject({ code: 5, out: "" });
});

it("the test that came with it passes, and so do the checks of the house", async () => {
  const tested = await execute("npm", ["run", "--silent", "test"], {
    cwd: join(copy.folder, "services/weather"),
    env: { ...environmentOf({}), PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
  });
  expect(tested.stdout).toMatch(/2 passed/);
  await tool("tsc", ["-p", "services/weather"]);
  await tool("biome", ["check", "services/weather", "contracts/src/weather.contract.ts"]);
  await tool("vitest", ["run", "--root", ".", "--config", "../vitest.shared.ts", "architecture"], "test");
});
