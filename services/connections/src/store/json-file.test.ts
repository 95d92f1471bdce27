/** What is kept is there for the next one who opens it, and what cannot be read is not lost. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import * as z from "zod";
import { type JsonFile, openJsonFile } from "./json-file.ts";

let folder: string;
let warned: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fairlead-kept-"));
  warned = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = (): JsonFile<string> =>
  openJsonFile("kept.json", z.string(), { folder: () => folder, warn: (message) => void warned.push(message) });

it("keeps each connection's own, for its owner alone", () => {
  const file = open();
  expect(file.get("constructor")).toBeUndefined();
  file.set("constructor", "one");
  file.set("b", "two");
  expect([open().get("constructor"), open().get("b"), open().get("c")]).toEqual(["one", "two", undefined]);
  expect(readdirSync(folder)).toEqual(["kept.json"]);
  expect(statSync(join(folder, "kept.json")).mode & 0o777).toBe(0o600);
  expect(warned).toEqual([]);
});

it.each(["{", '{"a":1}', "[]"])("puts %s aside, and says so", (text) => {
  writeFileSync(join(folder, "kept.json"), text);
  const file = open();
  expect(file.get("a")).toBeUndefined();
  file.set("b", "two");
  expect(warned).toEqual([expect.stringContaining("kept.json.broken")]);
  expect(readFileSync(join(folder, "kept.json.broken"), "utf8")).toBe(text);
  expect(open().get("b")).toBe("two");
});
