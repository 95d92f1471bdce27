/** The log of tools as whoever has written it: hooks, or an agent. */
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { editLogName, mostLogBytes } from "../hook/edit-log.ts";
import { readToolLog } from "./tool-log.ts";

let home: string;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "fairlead-tool-log-")));
});

afterEach(() => rmSync(home, { recursive: true }));

const line = '{"at":1,"when":"before","call":"a"}\n';

it("holds the lines that are marks, and no other", () => {
  expect(readToolLog(home)).toBeUndefined();
  const odd = ['{"at":1e999,"when":"before","call":"a"}', '{"at":1,"when":"never","call":"a"}', "{", "[]", ""];
  writeFileSync(join(home, editLogName), `${odd.join("\n")}\n${line}`);
  expect(readToolLog(home)).toEqual([{ at: 1, when: "before", call: "a" }]);
});

it("is not read where it is longer than hooks make it, or a link", () => {
  const most = Math.floor(mostLogBytes / line.length) + 1;
  writeFileSync(join(home, editLogName), line.repeat(most));
  expect(readToolLog(home)).toHaveLength(most);
  writeFileSync(join(home, editLogName), line.repeat(2 * most));
  expect(readToolLog(home)).toBeUndefined();
  rmSync(join(home, editLogName));
  writeFileSync(join(home, "other"), line);
  symlinkSync("other", join(home, editLogName));
  expect(readToolLog(home)).toBeUndefined();
});
