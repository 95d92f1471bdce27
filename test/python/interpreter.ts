/** The Python that tests run the client on: the first one that has what it needs. Without any, its tests are skipped; `.ci/run` makes that a failure. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The folder of the client: `src`, `gen` and its own tests. */
export const clientFolder = fileURLToPath(new URL("../../clients/python", import.meta.url));

const candidates = ["python3", "/usr/bin/python3"];
const check = `import sys, importlib.util as u
sys.exit(sys.version_info < (3, 11) or not all(u.find_spec(name) for name in sys.argv[1:]))`;

/** The first interpreter that can import all of these. Throws in `.ci/run` when there is none. */
export const findPython = (...modules: readonly string[]): string | undefined => {
  const found = candidates.find((command) => spawnSync(command, ["-c", check, ...modules]).status === 0);
  if (found !== undefined) return found;
  const missing = `no Python 3.11 or newer can import ${modules.join(", ")}; on Debian: apt-get install ${modules.map((name) => `python3-${name}`).join(" ")}`;
  if (process.env.TESTS_REQUIRE_PYTHON !== undefined) throw new Error(missing);
  process.stderr.write(`skipped: tests of the Python client, because ${missing}\n`);
  return undefined;
};

/** What Python programs of tests run with: the client's own folders, and no proxy before a kernel on this machine. */
export const pythonEnv = (...folders: readonly string[]): NodeJS.ProcessEnv => ({
  ...process.env,
  PYTHONPATH: [`${clientFolder}/src`, `${clientFolder}/gen`, ...folders].join(":"),
  PYTHONDONTWRITEBYTECODE: "1",
  NO_PROXY: "127.0.0.1",
});
