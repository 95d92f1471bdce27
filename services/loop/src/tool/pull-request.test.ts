/** What a session says of a reported pull request: with a remote that may be asked, with one that may not, and without any. */
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { call, closing, git, ownTreeKernel, place, plan, report, useOwnTree } from "../testing/own-tree.ts";
import { temporaryFolder } from "../testing/repository.ts";
import { sampleProposal } from "../testing/sample.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

useOwnTree();

let remote: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  remote = temporaryFolder();
});
afterEach(() => {
  vi.unstubAllEnvs();
  remote.remove();
});

const branch = "promptwheel/work";
const url = "https://github.com/a/b/pull/1";

/** Does the ticket on a branch, and does `publish` before the pull request is reported. */
const openPull = async (ask: string, publish: () => void, at = url) => {
  await ownTreeKernel().restart({ pullRequestCheck: ask });
  const proposals = [sampleProposal("Close the file", { verification_commands: ["make"] })];
  await ownTreeKernel().scout(proposals, { create_prs: true, direct: true });
  await plan(closing);
  git("switch", "--quiet", "--create", branch);
  ownTreeKernel().repository.write(closing, "closed\n");
  git("add", "--all", "src");
  git("commit", "--quiet", "--message", "Close");
  await report("TICKET_RESULT", { status: "done", changed_files: [closing] });
  await report("QA_COMMAND_RESULT", { command: "make", success: true, output: "ok" });
  await report("QA_PASSED", {});
  publish();
  await report("PR_CREATED", { url: at, branch });
  const { prs } = await call("endSession");
  return prs[0];
};

const addRemote = (): void => {
  git("init", "--quiet", "--bare", remote.path);
  git("remote", "add", "origin", remote.path);
};

describe("a reported pull request", () => {
  it("is verified where the remote has the branch as it is here", async () => {
    addRemote();
    // Neither would be used: the server's own words name the program at the other end.
    git("config", "remote.origin.uploadpack", "false");
    git("config", "core.sshCommand", "false");
    expect(await openPull("git", () => git("push", "--quiet", "origin", branch))).toMatchObject({ pr: "verified" });
  });

  if (inLongTier) {
    it.each([
      ["is not there", () => {}, "origin has no such branch"],
      [
        "is at another commit there",
        () => git("push", "--quiet", "origin", `main:refs/heads/${branch}`),
        "origin has it at",
      ],
      ["cannot be asked", () => remote.remove(), "origin could not be asked"],
    ])("is local where its branch %s", async (_, publish, reason) => {
      addRemote();
      expect(await openPull("git", publish)).toMatchObject({ pr: "local", reason: expect.stringContaining(reason) });
    });

    it("asks no remote that the configuration does not name", async () => {
      addRemote();
      expect(await openPull("local", () => git("push", "--quiet", "origin", branch))).toMatchObject({
        pr: "local",
        reason: "the branch is here; no remote was asked",
      });
    });

    it.each([
      ["the commit", () => git("rev-parse", branch), { pr: "verified" }],
      [
        "another commit",
        () => "0".repeat(40),
        { pr: "local", reason: expect.stringContaining("GitHub has it at 000000000000") },
      ],
    ])("is judged by what GitHub says: %s", async (_, commit, expected) => {
      const publish = () => {
        const said = JSON.stringify({ state: "OPEN", headRefName: branch, headRefOid: commit() });
        remote.write(
          "gh",
          `#!/bin/sh\ntest "$*" = "pr view ${url} --json state,headRefName,headRefOid" && echo '${said}'\n`,
        );
        chmodSync(join(remote.path, "gh"), 0o755);
        vi.stubEnv("PATH", `${remote.path}:${process.env.PATH}`);
      };
      expect(await openPull("gh", publish)).toMatchObject(expected);
    });

    it("asks no other server than GitHub's: it could say what the client likes", async () => {
      const publish = () => {
        const said = JSON.stringify({ state: "OPEN", headRefName: branch, headRefOid: git("rev-parse", branch) });
        remote.write("gh", `#!/bin/sh\necho '${said}'\n`);
        chmodSync(join(remote.path, "gh"), 0o755);
        vi.stubEnv("PATH", `${remote.path}:${process.env.PATH}`);
      };
      expect(await openPull("gh", publish, "https://github.com.example/a/b/pull/1")).toMatchObject({ pr: "local" });
    });
  }
});

it("a session with pull requests and without a remote is warned at its start", async () => {
  const warning = expect.stringContaining("has no remote");
  const { warnings } = await call("startSession", { draft_prs: true });
  expect(warnings).toEqual([warning]);
  await call("endSession");
  git("remote", "add", "origin", place("."));
  expect((await call("startSession", { draft_prs: true })).warnings).toEqual([]);
});
