/** What is said of words that belong to no flag. */
import { expect, test } from "vitest";
import { fieldFlags } from "./field-flag.ts";
import { switchHint } from "./procedure-command.ts";

const flags = fieldFlags({ type: "object", properties: { loud: { type: "boolean" }, name: { type: "string" } } });

test("a switch with a value is said how to turn off", () => {
  expect(switchHint("false", flags, { loud: true })).toBe(
    "--loud takes no value: write --loud for true, --no-loud for false",
  );
  expect(switchHint("false", flags, {})).toBeUndefined();
  expect(switchHint("word", flags, { loud: true })).toBeUndefined();
});
