import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../testing/repository.ts";
import { readGuidelines } from "./guideline.ts";
import { appendInside, EscapeError, isInside, makeFolder, readInside, replaceInside } from "./safe-file.ts";

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

  it("are not reached by any text that tries to climb: 5,000 attempts", () => {
    const part = fc.constantFrom(
      "..",
      ".",
      "",
      "plain",
      "/",
      "\\",
      "\0",
      "...",
      "..%2f",
      "%2e%2e",
      "secret.txt",
      "~",
      "a",
    );
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 8 }), (parts) => {
        const path = parts.join("/");
        try {
          replaceInside(inside.path, `plain/${path}`, "written");
        } catch {
          return;
        }
        expect(parts).not.toContain("..");
      }),
      { numRuns: 5_000 },
    );
    expect(readFileSync(join(outside.path, "secret.txt"), "utf8")).toBe("secret");
  });

  it("survive a racing swap: a folder that turns into a symlink and back", async () => {
    const real = join(inside.path, "race");
    mkdirSync(real);
    writeFileSync(join(real, "secret.txt"), "mine");
    const swapper = new Worker(
      `const { renameSync, symlinkSync, rmSync } = require("node:fs");
       const { workerData: [real, away, target] } = require("node:worker_threads");
       require("node:worker_threads").parentPort.postMessage("go");
       for (let n = 0; n < 4000; n += 1) {
         try { renameSync(real, away); symlinkSync(target, real); rmSync(real); renameSync(away, real); } catch {}
       }`,
      { eval: true, workerData: [real, `${real}-away`, outside.path] },
    );
    await new Promise((resolve) => swapper.once("message", resolve));
    let running = true;
    swapper.once("exit", () => {
      running = false;
    });
    let reads = 0;
    while (running) {
      const found = readInside(inside.path, "race/secret.txt", 100);
      if (found.kind === "text") expect(found.text).toBe("mine");
      reads += 1;
      if (reads % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(reads).toBeGreaterThan(0);
  });

  it("know where inside ends: by parts, not by prefix", () => {
    expect(isInside("/a/b", "/a/b")).toBe(true);
    expect(isInside("/a/b", "/a/b/c")).toBe(true);
    expect(isInside("/a/b", "/a/bc")).toBe(false);
    expect(isInside("/a/b", "/a")).toBe(false);
    expect(isInside("/a/b", "/a/b/..c")).toBe(true);
  });
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

  it("never come from outside the project", () => {
    symlinkSync(join(outside.path, "secret.txt"), join(inside.path, "CLAUDE.md"));
    expect(readGuidelines(inside.path, "claude", null)).toBe("");
    expect(readGuidelines(inside.path, "claude", "../secret.txt")).toBe("");
    expect(readGuidelines(inside.path, "claude", join(outside.path, "secret.txt"))).toBe("");
    rmSync(join(inside.path, "CLAUDE.md"));
    renameSync(join(inside.path, "plain"), join(inside.path, "moved"));
    expect(readGuidelines(inside.path, "claude", "plain/file.txt")).toBe("");
  });
});
