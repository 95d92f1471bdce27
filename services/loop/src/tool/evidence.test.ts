/** Who says that a ticket's work holds: the server, which ran the commands, or the client, which said so. */
import { readdirSync, rmSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { call, closing, git, ownTreeKernel, place, plan, report, useOwnTree } from "../testing/own-tree.ts";
import { sampleProposal } from "../testing/sample.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

useOwnTree();
// What makes `make` fail is not a change of the ticket's.
beforeEach(() => ownTreeKernel().repository.write(".git/info/exclude", "broken\n"));

const begin = (settings: Readonly<Record<string, unknown>> = {}, commands: readonly string[] = ["make"]) =>
  ownTreeKernel().scout([sampleProposal("Close the file", { verification_commands: commands })], settings);

const submit = async (): Promise<void> => {
  await plan(closing);
  ownTreeKernel().repository.write(closing, "closed\n");
  await report("TICKET_RESULT", { status: "done", changed_files: [closing] });
};

describe("what is said of a ticket's verification", () => {
  it("is that the client reported the commands", async () => {
    await begin();
    await submit();
    expect(await call("sessionStatus")).toMatchObject({ digest: { verification: "none" }, verification: [] });
    await report("QA_COMMAND_RESULT", { command: "make", success: true, output: "ok" });
    expect(await call("sessionStatus")).toMatchObject({
      digest: { verification: "client" },
      verification: [{ command: "make", success: true, by: "client", before: null }],
    });
    await report("QA_PASSED", {});
    expect(await call("endSession")).toMatchObject({ tickets_verified: { server: 0, client: 1, none: 0 } });
  });

  if (inLongTier) {
    it("is none where every command was refused", async () => {
      await begin({}, ["rm -rf /"]);
      await submit();
      await report("QA_PASSED", {});
      expect(await call("endSession")).toMatchObject({
        tickets_completed: 1,
        tickets_verified: { server: 0, client: 0, none: 1 },
      });
    });
  }
});

it.each(
  [
    ["promptwheel/nowhere", "there is no branch"],
    ["main", "has no commit since the ticket was taken"],
  ].filter((_, at) => inLongTier || at % 2 === 0),
)("a pull request from %s goes on, and is unverified: %s", async (branch, reason) => {
  await begin({ create_prs: true, direct: true });
  await submit();
  await report("QA_COMMAND_RESULT", { command: "make", success: true, output: "ok" });
  await report("QA_PASSED", {});
  expect(await report("PR_CREATED", { url: "https://example.com/pr/1", branch })).toMatchObject({
    new_phase: "NEXT_TICKET",
    message: expect.stringContaining(reason),
  });
  expect(await call("endSession")).toMatchObject({ prs_created: 1, prs: [{ branch, pr: "unverified" }] });
});

describe("a session in which the server verifies", () => {
  if (inLongTier) {
    it("runs the commands when the client says that they passed, and takes no word for it", async () => {
      await begin({ qa: "server", own_tree: true });
      await submit();
      ownTreeKernel().repository.write("broken", "");
      await report("QA_COMMAND_RESULT", { command: "make", success: true, output: "ok" });
      expect(await report("QA_PASSED", {})).toMatchObject({ processed: false, new_phase: "EXECUTE" });
      const { prompt } = await call("advance");
      expect(prompt).toContain("QA failed: attempt 1 of 3");
      expect(await call("sessionStatus")).toMatchObject({ ticketsFailed: 0 });
      rmSync(place("broken"));
      await report("TICKET_RESULT", { status: "done", changed_files: [closing] });
      const event_id = "evt_000000000abc";
      const passed = await call("ingestEvent", { type: "QA_PASSED", payload: {}, event_id });
      expect(passed).toMatchObject({ processed: true, new_phase: "NEXT_TICKET" });
      expect(await call("ingestEvent", { type: "QA_PASSED", payload: {}, event_id })).toEqual(passed);
      expect(git("log", "-1", "--format=%(trailers:key=Verification,valueonly)")).toBe("server");
      expect(await call("endSession")).toMatchObject({
        tickets_verified: { server: 1, client: 0, none: 0 },
        work: [{ verification: "server" }],
      });
    });
  }

  it.each(
    [
      ["passed", "", "it passed on the files as they were before this ticket"],
      ["same", "rules are missing\n//  closed\n", "it failed in the same way before this ticket"],
      ["failed", "the door is open\n", "it failed before this ticket, too, in another way"],
    ].filter((_, at) => inLongTier || at % 3 === 0),
  )("says what a failed command did before the ticket: %s", async (_, text, words) => {
    // `make` fails with what the file says, where it says something.
    const { repository } = ownTreeKernel();
    repository.write("Makefile", `all:\n\t@test ! -s ${closing} || { echo error: $$(cat ${closing}); exit 1; }\n`);
    repository.write(closing, text);
    repository.git("add", "--all");
    repository.git("commit", "--quiet", "--message", "Rules");
    await begin({ qa: "server" });
    await plan(closing);
    repository.write(closing, "rules are missing\n// closed\n");
    await report("TICKET_RESULT", { status: "done", changed_files: [closing] });
    expect(await report("QA_PASSED", {})).toMatchObject({ processed: false, new_phase: "EXECUTE" });
    expect((await call("advance")).prompt).toContain(words);
    const folders = readdirSync(place(".promptwheel"));
    expect(folders.filter((name) => name.includes("base"))).toEqual([]);
  });

  if (inLongTier) {
    it("fails the ticket when the attempts are used up, and replays to the same state", async () => {
      const { run_id } = await begin({ qa: "server" });
      ownTreeKernel().repository.write("broken", "");
      await submit();
      for (const phase of ["EXECUTE", "EXECUTE", "NEXT_TICKET"]) {
        expect(await report("QA_PASSED", {})).toMatchObject({ processed: false, new_phase: phase });
        if (phase === "EXECUTE") await report("TICKET_RESULT", { status: "done", changed_files: [closing] });
      }
      expect(await call("endSession")).toMatchObject({ tickets_completed: 0, tickets_failed: 1 });
      expect(await call("replayRun", { run_id })).toMatchObject({ equal: true });
    });
  }
});
