/**
 * `npm test`, `npm run test:long` and `npm run soak`: the checks of the whole tree and one tier of its tests, silent but for what failed
 * and the summary. Words after `--` are handed to vitest and select tests (`npm test -- services/rules`); the checks are left out then.
 *
 * In JavaScript that Node 20 reads: npm may run on an older Node than the Node 24 that `npm ci` brings along, and everything that is
 * started here runs on that one. Not here: how tests are run (`vitest.shared.ts`).
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { setPriority } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const needed = 24;

/**
 * Programs that check the whole tree, one after the other beside the tests: these wait for processes and timers part of the time, and
 * the checks, which come second by their priority, use that. With one checker tsc needs half of the CPU time that it needs with four.
 */
const checks = [
  ["biome", "check", "."],
  ["turbo", "boundaries"],
  ["fairlead", "gen", "--check"],
  ["tsc", "-p", ".", "--checkers", "1"],
  ["tsc", "-p", "clients/typescript"],
  ["tsc", "-p", "clients/console"],
];

/** The folder of a Node that runs this tree: the running one, or else the installed package's. npm 10 does not link the latter's bin. */
const nodeFolder = () => {
  if (Number.parseInt(process.versions.node, 10) >= needed) return dirname(process.execPath);
  const bundled = join(root, "node_modules", `node-${process.platform}-${process.arch}`, "bin");
  if (existsSync(join(bundled, "node"))) return bundled;
  console.error(
    `the tests need Node ${needed}, this is Node ${process.versions.node}, and none came with npm ci: install Node 24`,
  );
  return process.exit(2);
};

const env = {
  ...process.env,
  PATH: [nodeFolder(), join(root, "node_modules/.bin"), process.env.PATH ?? ""].join(delimiter),
  TURBO_TELEMETRY_DISABLED: "1",
  // tsc collects garbage less often: a sixth less CPU time for a fifth more memory (2.4 GB).
  GOGC: process.env.GOGC ?? "400",
};

/** It may have ended by now. */
const lower = (pid, priority) => {
  try {
    setPriority(pid, priority);
  } catch (cause) {
    if (cause.code !== "ERR_SYSTEM_ERROR") throw cause;
  }
};

/** Runs a program in the root. Resolves with its exit code and, where it is captured, what it printed. */
const run = ([program = "", ...args], stdio, priority = 0) =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, env, stdio });
    if (priority > 0 && child.pid !== undefined) lower(child.pid, priority);
    let output = "";
    const collect = (text) => {
      output += text;
    };
    child.stdout?.setEncoding("utf8").on("data", collect);
    child.stderr?.setEncoding("utf8").on("data", collect);
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? 1, output }));
  });

const check = async (command) => {
  const { code, output } = await run(command, ["ignore", "pipe", "pipe"], 5);
  if (code !== 0) console.error(`${output}\n${command.join(" ")} failed`);
  return code === 0;
};

const [tier = "quick", ...selection] = process.argv.slice(2);
const runChecks = async () => {
  let passed = true;
  for (const command of checks) passed = (await check(command)) && passed;
  return passed;
};
const mode = tier === "quick" ? [] : ["--mode", tier];
const [passed, { code }] = await Promise.all([
  tier !== "quick" || selection.length > 0 || runChecks(),
  run(["vitest", "run", ...mode, ...selection], "inherit"),
]);
process.exitCode = passed ? code : 1;
