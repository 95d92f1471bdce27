import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { genConfigSchema } from "@fairlead/contracts";
import { expect, test } from "vitest";
import { generate } from "../generate.ts";
import { temporaryProject } from "../testing/fixture.ts";
import { scaffold } from "./scaffold.ts";

const config = genConfigSchema.parse({ loadTimeoutMs: 240_000 });

test("an outside project gets a contract and a service that generate without a complaint", async () => {
  using project = temporaryProject();
  const { root } = project;
  const made = await scaffold({ root, config, id: "weather" });
  const created = ["contracts/weather.contract.ts", "services/weather/service.ts"];
  expect(made).toMatchObject({ ok: true, created: [...created, "fairlead.config.ts"] });
  expect(readFileSync(join(root, "fairlead.config.ts"), "utf8")).toContain('{ manifest: "./gen/manifest.ts" }');
  const result = await generate({ root, config });
  expect(result).toMatchObject({ ok: true, diagnostics: [] });
  expect(readFileSync(join(root, "gen/manifest.ts"), "utf8")).toContain("../services/weather/service.ts");
});

test.each([
  [
    "that names no manifest",
    false,
    [expect.stringContaining('`manifest: "./made/kernel/manifest.ts"` to settings.json')],
  ],
  ["that names one", true, []],
])("a project with a configuration %s keeps it", async (_, namesManifest, next) => {
  using project = temporaryProject();
  const { root } = project;
  const out = { schemas: "made", kernel: "made/kernel", client: "made" };
  const made = await scaffold({
    root,
    config: { ...config, out },
    id: "weather",
    settings: { path: join(root, "settings.json"), namesManifest },
  });
  expect(made).toMatchObject({
    ok: true,
    created: ["contracts/weather.contract.ts", "services/weather/service.ts"],
    next: [expect.stringMatching(/^edit /), ...next, "run `fairlead gen`"],
  });
});

test("what the files import and is not installed is to be installed first", async () => {
  using project = temporaryProject();
  const { root } = project;
  rmSync(join(root, "node_modules"));
  const install = "`npm install @fairlead/client @fairlead/contracts @fairlead/kernel zod`";
  const bare = await scaffold({ root, config, id: "weather" });
  expect(bare).toMatchObject({ next: [expect.stringMatching(/^edit /), `run ${install}`, "run `fairlead gen`"] });
  for (const file of ["package.json", "fairlead.config.ts"]) rmSync(join(root, file));
  const strange = await scaffold({ root, config, id: "tides" });
  const first = `there is no package.json: run \`npm init -y\` and \`npm pkg set type=module\`, then ${install}`;
  expect(strange).toMatchObject({ next: [expect.stringMatching(/^edit /), first, "run `fairlead gen`"] });
});

test("a workspace gets a package", async () => {
  using project = temporaryProject({
    "contracts/package.json": JSON.stringify({
      name: "@fairlead/contracts",
      version: "0.3.0",
      dependencies: { zod: "4.0.0" },
    }),
  });
  const { root } = project;
  const workspace = genConfigSchema.parse({ contracts: ["contracts/src"], loadTimeoutMs: 240_000 });
  const made = await scaffold({ root, config: workspace, id: "weather" });
  expect(made).toEqual({
    ok: true,
    created: [
      "contracts/src/weather.contract.ts",
      "services/weather/package.json",
      "services/weather/src/contract.ts",
      "services/weather/turbo.json",
      "services/weather/tsconfig.json",
      "services/weather/tsconfig.build.json",
      "services/weather/src/service.ts",
      "services/weather/src/service.test.ts",
    ],
    next: [
      "edit contracts/src/weather.contract.ts and services/weather/src/service.ts",
      "run `npm install`",
      "run `fairlead gen`",
    ],
  });
  const text = (path: string): string => readFileSync(join(root, path), "utf8");
  expect(JSON.parse(text("services/weather/package.json"))).toMatchObject({
    name: "@fairlead/service-weather",
    // What a project plugs in.
    exports: {
      "./contract": { default: "./dist/src/contract.js" },
      "./client": { default: "./dist/client/weather.js" },
      "./service": { default: "./dist/src/service.js" },
    },
    dependencies: { "@fairlead/contracts": "0.3.0", zod: "4.0.0" },
  });
  expect(text("contracts/src/weather.contract.ts")).toContain('from "./core/index.ts"');
  expect(text("services/weather/tsconfig.json")).toContain('"../../tsconfig.base.json"');
});

test("nothing is overwritten, and bad ids are refused", async () => {
  using project = temporaryProject({ "services/weather/service.ts": "export {};\n" });
  const { root } = project;
  expect(await scaffold({ root, config, id: "weather" })).toMatchObject({
    ok: false,
    message: "services/weather/service.ts exists already",
  });
  expect(readFileSync(join(root, "services/weather/service.ts"), "utf8")).toBe("export {};\n");
  for (const id of ["", "Weather", "../x", "a-b", "9x", "x".repeat(25)]) {
    expect(await scaffold({ root, config, id })).toMatchObject({ ok: false });
  }
  for (const id of ["kernel", "import", "lambda", "nul", "router"]) {
    expect(await scaffold({ root, config, id })).toMatchObject({ ok: false, fix: "choose another id" });
  }
});
