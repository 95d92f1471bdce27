/** The same input in ArkType and in Valibot, and one of Valibot that does not give its JSON Schema. */
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";

export const arktype = type({
  name: type("2 <= string <= 20").describe("Name"),
  size: type("number").describe("Size in cm"),
  "tags?": type("string[]").describe("Labels"),
});

export const valibot = toStandardJsonSchema(
  v.object({
    name: v.pipe(v.string(), v.minLength(2), v.maxLength(20), v.description("Name")),
    size: v.pipe(v.number(), v.description("Size in cm")),
    tags: v.optional(v.pipe(v.array(v.string()), v.description("Labels"))),
  }),
);

export const plain = v.object({ name: v.string() });
