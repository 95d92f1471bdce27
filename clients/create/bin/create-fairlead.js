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
process.argv.splice(2, 0, "init");
load(path.join(path.dirname(manifest), load(manifest).bin.fairlead));
