/** What explore shows can be gone on with: every expression in an answer leads to what the answer shows there. */
import { defaultLimits, LinqError, runToEnd } from "@fairlead/linq";
import { expect, test } from "vitest";
import { Inspection } from "../answer/inspection.ts";
import { createLocalInspection } from "../registered/local-inspection.ts";
import { createWorld } from "../world/world.ts";
import type { ItemInfo, LiveInfo, MemberInfo } from "./shape.ts";

type Shown = MemberInfo | ItemInfo;

const looking = { depth: 3, includePrivate: true, limit: 4, offset: 0 };

/** All that an answer shows, however deep. */
const shownIn = ({ members = [], items = [] }: Pick<LiveInfo, "members" | "items">): readonly Shown[] =>
  [...members, ...items].flatMap((each) => [each, ...shownIn(each)]);

/** What `eval` finds by an expression; structs are shown whole at any depth, and so they are here. */
const found = (inspection: Inspection, expr: string): unknown => {
  try {
    return runToEnd(inspection.eval({ expr, depth: 0 }));
  } catch (error) {
    return error instanceof LinqError ? error.message : error;
  }
};

/** Explores from the roots on, every type once, and compares. */
const goOn = (inspection: Inspection, from: readonly string[] = [""]): void => {
  const open = [...from];
  const known = new Set<string>();
  for (let target = open.shift(); target !== undefined; target = open.shift())
    for (const each of shownIn(runToEnd(inspection.explore({ ...looking, target })) as LiveInfo)) {
      const { expr, value, count, ref, type, unreadable } = each;
      if (expr === undefined || unreadable !== undefined) continue;
      const again = found(inspection, expr);
      if (value !== undefined) expect.soft(again, expr).toEqual(value);
      if (count !== undefined) expect.soft(again, expr).toMatchObject({ count });
      if (ref !== undefined) expect.soft(found(inspection, `${expr} == ${ref}`), expr).toBe(true);
      if (known.has(type) || known.size > 150) continue;
      known.add(type);
      open.push(expr);
    }
};

test("in the simulated world", () => {
  const world = createWorld({ seed: 7, entities: 60, limits: defaultLimits, now: () => 0 });
  goOn(new Inspection({ ...world, limits: defaultLimits, elapsed: () => 0 }));
});

test("of what expressions make", () => {
  const world = createWorld({ seed: 7, entities: 60, limits: defaultLimits, now: () => 0 });
  goOn(new Inspection({ ...world, limits: defaultLimits, elapsed: () => 0 }), [
    "Player ?? Player",
    "Player as Entity",
    "Entities.Where(Id > 3)",
    'Player.Components["Life"]',
    "Entities.Select(new { Id, Position, Distance as @Distance, Buffs })",
    "Entities.GroupBy(Type)",
    "new { Player as P, Entities as E }",
  ]);
});

test("in plain data with odd names, odd keys, holes and accessors", () => {
  const odd = [
    "odd name",
    "a$b",
    "$",
    "$a",
    "",
    "ünï",
    "@x",
    "constructor",
    "__proto__",
    "prototype",
    "and",
    "it",
    "new",
  ];
  const names = [...odd, "0", "a.b", 'a"b', "\u2028", "\ud83d\ude00", "\ud800", "i", "I", "Count", "Keys", "Values"];
  const Named: object = Object.fromEntries(names.map((name, index) => [name, { index }]));
  const key = { k: 1 };
  const keys: readonly unknown[] = ["a", 2, key, null, undefined, Number.NaN, true, 10n, 2n ** 70n, -1.5, 1e21, 'q"\n'];
  const Keyed = new Map([...keys, Symbol("s"), new Date(0), "x".repeat(5_000)].map((each, index) => [each, { index }]));
  const Holes: unknown[] = [1];
  Holes[2] = { x: 1 };
  const Accessors: unknown[] = [{ y: 1 }, 2, 3];
  const trip = (): never => expect.unreachable("an accessor ran");
  Object.defineProperty(Accessors, 1, { get: trip });
  const { inspection, close } = createLocalInspection({
    Named,
    Keyed,
    Holes,
    Accessors,
    it: key,
    Not: key,
    NULL: key,
    Math: key,
    new: key,
    Set: new Set([key, 1]),
  });
  goOn(inspection());
  expect(runToEnd(inspection().explore({ ...looking, target: "Accessors" }))).toMatchObject({
    count: 3,
    items: [{ index: 0 }, { index: 1, unreadable: expect.stringContaining("getter") }, { index: 2, value: 3 }],
  });
  close();
});
