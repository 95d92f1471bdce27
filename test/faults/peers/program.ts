/** How a peer of this folder is started as a program. It starts faster with what Node has compiled before, which it does not inherit. */
import { fileURLToPath } from "node:url";

const { NODE_COMPILE_CACHE } = process.env;

export interface PeerProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** `env` is added to the program's own. */
export const peerProgram = (name: string, mode: string, env: PeerProgram["env"] = {}): PeerProgram => ({
  command: process.execPath,
  args: ["--conditions=@fairlead/source", fileURLToPath(new URL(`./${name}.ts`, import.meta.url)), mode],
  env: { ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }), ...env },
});
