/** Names that try to be options, given to the real git as bases and titles. A count for each tier. */
import { readdirSync } from "node:fs";
import * as fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { setUpBranch } from "../git/branch.ts";
import { openGit } from "../git/git.ts";
import { hostileName } from "./hostile-name.ts";
import { temporaryFolder, temporaryRepository } from "./repository.ts";
import { sampleTicket } from "./sample.ts";

/** The property over so many pairs of a base and a title. */
export const testOptionNames = (names: number) =>
  it(`names that try to be options never become one in the real git, and write nothing: ${names} bases and titles`, async () => {
    const repository = temporaryRepository({ "src/part-1.ts": "one\n" });
    const outside = temporaryFolder();
    onTestFinished(() => {
      repository.remove();
      outside.remove();
    });
    const git = openGit(repository.path);
    let made = 0;
    const wishes = fc.record({ base: fc.oneof(hostileName, fc.constant("main")), title: hostileName });
    await fc.assert(
      fc.asyncProperty(wishes, async ({ base, title }) => {
        const request = { ticket: sampleTicket(1, { title }), baseBranch: base, ownWorktree: false };
        const setup = await setUpBranch(git, repository.path, request).catch(() => undefined);
        if (setup === undefined) return;
        made += 1;
        expect(["main", "HEAD"]).toContain(setup.baseBranch);
        expect(repository.git("branch", "--show-current").trim()).toBe(setup.branchName);
      }),
      { numRuns: names },
    );
    expect(made).toBeGreaterThan(names / 10);
    expect(repository.git("status", "--porcelain", "--untracked-files=all", "--ignored")).toBe("");
    expect(readdirSync(outside.path)).toEqual([]);
  });
