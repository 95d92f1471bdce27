/**
 * What a contract may use as a schema: Zod 4, Zod 3 (`zod/v3`) for teams that are moving to Zod 4, or a schema of another library that gives
 * its JSON Schema. Types are read off each; whatever else is done with a schema is done with the Zod 4 schema that says the same, so
 * that a contract decodes, words its issues, lowers and travels the same whatever it is written in.
 *
 * Formats of text (`email`, `uuid`) are those of Zod 4. Not here: what is done with a schema.
 */
import * as z from "zod";
import type * as z3 from "zod/v3";
import type { $ZodType } from "zod/v4/core";
import { schemaDef, someSchema } from "./zod-def.ts";

/** A schema of Zod 4, of Zod 3, or of another library that gives its JSON Schema. */
export type Schema = $ZodType | z3.ZodTypeAny | StandardSchema;

/** What Standard JSON Schema asks of a schema, as ArkType has it by itself and Valibot by `toStandardJsonSchema`. */
export interface StandardSchema {
  readonly "~standard": {
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult | Promise<StandardResult>;
    readonly jsonSchema: Readonly<
      Record<"input" | "output", (options: { readonly target: "draft-2020-12" }) => object>
    >;
    readonly types?: { readonly input: unknown; readonly output: unknown } | undefined;
  };
}

type StandardResult =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** What a caller sends: before defaults and transforms. */
export type SchemaInput<S> = S extends { readonly _zod: { input: infer I } }
  ? I
  : S extends { readonly "~standard": { readonly types?: infer T } }
    ? Extract<T, object> extends { readonly input: infer I }
      ? I
      : never
    : never;

/** What parsing gives: after defaults and transforms. */
export type SchemaOutput<S> = S extends { readonly _zod: { output: infer O } }
  ? O
  : S extends { readonly "~standard": { readonly types?: infer T } }
    ? Extract<T, object> extends { readonly output: infer O }
      ? O
      : never
    : never;

const known = new WeakMap<Schema, z.ZodType>();

/** The schema itself where it is one of Zod 4. The same schema gives the same one each time. */
export const asZod4 = (schema: Schema): $ZodType => {
  if (isZod4(schema)) return schema;
  return isZod3(schema) ? convert(schema) : (known.get(schema) ?? remember(schema, fromStandard(schema)));
};

const isZod4 = (schema: Schema): schema is $ZodType => "_zod" in schema;
const isZod3 = (schema: Schema): schema is z3.ZodTypeAny => "_def" in schema;

const remember = (schema: Schema, made: z.ZodType): z.ZodType => {
  known.set(schema, made);
  return made;
};

/** Its JSON Schema says what is published and words most issues; its own rules, which no JSON Schema may say, come after it. */
const fromStandard = ({ "~standard": { validate, jsonSchema } }: StandardSchema): z.ZodType => {
  const [input, output] = (["input", "output"] as const).map((side) => jsonSchema[side]({ target: "draft-2020-12" }));
  const wire = z.fromJSONSchema(input as Parameters<typeof z.fromJSONSchema>[0]);
  const run = (value: unknown, context: z.core.$RefinementCtx): unknown => {
    if (context.issues.length > 0) return value;
    const result = validate(value);
    if (result instanceof Promise) throw new z.core.$ZodAsyncError();
    for (const { message, path = [] } of result.issues ?? []) {
      const keys = path.map((step) => (typeof step === "object" ? step.key : step));
      context.addIssue({ code: "custom", message, path: keys, input: value });
    }
    return result.issues === undefined ? result.value : value;
  };
  return JSON.stringify(input) === JSON.stringify(output)
    ? wire.superRefine((value, context) => void run(value, context))
    : wire.transform(run);
};

const convert = (schema: z3.ZodTypeAny): z.ZodType => {
  const before = known.get(schema);
  if (before !== undefined) return before;
  // The boundary to Zod 3: its definitions are a closed list, distinguished by `typeName`.
  const def = schema._def as Def;
  return remember(schema, describe(def, build(def)));
};

type Inner = z3.ZodTypeAny;
type Limit = { readonly value: number; readonly message?: string | undefined } | null;
type MessageDef = Pick<z3.ZodTypeDef, "description" | "errorMap">;

/** What is read of Zod 3's definitions. */
type Def = MessageDef &
  (
    | { readonly typeName: "ZodString"; readonly checks: readonly z3.ZodStringCheck[]; readonly coerce: boolean }
    | { readonly typeName: "ZodNumber"; readonly checks: readonly z3.ZodNumberCheck[]; readonly coerce: boolean }
    | { readonly typeName: "ZodBigInt"; readonly checks: readonly z3.ZodBigIntCheck[]; readonly coerce: boolean }
    | { readonly typeName: "ZodDate"; readonly checks: readonly z3.ZodDateCheck[]; readonly coerce: boolean }
    | { readonly typeName: "ZodBoolean"; readonly coerce: boolean }
    | { readonly typeName: keyof typeof plain }
    | {
        readonly typeName: "ZodArray";
        readonly type: Inner;
        readonly exactLength: Limit;
        readonly minLength: Limit;
        readonly maxLength: Limit;
      }
    | {
        readonly typeName: "ZodObject";
        readonly shape: () => Readonly<Record<string, Inner>>;
        readonly catchall: Inner;
        readonly unknownKeys: "strip" | "strict" | "passthrough";
      }
    | { readonly typeName: "ZodUnion"; readonly options: readonly Inner[] }
    | { readonly typeName: "ZodDiscriminatedUnion"; readonly discriminator: string; readonly options: readonly Inner[] }
    | { readonly typeName: "ZodIntersection"; readonly left: Inner; readonly right: Inner }
    | { readonly typeName: "ZodTuple"; readonly items: readonly Inner[]; readonly rest: Inner | null }
    | { readonly typeName: "ZodRecord" | "ZodMap"; readonly keyType: Inner; readonly valueType: Inner }
    | { readonly typeName: "ZodSet"; readonly valueType: Inner; readonly minSize: Limit; readonly maxSize: Limit }
    | { readonly typeName: "ZodLazy"; readonly getter: () => Inner }
    | { readonly typeName: "ZodLiteral"; readonly value: z.core.util.Literal }
    | { readonly typeName: "ZodEnum"; readonly values: readonly string[] }
    | { readonly typeName: "ZodNativeEnum"; readonly values: z.core.util.EnumLike }
    | { readonly typeName: "ZodOptional" | "ZodNullable" | "ZodReadonly"; readonly innerType: Inner }
    | { readonly typeName: "ZodDefault"; readonly innerType: Inner; readonly defaultValue: () => unknown }
    | { readonly typeName: "ZodCatch"; readonly innerType: Inner; readonly catchValue: (context: object) => unknown }
    | { readonly typeName: "ZodBranded" | "ZodPromise"; readonly type: Inner }
    | { readonly typeName: "ZodPipeline"; readonly in: Inner; readonly out: Inner }
    | { readonly typeName: "ZodEffects"; readonly schema: Inner; readonly effect: z3.Effect<unknown> }
  );

const plain = {
  ZodUndefined: z.undefined,
  ZodNull: z.null,
  ZodAny: z.any,
  ZodUnknown: z.unknown,
  ZodNever: z.never,
  ZodVoid: z.void,
  ZodNaN: z.nan,
  ZodSymbol: z.symbol,
  ZodFunction: z.function,
} as const;

const build = (def: Def): z.ZodType => {
  const error = authorMessage(def);
  switch (def.typeName) {
    case "ZodString":
      return def.checks.reduce(addTextRule, text(def.coerce, error));
    case "ZodNumber":
      return def.checks.reduce(addNumberRule, def.coerce ? z.coerce.number({ error }) : z.number({ error }));
    case "ZodBigInt":
      return def.checks.reduce(addBigIntRule, def.coerce ? z.coerce.bigint({ error }) : z.bigint({ error }));
    case "ZodDate":
      return def.checks.reduce(addDateRule, def.coerce ? z.coerce.date({ error }) : z.date({ error }));
    case "ZodBoolean":
      return def.coerce ? z.coerce.boolean({ error }) : z.boolean({ error });
    case "ZodArray":
      return addSizes(z.array(convert(def.type), { error }), def);
    case "ZodObject":
      return buildObject(def, error);
    case "ZodUnion":
      return z.union(def.options.map(convert), { error });
    case "ZodDiscriminatedUnion":
      // Zod 3 has looked already whether each option has the discriminator.
      return z.discriminatedUnion(def.discriminator, def.options.map(convert) as unknown as Options, { error });
    case "ZodIntersection":
      return z.intersection(convert(def.left), convert(def.right));
    case "ZodTuple":
      return buildTuple(def.items.map(convert), def.rest === null ? null : convert(def.rest));
    case "ZodRecord":
      return buildRecord(convert(def.keyType), convert(def.valueType));
    case "ZodMap":
      return z.map(convert(def.keyType), convert(def.valueType), { error });
    case "ZodSet": {
      const set = z.set(convert(def.valueType), { error });
      const atLeast = def.minSize === null ? set : set.min(def.minSize.value, def.minSize.message);
      return def.maxSize === null ? atLeast : atLeast.max(def.maxSize.value, def.maxSize.message);
    }
    case "ZodLazy":
      return z.lazy(() => convert(def.getter()));
    case "ZodLiteral":
      return z.literal(def.value, { error });
    case "ZodEnum":
      return z.enum(def.values, { error });
    case "ZodNativeEnum":
      return z.enum(def.values, { error });
    case "ZodOptional":
      return z.optional(convert(def.innerType));
    case "ZodNullable":
      return z.nullable(convert(def.innerType));
    case "ZodReadonly":
      return z.readonly(convert(def.innerType));
    case "ZodDefault":
      return buildDefault(convert(def.innerType), def.defaultValue);
    case "ZodCatch":
      return z.catch(convert(def.innerType), (context) => def.catchValue(context));
    case "ZodBranded":
      return convert(def.type);
    case "ZodPromise":
      return z.promise(convert(def.type));
    case "ZodPipeline":
      return z.pipe(convert(def.in), convert(def.out));
    case "ZodEffects":
      return buildEffect(convert(def.schema), def.effect);
    default:
      // What is not a schema at all becomes one that no document can describe, and is reported for that.
      return plain[def.typeName]?.({ error }) ?? z.custom();
  }
};

type Options = readonly [z.ZodObject, ...z.ZodObject[]];
type ErrorWords = (issue: { readonly code: string; readonly input?: unknown }) => string | undefined;

/** The author's own message for a value of the wrong type. */
const authorMessage = ({ errorMap }: MessageDef): ErrorWords | undefined =>
  errorMap === undefined
    ? undefined
    : ({ code, input }) => {
        const issue = { code: code === "invalid_value" ? "invalid_enum_value" : code, path: [] };
        return (
          errorMap(issue as unknown as z3.ZodIssueOptionalMessage, { data: input, defaultError: "" }).message ||
          undefined
        );
      };

/** Zod 3 copies a description into what is wrapped around it; Zod 4 finds it inside. */
const describe = (def: Def, made: z.ZodType): z.ZodType => {
  const { description } = def;
  if (description === undefined || inside(def)?.description === description) return made;
  // What is shared, like the schema of a brand, keeps its own description.
  return made.describe(description);
};

const inside = (def: Def): Inner | undefined => {
  switch (def.typeName) {
    case "ZodOptional":
    case "ZodNullable":
    case "ZodReadonly":
    case "ZodDefault":
    case "ZodCatch":
      return def.innerType;
    case "ZodBranded":
    case "ZodPromise":
      return def.type;
    case "ZodEffects":
      return def.schema;
    default:
      return undefined;
  }
};

/** The type of a coerced text leaves out the formats that it has. */
const text = (coerce: boolean, error: ErrorWords | undefined): z.ZodString =>
  coerce ? (z.coerce.string({ error }) as unknown as z.ZodString) : z.string({ error });

const addTextRule = (to: z.ZodString, rule: z3.ZodStringCheck): z.ZodString => {
  const { message } = rule;
  switch (rule.kind) {
    case "min":
    case "max":
    case "length":
      return to[rule.kind](rule.value, message);
    case "includes":
      return to.includes(rule.value, { message, ...(rule.position !== undefined && { position: rule.position }) });
    case "startsWith":
    case "endsWith":
      return to[rule.kind](rule.value, message);
    case "regex":
      return to.regex(rule.regex, message);
    case "trim":
    case "toLowerCase":
    case "toUpperCase":
      return to[rule.kind]();
    case "datetime": {
      const { offset, local, precision } = rule;
      return to.datetime({ message, offset, local, ...(precision !== null && { precision }) });
    }
    case "time":
      return to.time({ message, ...(rule.precision !== null && { precision: rule.precision }) });
    case "ip":
      return addAddress(to, rule, ["ipv4", "ipv6"]);
    case "cidr":
      return addAddress(to, rule, ["cidrv4", "cidrv6"]);
    default:
      return to[rule.kind](message);
  }
};

type AddressFormat = "ipv4" | "ipv6" | "cidrv4" | "cidrv6";

const addAddress = (
  to: z.ZodString,
  { version, message }: { readonly version?: "v4" | "v6" | undefined; readonly message?: string | undefined },
  [four, six]: readonly [AddressFormat, AddressFormat],
): z.ZodString => {
  if (version !== undefined) return to[version === "v4" ? four : six](message);
  // Of either version: Zod 4 has no one word for it.
  const formats = [to[four](), to[six]()];
  return to.refine((value) => formats.some((format) => format.safeParse(value).success), message);
};

const addNumberRule = (number: z.ZodNumber, rule: z3.ZodNumberCheck): z.ZodNumber => {
  const { message } = rule;
  switch (rule.kind) {
    case "min":
      return rule.inclusive ? number.min(rule.value, message) : number.gt(rule.value, message);
    case "max":
      return rule.inclusive ? number.max(rule.value, message) : number.lt(rule.value, message);
    case "multipleOf":
      return number.multipleOf(rule.value, message);
    case "int":
      return number.int(message);
    case "finite":
      return number;
  }
};

const addBigIntRule = (number: z.ZodBigInt, rule: z3.ZodBigIntCheck): z.ZodBigInt => {
  const { message } = rule;
  switch (rule.kind) {
    case "min":
      return rule.inclusive ? number.min(rule.value, message) : number.gt(rule.value, message);
    case "max":
      return rule.inclusive ? number.max(rule.value, message) : number.lt(rule.value, message);
    case "multipleOf":
      return number.multipleOf(rule.value, message);
  }
};

const addDateRule = (date: z.ZodDate, { kind, value, message }: z3.ZodDateCheck): z.ZodDate =>
  date[kind](new Date(value), message);

const addSizes = (
  list: z.ZodArray<z.ZodType>,
  sizes: Readonly<Record<"exactLength" | "minLength" | "maxLength", Limit>>,
) => {
  const { exactLength, minLength, maxLength } = sizes;
  const exact = exactLength === null ? list : list.length(exactLength.value, exactLength.message);
  const atLeast = minLength === null ? exact : exact.min(minLength.value, minLength.message);
  return maxLength === null ? atLeast : atLeast.max(maxLength.value, maxLength.message);
};

const buildObject = (
  def: Extract<Def, { readonly typeName: "ZodObject" }>,
  error: ErrorWords | undefined,
): z.ZodType => {
  const shape = Object.fromEntries(Object.entries(def.shape()).map(([name, field]) => [name, convert(field)]));
  const { typeName } = def.catchall._def as Def;
  if (typeName !== "ZodNever") return z.object(shape, { error }).catchall(convert(def.catchall));
  const kinds = { strip: z.object, strict: z.strictObject, passthrough: z.looseObject };
  return kinds[def.unknownKeys](shape, { error });
};

/** Zod 4's types want at least one item. */
const buildTuple = (items: readonly z.ZodType[], rest: z.ZodType | null): z.ZodType => {
  const known = items as readonly [z.ZodType, ...z.ZodType[]];
  return rest === null ? z.tuple(known) : z.tuple(known, rest);
};

/** Zod 3 asks for none of the names that a key can be. */
const buildRecord = (key: z.ZodType, value: z.ZodType): z.ZodType => {
  const { type } = schemaDef(key);
  const build = type === "enum" || type === "literal" ? z.partialRecord : z.record;
  return build(key as z.core.$ZodRecordKey, value);
};

/** Zod 3 decodes a default as if it had been sent; where both sides are the same, that is Zod 4's own default. */
const buildDefault = (inner: z.ZodType, value: () => unknown): z.ZodType =>
  someSchema(inner, changesValue) ? z.prefault(inner, value) : z._default(inner, value);

const changesValue = (schema: $ZodType): boolean => ["pipe", "transform"].includes(schemaDef(schema).type);

const buildEffect = (inner: z.ZodType, effect: z3.Effect<unknown>): z.ZodType => {
  switch (effect.type) {
    case "refinement":
      // A promise goes on to Zod, which refuses it.
      return inner.superRefine((value, context) => effect.refinement(value, oldContext(context)));
    case "transform":
      return inner.transform((value, context) => effect.transform(value, oldContext(context)));
    case "preprocess":
      return z.preprocess((value, context) => effect.transform(value, oldContext(context)), inner);
  }
};

/** What Zod 3 hands to an author's function; its issues become Zod 4's, each with its message. */
const oldContext = (context: z.core.$RefinementCtx): z3.RefinementCtx => ({
  path: [],
  addIssue: ({ message = "Invalid input", path = [] }) =>
    context.addIssue({ code: "custom", message, path: [...path], input: context.value }),
});
