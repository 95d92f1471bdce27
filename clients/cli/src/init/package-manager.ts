/** Which package manager started a command: npm, pnpm and yarn say it in `npm_config_user_agent`. Not here: installing anything. */

export interface PackageManager {
  readonly name: "npm" | "pnpm" | "yarn";
  /** What it needs in a new project, by path. */
  readonly files: Readonly<Record<string, string>>;
  /** Further lines of `.gitignore`. */
  readonly ignored: string;
  /** Tools that it does not install by itself, with their versions. */
  readonly tools: Readonly<Record<string, string>>;
  /** The script that starts the project's kernel: what ends the package manager has to end the kernel. */
  readonly start: string;
}

/** In place of the shell. */
const npm: PackageManager = { name: "npm", files: {}, ignored: "", tools: {}, start: "exec fairlead up" };
const pnpm: PackageManager = { ...npm, name: "pnpm" };

/** No yarn installs what vitest wants beside it. */
const oldYarn: PackageManager = { ...npm, name: "yarn", tools: { vite: "8.3.8" } };

/** From yarn 2 on, packages stay in archives unless a project says otherwise, and TypeScript 7 reads no types in archives. Its own shell knows no `exec`. */
const yarn: PackageManager = {
  ...oldYarn,
  files: { ".yarnrc.yml": "nodeLinker: node-modules\n" },
  ignored: ".yarn/\n",
  start: "fairlead up",
};

/** `userAgent` is like `pnpm/12.21.0 npm/? node/v24.21.0 linux x64`. Whatever is not known here, or missing, counts as npm. */
export const packageManager = (userAgent = ""): PackageManager => {
  if (userAgent.startsWith("pnpm/")) return pnpm;
  if (userAgent.startsWith("yarn/1.")) return oldYarn;
  return userAgent.startsWith("yarn/") ? yarn : npm;
};
