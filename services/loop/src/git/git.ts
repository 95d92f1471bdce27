/**
 * Runs git, guarded: an argument vector from the table in `arguments.ts`, an environment of our own, and settings that keep a repository's
 * configuration from running anything: no hooks, no fsmonitor, no filters, no pager, no transport, no other work tree. It runs under
 * the kernel's guard: no git outlives the server.
 *
 * @NOTE Filters are off, so files kept by a clean/smudge filter (LFS) are seen as they are stored.
 */
import { devNull } from "node:os";
import { join, posix } from "node:path";
import { runToEnd } from "@fairlead/kernel/subprocess";
import { gitArguments } from "./arguments.ts";
import { requirePlainFiles } from "./plain-files.ts";

export interface GitResult {
  readonly code: number;
  readonly stdout: string;
  /** The same as it came. */
  readonly bytes?: Uint8Array;
  readonly stderr: string;
}

/** Variables of one call beside those that are always set: an index of its own, who a commit is by, and when. */
export type GitVariables = Readonly<
  Partial<
    Record<
      | "GIT_INDEX_FILE"
      | "GIT_LITERAL_PATHSPECS"
      | "GIT_AUTHOR_NAME"
      | "GIT_AUTHOR_EMAIL"
      | "GIT_AUTHOR_DATE"
      | "GIT_COMMITTER_NAME"
      | "GIT_COMMITTER_EMAIL"
      | "GIT_COMMITTER_DATE",
      string
    >
  >
>;

/** How commits are signed: by the server's configuration, never by the repository's. */
export interface CommitSigning {
  readonly format: "openpgp" | "x509" | "ssh";
  /** As git's `user.signingKey` has it. */
  readonly key: string;
  /** That of the format when left out. */
  readonly program?: string | undefined;
}

/** Where git runs below the top of the repository, and what it signs with. */
interface GitSetting {
  readonly prefix?: string | undefined;
  readonly signing?: CommitSigning | undefined;
}

/** Git in one folder; paths that it is given are relative to it. */
export interface Git {
  (args: readonly string[], variables?: GitVariables): Promise<GitResult>;
  /** The folder in its repository, like `packages/a/`; empty or left out at the top. */
  readonly prefix?: string;
  /** Commits that are to be signed are; none without it. */
  readonly signing?: CommitSigning | undefined;
}

/** A path that git gave relative to the top of the repository, relative to its folder: `../b/x.ts` outside of that. */
export const fromTop = ({ prefix = "" }: Git, path: string): string =>
  path.startsWith(prefix) ? path.slice(prefix.length) : posix.relative(`/${prefix}`, `/${path}`);

const settings: Readonly<Record<string, string>> = {
  "core.fsmonitor": "false",
  "core.hooksPath": devNull,
  "core.pager": "cat",
  "core.editor": "false",
  "core.askPass": "",
  "core.sshCommand": "false",
  "core.untrackedCache": "false",
  // A log that is not there is not begun: a held agent commits without one (`runner/agent-sandbox.ts`).
  "core.logAllRefUpdates": "false",
  "core.quotePath": "false",
  "credential.helper": "",
  "gc.auto": "0",
  "maintenance.auto": "false",
  "protocol.allow": "never",
  "protocol.ext.allow": "never",
  "submodule.recurse": "false",
  "commit.gpgSign": "false",
  "log.showSignature": "false",
  "advice.detachedHead": "false",
};

const timeLimitMs = 60_000;
const remoteLimitMs = 10_000;
const outputLimit = 64 * 1024 * 1024;

/** Verbs that read and write no file of a work tree through a filter or a merge driver, as they are used here. For all others the drivers are listed again: settings change. */
const unfiltered: ReadonlySet<string> = new Set([
  ...["rev-parse", "show-ref", "symbolic-ref", "check-ref-format", "for-each-ref", "update-ref", "merge-base"],
  ...["cat-file", "hash-object", "ls-tree", "diff-tree", "commit-tree", "write-tree", "log", "grep"],
  ...["ls-files", "check-ignore", "check-attr", "config", "remote"],
]);

/**
 * Git for a work tree (`top` has its `.git`), run in the folder `prefix` of it; paths and work tree are fixed, whatever the repository's
 * configuration says.
 */
export const openGit = (top: string, { prefix = "", signing }: GitSetting = {}): Git => {
  const git = async (args: readonly string[], variables: GitVariables = {}): Promise<GitResult> => {
    requirePlainFiles(top);
    const filters = unfiltered.has(args[0] ?? "") ? {} : await filterSettings(top);
    const own = { ...filters, ...signingSettings(signing) };
    const pass = signing === undefined ? [] : ["SSH_AUTH_SOCK", "GNUPGHOME"];
    return run(join(top, prefix), args, { variables: { ...environment(top, own), ...variables }, pass });
  };
  return Object.assign(git, { prefix, signing });
};

/** The same repository where a remote is asked: encrypted transports and folders, no prompt, no program of the repository's, ten seconds. */
export const openRemoteGit = (top: string): Git => {
  const outward = { ...settings, "core.sshCommand": "ssh -oBatchMode=yes", "protocol.allow": "user" };
  return (args, variables = {}) =>
    run(top, args, {
      variables: { ...environment(top, outward), GIT_ALLOW_PROTOCOL: "https:ssh:file", ...variables },
      pass: ["SSH_AUTH_SOCK"],
      limitMs: remoteLimitMs,
    });
};

const programs = { openpgp: "gpg", x509: "gpgsm", ssh: "ssh-keygen" } as const;

/** Every program that git could sign with is named, so that none of the repository's choice is. */
const signingSettings = (signing: CommitSigning | undefined): Readonly<Record<string, string>> => {
  if (signing === undefined) return {};
  const { format, key, program = programs[format] } = signing;
  return {
    "gpg.format": format,
    "user.signingKey": key,
    "gpg.program": program,
    "gpg.openpgp.program": program,
    "gpg.x509.program": program,
    "gpg.ssh.program": program,
  };
};

/** Every filter and merge driver the repository names, switched off. Read with the other guards on; reading runs nothing. */
const filterSettings = async (root: string): Promise<Readonly<Record<string, string>>> => {
  const { stdout } = await run(root, gitArguments.configNames(), { variables: environment(root, {}) });
  const off: Record<string, string> = {};
  for (const name of stdout.split("\0")) {
    // A driver that fails leaves a conflict; an empty one would take one side.
    if (/^merge\..*\.driver$/s.test(name)) off[name] = "false";
    const filter = /^filter\.(.*)\.(?:clean|smudge|process|required)$/s.exec(name)?.[1];
    if (filter === undefined) continue;
    off[`filter.${filter}.clean`] = "";
    off[`filter.${filter}.smudge`] = "";
    off[`filter.${filter}.process`] = "";
    off[`filter.${filter}.required`] = "false";
  }
  return off;
};

const environment = (root: string, filters: Readonly<Record<string, string>>): Readonly<Record<string, string>> => {
  const all = Object.entries({ ...settings, ...filters });
  return {
    LANG: "C.UTF-8",
    LC_ALL: "C.UTF-8",
    GIT_DIR: join(root, ".git"),
    GIT_WORK_TREE: root,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_ALLOW_PROTOCOL: "none",
    GIT_NO_LAZY_FETCH: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_PAGER: "cat",
    GIT_EDITOR: "false",
    GIT_CONFIG_COUNT: String(all.length),
    ...Object.fromEntries(
      all.flatMap(([key, value], n) => [
        [`GIT_CONFIG_KEY_${n}`, key],
        [`GIT_CONFIG_VALUE_${n}`, value],
      ]),
    ),
  };
};

interface GitRun {
  readonly variables: Readonly<Record<string, string>>;
  /** Names of variables of this process that it may see. */
  readonly pass?: readonly string[];
  readonly limitMs?: number;
}

const run = async (
  folder: string,
  args: readonly string[],
  { variables, pass = [], limitMs = timeLimitMs }: GitRun,
): Promise<GitResult> => {
  const out: Uint8Array[] = [];
  const flood = new AbortController();
  let size = 0;
  const { end, output } = await runToEnd({
    command: "git",
    args: ["-c", "core.fsmonitor=false", "-c", `core.hooksPath=${devNull}`, "--no-pager", ...args],
    cwd: folder,
    env: { pass, set: variables },
    timeLimitMs: limitMs,
    outputBytes: 8_192,
    signal: flood.signal,
    onStdout: (chunk) => {
      size += chunk.length;
      if (size <= outputLimit) out.push(chunk);
      else flood.abort();
    },
  });
  const code = end.kind === "exited" ? (end.exit.code ?? -1) : -1;
  if (end.kind === "timeout") return { code, stdout: "", stderr: `no answer within ${limitMs} ms` };
  const stderr = end.kind === "missing" ? `the ${end.what} ${end.path} is not there` : output.trim();
  const bytes = Buffer.concat(out);
  return { code, stdout: bytes.toString("utf8"), bytes, stderr };
};
