/** The decisions in `docs/adr`: one number each, the same in its name and in its heading. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const folder = new URL("../../docs/adr/", import.meta.url);
const numbers = readdirSync(folder).map((file) => ({
  file,
  number: file.slice(0, 4),
  heading: /^# (\d{4})\. /.exec(readFileSync(new URL(file, folder), "utf8"))?.[1],
}));

it("have a number each, which their heading repeats", () => {
  expect(numbers.filter(({ number, heading }) => number !== heading)).toEqual([]);
  const files = Map.groupBy(numbers, ({ number }) => number);
  expect([...files.values()].filter(({ length }) => length > 1)).toEqual([]);
});
