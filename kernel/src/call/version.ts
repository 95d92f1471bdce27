/**
 * The version of the kernel, as its package says, and the one of Node that it needs. An older Node is refused here, in a sentence,
 * since native code crashes on it without a word: entries of packages import this before all else, and the first is evaluated first.
 *
 * Not here: the command's own check, in words that any Node can read.
 */
import manifest from "../../package.json" with { type: "json" };

export const { version } = manifest;

const needed = 24;
const { node } = process.versions;

/** Other runtimes say which Node they are like. Node 20 has no `navigator`. */
const isNode = globalThis.navigator?.userAgent?.startsWith("Node.js/") ?? true;

if (isNode && Number(node.split(".")[0]) < needed) {
  const advice = `install Node ${needed} from nodejs.org or your package source`;
  throw new Error(`fairlead needs Node ${needed} or newer, and this is Node ${node}; ${advice}`);
}
