/** The branches with parked work, as `end_session` lists and removes them. */
import { describe, expect, it } from "vitest";
import { begin, call, closing, git, opening, ownTreeKernel, plan, report, useOwnTree } from "../testing/own-tree.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

useOwnTree();

describe("parked branches", () => {
  /** A session with one ticket parked; its branch. */
  const park = async (text: string, file: string): Promise<string> => {
    const ticketId = await plan(file);
    ownTreeKernel().repository.write(file, text);
    await report("TICKET_RESULT", { status: "failed", reason: "too hard" });
    return `promptwheel/parked/${ticketId}`;
  };
  const branches = (): readonly string[] => git("branch", "--format=%(refname:short)").split("\n");

  it("are listed at the end, and removed only where that is asked for and HEAD has their content", async () => {
    await begin();
    const merged = await park("closed\n", closing);
    const open = await park("half done\n", opening);
    ownTreeKernel().repository.write(closing, "closed\n");
    git("add", closing);
    git("commit", "--quiet", "--message=Take it over by hand");
    const listed = await call("endSession");
    expect(listed.parked_branches).toHaveLength(2);
    expect(listed.parked_branches).toMatchObject([
      { branch: open, title: "Open the door", merged: false, removed: false },
      { branch: merged, title: "Close the file", merged: true, removed: false },
    ]);
    expect(branches()).toEqual(["main", open, merged]);
    await call("startSession");
    expect((await call("endSession", { remove_merged: true })).parked_branches).toMatchObject([
      { branch: open, merged: false, removed: false },
      { branch: merged, merged: true, removed: true },
    ]);
    expect(branches()).toEqual(["main", open]);
  });

  if (inLongTier) {
    it("stay where they are checked out, or differ from HEAD by a space", async () => {
      await begin();
      const spaced = await park("closed\n", closing);
      const current = await park("half done\n", opening);
      ownTreeKernel().repository.write(closing, "closed \n");
      git("add", closing);
      git("commit", "--quiet", "--message=Take most of it over");
      git("switch", "--quiet", current);
      await call("endSession", { remove_merged: true });
      expect(branches()).toEqual(expect.arrayContaining(["main", spaced, current]));
    });
  }
});
