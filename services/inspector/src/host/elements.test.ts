/** Elements of long arrays, with and without V8's natives: what would run is refused, and nothing of it runs. */
import "../testing/natives.ts";
import { afterEach, expect, test } from "vitest";
import { hiddenClasses, useNatives } from "./hidden-class.ts";
import { copyElements, readListing } from "./reading.ts";

// Other tests of this process need them.
afterEach(() => useNatives(true));

const long = (): unknown[] => Array.from({ length: 200 }, (_, id) => id);

test.each([true, false])("with natives: %s", (on) => {
  useNatives(on);
  expect(hiddenClasses() !== undefined).toBe(on);
  const fired: string[] = [];
  const run = (what: string) => () => void fired.push(what);

  const rows = long();
  expect([0, 199, 200].map((index) => readListing(rows)?.at(index))).toEqual([0, 199, undefined]);

  const armed = long();
  delete armed[150];
  Object.defineProperty(armed, 151, { get: run("getter") });
  Object.defineProperty(armed, 152, { set: run("setter") });
  const listing = readListing(armed);
  expect(listing?.at(149)).toBe(149);
  expect(listing?.at(150)).toBe(undefined);
  for (const index of [151, 152]) expect(() => listing?.at(index)).toThrow("is a getter, which would run");
  expect(() => copyElements(armed, 1_000)).toThrow("is a getter, which would run");

  const strange = long();
  delete strange[150];
  const traps = { get: run("get"), has: run("has"), getOwnPropertyDescriptor: run("descriptor") };
  Object.setPrototypeOf(strange, new Proxy([], traps as never));
  expect([149, 150].map((index) => readListing(strange)?.at(index))).toEqual([149, undefined]);
  expect(fired).toEqual([]);
});
