/** A project that is a package of a larger repository: git sees its work, and what was changed beside it. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { loop } from "@fairlead/contracts/loop";
import { type MemoryKernel, openMemoryKernel } from "@fairlead/kernel/memory";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loopService } from "../service.ts";
import { type Repository, temporaryFolder, temporaryRepository, tickingClock } from "../testing/repository.ts";
import { sampleProposal } from "../testing/sample.ts";
import type { ToolReply } from "../testing/test-kernel.ts";
import { countingIds } from "../value/id.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

const file = "src/close-the-file.ts";
const beside = "packages/b/src/other.ts";

let repository: Repository;
let state: ReturnType<typeof temporaryFolder>;
let kernel: MemoryKernel;
let folder: string;

beforeEach(() => {
  repository = temporaryRepository({
    "packages/a/src/part-1.ts": "one\n",
    "packages/a/Makefile": "all:\n\t@test -f src/part-1.ts\n",
    [beside]: "beside\n",
  });
  state = temporaryFolder();
  folder = join(repository.path, "packages/a");
  const ids = countingIds();
  kernel = openMemoryKernel([loopService(() => ({ clock: tickingClock(), ids, folder }))], { stateDir: state.path });
});
afterEach(async () => {
  await kernel.close();
  repository.remove();
  state.remove();
});

const call = async (
  name: keyof typeof loop.procedures,
  input: Readonly<Record<string, unknown>> = {},
): Promise<ToolReply> => {
  const reply = await kernel.call(`loop.${name}`, input);
  if (reply.ok) return reply.value as ToolReply;
  throw Object.assign(new Error(reply.error.message), reply.error);
};

const report = (type: string, payload: Readonly<Record<string, unknown>> = {}): Promise<ToolReply> =>
  call("ingestEvent", { type, payload });

const start = async (
  settings: Readonly<Record<string, unknown>> = {},
  titles: readonly string[] = ["Close the file"],
): Promise<ToolReply> => {
  const started = await call("startSession", settings);
  await call("advance");
  const proposals = titles.map((title) => sampleProposal(title, { verification_commands: ["make"] }));
  await report("SCOUT_OUTPUT", { proposals });
  return started;
};

const toExecute = async (): Promise<string> => {
  const { ticketId } = await call("nextTicket");
  await report("PLAN_SUBMITTED", { files: [file], risk_level: "low" });
  return ticketId;
};

const done = { status: "done", changed_files: [file], summary: "closed it" };

/** Rules that leave nothing of it; the quick tier tries one. */
const ignoring = ["packages/a/*", "packages/a/", "packages/a/**"].slice(0, inLongTier ? 3 : 1);

describe("a package of a repository", () => {
  it("is a project in git: called by its folder, with its runs beside its sources", async () => {
    const { project_id, warnings, run_dir } = await start();
    expect({ project_id, warnings }).toEqual({ project_id: "a", warnings: [] });
    expect(existsSync(join(folder, run_dir, "state.json"))).toBe(true);
    expect(existsSync(join(repository.path, ".promptwheel"))).toBe(false);
    expect(await call("sessionStatus")).toMatchObject({ digest: { coverage: { files_total: 2 } } });
  });

  it("has its paths from its folder: in the scope, the plan, the diff and the commands", async () => {
    const { run_id: runId, run_dir } = await start({ scope: "src/**" });
    const ticketId = await toExecute();
    repository.write(`packages/a/${file}`, "closed\n");
    expect(await call("completeTicket", { ticketId, runId })).toMatchObject({
      success: true,
      qaResults: [{ command: "make", success: true }],
    });
    const patch = readFileSync(join(folder, run_dir, `diffs/1-${ticketId}.patch`), "utf8");
    expect(patch).toContain(`+++ b/${file}`);
  });

  if (inLongTier) {
    it("has what lies beside it where a failed command is run on the files of before", async () => {
      repository.write("packages/a/Makefile", `all:\n\t@test -f ../b/src/other.ts\n\t@test ! -f ${file}\n`);
      repository.git("commit", "--quiet", "--all", "--message=Rules");
      await start({ qa: "server" });
      await toExecute();
      repository.write(`packages/a/${file}`, "closed\n");
      await report("TICKET_RESULT", done);
      expect(await report("QA_PASSED")).toMatchObject({ processed: false, new_phase: "EXECUTE" });
      expect((await call("advance")).prompt).toContain("it passed on the files as they were before this ticket");
    });

    it("counts what was changed beside it, edited or committed: no scope allows that", async () => {
      await start();
      await toExecute();
      repository.write(`packages/a/${file}`, "closed\n");
      repository.write(beside, "changed\n");
      expect(await report("TICKET_RESULT", done)).toMatchObject({
        processed: false,
        message: expect.stringContaining("../b/src/other.ts"),
      });
      repository.git("commit", "--quiet", "--all", "--message=Hide it");
      expect(await report("TICKET_RESULT", done)).toMatchObject({
        processed: false,
        message: expect.stringContaining("../b/src/other.ts"),
      });
      repository.git("reset", "--quiet", "--hard", "HEAD~1");
      expect(await report("TICKET_RESULT", done)).toMatchObject({ processed: true, new_phase: "QA" });
    });
  }

  it.each(inLongTier ? (["completeTicket", "failTicket"] as const) : (["failTicket"] as const))(
    "leaves what a person changes beside it meanwhile: %s",
    async (end) => {
      const { run_id: runId } = await start({ own_tree: true });
      const ticketId = await toExecute();
      repository.write(`packages/a/${file}`, "closed\n");
      repository.write(beside, "a person's\n");
      await call(end, { ticketId, ...(end === "completeTicket" ? { runId } : { reason: "given up", runId }) });
      await call("endSession");
      expect(readFileSync(join(repository.path, beside), "utf8")).toBe("a person's\n");
    },
  );

  if (inLongTier) {
    it("leaves what lay changed beside it before", async () => {
      repository.write(beside, "a person's\n");
      await start({ own_tree: true });
      await toExecute();
      repository.write(`packages/a/${file}`, "closed\n");
      await report("TICKET_RESULT", done);
      await report("QA_COMMAND_RESULT", { command: "make", success: true, output: "" });
      await report("QA_PASSED");
      const { work } = await call("endSession");
      expect(work).toMatchObject([{ tree: "commit", files: [file], unattributed: [] }]);
      expect(repository.git("show", "--format=", "--name-only", "HEAD").trim()).toBe(`packages/a/${file}`);
      expect(repository.git("status", "--porcelain")).toBe(` M ${beside}\n`);
    });

    it("parks the work of a failed ticket and gives its files back", async () => {
      await start({ own_tree: true });
      const ticketId = await toExecute();
      repository.write(`packages/a/${file}`, "half\n");
      await report("TICKET_RESULT", { ...done, status: "failed", reason: "too hard" });
      const { work } = await call("endSession");
      expect(work).toMatchObject([{ tree: "parked", branch: `promptwheel/parked/${ticketId}`, files: [file] }]);
      expect(repository.git("show", `promptwheel/parked/${ticketId}:packages/a/${file}`)).toBe("half\n");
      expect(repository.git("status", "--porcelain")).toBe("");
    });

    it("is in the worktrees of parallel tickets", async () => {
      await start({ parallel: 2, direct: false }, ["Close the file", "Rename the parser"]);
      const { parallel_tickets } = await call("advance");
      const [{ ticket_id: ticketId }] = parallel_tickets;
      const { worktree } = await call("gitSetup", { ticketId });
      expect(worktree).toBe(`.promptwheel/worktrees/${ticketId}/packages/a`);
      expect(existsSync(join(folder, worktree, "src/part-1.ts"))).toBe(true);
    });

    it("has the files of a conflict by its own paths", async () => {
      await start({ parallel: 2, own_tree: true }, ["Close the file", "Rename the parser"]);
      const { parallel_tickets } = await call("advance");
      const { ticket_id } = parallel_tickets.find(({ title }: ToolReply) => title === "Close the file");
      await report("PLAN_SUBMITTED", { ticket_id, files: [file], risk_level: "low" });
      const { worktree } = await call("gitSetup", { ticketId: ticket_id });
      repository.write(`packages/a/${worktree}/${file}`, "closed\n");
      repository.write(`packages/a/${file}`, "a person's\n");
      repository.git("add", `packages/a/${file}`);
      repository.git("commit", "--quiet", "--message=A person's");
      await report("TICKET_RESULT", { ticket_id, status: "done", changed_files: [file] });
      await report("QA_COMMAND_RESULT", { ticket_id, command: "make", success: true, output: "ok" });
      await report("QA_PASSED", { ticket_id });
      const { work } = await call("endSession");
      expect(work).toContainEqual(expect.objectContaining({ ticket_id, conflicts: [file] }));
    });
  }

  it.each(ignoring)("is refused where its repository ignores it or all in it: %s", async (rule) => {
    repository.write(".gitignore", `${rule}\n`);
    repository.git("rm", "--quiet", "-r", "--cached", "packages/a");
    await expect(call("startSession")).rejects.toMatchObject({
      reason: "git_refused",
      hint: expect.stringContaining("git -C"),
    });
  });

  it("is refused where the repository around it has no commit: the repository is named, with both ways out", async () => {
    rmSync(join(repository.path, ".git"), { recursive: true });
    repository.git("init", "--quiet");
    await expect(call("startSession")).rejects.toMatchObject({
      message: expect.stringContaining(repository.path),
      hint: expect.stringMatching(/packages\/a init/),
    });
  });

  if (inLongTier) {
    it("gets no branch that has no folder of it", async () => {
      repository.git("switch", "--quiet", "--orphan", "empty");
      repository.git("commit", "--quiet", "--allow-empty", "--message=Begin");
      repository.git("switch", "--quiet", "main");
      await start({ parallel: 2, direct: false }, ["Close the file", "Rename the parser"]);
      const { parallel_tickets } = await call("advance");
      const [{ ticket_id: ticketId }] = parallel_tickets;
      await expect(call("gitSetup", { ticketId, baseBranch: "empty" })).rejects.toMatchObject({
        reason: "git_refused",
        message: expect.stringContaining("packages/a"),
      });
      expect(repository.git("branch", "--list", "promptwheel/*")).toBe("");
    });

    it("has no content read that lies beside it, where its edits are kept", async () => {
      repository.write(beside, "a person's\n");
      repository.write(`packages/a/${file}`, "a person's\n");
      await start({ own_tree: true });
      const { ticketId } = await call("nextTicket");
      const kept = repository.git("ls-tree", "-r", "--name-only", `refs/promptwheel/before/${ticketId}`);
      expect(kept).toContain(`packages/a/${file}`);
      expect(repository.git("show", `refs/promptwheel/before/${ticketId}:${beside}`)).toBe("beside\n");
    });
  }
});
