/**
 * Calls of everything that Zod exports, and of every method of its schemas, with arguments that no author should write. What they are given
 * is listed here; which functions there are is read off the installed Zod.
 *
 * Not here: what `gen` has to say of them (`odd-schemas.test.ts`).
 */
import { codecs } from "@fairlead/contracts";
import * as z from "zod";

/** Arguments as source text. */
const oddArguments = [
  "",
  "undefined",
  "null",
  "{}",
  "[]",
  '""',
  "-1",
  "1.5",
  "0",
  "NaN",
  "Infinity",
  "1n",
  'Symbol("odd")',
  "() => { throw new Error('odd'); }",
  "async () => true",
  "/a/v",
  "'('",
  "new Date(NaN)",
  "z",
  "z.string()",
  "[z.string()]",
  "{ a: z.string() }",
  '{ [Symbol("odd")]: z.string() }',
  "{ id: 7 }",
  "{ description: 7 }",
  "z.string(), z.int()",
  '"kind", []',
  '"kind", [z.object({ kind: z.literal("a") }), z.object({ kind: z.literal("a") })]',
  '"kind", [z.object({ kind: codecs.date() }), z.object({ kind: z.literal("a") })]',
  "z.string(), z.int(), { decode: () => { throw new Error('odd'); }, encode: () => 1 }",
  '"a", () => { throw new Error("odd"); }',
];

/** Schemas whose methods are called. */
const receivers = [
  "z.string()",
  "z.int()",
  "z.array(z.string())",
  "z.object({ a: z.string() })",
  'z.enum(["a", "b"])',
  "z.record(z.string(), z.int())",
  "z.union([z.string(), z.int()])",
  "z.tuple([z.string()])",
];

const methodsOn = (value: object): readonly string[] => {
  const names = new Set<string>();
  for (let at: unknown = value; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at))
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  return [...names].filter(
    (name) => name !== "constructor" && !name.startsWith("_") && typeof Reflect.get(value, name) === "function",
  );
};

const evaluate = (source: string): unknown => new Function("z", "codecs", `return (${source});`)(z, codecs);

/** A call and what it comes to: a schema, something else, or nothing, since it throws. */
export interface OddCall {
  readonly source: string;
  readonly comesTo: "schema" | "other" | "throws";
}

const isSchema = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "_zod" in value && "describe" in value;

const tryCall = (source: string): OddCall => {
  try {
    return { source, comesTo: isSchema(evaluate(source)) ? "schema" : "other" };
  } catch {
    return { source, comesTo: "throws" };
  }
};

/** These change Zod for all that is loaded later in the same thread. */
const withEffects: ReadonlySet<string> = new Set(["config", "setErrorMap", "clone"]);

const functionsOf = (from: object, prefix: string): readonly string[] =>
  Object.entries(from)
    .filter(([name, value]) => typeof value === "function" && /^[a-z](?!.*Async$)/.test(name) && !withEffects.has(name))
    .map(([name]) => `${prefix}.${name}`);

/** Each call once, in a fixed order. */
export const oddCalls = (): readonly OddCall[] => {
  const callees = [
    ...functionsOf(z, "z"),
    ...functionsOf(z.iso, "z.iso"),
    ...functionsOf(z.coerce, "z.coerce"),
    ...functionsOf(codecs, "codecs"),
    ...receivers.flatMap((receiver) =>
      methodsOn(Object(evaluate(receiver)))
        .filter(
          (name) =>
            name !== "clone" &&
            !/^(?:safe)?(?:parse|decode|encode|validate)/i.test(name) &&
            !/Async$/.test(name) &&
            name !== "spa",
        )
        .map((name) => `${receiver}.${name}`),
    ),
  ];
  return callees.flatMap((callee) => oddArguments.map((given) => tryCall(`${callee}(${given})`)));
};
