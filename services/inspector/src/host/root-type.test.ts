/** Roots without a declared type have that of their value; whatever else a list holds is refused, and never given to marked functions. */
import { afterEach, expect, test } from "vitest";
import { type InspectionHandle, inspect, member } from "../host.ts";

class Being {
  readonly Level = 7;
  #luck = 3;
  get luck(): number {
    return this.#luck;
  }
}
class Monster extends Being {
  readonly Rage = 5;
}
class Other {
  readonly Level = "high";
}

const asked: object[] = [];
const types = [
  {
    name: "Being",
    kind: "class",
    constructs: Being,
    members: [
      member("Level", "Int32"),
      member("Luck", "Int32", {
        read: (being) => {
          asked.push(being);
          return (being as Being).luck;
        },
      }),
    ],
  },
  { name: "Monster", kind: "class", constructs: Monster, base: "Being", members: [member("Rage", "Int32")] },
] as const;

let open: InspectionHandle | undefined;
const look = (roots: Readonly<Record<string, unknown>>, rootTypes = {}): void => {
  open = inspect(roots, { types, rootTypes });
};
const value = (expr: string): unknown => {
  const reply = open?.ask("eval", { expr });
  if (reply?.ok === true) return reply.value;
  return reply !== undefined && "problem" in reply ? reply.problem.code : reply;
};
const typeOf = (target: string): unknown => open?.ask("explore", { target, depth: 0 });
afterEach(() => {
  open?.close();
  asked.length = 0;
});

test("a list of one declared class, or of classes with one base, is a list of it", () => {
  look({ Monsters: [new Monster(), null, new Monster()], Beings: () => [new Monster(), new Being()] });
  expect(typeOf("Monsters")).toMatchObject({ value: { type: "List<Monster>" } });
  expect(typeOf("Beings")).toMatchObject({ value: { type: "List<Being>" } });
  expect(value("Monsters[0].Rage / 2")).toBe(2);
  expect(value("Beings.Where(Level / 2 == 3).Count()")).toBe(2);
  expect(value("Beings.Sum(Luck)")).toBe(6);
  expect(value("Monsters.Where(Levl > 1)")).toBe("unknown_member");
});

test("anything else stays undeclared", () => {
  const accessor = Object.defineProperty([new Being()], 0, { get: () => asked.push({}) });
  look({
    Mixed: [new Being(), new Other()],
    Plain: [{ Level: 7 }],
    Empty: [],
    accessor,
    Fails: () => expect.unreachable("as a root may"),
  });
  for (const root of ["Mixed", "Plain", "Empty", "accessor"])
    expect(typeOf(root)).toMatchObject({ value: { type: "Array" } });
  expect(value("Plain[0].Level / 2")).toBe(3.5);
  expect(value("Mixed.Select(Level).Count()")).toBe(2);
  expect(value("Fails")).toBe("host_failed");
  expect(asked).toEqual([]);
});

test("an element that is something else is never given to the host's functions", () => {
  const trap = new Proxy(new Being(), { get: (_, key) => asked.push({ key }) });
  const many: unknown[] = Array.from({ length: 1_000 }, () => new Being());
  many[501] = trap;
  many[503] = new Other();
  look({ many, lie: [new Other()] }, { lie: "List<Being>" });
  expect(value("many[501].Luck")).toBe("type_mismatch");
  expect(value("many[501].Level")).toBe("not_readable");
  expect(value("many[503].Luck")).toBe("type_mismatch");
  expect(value("many[503].Level")).toBe("type_mismatch");
  expect(value("lie[0].Luck")).toBe("type_mismatch");
  expect(value("many.Count(Luck == 3)")).toBe("type_mismatch");
  expect(value("many.Take(500).Count(Luck == 3)")).toBe(500);
  expect(asked.every((each) => each instanceof Being && each !== trap)).toBe(true);
});
