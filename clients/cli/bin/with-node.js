/**
 * Runs a command with Node 24 first in PATH: `node clients/cli/bin/with-node.js npm run verify`. For the scripts of this repository,
 * which npm 10 starts with the system's Node.
 */

// Node 12 knows no `node:` prefix, hence the old names.
const load = (name) => module.require(name);
const { spawnSync } = load("child_process");
const path = load("path");
const { findOwnNode, isOldNode, needed } = load("./own-node.js");

const [command, ...args] = process.argv.slice(2);
const binary = isOldNode() ? findOwnNode() : process.execPath;

if (binary === undefined || command === undefined) {
  const why =
    command === undefined ? "no command was given" : `Node ${needed} is needed, and this is ${process.version}`;
  process.stderr.write(`error: ${why}; install Node ${needed} from nodejs.org or your package source\n`);
  process.exitCode = 2;
} else {
  const env = Object.assign({}, process.env, { PATH: [path.dirname(binary), process.env.PATH].join(path.delimiter) });
  const { status, signal, error } = spawnSync(command, args, { stdio: "inherit", env: env });
  if (error !== undefined) process.stderr.write(`error: ${command} cannot be run: ${error.message}\n`);
  if (signal !== null) process.kill(process.pid, signal);
  else process.exitCode = status === null ? 1 : status;
}
