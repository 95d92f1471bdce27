/** Tables of both documents: whole, of one width, and with the words of their licence. */
import { readFileSync } from "node:fs";
import { referenceTopics } from "@fairlead/contracts/rules";
import { describe, expect, test } from "vitest";
import { referenceTable } from "./reference.ts";

describe.each(["5.1", "5.2"] as const)("SRD %s", (edition) => {
  test.each(referenceTopics)("%s is a table", (topic) => {
    const text = referenceTable({ edition, topic });
    const rows = text.split("\n").filter((line) => line.startsWith("|"));
    expect(rows.length).toBeGreaterThan(10);
    expect(new Set(rows.map((row) => row.split(" | ").length)).size).toBe(1);
    expect(text).not.toMatch(/undefined|NaN/);
    const notice = readFileSync(new URL("../../../../NOTICE", import.meta.url), "utf8").replaceAll("\n", " ");
    const source = text.split("\n").find((line) => line.startsWith("This work includes")) ?? "";
    expect(notice).toContain(source.slice(0, source.indexOf(" is licensed")));
  });
});

test("the editions differ where the documents do", () => {
  expect(referenceTable({ edition: "5.2", topic: "weapons" })).toMatch(/\| Longsword \|.*\| Sap \|/);
  expect(referenceTable({ edition: "5.1", topic: "weapons" })).toContain("Net");
  expect(referenceTable({ edition: "5.2", topic: "weapons" })).not.toContain("| Net |");
});
