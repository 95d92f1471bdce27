/** Views of values, and what the shipped contracts declare with them. */
import type { VerbView } from "@fairlead/contracts";
import connections from "@fairlead/contracts/connections";
import { loop } from "@fairlead/contracts/loop";
import { describe, expect, test } from "vitest";
import { renderView } from "./view.ts";

const render = (value: unknown, view: VerbView | undefined, variables = {}) =>
  renderView({ variables, value }, view ?? "");

test.each<readonly [string, unknown, VerbView, string | undefined]>([
  ["a text with values", { a: { b: 1 }, n: null }, "{a.b} and {n}", "1 and -"],
  ["a list in a text", { a: ["x", "y"], o: [{ z: 1 }] }, "{a} {o}", 'x, y [{"z":1}]'],
  ["parts without those that lack a value", { a: 0, b: 2 }, { parts: ["a {a}", "b {b}"], between: "; " }, "b 2"],
  ["parts that all lack a value", { a: [] }, { parts: ["{a}"], between: "" }, undefined],
  ["fields", { one: 1, three: "x" }, { fields: "." }, "one    1\nthree  x"],
  ["some fields", { a: 1, b: 2, c: null }, { fields: ".", only: ["c", "a"] }, "c  -\na  1"],
  ["only filled fields", { a: 1, b: null, c: [] }, { fields: ".", filled: true }, "a  1"],
  ["fields of no object", { a: 1 }, { fields: "a" }, undefined],
  [
    "a table with headings",
    { rows: [{ a: 1 }, { a: 22 }] },
    {
      table: "rows",
      columns: [
        { head: "A", cell: "{a}" },
        { head: "B", cell: "b" },
      ],
    },
    "A   B\n1   b\n22  b",
  ],
  ["a table of nothing without headings", { rows: [] }, { table: "rows", columns: [{ cell: "{a}" }] }, undefined],
  ["each item", { rows: [1, 2] }, { each: "rows", show: "<{.}>", between: " " }, "<1> <2>"],
  ["the first that holds", { a: 1 }, { first: [{ when: [{ missing: "a" }], show: "x" }, { show: "y" }] }, "y"],
  ["views below each other, with an empty line", { a: [] }, ["x", { each: "a", show: "" }, "", "y"], "x\n\ny"],
  [
    "filters",
    { t: "2026-01-31T12:00:05.250Z", n: 3, w: "" },
    "{t|time} {n|times} {w|or:none: x}",
    "12:00:05 3 times none: x",
  ],
  ["a cut text", { a: "abcdef" }, "{a|cut:4}", "abc…"],
  ["pairs", { e: { type: "x", a: 1, b: ["y", "z"], c: [] } }, "{e|pairs:type}", "a=1 b=y,z"],
  ["a filter that is not known", { a: 1 }, "{a|later}", "1"],
  ["a name that every object has", {}, "{constructor}", "-"],
])("%s", (_, value, view, text) => {
  expect(render(value, view)).toBe(text);
});

test("a variable is read from every item", () => {
  expect(render({ rows: [1] }, { each: "rows", show: "{$name} {.}" }, { name: "n" })).toBe("n 1");
});

describe("a list of connections", () => {
  const view = connections.verbs?.["conn ls"]?.show;
  const up = { name: "holler", state: "connected", tools: 3, calls: 7, era: null, endpoint: "e", error: null };
  const problem = (more: object): string | undefined =>
    render({ connections: [{ ...up, attempt: 0, nextRetry: null, quarantined: [], ...more }] }, view)?.split(
      "  e  ",
    )[1];

  test("says why one is not connected, how often it failed and when it is tried again", () => {
    const lost = { error: "it refuses" };
    expect(problem({ ...lost, attempt: 3, nextRetry: "2026-01-31T12:00:05.250Z" })?.trim()).toBe(
      "it refuses; failed 3 times; next try by 12:00:05 UTC",
    );
    expect(problem({ ...lost, attempt: 1 })?.trim()).toBe("it refuses; failed once");
    expect(problem({ quarantined: ["a", "b"] })?.trim()).toBe("2 kept back");
    expect(problem({})).toBeUndefined();
  });
});

describe("sessions", () => {
  const notes = (verb: string, value: object) =>
    (loop.verbs?.[verb]?.notes ?? []).flatMap((view) => render(value, view) ?? []);

  test("the warnings of a start are shown, and that there are no runs", () => {
    expect(notes("session start", { warnings: ["no git"] })).toEqual(["warning: no git"]);
    expect(notes("session start", { warnings: [] })).toEqual([]);
    expect(notes("run ls", { runs: [] })).toEqual(["there are no runs"]);
    expect(notes("run ls", { runs: [{}] })).toEqual([]);
  });

  test("the next ticket's message is shown once", () => {
    const view = loop.verbs?.["session next"]?.show;
    const none = render({ ticketId: null, instructions: "Call it.", message: "Call it." }, view);
    expect(none?.match(/Call it\./g)).toHaveLength(1);
    expect(render({ ticketId: "t", instructions: "Do it.", message: "Taken." }, view)).toMatch(/Do it\.[\s\S]*Taken\./);
  });

  test("every procedure has a verb", () => {
    const called = Object.values(loop.verbs ?? {}).flatMap(({ steps, watch }) => [
      steps[0]?.call,
      ...(watch === undefined ? [] : [watch.call]),
    ]);
    expect([...new Set(called)].toSorted()).toEqual(Object.keys(loop.procedures).toSorted());
  });
});
