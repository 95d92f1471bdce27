/**
 * `fairlead build`: what it makes is taken away from its project and runs on its own, with all that a service may do: files beside its code, a deep
 * import of a package, native code, a thread, and settings that are read when it runs. One build for all tests.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CommandProcess, parseError, startNode } from "./command-process.ts";
import { runHere } from "./in-process.ts";
import { type OutsideProject, outsideProject } from "./outside-project.ts";

const contract = (id: string): string => `import { defineContract, mutation, query } from "@fairlead/contracts";
import * as z from "zod";
export const ${id} = defineContract({
  id: "${id}", version: "1.0.0", summary: "Does what a built service may do.",
  procedures: {
    read: query({ tool: "${id}_read", summary: "Reads what is beside it.", input: z.object({}), output: z.object({
      note: z.string().describe("The file."), hidden: z.string().describe("A setting."), port: z.string().describe("A variable."), folder: z.string().describe("Its folder."),
    }) }),
    fail: query({ tool: "${id}_fail", summary: "Fails.", input: z.object({}), output: z.object({}) }),
    add: mutation({ tool: "${id}_add", summary: "Counts.", retry: "keyed", input: z.object({}), output: z.object({ count: z.int().describe("Rows.") }) }),
  },
});
`;

const service = (id: string, more: string): string => `import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defineService } from "@fairlead/kernel/service";
import Database from "better-sqlite3";
import * as z from "zod";
import { toUTF8 } from "./text/deep.ts";
import { ${id} } from "../../contracts/${id}.contract.ts";
export default defineService(${id}, (host) => {
  const database = new Database(join(host.stateDir(), "rows.sqlite"));
  database.exec("CREATE TABLE IF NOT EXISTS row (id INTEGER PRIMARY KEY)");
  return {
    handlers: {
      read: () => ({
        note: toUTF8(readFileSync(new URL("./notes/note.txt", import.meta.url))),
        hidden: host.config.hidden, port: host.config.port, folder: import.meta.dirname,
      }),
      fail: () => {
        throw new Error("on purpose");
      },
      add: () => {
        database.exec("INSERT INTO row DEFAULT VALUES");
        return { count: Number(database.prepare("SELECT count(*) AS count FROM row").pluck().get()) };
      },
    },
    stop: () => void database.close(),
  };
}, { config: z.strictObject({ hidden: z.string(), port: z.string() })${more} });
`;

const config = `import { join } from "node:path";
const section = { hidden: process.env.HIDDEN ?? "none", port: "7" };
export default {
  manifest: "./gen/manifest.ts",
  stateDir: join(import.meta.dirname, "state"),
  gen: { include: ["@fairlead/service-loop"], loadTimeoutMs: 240_000 },
  services: { plain: section, threaded: section },
};
`;

let project: OutsideProject;
let alone = "";
const kernels: CommandProcess[] = [];

const build = (...flags: readonly string[]) => runHere(["build", ...flags], { cwd: project.folder });

beforeAll(async () => {
  project = outsideProject();
  rmSync(join(project.folder, "contracts"), { recursive: true });
  rmSync(join(project.folder, "services"), { recursive: true });
  for (const [id, more] of [
    ["plain", ""],
    ["threaded", ', placement: "thread"'],
  ] as const) {
    project.write(`contracts/${id}.contract.ts`, contract(id));
    project.write(`services/${id}/service.ts`, service(id, more));
    project.write(
      `services/${id}/text/deep.ts`,
      'import { util } from "zod/v4/core";\n' +
        'export const toUTF8 = (bytes: Uint8Array): string => Buffer.from(util.base64ToUint8Array(Buffer.from(bytes).toString("base64"))).toString("utf8");\n',
    );
    project.write(`services/${id}/notes/note.txt`, `a note of ${id}`);
  }
  project.write("fairlead.config.ts", config);
  const generated = await runHere(["gen"], { cwd: project.folder });
  expect(generated.code, generated.err).toBe(0);
  const built = await build();
  expect(built.code, built.err).toBe(0);
  alone = realpathSync(mkdtempSync(join(tmpdir(), "fairlead-built-")));
  cpSync(join(project.folder, "dist"), join(alone, "dist"), { recursive: true });
});
afterAll(async () => {
  // Those of tests that failed.
  for (const { child } of kernels) child.kill("SIGKILL");
  await Promise.all(kernels.map(({ ended }) => ended));
  if (alone !== "") rmSync(alone, { recursive: true, force: true });
  project.remove();
});

/** Starts it where nothing else is. */
const up = async (env: Readonly<Record<string, string>> = {}, ...flags: readonly string[]) => {
  const kernel = startNode([...flags, "dist/", "--port", "0", "--json"], { cwd: alone, env });
  kernels.push(kernel);
  const { http } = JSON.parse(await kernel.until(/\n/));
  const call = async (path: string, body: object = {}): Promise<unknown> => {
    const headers = { "content-type": "application/json" };
    return (await fetch(`${http}/${path}`, { method: "POST", headers, body: JSON.stringify(body) })).json();
  };
  return { kernel, call, address: String(http).replace(/\/api$/, "") };
};

describe("a built project", () => {
  test("does all that its services do, reads variables when it runs, and lives on after a kill", async () => {
    const { kernel, call, address } = await up({ HIDDEN: "of the shell" });
    for (const id of ["plain", "threaded"]) {
      expect(await call(`${id}/read`)).toEqual({
        note: `a note of ${id}`,
        hidden: "of the shell",
        port: "7",
        folder: join(alone, "dist/services", id),
      });
      expect(await call(`${id}/add`)).toEqual({ count: 1 });
    }
    // Read from beside the code of a package.
    expect(JSON.stringify(await call("loop/listFormulas"))).toContain("security-audit");
    expect(JSON.stringify(await (await fetch(`${address}/openapi.json`)).json())).toContain("/api/plain/read");
    kernel.child.kill("SIGKILL");
    await kernel.ended;
    const again = await up();
    expect(await again.call("threaded/add")).toEqual({ count: 2 });
    expect(await again.call("plain/read")).toMatchObject({ hidden: "none" });
    again.kernel.child.kill("SIGTERM");
    expect(await again.kernel.ended).toMatchObject({ code: 143 });
    expect(existsSync(join(alone, "state/kernel"))).toBe(true);
  });

  test("says the line of the source in a stack, where Node reads source maps", async () => {
    const { kernel, call } = await up({}, "--enable-source-maps");
    expect(await call("plain/fail")).toMatchObject({ code: "internal" });
    kernel.child.kill("SIGTERM");
    const { err } = await kernel.ended;
    const line =
      service("plain", "")
        .split("\n")
        .findIndex((text) => text.includes("on purpose")) + 1;
    expect(err).toContain(`${join(alone, "services/plain/service.ts")}:${line}:`);
  });

  test("refuses what `fairlead up` refuses", async () => {
    const ended = await startNode(["dist/", "--prot", "0"], { cwd: alone }).ended;
    expect(ended.code).toBe(2);
    expect(parseError(ended)).toMatchObject({ hint: "did you mean --port?" });
  });

  test("is JavaScript alone, but for packages with native code", () => {
    const { main, dependencies } = JSON.parse(readFileSync(join(alone, "dist/package.json"), "utf8"));
    expect(main).toBe("index.js");
    expect(readFileSync(join(alone, "dist/index.js"), "utf8")).toContain("this build needs Node");
    expect(dependencies).toHaveProperty("better-sqlite3");
    expect(readFileSync(join(alone, "dist/gen/manifest.js"), "utf8")).toContain('"../services/plain/service.js"');
  });
});

describe("the command", () => {
  test("replaces what an earlier build made, and nothing else", async () => {
    expect((await build()).code).toBe(0);
    mkdirSync(join(project.folder, "mine"));
    writeFileSync(join(project.folder, "mine/file"), "");
    const refused = await build("--out", "mine");
    expect(refused.code).toBe(8);
    expect(existsSync(join(project.folder, "mine/file"))).toBe(true);
  });

  test("says of an import that it cannot find where it is", async () => {
    const path = "services/plain/text/deep.ts";
    const before = readFileSync(join(project.folder, path), "utf8");
    project.write(path, `import "no-such-package";\n${before}`);
    const ended = await build();
    project.write(path, before);
    expect(ended.code).toBe(2);
    expect(parseError(ended)).toMatchObject({
      code: "build_failed",
      message: expect.stringMatching(/^Could not resolve 'no-such-package' in .*deep\.ts$/),
    });
  });

  test("does not build what the contracts no longer say", async () => {
    const path = "contracts/plain.contract.ts";
    const before = readFileSync(join(project.folder, path), "utf8");
    project.write(path, before.replace("Reads what is", "Shows what is"));
    const ended = await build();
    project.write(path, before);
    expect(ended.code).toBe(9);
    expect(parseError(ended)).toMatchObject({ hint: "run `fairlead gen` first" });
  });
});
