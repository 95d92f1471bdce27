/**
 * How a headless agent is held: it writes in the folder that it works on, in a temporary folder of its own, and in what its caller or its own
 * make names; nothing else of the machine, and it finds the kernel owner's folders empty. The kernel's namespaces do it (ADR 0311).
 *
 * Not here: what the server itself runs, like verification commands (`qa/`).
 */
import { mkdtempSync, realpathSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, isAbsolute, join, sep } from "node:path";
import { type CommandSpec, probeContainment, refuseFolders } from "@fairlead/kernel/subprocess";
import { declaredError, invalidArgument } from "../session/declared-error.ts";
import type { Project } from "../session/project.ts";
import type { ToolInput } from "../tool/procedure.ts";
import { errorMessage } from "../value/error.ts";
import { findState } from "./agent-state.ts";
import { findGitPlaces } from "./git-places.ts";
import { removeTree } from "./remove-tree.ts";

/** What is asked for, with the names that the contract has for it. */
type SandboxWish = Pick<ToolInput<"driveAgent">, "sandbox" | "network" | "write">;

type ContainmentProbe = () => Promise<
  Pick<Awaited<ReturnType<typeof probeContainment>>, "denials" | "detail" | "undecided">
>;

/** How the calls of an agent are started. */
export interface AgentSandbox {
  /** What holds it, in a line, for who started it. */
  readonly describe: string;
  /** What one call gets beside its command, until `release`. */
  hold(project: Project, folder: string): Promise<AgentHold>;
}

interface AgentHold {
  readonly spec: Pick<CommandSpec, "deny" | "folders">;
  readonly variables: Readonly<Record<string, string>>;
  /** Never rejects. */
  readonly release: () => Promise<void>;
}

const free: AgentHold = { spec: {}, variables: {}, release: async () => undefined };

/** Throws `no_sandbox` where it has to be held and this system cannot do it, and what is wrong with the folders. */
export const openSandbox = async (
  program: string,
  { sandbox, network, write }: SandboxWish,
  owners: readonly string[],
  probe: ContainmentProbe = probeContainment,
): Promise<AgentSandbox> => {
  if (sandbox === "off") return openFree(network);
  const deny = network === "host" ? (["writing"] as const) : (["network", "writing"] as const);
  const first = await probe();
  const { denials, detail, undecided } = first.undecided === undefined ? first : await probe();
  const missing = deny.filter((one) => !denials.includes(one));
  if (missing.length > 0) {
    const why = `an agent cannot be denied ${missing.join(" and ")} on this system (${undecided ?? detail})`;
    // Who asks for less network than there is must not get all of it in silence, and a busy system must not set an agent free.
    if (sandbox === "on" || network === "none" || undecided !== undefined) throw declaredError("no_sandbox", why);
    return { describe: `the agent is not in a sandbox: ${why}`, hold: async () => free };
  }
  const hidden = owners.filter(isFolder);
  const given = write.map((path, index) => checkFolder(path, `write.${index}`, hidden));
  const state = findState(basename(program));
  const places = ["its folder", "a temporary one", ...given, ...state.writable].join(", ");
  return {
    describe: `the agent is in a sandbox: it writes in ${places}; network: ${network}`,
    hold: async (project, folder) => {
      const git = await findGitPlaces(project, folder);
      const covered = [folder, ...git.writable].find((path) => isCovered(path, hidden));
      if (covered !== undefined)
        throw declaredError("no_sandbox", `${covered} lies in a folder of the kernel's owner, which no agent sees`);
      const temporary = mkdtempSync(join(realpathSync(tmpdir()), "fairlead-agent-"));
      const release = () =>
        removeTree(temporary).catch((problem) =>
          project.options.warn("the temporary folder of an agent could not be removed", {
            folder: temporary,
            problem: errorMessage(problem),
          }),
        );
      const folders = {
        writable: [folder, temporary, ...git.writable, ...given, ...state.writable],
        readOnly: [...git.readOnly, ...state.readOnly],
        hidden: [...hidden, ...git.hidden],
      };
      const refused = refuseFolders(folders);
      if (refused !== undefined) {
        await release();
        throw declaredError("no_sandbox", `the agent cannot be held: ${refused}; put the file or folder itself there`);
      }
      const variables = { TMPDIR: temporary, TMP: temporary, TEMP: temporary, CLAUDE_CODE_TMPDIR: temporary };
      return { spec: { deny, folders }, variables: { ...variables, ...git.variables }, release };
    },
  };
};

const openFree = (network: SandboxWish["network"]): AgentSandbox => {
  if (network === "none")
    throw invalidArgument([
      {
        path: "network",
        expected: "host, where the sandbox is off: nothing else can take the network",
        fix: "turn the sandbox on",
      },
    ]);
  return { describe: "the agent is not in a sandbox", hold: async () => free };
};

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

const isCovered = (path: string, hidden: readonly string[]): boolean => {
  const real = realpathSync(path);
  return hidden.map((one) => realpathSync(one)).some((cover) => real === cover || real.startsWith(`${cover}${sep}`));
};

const checkFolder = (path: string, field: string, hidden: readonly string[]): string => {
  const refuse = (expected: string) => invalidArgument([{ path: field, expected, fix: "correct or leave out" }]);
  if (!isAbsolute(path) || !isFolder(path)) throw refuse(`an absolute path of a folder that is there; ${path} is none`);
  if (isCovered(path, hidden)) throw refuse(`a folder that an agent may see; ${path} is one of the kernel's owner`);
  return path;
};
