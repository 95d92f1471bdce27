import fc from "fast-check";
import { expect, test } from "vitest";
import { logLines } from "../src/reference/log-lines.ts";
import type { SessionLine } from "./api.ts";
import { mergeLines } from "./merge-lines.ts";
import { readPatch } from "./patch.ts";
import { knownTypes, lineWords } from "./words.ts";

const line = (seq: number, type: string, payload: SessionLine["payload"] = {}): SessionLine => ({
  seq,
  ts: "2026-01-01T12:00:00Z",
  step: 0,
  id: null,
  type,
  payload,
});

test("every line that a log can have has words", () => {
  expect(Object.keys(logLines).filter((type) => !knownTypes.has(type))).toEqual([]);
});

test.each([
  ["PHASE_CHANGED", { from: "SCOUT", to: "PLAN", reason: "ready" }, "Scout → Plan: ready"],
  ["QA_COMMAND_RESULT", { command: "make", success: false }, "make failed"],
  [
    "TICKETS_CREATED",
    { tickets: [{ title: "a" }, { title: "b" }, { title: "c" }, { title: "d" }] },
    "a, b, c and 1 more",
  ],
  ["USER_OVERRIDE", { cancel: true }, "cancelled"],
  ["UNHEARD_OF", { some: 1 }, ""],
])("%s says what happened", (type, payload, text) => {
  expect(lineWords(line(1, type, payload)).text).toBe(text);
});

test("no payload breaks a line", () => {
  fc.assert(
    fc.property(fc.constantFrom(...knownTypes), fc.jsonValue(), (type, payload) => {
      const { title, text } = lineWords(line(1, type, payload as SessionLine["payload"]));
      expect(title).not.toBe("");
      expect(typeof text).toBe("string");
    }),
  );
});

test("lines that come twice, late or out of order are each there once, in their order", () => {
  const [one, two, three] = [line(1, "A"), line(2, "B"), line(3, "C")];
  expect(mergeLines([one], [two, three])).toEqual([one, two, three]);
  expect(mergeLines([one, two], [one, two, three])).toEqual([one, two, three]);
  expect(mergeLines([two, three], [one])).toEqual([one, two, three]);
});

test("a patch is rows with the lines of the file after it", () => {
  const patch =
    "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,3 @@\n one\n-two\n+2\n+3\n\\ No newline at end of file\n";
  expect(readPatch(patch).map(({ kind, line }) => [kind, line])).toEqual([
    ["file", null],
    ["note", null],
    ["note", null],
    ["hunk", null],
    ["same", 1],
    ["removed", null],
    ["added", 2],
    ["added", 3],
    ["note", null],
  ]);
});
