/** The fields of a procedure's input as flags of the command line: read off its JSON Schema, and typed values read by them. Pure. */
import { resolveRef } from "@fairlead/kernel/reference";
import { UsageError } from "../command/failure.ts";
import { parseInput } from "../command/input.ts";
import { isRecord, type JsonRecord } from "../text/record.ts";
import { nearest, suggestHint } from "../text/suggest.ts";

/** What is typed: `json` for whatever is not a scalar, as JSON. A `list` takes several words of one of the scalar kinds. */
type ScalarKind = "text" | "number" | "switch";

export interface FieldFlag {
  readonly field: string;
  /** Long name, like `--due-date`. */
  readonly name: string;
  readonly kind: ScalarKind | "json";
  readonly many: boolean;
  /** `null` may be typed for it. */
  readonly nullable: boolean;
  readonly choices: readonly string[];
  readonly required: boolean;
  /** For help. */
  readonly about: string;
}

/** Flags that a procedure's command has for itself: a field of such a name gets `--field-` before it. */
const taken: ReadonlySet<string> = new Set(
  "json config url local token-file timeout color cwd no-input input quiet verbose help data idempotency-key stream limit last-event-id as all file media-type out".split(
    " ",
  ),
);

/** One flag a field. None for an input that is not an object with named fields. */
export const fieldFlags = (schema: JsonRecord): readonly FieldFlag[] => {
  const { properties, required } = resolveRef(schema, schema);
  if (!isRecord(properties)) return [];
  const needed = Array.isArray(required) ? required : [];
  const names = flagNames(Object.keys(properties));
  return Object.entries(properties).map(([field, value]) =>
    toFlag(field, { value, name: names.get(field) ?? field, root: schema, required: needed.includes(field) }),
  );
};

interface FieldSource {
  readonly value: unknown;
  /** Of the flag. */
  readonly name: string;
  readonly root: JsonRecord;
  readonly required: boolean;
}

const toFlag = (field: string, { value, name, root, required }: FieldSource): FieldFlag => {
  const outer = resolveRef(value, root);
  const { inner, nullable } = withoutNull(outer, root);
  const items = inner.type === "array" ? withoutNull(resolveRef(inner.items, root), root).inner : undefined;
  const kind = scalarKind(items ?? inner);
  const isList = items !== undefined && kind !== undefined && kind !== "switch";
  const choices = choicesIn(items ?? inner);
  const description = [value, outer, inner].map((each) => (isRecord(each) ? each.description : undefined));
  const fallback = outer.default ?? (isRecord(value) ? value.default : undefined);
  const notes = [
    ...(required ? ["required"] : []),
    ...(choices.length > 0 ? [`one of ${choices.join(", ")}`] : []),
    ...(fallback === undefined ? [] : [`default: ${JSON.stringify(fallback)}`]),
  ];
  const text = description.find((each) => typeof each === "string") ?? "";
  return {
    field,
    name,
    kind: items === undefined ? (kind ?? "json") : isList ? kind : "json",
    many: isList,
    nullable,
    choices,
    required,
    about: `${text}${notes.length === 0 ? "" : ` (${notes.join("; ")})`}`.trim(),
  };
};

/** The flag of each field, all of them different. `--no-x` is what turns `--x` off, so no field has such a name as it is. */
const flagNames = (fields: readonly string[]): ReadonlyMap<string, string> => {
  const names = new Map<string, string>();
  const used = new Set(taken);
  for (const field of fields) {
    const dashed = field.replace(/([a-z0-9])([A-Z])/g, "$1-$2").toLowerCase();
    const isPlain = /^[a-z][a-z0-9_-]*$/.test(dashed) && !dashed.startsWith("no-");
    let name = isPlain ? dashed : `field-${dashed}`;
    while (used.has(name)) name = `field-${name}`;
    used.add(name);
    names.set(field, `--${name}`);
  }
  return names;
};

const withoutNull = (
  schema: JsonRecord,
  root: JsonRecord,
): { readonly inner: JsonRecord; readonly nullable: boolean } => {
  const variants = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(variants)) {
    const others = variants.map((each) => resolveRef(each, root)).filter(({ type }) => type !== "null");
    const [only] = others;
    if (others.length === 1 && only !== undefined && others.length < variants.length)
      return { inner: only, nullable: true };
  }
  if (Array.isArray(schema.type)) {
    const types = schema.type.filter((type) => type !== "null");
    if (types.length === 1 && types.length < schema.type.length)
      return { inner: { ...schema, type: types[0] }, nullable: true };
  }
  return { inner: schema, nullable: false };
};

const scalarKind = ({ type, enum: values, const: only }: JsonRecord): ScalarKind | undefined => {
  const known =
    type ?? (Array.isArray(values) && values.every((value) => typeof value === "string") ? "string" : typeof only);
  if (known === "string") return "text";
  if (known === "number" || known === "integer") return "number";
  return known === "boolean" ? "switch" : undefined;
};

const choicesIn = ({ enum: values, const: only }: JsonRecord): readonly string[] =>
  (Array.isArray(values) ? values : [only]).filter((value) => typeof value === "string");

/** The value of a field from what was typed. Throws a usage error that names the flag. */
export const readField = (flag: FieldFlag, typed: unknown): unknown => {
  if (flag.many) return (Array.isArray(typed) ? typed : [typed]).map((each) => readScalar(flag, String(each)));
  if (flag.kind === "switch") return typed === true;
  return readScalar(flag, String(typed));
};

const readScalar = ({ name, kind, nullable, choices }: FieldFlag, typed: string): unknown => {
  if (nullable && typed === "null") return null;
  if (kind === "json") return parseInput(typed, name);
  if (kind === "number") {
    const number = Number(typed);
    if (typed.trim() !== "" && Number.isFinite(number)) return number;
    throw new UsageError(`${name} takes a number, not ${JSON.stringify(typed)}`, "give a number");
  }
  if (choices.length > 0 && !choices.includes(typed)) {
    const hint = suggestHint([nearest(typed, choices)], `use one of ${choices.join(", ")}`);
    throw new UsageError(`${name} does not take ${JSON.stringify(typed)}`, hint);
  }
  return typed;
};
