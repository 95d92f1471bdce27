import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { genConfigSchema } from "@fairlead/contracts";
import { expect, test } from "vitest";
import { checkDrift, generate } from "./generate.ts";
import { contractFile, temporaryProject } from "./testing/fixture.ts";

const inLongTier = process.env.TESTS_TIER === "long";

const config = genConfigSchema.parse({ loadTimeoutMs: 240_000 });
const generated = [
  "gen/kernel.schema.json",
  "gen/sums.schema.json",
  "gen/openapi.json",
  "gen/manifest.ts",
  "gen/router.ts",
  "gen/tools.ts",
  "gen/app-router.ts",
  "gen/kernel.ts",
  "gen/sums.ts",
  "fairlead.names.lock",
];

test("writes everything, then nothing", async () => {
  using project = temporaryProject({
    "contracts/sums.contract.ts": contractFile("sums"),
    "services/sums/service.ts": "export default {};",
  });
  const options = { root: project.root, config };
  const first = await generate(options);
  expect(first).toMatchObject({ ok: true, written: generated, unchanged: [], removed: [], diagnostics: [] });
  expect(first.tokens.map(({ endpoint, tools }) => [endpoint, tools])).toEqual([
    ["/mcp", 5],
    ["/mcp/kernel", 4],
    ["/mcp/sums", 1],
  ]);

  const before = statSync(join(project.root, "gen/tools.ts")).ino;
  expect(await checkDrift(options)).toEqual({ ok: true, drift: [], diagnostics: [] });
  expect(await generate(options)).toMatchObject({ ok: true, written: [], unchanged: generated });
  expect(statSync(join(project.root, "gen/tools.ts")).ino).toBe(before);
  expect(readdirSync(join(project.root, "gen")).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

test("reports drift as added, changed or removed, and writes it", async () => {
  using project = temporaryProject({ "contracts/sums.contract.js": contractFile("sums") });
  const options = { root: project.root, config };
  await generate(options);
  const stale = readFileSync(join(project.root, "gen/sums.ts"), "utf8");
  project.write("gen/gone.ts", stale);
  project.write("gen/own.ts", "export const mine = true;\n");
  project.write("gen/router.ts", `${readFileSync(join(project.root, "gen/router.ts"), "utf8")}// edited\n`);
  const { drift } = await checkDrift(options);
  expect(drift).toEqual([
    { path: "gen/router.ts", change: "changed" },
    { path: "gen/gone.ts", change: "removed" },
  ]);
  expect(await generate(options)).toMatchObject({ written: ["gen/router.ts"], removed: ["gen/gone.ts"] });
  expect(existsSync(join(project.root, "gen/own.ts"))).toBe(true);
});

test("writes nothing while there are errors", async () => {
  using project = temporaryProject({ "contracts/sums.contract.ts": contractFile("sums", { summary: "" }) });
  const result = await generate({ root: project.root, config });
  expect(result).toMatchObject({ ok: false, written: [] });
  expect(result.diagnostics.map(({ code, where }) => [code, where])).toContainEqual(["summary_missing", "sums.add"]);
  expect(existsSync(join(project.root, "gen"))).toBe(false);
});

if (inLongTier) {
  test("names packages of services, includes contracts of packages, and splits folders", async () => {
    using project = temporaryProject({
      "services/sums/package.json": '{ "name": "sums-service" }',
      "contracts/sums.contract.ts": contractFile("sums"),
      "more/times.ts": contractFile("times"),
      "services/times.service.js": "export default {};",
    });
    const split = genConfigSchema.parse({
      include: ["./more/times.ts"],
      out: { schemas: "docs/schemas", kernel: "server/gen", client: "web/gen" },
    });
    const { ok, written, diagnostics } = await generate({ root: project.root, config: split });
    expect(diagnostics.map(({ code, where }) => [code, where])).toEqual([["service_not_installed", "sums"]]);
    expect(ok).toBe(true);
    expect(written).toContain("docs/schemas/times.schema.json");
    expect(written).toContain("web/gen/times.ts");
    const manifest = readFileSync(join(project.root, "server/gen/manifest.ts"), "utf8");
    expect(manifest).toContain('{ id: "sums", module: "sums-service" }');
    expect(manifest).toContain('{ id: "times", module: "../../services/times.service.js" }');
    expect(manifest).toContain('"../../docs/schemas/openapi.json"');
  });
}

test("a project without contracts still has the kernel's", async () => {
  using project = temporaryProject();
  const result = await generate({ root: project.root, config });
  expect(result).toMatchObject({ ok: true, diagnostics: [] });
  expect(result.written).toContain("gen/kernel.ts");
});

test("the configuration refuses unknown keys and empty folders", () => {
  expect(genConfigSchema.safeParse({ contract: ["x"] }).success).toBe(false);
  expect(genConfigSchema.safeParse({ out: { schemas: "a", kernel: "b" } }).success).toBe(false);
  expect(genConfigSchema.safeParse({ contracts: [] }).success).toBe(false);
  expect(genConfigSchema.parse({})).toEqual({
    contracts: ["contracts"],
    services: "services",
    proof: 50,
    include: [],
    loadTimeoutMs: 15_000,
    out: "gen",
  });
});

if (inLongTier) {
  test("a second contract of one id is one error, and names that objects inherit or Windows keeps are refused", async () => {
    using project = temporaryProject({
      "contracts/one.contract.ts": contractFile("sums"),
      "contracts/two.contract.ts": contractFile("sums"),
      "contracts/nul.contract.ts": contractFile("nul"),
      "contracts/odd.contract.ts": contractFile("odd").replace("add: query", "propertyIsEnumerable: query"),
    });
    const { diagnostics } = await generate({ root: project.root, config });
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    expect(errors.map(({ code, where }) => `${code} ${where}`).toSorted()).toEqual([
      "contract_duplicate sums",
      "contract_id_reserved nul",
      "procedure_name_reserved odd.propertyIsEnumerable",
    ]);
  });
}
