/**
 * Kernels inside kernels: a program that we start may be Fairlead itself, and of the same project, when a `.mcp.json` names both what we
 * connect to and us. Each passes the folders of the kernels above to the programs it starts; one that finds its own folder there connects to
 * nothing, or they would start each other without end. Pure.
 */
import { delimiter } from "node:path";

type Env = Readonly<Record<string, string | undefined>>;

/** Not one of the settings, which begin with `FAIRLEAD_` and are checked. */
const key = "WITHIN_FAIRLEAD";

const outerFolders = (env: Env): readonly string[] => (env[key] ?? "").split(delimiter).filter((each) => each !== "");

/** True when a kernel of that folder is above this one. */
export const isNested = (env: Env, folder: string): boolean => outerFolders(env).includes(folder);

/** What a kernel of that folder sets for the programs it starts. */
export const nestingVariables = (env: Env, folder: string): Readonly<Record<string, string>> => ({
  [key]: [...new Set([...outerFolders(env), folder])].join(delimiter),
});
