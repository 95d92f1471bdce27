/**
 * Parallel sessions that own their worktrees, against a model of the person's folder: random outcomes and orders, a person who edits, stages and
 * commits beside the agents. A count for each tier.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { sampleProposal } from "./sample.ts";
import { LoopTestKernel } from "./test-kernel.ts";

const titles = ["Close the file", "Open the door"] as const;
const titleFile = (title: string): string => `src/${title.toLowerCase().replaceAll(" ", "-")}.ts`;

interface Round {
  /** What becomes of each ticket; `open` ones are ended with the session. */
  readonly outcomes: readonly ("done" | "failed" | "open")[];
  readonly secondFirst: boolean;
  /** The person edits the first ticket's file in the folder, or commits an edit of it, before the tickets end. */
  readonly inTheWay: "no" | "edited" | "committed";
  readonly staged: boolean;
  readonly merge: boolean;
}

const round: fc.Arbitrary<Round> = fc.record({
  outcomes: fc.array(fc.constantFrom("done", "done", "failed", "open"), { minLength: 2, maxLength: 2 }),
  secondFirst: fc.boolean(),
  inTheWay: fc.constantFrom("no", "edited", "committed"),
  staged: fc.boolean(),
  merge: fc.boolean(),
});

const play = async (
  kernel: LoopTestKernel,
  { outcomes, secondFirst, inTheWay, staged, merge }: Round,
): Promise<void> => {
  const { repository } = kernel;
  const git = (...args: readonly string[]): string => repository.git(...args).trim();
  const report = (type: string, payload: Readonly<Record<string, unknown>>) =>
    kernel.call("ingestEvent", { type, payload });
  const proposals = titles.map((title) => sampleProposal(title, { verification_commands: ["make"] }));
  await kernel.scout(proposals, { own_tree: true, parallel: 2, merge_branches: merge });
  const { parallel_tickets } = await kernel.call("advance");
  const workers: { readonly id: string; readonly file: string; readonly text: string; readonly outcome: string }[] = [];
  for (const { ticket_id: id, title } of parallel_tickets) {
    const file = titleFile(title);
    const text = `done by the agent of ${id}\n`;
    await report("PLAN_SUBMITTED", { ticket_id: id, files: [file], risk_level: "low" });
    const { worktree } = await kernel.call("gitSetup", { ticketId: id });
    const place = join(repository.path, worktree, file);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, text);
    workers.push({ id, file, text, outcome: outcomes[titles.indexOf(title)] ?? "open" });
  }
  const own = inTheWay === "no" ? "notes.txt" : titleFile(titles[0]);
  repository.write(own, "a person's\n");
  if (staged || inTheWay === "committed") git("add", own);
  if (inTheWay === "committed") git("commit", "--quiet", "--message=A person's");
  const status = git("status", "--porcelain");
  for (const { id, file, outcome } of secondFirst ? workers.toReversed() : workers) {
    if (outcome === "open") continue;
    await report("TICKET_RESULT", { ticket_id: id, status: outcome, changed_files: [file] });
    if (outcome !== "done") continue;
    await report("QA_COMMAND_RESULT", { ticket_id: id, command: "make", success: true, output: "ok" });
    expect(await report("QA_PASSED", { ticket_id: id })).toMatchObject({ processed: true });
  }
  const { work, worktrees_removed: _, ...ended } = await kernel.call("endSession");
  expect(ended).toMatchObject({ began_on_branch: "main", ended_on_branch: "main" });
  expect(readFileSync(join(repository.path, own), "utf8")).toBe("a person's\n");
  expect(git("status", "--porcelain")).toBe(status);
  for (const { id, file, text, outcome } of workers) {
    const end = work.find(({ ticket_id }: { readonly ticket_id: string }) => ticket_id === id);
    const isIn = outcome === "done" && merge && (own !== file || inTheWay === "no");
    expect(end.tree, JSON.stringify(end)).toBe(isIn ? "commit" : outcome === "done" ? "branch" : "parked");
    // No work lies in a worktree alone: a branch has it.
    expect(git("show", `${isIn ? "main" : end.branch}:${file}`)).toBe(text.trim());
    expect(git("branch", "--format=%(refname:short)", "--contains", end.commit)).not.toBe("");
  }
  expect(git("worktree", "list").split("\n")).toHaveLength(1);
  expect(git("fsck", "--strict", "--no-dangling")).toBe("");
};

/** The property over so many sessions of two tickets. */
export const testWorktrees = (sessions: number) =>
  it(`no edit of a person's is touched, and a branch has each ticket's work: ${sessions} sessions`, async () => {
    await fc.assert(
      fc.asyncProperty(round, async (next) => {
        const kernel = new LoopTestKernel();
        try {
          await play(kernel, next);
        } finally {
          await kernel.close();
        }
      }),
      { numRuns: sessions },
    );
  });
