/** A list is kept for the target that gave it, over restarts and over renamed fields. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Target } from "../machine/target.ts";
import { type ListStore, openLists } from "./list-file.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fairlead-lists-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = (): ListStore => openLists({ folder: () => folder, warn: () => {} });
const tools = [{ name: "echo" }];
const target: Target = {
  transport: "stdio",
  command: "node",
  args: ["server.js"],
  env: {},
  cwd: "/srv",
  era: "auto",
  awaitsApproval: false,
  tools: {},
  lazy: true,
};

it("keeps a list for the target that gave it", () => {
  open().write("files", target, tools);
  expect(open().read("files", target)).toEqual(tools);
  expect(open().read("files", { ...target, command: "other" })).toBeUndefined();
});

it("reads what was stored before `awaitsApproval` had its name, and stores the same", () => {
  const stored = JSON.stringify({
    files: {
      target: "e4932824e1e9294c6ff495dba1d7d8df720355b4028be413bdeca5fb71e323b2",
      sha256: "59ad15eb4d9f8ffe990eddb1a5b91a7aa6001e7c53182d46adda47369307cd30",
      tools,
    },
  });
  writeFileSync(join(folder, "tools.json"), stored);
  expect(open().read("files", target)).toEqual(tools);
  rmSync(join(folder, "tools.json"));
  open().write("files", target, tools);
  expect(readFileSync(join(folder, "tools.json"), "utf8")).toBe(stored);
});
