/** Reads files out of the history of the project's git repository: short commands that read, arguments only, the ref resolved to a commit first. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

interface GitHistory {
  /** The commit that a ref names; `undefined` where it names none, and where there is no repository or no git. */
  readonly commit: (ref: string) => Promise<string | undefined>;
  /** Names of the files in a folder, from the project's root, at a commit. */
  readonly list: (commit: string, folder: string) => Promise<readonly string[]>;
  readonly show: (commit: string, path: string) => Promise<string>;
}

const run = promisify(execFile);
const mostOutput = 256 * 1_048_576;

/** Of the repository that a folder is in; paths are from that folder. */
export const gitHistory = (root: string, signal: AbortSignal): GitHistory => {
  const git = async (...args: readonly string[]): Promise<string> =>
    (await run("git", args, { cwd: root, maxBuffer: mostOutput, signal })).stdout;
  return {
    commit: (ref) =>
      git("rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`).then(
        (text) => text.trim(),
        () => undefined,
      ),
    list: async (commit, folder) =>
      (await git("ls-tree", "--name-only", commit, `./${folder}/`))
        .split("\n")
        .map((path) => path.slice(path.lastIndexOf("/") + 1)),
    show: (commit, path) => git("show", `${commit}:./${path}`),
  };
};
