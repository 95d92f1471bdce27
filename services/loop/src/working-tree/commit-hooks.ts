/**
 * The hooks that a ticket's commit has to pass, where the server's configuration names their folder. They run before the ticket is done, like
 * verification commands: an argument vector, named variables, a time limit, no terminal. The index that they see holds the ticket's files, and
 * nothing that a person has staged. Not here: the commit itself (`settle-tree.ts`, `settle-worktree.ts`).
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { requireRevision } from "../git/arguments.ts";
import { type Baseline, takeBaseline } from "../git/change.ts";
import { filteredFiles, type WorkTree, withStaged } from "../git/work-tree.ts";
import { runProgram } from "../qa/run-command.ts";
import type { Project } from "../session/project.ts";
import type { RunState, TicketWork } from "../state/run-state.ts";
import type { UnsettledTicket } from "../state/tree.ts";
import { describeUnsettled } from "../state/unsettled.ts";
import { hookCommand, hookNames } from "../state/verification.ts";
import { assignFiles } from "./assign-files.ts";
import { formatMessage } from "./commit-message.ts";
import { keepEditsDuring } from "./hook-edits.ts";
import { findWorkingTree, readBaseline } from "./measure.ts";
import { findToolTimes } from "./tool-log.ts";

const timeLimitMs = 60_000;

/** A hook that has to pass, and how it is run. */
interface CommitHook {
  /** As it is recorded. */
  readonly command: string;
  readonly run: (signal: AbortSignal | undefined) => Promise<HookResult>;
}

interface HookResult {
  readonly success: boolean;
  readonly output: string;
  readonly durationMs: number;
}

/** The hooks of the commit that the ticket would end with; none where the server makes no commit. */
export const listCommitHooks = (project: Project, state: RunState, work: TicketWork): readonly CommitHook[] => {
  const { commitHooks } = project.options;
  const tree = findWorkingTree(project, state, work);
  if (commitHooks === undefined || tree === undefined || !state.settings.ownTree) return [];
  const folder = resolve(project.top, commitHooks);
  const present = hookNames.filter((name) => existsSync(join(folder, name)));
  return present.map((name) => ({
    command: hookCommand(name),
    run: (signal) => runHook(project, { state, work, name, path: join(folder, name), hooks: present, signal }),
  }));
};

interface HookRun {
  readonly state: RunState;
  readonly work: TicketWork;
  readonly name: string;
  readonly path: string;
  readonly hooks: readonly string[];
  readonly signal: AbortSignal | undefined;
}

const passed: HookResult = { success: true, output: "there is nothing to commit", durationMs: 0 };

/** One at a time in a tree: a hook may put away what another one looks at. */
const runHook = (project: Project, run: HookRun): Promise<HookResult> => {
  const tree = findWorkingTree(project, run.state, run.work);
  return tree === undefined
    ? Promise.resolve(passed)
    : inTurn(findTop(tree.git, tree.folder), () => runIn(project, tree, run));
};

const runIn = async (
  project: Project,
  tree: NonNullable<ReturnType<typeof findWorkingTree>>,
  run: HookRun,
): Promise<HookResult> => {
  const now = await takeBaseline(tree.git, tree.folder);
  const ticket = describeUnsettled(run.state, run.work, { outcome: "done", at: run.state.startedAt });
  if (now === undefined || ticket === undefined) return passed;
  const place: WorkTree = { git: tree.git, root: tree.folder, index: join(project.home, `index-hook-${ticket.id}`) };
  const files = await listFiles(project, place, { now, ticket, isOwn: tree.folder !== project.root });
  if (files.length === 0) return passed;
  const { clock, warn } = project.options;
  return keepEditsDuring(place, { id: ticket.id, before: now, at: clock(), warn }, () =>
    withMessageFile(formatMessage({ ...ticket, hooks: run.hooks }), (message) =>
      withStaged(place, requireRevision(now.head), {
        files,
        work: () =>
          runAndCompare(project, place, { ...run, now, argument: run.name === "commit-msg" ? message : undefined }),
      }),
    ),
  );
};

/** What the commit would hold; nothing where the ticket will be parked. */
const listFiles = async (
  project: Project,
  { git, root }: WorkTree,
  {
    now,
    ticket,
    isOwn,
  }: {
    readonly now: Baseline;
    readonly ticket: Pick<UnsettledTicket, "id"> &
      Parameters<typeof assignFiles>[1] &
      Parameters<typeof formatMessage>[0];
    readonly isOwn: boolean;
  },
): Promise<readonly string[]> => {
  const dirty = Object.keys(now.dirty).toSorted();
  if (isOwn) {
    const filtered = await filteredFiles(git, dirty);
    return dirty.filter((file) => !filtered.includes(file));
  }
  const baseline = readBaseline(project, ticket.id);
  if (baseline === undefined) return [];
  const { own, shared } = await assignFiles(git, ticket, {
    baseline,
    now,
    times: findToolTimes(project, ticket.id),
    root,
  });
  return shared.length > 0 ? [] : own;
};

/** The program that a hook is may not be asked for anything, and must leave the tree as it is. */
const runAndCompare = async (
  { options }: Project,
  { git, root, index }: WorkTree,
  { now, path, argument, signal }: HookRun & { readonly now: Baseline; readonly argument: string | undefined },
): Promise<HookResult> => {
  const result = await runProgram(argument === undefined ? [path] : [path, argument], {
    folder: findTop(git, root),
    timeLimitMs,
    environment: options.qaEnvironment,
    variables: { GIT_INDEX_FILE: index, GIT_EDITOR: ":", GIT_TERMINAL_PROMPT: "0" },
    network: options.qaNetwork,
    clock: options.clock,
    ...(signal !== undefined && { signal }),
  });
  const after = await takeBaseline(git, root);
  const changed = after === undefined ? [] : listChanges(now, after);
  if (!result.success || changed.length === 0) return result;
  return {
    ...result,
    success: false,
    output: `${result.output}\n[it changed what is to be committed: ${changed.join(", ")}]`,
  };
};

/** Of a tree, by the folder of the project in it. */
const findTop = ({ prefix = "" }: WorkTree["git"], root: string): string =>
  resolve(root, prefix.replaceAll(/[^/]+\/?/g, "../"));

const turns = new Map<string, Promise<unknown>>();

const inTurn = async <T>(tree: string, work: () => Promise<T>): Promise<T> => {
  const earlier = turns.get(tree) ?? Promise.resolve();
  const own = earlier.then(work);
  const end = own.catch(() => undefined);
  turns.set(tree, end);
  try {
    return await own;
  } finally {
    if (turns.get(tree) === end) turns.delete(tree);
  }
};

const listChanges = (before: Baseline, after: Baseline): readonly string[] => {
  const names = new Set([...Object.keys(before.dirty), ...Object.keys(after.dirty)]);
  const files = [...names].filter((name) => before.dirty[name] !== after.dirty[name]).toSorted();
  return before.head === after.head ? files.slice(0, 20) : ["HEAD", ...files].slice(0, 20);
};

/** The message is in a file of its own, which a hook may write and which is not read again. */
const withMessageFile = async <T>(message: string, work: (path: string) => Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), "fairlead-message-"));
  try {
    const path = join(folder, "COMMIT_EDITMSG");
    writeFileSync(path, message);
    return await work(path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
