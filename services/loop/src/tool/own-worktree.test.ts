/** Sessions that own worktrees: how each parallel ticket and each pull request ends in git, and that a person's folder stays theirs. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  begin,
  call,
  closing,
  git,
  opening,
  ownTreeKernel,
  place,
  read,
  report,
  status,
  useOwnTree,
} from "../testing/own-tree.ts";
import type { ToolReply } from "../testing/test-kernel.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

useOwnTree();

interface Worker {
  readonly ticketId: string;
  readonly file: string;
  /** Absolute. */
  readonly folder: string;
}

/** Plans a ticket and gives its worktree. */
const enter = async ({ ticket_id: ticketId, title }: ToolReply): Promise<Worker> => {
  const file = title.includes("door") ? opening : closing;
  await report("PLAN_SUBMITTED", { ticket_id: ticketId, files: [file], risk_level: "low" });
  const { worktree } = await call("gitSetup", { ticketId });
  return { ticketId, file, folder: place(worktree) };
};

const write = ({ folder, file }: Worker, text: string): void => {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
};

const pass = async ({ ticketId: ticket_id, file }: Worker): Promise<void> => {
  await report("TICKET_RESULT", { ticket_id, status: "done", changed_files: [file] });
  await report("QA_COMMAND_RESULT", { ticket_id, command: "make", success: true, output: "ok" });
  expect(await report("QA_PASSED", { ticket_id })).toMatchObject({ processed: true });
};

/** Two tickets at once, each in its worktree. */
const beginTwo = async (settings: Readonly<Record<string, unknown>> = {}): Promise<readonly [Worker, Worker]> => {
  await begin({ parallel: 2, ...settings });
  const { parallel_tickets } = await call("advance");
  const workers: Worker[] = [];
  for (const ticket of parallel_tickets) workers.push(await enter(ticket));
  const [first, second] = workers.toSorted((a, b) => a.file.localeCompare(b.file));
  if (first === undefined || second === undefined) throw new Error("there are no two tickets");
  return [first, second];
};

const branches = (): readonly string[] =>
  git("for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads").split("\n").toSorted();

describe("parallel tickets", () => {
  it("end on the branch that the session began on, beside what a person has edited and staged", async () => {
    ownTreeKernel().repository.write("src/part-1.ts", "a person's\n");
    ownTreeKernel().repository.write("notes.txt", "a person's notes\n");
    git("add", "src/part-1.ts");
    const [first, second] = await beginTwo();
    write(first, "closed\n");
    write(second, "half open\n");
    await pass(first);
    await report("TICKET_RESULT", { ticket_id: second.ticketId, status: "failed", reason: "too hard" });
    expect(git("show", `main:${closing}`)).toBe("closed");
    expect(read(closing)).toBe("closed\n");
    expect(status()).toEqual(["M  src/part-1.ts", "?? notes.txt"]);
    const parked = `promptwheel/parked/${second.ticketId}`;
    expect(git("show", `${parked}:${opening}`)).toBe("half open");
    expect(branches()).toEqual(["main", parked]);
    const { work, began_on_branch, ended_on_branch } = await call("endSession");
    expect({ began_on_branch, ended_on_branch }).toEqual({ began_on_branch: "main", ended_on_branch: "main" });
    expect(work).toMatchObject([
      { ticket_id: first.ticketId, tree: "commit", commit: git("rev-parse", "main"), files: [closing] },
      { ticket_id: second.ticketId, tree: "parked", branch: parked, files: [opening] },
    ]);
    expect([first, second].filter(({ folder }) => existsSync(folder))).toEqual([]);
  });

  if (inLongTier) {
    it("are merged where both are done, and each commit has its ticket", async () => {
      const [first, second] = await beginTwo();
      write(first, "closed\n");
      write(second, "open\n");
      await pass(first);
      await pass(second);
      expect([read(closing), read(opening)]).toEqual(["closed\n", "open\n"]);
      expect(status()).toEqual([]);
      const tickets = git("log", "--no-merges", "--format=%(trailers:key=Ticket,valueonly,separator=%x2C)", "main");
      expect(tickets.split("\n").toSorted()).toEqual([first.ticketId, second.ticketId].toSorted());
      expect(branches()).toEqual(["main"]);
      expect(git("fsck", "--strict", "--no-dangling")).toBe("");
    });

    it("stay on their branches where the session asks for that", async () => {
      const [first, second] = await beginTwo({ merge_branches: false });
      write(first, "closed\n");
      await pass(first);
      await pass(second);
      const { work } = await call("endSession");
      expect(work).toMatchObject([{ tree: "branch", commit: git("rev-parse", work[0].branch) }, { tree: "unchanged" }]);
      expect(branches()).toEqual(["main", work[0].branch]);
      expect(existsSync(place(closing))).toBe(false);
    });

    it("in conflict with the branch become tickets", async () => {
      const [first, second] = await beginTwo();
      ownTreeKernel().repository.write(closing, "a person's\n");
      git("add", closing);
      git("commit", "--quiet", "--message=A person's");
      write(first, "closed\n");
      await pass(first);
      await pass(second);
      const { ticketId, title, description } = await call("nextTicket");
      expect(title).toBe('Resolve the conflict of "Close the file"');
      expect(description).toContain(`promptwheel/${first.ticketId}/`);
      expect(read(closing)).toBe("a person's\n");
      const worker = await enter({ ticket_id: ticketId, title });
      write(worker, "a person's, closed\n");
      await pass(worker);
      const { work } = await call("endSession");
      expect(work).toMatchObject([
        { tree: "branch", conflicts: [closing], note: "in conflict with main" },
        { tree: "unchanged" },
        { tree: "commit" },
      ]);
      expect(git("show", `main:${closing}`)).toBe("a person's, closed");
      expect(git("show", `${work[0].branch}:${closing}`)).toBe("closed");
    });

    it.each([
      ["a new file", false],
      ["an edit", true],
    ])("stay on their branches where %s of a person's is in the way, which keeps every byte", async (_, isTracked) => {
      if (isTracked) {
        ownTreeKernel().repository.write(closing, "open\n");
        git("add", closing);
        git("commit", "--quiet", "--message=Track it");
      }
      const [first] = await beginTwo();
      ownTreeKernel().repository.write(closing, "a person's\n");
      write(first, "closed\n");
      await pass(first);
      const { work } = await call("endSession");
      expect(work).toMatchObject([
        { tree: "branch", note: expect.stringContaining("in the way") },
        { tree: "unchanged" },
      ]);
      expect(git("show", `${work[0].branch}:${closing}`)).toBe("closed");
      expect(read(closing)).toBe("a person's\n");
      expect(status()).toEqual([`${isTracked ? " M" : "??"} ${closing}`]);
    });

    it("that are open at the end are parked", async () => {
      const [first, second] = await beginTwo();
      write(first, "half closed\n");
      const { work } = await call("endSession");
      const parked = `promptwheel/parked/${first.ticketId}`;
      expect(work).toMatchObject([
        { tree: "parked", branch: parked },
        { ticket_id: second.ticketId, tree: "unchanged" },
      ]);
      expect(git("show", `${parked}:${closing}`)).toBe("half closed");
      expect(branches()).toEqual(["main", parked]);
      expect(existsSync(first.folder)).toBe(false);
    });

    it("of a pull request stay on the branch that the client committed and published", async () => {
      await begin({ create_prs: true });
      const { ticketId, title } = await call("nextTicket");
      const worker = await enter({ ticket_id: ticketId, title });
      write(worker, "closed\n");
      await pass(worker);
      const wt = (...args: readonly string[]) =>
        execFileSync("git", args, {
          cwd: worker.folder,
          env: {
            PATH: process.env.PATH,
            HOME: worker.folder,
            GIT_CONFIG_NOSYSTEM: "1",
            GIT_CONFIG_GLOBAL: "/dev/null",
          },
        });
      wt("add", worker.file);
      wt("-c", "user.name=A", "-c", "user.email=a@b", "commit", "--quiet", "--message=Mine");
      const branch = String(wt("branch", "--show-current")).trim();
      const published = await report("PR_CREATED", { url: "https://example.com/pr/1", branch });
      expect(published).toMatchObject({ processed: true, new_phase: "NEXT_TICKET" });
      const { work, prs } = await call("endSession");
      expect(prs).toMatchObject([{ ticket_id: ticketId, branch, pr: "local" }]);
      expect(work).toMatchObject([{ tree: "branch", branch, commit: git("rev-parse", branch), files: [worker.file] }]);
      expect(git("branch", "--show-current")).toBe("main");
      expect(existsSync(worker.folder)).toBe(false);
    });
  }
});

if (inLongTier) {
  it("a worktree is kept while it holds an ignored file that no build makes, and the ticket's end says so", async () => {
    ownTreeKernel().repository.write(".git/info/exclude", "*.local\nnode_modules\n");
    const [first, second] = await beginTwo();
    write({ ...first, file: "notes.local" }, "only here\n");
    write({ ...second, file: "node_modules/a/index.js" }, "made again\n");
    for (const { ticketId: ticket_id } of [first, second])
      await report("TICKET_RESULT", { ticket_id, status: "failed", reason: "too hard" });
    const { work } = await call("endSession");
    expect(work).toMatchObject([
      { tree: "unchanged", note: "its worktree is kept for files that git ignores: notes.local" },
      { tree: "unchanged", note: null },
    ]);
    expect([first, second].map(({ folder }) => existsSync(folder))).toEqual([true, false]);
    expect(existsSync(join(first.folder, "notes.local"))).toBe(true);
  });
}

describe("a ticket whose worktree the agent has removed", () => {
  /** The agent commits on its branch and removes its worktree; then a person edits a file of the same name. */
  const removeIt = (worker: Worker): void => {
    write(worker, "closed\n");
    execFileSync("git", ["add", worker.file], { cwd: worker.folder });
    const identity = ["-c", "user.name=A", "-c", "user.email=a@b"];
    execFileSync("git", [...identity, "commit", "--quiet", "--message=Mine"], { cwd: worker.folder });
    git("worktree", "remove", worker.folder);
    ownTreeKernel().repository.write(worker.file, "a person's\n");
  };

  if (inLongTier) {
    it("is parked from its branch, and the person's edit stays", async () => {
      const [first] = await beginTwo();
      removeIt(first);
      await report("TICKET_RESULT", { ticket_id: first.ticketId, status: "failed", reason: "too hard" });
      expect({ text: read(closing), status: status() }).toEqual({ text: "a person's\n", status: [`?? ${closing}`] });
      const parked = `promptwheel/parked/${first.ticketId}`;
      expect(git("show", `${parked}:${closing}`)).toBe("closed");
      expect(branches().filter((name) => name.includes(first.ticketId))).toEqual([parked]);
    });
  }

  if (inLongTier)
    it("is left on its branch where the person's edit is in the way of its merge", async () => {
      const [first] = await beginTwo();
      write(first, "closed\n");
      await report("TICKET_RESULT", { ticket_id: first.ticketId, status: "done", changed_files: [closing] });
      await report("QA_COMMAND_RESULT", { ticket_id: first.ticketId, command: "make", success: true, output: "ok" });
      removeIt(first);
      await report("QA_PASSED", { ticket_id: first.ticketId });
      expect({ text: read(closing), status: status() }).toEqual({ text: "a person's\n", status: [`?? ${closing}`] });
      const { work } = await call("endSession");
      expect(work).toMatchObject([{ tree: "branch", note: expect.stringContaining("in the way") }, {}]);
      expect(git("show", `${work[0].branch}:${closing}`)).toBe("closed");
    });
});
