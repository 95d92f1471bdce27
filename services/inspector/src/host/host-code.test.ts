/** What the host declared readable may fail or never end: one member's fault is reported by its name and spoils nothing else. */
import { afterAll, expect, test } from "vitest";
import { inspect, member } from "../host.ts";

const fired: string[] = [];
const sly = new Proxy(new Error("x"), {
  getPrototypeOf: () => {
    fired.push("getPrototypeOf");
    return null;
  },
  get: () => fired.push("get"),
});

class Engine {
  readonly Power = 7;
}
class Loop {
  readonly Length = 1;
}

const failing = (name: string, thrown: unknown) =>
  member(name, "Int32", {
    read: () => {
      throw thrown;
    },
  });

/** The host of all tests, which gives a question so many milliseconds. */
const open = (wallMs: number) =>
  inspect(
    {
      Engine: new Engine(),
      Engines: [new Engine(), new Engine()],
      Loop: new Loop(),
      Broken: () => {
        throw new Error("c4nary");
      },
    },
    {
      limits: { wallMs },
      types: [
        {
          name: "Engine",
          kind: "class",
          constructs: Engine,
          display: () => {
            throw new RangeError("c4nary");
          },
          members: [
            member("Power", "Int32"),
            failing("Heat", new TypeError("c4nary")),
            failing("Noise", sly),
            failing("Smell", null),
          ],
          methods: [
            {
              name: "Start",
              returns: "Boolean",
              pure: () => {
                throw new Error("c4nary");
              },
            },
          ],
        },
        {
          name: "Loop",
          kind: "class",
          constructs: Loop,
          members: [
            member("Length", "Int32"),
            member("Endless", "Int32", {
              read: () => {
                for (;;);
              },
            }),
          ],
        },
      ],
    },
  );
const { ask, close } = open(60_000);
afterAll(() => {
  close();
  expect(fired).toEqual([]);
});

const problem = (message: RegExp, position: number) => ({
  ok: false,
  problem: { code: "host_failed", message: expect.stringMatching(message), position },
});

test.each([
  ["Engine.Heat", /^'Heat' failed in the host with TypeError$/, 7],
  ["Engine.Noise + 1", /'Noise' failed/, 7],
  ["Engine.Smell", /something that is not an error/, 7],
  ["Engine.Start()", /'Start' failed/, 7],
  ["Engine.ToString()", /'Engine.ToString' failed in the host with RangeError/, 7],
  ["Engines.Sum(Heat)", /'Heat' failed/, 12],
  ["1 + Broken", /'Broken' failed/, 4],
])("%s", (expr, message, position) => {
  const reply = ask("eval", { expr });
  expect(reply).toMatchObject(problem(message, position));
  expect(JSON.stringify(reply)).not.toContain("c4nary");
});

test("other members are shown", () => {
  expect(ask("explore", { target: "Engines", depth: 2 })).toMatchObject({ ok: true });
  expect(ask("explore", { target: "" })).toMatchObject({
    value: { members: [{ name: "Engine" }, { count: 2 }, { name: "Loop" }, { unreadable: expect.any(String) }] },
  });
  expect(ask("explore", { target: "Engine" })).toMatchObject({
    value: { members: [{ name: "Power", value: 7 }, { unreadable: expect.stringMatching(/'Heat' failed/) }, {}, {}] },
  });
  expect(ask("eval", { expr: "Engine" })).toMatchObject({
    value: { Power: 7, Heat: { $unreadable: expect.stringMatching(/'Heat' failed/) } },
  });
});

test("one that does not end is named", () => {
  const { ask, close } = open(2_000);
  const endless = { code: "deadline", message: expect.stringMatching(/^'Endless' in the host was still running/) };
  expect(ask("eval", { expr: "Loop.Endless" })).toMatchObject({ ok: false, problem: endless });
  close();
  expect(ask("eval", { expr: "Loop.Length" })).toMatchObject({ ok: true, value: 1 });
});
