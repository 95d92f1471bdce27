/** A small declared world for the language's tests: every kind of member once, and plain data beside it. */
import type { HostAccess } from "@fairlead/linq";
import { hostAccess, trust } from "../host/access.ts";
import { type AnyDeclaration, member, properties } from "../host/declaration.ts";
import { Registry } from "../host/registry.ts";

export class Buff {
  readonly Name: string;
  readonly Timer: number;
  constructor(name: string, timer: number) {
    this.Name = name;
    this.Timer = timer;
  }
}

export class Monster {
  readonly Id: number;
  readonly Name: string | null;
  readonly Level: number;
  readonly Hp: number | null;
  readonly Ratio: number;
  readonly Small: number;
  readonly Rarity: number;
  readonly Flags: number;
  readonly IsHostile: boolean;
  readonly Tags: readonly string[];
  readonly Buffs: readonly Buff[];
  readonly Stats: ReadonlyMap<string, number>;
  readonly Seen: Date;
  readonly Age: number;
  readonly Price: string;
  readonly Big: bigint;
  readonly Initial: string;
  readonly Friend: Monster | null;
  readonly Parent = null;
  readonly Extra: object | null;
  readonly #secret = 42;
  constructor(id: number, more: Partial<Monster> = {}) {
    this.Id = id;
    this.Name = more.Name === undefined ? `Monster ${id}` : more.Name;
    this.Level = more.Level ?? id * 10;
    this.Hp = more.Hp === undefined ? id * 100 : more.Hp;
    this.Ratio = more.Ratio ?? id / 4;
    this.Small = more.Small ?? 0.1;
    this.Rarity = more.Rarity ?? id % 4;
    this.Flags = more.Flags ?? 0x80;
    this.IsHostile = more.IsHostile ?? id % 2 === 0;
    this.Tags = more.Tags ?? ["a", "b"];
    this.Buffs = more.Buffs ?? [new Buff("haste", id), new Buff("slow", 0)];
    this.Stats = more.Stats ?? new Map([["life", id * 5]]);
    this.Seen = more.Seen ?? new Date(Date.UTC(2026, 0, id));
    this.Age = more.Age ?? id * 60_000;
    this.Price = more.Price ?? "1.10";
    this.Big = more.Big ?? BigInt(id) * 10_000_000_000n;
    this.Initial = more.Initial ?? "M";
    this.Friend = more.Friend ?? null;
    this.Extra = more.Extra ?? null;
  }
  get secret(): number {
    return this.#secret;
  }
}

const declarations: readonly AnyDeclaration[] = [
  { kind: "enum", name: "Game.Rarity", values: { White: 0, Magic: 1, Rare: 2, Unique: 3 } },
  { kind: "enum", name: "Game.Action", flags: true, values: { None: 0, Using: 2, Dead: 64, Moving: 128 } },
  {
    kind: "class",
    name: "Game.Buff",
    constructs: Buff,
    members: properties({ Name: "String", Timer: "Single" }),
  },
  {
    kind: "class",
    name: "Game.Monster",
    constructs: Monster,
    display: (owner) => (owner instanceof Monster ? `Monster #${owner.Id}` : ""),
    members: [
      ...properties({
        Id: "UInt32",
        Name: "String",
        Level: "Int32",
        Hp: "Int32?",
        Ratio: "Double",
        Small: "Single",
        Rarity: "Rarity",
        Flags: "Action",
        IsHostile: "Boolean",
        Tags: "List<String>",
        Buffs: "List<Buff>",
        Stats: "Dictionary<String, Int32>",
        Seen: "DateTime",
        Age: "TimeSpan",
        Price: "Decimal",
        Big: "Int64",
        Initial: "Char",
        Friend: "Monster",
        Parent: "Monster",
        Extra: "object",
      }),
      member("_secret", "Int32", {
        access: "private",
        read: (owner) => (owner instanceof Monster ? owner.secret : null),
      }),
    ],
    methods: [
      { name: "Distance", parameters: [{ name: "to", type: "Monster" }], returns: "Single", pure: distance },
      { name: "Get", typeParameters: ["T"], returns: "T", pure: (owner, [type]) => getBuff(owner, type) },
      { name: "Kill", returns: "Boolean" },
    ],
  },
];

function distance(owner: object, _: readonly string[], [to]: readonly unknown[]): unknown {
  return owner instanceof Monster && to instanceof Monster ? Math.abs(owner.Level - to.Level) : null;
}

function getBuff(owner: object, type: string | undefined): unknown {
  return owner instanceof Monster && type === "Buff" ? (owner.Buffs[0] ?? null) : null;
}

const friend = new Monster(9, { Name: "Friend" });

const monsters: Monster[] = trust([
  new Monster(1, { Friend: friend }),
  new Monster(2, { Name: "hillock", Hp: null }),
  new Monster(3, { Name: null }),
  new Monster(4, { Tags: ["boss", "b"], Buffs: [] }),
  new Monster(5),
]);

/** Undeclared data: absent keys, mixed types, odd names. */
const people: readonly Readonly<Record<string, unknown>>[] = [
  { name: "Ann", age: 30, tags: ["x", "y"], address: { city: "Bonn" }, since: new Date(Date.UTC(2020, 5, 1)) },
  { name: "bob", age: 41.5, tags: [], address: null },
  { name: "Cid", tags: ["y"], score: "12", "two words": 1 },
];

const registry = new Registry(declarations);
const found = (text: string) => registry.type(text);

export const fixture: HostAccess = hostAccess({
  registry,
  now: () => Date.UTC(2026, 10, 21, 12, 30),
  roots: [
    { name: "Player", type: found("Monster"), read: () => friend },
    { name: "Entities", type: found("List<Monster>"), read: () => monsters },
    { name: "First", type: found("Monster"), read: () => monsters[0] },
    { name: "Nobody", type: found("Monster"), read: () => null },
    { name: "People", type: found("object"), read: () => people },
    { name: "Numbers", type: found("Int32[]"), read: () => [3, 1, 2, 2] },
    { name: "Words", type: found("List<String>"), read: () => ["pear", "Apple", "fig", null] },
    { name: "Empty", type: found("Int32[]"), read: () => [] },
    {
      name: "Stats",
      type: found("Dictionary<String, Int32>"),
      read: () =>
        new Map([
          ["life", 5],
          ["mana", 7],
        ]),
    },
    {
      name: "Anything",
      type: found("object"),
      read: () => ({ list: [1, "two", null], n: 1.5, s: "12", map: new Map([["k", 1]]) }),
    },
  ],
});
