/** Sessions that own the working tree in direct mode: how each ticket ends in git, and that nobody else's edits are touched. */
import { existsSync, lstatSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  begin,
  call,
  closing,
  finish,
  git,
  opening,
  ownTreeKernel,
  place,
  plan,
  proposals,
  read,
  report,
  status,
  useOwnTree,
} from "../testing/own-tree.ts";
import { sampleProposal } from "../testing/sample.ts";
import { countingIds } from "../value/id.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

useOwnTree();

describe("a ticket that is done", () => {
  it("ends as a commit with its message and trailers, and nothing but its files", async () => {
    const { run_id } = await begin();
    const ticketId = await plan(closing);
    ownTreeKernel().repository.write(closing, "closed\n");
    await finish(closing);
    expect(git("log", "-1", "--format=%s")).toBe("Close the file");
    expect(git("log", "-1", "--format=%(trailers)").split("\n")).toEqual([
      `Run: ${run_id}`,
      `Ticket: ${ticketId}`,
      "Verification: client",
      "Hooks: skipped",
    ]);
    expect(git("show", "--format=", "--name-only", "HEAD")).toBe(closing);
    expect(status()).toEqual([]);
    expect(await call("replayRun", { run_id })).toMatchObject({ equal: true });
  });

  if (inLongTier) {
    it("says that the server verified it where the server did", async () => {
      const { run_id: runId } = await begin();
      const ticketId = await plan(closing);
      ownTreeKernel().repository.write(closing, "closed\n");
      expect(await call("completeTicket", { ticketId, runId })).toMatchObject({ success: true });
      expect(git("log", "-1", "--format=%(trailers:key=Verification,valueonly)")).toBe("server");
    });

    it("leaves what a person has edited and staged as it is, and commits none of it", async () => {
      ownTreeKernel().repository.write("src/part-1.ts", "a person's\n");
      ownTreeKernel().repository.write("notes.txt", "a person's notes\n");
      git("add", "src/part-1.ts");
      await begin();
      await plan(closing);
      ownTreeKernel().repository.write(closing, "closed\n");
      await finish(closing);
      expect(git("show", "--format=", "--name-only", "HEAD")).toBe(closing);
      expect(status()).toEqual(["M  src/part-1.ts", "?? notes.txt"]);
      expect(read("src/part-1.ts")).toBe("a person's\n");
    });

    it("makes no empty commit", async () => {
      await begin();
      const before = git("rev-parse", "HEAD");
      await plan(closing);
      await finish(closing);
      expect(git("rev-parse", "HEAD")).toBe(before);
      expect((await call("endSession")).work).toMatchObject([{ title: "Close the file", tree: "unchanged" }]);
    });

    it("is parked where a person had edited the same file, which stays as it is", async () => {
      ownTreeKernel().repository.write(closing, "a person's\n");
      await begin();
      const before = git("rev-parse", "HEAD");
      const ticketId = await plan(closing);
      ownTreeKernel().repository.write(closing, "a person's\nclosed\n");
      await finish(closing);
      const branch = `promptwheel/parked/${ticketId}`;
      expect(git("rev-parse", "HEAD")).toBe(before);
      expect(read(closing)).toBe("a person's\nclosed\n");
      expect(git("show", `${branch}:${closing}`)).toBe("a person's\nclosed");
      expect((await call("endSession")).work).toMatchObject([{ tree: "parked", branch, unattributed: [closing] }]);
    });
  }
});

if (inLongTier) {
  describe("edits that were there before a ticket", () => {
    it("are kept under a ref where the agent undid one, and leave no ref otherwise", async () => {
      ownTreeKernel().repository.write("src/part-1.ts", "a person's\n");
      ownTreeKernel().repository.write("notes.txt", "a person's notes\n");
      const { run_id: runId } = await begin();
      const ticketId = await plan(closing);
      git("checkout", "--quiet", "--", "src/part-1.ts");
      await call("failTicket", { ticketId, runId, reason: "too hard" });
      await plan(opening);
      ownTreeKernel().repository.write(opening, "open\n");
      await finish(opening);
      const { work } = await call("endSession");
      const ref = `refs/promptwheel/before/${ticketId}`;
      expect(work).toMatchObject([{ before: ref }, { before: null }]);
      expect(git("show", `${ref}:src/part-1.ts`)).toBe("a person's");
      expect(git("show", `${ref}:notes.txt`)).toBe("a person's notes");
      expect(git("for-each-ref", "--format=%(refname)", "refs/promptwheel")).toBe(ref);
    });
  });

  describe("edits that could not be kept", () => {
    it("because a filter rewrites their file are under no ref", async () => {
      ownTreeKernel().repository.write(".gitattributes", "*.bin filter=lfs\n");
      git("add", "--all");
      git("commit", "--quiet", "--message=Filter");
      ownTreeKernel().repository.write("big.bin", "a person's\n");
      const { run_id: runId } = await begin();
      const ticketId = await plan(closing);
      ownTreeKernel().repository.write("big.bin", "changed\n");
      await call("failTicket", { ticketId, runId, reason: "too hard" });
      expect((await call("endSession")).work).toMatchObject([{ before: null }]);
    });

    it("because git refused their ref keep the ticket from being handed out", async () => {
      ownTreeKernel().repository.write("notes.txt", "a person's notes\n");
      await begin();
      ownTreeKernel().repository.write(".git/refs/promptwheel", "in the way\n");
      await expect(call("nextTicket")).rejects.toMatchObject({ reason: "git_refused" });
      rmSync(place(".git/refs/promptwheel"));
      const { ticketId } = await call("nextTicket");
      expect(git("show", `refs/promptwheel/before/${ticketId}:notes.txt`)).toBe("a person's notes");
    });
  });
}

describe("a ticket that fails", () => {
  it("is parked on a branch, and the next one begins from a clean tree", async () => {
    const { run_id: runId } = await begin();
    const failed = await plan(closing);
    ownTreeKernel().repository.write(closing, "half done\n");
    await call("failTicket", { ticketId: failed, runId, reason: "too hard" });
    expect(status()).toEqual([]);
    expect(existsSync(place(closing))).toBe(false);
    expect(git("show", `promptwheel/parked/${failed}:${closing}`)).toBe("half done");
    await plan(opening);
    ownTreeKernel().repository.write(opening, "open\n");
    await finish(opening);
    expect(git("log", "--format=%s")).toBe("Open the door\nBegin");
    expect((await call("endSession")).work).toMatchObject([
      { ticket_id: failed, tree: "parked", branch: `promptwheel/parked/${failed}`, files: [closing] },
      { title: "Open the door", tree: "commit", commit: git("rev-parse", "HEAD"), files: [opening] },
    ]);
    expect(await call("replayRun", { run_id: runId })).toMatchObject({ equal: true });
  });

  if (inLongTier) {
    it("leaves and lists what neither its plan nor a result names", async () => {
      const { run_id: runId } = await begin();
      const ticketId = await plan(closing);
      ownTreeKernel().repository.write(closing, "half done\n");
      ownTreeKernel().repository.write("notes.txt", "written meanwhile\n");
      await call("failTicket", { ticketId, runId, reason: "too hard" });
      expect(status()).toEqual(["?? notes.txt"]);
      expect((await call("endSession")).work).toMatchObject([{ tree: "parked", unattributed: ["notes.txt"] }]);
    });

    it("gives a tracked file back as it was", async () => {
      const { run_id: runId } = await ownTreeKernel().scout(
        [sampleProposal("Close the file", { files: ["src/part-1.ts"] })],
        {
          own_tree: true,
        },
      );
      const ticketId = await plan("src/part-1.ts");
      ownTreeKernel().repository.write("src/part-1.ts", "half done\n");
      git("add", "--all");
      await call("failTicket", { ticketId, runId, reason: "too hard" });
      expect(status()).toEqual([]);
      expect(read("src/part-1.ts")).toBe("one\n");
    });
  }
});

describe("a server that was killed", () => {
  if (inLongTier) {
    it("between a commit and its record makes no second one, and leaves nothing staged", async () => {
      const { run_id } = await begin();
      const ticketId = await plan(closing);
      ownTreeKernel().repository.write(closing, "closed\n");
      await report("TICKET_RESULT", { status: "done", changed_files: [closing] });
      await report("QA_COMMAND_RESULT", { command: "make", success: true, output: "ok" });
      git("add", closing);
      git(
        "commit",
        "--quiet",
        "-m",
        `Close\n\nRun: ${run_id}\nTicket: ${ticketId}\nVerification: client\nHooks: skipped`,
      );
      git("read-tree", "HEAD~1");
      await report("QA_PASSED", {});
      expect(git("log", "--format=%s")).toBe("Close\nBegin");
      expect(status()).toEqual([]);
      expect((await call("endSession")).work).toMatchObject([{ tree: "commit", files: [closing] }]);
    });

    it("after parking gives the files back, but for one that was edited since", async () => {
      const both = [closing, opening];
      const { run_id: runId } = await ownTreeKernel().scout([sampleProposal("Close the file", { files: both })], {
        own_tree: true,
      });
      const { ticketId } = await call("nextTicket");
      await report("PLAN_SUBMITTED", { files: both, risk_level: "low" });
      for (const file of both) ownTreeKernel().repository.write(file, "half done\n");
      git("switch", "--quiet", "--create", `promptwheel/parked/${ticketId}`);
      git("add", "--all");
      git("commit", "--quiet", "-m", "Parked");
      git("switch", "--quiet", "--detach");
      git("symbolic-ref", "HEAD", "refs/heads/main");
      git("read-tree", "HEAD");
      ownTreeKernel().repository.write(opening, "half done\nedited since\n");
      await call("failTicket", { ticketId, runId, reason: "too hard" });
      expect(status()).toEqual([`?? ${opening}`]);
      expect(read(opening)).toBe("half done\nedited since\n");
      expect((await call("endSession")).work).toMatchObject([{ tree: "parked", files: both, unattributed: [opening] }]);
    });
  }
});

describe("a person's files at the place of what is given back", () => {
  const commitAs = (file: string): void => {
    ownTreeKernel().repository.write(file, "first\n");
    ownTreeKernel().repository.write(".gitignore", "*.log\n");
    git("add", "--all");
    git("commit", "--quiet", "--message=More");
  };

  /** A session with one ticket that is about these files. */
  const beginWith = async (...planned: readonly string[]): Promise<Readonly<Record<"ticketId" | "runId", string>>> => {
    const { run_id: runId } = await ownTreeKernel().scout([sampleProposal("Close the file", { files: planned })], {
      own_tree: true,
    });
    return { ticketId: await plan(...planned), runId };
  };

  if (inLongTier) {
    it.each([[["src/util"]], [["src/util", "src/util/index.ts"]]])(
      "stay in a folder that the agent put there instead of a file: %j",
      async (planned) => {
        commitAs("src/util");
        const ticket = await beginWith(...planned);
        rmSync(place("src/util"));
        for (const file of ["index.ts", "notes.txt", "persons.log"])
          ownTreeKernel().repository.write(`src/util/${file}`, `${file}\n`);
        await call("failTicket", { ...ticket, reason: "too hard" });
        expect(read("src/util/notes.txt")).toBe("notes.txt\n");
        expect(read("src/util/persons.log")).toBe("persons.log\n");
        const { work } = await call("endSession");
        expect(work).toMatchObject([{ tree: "parked", unattributed: expect.arrayContaining(["src/util"]) }]);
      },
    );

    it("stay where the agent removed a folder", async () => {
      commitAs("part/door");
      const ticket = await beginWith("part/door");
      rmSync(place("part"), { recursive: true });
      ownTreeKernel().repository.write("part", "a person's\n");
      await call("failTicket", { ...ticket, reason: "too hard" });
      expect(read("part")).toBe("a person's\n");
      expect((await call("endSession")).work).toMatchObject([{ tree: "parked", unattributed: ["part", "part/door"] }]);
    });

    it("stay where the parked ticket had removed a file of that name", async () => {
      commitAs("part");
      const ticket = await beginWith("part");
      git("switch", "--quiet", "--create", `promptwheel/parked/${ticket.ticketId}`);
      git("rm", "--quiet", "part");
      git("commit", "--quiet", "--message=Parked");
      git("switch", "--quiet", "main");
      ownTreeKernel().repository.write("part", "a person's\n");
      await call("failTicket", { ...ticket, reason: "too hard" });
      expect(read("part")).toBe("a person's\n");
      expect((await call("endSession")).work).toMatchObject([{ tree: "parked", unattributed: ["part"] }]);
    });

    it("do not keep a folder from coming back where the agent put a file instead", async () => {
      commitAs("part/door");
      const ticket = await beginWith("part", "part/door");
      rmSync(place("part"), { recursive: true });
      ownTreeKernel().repository.write("part", "half done\n");
      await call("failTicket", { ...ticket, reason: "too hard" });
      expect(status()).toEqual([]);
      expect(git("show", `promptwheel/parked/${ticket.ticketId}:part`)).toBe("half done");
    });
  }
});

if (inLongTier) {
  describe("a new symlink", () => {
    it("is parked and removed, and what it points to stays", async () => {
      const { run_id: runId } = await ownTreeKernel().scout(
        [sampleProposal("Close the file", { files: ["src/link"] })],
        {
          own_tree: true,
        },
      );
      const ticketId = await plan("src/link");
      symlinkSync("part-1.ts", place("src/link"));
      await call("failTicket", { ticketId, runId, reason: "too hard" });
      expect(lstatSync(place("src/link"), { throwIfNoEntry: false })).toBeUndefined();
      expect(status()).toEqual([]);
      expect(read("src/part-1.ts")).toBe("one\n");
      expect(git("show", `promptwheel/parked/${ticketId}:src/link`)).toBe("part-1.ts");
      expect((await call("endSession")).work).toMatchObject([{ tree: "parked", unattributed: [] }]);
    });
  });

  describe("a git that has no answer", () => {
    it("leaves a ticket's work as it is where the repository is gone, and the session goes on", async () => {
      const { run_id: runId } = await begin();
      const ticketId = await plan(closing);
      ownTreeKernel().repository.write(closing, "half done\n");
      renameSync(place(".git"), place("moved.git"));
      const ids = countingIds();
      await ownTreeKernel().restart({}, () => `z${ids().slice(1)}`);
      await call("failTicket", { ticketId, runId, reason: "too hard" });
      await plan(opening);
      expect((await call("endSession")).work).toMatchObject([{ tree: "unchanged" }, { tree: "unchanged" }]);
      expect(read(closing)).toBe("half done\n");
    });

    it("has a ticket wait for one before the next ticket begins", async () => {
      const { run_id: runId } = await begin();
      const ticketId = await plan(closing);
      ownTreeKernel().repository.write(closing, "half done\n");
      renameSync(place(".git/index"), place(".git/index.whole"));
      ownTreeKernel().repository.write(".git/index", "no index\n");
      await call("failTicket", { ticketId, runId, reason: "too hard" });
      await expect(call("advance")).rejects.toMatchObject({ reason: "git_refused" });
      renameSync(place(".git/index.whole"), place(".git/index"));
      await call("nextTicket");
      expect(status()).toEqual([]);
      expect(git("show", `promptwheel/parked/${ticketId}:${closing}`)).toBe("half done");
    });
  });

  describe("a merge that is under way", () => {
    it("is left alone: the ticket waits for its end before the next one begins", async () => {
      const { run_id: runId } = await begin();
      const ticketId = await plan(closing);
      ownTreeKernel().repository.write(closing, "half done\n");
      const head = git("rev-parse", "HEAD");
      ownTreeKernel().repository.write(".git/MERGE_HEAD", `${head}\n`);
      await call("failTicket", { ticketId, runId, reason: "too hard" });
      expect(status()).toEqual([`?? ${closing}`]);
      await expect(call("advance")).rejects.toMatchObject({ reason: "git_refused" });
      rmSync(place(".git/MERGE_HEAD"));
      await call("nextTicket");
      expect(status()).toEqual([]);
    });
  });
}

describe("the end of a session", () => {
  if (inLongTier) {
    it("parks what is half done, and says where each piece of work is", async () => {
      await begin();
      const ticketId = await plan(closing);
      ownTreeKernel().repository.write(closing, "half done\n");
      const { work, run_id } = await call("endSession");
      expect(work).toMatchObject([{ ticket_id: ticketId, outcome: "aborted", tree: "parked" }]);
      expect(status()).toEqual([]);
      expect(await call("replayRun", { run_id })).toMatchObject({ equal: true });
    });
  }
});

if (inLongTier) {
  describe("without own_tree", () => {
    it("everything is left where it is, as before", async () => {
      const before = git("rev-parse", "HEAD");
      const { run_id: runId } = await ownTreeKernel().scout(proposals);
      const ticketId = await plan(closing);
      ownTreeKernel().repository.write(closing, "half done\n");
      await call("failTicket", { ticketId, runId, reason: "too hard" });
      expect(status()).toEqual([`?? ${closing}`]);
      expect(git("rev-parse", "HEAD")).toBe(before);
      expect((await call("endSession")).work).toEqual([]);
    });
  });
}
