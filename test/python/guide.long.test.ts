/** Every block of docs/python.md, in order: the installation into an environment of its own, then one program that meets a kernel. */
import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { type Kernel, makeLog, openKernel } from "@fairlead/kernel";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { repository } from "../e2e/command.ts";
import { TemporaryProject } from "../golden/project.ts";
import { clientFolder, findPython } from "./interpreter.ts";

const python = findPython("httpx", "setuptools", "wheel", "ensurepip");
const text = await readFile(join(repository, "docs/python.md"), "utf8");

/** The blocks of a language, in order. */
const blocks = (language: string): readonly string[] =>
  text
    .split("```")
    .filter((_, index) => index % 2 === 1)
    .filter((block) => block.startsWith(`${language}\n`))
    .map((block) => block.slice(language.length + 1));

/** Runs the blocks as one program; a line between two of them tells their outputs apart. */
const runner = `import sys
sources = sys.stdin.read().split("\\0")
names = {"__name__": "__main__"}
for source in sources:
    exec(compile(source, "docs/python.md", "exec"), names)
    print("\\0", end="", flush=True)
`;

describe.skipIf(python === undefined)("docs/python.md", () => {
  let folder: string;
  let kernel: Kernel;
  const execute = async (command: string, parameters: readonly string[], input = ""): Promise<string> => {
    const env = {
      PATH: process.env.PATH,
      PIP_NO_INDEX: "1",
      PIP_DISABLE_PIP_VERSION_CHECK: "1",
      NO_PROXY: "127.0.0.1",
    };
    const running = promisify(execFile)(command, parameters, { cwd: folder, env });
    running.child.stdin?.end(input);
    return (await running).stdout;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "fairlead-python-guide-"));
    await cp(clientFolder, join(folder, "clients/python"), { recursive: true });
    kernel = await openKernel({
      env: {},
      flags: { port: 0, lagMs: 60_000, stateDir: join(folder, "state") },
      log: makeLog({ level: "error", write: () => undefined }),
    });
  });
  afterAll(async () => {
    await kernel.close();
    await rm(folder, { recursive: true, force: true });
  });

  test("its programs print what it says, in an environment made as it says", async () => {
    const [install = "", ...more] = blocks("sh");
    expect([install.split(" ")[0], more]).toEqual(["python3", []]);
    await execute(python ?? "", ["-m", "venv", "--system-site-packages", "environment"]);
    const own = join(folder, "environment/bin/python");
    // No registry is asked: what the package needs is the system's.
    const offline = ["--quiet", "--no-deps", "--no-build-isolation"];
    await execute(own, [...install.trim().split(" ").slice(1), ...offline]);
    const { port } = await kernel.serve();
    const sources = blocks("python").map((block) => block.replaceAll("127.0.0.1:5099", `127.0.0.1:${port}`));
    const printed = await execute(own, ["-c", runner], sources.join("\0"));
    expect(printed.split("\0").slice(0, -1)).toEqual(blocks("text"));
  });

  test("its configuration gives the package that it names", async () => {
    using project = new TemporaryProject();
    project.copy("fixtures/contracts", "contracts");
    project.write("services/garden/service.ts", "export default {};\n");
    project.write("services/shed/service.ts", "export default {};\n");
    const [config = "", ...more] = blocks("ts");
    expect(more).toEqual([]);
    project.write("fairlead.config.ts", config);
    const module: { readonly default: { readonly gen: object } } = await import(
      pathToFileURL(join(project.root, "fairlead.config.ts")).href
    );
    const { ok, written } = await project.generate(module.default.gen);
    expect(ok).toBe(true);
    expect(written).toContain("python/garden_client/garden.py");
    const { written: again } = await project.generate(module.default.gen);
    expect(again).toEqual([]);
  });
});
