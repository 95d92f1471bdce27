/** Getters of the host that are slow, or never end: named in their place, each run once, and the others shown. */
import { afterEach, expect, test } from "vitest";
import { type InspectionHandle, inspect, member, properties } from "../host.ts";
import { RegisteredRoots } from "../registered/registered-roots.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

let open: InspectionHandle | undefined;
afterEach(() => open?.close());

const times = { wallMs: 600_000, sliceMs: 5, holdMs: 5_000 };

class Cat {
  name = "Tom";
  lives = 9;
}

/** A `Cat` with so many getters that never end, and how often each of them ran. */
const slowCat = (many: number): { readonly runs: readonly number[] } => {
  const runs = Array.from({ length: many }, () => 0);
  const slow = runs.map((_, at) =>
    member(`Slow${at}`, "Int32", {
      read: () => {
        runs[at] = (runs[at] ?? 0) + 1;
        for (;;) Math.sqrt(2);
      },
    }),
  );
  const members = [...properties({ name: "String" }), ...slow, ...properties({ lives: "Int32" })];
  open = inspect(
    { Cat: new Cat(), Cats: [new Cat(), new Cat()] },
    { types: [{ name: "Cat", kind: "class", constructs: Cat, members }] },
  );
  return { runs };
};

const ask = (tool: "explore" | "eval" | "query", input: object): Promise<unknown> =>
  new RegisteredRoots(times).ask(tool, input, new AbortController().signal);

test("are named in their place, and each ran once", async () => {
  const { runs } = slowCat(inLongTier ? 12 : 3);
  const named = runs.map((_, at) => ({
    name: `Slow${at}`,
    expr: `Cat.Slow${at}`,
    unreadable: expect.stringMatching(/'Slow\d+' in the host was still running after \d+ ms/),
  }));
  expect(await ask("explore", { target: "Cat", depth: 1, includePrivate: true, limit: 50, offset: 0 })).toMatchObject({
    value: { members: [{ name: "name", value: "Tom" }, ...named, { name: "lives", value: 9 }] },
  });
  expect(runs).toEqual(runs.map(() => 1));
});

const asked = [
  ["eval", { expr: "Cat.Slow0" }],
  ["query", { from: "Cats", where: "Slow0 > 1", distinct: false, take: 10, skip: 0 }],
] as const;

// Each holds this thread for five seconds.
test.each(inLongTier ? asked : [])("a %s of one fails with its name, and it ran once", async (tool, input) => {
  const { runs } = slowCat(1);
  expect(await ask(tool, input)).toMatchObject({
    problem: { code: "deadline", message: expect.stringContaining("'Slow0' in the host was still running") },
  });
  expect(runs).toEqual([1]);
});
