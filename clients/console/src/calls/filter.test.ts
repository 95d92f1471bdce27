import { describe, expect, test } from "vitest";
import { parseFilter } from "./filter.ts";

const call = (data: Readonly<Record<string, unknown>>, service = "rules") => ({
  seq: 1,
  at: "2026-01-01T00:00:00.000Z",
  type: "call",
  service,
  data: {
    procedure: "rules.attack",
    outcome: "ok",
    milliseconds: 10,
    principal: "ann",
    transport: "http",
    ...data,
  } as never,
});

describe("the filter of calls", () => {
  test.each([
    ["", {}, true],
    ["svc:rules", {}, true],
    ["svc:pob", {}, false],
    ["status:error", {}, false],
    ["status:error", { outcome: "not_found" }, true],
    ["status:not_found", { outcome: "not_found" }, true],
    ["status:ok dur:<11ms", {}, true],
    ["dur:>50ms", { milliseconds: 50 }, true],
    ["dur:>1s", { milliseconds: 999 }, false],
    ["dur:1.5s", { milliseconds: 1_500 }, true],
    ["attack by:ann", {}, true],
    ["ATTACK", {}, true],
    ["by:bob", {}, false],
    ["reason:gone", {}, false],
  ])("%s on %j", (filter, data, expected) => {
    const { fits, problems } = parseFilter(filter);
    expect(problems).toEqual([]);
    expect(fits(call(data))).toBe(expected);
  });

  test("says what it cannot read, and goes by the rest", () => {
    const { fits, problems } = parseFilter("nope:1 dur:soon constructor:x svc:rules");
    expect(problems).toHaveLength(3);
    expect(fits(call({}))).toBe(true);
    expect(fits(call({}, "pob"))).toBe(false);
  });
});
