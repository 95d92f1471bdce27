/**
 * The package as it would be published: a wheel and a source distribution are built, each is installed into an environment that has none of ours, and
 * what was installed calls a kernel. Other packages, httpx, are the system's: no registry is asked.
 */
import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningProject, startProject } from "../conformance/kernel.ts";
import { clientFolder, findPython } from "./interpreter.ts";

const python = findPython("httpx", "setuptools", "wheel", "ensurepip");

const program = `import importlib.metadata, importlib.resources, sys
import fairlead
import fairlead_services
from fairlead_services import connections, inspector, kernel, loop, pob, rules

assert fairlead.__file__.startswith(sys.prefix), fairlead.__file__
assert all(importlib.resources.files(each).joinpath("py.typed").is_file() for each in (fairlead, fairlead_services))
with fairlead.Client(sys.argv[1]) as client:
    ids = [each["id"] for each in kernel.Kernel(client).services()["services"]]
print(importlib.metadata.version("fairlead"), ids)
`;

describe.skipIf(python === undefined)("the Python package", () => {
  let folder: string;
  let project: RunningProject;
  // No folder of ours, and no registry.
  const env = { PATH: process.env.PATH, PIP_NO_INDEX: "1", PIP_DISABLE_PIP_VERSION_CHECK: "1", NO_PROXY: "127.0.0.1" };
  const run = async (command: string, ...parameters: readonly string[]): Promise<string> =>
    (await promisify(execFile)(command, parameters, { cwd: folder, env })).stdout;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "fairlead-python-package-"));
    await cp(clientFolder, join(folder, "source"), { recursive: true });
    await writeFile(join(folder, "program.py"), program);
    const build = `import os; os.chdir("source"); from setuptools import build_meta as b; b.build_sdist("../dist"); b.build_wheel("../dist")`;
    await run(python ?? "", "-c", build);
    project = await startProject();
  });
  afterAll(async () => {
    await project.kernel.close();
    await rm(folder, { recursive: true, force: true });
  });

  test.each([".whl", ".tar.gz"])("installs and runs from its %s", async (ending) => {
    const file = (await readdir(join(folder, "dist"))).find((name) => name.endsWith(ending)) ?? "";
    expect(file).toMatch(/^fairlead-0\.1\.0[-.]/);
    const environment = join(folder, `environment${ending}`);
    await run(python ?? "", "-m", "venv", "--system-site-packages", environment);
    const own = join(environment, "bin/python");
    await run(own, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", join("dist", file));
    expect(await run(own, "program.py", project.url)).toBe("0.1.0 ['kernel', 'probe']\n");
  });
});
