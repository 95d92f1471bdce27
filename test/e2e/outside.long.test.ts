/**
 * Fairlead as others get it: the packages are built, packed and installed into a project outside this repository, which generates,
 * serves and calls a contract of its own, with no service package beside it, with one and with two. Then as somebody new gets it, from a registry. Everything installed is JavaScript, since Node strips no types below `node_modules`.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installForeign } from "../foreign/install.ts";
import { type Command, repository, run, type Started, start, stop } from "./command.ts";
import { describePage } from "./guide.ts";
import { installSize } from "./install-size.ts";
import { describeNextApp } from "./next-app.ts";
import { projectFiles } from "./outside-project.ts";
import { describePackageManagers } from "./package-managers.ts";
import { describePackagedService } from "./packaged-service.ts";
import { env, install, packages, packPackages, readManifest } from "./packed.ts";
import { type Registry, startRegistry } from "./registry.ts";
import { describeViteApp } from "./vite-app.ts";

const execute = promisify(execFile);

let folder: string;
let command: Command;
/** Paths of the files by package. */
let packed: Readonly<Record<string, string>>;
let registry: Registry;

const installed = (...parts: readonly string[]): string => join(folder, "node_modules", ...parts);

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "fairlead-outside-")));
  command = { bin: installed("fairlead/bin/fairlead.js"), cwd: folder };
  await mkdir(join(folder, "packed"));
  packed = await packPackages(join(folder, "packed"));
  registry = await startRegistry();
  const dependencies = Object.entries(packed).map(([name, file]) => [name, `file:${file}`]);
  const { "@types/node": types = "", typescript = "", vitest = "" } = readManifest(repository).devDependencies;
  const others = { "@types/node": types, typescript, vitest };
  const files = projectFiles({ ...Object.fromEntries(dependencies), ...others });
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  await install(folder);
});

afterAll(async () => {
  await registry?.close();
  await rm(folder, { recursive: true, force: true });
});

describe("what was packed", () => {
  it.each(Object.keys(packages))("%s is built JavaScript, and no tests", async (name) => {
    const files = await readdir(installed(name), { recursive: true });
    const sources = files.filter((file) => /\.ts$/.test(file) && !/\.d\.ts$/.test(file));
    const forTests = files.filter(
      (file) =>
        !file.startsWith("docs/") && /\.(test|test-d|soak)\.|fixture|\bfake|(^|\/)(testing|cases?)\b/.test(file),
    );
    expect({ sources, forTests }).toEqual({ sources: [], forTests: [] });
    expect(files.some((file) => /^(?:dist|bin)\/.*\.js$/.test(file))).toBe(true);
  });

  it("brings no SDK of a model along", () => {
    expect(existsSync(installed("@anthropic-ai"))).toBe(false);
  });

  it.each(Object.keys(packages))("%s has its licence and notices with it", async (name) => {
    for (const file of ["LICENSE", "NOTICE"])
      expect(await readFile(installed(name, file), "utf8")).toBe(await readFile(join(repository, file), "utf8"));
  });

  it.each(Object.keys(packages))("%s says in a README what it is", async (name) => {
    expect(await readFile(installed(name, "README.md"), "utf8")).toMatch(/^# \S/);
  });

  it("has nothing that publint or are-the-types-wrong would change", async () => {
    const linters = await installForeign("publint");
    try {
      const files = Object.values(packed);
      const found: Readonly<Record<string, readonly string[]>> = JSON.parse(await linters.run("check.js", ...files));
      expect(Object.keys(found)).toHaveLength(files.length);
      // Sources are for this repository, under a condition that only its own tools set.
      expect(Object.values(found).flatMap((each) => each.filter((text) => !text.includes("@fairlead/source")))).toEqual(
        [],
      );
    } finally {
      await linters.remove();
    }
  }, 120_000);

  it("has the documentation in the command's package", async () => {
    expect(await readFile(installed("fairlead/docs/llms.txt"), "utf8")).toContain("(guide.md)");
    expect(existsSync(installed("fairlead/docs/guide.md"))).toBe(true);
  });

  it.each(Object.keys(packages))("every export of %s leads to a file that is there", async (name) => {
    const { exports = {}, bin = {} } = JSON.parse(await readFile(installed(name, "package.json"), "utf8"));
    const targets = [...Object.values(bin), ...Object.values(exports).flatMap((target) => targetsOf(target))];
    expect(targets.length).toBeGreaterThan(0);
    const files = await readdir(installed(name), { recursive: true });
    for (const target of targets) {
      const pattern = new RegExp(`^${RegExp.escape(String(target).replace(/^\.\//, "")).replaceAll("\\*", ".+")}$`);
      expect(files, `${name} exports ${target}`).toSatisfy((all: readonly string[]) =>
        all.some((file) => pattern.test(file)),
      );
    }
  });
});

/** A picture of one pixel, in the project in which docs/files.md begins. */
const inAlbum = [
  "npx fairlead init album-app --service album",
  "cd album-app",
  "rm services/album/service.test.ts",
  "echo iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg== | base64 -d > cat.png",
];

describe("the platform by itself", () => {
  let alone: string;
  let own: Command;
  const at = (...parts: readonly string[]): string => join(alone, "node_modules", ...parts);
  const app = (...parts: readonly string[]): string => join(alone, "my-app", ...parts);
  const inApp = (...args: readonly string[]) => run({ ...own, cwd: app() }, args);

  beforeAll(async () => {
    alone = await realpath(await mkdtemp(join(tmpdir(), "fairlead-alone-")));
    own = { bin: at("fairlead/bin/fairlead.js"), cwd: alone };
    const platform = Object.entries(packed).flatMap(([name, file]) => (/service-|linq/.test(name) ? [] : [file]));
    await writeFile(join(alone, "package.json"), '{ "private": true }');
    const { "@types/node": types = "", typescript = "", vitest = "" } = readManifest(repository).devDependencies;
    const others = [`@types/node@${types}`, `typescript@${typescript}`, `vitest@${vitest}`];
    await install(alone, [...platform, ...others, "@types/better-sqlite3@9.6.0"]);
  });
  afterAll(() => rm(alone, { recursive: true, force: true }));

  it("installs no service, and nothing that only a service needs", async () => {
    expect((await readdir(at("@fairlead"))).toSorted()).toEqual([
      "client",
      "codegen",
      "console",
      "contracts",
      "kernel",
    ]);
    for (const name of ["wasmoon", "@anthropic-ai"]) expect(existsSync(at(name)), name).toBe(false);
  });

  it("brings at most 165 MB of other packages, and no bundler", () => {
    const others = [...installSize(alone, "fairlead")].filter(
      ([place]) => !/node_modules\/(?:fairlead|@fairlead\/[\w-]+)$/.test(place),
    );
    const total = others.reduce((sum, [, bytes]) => sum + bytes, 0);
    const largest = others.toSorted(([, a], [, b]) => b - a).slice(0, 10);
    expect(total, JSON.stringify(largest)).toBeLessThan(165_000_000);
    expect(others.filter(([place]) => place.includes("rolldown"))).toEqual([]);
  });

  it("publishes the kernel's contract alone", async () => {
    const shipped = /(?:^|\/)(?:rules|pob|inspector|connections|loop)[./]/;
    for (const name of ["contracts/dist/src", "client/dist/gen", "kernel/dist/gen"]) {
      const files = (await readdir(at("@fairlead", name), { recursive: true })).filter((file) => shipped.test(file));
      expect(files, name).toEqual([]);
    }
    expect(await readFile(at("@fairlead/kernel/dist/gen/openapi.json"), "utf8")).not.toContain("/api/rules/");
  });

  it("says what to do next where there is no project", async () => {
    const up = start({ ...own, env: { XDG_STATE_HOME: join(alone, "state") } }, ["up", "--port", "0"]);
    try {
      await up.until(/openapi\.json\n/);
      up.child.kill("SIGTERM");
    } catch (error) {
      await stop(up);
      throw error;
    }
    const { err } = await up.ended;
    expect(err).toContain("no service runs here, since this is not a project");
    expect(err).toContain("fairlead init my-app` makes one");
  });

  it("makes a project that generates, type-checks and tests without an edit", async () => {
    // What npm runs for `npm create fairlead my-app`, once the package is there.
    const created = await execute(at(".bin/create-fairlead"), ["my-app"], { cwd: alone, env });
    expect(created).toMatchObject({ stdout: expect.stringContaining("next: npm run dev"), stderr: "" });
    expect((await inApp("gen")).code).toBe(0);
    const node = (file: string, ...args: readonly string[]) =>
      execute(process.execPath, [at(file), ...args], { cwd: app(), env });
    expect((await node("typescript/bin/tsc")).stdout).toBe("");
    expect((await node("vitest/vitest.mjs", "run", "--root", ".")).stdout).toContain("2 passed");
    const [client = ""] = (await readdir(app("contracts"))).map((file) => file.replace(".contract.ts", ""));
    await writeFile(app("consumer.ts"), `import "@fairlead/client";\nimport "./gen/${client}.ts";\n`);
    const only = { extends: "./tsconfig.json", include: [], files: ["consumer.ts"], compilerOptions: { types: [] } };
    await writeFile(app("consumer.json"), JSON.stringify(only));
    const read = (await node("typescript/bin/tsc", "-p", "consumer.json", "--listFiles")).stdout;
    expect(read).toContain("@fairlead/client/");
    // What a program that calls checks is small: of types of others, the compiler's own.
    expect(read).not.toMatch(/node_modules\/(?!@fairlead\/client\/|@typescript\/|typescript\/)/);
  });

  /** Builds the project, and gets a path of the result where nothing is installed. */
  const getBuilt = async (path: string, init?: RequestInit): Promise<unknown> => {
    expect(await inApp("build")).toMatchObject({ code: 0, err: "" });
    const elsewhere = await realpath(await mkdtemp(join(tmpdir(), "fairlead-built-")));
    await cp(app("dist"), join(elsewhere, "dist"), { recursive: true });
    const up = start({ bin: join(elsewhere, "dist/index.js"), cwd: elsewhere }, ["--port", "0", "--json"]);
    try {
      const { http } = JSON.parse((await up.until(/\n/)).split("\n")[0] ?? "");
      return await (await fetch(`${http}/${path}`, init)).json();
    } finally {
      await stop(up);
      await rm(elsewhere, { recursive: true, force: true });
    }
  };

  it("builds a project, which runs where nothing is installed", async () => {
    expect(await getBuilt("hello/greet?name=Ada")).toEqual({ greeting: "Hello, Ada." });
  });

  describeViteApp(
    () => registry,
    () => ({ ...own, cwd: app() }),
  );
  describePage("guide.md", () => alone);
  describePage("files.md", () => alone, inAlbum);

  it("takes a service package by one line", async () => {
    await install(alone, [packed["@fairlead/service-rules"] ?? ""]);
    const file = app("fairlead.config.ts");
    const line = 'gen: { include: ["@fairlead/service-rules"] },';
    const edited = (await readFile(file, "utf8")).replace('"./gen/manifest.ts"', `"./gen/manifest.ts", ${line}`);
    expect(edited).toContain(`export default { manifest: "./gen/manifest.ts", ${line}`);
    await writeFile(file, edited);
    expect(await inApp("gen")).toMatchObject({ code: 0, err: "" });
    expect(existsSync(app("gen/rules.ts"))).toBe(true);
    const rolled = { total: 3 };
    const dice = JSON.stringify({ notation: "2d6", dice: { values: [1, 2] } });
    const called = await inApp("call", "rules.roll", "-d", dice);
    expect({ ...called, out: JSON.parse(called.out) }).toMatchObject({ code: 0, out: rolled, err: "" });
    expect((await inApp("describe", "rules")).out).toContain("resolveAttack");
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: dice };
    expect(await getBuilt("rules/roll", init)).toMatchObject(rolled);
  });
});

/** Where an export leads without our source condition. */
const targetsOf = (target: unknown): readonly string[] =>
  typeof target === "string"
    ? [target]
    : Object.entries(Object(target)).flatMap(([condition, next]) =>
        condition === "@fairlead/source" ? [] : targetsOf(next),
      );

describe("the installed command", () => {
  it("says its version and what it can do", async () => {
    const { version } = JSON.parse(await readFile(installed("fairlead/package.json"), "utf8"));
    const { stdout } = await execute(installed(".bin/fairlead"), ["version"], { cwd: folder, env });
    expect(stdout).toBe(`${version}\n`);
    const help = await run(command, ["--help"]);
    expect(help).toMatchObject({ code: 0, err: "" });
    expect(help.out).toContain("gen");
  });

  it("generates from the project's contract and from those of two packages", async () => {
    const { code, out, err } = await run(command, ["gen"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("written  gen/greeter.ts");
    for (const file of ["openapi.json", "rules.ts", "pob.ts"]) expect(existsSync(join(folder, "gen", file))).toBe(true);
    expect(await run(command, ["gen", "--check"])).toMatchObject({ code: 0 });
  });

  it("calls the project's own procedure in process", async () => {
    expect(await run(command, ["call", "greeter.greet", "-d", '{"name":"Ada"}'])).toMatchObject({
      code: 0,
      out: '{"greeting":"Hello, Ada!"}\n',
      err: "",
    });
    const refused = await run(command, ["call", "greeter.greet", "-d", '{"name":"Nobody"}']);
    expect(refused).toMatchObject({ code: 5, out: "" });
    expect(refused.err).toContain('"reason":"stranger","data":{"known":["Ada","Grace"]}');
  });
});

describe("a kernel of the project", () => {
  let up: Started;
  let url: string;

  beforeAll(async () => {
    up = start(command, ["up", "--port", "0"]);
    const [address = ""] = /http:\S+(?=\/openapi\.json\n)/.exec(await up.until(/openapi\.json\n/)) ?? [];
    url = address;
  });
  afterAll(() => stop(up));

  it("answers the command", async () => {
    const called = await run(command, ["call", "greeter.greet", "-d", '{"name":"Grace","times":3}', "--url", url]);
    expect(called).toMatchObject({ code: 0, out: '{"greeting":"Hello, Grace!!!"}\n', err: "" });
  });

  it("answers the generated client, run by plain Node, which type-checks against the packages", async () => {
    const { stdout } = await execute(process.execPath, ["program.ts", url], { cwd: folder, env });
    expect(JSON.parse(stdout)).toEqual({
      remote: { greeting: "Hello, Ada!" },
      direct: { greeting: "Hello, Ada!!" },
      known: ["Ada", "Grace"],
      code: "invalid_argument",
    });
    const checked = await execute(installed(".bin/tsc"), ["-p", "."], { cwd: folder, env });
    expect(checked.stdout).toBe("");
  });

  it("ends on request", async () => {
    up.child.kill("SIGTERM");
    expect(await up.ended).toMatchObject({ code: 143 });
    expect(up.groupLives()).toBe(false);
  });
});

it("an MCP client starts the installed command, and sees the project's tools and those of packages", async () => {
  const client = new Client({ name: "outside", version: "1.0.0" });
  const args = [command.bin, "mcp", "serve", "--stdio"];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: folder, env }));
  try {
    expect(await client.callTool({ name: "greeter_greet", arguments: { name: "Ada" } })).toMatchObject({
      structuredContent: { greeting: "Hello, Ada!" },
    });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["greeter_greet", "resolve_attack", "parse_build"]),
    );
  } finally {
    await client.close();
  }
});

describePackagedService(
  () => Object.values(packed),
  () => command,
);
describeNextApp(() => Object.values(packed));
describePackageManagers(() => registry);
