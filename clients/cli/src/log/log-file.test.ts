import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { logFiles, openLogFile } from "./log-file.ts";
import { readLog } from "./log-reader.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fairlead-log-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("makes nothing before the first line, and files that others cannot read", () => {
  const file = openLogFile(folder);
  expect(existsSync(logFiles(folder).folder)).toBe(false);
  file.write("one\n");
  expect(statSync(logFiles(folder).current).mode & 0o077).toBe(0);
  file.close();
  expect(readLog(folder).lines).toEqual(["one"]);
});

test("keeps two files of bounded size", () => {
  const file = openLogFile(folder, 10);
  for (const line of ["1111\n", "2222\n", "3333\n", "4444\n", "5555\n"]) file.write(line);
  file.close();
  expect(readFileSync(logFiles(folder).previous, "utf8")).toBe("3333\n4444\n");
  expect(readLog(folder).lines).toEqual(["3333", "4444", "5555"]);
});

test("goes on after the lines of the kernel before", () => {
  for (const line of ["1\n", "2\n"]) {
    const file = openLogFile(folder);
    file.write(line);
    file.close();
  }
  expect(readLog(folder).lines).toEqual(["1", "2"]);
});

test("a folder that cannot be made costs the line alone", () => {
  writeFileSync(join(folder, "log"), "");
  expect(() => openLogFile(folder).write("1\n")).not.toThrow();
});

test("follows each line once, over several files and before there is any", async () => {
  const over = new AbortController();
  const seen: string[] = [];
  const { lines, follow } = readLog(folder);
  expect(lines).toEqual([]);
  const all = Array.from({ length: 40 }, (_, at) => String(at).padStart(4, "0"));
  const file = openLogFile(folder, 100);
  const following = follow((line) => {
    seen.push(line);
    const next = all[seen.length];
    if (next === undefined) over.abort();
    else file.write(`${next}\n`);
  }, over.signal);
  file.write(`${all[0]}\n`);
  await following;
  file.close();
  expect(seen).toEqual(all);
});
