import { expect, test } from "vitest";
import * as z from "zod";
import { codecs } from "./codecs.ts";
import { defineContract } from "./contract.ts";
import { query } from "./procedure.ts";
import { type ValueCodec, withValues } from "./values.ts";

const contract = defineContract({
  id: "days",
  version: "1.0.0",
  summary: "Counts days.",
  procedures: {
    next: query({
      summary: "The day after.",
      input: z.object({ day: codecs.date().describe("Day"), steps: z.int().default(1).describe("Days") }),
      output: z.object({ day: codecs.date().describe("Day") }),
    }),
  },
});

const codec = (): ValueCodec => {
  const descriptor: { readonly procedures: { readonly next: { readonly values?: ValueCodec } } } = {
    procedures: { next: {} },
  };
  const { values } = withValues(descriptor, contract).procedures.next;
  if (values === undefined) throw new Error("no values");
  return values;
};

test("values go to the wire and back", () => {
  expect(codec().encodeInput({ day: new Date(0), steps: 2 })).toEqual({ day: "1970-01-01T00:00:00.000Z", steps: 2 });
  expect(codec().decodeOutput({ day: "1970-01-01T00:00:00Z" })).toEqual({ day: new Date(0) });
});

test("what does not fit is said before it is sent, and with its place", () => {
  expect(() => codec().encodeInput({ day: "1970-01-01T00:00:00Z" })).toThrow(
    expect.objectContaining({ code: "invalid_argument", issues: [expect.objectContaining({ path: "day" })] }),
  );
  expect(() => codec().decodeOutput({ day: 1 })).toThrow(expect.objectContaining({ code: "internal" }));
});

test("a descriptor of another contract is refused", () => {
  expect(() => withValues({ procedures: { other: {} } }, contract)).toThrow("has no procedure other");
});
