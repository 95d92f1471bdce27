/** `fairlead doctor` as users run it, in a project of their own. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ExitResult, type ProcessOptions, start } from "./command-process.ts";
import { runHere } from "./in-process.ts";
import { type OutsideProject, outsideProject } from "./outside-project.ts";

const inLongTier = process.env.TESTS_TIER === "long";

let project: OutsideProject;
const here = (args: readonly string[], options: Partial<ProcessOptions> = {}): Promise<ExitResult> =>
  runHere(args, { cwd: project.folder, ...options });

beforeAll(async () => {
  project = outsideProject();
  expect(await here(["gen"])).toMatchObject({ code: 0 });
});

afterAll(() => project.remove());

/** Another service for the same contract, started like this. */
const service = (start: string): string => `import { defineService, FairleadError } from "@fairlead/kernel/service";
import * as Effect from "effect/Effect";
import { probe } from "../../contracts/probe.contract.ts";
export default defineService(probe, ${start});
`;

test("doctor checks, and exits 9 when a check fails", async () => {
  const healthy = await here(["doctor", "--json"], { env: { FAIRLEAD_PORT: "0" } });
  expect(JSON.parse(healthy.out)).toMatchObject({ schemaVersion: 1, ok: true });
  expect(healthy.code).toBe(0);
  expect(healthy.out).toMatch(/"service probe".*?"Ready"/);
  expect(healthy.out).not.toContain("Starting");
  const sick = await here(["doctor", "--config", "unknown.json"]);
  expect(sick.code).toBe(9);
  expect(sick.out).toMatch(/^configuration +failed/m);
});

test("doctor names each error of the configuration", async () => {
  project.write("two-errors.json", '{ "prot": 1, "log": { "level": "loud" } }');
  const { code, out } = await here(["doctor", "--config", "two-errors.json", "--json"]);
  expect(code).toBe(9);
  const row = JSON.parse(out).rows.find(({ check }: { readonly check: string }) => check === "configuration");
  expect(row.detail).toMatch(/2 errors; log\.level: expected .*; prot: expected .*did you mean port/);
});

test("doctor looks at the kernel that --url names", async () => {
  const { out } = await here(["doctor", "--json", "--url", "http://127.0.0.1:1"], { env: { FAIRLEAD_PORT: "0" } });
  const kernel = expect.objectContaining({
    check: "kernel",
    result: "failed",
    fix: expect.stringContaining("--url"),
  });
  expect(JSON.parse(out)).toMatchObject({ rows: expect.arrayContaining([kernel]) });
});

if (inLongTier) {
  test("doctor does not advise `gen` where there is no project", async () => {
    const folder = mkdtempSync(join(tmpdir(), "fairlead-stranger-"));
    try {
      const ended = await here(["doctor", "--json"], { cwd: folder, env: { FAIRLEAD_PORT: "0" } });
      const { rows } = JSON.parse(ended.out) as { readonly rows: readonly { readonly check: string }[] };
      expect(rows.find(({ check }) => check === "generated code")).toMatchObject({
        result: "ok",
        detail: expect.stringContaining("nothing to generate"),
        fix: "",
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("doctor waits for a service that takes long to fail", async () => {
    const slow = outsideProject(project);
    try {
      const failure = '() => Effect.fail(new FairleadError({ code: "failed_precondition", message: "no key" }))';
      slow.write("services/probe/service.ts", service(`() => Effect.delay(Effect.suspend(${failure}), 300)`));
      const ended = await here(["doctor", "--json"], { cwd: slow.folder, env: { FAIRLEAD_PORT: "0" } });
      const rows: unknown = JSON.parse(ended.out).rows;
      const found = { check: "service probe", result: "warning", detail: "no key" };
      expect(rows).toContainEqual(expect.objectContaining(found));
    } finally {
      slow.remove();
    }
  });
}

test("doctor asks the kernel that runs, and knows whose port is taken", async () => {
  const busy = outsideProject(project);
  busy.write(
    "services/probe/service.ts",
    service(
      '() => { globalThis.starts = (globalThis.starts ?? 0) + 1; throw new FairleadError({ code: "failed_precondition", message: "start " + globalThis.starts + " in " + process.pid }); }',
    ),
  );
  const up = start(["up", "--port", "0", "--json"], { cwd: busy.folder });
  try {
    const { port } = JSON.parse(await up.until(/\n/));
    const rows = async (cwd: string): Promise<unknown> =>
      JSON.parse((await here(["doctor", "--json"], { cwd, env: { FAIRLEAD_PORT: String(port) } })).out).rows;
    const own = await rows(busy.folder);
    expect(own).toContainEqual(
      expect.objectContaining({ check: "service probe", detail: `start 1 in ${up.child.pid}` }),
    );
    const mine = `this project's kernel (pid ${up.child.pid}) listens on 127.0.0.1:${port}`;
    expect(own).toContainEqual(expect.objectContaining({ check: "port", result: "ok", detail: mine }));
    expect(await rows(project.folder)).toContainEqual(
      expect.objectContaining({
        check: "port",
        result: "failed",
        detail: expect.stringContaining("of another project or folder"),
      }),
    );
  } finally {
    up.child.kill("SIGKILL");
    await up.ended;
    busy.remove();
  }
});
