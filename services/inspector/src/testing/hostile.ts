/**
 * A world in which everything that JavaScript can run behind a reader's back is armed and recorded: getters, setters, proxy
 * traps, coercion hooks, `then`, `toJSON`, iterators, overridden built-ins, element accessors. Nothing may fire.
 */
import type { HostAccess } from "@fairlead/linq";
import type { Limits } from "@fairlead/linq/limits";
import { hostAccess } from "../host/access.ts";
import { type AnyDeclaration, member, properties } from "../host/declaration.ts";
import { Registry } from "../host/registry.ts";

/** What fired, by name. */
export const fired: string[] = [];

const trip = (name: string) => (): never => {
  fired.push(name);
  throw new Error(`${name} fired`);
};

/** Every trap there is; each records itself. */
const traps = (name: string): ProxyHandler<object> =>
  Object.fromEntries(
    [
      "get",
      "set",
      "has",
      "deleteProperty",
      "ownKeys",
      "getOwnPropertyDescriptor",
      "defineProperty",
      "getPrototypeOf",
      "setPrototypeOf",
      "isExtensible",
      "preventExtensions",
      "apply",
      "construct",
    ].map((trap) => [trap, trip(`${name}: ${trap} trap`)]),
  );

/** Arms an object: hooks of coercion and serialisation, an accessor, and a method that mutates. */
const armed = <T extends object>(name: string, target: T): T => {
  for (const hook of ["toString", "valueOf", "toJSON", "then", "inspect", "toLocaleString", "constructor", "mutate"])
    Object.defineProperty(target, hook, {
      value: trip(`${name}: ${hook}`),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  for (const hook of [
    Symbol.toPrimitive,
    Symbol.iterator,
    Symbol.asyncIterator,
    Symbol.for("nodejs.util.inspect.custom"),
  ])
    Object.defineProperty(target, hook, {
      value: trip(`${name}: ${String(hook)}`),
      configurable: true,
      writable: true,
    });
  for (const hook of [Symbol.toStringTag, Symbol.hasInstance, Symbol.species])
    Object.defineProperty(target, hook, { get: trip(`${name}: ${String(hook)}`), configurable: true });
  for (const hook of ["secret", "items"])
    Object.defineProperty(target, hook, {
      get: trip(`${name}: getter ${hook}`),
      set: trip(`${name}: setter ${hook}`),
      enumerable: true,
      configurable: true,
    });
  return target;
};

class SlyMap extends Map<unknown, unknown> {
  override get(): never {
    return trip("map: get")();
  }
  override has(): never {
    return trip("map: has")();
  }
  override forEach(): never {
    return trip("map: forEach")();
  }
  override entries(): never {
    return trip("map: entries")();
  }
  override get size(): never {
    return trip("map: size")();
  }
}

class SlySet extends Set<unknown> {
  override forEach(): never {
    return trip("set: forEach")();
  }
  override values(): never {
    return trip("set: values")();
  }
}

class SlyDate extends Date {
  override getTime(): never {
    return trip("date: getTime")();
  }
  override toISOString(): never {
    return trip("date: toISOString")();
  }
}

class SlyArray extends Array<unknown> {
  override map(): never {
    return trip("array: map")();
  }
  override slice(): never {
    return trip("array: slice")();
  }
}

class Trap {
  Level = 3;
  get Lazy(): never {
    return trip("class getter")();
  }
  set Lazy(_: unknown) {
    trip("class setter")();
  }
  Run(): never {
    return trip("class method")();
  }
  toString(): string {
    return trip("class toString")();
  }
}

const made = (): Readonly<Record<string, unknown>> => {
  const elements: unknown[] = [1, 2, 3];
  Object.defineProperty(elements, 1, { get: trip("element getter"), enumerable: true, configurable: true });
  const sly = new SlyArray();
  sly.push(1, 2);
  const map = new SlyMap();
  Map.prototype.set.call(map, "k", 1);
  Map.prototype.set.call(map, "__proto__", 2);
  Map.prototype.set.call(map, "armed", armed("map value", {}));
  const set = new SlySet();
  Set.prototype.add.call(set, 1);
  const proxy: unknown = new Proxy({ name: "p", Level: 1 }, traps("proxy"));
  const cycle: Record<string, unknown> = { name: "cycle" };
  cycle.self = cycle;
  return {
    name: "p",
    n: 5,
    text: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!",
    armed: armed("armed", { name: "armed", x: 1 }),
    list: [armed("item", { name: "item", v: 1 }), { name: "plain", v: 2 }, proxy, null, undefined, 7, "t"],
    proxy,
    method: armed("function", trip("function called")),
    elements,
    sly: armed("sly array", sly),
    map: armed("map", map),
    set: armed("set", set),
    date: armed("date", new SlyDate(0)),
    weak: new WeakMap(),
    promise: armed("promise", Promise.resolve(1)),
    symbol: Symbol("s"),
    big: 10n,
    nan: Number.NaN,
    holes: [1, undefined, 3],
    surrogate: "\ud800",
    boxed: armed("boxed", Object(5)),
    regexp: armed("regexp", /a+/),
    error: armed("error", new Error("e")),
    bytes: armed("bytes", new Uint8Array([1, 2])),
    cycle,
    trap: new Trap(),
    inherits: Object.create(armed("prototype", { inherited: 1 })),
    revoked: (() => {
      const { proxy: gone, revoke } = Proxy.revocable({}, {});
      revoke();
      return gone;
    })(),
    nested: new Proxy([1, 2], traps("array proxy")),
    behindProxy: Object.create(new Proxy({}, traps("prototype proxy"))),
  };
};

const declarations: readonly AnyDeclaration[] = [
  {
    kind: "class",
    name: "Evil.Trap",
    constructs: Trap,
    members: [...properties({ Level: "Int32" }), member("Lazy", "Int32")],
    methods: [{ name: "Run", returns: "Int32" }],
  },
  {
    kind: "class",
    name: "Evil.Liar",
    members: properties({
      n: "Int32",
      name: "String",
      armed: "Int32",
      list: "List<Int32>",
      map: "Dictionary<String, Int32>",
      date: "DateTime",
    }),
  },
];

interface HostileWorld {
  readonly host: HostAccess;
  readonly roots: readonly unknown[];
}

export const hostileWorld = (limits: Limits): HostileWorld => {
  const registry = new Registry(declarations);
  const world = made();
  const rows: object[] = Array.from({ length: 3_000 }, (_, id) =>
    id === 7 || id === 1_007 ? armed("row", { id, v: 1 }) : { id, v: id % 5 },
  );
  rows[2_500] = new Proxy({ id: 1, v: 1 }, traps("row proxy"));
  const object = registry.type("object");
  const roots = [
    { name: "W", type: object, read: () => world },
    { name: "Rows", type: object, read: () => rows },
    { name: "List", type: object, read: () => world.list },
    { name: "Liar", type: registry.type("Liar"), read: () => world },
    { name: "Trap", type: registry.type("Trap"), read: () => world.trap },
    { name: "Proxy", type: object, read: () => world.proxy },
  ];
  return { host: hostAccess({ registry, roots, now: () => 0, limits }), roots: [world, rows] };
};

/** Everything reachable by descriptors, as text: equal before and after means nothing was changed. */
export const fingerprint = (roots: readonly unknown[], isProxy: (value: unknown) => boolean): string => {
  const seen = new Map<object, number>();
  const lines: string[] = [];
  const visit = (value: unknown): string => {
    if ((typeof value !== "object" && typeof value !== "function") || value === null)
      return typeof value === "symbol" ? "symbol" : `${typeof value}:${String(value)}`;
    const known = seen.get(value);
    if (known !== undefined) return `#${known}`;
    const id = seen.size;
    seen.set(value, id);
    if (isProxy(value) || id > 20_000) return `#${id} proxy`;
    const parts = Reflect.ownKeys(value).map((key) => {
      const found = Object.getOwnPropertyDescriptor(value, key);
      return `${String(key)}=${found === undefined ? "" : "value" in found ? visit(found.value) : "accessor"}`;
    });
    lines.push(`#${id} ${Object.isExtensible(value)} {${parts.join(",")}}`);
    return `#${id}`;
  };
  for (const root of roots) visit(root);
  return lines.join("\n");
};
