import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Repository, temporaryRepository } from "../testing/repository.ts";
import { measureChange, type TreeChange, takeBaseline } from "./change.ts";
import { type Git, openGit } from "./git.ts";
import { newFilePatch } from "./new-file.ts";

const inLongTier = process.env.TESTS_TIER === "long";

let repository: Repository;
let git: Git;

beforeEach(() => {
  repository = temporaryRepository({ "a.ts": "1\n2\n3\n", "b.ts": "b\n", "c.ts": "c\n" });
  git = openGit(repository.path);
});
afterEach(() => repository.remove());

const measureAfter = async (work: () => void): Promise<TreeChange> => {
  const baseline = await takeBaseline(git, repository.path);
  if (baseline === undefined) throw new Error("no baseline");
  work();
  const change = await measureChange(git, repository.path, baseline);
  if (change === undefined) throw new Error("no change");
  return change;
};

describe("what a ticket changed", () => {
  it("is nothing when nothing is", async () => {
    expect(await measureAfter(() => undefined)).toEqual({
      patch: "",
      fingerprints: {},
      measured: { files: [], linesAdded: 0, linesRemoved: 0, diffHash: null },
    });
  });

  it("counts edits, new files, deletions and odd names", async () => {
    const { measured, patch } = await measureAfter(() => {
      repository.write("a.ts", "1\ntwo\n3\n4\n");
      repository.write("dir/new file.ts", "x\ny");
      repository.git("rm", "--quiet", "b.ts");
    });
    expect(measured).toMatchObject({ files: ["a.ts", "b.ts", "dir/new file.ts"], linesAdded: 4, linesRemoved: 2 });
    expect(patch).toContain("+two");
    expect(patch).toContain("+++ b/dir/new file.ts\n@@ -0,0 +1,2 @@\n+x\n+y\n\\ No newline at end of file");
  });

  it("does not count what was dirty before and is as it was", async () => {
    repository.write("a.ts", "mine\n");
    repository.write("untracked.ts", "mine\n");
    expect((await measureAfter(() => repository.write("b.ts", "ticket\n"))).measured.files).toEqual(["b.ts"]);
    expect((await measureAfter(() => repository.write("a.ts", "both\n"))).measured.files).toEqual(["a.ts"]);
  });

  if (inLongTier) {
    it("counts what was committed since", async () => {
      const { measured, patch } = await measureAfter(() => {
        repository.write("a.ts", "committed\n");
        repository.git("commit", "--quiet", "--all", "--message=x");
        repository.write("c.ts", "then\n");
      });
      expect(measured.files).toEqual(["a.ts", "c.ts"]);
      expect(patch).toContain("+committed");
      expect(patch).toContain("+then");
    });
  }

  it("leaves out what does not count", async () => {
    const baseline = await takeBaseline(git, repository.path);
    for (const file of ["a.ts", "b.ts", "new.ts"]) repository.write(file, "changed\n");
    const counts = (path: string): boolean => path !== "b.ts";
    const change = baseline && (await measureChange(git, repository.path, { ...baseline, counts }));
    expect(change?.measured.files).toEqual(["a.ts", "new.ts"]);
    expect(Object.keys(change?.fingerprints ?? {})).toEqual(["a.ts", "new.ts"]);
    expect(change?.patch).not.toContain("b.ts");
  });

  if (inLongTier) {
    it("has the same fingerprint for the same change, another for another", async () => {
      const first = await measureAfter(() => repository.write("a.ts", "x\n"));
      repository.git("checkout", "--quiet", "--", "a.ts");
      const again = await measureAfter(() => repository.write("a.ts", "x\n"));
      repository.git("checkout", "--quiet", "--", "a.ts");
      const other = await measureAfter(() => repository.write("a.ts", "y\n"));
      expect(again.measured.diffHash).toBe(first.measured.diffHash);
      expect(other.measured.diffHash).not.toBe(first.measured.diffHash);
    });
  }

  it("gives patches that git applies", async () => {
    const { patch } = await measureAfter(() => {
      repository.write("a.ts", "1\ntwo\n");
      repository.write("new.ts", "n");
      repository.write("empty.ts", "");
    });
    repository.git("checkout", "--quiet", "--", ".");
    repository.git("clean", "--quiet", "--force", "-d");
    repository.write("the.patch", patch);
    repository.git("apply", "the.patch");
    expect(repository.git("status", "--porcelain").split("\n").filter(Boolean).toSorted()).toEqual([
      " M a.ts",
      "?? empty.ts",
      "?? new.ts",
      "?? the.patch",
    ]);
  });

  it("cannot be known in a repository without commits", async () => {
    repository.git("update-ref", "-d", "HEAD");
    expect(await takeBaseline(git, repository.path)).toBeUndefined();
  });
});

describe("a patch of a new file", () => {
  it("names binary content without showing it", () => {
    expect(newFilePatch("a.png", "\0\u0001")).toBe(
      "diff --git a/a.png b/a.png\nnew file mode 100644\nBinary files /dev/null and b/a.png differ\n",
    );
  });
});
