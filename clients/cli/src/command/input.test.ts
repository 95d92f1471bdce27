import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseInput, readInput } from "./input.ts";

const stdin = async (): Promise<string> => '{"from":"stdin"}';

test("the input comes from the flag, a file, stdin, or is an empty object", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "fairlead-input-"));
  try {
    writeFileSync(join(cwd, "in.json"), '\uFEFF{"from":"file"}');
    expect(await readInput('{"from":"flag"}', { cwd, stdin })).toEqual({ from: "flag" });
    expect(await readInput("@in.json", { cwd, stdin })).toEqual({ from: "file" });
    expect(await readInput("-", { cwd, stdin })).toEqual({ from: "stdin" });
    expect(await readInput(undefined, { cwd, stdin })).toEqual({});
    await expect(readInput("@none.json", { cwd, stdin })).rejects.toMatchObject({ exit: 2 });
  } finally {
    rmSync(cwd, { recursive: true });
  }
});

test("what is not valid JSON breaks every contract", () => {
  expect(() => parseInput("{a: 1}", "--data")).toThrow(expect.objectContaining({ exit: 7, code: "invalid_argument" }));
  expect(() => parseInput("", "stdin")).toThrow("stdin is not valid JSON");
  fc.assert(fc.property(fc.json(), (json) => void expect(parseInput(json, "x")).toEqual(JSON.parse(json))));
});
