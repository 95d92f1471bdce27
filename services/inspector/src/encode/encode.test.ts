/** Values that JSON has no word for: nothing is lost, and nothing of them runs. */
import { afterEach, expect, test } from "vitest";
import { type InspectionHandle, inspect } from "../host.ts";

let open: InspectionHandle | undefined;
afterEach(() => open?.close());

const asked = (tool: "explore" | "eval", input: Readonly<Record<string, unknown>>): unknown => {
  const reply = open?.ask(tool, input);
  return reply?.ok === true ? reply.value : reply;
};

test("entries whose keys look alike are all shown", () => {
  const odd = new Map<unknown, unknown>([
    [{ a: 1 }, 1],
    [{ a: 2 }, 2],
    ["(object) #2", 3],
    [{ a: 3 }, 4],
    [1, 5],
    ["1", 6],
    [true, 7],
    ["true", 8],
  ]);
  open = inspect({ Odd: odd });
  expect(asked("eval", { expr: "Odd" })).toEqual({
    count: 8,
    entries: {
      "(object)": 1,
      "(object) #2": 2,
      "(object) #2 #2": 3,
      "(object) #3": 4,
      "1": 5,
      "1 #2": 6,
      true: 7,
      "true #2": 8,
    },
  });
  const { items } = asked("explore", { target: "Odd" }) as { readonly items: readonly { readonly value: unknown }[] };
  expect(items.map(({ value }) => value)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test("what has no data says what it is; none of it runs", () => {
  const fired: string[] = [];
  const trap = (): never => {
    fired.push("trap");
    throw new Error("a trap ran");
  };
  const traps = { get: trap, has: trap, ownKeys: trap, getPrototypeOf: trap, getOwnPropertyDescriptor: trap };
  class Sly extends ArrayBuffer {
    override get byteLength(): never {
      return trap();
    }
  }
  const thenable = Object.defineProperty(Promise.resolve(1), "constructor", { get: trap });
  const values = [
    [new Proxy({}, traps), "(Proxy)"],
    [new Proxy([], traps), "(Proxy)"],
    [Proxy.revocable({}, {}).proxy, "(Proxy)"],
    [new Date(Number.NaN), "(Invalid Date)"],
    [Promise.resolve(1), "(Promise)"],
    [new ArrayBuffer(16), "ArrayBuffer(16)"],
    [new Sly(8), "ArrayBuffer(8)"],
    [new SharedArrayBuffer(4), "SharedArrayBuffer(4)"],
    [new WeakMap(), "(WeakMap)"],
  ] as const;
  open = inspect({ All: values.map(([value]) => value), Held: { thenable } });
  const texts = values.map(([, text]) => text);
  const { items } = asked("eval", { expr: "All", depth: 3 }) as { readonly items: readonly unknown[] };
  expect(items).toEqual(texts);
  const seen = asked("explore", { target: "All", depth: 2 }) as {
    readonly items: readonly { readonly value: unknown }[];
  };
  expect(seen.items.map(({ value }) => value)).toEqual(texts);
  values.forEach(([, text], at) => {
    expect(asked("eval", { expr: `All[${at}]` })).toBe(text);
    expect(asked("explore", { target: `All[${at}]` })).toMatchObject({ value: text });
  });
  expect(asked("eval", { expr: "Held", depth: 3 })).toBeDefined();
  expect(fired).toEqual([]);
});
