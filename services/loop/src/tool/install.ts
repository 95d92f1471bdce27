/** `install_client` and `uninstall_client`: the loop in the files of a coding agent's client. */
import { setups } from "../install/client-files.ts";
import { install, uninstall } from "../install/install.ts";
import type { Project } from "../session/project.ts";
import type { ToolInput, ToolOutput } from "./procedure.ts";

export const installClient = (
  { root }: Project,
  { client }: ToolInput<"installClient">,
): ToolOutput<"installClient"> => ({ files: [...install(root, client)], notes: [...setups[client].notes] });

export const uninstallClient = (
  { root }: Project,
  { client }: ToolInput<"uninstallClient">,
): ToolOutput<"uninstallClient"> => ({ files: [...uninstall(root, client)] });
