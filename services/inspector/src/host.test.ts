/** Roots of one's own: private fields, collections of every kind, cycles, large lists, declared types. Nothing of the host runs. */
import "./testing/natives.ts";
import { afterEach, describe, expect, test } from "vitest";
import { type InspectionHandle, inspect, member } from "./host.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

const fired: string[] = [];
let open: InspectionHandle | undefined;
afterEach(() => {
  open?.close();
  expect(fired).toEqual([]);
});

class Account {
  readonly name: string;
  readonly #balance: number;
  readonly #history = new Map([["a", 1]]);
  constructor(name: string, balance: number) {
    this.name = name;
    this.#balance = balance;
  }
  get balance(): number {
    fired.push("getter");
    return this.#balance;
  }
  deposit(amount: number, note = ""): void {
    fired.push(`method ${amount}${note}${this.#history.size}`);
  }
  toString(): string {
    fired.push("toString");
    return "account";
  }
}

const ask = (tool: "explore" | "eval" | "query", input: Readonly<Record<string, unknown>>): unknown => {
  const reply = open?.ask(tool, input);
  if (reply?.ok === true) return reply.value;
  return reply !== undefined && "problem" in reply ? reply.problem.code : reply;
};

const look = (roots: Readonly<Record<string, unknown>>, options: Parameters<typeof inspect>[1] = {}): void => {
  open = inspect(roots, options);
};

describe("undeclared objects", () => {
  test("own data, private fields, accessors and methods are shown; none of them runs", () => {
    look({ account: new Account("Ann", 12) });
    expect(ask("explore", { target: "account" })).toMatchObject({
      type: "Account",
      members: expect.arrayContaining([
        { name: "name", kind: "field", access: "public", type: "string", value: "Ann", expr: "account.name" },
        { name: "#balance", kind: "field", access: "private", type: "number", value: 12 },
        { name: "#history", kind: "field", access: "private", type: "Map", value: "Map(1)" },
        {
          name: "balance",
          kind: "accessor",
          access: "public",
          type: "get",
          unreadable: expect.stringMatching(/getter/),
        },
      ]),
      methods: expect.arrayContaining([
        { name: "deposit", signature: "deposit(amount, note = …)", access: "public", callable: false },
      ]),
    });
    const { members } = ask("explore", { target: "account", includePrivate: false }) as {
      readonly members: readonly { readonly name: string }[];
    };
    expect(members.map(({ name }) => name)).toEqual(["name", "balance"]);
    expect(ask("eval", { expr: "account.balance" })).toBe("not_readable");
    expect(ask("eval", { expr: "account.deposit(5)" })).toBe("not_readable");
    expect(ask("eval", { expr: "account" })).toEqual({ name: "Ann" });
  });

  test("an error is not shown to the engine, which would read its stack", () => {
    const error = Object.defineProperty(new Error("x"), "stack", { get: () => fired.push("stack") });
    class Holder {
      readonly error = error;
      readonly #hidden = 1;
      peek(): number {
        return this.#hidden;
      }
    }
    look({ holder: new Holder(), error });
    expect(ask("explore", { target: "holder" })).toMatchObject({ type: "Holder" });
    expect(ask("explore", { target: "error" })).toMatchObject({ type: "Error" });
  });

  test("an error behind a private field stays unread, and so do private getters; every other field is shown", () => {
    class Armed extends Error {
      override get message(): string {
        fired.push("message");
        return "";
      }
      override get stack(): string {
        fired.push("stack");
        return "";
      }
    }
    class Base {
      readonly #cause = Object.defineProperty(new Error("x"), "stack", { get: () => fired.push("stack") });
      readonly #twice = 1;
      readonly #open = [1, 2];
      base(): unknown {
        return [this.#cause, this.#twice, this.#open];
      }
    }
    class Job extends Base {
      readonly #last = new Armed();
      readonly #sly = new Proxy(new Armed(), { get: () => fired.push("trap"), getPrototypeOf: () => null });
      readonly #twice = 2;
      #tries = 3;
      get /* # */ #state(): string {
        fired.push("getter");
        return "";
      }
      set #onlySet(value: number) {
        fired.push(`setter ${value}`);
      }
      async #run(again: boolean): Promise<unknown> {
        this.#onlySet = again ? this.#tries : 0;
        return [this.#last, this.#sly, this.#twice, this.#state];
      }
      start(): unknown {
        return this.#run(true);
      }
    }
    look({ job: new Job() });
    const { members, methods } = ask("explore", { target: "job" }) as {
      readonly members: readonly { readonly name: string; readonly type: string; readonly value: unknown }[];
      readonly methods: readonly unknown[];
    };
    expect(methods).toContainEqual({ name: "#run", signature: "#run(again)", access: "private", callable: false });
    expect(members.map(({ name, type, value }) => [name, type, value])).toEqual([
      ["#state", "accessor", undefined],
      ["#onlySet", "accessor", undefined],
      ["#last", "Armed", "Armed"],
      ["#sly", "Proxy", "Proxy"],
      ["#tries", "number", 3],
      ["#cause", "Error", "Error"],
      ["#open", "Array", "Array(2)"],
    ]);
  });

  test("what a function closes over is never shown", () => {
    const secret = { token: "s3cret" };
    class Vault {
      readonly open = (): unknown => secret;
      readonly #bound = this.open.bind(null);
      peek(): unknown {
        return [secret, this.#bound];
      }
    }
    look({ vault: new Vault() });
    for (const target of ["vault", "vault.open", "vault.peek"])
      expect(JSON.stringify(ask("explore", { target, depth: 4 })) ?? "").not.toMatch(/s3cret|Scope|token/);
    expect(ask("eval", { expr: "vault.open" })).toBe("(function open)");
  });

  test("maps, sets, typed arrays, dates, holes, cycles", () => {
    const cycle: Record<string, unknown> = { name: "c" };
    cycle.self = cycle;
    const holes = [1, 2, 3];
    delete holes[1];
    look({
      map: new Map([["k", { v: 1 }]]),
      set: new Set([1, 2]),
      bytes: new Uint8Array([1, 2, 3]),
      date: new Date(0),
      holes,
      cycle,
    });
    expect(ask("explore", { target: "map" })).toMatchObject({
      type: "Map",
      count: 1,
      items: [{ key: "k", expr: 'map["k"]' }],
    });
    expect(ask("eval", { expr: 'map["k"].v' })).toBe(1);
    expect(ask("explore", { target: "set" })).toMatchObject({ count: 2, items: [{ value: 1 }, { value: 2 }] });
    expect(ask("eval", { expr: "bytes.Sum()" })).toBe(6);
    expect(ask("eval", { expr: "date.Year" })).toBe(1970);
    expect(ask("eval", { expr: "new { date }" })).toEqual({ date: ask("eval", { expr: "date.ToString()" }) });
    expect(ask("eval", { expr: "date" })).toMatch(/^1970-01-01T00:00:00/);
    expect(ask("explore", { target: "holes" })).toMatchObject({
      count: 3,
      items: [{ value: 1 }, { value: null }, { value: 3 }],
    });
    expect(ask("explore", { target: "cycle", depth: 3 })).toMatchObject({
      members: [{ name: "name" }, { name: "self", ref: "cycle" }],
    });
    expect(ask("eval", { expr: "cycle", depth: 3 })).toEqual({ name: "c", self: { $ref: "cycle" } });
  });

  test("a list of 200,000 is paged and queried", () => {
    const rows = Array.from({ length: 200_000 }, (_, id) => ({ id, kind: id % 3 }));
    look({ rows });
    expect(ask("explore", { target: "rows", limit: 3, offset: 199_999 })).toMatchObject({
      count: 200_000,
      items: [{ index: 199_999 }],
    });
    expect(
      ask("query", { from: "rows", where: "kind == 2", orderBy: "id desc", take: 1, select: "new { id }" }),
    ).toMatchObject({ rows: [{ id: 199_997 }], matched: 66_666, path: "generated" });
  });

  test("roots given as functions are asked for again", () => {
    let level = 1;
    look({ now: () => ({ level }) });
    expect(ask("eval", { expr: "now.level" })).toBe(1);
    level = 2;
    expect(ask("eval", { expr: "now.level" })).toBe(2);
  });
});

describe("declared types", () => {
  test("marked getters and methods run, others do not; types are known", () => {
    class Ship {
      readonly name = "Argo";
      readonly crew = 50;
      get cargo(): number {
        return 7;
      }
      length(): number {
        return 30;
      }
      sink(): void {
        fired.push("sunk");
      }
    }
    look(
      { ship: new Ship() },
      {
        types: [
          {
            kind: "class",
            name: "Sea.Ship",
            constructs: Ship,
            members: [
              member("name", "String"),
              member("crew", "Int32"),
              member("cargo", "Int32", { read: (owner) => (owner as Ship).cargo }),
            ],
            methods: [
              { name: "length", returns: "Int32", pure: (owner) => (owner as Ship).length() },
              { name: "sink", returns: "Boolean" },
            ],
          },
        ],
      },
    );
    expect(ask("eval", { expr: "ship.crew / 3" })).toBe(16);
    expect(ask("eval", { expr: "ship.cargo + ship.length()" })).toBe(37);
    expect(ask("eval", { expr: "ship.sink()" })).toBe("not_readable");
    expect(ask("eval", { expr: "ship.crow" })).toBe("unknown_member");
    expect(ask("explore", { target: "ship" })).toMatchObject({
      type: "Sea.Ship",
      methods: [{ signature: "Int32 length()", callable: true }, { callable: false }],
    });
  });

  test("a declared number that holds an object is an error, not a coercion", () => {
    class Liar {
      readonly n = { valueOf: () => fired.push("valueOf") };
    }
    look(
      { liar: new Liar() },
      { types: [{ kind: "class", name: "Liar", constructs: Liar, members: [member("n", "Int32")] }] },
    );
    expect(ask("eval", { expr: "liar.n + 1" })).toBe("type_mismatch");
  });

  test("a slow member says how slow, a refused one why", () => {
    class Slow {
      get late(): number {
        for (const end = performance.now() + 20; performance.now() < end; ) Math.sqrt(2);
        return 7;
      }
      get never(): number {
        return fired.push("never");
      }
    }
    const read = (owner: object): unknown => (owner as Slow).late;
    const members = [member("late", "Int32", { read }), member("never", "Int32", { key: null })];
    look({ slow: new Slow() }, { types: [{ kind: "class", name: "Slow", constructs: Slow, members }] });
    expect(ask("explore", { target: "slow" })).toMatchObject({
      members: [
        { name: "late", value: 7, slowMs: expect.any(Number) },
        { name: "never", unreadable: expect.stringContaining("mark it readable") },
      ],
    });
  });

  if (inLongTier) {
    test("a marked getter that does not end is ended", () => {
      class Slow {
        get never(): number {
          for (;;) Math.sqrt(2);
        }
      }
      const types = [
        {
          kind: "class",
          name: "Slow",
          constructs: Slow,
          members: [member("never", "Int32", { read: (owner) => (owner as Slow).never })],
        },
      ] as const;
      look({ slow: new Slow() }, { types, limits: { wallMs: 2_000 } });
      expect(ask("eval", { expr: "slow.never" })).toBe("deadline");
      expect(ask("eval", { expr: "1 + 1" })).toBe(2);
    });
  }
});

describe("explore and eval agree", () => {
  class Life {
    max = 40;
    extra = { deep: 1 };
    #lost = 4;
    get current(): number {
      return this.max - this.#lost;
    }
    get never(): number {
      return fired.push("never");
    }
    set only(value: number) {
      fired.push(`only ${value}`);
    }
    heal(amount: number): void {
      fired.push(`heal ${amount}`);
    }
  }
  const declared = {
    types: [
      {
        name: "Life",
        kind: "class",
        constructs: Life,
        members: [member("max", "Int32"), member("current", "Int32", { read: (life) => (life as Life).current })],
      },
    ],
  } as const;

  test("what a declared class does not declare is shown all the same, its private fields too", () => {
    look({ Player: new Life() }, declared);
    const shown = ask("explore", { target: "Player" });
    expect(shown).toMatchObject({
      path: "Player",
      type: "Life",
      value: "(Life)",
      members: [
        { name: "max", kind: "property", type: "Int32", access: "public", expr: "Player.max", value: 40 },
        { name: "current", kind: "property", type: "Int32", access: "public", expr: "Player.current", value: 36 },
        { name: "extra", kind: "field", access: "public", type: "Object", value: "(object)" },
        { name: "#lost", kind: "field", access: "private", type: "number", value: 4 },
        { name: "never", kind: "accessor", access: "public", type: "get", unreadable: expect.stringMatching(/getter/) },
        { name: "only", kind: "accessor", access: "public", type: "set", unreadable: "'only' can be set but not read" },
      ],
      methods: [{ name: "heal", signature: "heal(amount)", access: "public", callable: false }],
    });
    const { members } = shown as { readonly members: readonly { readonly name: string; readonly expr?: string }[] };
    expect(members.filter(({ expr }) => expr !== undefined).map(({ name }) => name)).toEqual(["max", "current"]);
    const publicOnly = ask("explore", { target: "Player", includePrivate: false });
    expect(JSON.stringify(publicOnly)).not.toContain("#lost");
    expect(ask("explore", { target: "Player", offset: 2, limit: 1 })).toMatchObject({
      members: expect.arrayContaining([expect.objectContaining({ name: "extra" })]),
    });
  });

  test.each([
    ["declared", declared],
    ["undeclared", {}],
  ])("a method that is listed as not callable is refused with those words: %s", (_, options) => {
    look({ Player: new Life() }, options);
    const refused = (expr: string): unknown => {
      const reply = open?.ask("eval", { expr });
      return reply !== undefined && "problem" in reply ? reply.problem : reply;
    };
    expect(refused("Player.heal(1)")).toMatchObject({
      code: "not_readable",
      message: "'heal' can be listed but not called",
    });
    expect(refused("Player.HEAL()")).toMatchObject({ code: "not_readable" });
    expect(refused("Player.never")).toMatchObject({ code: "not_readable", message: expect.stringMatching(/'never'/) });
    expect(refused("Player.nothing(1)")).toMatchObject({ code: "unknown_method" });
  });

  test("an attribute's lists and objects are shown whole", () => {
    const args = { C: [1, 2], D: { a: ["x"] }, E: 2n ** 64n };
    look({}, { types: [{ name: "A", kind: "class", attributes: [{ name: "Range", args }] }] });
    expect(ask("explore", { target: "type:A" })).toMatchObject({
      attributes: [{ name: "Range", args: { C: [1, 2], D: { a: ["x"] }, E: "18446744073709551616" } }],
    });
  });
});
