/** Whatever looks inside a Zod schema does so in files that say it by their name, so that a new Zod is met there and nowhere else. */
import { expect, test } from "vitest";
import { files, read } from "./sources.ts";

const known = /^(?:contracts\/src\/core\/schema\/zod-def|codegen\/src\/schema\/zod-[a-z0-9]+)\.ts$/;

test("Zod's insides are read in files called zod-*", () => {
  const readers = files.filter(
    (path) => /^(?:contracts|codegen|kernel|clients)\/.*\.ts$/.test(path) && !/\.test(?:-d)?\.ts$/.test(path),
  );
  expect(readers.filter((path) => !known.test(path) && /\._zod\b|\{ _zod\b/.test(read(path)))).toEqual([]);
});
