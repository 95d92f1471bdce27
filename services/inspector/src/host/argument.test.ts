/** What an expression gives to the host's methods, and to ours, is of the declared type: no proxy or accessor gets in. */
import { afterAll, afterEach, expect, test } from "vitest";
import { inspect, member, properties } from "../host.ts";

const fired: string[] = [];
class Ship {
  readonly At: number;
  constructor(at: number) {
    this.At = at;
  }
}
class Tug extends Ship {}

const sly = new Proxy(new Ship(1), { get: (_, key) => fired.push(String(key)) });
const lazy = Object.defineProperty({}, "X", { get: () => fired.push("X"), enumerable: true });
const given: unknown[] = [];
const near = (owner: object, other: unknown): unknown => {
  given.push(other);
  return Math.abs((owner as Ship).At - (other as Ship).At);
};

const { ask, close } = inspect(
  {
    Ship: new Ship(3),
    Tug: new Tug(5),
    Mixed: [new Ship(3), new Map(), "text"],
    Sly: sly,
    Lazy: lazy,
    Point: { X: 2, Y: 0 },
    Day: new Date(0),
  },
  {
    types: [
      { name: "Point", kind: "struct", members: properties({ X: "Int32", Y: "Int32" }) },
      {
        name: "Ship",
        kind: "class",
        constructs: Ship,
        members: [member("At", "Int32")],
        methods: [
          {
            name: "Near",
            parameters: [{ name: "other", type: "Ship" }],
            returns: "Int32",
            pure: (owner, _, [other]) => near(owner, other),
          },
          {
            name: "Move",
            parameters: [
              { name: "by", type: "Point" },
              { name: "times", type: "Int32", optional: true },
            ],
            returns: "Int32",
            pure: (_, __, [by, times = 1]) => {
              given.push(by);
              return (by as { readonly X: number }).X * Number(times);
            },
          },
        ],
      },
      { name: "Tug", kind: "class", constructs: Tug, base: "Ship" },
    ],
  },
);
const outcome = (expr: string): unknown => {
  const reply = ask("eval", { expr });
  if (reply.ok) return reply.value;
  return "problem" in reply ? reply.problem.code : reply;
};
afterEach(() => {
  expect(fired).toEqual([]);
  expect(given.splice(0).every((each) => each !== sly && each !== lazy)).toBe(true);
});
afterAll(close);

test.each([
  ["Near(Tug)", 2],
  ["Near(Mixed[0])", 0],
  ["Near(Sly)", "type_mismatch"],
  ["Near(Mixed[1])", "type_mismatch"],
  ["Near(Mixed[2])", "type_mismatch"],
  ["Near(Point)", "type_mismatch"],
  ["Move(Point)", 2],
  ["Move(new { 4 as X, 1 as Y }, 2)", 8],
  ["Move(Point, 3)", 6],
  ["Move(Lazy)", "type_mismatch"],
  ["Move(Sly)", "type_mismatch"],
  ["Move(Point, Sly)", "type_mismatch"],
  ["Move(Ship)", "type_mismatch"],
])("%s", (call, value) => {
  expect(outcome(`Mixed[0].${call}`)).toBe(value);
  if (!call.startsWith("Move(new")) expect([value, "wrong_arguments"]).toContain(outcome(`Ship.${call}`));
});

test.each(["Near()", "Near(Tug, Tug)", "Move(Point, 1, 2)"])("%s has the wrong number of arguments", (call) => {
  expect(outcome(`Mixed[0].${call}`)).toBe("wrong_arguments");
  expect(outcome(`Ship.${call}`)).toBe("wrong_arguments");
});

test.each([
  ["Day.Add(Sly)", "wrong_arguments"],
  ["Day.Subtract(Lazy)", "wrong_arguments"],
  ["Day.Subtract(Mixed[0])", "wrong_arguments"],
  ["Day.Subtract(Day).TotalDays", 0],
  ["Day.AddTicks(10000).Millisecond", 1],
  ["Day.AddDays(1.5).Hour", 12],
  ["Mixed[2].StartsWith(Sly)", "wrong_arguments"],
  ["Mixed[2].PadLeft(6, 'x')", "xxtext"],
])("%s", (expr, value) => {
  expect(outcome(expr)).toBe(value);
});
