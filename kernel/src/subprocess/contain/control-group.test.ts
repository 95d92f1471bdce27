/** The keeping of control groups' folders, in an ordinary folder: what is empty goes, and a real obstacle is not swallowed. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeControlGroup } from "./control-group.ts";

let ground: string;
beforeEach(() => {
  ground = mkdtempSync(join(tmpdir(), "fairlead-groups-"));
});
afterEach(() => rmSync(ground, { recursive: true, force: true }));

const folderIn = (at: string): string => join(at, readdirSync(at)[0] ?? expect.fail("no folder was made"));

it("makes a folder for each child, takes processes into it and kills what is in it", () => {
  const group = makeControlGroup(ground);
  const folder = folderIn(ground);
  group.take(42);
  group.kill();
  expect(readFileSync(join(folder, "cgroup.procs"), "utf8")).toBe("42");
  expect(readFileSync(join(folder, "cgroup.kill"), "utf8")).toBe("1");
});

it("removes an empty folder when it is released, and a kill after that does nothing", () => {
  const group = makeControlGroup(ground);
  group.release();
  expect(readdirSync(ground)).toEqual([]);
  group.kill();
  expect(readdirSync(ground)).toEqual([]);
});

it("does not mind a folder that somebody else removed", () => {
  const group = makeControlGroup(ground);
  rmSync(folderIn(ground), { recursive: true });
  group.release();
  expect(readdirSync(ground)).toEqual([]);
});

it("reports an obstacle that is not a busy process, and removes the folder as soon as it is gone", () => {
  const group = makeControlGroup(ground);
  const folder = folderIn(ground);
  writeFileSync(join(folder, "obstacle"), "");
  expect(() => group.release()).toThrow(/ENOTEMPTY/);
  rmSync(join(folder, "obstacle"));
  makeControlGroup(ground).release();
  expect(existsSync(folder)).toBe(false);
});
