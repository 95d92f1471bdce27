/**
 * What is known of the branch that a pull request is said to come from: in this repository, and where the server's configuration allows it at
 * its remote (`git ls-remote`) or at GitHub (`gh`). There is no prompt; each answer has ten seconds. Not here: how a branch is set
 * up (`branch.ts`).
 */
import { runToEnd } from "@fairlead/kernel/subprocess";
import type { PrCheck } from "../state/pull-request.ts";
import { gitArguments, parseRevision, type Revision } from "./arguments.ts";
import { type Git, openRemoteGit } from "./git.ts";

interface ReportedPull {
  readonly url: string;
  readonly branch: string;
  /** The commit that the ticket began at. */
  readonly base: string;
}

/** What to ask, and where the repository's top is. */
interface PullQuestion {
  readonly ask: "local" | "git" | "gh";
  readonly top: string;
}

export const checkPublished = async (
  git: Git,
  { url, branch: name, base }: ReportedPull,
  { ask, top }: PullQuestion,
): Promise<PrCheck> => {
  const branch = parseRevision(name);
  const tip =
    branch === undefined ? undefined : parseRevision((await git(gitArguments.resolveCommit(branch))).stdout.trim());
  if (branch === undefined || tip === undefined)
    return { pr: "unverified", reason: `there is no branch ${JSON.stringify(name.slice(0, 80))} here` };
  const first = parseRevision(base);
  const isEmpty = first !== undefined && (await git(gitArguments.isAncestor(tip, first))).code === 0;
  if (isEmpty) return { pr: "unverified", reason: `${name} has no commit since the ticket was taken` };
  if (ask === "local") return { pr: "local", reason: "the branch is here; no remote was asked" };
  const doubt = ask === "gh" ? await askHub(top, url, { branch, tip }) : await askRemote(git, top, { branch, tip });
  return doubt === undefined
    ? { pr: "verified", reason: `${ask === "gh" ? "GitHub" : "the remote"} has ${name} at ${tip.slice(0, 12)}` }
    : { pr: "local", reason: `the branch is here; ${doubt}` };
};

/** The first remote, or `origin` among several; none without any. */
export const findRemote = async (git: Git): Promise<Revision | undefined> => {
  const names = (await git(gitArguments.listRemotes())).stdout.split("\n").filter((name) => name !== "");
  return parseRevision(names.includes("origin") ? "origin" : (names[0] ?? ""));
};

interface LocalBranch {
  readonly branch: Revision;
  readonly tip: Revision;
}

/** Why the remote does not confirm the branch; `undefined` when it does. */
const askRemote = async (git: Git, top: string, { branch, tip }: LocalBranch): Promise<string | undefined> => {
  const remote = await findRemote(git);
  if (remote === undefined) return "there is no remote to ask";
  const { code, stdout, stderr } = await openRemoteGit(top)(gitArguments.remoteBranch(remote, branch));
  if (code !== 0) return `${remote} could not be asked: ${firstLine(stderr)}`;
  const [there = ""] = stdout.split("\t");
  if (there === tip) return undefined;
  return there === ""
    ? `${remote} has no such branch`
    : `${remote} has it at ${there.slice(0, 12)}, not ${tip.slice(0, 12)}`;
};

const hubFields = "state,headRefName,headRefOid";

/** The same of GitHub, through its own command, which has its own login. */
const askHub = async (top: string, url: string, { branch, tip }: LocalBranch): Promise<string | undefined> => {
  if (!isHub(url)) return "its address is none that GitHub could be asked about";
  const out: Uint8Array[] = [];
  const { end, output } = await runToEnd({
    command: "gh",
    args: ["pr", "view", url, "--json", hubFields],
    cwd: top,
    env: {
      pass: ["GH_TOKEN", "GITHUB_TOKEN", "GH_HOST", "GH_CONFIG_DIR", "XDG_CONFIG_HOME"],
      set: { GH_PROMPT_DISABLED: "1", GH_NO_UPDATE_NOTIFIER: "1", NO_COLOR: "1" },
    },
    timeLimitMs: 10_000,
    outputBytes: 4_096,
    onStdout: (chunk) => out.push(chunk),
  });
  if (end.kind === "missing") return "gh is not installed";
  if (end.kind !== "exited" || end.exit.code !== 0) return `gh has no answer: ${firstLine(output) || end.kind}`;
  const said = readHub(Buffer.concat(out).toString("utf8"));
  if (said.headRefName !== branch) return `GitHub has this pull request from ${said.headRefName || "another branch"}`;
  return said.headRefOid === tip ? undefined : `GitHub has it at ${said.headRefOid.slice(0, 12) || "no commit"}`;
};

/** Of any other address its own server would answer, and could say what the client likes. */
const isHub = (url: string): boolean => {
  const { protocol, host } = new URL(url);
  return protocol === "https:" && host === "github.com";
};

const readHub = (json: string): { readonly headRefName: string; readonly headRefOid: string } => {
  const text = (value: unknown): string => (typeof value === "string" ? value : "");
  try {
    const { headRefName, headRefOid } = JSON.parse(json);
    return { headRefName: text(headRefName), headRefOid: text(headRefOid) };
  } catch {
    return { headRefName: "", headRefOid: "" };
  }
};

const firstLine = (text: string): string => text.trim().split("\n")[0]?.slice(0, 200) ?? "";
