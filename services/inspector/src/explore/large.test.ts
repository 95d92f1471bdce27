/** Answers that could grow without end, and questions that find nothing: both say how to go on. */
import { afterEach, expect, test } from "vitest";
import { type InspectionHandle, inspect } from "../host.ts";

let open: InspectionHandle | undefined;
afterEach(() => open?.close());

const asked = (tool: "explore" | "eval" | "query", input: Readonly<Record<string, unknown>>): unknown => {
  const reply = open?.ask(tool, input);
  if (reply?.ok === true) return reply.value;
  return reply !== undefined && "problem" in reply ? reply.problem : reply;
};

/** Ten members at each of six levels: a million lines if all were opened. */
const wide = (levels: number): object =>
  Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`m${at}`, levels === 0 ? at : wide(levels - 1)]));

test("an answer is opened up to a size, and says so", () => {
  open = inspect({ Wide: wide(4) });
  const deep = asked("explore", { target: "Wide", depth: 6 }) as { readonly hint?: string };
  expect(JSON.stringify(deep).length).toBeLessThan(250_000);
  expect(deep.hint).toMatch(/go on with an `expr`/);
  expect(asked("explore", { target: "Wide", depth: 2 })).not.toHaveProperty("hint");
});

test("a search that finds nothing says what is searched", () => {
  open = inspect({}, { types: [{ name: "Game.Monster", kind: "class" }] });
  expect(asked("explore", { target: "search:Mons" })).toMatchObject({
    count: 0,
    hint: expect.stringMatching(/search:\*Mons\*/),
  });
  expect(asked("explore", { target: "search:*x*" })).toMatchObject({
    count: 0,
    hint: expect.stringMatching(/explore a root/),
  });
  expect(asked("explore", { target: "search:monster" })).toMatchObject({ count: 1 });
  expect(asked("explore", { target: "search:monster" })).not.toHaveProperty("hint");
});

test("half a character is shown as its escape, a whole one as it is", () => {
  open = inspect({ Text: ["a\ud800b", "😀"] });
  expect(asked("eval", { expr: "Text" })).toEqual({ count: 2, items: ["a\\ud800b", "😀"] });
});

test("several values without `new` are refused with how they are written", () => {
  open = inspect({ Rows: [{ Id: 1, Distance: 2 }] });
  expect(asked("query", { from: "Rows", select: "Id, Distance" })).toMatchObject({
    code: "syntax",
    position: 2,
    part: "select",
    hint: "one value is expected; several are written `new (Id, Distance)`",
  });
});
