import { expect, expectTypeOf, test } from "vitest";
import * as z from "zod";
import { decodeCursor, encodeCursor } from "./codecs.ts";
import type { CallerInput, HandlerInput, HandlerOutput } from "./contract.ts";
import { decoder } from "./decoder.ts";
import { paginated, query } from "./procedure.ts";

const list = paginated({
  summary: "Lists notes.",
  input: z.object({ done: z.boolean().describe("Only those that are done.") }),
  item: z.object({ text: z.string().describe("The note.") }).describe("A note."),
  pageSize: { default: 500, most: 100 },
  examples: [{ summary: "All that is done", input: { done: true } }],
});

test("it is a query with a cursor and a size beside its own fields, and a page as its output", () => {
  expect(list).toMatchObject({ kind: "query", retry: "safe", paginated: true, summary: "Lists notes." });
  const input = decoder(list.input);
  expect(input({ done: true })).toEqual({ ok: true, value: { done: true, pageSize: 100 } });
  expect(input({ done: true, cursor: "c", pageSize: 101 })).toMatchObject({ ok: false });
  expect(decoder(list.output)({ items: [{ text: "a" }], next: null })).toMatchObject({ ok: true });
  expect(decoder(list.output)({ items: [] })).toMatchObject({ ok: false });
});

test("its types are those of its fields and its item", () => {
  expectTypeOf<CallerInput<typeof list>>().toEqualTypeOf<{
    done: boolean;
    cursor?: string | undefined;
    pageSize?: number | undefined;
  }>();
  expectTypeOf<HandlerInput<typeof list>["pageSize"]>().toEqualTypeOf<number>();
  expectTypeOf<HandlerOutput<typeof list>>().toEqualTypeOf<{
    items: { text: string }[];
    next: string | null;
    total?: number | undefined;
  }>();
});

test("what it does not know is refused where it is written, and so is the mark in a plain query", () => {
  const plain = { summary: "Lists.", input: z.object({}), item: z.string(), pagesize: {} };
  expect(() => Reflect.apply(paginated, undefined, [plain])).toThrow("did you mean `pageSize`?");
  const marked = { summary: "Lists.", input: z.object({}), output: z.string(), paginated: true };
  expect(() => Reflect.apply(query, undefined, [marked])).toThrow("`paginated` is not a field of it");
});

test("a cursor is text that comes back as what it was", () => {
  const place = { after: "Ä\u{1F600}", id: 7 };
  const cursor = encodeCursor(place);
  expect(cursor).toMatch(/^[\w-]+$/);
  const schema = z.object({ after: z.string(), id: z.int() });
  expect(decodeCursor(schema, cursor)).toEqual(place);
  for (const wrong of ["", "no cursor", encodeCursor({ id: "x" }), `${cursor}=`, "_w"])
    expect(() => decodeCursor(schema, wrong), wrong).toThrow(
      expect.objectContaining({ code: "invalid_argument", issues: [expect.objectContaining({ path: "cursor" })] }),
    );
});
