/** `instances:`: objects of a class by paths that lead to them, what holds most of them, and nothing of the host run. */
import { dynamic, type LinqError } from "@fairlead/linq";
import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { hostAccess } from "../host/access.ts";
import { Registry } from "../host/registry.ts";
import { type InspectOptions, inspect } from "../host.ts";
import { findInstances } from "./instances.ts";
import type { InstancesInfo } from "./shape.ts";

const fired: string[] = [];
class Session {
  readonly id: number;
  constructor(id: number) {
    this.id = id;
  }
  get owner(): string {
    fired.push("owner");
    return "x";
  }
}
class Guest extends Session {}

let open: ReturnType<typeof inspect> | undefined;
afterEach(() => {
  open?.close();
  open = undefined;
  fired.length = 0;
});

interface Answer {
  readonly value?: unknown;
  readonly problem?: unknown;
}

const ask = (tool: "explore" | "eval", input: Readonly<Record<string, unknown>>): Answer => {
  const reply = open?.ask(tool, input);
  return reply === undefined || "defect" in reply ? {} : reply;
};

const instances = (target: string, roots: Readonly<Record<string, unknown>>, options: InspectOptions = {}): unknown => {
  open = inspect(roots, options);
  const { value, problem } = ask("explore", { target, limit: 3 });
  return value ?? problem;
};

test("a leak is seen by what holds the objects", () => {
  const cache = new Map(Array.from({ length: 500 }, (_, id) => [`key ${id}`, { session: new Session(id) }]));
  const App = { live: [new Session(1_000), new Guest(1_001)], cache, byGuest: new Map([[new Guest(1_002), "a"]]) };
  expect(instances("instances:session", { App })).toEqual({
    instances: "session",
    count: 503,
    items: [
      { index: 0, type: "Session", expr: "App.live[0]" },
      { index: 1, type: "Guest", expr: "App.live[1]" },
      { index: 2, type: "Guest", expr: "App.byGuest.Keys[0]" },
    ],
    holders: [
      { path: "App.cache[*].session", count: 500, expr: 'App.cache["key 0"].session' },
      { path: "App.live[*]", count: 2, expr: "App.live[0]" },
      { path: "App.byGuest.Keys[*]", count: 1, expr: "App.byGuest.Keys[0]" },
    ],
    more: 500,
    hint: expect.stringMatching(/^reachable from the roots; \d+ objects were looked at$/),
  });
  expect(instances("instances: Guest", { App })).toMatchObject({ count: 2 });
  expect(ask("explore", { target: "instances:Session", limit: 2, offset: 501 }).value).toMatchObject({
    items: [{ index: 501, expr: 'App.cache["key 498"].session' }, { index: 502 }],
  });
  expect(fired).toEqual([]);
});

test("a class of which none is reachable is an error with what is near, and a proxy is not asked", () => {
  const Sly = new Proxy({}, { ownKeys: () => fired.push("trap") as never, getPrototypeOf: () => null });
  expect(instances("instances:Sesion", { One: new Session(1), Sly })).toMatchObject({
    code: "unknown_type",
    hint: "did you mean 'Session'?",
  });
  expect(instances("instances:Guest", { One: new Session(1) })).toMatchObject({
    hint: "there is Session",
  });
  expect(fired).toEqual([]);
});

test("an object that holds itself is met once, by its shortest path", () => {
  const ring: Record<string, unknown> = { deep: { session: new Session(1) } };
  ring.self = ring;
  ring.near = (ring.deep as { readonly session: Session }).session;
  expect(instances("instances:Session", { ring })).toMatchObject({ count: 1, items: [{ expr: "ring.near" }] });
});

const holder = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc.constant("session" as const),
    fc.array(tie("any"), { maxLength: 3 }),
    fc.dictionary(fc.string({ maxLength: 4 }), tie("any"), { maxKeys: 3 }),
    fc
      .array(fc.tuple(fc.oneof(fc.string({ maxLength: 4 }), fc.integer(), fc.boolean()), tie("any")), { maxLength: 3 })
      .map((entries) => new Map(entries)),
  ),
})).any;

test("the expression of each leads to it", () => {
  fc.assert(
    fc.property(holder, (shape) => {
      let made = 0;
      const build = (each: unknown): unknown => {
        if (each === "session") return new Session(made++);
        if (Array.isArray(each)) return each.map(build);
        if (each instanceof Map) return new Map([...each].map(([key, value]) => [key, build(value)]));
        return Object.fromEntries(Object.entries(each as object).map(([key, value]) => [key, build(value)]));
      };
      const Root = { held: build(shape) };
      open = inspect({ Root });
      const { value } = ask("explore", { target: "instances:Session", limit: 1_000 });
      if (made === 0) return;
      const { items, count, holders } = value as InstancesInfo;
      expect(count).toBe(made);
      expect(holders.reduce((sum, each) => sum + each.count, 0)).toBe(made);
      const ids = items.map(({ expr }) => ask("eval", { expr: `${expr}.id` }).value);
      expect(ids.toSorted((a, b) => Number(a) - Number(b))).toEqual(Array.from({ length: made }, (_, id) => id));
      open.close();
    }),
  );
});

test("it pauses inside of a long list, and says when its time was over", () => {
  let now = 0;
  const list = Array.from({ length: 5_000 }, (_, id) => new Session(id));
  const access = hostAccess({ registry: new Registry([]), roots: [], now: () => 0 });
  const roots = [{ name: "List", type: dynamic, read: () => list }];
  const ask = (wallMs: number) =>
    findInstances("Session", { host: { ...access, roots }, elapsed: () => (now += 0.01), wallMs, limit: 1, offset: 0 });
  const work = ask(1e9);
  let longest = 0;
  let before = now;
  for (let step = work.next(); step.done !== true; step = work.next()) {
    longest = Math.max(longest, now - before);
    before = now;
  }
  expect(longest).toBeLessThan(5);
  const short = ask(200);
  let step = short.next();
  while (step.done !== true) step = short.next();
  expect(step.value.count).toBeLessThan(5_000);
  expect(step.value.hint).toContain("not all there are");
});

test("what is thrown points at the name", () => {
  open = inspect({ One: 1 });
  expect(ask("explore", { target: "instances:Nope" }).problem).toMatchObject({
    position: 10,
    length: 4,
  } satisfies Partial<LinqError>);
});
