/** Hostile inputs that want to reach or change what is not theirs: nothing leaks, nothing changes. */
import { describe, expect, test } from "vitest";
import { checkUnchanged, evaluated, leaks } from "../testing/attack.ts";
import { changing, reaching } from "../testing/hostile-inputs.ts";

checkUnchanged();

describe("reach", () => {
  test.each(reaching)("%s", (text) => {
    expect(evaluated(text)).not.toMatch(leaks);
  });
});

describe("write", () => {
  test.each(changing)("%s", (text) => {
    evaluated(text);
  });
});
