/**
 * The Node 24 that comes with the packages, found by its path: npm 10 does not link it. In JavaScript that Node 12 can read.
 *
 * Not here: what is run with it.
 */

// Node 12 knows no `node:` prefix, hence the old names.
const load = (name) => module.require(name);
const fs = load("fs");
const path = load("path");

/** The oldest Node that the sources and the packages run on. */
const needed = 24;

const isOldNode = () => Number(process.versions.node.split(".")[0]) < needed;

/** Its executable; undefined where there is none for this machine. */
const findOwnNode = () => {
  try {
    const name = `node-${process.platform}-${process.arch}`;
    const binary = path.join(path.dirname(require.resolve(`${name}/package.json`)), "bin", "node");
    fs.accessSync(binary, fs.constants.X_OK);
    return binary;
  } catch (_) {
    return undefined;
  }
};

module.exports = { needed, isOldNode, findOwnNode };
