/**
 * How a headless agent is held: it writes in the folder that it works on, in a temporary folder of its own, and in what its caller or its own
 * make names; nothing else of the machine, and it finds the kernel owner's folders empty. The kernel's namespaces do it (ADR 0304).
 *
 * Not here: what the server itself runs, like verification commands (`qa/`).
 */
import { lstatSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { basename, dirname, isAbsolute, join, sep } from "node:path";
import { type CommandSpec, probeContainment } from "@fairlead/kernel/subprocess";
import { gitArguments } from "../git/arguments.ts";
import { editLogName, shellEndName } from "../hook/edit-log.ts";
import { declaredError, invalidArgument } from "../session/declared-error.ts";
import type { Project } from "../session/project.ts";
import type { ToolInput } from "../tool/procedure.ts";

/** What is asked for, with the names that the contract has for it. */
type SandboxWish = Pick<ToolInput<"driveAgent">, "sandbox" | "network" | "write">;

type ContainmentProbe = () => Promise<Pick<Awaited<ReturnType<typeof probeContainment>>, "denials" | "detail">>;

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
  readonly release: () => void;
}

const free: AgentHold = { spec: {}, variables: {}, release: () => undefined };

/** Without their own state the best known agents do not work. Relative to the home folder; what another start of them would run stays as it is. */
const ownState: Readonly<Record<string, { readonly write: readonly string[]; readonly keep: readonly string[] }>> = {
  claude: {
    write: [".claude", ".claude.json"],
    keep: ["settings.json", "settings.local.json", "CLAUDE.md", "hooks", "commands", "agents", "skills", "plugins"].map(
      (name) => `.claude/${name}`,
    ),
  },
  codex: {
    write: [".codex"],
    keep: ["config.toml", "AGENTS.md", "prompts", "rules", "skills", "hooks.json"].map((name) => `.codex/${name}`),
  },
  "cursor-agent": { write: [".cursor"], keep: ["mcp.json", "hooks.json", "rules"].map((name) => `.cursor/${name}`) },
  gemini: { write: [".gemini"], keep: ["settings.json", "GEMINI.md", "extensions"].map((name) => `.gemini/${name}`) },
};

/** Throws `no_sandbox` where it has to be held and this system cannot do it, and what is wrong with the folders. */
export const openSandbox = async (
  program: string,
  { sandbox, network, write }: SandboxWish,
  owners: readonly string[],
  probe: ContainmentProbe = probeContainment,
): Promise<AgentSandbox> => {
  if (sandbox === "off") return { describe: "the agent is not in a sandbox", hold: async () => free };
  const deny = network === "host" ? (["writing"] as const) : (["network", "writing"] as const);
  const { denials, detail } = await probe();
  const missing = deny.filter((one) => !denials.includes(one));
  if (missing.length > 0) {
    const why = `an agent cannot be denied ${missing.join(" and ")} on this system (${detail})`;
    // Who asks for less network than there is must not get all of it in silence.
    if (sandbox === "on" || network === "none") throw declaredError("no_sandbox", why);
    return { describe: `the agent is not in a sandbox: ${why}`, hold: async () => free };
  }
  const hidden = owners.filter(isFolder);
  const given = write.map((path, index) => checkFolder(path, `write.${index}`, hidden));
  const state = ownState[basename(program)];
  const atHome = (names: readonly string[] = []): readonly string[] =>
    names.map((name) => join(homedir(), name)).filter(isThere);
  const [own, kept] = [atHome(state?.write), atHome(state?.keep)];
  const places = ["its folder", "a temporary one", ...given, ...own].join(", ");
  return {
    describe: `the agent is in a sandbox: it writes in ${places}; network: ${network}`,
    hold: async (project, folder) => {
      const git = await findGitPlaces(project, folder);
      const covered = [folder, ...git.writable].find((path) => isCovered(path, hidden));
      if (covered !== undefined)
        throw declaredError("no_sandbox", `${covered} lies in a folder of the kernel's owner, which no agent sees`);
      const temporary = mkdtempSync(join(realpathSync(tmpdir()), "fairlead-agent-"));
      return {
        spec: {
          deny,
          folders: {
            writable: [folder, temporary, ...git.writable, ...given, ...own],
            readOnly: [...git.readOnly, ...kept],
            hidden,
          },
        },
        variables: { TMPDIR: temporary, TMP: temporary, TEMP: temporary, CLAUDE_CODE_TMPDIR: temporary },
        release: () => rmSync(temporary, { recursive: true, force: true }),
      };
    },
  };
};

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

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

interface GitPlaces {
  readonly writable: readonly string[];
  readonly readOnly: readonly string[];
}

/**
 * Git's own files are read-only, since a hook or a setting in them would run with its reader's rights; so is the session's state. Only where it has to commit
 * by itself, for pull requests, it gets the objects and the branches of the repository, and the index of its worktree.
 */
const findGitPlaces = async (project: Project, folder: string): Promise<GitPlaces> => {
  const { prefix = "" } = project.git ?? {};
  const top = prefix === "" ? folder : folder.slice(0, -prefix.length + 1).replace(/\/$/, "");
  const entry = join(top, ".git");
  const readOnly = [entry, project.home].filter((path) => isThere(path) && !folder.startsWith(`${path}${sep}`));
  const tree = project.peek()?.settings.createPrs === true ? await findWorktree(project, entry) : undefined;
  if (tree === undefined) return { writable: findToolLog(project, folder), readOnly };
  const { common, own } = tree;
  const shared = ["objects", "refs", "logs"].map((name) => join(common, name));
  return {
    writable: [own, ...shared.filter(isFolder)],
    readOnly: [...readOnly, ...["commondir", "gitdir"].map((name) => join(own, name)).filter(isThere)],
  };
};

/** The hooks of the agent's client, in the same tree, write when its tools were at work. */
const findToolLog = ({ root, home }: Project, folder: string): readonly string[] =>
  folder === root ? [editLogName, shellEndName].map((name) => join(home, name)).filter(isThere) : [];

/** Where git keeps a worktree: only below the project's own repository, whatever the file in the worktree says. */
const findWorktree = async ({ git }: Project, entry: string) => {
  if (git === undefined || lstatSync(entry, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  const common = (await git(gitArguments.commonFolder())).stdout.trim();
  const named = /^gitdir: (.+)$/m.exec(readFileSync(entry, "utf8").slice(0, 4_096))?.[1];
  if (common === "" || named === undefined || !isFolder(named)) return undefined;
  const own = realpathSync(named);
  return dirname(own) === join(realpathSync(common), "worktrees") ? { common: realpathSync(common), own } : undefined;
};
