/** `fairlead init` and `fairlead new` in a project of one's own: what they write. That it installs and runs is tried with the packed packages. */
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runHere } from "./in-process.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fairlead-init-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const read = (path: string): string => readFileSync(join(folder, path), "utf8");
const repository = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));

test("a new project declares every package that its code imports, in the versions of this repository", async () => {
  expect(await runHere(["init", "My App"], { cwd: folder })).toMatchObject({ code: 0, err: "" });
  const { name, dependencies, devDependencies, scripts } = JSON.parse(read("My App/package.json"));
  expect(name).toBe("my-app");
  const imported = globSync("My App/**/*.ts", { cwd: folder })
    .flatMap((path) => [...read(path).matchAll(/from "([^."][^"]*)"/g)].map(([, specifier = ""]) => specifier))
    .filter((specifier) => !isBuiltin(specifier))
    .map((specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0]);
  expect(Object.keys({ ...dependencies, ...devDependencies })).toEqual(expect.arrayContaining([...new Set(imported)]));
  const own = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const checked = { ...own.devDependencies, ...repository.devDependencies };
  for (const [tool, version] of Object.entries(devDependencies)) expect(checked[tool]).toBe(version);
  expect(dependencies.zod).toMatch(/^\d/);
  expect(scripts.start).toBe("exec fairlead up");
});

test("overwrites nothing, and new writes the same files as init", async () => {
  expect((await runHere(["init"], { cwd: folder })).code).toBe(0);
  expect((await runHere(["init"], { cwd: folder })).code).toBe(8);
  expect((await runHere(["init", "other", "--service", "Wrong"], { cwd: folder })).code).toBe(2);
  const { out } = await runHere(["new", "weather", "--json"], { cwd: folder });
  expect(JSON.parse(out).created).toEqual([
    "contracts/weather.contract.ts",
    "services/weather/service.ts",
    "services/weather/service.test.ts",
  ]);
  expect(read("services/weather/service.test.ts")).toBe(
    read("services/hello/service.test.ts").replaceAll("hello.greet", "weather.greet"),
  );
});

test("goes on with the package manager that started it", async () => {
  const next = async (folderName: string, agent: string) => {
    const env = { npm_config_user_agent: agent };
    const { out } = await runHere(["init", folderName, "--json"], { cwd: folder, env });
    return JSON.parse(out).next;
  };
  expect(await next("one", "npm/11.19.1 node/v24.21.0 linux x64")).toEqual(["cd one", "npm install", "npm run dev"]);
  expect(await next("two", "pnpm/12.21.0 npm/? node/v24.21.0")).toEqual(["cd two", "pnpm install", "pnpm run dev"]);
  const old = "yarn/1.22.22 npm/? node/v24.21.0 linux x64";
  expect(await next("three", old)).toEqual(["cd three", "yarn install", "yarn run dev"]);
  expect(await next("four", "yarn/4.18.1 npm/? node/v24.21.0")).toEqual(["cd four", "yarn install", "yarn run dev"]);
  expect(globSync("*/.yarnrc.yml", { cwd: folder })).toEqual(["four/.yarnrc.yml"]);
  const { packages } = JSON.parse(readFileSync(new URL("../../../package-lock.json", import.meta.url), "utf8"));
  for (const name of ["three", "four"])
    expect(JSON.parse(read(`${name}/package.json`)).devDependencies.vite).toBe(packages["node_modules/vite"].version);
  expect(JSON.parse(read("four/package.json")).scripts.start).toBe("fairlead up");
  expect(read("four/.gitignore")).toBe("node_modules/\ndist/\n.yarn/\n");
});
