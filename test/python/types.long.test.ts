/**
 * mypy and pyright, both strict: the client, its tests, and what the emitter makes of every construct pass; of a caller's mistakes each one is
 * refused.
 */
import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { installForeign } from "../foreign/install.ts";
import { startEchoes } from "../golden/differential.ts";
import { clientFolder, findPython, pythonEnv } from "./interpreter.ts";

const python = findPython("httpx", "pytest", "mypy");
const execute = promisify(execFile);

/** What a checker printed, whether or not it was content. */
const output = (running: Promise<{ readonly stdout: string }>): Promise<string> =>
  running.then(
    ({ stdout }) => stdout,
    (failure: { readonly stdout?: string; readonly message: string }) => failure.stdout || failure.message,
  );

describe.skipIf(python === undefined)("the types of the Python client", () => {
  let folder: string;
  let refused: readonly number[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "fairlead-python-types-"));
    const copies = {
      fairlead: `${clientFolder}/src/fairlead`,
      fairlead_services: `${clientFolder}/gen/fairlead_services`,
      probe_clients: join(import.meta.dirname, "../conformance/project/gen/probe_clients"),
      garden_clients: join(import.meta.dirname, "../golden/expected/gen/garden_clients"),
      test: `${clientFolder}/test`,
      "uses.py": join(import.meta.dirname, "uses.py"),
      "misuses.py": join(import.meta.dirname, "misuses.py"),
    };
    for (const [name, from] of Object.entries(copies)) await cp(from, join(folder, name), { recursive: true });
    await using echoes = await startEchoes();
    await cp(join(echoes.root, "gen/echo_clients"), join(folder, "echo_clients"), { recursive: true });
    const settings = { typeCheckingMode: "strict", pythonVersion: "3.11", extraPaths: [".", "test"] };
    await writeFile(join(folder, "pyrightconfig.json"), JSON.stringify(settings));
    const lines = (await readFile(join(folder, "misuses.py"), "utf8")).split("\n");
    refused = lines.flatMap((line, index) => (line.endsWith("# refused") ? [index + 1] : []));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Lines of `misuses.py` that a checker names, and what it says of all else. */
  const judge = (
    text: string,
    isComplaint: RegExp,
  ): { readonly lines: readonly number[]; readonly rest: readonly string[] } => {
    const complaints = text.split("\n").filter((line) => isComplaint.test(line));
    const lines = complaints.flatMap((line) => /misuses\.py:(\d+)/.exec(line)?.[1] ?? []).map(Number);
    return { lines: [...new Set(lines)], rest: complaints.filter((line) => !line.includes("misuses.py")) };
  };

  test("mypy", async () => {
    const files = ["fairlead", "fairlead_services", "probe_clients", "garden_clients", "echo_clients"];
    const options = ["--strict", "--cache-dir", join(folder, ".mypy")];
    const packages = files.flatMap((name) => ["-p", name]);
    const run = (...what: readonly string[]): Promise<string> =>
      output(
        execute(python ?? "", ["-m", "mypy", ...options, ...what], {
          cwd: folder,
          env: { ...pythonEnv(), PYTHONPATH: "", MYPYPATH: "test" },
        }),
      );
    expect(await run(...packages)).toMatch(/^Success: no issues found in \d+ source files\n$/);
    expect(await run("test", "uses.py")).toMatch(/^Success: no issues found in \d+ source files\n$/);
    expect(judge(await run("misuses.py"), /: error:/)).toEqual({ lines: refused, rest: [] });
  });

  test("pyright", async () => {
    const { stdout } = await execute(python ?? "", ["-c", "import sys; print(sys.executable)"]);
    const pyright = await installForeign("pyright");
    try {
      const text = await output(
        pyright
          .run("node_modules/pyright/index.js", "-p", folder, "--pythonpath", stdout.trim())
          .then((words) => ({ stdout: words })),
      );
      expect(judge(text, / - (?:error|warning): /)).toEqual({ lines: refused, rest: [] });
    } finally {
      await pyright.remove();
    }
  });
});
