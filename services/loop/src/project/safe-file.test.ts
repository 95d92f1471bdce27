import { once } from "node:events";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../testing/repository.ts";
import { readGuidelines } from "./guideline.ts";
import {
  appendInside,
  EscapeError,
  makeFolder,
  readInside,
  removeInside,
  replaceExpected,
  replaceInside,
  unlinkInside,
} from "./safe-file.ts";

const inLongTier = process.env.TESTS_TIER === "long";

let inside: ReturnType<typeof temporaryFolder>;
let outside: ReturnType<typeof temporaryFolder>;

beforeEach(() => {
  inside = temporaryFolder();
  outside = temporaryFolder();
  outside.write("secret.txt", "secret");
  inside.write("plain/file.txt", "hello");
});
afterEach(() => {
  inside.remove();
  outside.remove();
});

describe("files inside a folder", () => {
  it("are read, replaced and added to", () => {
    expect(readInside(inside.path, "plain/file.txt", 100)).toEqual({ kind: "text", text: "hello" });
    replaceInside(inside.path, "plain/file.txt", "bye");
    appendInside(inside.path, "plain/file.txt", "!");
    expect(readFileSync(join(inside.path, "plain/file.txt"), "utf8")).toBe("bye!");
    expect(readInside(inside.path, "nowhere/x", 100)).toEqual({ kind: "missing" });
    expect(readInside(inside.path, "plain/file.txt", 2)).toMatchObject({ kind: "refused" });
    expect(readInside(inside.path, "plain", 100)).toMatchObject({ kind: "refused" });
  });

  it("are never reached through a symlink, at any place of the path", () => {
    symlinkSync(outside.path, join(inside.path, "folder"));
    symlinkSync(join(outside.path, "secret.txt"), join(inside.path, "file"));
    symlinkSync(join(outside.path, "nothing"), join(inside.path, "dangling"));
    symlinkSync(join(inside.path, "plain"), join(inside.path, "own"));
    for (const path of ["folder/secret.txt", "file", "dangling", "own/file.txt"]) {
      expect(readInside(inside.path, path, 100)).toMatchObject({ kind: "refused" });
      expect(() => replaceInside(inside.path, path, "x")).toThrow(EscapeError);
      expect(() => appendInside(inside.path, path, "x")).toThrow(EscapeError);
      expect(() => makeFolder(inside.path, `${path}/deeper`)).toThrow(EscapeError);
    }
    expect(readFileSync(join(outside.path, "secret.txt"), "utf8")).toBe("secret");
    expect(existsSync(join(outside.path, "nothing"))).toBe(false);
  });

  it("are never written through another name of a file elsewhere", () => {
    linkSync(join(outside.path, "secret.txt"), join(inside.path, "twin"));
    expect(() => appendInside(inside.path, "twin", "x")).toThrow(EscapeError);
    replaceInside(inside.path, "twin", "x");
    expect(readInside(inside.path, "twin", 100)).toEqual({ kind: "text", text: "x" });
    expect(readFileSync(join(outside.path, "secret.txt"), "utf8")).toBe("secret");
  });

  it("are not left by any path that tries to climb, spelt or linked: 5,000 attempts", () => {
    symlinkSync(outside.path, join(inside.path, "plain/out"));
    symlinkSync("../..", join(inside.path, "plain/up"));
    symlinkSync(join(outside.path, "secret.txt"), join(inside.path, "plain/secret.txt"));
    symlinkSync(join(outside.path, "new.txt"), join(inside.path, "plain/dangling"));
    const part = fc.constantFrom(
      ..."..|.||plain|/|\\|\0|...|..%2f|%2e%2e|secret.txt|~|a|A|out|OUT|up|dangling|.git|.GIT".split("|"),
    );
    const actions = [
      (path: string) => replaceInside(inside.path, path, "written"),
      (path: string) => appendInside(inside.path, path, "written"),
      (path: string) => makeFolder(inside.path, path),
      (path: string) => removeInside(inside.path, path),
    ];
    let done = 0;
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), fc.constantFrom(...actions), (parts, act) => {
        try {
          act(`plain/${parts.join("/")}`);
          done += 1;
        } catch {
          return;
        }
        for (const bad of ["..", ".", ""]) expect(parts).not.toContain(bad);
        expect(["out", "up", "secret.txt", "dangling"]).not.toContain(parts[0]);
      }),
      { numRuns: 5_000 },
    );
    expect(done).toBeGreaterThan(100);
    expect(readdirSync(outside.path)).toEqual(["secret.txt"]);
    expect(readFileSync(join(outside.path, "secret.txt"), "utf8")).toBe("secret");
  });

  if (inLongTier) {
    it("survive a racing swap: a folder that turns into a symlink and back, read from and written to", async () => {
      const real = join(inside.path, "race");
      mkdirSync(real);
      writeFileSync(join(real, "secret.txt"), "mine");
      const stop = new Int32Array(new SharedArrayBuffer(4));
      const swapper = new Worker(
        `const { renameSync, symlinkSync, rmSync } = require("node:fs");
       const { workerData: [real, away, target, stop] } = require("node:worker_threads");
       while (Atomics.load(stop, 0) === 0) {
         try { renameSync(real, away); symlinkSync(target, real); } catch {}
         try { rmSync(real, { recursive: true, force: true }); renameSync(away, real); } catch {}
       }`,
        { eval: true, workerData: [real, `${real}-away`, outside.path, stop] },
      );
      const actions = [
        () => {
          const found = readInside(inside.path, "race/secret.txt", 100);
          if (found.kind === "text") expect(found.text).toBe("mine");
        },
        () => replaceInside(inside.path, "race/new.txt", "written"),
        () => appendInside(inside.path, "race/log.txt", "written"),
        () => makeFolder(inside.path, "race/folder"),
        () => removeInside(inside.path, "race/new.txt"),
      ];
      let [done, refused] = [0, 0];
      while (done < 2_000 || refused < 200) {
        for (const act of actions) {
          try {
            act();
            done += 1;
          } catch (problem) {
            if (problem instanceof Error && problem.name === "AssertionError") throw problem;
            refused += 1;
          }
        }
      }
      Atomics.store(stop, 0, 1);
      await once(swapper, "exit");
      expect(readdirSync(outside.path)).toEqual(["secret.txt"]);
      expect(readFileSync(join(outside.path, "secret.txt"), "utf8")).toBe("secret");
    });
  }
});

describe("guidelines", () => {
  it("are CLAUDE.md first for claude, AGENTS.md first for codex, each the other's stand-in", () => {
    expect(readGuidelines(inside.path, "claude", null)).toBe("");
    inside.write("AGENTS.md", "agents");
    expect(readGuidelines(inside.path, "claude", null)).toBe(
      '<project-guidelines source="AGENTS.md">\nagents\n</project-guidelines>',
    );
    inside.write("CLAUDE.md", "claude");
    expect(readGuidelines(inside.path, "claude", null)).toContain("\nclaude\n");
    expect(readGuidelines(inside.path, "codex", null)).toContain("\nagents\n");
  });

  it("are whole, fresh, of the caller's choice, or off", () => {
    const long = "x".repeat(300_000);
    inside.write("CLAUDE.md", long);
    expect(readGuidelines(inside.path, "claude", null)).toContain(long);
    inside.write("CLAUDE.md", "new");
    expect(readGuidelines(inside.path, "claude", null)).toContain("new");
    expect(readGuidelines(inside.path, "claude", "plain/file.txt")).toContain("hello");
    expect(readGuidelines(inside.path, "claude", false)).toBe("");
  });

  it("are left out with a word about it when they are too large, unless another file takes their place", () => {
    inside.write("CLAUDE.md", "x".repeat(3 * 1_048_576 + 1));
    expect(readGuidelines(inside.path, "claude", null)).toMatch(/\nLeft out: CLAUDE\.md is larger than \d+ bytes\.\n/);
    inside.write("AGENTS.md", "agents");
    expect(readGuidelines(inside.path, "claude", null)).toContain("\nagents\n");
  });

  it("never come from outside the project", () => {
    symlinkSync(join(outside.path, "secret.txt"), join(inside.path, "CLAUDE.md"));
    expect(readGuidelines(inside.path, "claude", null)).toBe(
      '<project-guidelines source="CLAUDE.md">\nLeft out: "CLAUDE.md" passes through a symlink.\n</project-guidelines>',
    );
    expect(readGuidelines(inside.path, "claude", "../secret.txt")).toBe("");
    expect(readGuidelines(inside.path, "claude", join(outside.path, "secret.txt"))).toBe("");
    rmSync(join(inside.path, "CLAUDE.md"));
    renameSync(join(inside.path, "plain"), join(inside.path, "moved"));
    expect(readGuidelines(inside.path, "claude", "plain/file.txt")).toBe("");
  });
});

describe("a removal of the last part itself", () => {
  it("takes a symlink and not what it points to, and follows none above it", () => {
    symlinkSync(join(outside.path, "secret.txt"), join(inside.path, "plain/link"));
    symlinkSync(outside.path, join(inside.path, "way"));
    unlinkInside(inside.path, "plain/link");
    unlinkInside(inside.path, "plain/link");
    unlinkInside(inside.path, "missing/link");
    expect(existsSync(join(inside.path, "plain/link"))).toBe(false);
    expect(() => unlinkInside(inside.path, "way/secret.txt")).toThrow(EscapeError);
    expect(() => unlinkInside(inside.path, "plain/../way")).toThrow(EscapeError);
    expect(readFileSync(join(outside.path, "secret.txt"), "utf8")).toBe("secret");
    unlinkInside(inside.path, "way");
    expect(existsSync(join(outside.path, "secret.txt"))).toBe(true);
  });
});

describe("a file that is replaced only as it was looked at", () => {
  const content = Buffer.from("kept\n");

  it("is left as it is where somebody has saved it, made it or removed it since", () => {
    const { path } = inside;
    const replace = (expected?: { size: number; mtimeMs: number }) =>
      replaceExpected(path, "a.txt", { content, mode: 0o640, expected });
    expect(replace()).toBe(true);
    expect(statSync(join(path, "a.txt")).mode & 0o777).toBe(0o640);
    const looked = statSync(join(path, "a.txt"));
    writeFileSync(join(path, "a.txt"), "a person's, longer\n");
    expect([replace(looked), replace()]).toEqual([false, false]);
    expect(readFileSync(join(path, "a.txt"), "utf8")).toBe("a person's, longer\n");
    expect(replace(statSync(join(path, "a.txt")))).toBe(true);
    const last = statSync(join(path, "a.txt"));
    rmSync(join(path, "a.txt"));
    expect(replace(last)).toBe(false);
    expect(readdirSync(path).filter((name) => name.startsWith("a.txt"))).toEqual([]);
  });

  it("is replaced, and never a newer one, where a file has one name only; a failure leaves it as it was", () => {
    const { path } = inside;
    const file = join(path, "b.txt");
    const refuse = (code: string) => () => {
      throw Object.assign(new Error(code), { code });
    };
    const replace = (link: () => void, expected?: { size: number; mtimeMs: number }) =>
      replaceExpected(path, "b.txt", { content, mode: 0o640, expected, link });
    expect(replace(refuse("EPERM"))).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(replace(refuse("ENOTSUP"), statSync(file))).toBe(true);
    expect(readFileSync(file, "utf8")).toBe("kept\n");
    expect(replace(refuse("EPERM"))).toBe(false);
    writeFileSync(file, "before\n");
    const fail = () => {
      // The new content goes away on the way: no copy can be made of it.
      for (const name of readdirSync(path)) if (/^b\.txt\..*tmp$/.test(name)) rmSync(join(path, name));
      refuse("EIO")();
    };
    expect(() => replace(fail, statSync(file))).toThrow();
    expect(readFileSync(file, "utf8")).toBe("before\n");
    expect(readdirSync(path).filter((name) => name.startsWith("b.txt"))).toEqual(["b.txt"]);
  });
});
