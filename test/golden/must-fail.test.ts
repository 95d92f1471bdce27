/**
 * A contract for every diagnostic: each must fail with that one and no other. The texts stand in `expected/diagnostics.txt`, to be
 * read as a whole.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type DiagnosticCode, diagnosticCodes, diagnosticLine } from "@fairlead/codegen";
import { expect, test } from "vitest";
import { TemporaryProject } from "./project.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

const suffix = ".contract.js";
const fixtures = readdirSync(join(import.meta.dirname, "must-fail"))
  .filter((name) => name.endsWith(suffix))
  .map((name) => name.slice(0, -suffix.length))
  .toSorted();

/** What no contract alone can show: these are about the project, and have their tests below; those of the lock in codegen's `names`. */
const ofProjects: readonly DiagnosticCode[] = [
  "include_not_found",
  "service_missing",
  "service_not_installed",
  "file_not_ours",
  "names_lock_invalid",
  "name_unused",
];

/** A project with one contract, whatever its id, and a service for it. */
const diagnosed = async (fixture: string) => {
  using project = new TemporaryProject();
  project.copy(`must-fail/${fixture}${suffix}`, `contracts/${fixture}${suffix}`);
  for (const id of ["bad", "Bad-Id", "router", "averylongnameforaservice12"]) {
    project.write(`services/${id}/service.js`, "export default {};\n");
  }
  return (await project.generate()).diagnostics;
};

/** Two at a time: each loads its contract in a thread. */
const lines = new Map<string, Awaited<ReturnType<typeof diagnosed>>>();
/** The quick tier loads every twentieth. */
const loaded = fixtures.filter((_, at) => inLongTier || at % 20 === 0);
const waiting = [...loaded];
const work = async (): Promise<void> => {
  for (let fixture = waiting.shift(); fixture !== undefined; fixture = waiting.shift()) {
    lines.set(fixture, await diagnosed(fixture));
  }
};
await Promise.all([work(), work()]);

test("every diagnostic has its contract", () => {
  expect([...fixtures, ...ofProjects].toSorted()).toEqual([...diagnosticCodes].toSorted());
});

test.each(loaded)("%s", (fixture) => {
  const codes = lines.get(fixture)?.map(({ code }) => code) ?? [];
  expect(new Set(codes)).toEqual(new Set([fixture]));
});

if (inLongTier) {
  test("each says what is wrong, where, and how to fix it", async () => {
    const text = fixtures.flatMap((fixture) => lines.get(fixture)?.map(diagnosticLine) ?? []).join("\n");
    await expect(`${text}\n`).toMatchFileSnapshot(join(import.meta.dirname, "expected/diagnostics.txt"));
  });
}

const sound = `import { defineContract } from "@fairlead/contracts";
export default defineContract({ id: "good", version: "1.0.0", summary: "Fine.", procedures: {} });
`;

if (inLongTier) {
  test("include_not_found, service_missing and service_not_installed", async () => {
    using project = new TemporaryProject();
    project.write("contracts/good.contract.js", sound);
    const { diagnostics, ok } = await project.generate({ include: ["@nobody/nothing"] });
    expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([
      ["include_not_found", "error"],
      ["service_missing", "warning"],
    ]);
    expect(ok).toBe(false);

    project.write("services/good/package.json", '{ "name": "@nobody/good" }');
    const packaged = await project.generate();
    expect(packaged.diagnostics.map(({ code, severity }) => [code, severity])).toEqual([
      ["service_not_installed", "warning"],
    ]);
    expect(packaged.ok).toBe(true);
  });
}

test("file_not_ours: a file that people wrote is neither overwritten nor removed", async () => {
  using project = new TemporaryProject();
  project.write("contracts/good.contract.js", sound);
  project.write("services/good/service.js", "export default {};\n");
  project.write("gen/tools.ts", "export const mine = true;\n");
  const { diagnostics, ok, written } = await project.generate();
  expect(diagnostics.map(({ code, source }) => [code, source])).toEqual([["file_not_ours", "gen/tools.ts"]]);
  expect({ ok, written }).toEqual({ ok: false, written: [] });
  expect(project.read("gen/tools.ts")).toBe("export const mine = true;\n");
});
