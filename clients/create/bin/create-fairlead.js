#!/usr/bin/env node
/**
 * `npm create fairlead@latest my-app` is `fairlead init my-app`, of the version that npm has just brought along. In JavaScript that Node 12 can read:
 * the command itself says which Node it needs, and how to come by it.
 *
 * Not here: what a project is made of (`fairlead init`).
 */

// Node 12 knows no `node:` prefix, hence the old names.
const load = (name) => module.require(name);
const path = load("path");

const manifest = require.resolve("fairlead/package.json");
const command = path.join(path.dirname(manifest), load(manifest).bin.fairlead);
const args = [command, "init"].concat(process.argv.slice(2));
const { status, signal } = load("child_process").spawnSync(process.execPath, args, { stdio: "inherit" });
if (signal !== null) process.kill(process.pid, signal);
process.exitCode = status === null ? 1 : status;
