/**
 * Inputs that are nearly right: the example of a procedure with one member changed, or its JSON text with something done to it.
 */
import rules from "@fairlead/contracts/rules";
import fc from "fast-check";
import { target } from "./project/contracts/target.contract.ts";

export interface Sample {
  /** Full name. */
  readonly name: string;
  readonly input: unknown;
}

/** A good input of every procedure that has an example, and an empty one of the kernel's own. */
export const samples: readonly Sample[] = [
  ...[target, rules].flatMap(({ id, procedures }) =>
    Object.entries(procedures).map(([name, { examples }]) => ({
      name: `${id}.${name}`,
      input: examples?.[0]?.input ?? {},
    })),
  ),
  ...["services", "describe", "ping", "info", "stats", "events"].map((name) => ({ name: `kernel.${name}`, input: {} })),
].filter(({ name }) => name !== "target.wait");

export const streams = ["target.ticks", "target.follow", "kernel.events"];
export const flat = ["target.sum", "target.ticks", "kernel.describe", "kernel.ping", "kernel.events"];

export const sample = fc.constantFrom(...samples);
export const sampleOf = (wanted: (name: string) => boolean): fc.Arbitrary<Sample> =>
  fc.constantFrom(...samples.filter(({ name }) => wanted(name)));

const hostileTexts = [
  "",
  "\u0000",
  "\ud800",
  "__proto__",
  "constructor",
  "../../etc/passwd",
  "x".repeat(3_000),
  "٣",
  "1e999",
];
export const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, -1, 1e308, -0, 2 ** 53, [], {}, [[]], [null], { value: 1 }, ...hostileTexts),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Replaces, removes or adds one member somewhere in a good input. */
export const mangled = (input: unknown): fc.Arbitrary<unknown> =>
  fc.record({ at: fc.nat(60), what: fc.constantFrom("replace", "remove", "add"), value: hostile }).map((change) => {
    const copy: unknown = structuredClone(input);
    const places = placesIn(copy);
    const place = places[change.at % Math.max(places.length, 1)];
    if (place === undefined) return change.value;
    const { holder, key } = place;
    if (change.what === "remove") Reflect.deleteProperty(holder, key);
    else Reflect.set(holder, change.what === "add" ? `${key}x` : key, change.value);
    return copy;
  });

interface Place {
  readonly holder: object;
  readonly key: string;
}

const placesIn = (value: unknown): readonly Place[] =>
  typeof value === "object" && value !== null
    ? Object.keys(value).flatMap((key) => [{ holder: value, key }, ...placesIn(Reflect.get(value, key))])
    : [];

const oddText = (text: string): fc.Arbitrary<string | Uint8Array> =>
  fc.oneof(
    fc.nat(Math.max(text.length - 1, 0)).map((at) => text.slice(0, at)),
    fc.nat(text.length).chain((at) => fc.string().map((more) => text.slice(0, at) + more + text.slice(at))),
    fc.constantFrom(
      `\ufeff${text}`,
      `${text}${text}`,
      text.replace("{", '{"a":1,"a":2,'),
      text.replace("{", '{"__proto__":{"x":1},'),
      `${"[".repeat(200)}${"]".repeat(200)}`,
      "null",
      '"\\ud800"',
      "1e400",
      "{'a':1}",
    ),
    fc.uint8Array({ maxLength: 60 }),
    fc.constant(new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])),
  );

export const bodyOf = (input: unknown): fc.Arbitrary<string | Uint8Array> =>
  fc.oneof(
    { weight: 4, arbitrary: mangled(input).map((value) => JSON.stringify(value) ?? "") },
    { weight: 1, arbitrary: oddText(JSON.stringify(input)) },
  );
